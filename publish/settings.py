"""The keys that choose a state of the main page: one list for the command line, the URL hash and the controls."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from compute.paths import PATHS

from .config import Config, is_token, token_name
from .problems import Phrase, Problem, Problems, found_and_allowed, nearest, one_of

SCHEMA = 1  # of the hash (`v`); raise it when a key changes its meaning


@dataclass(frozen=True)
class Bounds:
    """What a number must keep to: at least, above, below."""

    least: float | None = None
    above: float | None = None
    below: float | None = None

    def hold(self, value: float) -> bool:
        """Tell whether a value keeps to the bounds."""
        return (
            (self.least is None or value >= self.least)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
        )


@dataclass(frozen=True)
class Key:
    """One state key: its name, its kind, and what is allowed, in words and as the page's own check needs it.

    kind: choice (one of `words`), whole (0 ... `most`), number (finite, within `bounds`), rewards, token.
    """

    name: str
    kind: Literal["choice", "whole", "number", "rewards", "token"]
    allowed: Callable[[Config], Phrase]
    words: Callable[[Config], Iterable[str]] = lambda config: ()
    most: Callable[[Config], int] = lambda config: 10**9
    bounds: Bounds = Bounds()

    def check(self, text: str, config: Config) -> Any:
        """Return the value that a text stands for. Raises ValueError."""
        return CHECKS[self.kind](text, self, config)


def always(english: str, chinese: str) -> Callable[[Config], Phrase]:
    """Return a phrase that does not depend on the config."""
    return lambda config: (english, chinese)


def number(text: str) -> float:
    """Return a finite number. Raises ValueError."""
    if not text.isascii() or "_" in text:
        raise ValueError(text)
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value + 0.0  # never -0


def bounded(text: str, key: Key, config: Config) -> float:
    """Return a finite number within the key's bounds. Raises ValueError."""
    value = number(text)
    if not key.bounds.hold(value):
        raise ValueError(text)
    return value


def whole(text: str, key: Key, config: Config) -> int:
    """Return a whole number from 0 to the key's most. Raises ValueError."""
    if not (text.isascii() and text.isdigit() and len(text) <= 12) or int(text) > key.most(config):
        raise ValueError(text)
    return int(text)


def choice(text: str, key: Key, config: Config) -> str:
    """Return one of the key's words. Raises ValueError."""
    if text not in key.words(config):
        raise ValueError(text)
    return text


def rewards(text: str, key: Key, config: Config) -> str | list[float]:
    """Return a reward set's name, or a list with one reward per response. Raises ValueError."""
    if text in config.setup["rewards"]:
        return text
    values = [number(part.strip()) for part in text.split(",")]
    if len(values) != len(config.setup["responses"]) or any(abs(value) > 1e6 for value in values):
        raise ValueError(text)
    return values


def allowed_rewards(config: Config) -> Phrase:
    """Say which reward sets there are, and how free rewards are written."""
    names = ", ".join(config.setup["rewards"])
    count = len(config.setup["responses"])
    return (
        f"a set ({names}) or {count} numbers from -1e6 to 1e6 with commas between, one per response",
        f"某个奖励组（{names}），或以逗号分隔的 {count} 个数（每个回答一个，在 -1e6 到 1e6 之间）",
    )


def token(text: str, key: Key, config: Config) -> str:
    """Return a token named "response.position", without leading zeros. Raises ValueError."""
    if not is_token(text, [len(response["actions"]) for response in config.setup["responses"]]):
        raise ValueError(text)
    return token_name(text)


def allowed_steps(config: Config) -> Phrase:
    """Say which steps are kept."""
    steps = config.setup["steps"]
    return f"a whole number from 0 to {steps}", f"0 到 {steps} 的整数"


CHECKS: dict[str, Callable[[str, Key, Config], Any]] = {
    "choice": choice,
    "whole": whole,
    "number": bounded,
    "rewards": rewards,
    "token": token,
}

NORMALIZATIONS = ("token", "response")

# In the order of the canonical hash.
KEYS = (
    Key(
        "normalization", "choice", lambda config: one_of(NORMALIZATIONS), words=lambda config: NORMALIZATIONS
    ),
    Key("keep", "whole", always("a whole number, 0 or more", "不小于 0 的整数")),
    Key("beta", "number", always("a number, 0 or more", "不小于 0 的数"), bounds=Bounds(least=0)),
    Key(
        "clip_epsilon",
        "number",
        always("a number above 0 and below 1", "大于 0 且小于 1 的数"),
        bounds=Bounds(above=0, below=1),
    ),
    Key("learning_rate", "number", always("a number above 0", "大于 0 的数"), bounds=Bounds(above=0)),
    Key("rewards", "rewards", allowed_rewards, words=lambda config: config.setup["rewards"]),
    Key("path", "choice", lambda config: one_of(PATHS), words=lambda config: PATHS),
    Key("step", "whole", allowed_steps, most=lambda config: int(config.setup["steps"])),
    Key(
        "at",
        "token",
        always('an action as "response.position", both from 0', "以“回答.位置”指明的动作，均从 0 数起"),
    ),
)


def page_schema(config: Config, language: str) -> list[dict[str, Any]]:
    """Return the keys as the page's own checks take them, with what is allowed in one language."""
    chinese = language == "zh"
    return [
        {
            "name": key.name,
            "kind": key.kind,
            "allowed": key.allowed(config)[chinese],
            "words": list(key.words(config)),
            "most": key.most(config),
            "bounds": {name: bound for name, bound in asdict(key.bounds).items() if bound is not None},
        }
        for key in KEYS
    ]


def chosen_settings(config: Config, assignments: Iterable[str], step: str | None) -> dict[str, Any]:
    """Return the default settings changed by KEY=VALUE texts and a --step. Raises Problems with every mistake."""
    settings = dict(config.settings)
    keys = {key.name: key for key in KEYS}
    problems = []
    given: set[str] = set()
    pairs = [(text, f"--set {text}") for text in assignments]
    if step is not None:
        pairs.append((f"step={step}", f"--step {step}"))
    for text, shown in pairs:
        name, equals, value = text.partition("=")
        name = name.strip()
        key = keys.get(name)
        if not equals or key is None:
            what = ("no such key", "没有这个键") if equals else ("not KEY=VALUE", "不是 KEY=VALUE 的形式")
            listed = ", ".join(keys)
            what = (f"{what[0]}; allowed: {listed}", f"{what[1]}；允许：{listed}")
            problems.append(Problem(shown, None, "", what, nearest(name, keys)))
        elif name in given:
            problems.append(Problem(shown, None, name, ("given twice; give it once", "写了两次；请只写一次")))
        else:
            given.add(name)
            try:
                settings[name] = key.check(value.strip(), config)
            except ValueError:
                what = found_and_allowed(value, key.allowed(config))
                problems.append(Problem(shown, None, name, what, nearest(value, key.words(config))))
    if problems:
        raise Problems(problems)
    return settings
