"""Mistakes that a user can act on: file, line, key, what was found, what is allowed, the nearest right spelling."""

from __future__ import annotations

import difflib
import os
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

Phrase = tuple[str, str]  # English, Chinese


@dataclass(frozen=True)
class Problem:
    """One mistake. `line` is None where a file has no such line (command-line values, a missing file)."""

    file: str
    line: int | None
    key: str
    what: Phrase
    hint: Phrase | None = None


class Problems(Exception):
    """All mistakes found, to be reported together; a command that meets it exits with 2."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sorted(problems, key=lambda problem: (problem.file, problem.line or 0, problem.key))
        super().__init__(report(self.problems))


def report(problems: Iterable[Problem]) -> str:
    """Return one line per mistake, in Chinese where the environment's language is Chinese."""
    chinese = speaks_chinese()
    lines = []
    for problem in problems:
        parts = [place_of(problem), problem.key, problem.what[chinese]]
        text = ": ".join(part for part in parts if part)
        text += ("；" if chinese else "; ") + problem.hint[chinese] if problem.hint else ""
        lines.append(printable(text))
    return "\n".join(lines)


def place_of(problem: Problem) -> str:
    """Return file:line."""
    return ":".join(str(part) for part in (problem.file, problem.line) if part)


def speaks_chinese() -> bool:
    """Tell whether messages should be Chinese (LC_ALL, LC_MESSAGES or LANG begins with zh)."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return value.lower().startswith("zh")
    return False


def found_and_allowed(found: Any, allowed: Phrase) -> Phrase:
    """Say what was found and what is allowed."""
    shown = show(found)
    return f"found {shown}; allowed: {allowed[0]}", f"写的是 {shown}；允许：{allowed[1]}"


def show(value: Any) -> str:
    """Return a value as a config file writes it, shortened so that a message stays one line."""
    if isinstance(value, bool):
        text = str(value).lower()
    elif isinstance(value, str):
        text = f'"{printable(value)}"'
    elif isinstance(value, int) and abs(value) > 10**40:
        text = f"a whole number of {value.bit_length()} bits"
    else:
        try:
            text = " ".join(str(value).split())
        except ValueError:  # Python refuses to write whole numbers of thousands of digits
            text = "a number with too many digits"
    return shortened(text)


def shortened(text: str) -> str:
    """Return text cut to what a message has room for."""
    return text if len(text) <= 60 else text[:57] + "…"


def printable(text: str) -> str:
    """Return text with line breaks and other unprintable characters written as escapes."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def nearest(word: str, known: Iterable[str]) -> Phrase | None:
    """Return "did you mean …" for the nearest known spelling, or None when nothing is near."""
    known = list(known)
    plain = unicodedata.normalize("NFKC", word).strip().lower()
    lowered = {name.lower(): name for name in known}
    matches = difflib.get_close_matches(plain, lowered, n=1, cutoff=0.5)
    if not matches:
        return None
    return did_you_mean(lowered[matches[0]])


def did_you_mean(name: str) -> Phrase:
    """Return the hint that names the right spelling."""
    return f'did you mean "{name}"?', f'是否想写 "{name}"？'


def nearest_few(word: str, known: Iterable[str], count: int = 4) -> list[str]:
    """Return the known spellings that are nearest to a word, the nearest first."""
    plain = unicodedata.normalize("NFKC", word).strip().lower()
    lowered = {name.lower(): name for name in known}
    return [lowered[match] for match in difflib.get_close_matches(plain, lowered, n=count, cutoff=0.5)]


def one_of(names: Iterable[str]) -> Phrase:
    """Return the list of allowed names as a phrase."""
    text = ", ".join(names)
    return text, text
