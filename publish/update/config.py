"""The config of the main page, content/config/rollout.toml: what it may say, and what the core is given."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from compute.paths import PATHS
from compute.plain import plain
from compute.rollout import linear_features

from ..page.keys import is_token, token_name
from ..reading.files import read_config
from ..reading.folder import Folder
from ..reading.problems import Phrase, nearest, one_of, show
from ..reading.relations import Relations, validated
from ..reading.toml_text import KeyPath, TomlText
from ..reading.validation import Strict, allowed

ROLLOUT = "config/rollout.toml"
# Every config of the site, in the order in which the digest takes them.
CONFIGS = ("config/digits.toml", "config/kl_and_clipping.toml", ROLLOUT)
# The keys of a state, in the order of the URL.
ORDER = ("normalization", "keep", "beta", "clip_epsilon", "learning_rate", "rewards", "path", "step", "at")
LARGEST = 1e6

Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]
Vector = Annotated[list[Number], Field(min_length=1, max_length=8)]
Row = Annotated[list[Number], Field(min_length=2, max_length=12)]
Matrix = Annotated[list[Row], Field(min_length=1, max_length=8)]
NumberRows: Phrase = (
    "1 to 8 rows (features) of 2 to 12 numbers (actions), all rows equally long, each number from -1e6 to 1e6",
    "1 到 8 行（特征），每行 2 到 12 个数（动作），各行等长，每个数在 -1e6 到 1e6 之间",
)
Features: Phrase = (
    "one number from -1e6 to 1e6 per feature (row of policy.initial)",
    "每个特征（policy.initial 的每一行）一个数，在 -1e6 到 1e6 之间",
)


class Policy(Strict):
    """The three parameter tables, d×V."""

    initial: Matrix = allowed(*NumberRows)
    reference: Matrix = allowed(*NumberRows)
    behaviour: Matrix | None = allowed(*NumberRows, default=None)


class Update(Strict):
    """What one update uses."""

    clip_epsilon: float = allowed("a number above 0 and below 1", "大于 0 且小于 1 的数", gt=0, lt=1)
    learning_rate: float = allowed("a number above 0, at most 1e6", "大于 0 的数，至多 1e6", gt=0, le=LARGEST)
    steps: int = allowed("a whole number from 0 to 200", "0 到 200 的整数", ge=0, le=200)


class FeatureRule(Strict):
    """x = base + per_response * i + per_position * t, and the fixed positions."""

    base: Vector = allowed(*Features)
    per_response: Vector = allowed(*Features)
    per_position: Vector = allowed(*Features)
    prompt: Vector = allowed(*Features)
    padding: Vector = allowed(*Features)


Action = Annotated[int, Field(ge=0, le=11)]
Flag = Annotated[int, Field(ge=0, le=1)]


class Response(Strict):
    """One answer of the batch."""

    actions: list[Action] = allowed(
        "1 to 32 whole numbers from 0 to the number of actions minus 1",
        "1 到 32 个整数，取值 0 到动作数减 1",
        min_length=1,
        max_length=32,
    )
    features: list[Vector] | None = allowed(
        "one row per action, one number per feature", "每个动作一行，每个特征一个数", default=None
    )
    mask: list[Flag] | None = allowed("0 or 1 per action", "每个动作一个 0 或 1", default=None)


RewardName = Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]


class Controls(Strict):
    """The state that the page shows first."""

    normalization: Literal["token", "response"] = allowed('"token" or "response"', '"token" 或 "response"')
    keep: int = allowed("a whole number, 0 or more", "不小于 0 的整数", ge=0, le=10**9)
    beta: float = allowed("a number from 0 to 1e6", "0 到 1e6 的数", ge=0, le=LARGEST)
    rewards: str = allowed("the name of a reward set", "某个奖励组的名称")
    path: str = allowed(*one_of(f'"{name}"' for name in PATHS))
    step: int = allowed("a whole number from 0 to update.steps", "0 到 update.steps 的整数", ge=0)
    at: str = allowed(
        'a token as "response.position", both from 0',
        "以“回答.位置”指明的 token，均从 0 数起",
        default="0.0",
    )
    beta_choices: list[Annotated[float, Field(ge=0, le=LARGEST)]] = allowed(
        "1 to 8 different numbers from 0 to 1e6",
        "1 到 8 个互不相同的数，0 到 1e6",
        min_length=1,
        max_length=8,
    )


class Expectation(Strict):
    """The two-step environment of section 04."""

    first: Vector = allowed(*Features)
    second_base: Vector = allowed(*Features)
    second_per_action: Vector = allowed(*Features)
    rewards: list[Row] = allowed(
        "a square table, one row and one column per action, each number from -1e6 to 1e6",
        "行数与列数都等于动作数的表，每个数在 -1e6 到 1e6 之间",
    )


class Rollout(Strict):
    """The whole file."""

    schema_: int = allowed("1 (the only schema there is)", "1（目前唯一的版本）", alias="schema", ge=1, le=1)
    policy: Policy = allowed("a table [policy]", "一个表 [policy]")
    update: Update = allowed("a table [update]", "一个表 [update]")
    features: FeatureRule = allowed("a table [features]", "一个表 [features]")
    responses: list[Response] = allowed(
        "1 to 16 tables [[responses]]", "1 到 16 个表 [[responses]]", min_length=1, max_length=16
    )
    rewards: dict[RewardName, list[Number]] = allowed(
        "one or more lines name = [...], names of a-z, 0-9 and -, one reward from -1e6 to 1e6 per response",
        "一行或多行 name = [...]，名称用 a-z、0-9 与 -，每个回答一个奖励，在 -1e6 到 1e6 之间",
        min_length=1,
    )
    controls: Controls = allowed("a table [controls]", "一个表 [controls]")
    expectation: Expectation = allowed("a table [expectation]", "一个表 [expectation]")


@dataclass(frozen=True)
class Config:
    """A valid config: `setup` and `settings` for the core, and what else the page shows."""

    setup: dict[str, Any]
    settings: dict[str, Any]
    beta_choices: list[float]
    expectation: dict[str, Any]
    digest: str


def load_config(content: Folder) -> Config:
    """Read and validate the config folder of `content`. Raises Problems with every mistake found."""
    rollout = validated(read_config(content / ROLLOUT), Rollout, RolloutRelations)
    return assemble(rollout, config_digest(content))


def config_digest(content: Folder) -> str:
    """Return the SHA-256 of the config files that are used, wherever they stand; one that is missing has no part."""
    digest = hashlib.sha256()
    for path in (content / name for name in CONFIGS):
        if path.is_file():
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def assemble(rollout: Rollout, digest: str) -> Config:
    """Return the config in the plain form that the core takes."""
    policy, rule, controls = rollout.policy, rollout.features, rollout.controls
    responses = []
    for i, response in enumerate(rollout.responses):
        count = len(response.actions)
        features = response.features or [
            linear_features(rule.base, rule.per_response, rule.per_position, i, t) for t in range(count)
        ]
        responses.append(
            {"actions": response.actions, "features": features, "mask": response.mask or [1] * count}
        )
    values = controls.model_dump() | rollout.update.model_dump() | {"at": token_name(controls.at)}
    setup = {
        "initial": policy.initial,
        "reference": policy.reference,
        "behaviour": policy.behaviour or policy.initial,
        "steps": rollout.update.steps,
        "prompt": rule.prompt,
        "padding": rule.padding,
        "responses": responses,
        "rewards": rollout.rewards,
    }
    return Config(
        setup=plain(setup),  # plain: no -0
        settings=plain({key: values[key] for key in ORDER}),
        beta_choices=plain(controls.beta_choices),
        expectation=plain(rollout.expectation.model_dump()),
        digest=digest,
    )


class RolloutRelations(Relations):
    """What one value demands of another: shapes, names, ranges. Looks only at values that are well-formed."""

    def __init__(self, source: TomlText, faulty: set[str]) -> None:
        super().__init__(source, faulty)
        data = source.data
        self.responses = data["responses"] if is_list_of(data.get("responses"), dict) else None
        initial = self.get("policy", "initial")
        self.rows: int | None = None
        self.columns: int | None = None
        if is_list_of(initial, list) and 1 <= len(initial) <= 8 and 2 <= len(initial[0]) <= 12:
            self.rows, self.columns = len(initial), len(initial[0])
        self.check_matrices()
        self.check_features()
        self.check_responses()
        self.check_rewards()
        self.check_controls()

    def check_length(self, path: KeyPath, value: Any, length: int | None, per: Phrase) -> None:
        """Report a list whose length differs from what it is counted against."""
        if isinstance(value, list) and length is not None and len(value) != length:
            self.add(
                path,
                f"found {len(value)} entries; allowed: {length}, {per[0]}",
                f"写了 {len(value)} 项；应为 {length} 项，{per[1]}",
            )

    def check_rows(
        self, path: KeyPath, value: Any, rows: int | None, columns: int | None, per: Phrase
    ) -> None:
        """Report a table whose shape differs from rows × columns."""
        self.check_length(path, value, rows, per)
        if is_list_of(value, list):
            for index, row in enumerate(value):
                self.check_length((*path, index), row, columns, per)

    def check_matrices(self) -> None:
        """Initial gives d×V; reference and behaviour have the same shape, the expectation's rewards V×V."""
        per: Phrase = ("as policy.initial has it", "与 policy.initial 一致")
        equal: Phrase = ("as long as the first row", "与第一行等长")
        self.check_rows(("policy", "initial"), self.get("policy", "initial"), None, self.columns, equal)
        for name in ("reference", "behaviour"):
            self.check_rows(("policy", name), self.get("policy", name), self.rows, self.columns, per)
        square: Phrase = ("one per action", "每个动作一项")
        path = ("expectation", "rewards")
        self.check_rows(path, self.get(*path), self.columns, self.columns, square)

    def check_features(self) -> None:
        """Every feature vector has d entries."""
        per: Phrase = ("one per feature (row of policy.initial)", "每个特征（policy.initial 的每一行）一项")
        for name in ("base", "per_response", "per_position", "prompt", "padding"):
            self.check_length(("features", name), self.get("features", name), self.rows, per)
        for name in ("first", "second_base", "second_per_action"):
            self.check_length(("expectation", name), self.get("expectation", name), self.rows, per)

    def check_responses(self) -> None:
        """Actions exist; outright features and masks have one entry per action."""
        per_action: Phrase = ("one per action", "每个动作一项")
        per_feature: Phrase = ("one per feature", "每个特征一项")
        for i, response in enumerate(self.responses or []):
            actions = response.get("actions")
            if not isinstance(actions, list):
                continue
            for t, action in enumerate(actions):
                if is_whole(action) and self.columns is not None and not 0 <= action < self.columns:
                    most = self.columns - 1
                    self.add(
                        ("responses", i, "actions", t),
                        f"found {show(action)}; allowed: 0 to {most}, one of the {self.columns} actions",
                        f"写的是 {show(action)}；允许：0 到 {most}（共 {self.columns} 个动作）",
                    )
            self.check_length(("responses", i, "mask"), response.get("mask"), len(actions), per_action)
            path = ("responses", i, "features")
            self.check_length(path, response.get("features"), len(actions), per_action)
            if is_list_of(response.get("features"), list):
                for t, row in enumerate(response["features"]):
                    self.check_length((*path, t), row, self.rows, per_feature)

    def check_rewards(self) -> None:
        """Every reward set has one reward per response."""
        rewards = self.get("rewards")
        if not isinstance(rewards, dict) or self.responses is None or self.source.broken:
            return
        for name, values in rewards.items():
            self.check_length(
                ("rewards", name), values, len(self.responses), ("one per response", "每个回答一项")
            )

    def check_controls(self) -> None:
        """The first state exists: its reward set, path, step and selected token."""
        rewards, steps, step = self.get("rewards"), self.get("update", "steps"), self.get("controls", "step")
        if isinstance(rewards, dict) and not self.source.broken:
            self.check_name(("controls", "rewards"), list(rewards))
        self.check_name(("controls", "path"), list(PATHS))
        if is_whole(step) and is_whole(steps) and step > steps >= 0:
            self.add(
                ("controls", "step"),
                f"found {show(step)}; allowed: 0 to {steps} (update.steps)",
                f"写的是 {show(step)}；允许：0 到 {steps}（update.steps）",
            )
        self.check_twice(("controls", "beta_choices"))
        self.check_selected()

    def check_name(self, path: KeyPath, names: list[str]) -> None:
        """Report a name that is not among those defined."""
        found = self.get(*path)
        if isinstance(found, str) and found not in names:
            listed = ", ".join(f'"{name}"' for name in names)
            self.add(
                path,
                f"found {show(found)}; allowed: {listed}",
                f"写的是 {show(found)}；允许：{listed}",
                nearest(found, names),
            )

    def check_selected(self) -> None:
        """controls.at names a token of a response."""
        at = self.get("controls", "at")
        if not isinstance(at, str) or self.responses is None or self.source.broken:
            return
        lengths = [len(r["actions"]) if isinstance(r.get("actions"), list) else None for r in self.responses]
        if None not in lengths and not is_token(at, [length or 0 for length in lengths]):
            self.add(
                ("controls", "at"),
                f'found {show(at)}; allowed: "response.position" of a token, both from 0, e.g. "0.0"',
                f'写的是 {show(at)}；允许：某个 token 的“回答.位置”，均从 0 数起，例如 "0.0"',
            )


def is_whole(value: Any) -> bool:
    """Tell whether value is a whole number (true and false are not)."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_list_of(value: Any, kind: type) -> bool:
    """Tell whether value is a list whose entries are all of a kind."""
    return isinstance(value, list) and all(isinstance(item, kind) for item in value)
