"""What an experiment of a size costs: seconds to run, megabytes of results; and where either is too much.

A rough model, measured on one core of a machine of 2024 with the shipped sizes changed one at a time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from ..reading.problems import Phrase

MOST_MEGABYTES = 25.0  # of results, which readers load
MOST_SECONDS = 3600.0
LARGE_MEGABYTES = 3.0  # from here on it is worth a word before it starts
LARGE_SECONDS = 60.0

INPUTS, ACTIONS = 100, 10
SECONDS_PER_ROW = 2e-7  # a row: one pass of the network over one input or one prefix
SECONDS_PER_UNIT = 6e-9  # of a row and hidden unit
SECONDS_PER_PASS = 4e-4  # what many small numpy calls take, whatever their size
UNITS_AT_ONCE = 500_000  # training.BLOCK
BYTES_PER_NUMBER = 9  # of a curve's rounded number as text

SAMPLED = ("sampled updates (reinforce, runs)", "采样更新（reinforce、runs）")
EXACT = ("exact updates (rates)", "精确更新（rates）")
EVALUATED = ("evaluations (reinforce.evaluate_every)", "评估（reinforce.evaluate_every）")
SUPERVISED = ("supervised steps (supervised.steps)", "监督学习（supervised.steps）")
CHECKPOINTS = ("checkpoints (shown, network.hidden)", "检查点（shown、network.hidden）")
GRIDS = ("the rewards of all inputs (runs, reinforce)", "全部输入的奖励（runs、reinforce）")
CURVES = ("curves (runs, reinforce.evaluate_every)", "曲线（runs、reinforce.evaluate_every）")


@dataclass(frozen=True)
class Cost:
    """Megabytes of results and seconds of training, and what most of each is for."""

    megabytes: float
    seconds: float
    most_megabytes: Phrase
    most_seconds: Phrase

    def large(self) -> bool:
        """Tell whether a word before the start is due."""
        return self.megabytes > LARGE_MEGABYTES or self.seconds > LARGE_SECONDS

    def too_large(self) -> bool:
        """Tell whether the experiment is refused."""
        return self.megabytes > MOST_MEGABYTES or self.seconds > MOST_SECONDS

    def phrase(self) -> Phrase:
        """Say what the experiment takes, and of what most of it comes."""
        return (
            f"about {self.seconds:.0f} s, most for {self.most_seconds[0]}, "
            f"and {self.megabytes:.1f} MB of results, most for {self.most_megabytes[0]}",
            f"约需 {self.seconds:.0f} 秒（主要用于{self.most_seconds[1]}），"
            f"结果约 {self.megabytes:.1f} MB（主要是{self.most_megabytes[1]}）",
        )


def estimate(setup: dict[str, Any]) -> Cost:
    """Return what the experiment of this setup costs."""
    seconds, megabytes = seconds_of(setup), megabytes_of(setup)
    return Cost(
        megabytes=sum(megabytes.values()),
        seconds=sum(seconds.values()),
        most_megabytes=max(megabytes, key=lambda name: megabytes[name]),
        most_seconds=max(seconds, key=lambda name: seconds[name]),
    )


def seconds_of(setup: dict[str, Any]) -> dict[Phrase, float]:
    """Return the seconds of each part. Everything is trained twice: again from a disturbed start."""
    plan, rates, hidden = setup["reinforce"], setup["rates"], setup["hidden"]
    main = len(setup["seeds"]) * len(setup["betas"])
    rated = len(rates["seeds"]) * len(rates["rates"])
    updates, evaluations = plan["updates"] + 1, evaluations_of(plan)
    training = round(setup["training_fraction"] * INPUTS)
    row = SECONDS_PER_ROW + SECONDS_PER_UNIT * hidden
    passes = math.ceil(2 * (main + rated) * 1000 * hidden / UNITS_AT_ONCE)
    sampled = 2 * updates * (main + rated) * plan["inputs"] * (1 + plan["samples"])
    exact = 2 * updates * rated * training * (1 + ACTIONS)
    evaluated = 2 * evaluations * (main + 2 * rated) * INPUTS * (1 + ACTIONS)
    supervised = setup["supervised"]["steps"] * len(setup["seeds"]) * 2 * INPUTS
    return {
        SAMPLED: sampled * row + updates * passes * SECONDS_PER_PASS,
        EXACT: exact * row,
        EVALUATED: evaluated * row,
        SUPERVISED: supervised * row,
    }


def megabytes_of(setup: dict[str, Any]) -> dict[Phrase, float]:
    """Return the megabytes of each part of the results; base64 takes 4 bytes for 3."""
    shown, evaluations = setup["shown"], evaluations_of(setup["reinforce"])
    seeds, betas = len(setup["seeds"]), len(setup["betas"])
    later = len([update for update in shown["checkpoint_updates"] if update > 0])
    checkpoints = len(shown["checkpoint_seeds"]) * (1 + betas * later)
    parameters = 51 * setup["hidden"] + 20
    curves = (seeds + 3) * betas * 5 + len(setup["rates"]["rates"]) * 8
    return {
        CHECKPOINTS: checkpoints * parameters * 4 * 4 / 3 / 1e6,
        GRIDS: seeds * betas * evaluations * INPUTS * 2 * 4 / 3 / 1e6,
        CURVES: curves * evaluations * BYTES_PER_NUMBER / 1e6,
    }


def evaluations_of(plan: dict[str, Any]) -> int:
    """Return how often every input is evaluated."""
    return int(plan["updates"]) // int(plan["evaluate_every"]) + 1
