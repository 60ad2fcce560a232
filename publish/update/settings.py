"""The keys that choose a state of the main page."""

from __future__ import annotations

from compute.paths import PATHS

from ..page.keys import Bounds, Key
from ..reading.problems import one_of
from .config import Config

NORMALIZATIONS = ("token", "response")
LARGEST_REWARD = 1e6


def update_keys(config: Config) -> tuple[Key, ...]:
    """Return the keys of the main page, in the order of the canonical hash."""
    lengths = tuple(len(response["actions"]) for response in config.setup["responses"])
    steps = int(config.setup["steps"])
    at = ('a token as "response.position", both from 0', "以“回答.位置”指明的 token，均从 0 数起")
    fraction = ("a number above 0 and below 1", "大于 0 且小于 1 的数")
    positive = ("a number above 0", "大于 0 的数")
    return (
        Key("normalization", "choice", one_of(NORMALIZATIONS), words=NORMALIZATIONS),
        Key("keep", "whole", ("a whole number, 0 or more", "不小于 0 的整数")),
        Key("beta", "number", ("a number, 0 or more", "不小于 0 的数"), bounds=Bounds(least=0)),
        Key("clip_epsilon", "number", fraction, bounds=Bounds(above=0, below=1)),
        Key("learning_rate", "number", positive, bounds=Bounds(above=0)),
        rewards_key(tuple(config.setup["rewards"]), len(lengths)),
        Key("path", "choice", one_of(PATHS), words=tuple(PATHS)),
        Key("step", "whole", (f"a whole number from 0 to {steps}", f"0 到 {steps} 的整数"), most=steps),
        Key("at", "token", at, lengths=lengths),
    )


def rewards_key(names: tuple[str, ...], count: int) -> Key:
    """Return the key of the rewards: which sets there are, and how free rewards are written."""
    listed = ", ".join(names)
    allowed = (
        f"a set ({listed}) or {count} numbers from -1e6 to 1e6 with commas between, one per response",
        f"某个奖励组（{listed}），或以逗号分隔的 {count} 个数（每个回答一个，在 -1e6 到 1e6 之间）",
    )
    bounds = Bounds(least=-LARGEST_REWARD, most=LARGEST_REWARD)
    return Key("rewards", "rewards", allowed, words=names, bounds=bounds, count=count)
