"""What is said of a wrong path beside the correct one, of compute/findings.py; the others: test_sentences.py."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.findings import FINDINGS, OF_A_RUN, OF_A_STATE, beside
from compute.path_difference import COMPARED, path_difference
from compute.path_reasons import REASONS
from compute.paths import PATHS
from publish.numbers.registry import leaves
from publish.words.language import LANGUAGES
from tests.configurations import cases, shipped_settings, shipped_setup
from tests.content_tools import shipped_content, shipped_material

# Beside the conditions of path_reasons.py: nothing to compare, and sums that agree without any of them.
KEYS = [*dict.fromkeys(key for key, _, _ in REASONS), "same-path", "agrees"]


def said(setup=None, **changes):
    return beside({"beside": path_difference(setup or shipped_setup(), shipped_settings(**changes))})


def words():
    return shipped_content().terms.texts


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_has_its_text(key, language):
    text = words()[f"sentence.path_never_{key}"][language]
    assert text.strip() and "{" not in text, "a reason names no number"


def test_there_is_no_text_without_a_reason():
    prefix = "sentence.path_never_"
    assert {key.removeprefix(prefix) for key in words() if key.startswith(prefix)} == set(KEYS)


def test_reasons_are_told_apart():
    for language in LANGUAGES:
        texts = [words()[f"sentence.path_never_{key}"][language] for key in KEYS]
        assert len(set(texts)) == len(texts)


def test_of_the_correct_path_nothing_is_said():
    for step in (0, 7):
        assert said(path="correct", step=step) == []


@pytest.mark.parametrize("path", [name for name in PATHS if name != "correct"])
def test_before_and_after_the_first_difference(path):
    first = path_difference(shipped_setup(), shipped_settings(path=path))["first"]
    for step in range(first):
        assert said(path=path, step=step) == [("path_differs_later", {"first": "beside.first"})]
    found = path_difference(shipped_setup(), shipped_settings(path=path, step=first))
    named = [name for name in COMPARED if any(value != 0 for _, value in leaves(found["difference"][name]))]
    assert named != [] and said(path=path, step=first) == [(f"path_differs_in_{name}", {}) for name in named]


@pytest.mark.parametrize(
    ("path", "step", "named"),
    [
        ("kl-without-gradient", 0, ["gradient", "W_next"]),
        ("kl-k3-in-loss", 0, ["loss", "gradient", "W_next", "kl"]),
        ("unclipped-averaged", 3, ["loss", "gradient", "W_next"]),
    ],
)
def test_everything_that_differs_is_named_and_nothing_else(path, step, named):
    assert said(path=path, step=step) == [(f"path_differs_in_{name}", {}) for name in named]


def test_everything_that_is_compared_has_its_words():
    prefix = "sentence.path_differs_in_"
    assert {key.removeprefix(prefix) for key in words() if key.startswith(prefix)} == set(COMPARED)


def test_a_difference_at_once_is_no_later_one():
    # 0 updates is a number like any other: the paths differ, though not in the state that is asked for.
    found = {"path": "own-group", "differs": False, "first": 0, "never": None}
    assert beside({"beside": found}) == [("path_differs_later", {"first": "beside.first"})]


@pytest.mark.parametrize(
    ("path", "changes", "key"),
    [
        ("kl-subtracted", {"keep": 0}, "nothing-valid"),
        ("double-negation", {"rewards": "equal"}, "equal-rewards"),
        ("kl-without-gradient", {"beta": 0.0}, "beta-zero"),
        ("clip-to-epsilon", {"clip_epsilon": 0.5}, "bounds-agree"),
        ("product-ratio", {"keep": 1}, "one-valid-each"),
        ("other-normalization", {"keep": 1}, "equal-lengths"),
        ("unclipped-averaged", {"learning_rate": 0.001}, "never-outside"),
    ],
)
def test_why_they_never_differ(path, changes, key):
    for step in (0, 20):
        assert said(path=path, step=step, **changes) == [(f"path_never_{key}", {})]


@given(cases(), st.sampled_from(list(PATHS)))
def test_in_any_state_what_is_said_is_true(case, path):
    setup, settings = case
    setup["steps"] = 3
    found = path_difference(setup, {**settings, "path": path})
    sentences = beside({"beside": found})
    assert found["differs"] == (found["what"] != []) and set(found["what"]) <= set(COMPARED)
    # One thing where they do not differ here; each difference, once and in the order compared, where they do.
    if found["differs"]:
        named = [name for name in COMPARED if name in found["what"]]
        assert sentences == [(f"path_differs_in_{name}", {}) for name in named]
    else:
        assert len(sentences) == (path != "correct")
    for key, ids in sentences:
        assert f"sentence.{key}" in words()
        assert (ids != {}) == (key == "path_differs_later")
        assert key.startswith("path_never_") == (not found["differs"] and found["first"] is None)


def test_the_numbers_that_are_named_are_registered():
    assert "beside.first" in shipped_material().registry


def test_it_is_said_by_a_call_of_its_own():
    assert FINDINGS["beside"] is beside
    assert "beside" not in OF_A_STATE and "beside" not in OF_A_RUN, (
        "show and story do not know the other path"
    )
