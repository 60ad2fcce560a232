"""Every claim of the pages: true as shipped, and false of some other results; most, of a named edit of a config.

A condition that can never fail would be a promise of nothing: an identity needs no claim.
"""

import copy
import re
from functools import cache
from random import Random

import pytest

from compute.atlas.fault_atlas import fault_atlas
from compute.claims.evaluate import evaluate, holds
from compute.kl_chapter import chapter
from publish.claims.verdicts import claims_of, places
from publish.kl.config import load_kl_config
from publish.update.page import update_results
from publish.words.conditions import read_condition
from publish.words.language import LANGUAGES
from tests.content_tools import (
    CONTENT,
    KL,
    KL_CONFIG,
    ROOT,
    SHIPPED,
    changed,
    config_from,
    shipped_content,
    shipped_material,
)

CONDITIONS = sorted({claim.condition.text for claim in claims_of(shipped_content())})
KL_SHIPPED = (CONTENT / KL_CONFIG).read_text(encoding="utf-8")
REFERENCE = "[\n    [0.1, 0.0, 0.05],\n    [0.05, 0.2, -0.2],\n]"
EQUAL = ('rewards = "mixed"', 'rewards = "equal"')
INITIAL = "[\n    [0.3, -0.2, 0.1],\n    [-0.1, 0.4, -0.3],\n]"


@cache
def shipped_results():
    return shipped_material().verdicts.results


def test_there_are_claims_on_every_page():
    for page, least in (("update", 5), (KL, 8), ("digits", 5), ("faults", 8)):
        for language in LANGUAGES:
            assert len(shipped_content().prose[page, language].claims) >= least


@pytest.mark.parametrize("text", CONDITIONS)
def test_holds_as_shipped(text):
    assert evaluate(read_condition(text).tree, shipped_results()) is True


def put(results, path, value):
    """Put a value at a path of results, copying only what lies on the way."""
    for part in path[:-1]:
        index = int(part) if isinstance(results, list) else part
        results[index] = copy.copy(results[index])
        results = results[index]
    results[int(path[-1]) if isinstance(results, list) else path[-1]] = value


def drawn(rng, value):
    """Return a value of the same kind: number, word or truth value; nothing stays nothing."""
    if isinstance(value, bool):
        return rng.random() < 0.5
    if isinstance(value, (int, float)):
        return rng.choice([0, 1, 2, -1.0, 1e9, value, value * rng.uniform(-2, 3)])
    return rng.choice(["constructed", "other"]) if value else None


def disturbed(results, condition, rng, paths):
    """Return results in which what some ids of a condition name is drawn anew: each, all alike, or as another id's."""
    other = copy.copy(results)
    for path in paths:
        old = list(places(results, path))
        values = [drawn(rng, value) for _, value in old]
        way = rng.randrange(3)
        if way == 1:
            values = [drawn(rng, old[-1][1])] * len(old)
        elif way == 2:
            as_others = [value for _, value in places(results, rng.choice(condition.ids)[0])]
            values = as_others if len(as_others) == len(old) else values
        for (full, value), new in zip(old, values):
            put(other, full, None if value is None else new)
    return other


def paths_of(condition):
    return list(dict.fromkeys(path for path, _ in condition.ids))


def found_under(condition, paths):
    rng = Random(condition.text)
    return (
        evaluate(condition.tree, disturbed(shipped_results(), condition, rng, paths)) for _ in range(1000)
    )


@pytest.mark.parametrize("text", CONDITIONS)
def test_can_fail_and_is_not_merely_undefined(text):
    condition = read_condition(text)
    assert condition.ids
    assert any(value is False for value in found_under(condition, paths_of(condition)))


@pytest.mark.parametrize("text", CONDITIONS)
def test_every_part_of_it_matters(text):
    """Each id alone can make it fail, the others as shipped: no part is there for nothing."""
    condition = read_condition(text)
    idle = [
        path for path in paths_of(condition) if all(value is True for value in found_under(condition, [path]))
    ]
    assert idle == []


