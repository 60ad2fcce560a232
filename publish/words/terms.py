"""The words of the pages: labels and sentences that exist once, in both languages side by side.

An entry may also say `claim = "CONDITION"`: the words are written for results of which that is true (conditions.py).
A sentence that is computed may say `contrary = true`: where it is said, the text around it was written for another
outcome. Both end in one list, see claims/verdicts.py.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

from ..reading.problems import Problem, Problems, found_and_allowed, nearest
from ..reading.toml_text import TomlText
from .conditions import Condition, ConditionError, read_condition
from .language import LANGUAGES, Text

NO_TERM = ("no such term", "没有这个词条")
WITHOUT = ("a text without {placeholders}", "不含 {占位符} 的文字")
PLACEHOLDER = re.compile(r"\{\w*\}")


class Word(str):
    """A text of a page that knows its id, so that the claim it is bound to can be found."""

    key: str

    def __new__(cls, text: str, key: str) -> Word:
        """Return a text with its id."""
        word = super().__new__(cls, text)
        word.key = key
        return word


class Terms:
    """id → text in both languages, from content/terms.toml."""

    def __init__(self, source: TomlText, shipped: Terms | None = None) -> None:
        """Read a file of words; over the shipped ones it need not have them all, but none that they have not.

        Raises Problems for an entry that lacks a language, or differs from the shipped one in its placeholders.
        """
        if source.problems:
            raise Problems(source.problems)
        self.source = source
        self.texts: dict[str, Text] = dict(shipped.texts) if shipped else {}
        self.claims: dict[str, Condition] = dict(shipped.claims) if shipped else {}
        self.contrary: set[str] = set(shipped.contrary) if shipped else set()
        problems = []
        for path, entry in entries(source.data):
            key = ".".join(path)
            words = {name: value for name, value in entry.items() if name not in ("claim", "contrary")}
            wrong = sorted(set(words) ^ set(LANGUAGES)) or [
                k for k in LANGUAGES if not isinstance(words[k], str)
            ]
            if wrong:
                what = (
                    f"needs zh and en, and nothing else but claim or contrary ({', '.join(wrong)})",
                    f"需要 zh 与 en，此外只可有 claim 或 contrary（{', '.join(wrong)}）",
                )
                problems.append(Problem(source.name, source.line(path), key, what))
                continue
            if shipped and (problem := misfit(source, path, words, shipped)):
                problems.append(problem)
                continue
            self.texts[key] = Text(**words)
            self.claims.pop(key, None)  # other words, another claim
            self.contrary.discard(key)
            if "claim" in entry:
                try:
                    self.claims[key] = read_condition(str(entry["claim"]))
                except ConditionError as error:
                    line = source.line((*path, "claim"))
                    problems.append(Problem(source.name, line, f"{key}.claim", error.what, error.hint))
            contrary = entry.get("contrary", False)
            if not isinstance(contrary, bool):
                what = found_and_allowed(contrary, ("true or false", "true 或 false"))
                line = source.line((*path, "contrary"))
                problems.append(Problem(source.name, line, f"{key}.contrary", what))
            elif contrary:
                self.contrary.add(key)
        if problems:
            raise Problems(problems)

    def text(self, key: str, language: str, **values: object) -> str:
        """Return a text with its {placeholders} filled. Raises Problems for a key that is not there."""
        if key not in self.texts:
            raise Problems([Problem(self.source.name, None, key, NO_TERM, nearest(key, self.texts))])
        text = self.texts[key][language]
        return self.filled(key, text, values) if values else text

    def filled(self, key: str, text: str, values: Mapping[str, object]) -> str:
        """Return the text of a term, or its markup, with its {placeholders} filled. Raises Problems."""
        try:
            return text.format(**values)
        except (KeyError, IndexError, ValueError, AttributeError):
            known = ", ".join(f"{{{name}}}" for name in values)
            what = found_and_allowed(html.unescape(text), (f"the placeholders {known}", f"占位符 {known}"))
            line = self.source.line(tuple(key.split(".")))
            raise Problems([Problem(self.source.name, line, key, what)]) from None


def misfit(
    source: TomlText, path: tuple[str, ...], entry: Mapping[str, str], shipped: Terms
) -> Problem | None:
    """Return what is wrong with an entry laid over the shipped ones: a key they have not, other placeholders."""
    key, line = ".".join(path), source.line(path)
    if key not in shipped.texts:
        return Problem(source.name, line, key, NO_TERM, nearest(key, shipped.texts))
    for language in LANGUAGES:
        needed = sorted(set(PLACEHOLDER.findall(shipped.texts[key][language])))
        if sorted(set(PLACEHOLDER.findall(entry[language]))) != needed:
            names = ", ".join(needed)
            phrase = (f"a text with {names}", f"含有 {names} 的文字") if needed else WITHOUT
            what = found_and_allowed(entry[language], phrase)
            return Problem(source.name, source.line((*path, language)), f"{key}.{language}", what)
    return None


def entries(
    table: dict[str, Any], path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], dict[str, Any]]]:
    """Yield (path, table) for every innermost table."""
    for key, value in table.items():
        if isinstance(value, dict) and any(isinstance(item, dict) for item in value.values()):
            yield from entries(value, (*path, key))
        else:
            yield (*path, key), value if isinstance(value, dict) else {}
