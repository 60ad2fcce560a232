"""A wrong path beside the correct one (compute/path_difference.py), and why some never differ (path_reasons.py)."""

import json
from math import inf, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute import path_difference as module
from compute.path_difference import apart, path_difference
from compute.path_reasons import REASONS
from compute.paths import PATHS
from compute.state import state
from compute.update import evaluate, prepare, trajectory
from tests.configurations import REWARDS, cases, one_token_setup, shipped_settings, shipped_setup

WRONG = [name for name in PATHS if name != "correct"]
COMPARED = ("loss", "gradient", "W_next", "kl")


def told(setup=None, **changes):
    return path_difference(setup or shipped_setup(), shipped_settings(**changes))


@pytest.mark.parametrize("path", PATHS)
def test_both_sides_are_the_states(path):
    found = told(path=path, step=5, keep=3)
    for side, name in (("right", "correct"), ("wrong", path)):
        shown = state(shipped_setup(), shipped_settings(path=name, step=5, keep=3))
        assert {key: shown[key] for key in found[side]} == found[side]
    for name, value in found["difference"].items():
        if name in ("loss", "kl", "clipped", "outside", "counted"):
            assert value == pytest.approx(found["wrong"][name] - found["right"][name], abs=1e-12)
        assert name in found["what"] or name not in COMPARED or set(module.numbers(value)) == {0.0}
    assert found["differs"] == bool(found["what"]) == (path != "correct")
    json.dumps(found, allow_nan=False)


def test_since_when_paths_differ_on_the_shipped_configuration():
    first = {path: told(path=path)["first"] for path in WRONG}
    later = {
        "clip-then-multiply": 3,
        "min-before-advantage": 3,
        "unclipped-averaged": 3,
        "clip-to-epsilon": 3,
    }
    assert first == {path: later.get(path, 1 if path == "ratio-always-one" else 0) for path in WRONG}
    # A difference of the gradient or of the logged figure alone is one.
    assert told(path="old-not-detached")["what"] == ["gradient", "W_next"]
    assert told(path="reference-follows", beta=0.0)["what"] == ["kl"]
    before = told(path="unclipped-averaged", step=2)
    assert (before["differs"], before["first"], before["never"]) == (False, 3, "")


def masked(rows):
    """The shipped setup with these masks."""
    setup = shipped_setup()
    for response, mask in zip(setup["responses"], rows):
        response["mask"] = mask
    return setup


def at_reference():
    return {**shipped_setup(), "reference": shipped_setup()["initial"]}


SHORT = {**shipped_setup(), "responses": shipped_setup()["responses"][:2], "rewards": {"mixed": [1, 0]}}
ALIKE = {**SHORT, "responses": [SHORT["responses"][1]] * 2}
UNIFORM = {**shipped_setup(), "behaviour": [[0.0] * 3] * 2, "initial": [[0.0] * 3] * 2}
STILL = {**shipped_setup(), "steps": 0}
NEVER = [
    ("same-path", "correct", {}, {}),
    *(("nothing-valid", path, {}, {"keep": 0}) for path in WRONG if path != "mask-ignored"),
    ("equal-rewards", "min-before-advantage", {}, {"rewards": "equal"}),
    ("equal-rewards", "ratio-always-one", {}, {"rewards": "equal"}),
    ("equal-rewards", "old-is-reference", {}, {"rewards": [0.1] * 4}),
    ("equal-rewards", "product-ratio", {}, {"rewards": "equal"}),
    ("equal-rewards", "double-negation", {}, {"rewards": "equal"}),
    ("bounds-agree", "clip-to-epsilon", {}, {"clip_epsilon": 0.5}),
    ("never-outside", "unclipped-averaged", {}, {"learning_rate": 0.001}),
    ("never-outside", "clip-to-epsilon", {}, {"learning_rate": 0.001, "clip_epsilon": 0.3}),
    ("never-on-that-side", "clip-then-multiply", {}, {"keep": 1}),
    ("never-on-that-side", "clip-to-epsilon", {}, {"learning_rate": 0.001, "clip_epsilon": 0.7}),
    ("ratios-stay-one", "ratio-always-one", STILL, {}),
    ("reference-is-behaviour", "old-is-reference", at_reference(), {}),
    ("behaviour-uniform", "temperature-mismatch", UNIFORM, {}),
    ("one-valid-each", "product-ratio", {}, {"keep": 1}),
    ("beta-zero", "kl-subtracted", {}, {"beta": 0.0}),
    ("beta-zero", "kl-without-gradient", {}, {"beta": 0.0}),
    ("at-reference", "reference-follows", at_reference(), {"rewards": "equal"}),
    ("at-reference", "kl-k3-in-loss", at_reference(), {"rewards": "equal"}),
    ("at-reference", "kl-reversed", at_reference(), {"rewards": "equal", "beta": 0.0}),
    ("at-reference-beta-zero", "kl-k1-in-loss", at_reference(), {"rewards": "equal", "beta": 0.0}),
    ("rewards-standardised", "own-group", {}, {"rewards": [1, -1, 1, -1]}),
    ("rewards-standardised", "own-group", {}, {"rewards": [0, 0, 0, 0]}),
    ("nothing-masked", "masked-in-denominator", ALIKE, {}),
    ("one-micro-batch", "mean-of-micro-batches", SHORT, {}),
    ("equal-micro-batches", "mean-of-micro-batches", {}, {"normalization": "response"}),
    ("equal-micro-batches", "mean-of-micro-batches", {}, {"keep": 1}),
    ("one-response", "other-normalization", masked([[1] * 4, [0] * 2, [0] * 3, [0]]), {}),
    ("equal-lengths", "other-normalization", {}, {"keep": 1}),
    ("nothing-to-weigh", "mask-ignored", at_reference(), {"rewards": "equal"}),
    ("nothing-to-weigh", "other-normalization", at_reference(), {"rewards": "equal"}),
    # 1e-13 of a KL is less than rounding.
    ("agrees", "kl-subtracted", {}, {"beta": 1e-13}),
]


