"""The config of the experiment "ten actions, two steps", content/config/digits.toml: what it may say, what it costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from compute.plain import plain

from ..reading.files import read_config
from ..reading.folder import Folder
from ..reading.problems import Problem, Problems, show
from ..reading.relations import Relations, validated
from ..reading.toml_text import KeyPath, TomlText
from ..reading.validation import Strict, allowed
from ..update.config import is_whole
from .cost import MOST_MEGABYTES, MOST_SECONDS, estimate

DIGITS_CONFIG = "config/digits.toml"
INPUTS = 100
MOST_SEEDS = 64
LARGEST_SEED = 2**32 - 1
LARGEST_RATE = 100.0
LARGEST_BETA = 1000.0
LONGEST = 5000  # steps, updates

RATE = (
    f"a number above 0, at most {LARGEST_RATE:g}",
    f"大于 0 的数，至多 {LARGEST_RATE:g}",
)
BETA = (f"a number from 0 to {LARGEST_BETA:g}", f"0 到 {LARGEST_BETA:g} 的数")
SEED = ("a whole number from 0 to 4294967295", "0 到 4294967295 的整数")
SEEDS = (
    f"1 to {MOST_SEEDS} different whole numbers from 0 to 4294967295",
    f"1 到 {MOST_SEEDS} 个互不相同的整数，0 到 4294967295",
)
UPDATE = (f"a whole number from 0 to {LONGEST}", f"0 到 {LONGEST} 的整数")

Seed = Annotated[int, Field(ge=0, le=LARGEST_SEED)]
Beta = Annotated[float, Field(ge=0, le=LARGEST_BETA)]
Rate = Annotated[float, Field(gt=0, le=LARGEST_RATE)]
Update = Annotated[int, Field(ge=0, le=LONGEST)]
Digit = Annotated[int, Field(ge=0, le=9)]


def whole(least: int, most: int, unit: tuple[str, str] = ("", "")) -> Any:
    """Return a field for a whole number within bounds."""
    return allowed(
        f"a whole number from {least} to {most}{unit[0]}",
        f"{least} 到 {most} 的整数{unit[1]}",
        ge=least,
        le=most,
    )


class Task(Strict):
    """What is to be answered, and which inputs are for training."""

    operation: Literal["sum", "product"] = allowed('"sum" or "product"', '"sum" 或 "product"')
    training_fraction: float = allowed(
        "a number above 0 and below 1, the share of the 100 inputs that are for training",
        "大于 0 且小于 1 的数，即 100 个输入中用于训练的比例",
        gt=0,
        lt=1,
    )
    split_seed: int = allowed(*SEED, ge=0, le=LARGEST_SEED)


class Network(Strict):
    """The policy's size and initial weights."""

    hidden: int = whole(1, 256)
    initial_deviation: float = allowed("a number above 0, at most 10", "大于 0 的数，至多 10", gt=0, le=10)


class Supervised(Strict):
    """The supervised start."""

    steps: int = whole(0, LONGEST)
    rate: float = allowed("a number above 0, at most 1", "大于 0 的数，至多 1", gt=0, le=1)


class Reinforce(Strict):
    """Training."""

    updates: int = whole(1, LONGEST)
    rate: float = allowed(*RATE, gt=0, le=LARGEST_RATE)
    inputs: int = whole(1, INPUTS, (", at most the training inputs", "，且不超过训练输入数"))
    samples: int = whole(2, 256, (" (leave-one-out needs two)", "（留一法至少需要 2 个）"))
    evaluate_every: int = whole(1, LONGEST, (" that divides reinforce.updates", "，须整除 reinforce.updates"))


class Runs(Strict):
    """The runs: all seeds with all betas."""

    seeds: list[Seed] = allowed(*SEEDS, min_length=1, max_length=MOST_SEEDS)
    betas: list[Beta] = allowed(
        f"1 to 12 different numbers from 0 to {LARGEST_BETA:g}",
        f"1 到 12 个互不相同的数，0 到 {LARGEST_BETA:g}",
        min_length=1,
        max_length=12,
    )


