"""The cost of a state against the number of tokens, up to 16 responses of 32."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator

from compute.state import state
from tests.benchmarks.timing import seconds

RESPONSES, LENGTHS, ACTIONS, FEATURES = 16, (4, 8, 16, 32), 12, 8


def setup_of(length: int) -> dict:
    """Return a setup of 16 responses of one length, with random parameters and features (seeded)."""
    draw = random.Random(0).gauss
    rows = lambda count, width: [[draw(0, 0.3) for _ in range(width)] for _ in range(count)]  # noqa: E731
    initial = rows(FEATURES, ACTIONS)
    return {
        "initial": initial,
        "behaviour": initial,
        "reference": rows(FEATURES, ACTIONS),
        "steps": 20,
        "prompt": rows(1, FEATURES)[0],
        "padding": rows(1, FEATURES)[0],
        "responses": [
            {
                "actions": [t % ACTIONS for t in range(length)],
                "mask": [1] * length,
                "features": rows(length, FEATURES),
            }
            for _ in range(RESPONSES)
        ],
        "rewards": {"given": [i % 3 for i in range(RESPONSES)]},
    }


def run() -> Iterator[str]:
    """Time a state per token, for each length."""
    settings = {
        "normalization": "token",
        "keep": 32,
        "beta": 0.1,
        "clip_epsilon": 0.2,
        "learning_rate": 0.3,
        "rewards": "given",
        "path": "correct",
        "step": 5,
        "at": "0.0",
    }
    setups = {length: setup_of(length) for length in LENGTHS}
    state(setups[LENGTHS[0]], settings)
    times = {length: [] for length in LENGTHS}
    for _ in range(9):
        for length, setup in setups.items():
            times[length].append(seconds(lambda setup=setup: state(setup, settings)))
    medians = {length: statistics.median(values) for length, values in times.items()}
    base = medians[LENGTHS[0]] / (RESPONSES * LENGTHS[0])
    for length, median in medians.items():
        tokens = RESPONSES * length
        relative = median / tokens / base
        growth = f"per token {relative:.2f} of the smallest (goal: no growth)"
        yield f"state, {tokens} tokens: {median * 1e3:.0f} ms; {growth}"
