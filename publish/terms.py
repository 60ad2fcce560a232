"""The words of the pages: labels and sentences that exist once, in both languages side by side."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping
from typing import Any

from .language import LANGUAGES, Text
from .problems import Problem, Problems, found_and_allowed, nearest
from .toml_text import TomlText

NO_TERM = ("no such term", "没有这个词条")
WITHOUT = ("a text without {placeholders}", "不含 {占位符} 的文字")
PLACEHOLDER = re.compile(r"\{\w*\}")


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
        problems = []
        for path, entry in entries(source.data):
            key = ".".join(path)
            wrong = sorted(set(entry) ^ set(LANGUAGES)) or [
                k for k in LANGUAGES if not isinstance(entry[k], str)
            ]
            if wrong:
                what = (
                    f"needs zh and en, and nothing else ({', '.join(wrong)})",
                    f"需要且只需要 zh 与 en（{', '.join(wrong)}）",
                )
                problems.append(Problem(source.name, source.line(path), key, what))
            elif shipped and (problem := misfit(source, path, entry, shipped)):
                problems.append(problem)
            else:
                self.texts[key] = Text(**entry)
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