# An edit of a config (what, instead), and claims that then do not hold, each by a piece of its condition.
UPDATE_EDITS = [
    ("the reference is the behaviour policy", [(REFERENCE, INITIAL)], ["any(W_ref.*.* != W_old.*.*)"]),
    ("a wrong path first", [('path = "correct"', 'path = "own-group"')], ['settings.path = "correct"']),
    ("equal rewards", [EQUAL], ["selected.policy_gradient", "positions.*.prob_next"]),
    ("a later step first", [("step = 0 ", "step = 3 ")], ["selected.policy_gradient"]),
    ("nothing pulls", [EQUAL, ("beta = 0.1 ", "beta = 0 ")], ["any(gradient.*.* != 0)"]),
    ("no updates", [("steps = 20", "steps = 0")], ["facts.steps >= 1"]),
    ("another behaviour policy", [("[update]", f"behaviour = {REFERENCE}\n[update]")],
     ["facts.steps >= 1", "all(setup.initial.*.* = W_old.*.*)", "selected.policy_gradient"]),
    ("no second features", [("[0.0, 0.4]", "[0.0, 0.0]")], ["setup.second_per_action"]),
    ("a wide interval", [("clip_epsilon = 0.2", "clip_epsilon = 0.6")],
     ["settings.clip_epsilon <= 0.5", "settings.clip_epsilon < 0.5"]),
]  # fmt: skip
KL_EDITS = [
    ("only one path", [("current = 0.8\nreference", "current = 1\nreference")], ["0 < kl-and-clipping.settings.p < 1"]),
    ("no support", [("reference = 0.5\nrewards", "reference = 0\nrewards")], ["0 < kl-and-clipping.settings.q < 1"]),
    ("another price", [("beta = 0.1 ", "beta = 0.2 ")], ["near(10 * "]),
    ("a policy below the reference", [("current = 0.8\nreference", "current = 0.2\nreference")],
     ["objective > kl-and-clipping.reference_objective", "settings.q < 0.6"]),
    ("only small groups", [("sizes = [1, 2, 4, 8, 16, 64]", "sizes = [2, 4]")], ["rises(", "groups.*.n = 64"]),
    ("a wide interval", [("clip_epsilon = 0.2", "clip_epsilon = 0.5")], ["0.6 < 1 - "]),
    ("a narrow interval", [("clip_epsilon = 0.2", "clip_epsilon = 0.05")], ["settings.clip_epsilon <= 0.9"]),
    ("a tree with one first step",
     [("current = 0.8\nreference = 0.5\nsecond", "current = 0.4\nreference = 0.4\nsecond")],
     ["not near(kl-and-clipping.tree.wrong", "settings.tree_q = 0.5"]),
]  # fmt: skip
ATLAS_EDITS = [
    ("equal rewards at the reference", [EQUAL, ("beta = 0.1 ", "beta = 0 "), (REFERENCE, INITIAL)],
     [".first > 0", "lesson.found.gradient", "loss_falls", "old-is-reference.checks"]),
    ("a uniform behaviour policy", [("[update]", "behaviour = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]\n[update]")],
     ["temperature-mismatch.checks"]),
    ("answers of one length",
     [("[0, 1, 0, 2]\n", "[0, 1]\n"), ("[2, 0, 1]\n", "[2, 0]\n"), ("= [0]\n", "= [0, 1]\n")],
     ["masked-in-denominator.checks"]),
]  # fmt: skip


def applied(text, edits):
    for old, new in edits:
        text = changed(text, old, new)
    return text


def failing(results):
    return {text for text in CONDITIONS if not holds(read_condition(text).tree, shipped_results() | results)}


def check(found, pieces):
    assert [piece for piece in pieces if not any(piece in text for text in found)] == []


@pytest.mark.parametrize(("edits", "pieces"), [e[1:] for e in UPDATE_EDITS], ids=[e[0] for e in UPDATE_EDITS])
def test_edits_of_the_rollout(tmp_path, edits, pieces):
    check(failing(update_results(config_from(tmp_path, applied(SHIPPED, edits)))), pieces)


@pytest.mark.parametrize(("edits", "pieces"), [e[1:] for e in KL_EDITS], ids=[e[0] for e in KL_EDITS])
def test_edits_of_the_chapter(tmp_path, edits, pieces):
    (tmp_path / "config").mkdir()
    (tmp_path / KL_CONFIG).write_text(applied(KL_SHIPPED, edits), encoding="utf-8")
    config = load_kl_config(tmp_path)
    check(failing(chapter(config.setup, config.settings)), pieces)


@pytest.mark.parametrize(("edits", "pieces"), [e[1:] for e in ATLAS_EDITS], ids=[e[0] for e in ATLAS_EDITS])
def test_edits_that_the_atlas_feels(tmp_path, edits, pieces):
    config = config_from(tmp_path, applied(SHIPPED, edits))
    atlas = fault_atlas(config.setup, config.settings)
    check(failing({"faults": shipped_results()["faults"] | atlas}), pieces)


def test_every_claim_on_the_rollout_the_chapter_or_the_paths_has_its_edit():
    """Those left are on trained networks, on how many paths there are of a kind, and on the atlas as a whole."""
    pieces = [
        piece for edits in (UPDATE_EDITS, KL_EDITS, ATLAS_EDITS) for _, _, named in edits for piece in named
    ]
    left = [text for text in CONDITIONS if not any(piece in text for piece in pieces)]
    assert all("digits." in text or "faults.lesson" in text or "faults.evidence" in text for text in left)


# The README says of the shipped configuration, in words: condition, and the words in each language.
RUN = "digits.run."
README = [
    ("faults.lesson.paths = 22", "22 wrong implementations", "22 种错误"),
    ('count(faults.evidence.* = "shipped") > faults.lesson.paths / 2', "most of them from public", "大多来自公开的库"),
    (f"{RUN}final.0.reward_training.mean > {RUN}start.mean_reward_training", "training reward rises", "训练奖励上升"),
    (f"{RUN}final.0.reward_held_out.mean < {RUN}start.mean_reward_held_out", "held-out reward falls", "留出奖励下降"),
]  # fmt: skip


@pytest.mark.parametrize(("condition", "english", "chinese"), README)
def test_the_readme_says_what_is_so(condition, english, chinese):
    assert holds(read_condition(condition).tree, shipped_results())
    for name, words in (("README.md", english), ("README.zh.md", chinese)):
        assert words in re.sub(r"\s+", " ", (ROOT / name).read_text(encoding="utf-8")), name