class Rates(Strict):
    """One beta with several step sizes."""

    beta: float = allowed(*BETA, ge=0, le=LARGEST_BETA)
    rates: list[Rate] = allowed(
        f"1 to 8 different numbers above 0, at most {LARGEST_RATE:g}",
        f"1 到 8 个互不相同的数，大于 0，至多 {LARGEST_RATE:g}",
        min_length=1,
        max_length=8,
    )
    seeds: list[Seed] = allowed(*SEEDS, min_length=1, max_length=MOST_SEEDS)


class Shown(Strict):
    """The state shown first, and the checkpoints that the page can look into."""

    beta: float = allowed(*BETA, ge=0, le=LARGEST_BETA)
    seed: int = allowed(*SEED, ge=0, le=LARGEST_SEED)
    update: int = allowed(*UPDATE, ge=0, le=LONGEST)
    input: list[Digit] = allowed(
        "two digits [a, b], each 0 to 9", "两个数字 [a, b]，各为 0 到 9", min_length=2, max_length=2
    )
    checkpoint_seeds: list[Seed] = allowed(
        "1 to 8 different seeds of runs.seeds",
        "1 到 8 个互不相同的种子，取自 runs.seeds",
        min_length=1,
        max_length=8,
    )
    checkpoint_updates: list[Update] = allowed(
        "1 to 40 different whole numbers in rising order, multiples of reinforce.evaluate_every",
        "1 到 40 个互不相同的整数，从小到大，均为 reinforce.evaluate_every 的倍数",
        min_length=1,
        max_length=40,
    )


class Digits(Strict):
    """The whole file."""

    schema_: int = allowed("1 (the only schema there is)", "1（目前唯一的版本）", alias="schema", ge=1, le=1)
    task: Task = allowed("a table [task]", "一个表 [task]")
    network: Network = allowed("a table [network]", "一个表 [network]")
    supervised: Supervised = allowed("a table [supervised]", "一个表 [supervised]")
    reinforce: Reinforce = allowed("a table [reinforce]", "一个表 [reinforce]")
    runs: Runs = allowed("a table [runs]", "一个表 [runs]")
    rates: Rates = allowed("a table [rates]", "一个表 [rates]")
    shown: Shown = allowed("a table [shown]", "一个表 [shown]")


@dataclass(frozen=True)
class DigitsConfig:
    """A valid config: the experiment's setup, and the state that the page shows first."""

    setup: dict[str, Any]
    settings: dict[str, Any]


def load_digits_config(content: Folder) -> DigitsConfig:
    """Read and validate the experiment's config. Raises Problems with every mistake found."""
    source = read_config(content / DIGITS_CONFIG)
    config = assemble(validated(source, Digits, DigitsRelations))
    cost = estimate(config.setup)
    if cost.too_large():
        english, chinese = cost.phrase()
        what = (
            f"too large: {english}; allowed: {MOST_SECONDS:g} s and {MOST_MEGABYTES:g} MB",
            f"规模过大：{chinese}；允许：{MOST_SECONDS:g} 秒、{MOST_MEGABYTES:g} MB",
        )
        raise Problems([Problem(source.name, None, "", what)])
    return config


def assemble(digits: Digits) -> DigitsConfig:
    """Return the config in the plain form that the experiment takes. The trajectory shown first is the right answer."""
    task, shown = digits.task, digits.shown
    a, b = shown.input
    u, v = divmod(a + b if task.operation == "sum" else a * b, 10)
    setup = {
        "operation": task.operation,
        "training_fraction": task.training_fraction,
        "split_seed": task.split_seed,
        "hidden": digits.network.hidden,
        "initial_deviation": digits.network.initial_deviation,
        "supervised": digits.supervised.model_dump(),
        "reinforce": digits.reinforce.model_dump(),
        "seeds": digits.runs.seeds,
        "betas": [float(beta) for beta in digits.runs.betas],
        "rates": digits.rates.model_dump(),
        "shown": {
            "checkpoint_seeds": shown.checkpoint_seeds,
            "checkpoint_updates": shown.checkpoint_updates,
        },
    }
    settings = {
        "beta": float(shown.beta),
        "seed": shown.seed,
        "update": shown.update,
        "a": a,
        "b": b,
        "first": u,
        "second": v,
    }
    return DigitsConfig(plain(setup), plain(settings))  # plain: no -0


