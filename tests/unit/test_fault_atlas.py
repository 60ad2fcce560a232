"""What the atlas says of every wrong path, of compute/atlas/fault_atlas.py: curves, last numbers, first difference."""

import json

import pytest

from compute.atlas.fault_atlas import fault_atlas
from compute.atlas.fault_notes import fault_notes
from compute.atlas.path_checks import CHECKS, path_checks
from compute.path_difference import path_difference
from compute.paths import PATHS
from compute.state import state
from tests.configurations import one_token_setup, random_setup, shipped_settings, shipped_setup

WRONG = [name for name in PATHS if name != "correct"]
CURVES = ("loss", "kl", "clipped")


@pytest.fixture(scope="module")
def atlas():
    return fault_atlas(shipped_setup(), shipped_settings())


def history_of(setup, settings, path):
    """Return loss, KL figure and clipped count at every step, as the states of that path tell them."""
    steps = setup["steps"]
    shown = state(setup, {**settings, "path": path, "step": steps})
    before = shown["history"]
    assert [entry["step"] for entry in before] == list(range(1, steps + 1))
    return {name: [*(entry[name] for entry in before), shown[name]] for name in CURVES}


def test_every_wrong_path_and_only_those(atlas):
    assert list(atlas) == ["paths", "correct", "lesson", "right", "steps", "notes"]
    assert list(atlas["paths"]) == WRONG and atlas["steps"] == shipped_setup()["steps"] == 20
    for entry in atlas["paths"].values():
        assert set(entry) == {"curves", "last", "first", "smallest", "checks", "loss_falls"}
        loss = entry["curves"]["loss"]
        assert entry["loss_falls"] == (loss[20] < loss[0])
    json.dumps(atlas, allow_nan=False)


@pytest.mark.parametrize("path", PATHS)
def test_curves_are_the_history_of_the_state(atlas, path):
    curves = atlas["right"] if path == "correct" else atlas["paths"][path]["curves"]
    assert curves == history_of(shipped_setup(), shipped_settings(), path)
    assert {len(curve) for curve in curves.values()} == {21}


def test_curves_follow_the_settings_and_the_setup():
    settings = shipped_settings(normalization="response", beta=0.5, keep=2, rewards="one-right")
    setup = {**shipped_setup(), "steps": 3}
    changed = fault_atlas(setup, settings)
    for path in ("mask-ignored", "kl-subtracted"):
        assert changed["paths"][path]["curves"] == history_of(setup, settings, path)
    assert changed["right"] == history_of(setup, settings, "correct") and changed["steps"] == 3


def test_last_is_the_end_of_both_curves(atlas):
    for entry in atlas["paths"].values():
        for name in CURVES:
            assert entry["last"][name] == {
                "right": atlas["right"][name][20],
                "wrong": entry["curves"][name][20],
            }
    # Not the same at the end, somewhere: a path whose curves agree throughout would be no mistake here.
    same = {
        name
        for name, entry in atlas["paths"].items()
        if all(v["right"] == v["wrong"] for v in entry["last"].values())
    }
    assert same == set()


def test_first_is_when_the_states_first_differ(atlas):
    setup = shipped_setup()
    for name, entry in atlas["paths"].items():
        settings = shipped_settings(path=name)
        assert entry["first"] == path_difference(setup, settings)["first"]
        differs = [
            path_difference(setup, {**settings, "step": n})["differs"] for n in range(entry["first"] + 1)
        ]
        assert differs == [False] * entry["first"] + [True]


def test_first_is_none_where_they_never_differ():
    found = fault_atlas(shipped_setup(), shipped_settings(rewards="equal"))["paths"]
    never = [name for name, entry in found.items() if entry["first"] is None]
    assert "double-negation" in never and "kl-subtracted" not in never
    for name in never:
        settings = shipped_settings(rewards="equal", path=name)
        assert path_difference(shipped_setup(), settings)["never"] != ""


def test_checks_and_smallest_numbers_are_those_of_their_own_modules(atlas):
    checks = path_checks(shipped_setup(), shipped_settings(), [], [])
    notes = fault_notes()
    for name, entry in atlas["paths"].items():
        assert list(entry["checks"]) == list(CHECKS)
        for check, found in entry["checks"].items():
            assert found == {key: checks[name][check][key] for key in ("caught", "error")}
        assert entry["smallest"] == notes["smallest"][name]
    assert atlas["correct"] == {
        check: {key: checks["correct"][check][key] for key in ("caught", "error")} for check in CHECKS
    }
    assert atlas["notes"] == {key: value for key, value in notes.items() if key != "smallest"}


def test_path_and_step_of_the_page_do_not_matter(atlas):
    other = fault_atlas(shipped_setup(), shipped_settings(path="mask-ignored", step=7, at="2.1"))
    assert other == atlas


def test_no_check_finds_the_correct_path(atlas):
    assert list(atlas["correct"]) == list(CHECKS)
    assert [check for check, found in atlas["correct"].items() if found["caught"]] == []


def test_the_lesson_counts_what_the_checks_find(atlas):
    caught = {
        name: {check for check, found in entry["checks"].items() if found["caught"]}
        for name, entry in atlas["paths"].items()
    }
    unseen = [name for name, found in caught.items() if not found & {"differences", "differences-held"}]
    assert atlas["lesson"] == {
        "paths": len(WRONG),
        "found": {check: sum(check in found for found in caught.values()) for check in CHECKS},
        "pass_differences": len(unseen),
    }
    assert (len(WRONG), len(unseen)) == (22, 19) and all(atlas["lesson"]["found"].values())


def test_infinite_numbers_are_words():
    atlas = fault_atlas(
        one_token_setup([700.0, -700.0], [-700.0, 700.0], (0, 0)), shipped_settings(rewards="given", keep=1)
    )
    assert any(
        isinstance(value, str) for entry in atlas["paths"].values() for value in entry["curves"]["loss"]
    )
    json.dumps(atlas, allow_nan=False)


@pytest.mark.parametrize("lengths", [[1], [2, 1], [3, 1, 4]])
def test_other_shapes(lengths):
    setup = {**random_setup(3, 2, 4, lengths), "steps": 2}
    atlas = fault_atlas(setup, shipped_settings(rewards="given"))
    assert atlas["paths"]["mask-ignored"]["curves"] == history_of(
        setup, shipped_settings(rewards="given"), "mask-ignored"
    )