@pytest.mark.parametrize("key, path, setup, changes", NEVER)
def test_why_paths_never_differ(key, path, setup, changes):
    found = told(setup or shipped_setup(), path=path, **changes)
    assert (found["differs"], found["what"], found["first"], found["never"]) == (False, [], None, key)


def test_every_reason_is_shown_to_occur():
    assert {key for key, _, _, _ in NEVER} == {key for key, _, _ in REASONS} | {"same-path", "agrees"}


@given(cases(most_steps=0, largest_d=3, most_actions=4, most_responses=4, longest=4), st.sampled_from(WRONG))
def test_a_reason_is_sufficient(case, path):
    setup, settings = case
    setup["steps"] = 4
    settings["path"] = path
    runs = []
    for name in ("correct", path):
        batch = prepare(setup, {**settings, "path": name})
        runs.append((batch, trajectory(batch, setup["initial"], 5)))
    found = path_difference(setup, settings)
    for key, paths, holds in REASONS:
        if path in paths and holds(setup, settings, *runs):
            assert found["first"] is None and not found["differs"], key
    assert (found["first"] is None) == (found["never"] != "")


@pytest.mark.parametrize("path", WRONG)
@pytest.mark.parametrize("rewards", REWARDS)
def test_controls_that_leave_no_difference_are_explained(path, rewards):
    # "agrees" is the last resort: no control of the shipped page needs it.
    for normalization in ("token", "response"):
        for keep in range(5):
            for beta in (0.0, 0.1):
                found = told(path=path, rewards=rewards, normalization=normalization, keep=keep, beta=beta)
                assert found["never"] != "agrees", (normalization, keep, beta)


def test_rounding_is_no_difference():
    assert not apart([1.0, 0.0], [1.0 + 1e-13, 1e-13]) and apart([1.0, 0.0], [1.0, 2e-12])
    assert not apart([1e6, 0.0], [1e6, 1e-7]) and apart([1e6], [1e6 + 1e-5])
    assert not apart([inf, nan], [inf, nan]) and apart([inf], [-inf]) and apart([1.0], [nan])


def test_runs_are_kept_while_their_settings_stay(monkeypatch):
    setup, seen = shipped_setup(), []
    monkeypatch.setattr(module, "evaluate", lambda *given: seen.append(1) or evaluate(*given))
    path_difference(setup, shipped_settings(path="own-group", step=6))
    assert len(seen) == 14
    for changes in ({"step": 3}, {"step": 6, "at": "1.1"}):
        path_difference(setup, shipped_settings(path="own-group", **changes))
    assert len(seen) == 14
    path_difference(setup, shipped_settings(path="kl-reversed", step=6))
    assert len(seen) == 21  # the correct run is kept
    path_difference(setup, shipped_settings(path="kl-reversed", step=6, beta=0.2))
    assert len(seen) == 35
    again = path_difference(shipped_setup(), shipped_settings(path="kl-reversed", step=6, beta=0.3))
    assert (
        again["wrong"]["loss"]
        == state(shipped_setup(), {**shipped_settings(path="kl-reversed"), "step": 6, "beta": 0.3})["loss"]
    )


def test_a_run_that_is_known_is_not_computed_again(monkeypatch):
    setup, seen = shipped_setup(), []
    settings = shipped_settings(path="own-group", step=6, keep=2)
    batch = prepare(setup, settings)
    expected = path_difference(shipped_setup(), settings)
    monkeypatch.setattr(module, "evaluate", lambda *given: seen.append(1) or evaluate(*given))
    assert path_difference(setup, settings, (batch, trajectory(batch, setup["initial"], 8))) == expected
    assert len(seen) == 7


def test_parameters_that_leave_float64_are_words():
    for path in WRONG:
        json.dumps(told(path=path, learning_rate=1e300, step=3), allow_nan=False)
    setup = one_token_setup([700.0, -700.0], [-700.0, 700.0])
    json.dumps(
        path_difference(setup, shipped_settings(path="unclipped-averaged", rewards="given")), allow_nan=False
    )
