"""The keys that choose a state of a page: one list for the command line, the URL hash and the controls."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal
from urllib.parse import quote

from ..reading.problems import Phrase, Problem, Problems, found_and_allowed, nearest
from ..words.formatting import machine_text

SCHEMA = 1  # of the hash (`v`); raise it when a key changes its meaning


@dataclass(frozen=True)
class Bounds:
    """What a number must keep to: at least, above, below, at most."""

    least: float | None = None
    above: float | None = None
    below: float | None = None
    most: float | None = None

    def hold(self, value: float) -> bool:
        """Tell whether a value keeps to the bounds."""
        return (
            (self.least is None or value >= self.least)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
            and (self.most is None or value <= self.most)
        )


@dataclass(frozen=True)
class Key:
    """One state key: its name, its kind, and what is allowed, in words and as the page's own check needs it.

    kind: choice (one of `words`), listed (a number among those that `words` write), whole (0 ... `most`, within
    `bounds`), number (finite, within `bounds`), numbers (`count` of them, with commas between), rewards (one of
    `words`, or numbers), token ("response.position", the responses being as long as `lengths` says), text (any, of at
    most `most` characters).
    """

    name: str
    kind: Literal["choice", "listed", "whole", "number", "numbers", "rewards", "token", "text"]
    allowed: Phrase
    words: tuple[str, ...] = ()
    most: int = 10**9
    bounds: Bounds = Bounds()
    count: int = 0
    lengths: tuple[int, ...] = ()

    def check(self, text: str) -> Any:
        """Return the value that a text stands for. Raises ValueError."""
        return CHECKS[self.kind](text, self)


def finite(text: str) -> float:
    """Return a finite number. Raises ValueError."""
    plain = "-" + text[1:] if text.startswith("−") else text  # the sign that the pages write
    if not plain.isascii() or "_" in plain:
        raise ValueError(text)
    value = float(plain)
    if not math.isfinite(value):
        raise ValueError(text)
    return value + 0.0  # never -0


def number(text: str, key: Key) -> float:
    """Return a finite number within the key's bounds. Raises ValueError."""
    value = finite(text)
    if not key.bounds.hold(value):
        raise ValueError(text)
    return value


def numbers(text: str, key: Key) -> list[float]:
    """Return as many numbers as the key counts, each within its bounds. Raises ValueError."""
    values = [number(part.strip(), key) for part in text.split(",")]
    if len(values) != key.count:
        raise ValueError(text)
    return values


def whole(text: str, key: Key) -> int:
    """Return a whole number from 0 to the key's most, within its bounds. Raises ValueError."""
    if not (text.isascii() and text.isdigit() and len(text) <= 12):
        raise ValueError(text)
    value = int(text)
    if value > key.most or not key.bounds.hold(value):
        raise ValueError(text)
    return value


def choice(text: str, key: Key) -> str:
    """Return one of the key's words. Raises ValueError."""
    if text not in key.words:
        raise ValueError(text)
    return text


def listed(text: str, key: Key) -> float:
    """Return the number of `words` that a text stands for, whole where it is written so. Raises ValueError."""
    value = finite(text)
    for word in key.words:
        if float(word) == value:
            return int(word) if word.isdigit() else float(word)
    raise ValueError(text)


def rewards(text: str, key: Key) -> str | list[float]:
    """Return a reward set's name, or a list with one reward per response. Raises ValueError."""
    return text if text in key.words else numbers(text, key)


def token(text: str, key: Key) -> str:
    """Return a token named "response.position", without leading zeros. Raises ValueError."""
    if not is_token(text, list(key.lengths)):
        raise ValueError(text)
    return token_name(text)


def is_token(at: str, lengths: list[int]) -> bool:
    """Tell whether "response.position" names an action, given each response's length."""
    response, dot, position = at.partition(".")
    if not (dot and response.isascii() and response.isdigit() and position.isascii() and position.isdigit()):
        return False
    if len(response) > 3 or len(position) > 3:
        return False
    return int(response) < len(lengths) and int(position) < lengths[int(response)]


def token_name(at: str) -> str:
    """Return "response.position" without leading zeros."""
    return ".".join(str(int(part)) for part in at.split("."))


def free_text(text: str, key: Key) -> str:
    """Return a text that is not too long. Raises ValueError."""
    if len(text) > key.most:
        raise ValueError(text)
    return text


CHECKS: dict[str, Callable[[str, Key], Any]] = {
    "choice": choice,
    "listed": listed,
    "whole": whole,
    "number": number,
    "numbers": numbers,
    "rewards": rewards,
    "token": token,
    "text": free_text,
}


def page_schema(keys: Iterable[Key], language: str) -> list[dict[str, Any]]:
    """Return the keys as the page's own checks take them, with what is allowed in one language."""
    chinese = language == "zh"
    return [
        {
            **asdict(key),
            "allowed": key.allowed[chinese],
            "bounds": {name: bound for name, bound in asdict(key.bounds).items() if bound is not None},
        }
        for key in keys
    ]


def canonical_hash(keys: Iterable[Key], settings: dict[str, Any], show: str = "") -> str:
    """Return the hash of a state as the page itself writes it (hash.js), every key in order; show: what it marks."""
    pairs = [f"v={SCHEMA}", *(f"{key.name}={written(settings[key.name])}" for key in keys)]
    return "&".join(pairs + [f"show={quote(show, safe='')}"] * bool(show))


def written(value: Any) -> str:
    """Return a setting as an address has it."""
    if isinstance(value, list):
        return ",".join(written(item) for item in value)
    return value if isinstance(value, str) else machine_text(value)


def chosen_settings(
    keys: Iterable[Key], settings: dict[str, Any], assignments: Iterable[str], step: str | None
) -> dict[str, Any]:
    """Return settings changed by KEY=VALUE texts and a --step. Raises Problems with every mistake.

    settings: the page's default ones. A --step is for pages that have such a key.
    """
    chosen = dict(settings)
    known = {key.name: key for key in keys}
    problems = []
    given: set[str] = set()
    pairs = [(text, f"--set {text}") for text in assignments]
    if step is not None:
        pairs.append((f"step={step}", f"--step {step}"))
    for text, shown in pairs:
        name, equals, value = text.partition("=")
        name = name.strip()
        key = known.get(name)
        if not equals or key is None:
            what = ("no such key", "没有这个键") if equals else ("not KEY=VALUE", "不是 KEY=VALUE 的形式")
            listed = ", ".join(known)
            what = (f"{what[0]}; allowed: {listed}", f"{what[1]}；允许：{listed}")
            problems.append(Problem(shown, None, "", what, nearest(name, known)))
        elif name in given:
            problems.append(Problem(shown, None, name, ("given twice; give it once", "写了两次；请只写一次")))
        else:
            given.add(name)
            try:
                chosen[name] = key.check(value.strip())
            except ValueError:
                what = found_and_allowed(value, key.allowed)
                problems.append(Problem(shown, None, name, what, nearest(value, key.words)))
    if problems:
        raise Problems(problems)
    return chosen
