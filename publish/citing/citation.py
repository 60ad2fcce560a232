"""A citation of one number, in the formats of content/terms.toml (`cite.*`).

The cards of the pages write the same text by the same templates, see templates/assets/js/cite.js: what is done here
by rule is done there by the same rule.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..editions.edition import Edition
from ..numbers.registry import Number
from ..page.keys import Key, canonical_hash, written
from ..words.formatting import INFINITE, full_text
from ..words.terms import Terms
from ..words.tex import FIXED, tex_address, tex_number, tex_text

FORMATS = ("text", "bibtex", "gbt7714", "latex", "json")
SHORT = 12  # characters of the config digest in running text


@dataclass(frozen=True)
class Cited:
    """A number in one state of its page. defaults: the page's default settings; formula: its linear text."""

    number: Number
    formula: str
    keys: tuple[Key, ...]
    settings: dict[str, Any]
    defaults: dict[str, Any]

    def changed(self) -> dict[str, Any]:
        """Return the settings that differ from the default ones."""
        return {key.name: self.settings[key.name] for key in self.keys if self.differs(key.name)}

    def differs(self, name: str) -> bool:
        """Tell whether a setting is not the default one; 1 and 1.0 are the same."""
        return written(self.settings[name]) != written(self.defaults[name])


def citation(cited: Cited, form: str, language: str, edition: Edition, digest: str, terms: Terms) -> str:
    """Return the citation of a number in one of FORMATS."""
    plain = fields(cited, language, edition, digest, terms)
    if form == "json":
        return as_json(document(cited, plain, digest))
    if form in ("bibtex", "latex"):
        raw = {name: plain[name] for name in ("address", "entry")}
        more = {"math": tex_number(plain["text"]), "link": tex_address(plain["address"])}
        if form == "bibtex":
            plain = plain | {"config": digest}
        plain = {name: tex_text(text) for name, text in plain.items()} | raw | more
    return terms.text(f"cite.{form}", language, **plain)


def fields(cited: Cited, language: str, edition: Edition, digest: str, terms: Terms) -> dict[str, str]:
    """Return what the templates may name."""
    number = cited.number

    def word(key: str, **values: object) -> str:
        return terms.text(key, language, **values)

    text = word("number.undefined") if number.text == INFINITE["nan"] else number.text
    changed = [f"{name} = {written(value)}" for name, value in cited.changed().items()]
    settings = word("site.semicolon").join(changed)
    place = f"{language}/{number.page}.html#{canonical_hash(cited.keys, cited.settings, number.id)}"
    return {
        "id": number.id,
        "text": text,
        "value": full_text(number.value),
        "result": result(number, text, word),
        "label": number.label[language],
        "source": number.source,
        "title": word(f"page.{number.page}.title"),
        "author": word("cite.author"),
        "version": edition.version,
        "date": edition.date,
        "year": edition.date[:4],
        "config": digest[:SHORT],
        "state": word("cite.state", settings=settings) if changed else word("cite.default_state"),
        "address": edition.absolute(place),
        "entry": key_of(number.id, cited, edition),
    }


def result(number: Number, text: str, word: Callable[..., str]) -> str:
    """Return the text shown, and the value at full precision where that says more."""
    if number.value is None:
        return word("cite.absent")
    value = full_text(number.value)
    if isinstance(number.value, str) or value.replace("-", "−") == text:
        return text
    return word("cite.result", text=text, value=value)


def key_of(number_id: str, cited: Cited, edition: Edition) -> str:
    """Return a key for bibliographies: edition, number and state, in characters that every program allows."""
    changed = [f"{name}-{written(value).replace(',', '_')}" for name, value in cited.changed().items()]
    return ":".join(["rlpu", edition.version, number_id, *changed]).replace("+", "")


def document(cited: Cited, plain: dict[str, str], digest: str) -> dict[str, Any]:
    """Return every field of a citation; decimals: how many the shown text has, None where it has another form."""
    number, fixed = cited.number, FIXED.fullmatch(plain["text"])
    return {
        "id": number.id,
        "value": number.value,
        "text": plain["text"],
        "decimals": len(fixed[1] or "") if fixed else None,
        "label": plain["label"],
        "formula": cited.formula,
        "source": number.source,
        "page": number.page,
        "title": plain["title"],
        "version": plain["version"],
        "date": plain["date"],
        "config": digest,
        "settings": {key.name: cited.settings[key.name] for key in cited.keys},
        "changed": cited.changed(),
        "address": plain["address"],
    }


def as_json(value: Any, indent: str = "") -> str:
    """Return JSON as JavaScript's JSON.stringify(value, null, 1) writes it, numbers included."""
    inner = indent + " "
    if isinstance(value, dict) and value:
        items = [f"{inner}{as_json(name)}: {as_json(item, inner)}" for name, item in value.items()]
        return "{\n" + ",\n".join(items) + f"\n{indent}}}"
    if isinstance(value, list) and value:
        return "[\n" + ",\n".join(inner + as_json(item, inner) for item in value) + f"\n{indent}]"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return full_text(value)
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
