"""The config of the chapter on KL and clipping, content/config/kl_and_clipping.toml: what it may say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import Field

from compute.chain_rule import LARGEST_BINARY_KL

from ..reading.files import read_config
from ..reading.folder import Folder
from ..reading.relations import Relations, validated
from ..reading.toml_text import TomlText
from ..reading.validation import Strict, allowed
from ..update.config import LARGEST

KL_CONFIG = "config/kl_and_clipping.toml"
LARGEST_RATIO = 100.0
LONGEST = 64  # tokens of a trajectory, samples of a group
LONGEST_ENUMERATED = 40
LARGEST_VOCABULARY = 200_000

PROBABILITY = ("a number from 0 to 1", "0 到 1 的数")
GROUP = (f"a whole number from 1 to {LONGEST}", f"1 到 {LONGEST} 的整数")
RATIO = (f"a number from 0 to {LARGEST_RATIO:g}", f"0 到 {LARGEST_RATIO:g} 的数")
TOKEN_RATIO = (f"a number above 0, at most {LARGEST_RATIO:g}", f"大于 0 的数，至多 {LARGEST_RATIO:g}")
ADVANTAGE = ("a number from -1e6 to 1e6", "-1e6 到 1e6 的数")
REWARDS = ("two numbers from -1e6 to 1e6, one per path", "两个数，每条路径一个，在 -1e6 到 1e6 之间")
SECOND_KL = (
    f"two numbers from 0 to log 2 ({LARGEST_BINARY_KL:.6f}), one per first action",
    f"两个数，第一步的每个动作一个，在 0 到 log 2（{LARGEST_BINARY_KL:.6f}）之间",
)
BETA = ("a number from 0 to 1e6", "0 到 1e6 的数")
EPSILON = ("a number above 0 and below 1", "大于 0 且小于 1 的数")
VOCABULARY = (
    f"a whole number from 2 to {LARGEST_VOCABULARY}",
    f"2 到 {LARGEST_VOCABULARY} 的整数",
)

Number = Annotated[float, Field(ge=-LARGEST, le=LARGEST)]


class Paths(Strict):
    """Two paths under two policies."""

    current: float = allowed(*PROBABILITY, ge=0, le=1)
    reference: float = allowed(*PROBABILITY, ge=0, le=1)
    rewards: list[Number] = allowed(*REWARDS, min_length=2, max_length=2)
    beta: float = allowed(*BETA, ge=0, le=LARGEST)


class Groups(Strict):
    """Groups of samples."""

    sizes: list[Annotated[int, Field(ge=1, le=LONGEST)]] = allowed(
        f"1 to 12 different whole numbers from 1 to {LONGEST}",
        f"1 到 12 个互不相同的整数，1 到 {LONGEST}",
        min_length=1,
        max_length=12,
    )
    shown: int = allowed(*GROUP, ge=1, le=LONGEST)


class Point(Strict):
    """A point of the clip map."""

    ratio: float = allowed(*RATIO, ge=0, le=LARGEST_RATIO)
    advantage: float = allowed(*ADVANTAGE, ge=-LARGEST, le=LARGEST)


class Clip(Strict):
    """The clip map."""

    clip_epsilon: float = allowed(*EPSILON, gt=0, lt=1)
    point: Point = allowed("{ ratio = …, advantage = … }", "{ ratio = …, advantage = … }")
    cases: list[Point] = allowed(
        "1 to 12 entries { ratio = …, advantage = … }",
        "1 到 12 项 { ratio = …, advantage = … }",
        min_length=1,
        max_length=12,
    )


class Tokens(Strict):
    """Equal token ratios."""

    ratio: float = allowed(*TOKEN_RATIO, gt=0, le=LARGEST_RATIO)
    length: int = allowed(*GROUP, ge=1, le=LONGEST)


class Tree(Strict):
    """The tree of two steps."""

    current: float = allowed(*PROBABILITY, ge=0, le=1)
    reference: float = allowed(*PROBABILITY, ge=0, le=1)
    second_kl: list[Annotated[float, Field(ge=0, le=LARGEST_BINARY_KL)]] = allowed(
        *SECOND_KL, min_length=2, max_length=2
    )


class Cost(Strict):
    """Enumeration against sampling."""

    vocabulary: int = allowed(*VOCABULARY, ge=2, le=LARGEST_VOCABULARY)
    longest: int = allowed(
        f"a whole number from 1 to {LONGEST_ENUMERATED}",
        f"1 到 {LONGEST_ENUMERATED} 的整数",
        ge=1,
        le=LONGEST_ENUMERATED,
    )
    batch: int = allowed("a whole number from 1 to 1e6", "1 到 1e6 的整数", ge=1, le=10**6)


class Chapter(Strict):
    """The whole file."""

    schema_: int = allowed("1 (the only schema there is)", "1（目前唯一的版本）", alias="schema", ge=1, le=1)
    paths: Paths = allowed("a table [paths]", "一个表 [paths]")
    groups: Groups = allowed("a table [groups]", "一个表 [groups]")
    clip: Clip = allowed("a table [clip]", "一个表 [clip]")
    tokens: Tokens = allowed("a table [tokens]", "一个表 [tokens]")
    tree: Tree = allowed("a table [tree]", "一个表 [tree]")
    cost: Cost = allowed("a table [cost]", "一个表 [cost]")


@dataclass(frozen=True)
class KlConfig:
    """A valid config, as the core takes it."""

    setup: dict[str, Any]
    settings: dict[str, Any]


def load_kl_config(content: Folder) -> KlConfig:
    """Read and validate the chapter's config. Raises Problems with every mistake found."""
    return assemble(validated(read_config(content / KL_CONFIG), Chapter, ChapterRelations))


class ChapterRelations(Relations):
    """What one value of the chapter's config demands of another."""

    def __init__(self, source: TomlText, faulty: set[str]) -> None:
        super().__init__(source, set())  # a size that is wrong and stands twice has two mistakes
        self.check_twice(("groups", "sizes"))


def assemble(chapter: Chapter) -> KlConfig:
    """Return the config in the plain form that the core takes."""
    paths, clip, tree = chapter.paths, chapter.clip, chapter.tree
    settings = {
        "p": paths.current,
        "q": paths.reference,
        "rewards": paths.rewards,
        "beta": paths.beta,
        "n": chapter.groups.shown,
        "ratio": clip.point.ratio,
        "advantage": clip.point.advantage,
        "clip_epsilon": clip.clip_epsilon,
        "token_ratio": chapter.tokens.ratio,
        "length": chapter.tokens.length,
        "tree_p": tree.current,
        "tree_q": tree.reference,
        "tree_kl": tree.second_kl,
        "vocabulary": chapter.cost.vocabulary,
    }
    setup = {
        "group_sizes": chapter.groups.sizes,
        "cases": [case.model_dump() for case in clip.cases],
        "longest": chapter.cost.longest,
        "batch": chapter.cost.batch,
    }
    return KlConfig(setup, settings)
