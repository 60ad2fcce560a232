"""The keys that choose a state of the experiment: a run, a moment of it, an input, an answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..page.keys import Bounds, Key
from ..reading.problems import Phrase
from ..words.formatting import machine_text

DIGIT = ("a digit, 0 to 9", "0 到 9 的数字")


def digits_keys(setup: dict[str, Any]) -> tuple[Key, ...]:
    """Return the keys of the experiment's page, in the order of the canonical hash."""
    rule = setup["reinforce"]
    updates = range(0, rule["updates"] + 1, rule["evaluate_every"])
    return (
        listed("beta", setup["betas"]),
        listed("seed", setup["seeds"]),
        listed("update", updates),
        *(
            Key(name, "whole", DIGIT, most=9, bounds=Bounds(least=0))
            for name in ("a", "b", "first", "second")
        ),
    )


def listed(name: str, values: Iterable[float]) -> Key:
    """Return the key of a number that is one of these."""
    words = tuple(machine_text(value) for value in values)
    few = ", ".join(words if len(words) <= 12 else (*words[:3], "…", words[-1]))
    phrase: Phrase = (f"one of {few}", f"以下之一：{few}")
    return Key(name, "listed", phrase, words=words)