class DigitsRelations(Relations):
    """What one value demands of another. Looks only at values that are well-formed."""

    def __init__(self, source: TomlText, faulty: set[str]) -> None:
        super().__init__(source, faulty)
        self.check_split()
        for path in (
            ("runs", "seeds"),
            ("runs", "betas"),
            ("rates", "rates"),
            ("rates", "seeds"),
            ("shown", "checkpoint_seeds"),
            ("shown", "checkpoint_updates"),
        ):
            self.check_twice(path)
        self.check_members()
        self.check_updates()

    def get(self, *path: str | int) -> Any:
        """Return the value at a key path, None where there is none or where it is already reported."""
        return None if self.reported(path) else super().get(*path)

    def check_split(self) -> None:
        """At least one input on each side, and a batch no larger than the training inputs."""
        fraction = self.get("task", "training_fraction")
        if not isinstance(fraction, (int, float)):
            return
        count = training_inputs(fraction)
        if not 1 <= count < INPUTS:
            self.add(
                ("task", "training_fraction"),
                f"found {show(fraction)}, that is {count} of {INPUTS} inputs; allowed: 1 to {INPUTS - 1} of them",
                f"写的是 {show(fraction)}，即 {INPUTS} 个输入中的 {count} 个；允许：1 到 {INPUTS - 1} 个",
            )
            return
        batch = self.get("reinforce", "inputs")
        if is_whole(batch) and batch > count:
            self.add(
                ("reinforce", "inputs"),
                f"found {batch}; allowed: 1 to {count}, the training inputs (drawn without replacement)",
                f"写的是 {batch}；允许：1 到 {count}，即训练输入数（不放回抽取）",
            )

    def check_members(self) -> None:
        """What is shown, and what other seeds name, is among the runs."""
        for path, of in (
            (("shown", "beta"), ("runs", "betas")),
            (("shown", "seed"), ("runs", "seeds")),
            (("rates", "seeds"), ("runs", "seeds")),
            (("shown", "checkpoint_seeds"), ("runs", "seeds")),
        ):
            found, known = self.get(*path), self.get(*of)
            if found is None or not isinstance(known, list):
                continue
            many = isinstance(found, list)
            for index, value in enumerate(found if many else [found]):
                if value not in known:
                    listed = ", ".join(show(item) for item in known)
                    name = ".".join(of)
                    self.add(
                        (*path, index) if many else path,
                        f"found {show(value)}; allowed: one of {name}: {listed}",
                        f"写的是 {show(value)}；允许：{name} 之一：{listed}",
                    )

    def check_updates(self) -> None:
        """Evaluations end with the last update; what is shown is evaluated; checkpoints rise."""
        updates, every = self.get("reinforce", "updates"), self.get("reinforce", "evaluate_every")
        if not is_whole(updates) or not is_whole(every):
            return
        if updates % every:
            self.add(
                ("reinforce", "evaluate_every"),
                f"found {every}; allowed: a whole number that divides {updates} (reinforce.updates)",
                f"写的是 {every}；允许：能整除 {updates}（reinforce.updates）的整数",
            )
            return
        marks = self.get("shown", "checkpoint_updates")
        for index, value in enumerate(marks if isinstance(marks, list) else []):
            self.check_evaluated(("shown", "checkpoint_updates", index), value, updates, every)
            if index and value < marks[index - 1]:
                self.add(
                    ("shown", "checkpoint_updates", index),
                    f"found {value} after {marks[index - 1]}; allowed: rising order",
                    f"{value} 排在 {marks[index - 1]} 之后；应从小到大",
                )
        self.check_evaluated(("shown", "update"), self.get("shown", "update"), updates, every)

    def check_evaluated(self, path: KeyPath, value: Any, updates: int, every: int) -> None:
        """Report an update at which nothing is evaluated."""
        if is_whole(value) and (value > updates or value % every):
            self.add(
                path,
                f"found {value}; allowed: a multiple of {every} (reinforce.evaluate_every) from 0 to {updates}",
                f"写的是 {value}；允许：{every}（reinforce.evaluate_every）的倍数，0 到 {updates}",
            )


def training_inputs(fraction: float) -> int:
    """Return how many of the hundred inputs are for training, as compute/digits/task.py counts them."""
    return round(fraction * INPUTS)
