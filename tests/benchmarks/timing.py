"""Timing two things in turn, so that a machine whose speed drifts treats both alike."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def seconds(action: Callable[[], object]) -> float:
    """Return how long one call takes."""
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def in_turn(ours: Callable[[], object], other: Callable[[], object], runs: int) -> tuple[float, float, float]:
    """Return the median seconds of both, and the median of their ratios other / ours, pair by pair."""
    ours()
    other()
    pairs = [(seconds(ours), seconds(other)) for _ in range(runs)]
    medians = [statistics.median(column) for column in zip(*pairs)]
    return medians[0], medians[1], statistics.median(b / a for a, b in pairs)
