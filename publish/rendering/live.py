"""What a page's scripts need to be live: inputs of its core, the keys' schema, number formats, words."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from ..numbers.registry import decimals_of
from ..page.keys import SCHEMA, page_schema
from ..page.subject import WORDS, Subject
from ..words.formatting import CERTAIN

if TYPE_CHECKING:
    from .pages import Material


def live_json(subject: Subject, material: Material, language: str) -> str:
    """Return a page's live data as JSON that may stand in a script element."""
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "page": subject.name,
        "core": subject.core,
        "setup": subject.setup,
        "settings": subject.settings,
        "keys": page_schema(subject.keys, language),
        "command": subject.command,
        "file": subject.file,
        "numbers": {
            shape: [
                decimals_of(entry),
                entry.zh if language == "zh" else entry.en,
                material.formulas[entry.formula].text,
                entry.filled,
            ]
            for shape, entry in material.declarations.items()
            if owner(shape, material) == subject.name
        },
        "uncertain": {
            number_id: text
            for number_id in subject.uncertainty
            if (text := material.registry[number_id].text).startswith(CERTAIN)
        },
        "words": {
            key: text[language]
            for key, text in material.terms.texts.items()
            if is_word(key, subject, material)
        },
        **material.redirects.live(subject.name),
        **subject.live,
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def owner(shape: str, material: Material) -> str:
    """Return the page that a number belongs to: ids begin with its name, but for the first page's."""
    first = shape.split(".")[0]
    return first if first in material.subjects else next(iter(material.subjects))


def is_word(key: str, subject: Subject, material: Material) -> bool:
    """Tell whether a page's scripts need a text: of a group that all or it names, and no other page more closely."""
    others = [group for other in material.subjects.values() if other is not subject for group in other.words]
    groups = [group for group in (*WORDS, *subject.words) if key.startswith(f"{group}.")]
    closer = [group for group in others if key.startswith(f"{group}.") and group not in groups]
    return bool(groups) and not any(len(group) > len(max(groups, key=len)) for group in closer)
