"""What the cards need to cite numbers, as a script that is loaded with the first citation."""

from __future__ import annotations

import json
from typing import Any

from ..rendering.pages import Material
from ..words.language import LANGUAGES
from ..words.tex import CHARACTERS

CITE_DATA = "cite-data"
GROUP = "cite."


def cite_data(material: Material) -> str:
    """Return the script: edition, words, titles, characters for TeX, and of each shape of number two places in lists.

    sources: where it is computed; verified: a sentence on how it was computed again. Not verified: one place only.
    """
    terms, edition = material.terms, material.edition
    sources = sorted({entry.source for entry in material.declarations.values()})
    verified = list({said["en"]: said for said in material.verified.values()}.values())
    data: dict[str, Any] = {
        "edition": {
            "version": edition.version,
            "date": edition.date,
            "address": edition.address,
            "config": material.digest,
        },
        "words": {
            language: {key: text[language] for key, text in terms.texts.items() if key.startswith(GROUP)}
            for language in LANGUAGES
        },
        "semicolon": both(material, "site.semicolon"),
        "titles": {name: both(material, f"page.{name}.title") for name in material.subjects},
        "tex": CHARACTERS,
        "sources": sources,
        "verified": verified,
        "shapes": {
            shape: [sources.index(entry.source), *places(verified, material.verified.get(shape))]
            for shape, entry in material.declarations.items()
        },
    }
    return f"RLPU.citeData={json.dumps(data, ensure_ascii=False, separators=(',', ':'))};\n"


def places(sentences: list[dict[str, str]], said: dict[str, str] | None) -> list[int]:
    """Return where a sentence stands in a list, none where nothing is said."""
    return [sentences.index(said)] if said else []


def both(material: Material, key: str) -> dict[str, str]:
    """Return a text of the pages in both languages."""
    return {language: material.terms.text(key, language) for language in LANGUAGES}
