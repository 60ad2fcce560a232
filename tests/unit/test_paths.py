"""The implementation paths of compute/paths.py: which part each of them varies, and what their states show."""

import numpy as np
import pytest
from hypothesis import given

from compute.evidence import evidence
from compute.objective import clipped_surrogate, exact_kl
from compute.paths import CORRECT, PARTS, PATHS, but
from compute.plateaus import plateaus
from compute.policy import behaviour_policy, reference_policy
from compute.rollout import declared_weights, group_statistics, lay_out
from compute.state import curves, state
from tests.configurations import REWARDS, cases, one_token_setup, shipped_settings, shipped_setup

# In the order of the atlas; what is not named is as declared.
VARIED = {
    "correct": set(),
    "clip-then-multiply": {"surrogate"},
    "min-before-advantage": {"surrogate"},
    "unclipped-averaged": {"surrogate"},
    "clip-to-epsilon": {"surrogate", "bounds"},
    "ratio-always-one": {"old"},
    "old-not-detached": {"old", "surrogate"},
    "old-is-reference": {"old"},
    "reference-follows": {"reference"},
    "kl-subtracted": {"kl_sign"},
    "kl-without-gradient": {"divergence"},
    "kl-k1-in-loss": {"divergence"},
    "kl-k3-in-loss": {"divergence"},
    "kl-k3-upside-down": {"divergence"},
    "kl-reversed": {"divergence"},
    "own-group": {"group"},
    "masked-in-denominator": {"weights"},
    "mask-ignored": {"layout", "weights"},
    "mean-of-micro-batches": {"weights"},
    "other-normalization": {"weights"},
    "double-negation": {"policy_sign"},
    "product-ratio": {"coupling"},
    "temperature-mismatch": {"old"},
}
SAMPLED = ("kl-k1-in-loss", "kl-k3-in-loss", "kl-k3-upside-down")
WRONG = [name for name in PATHS if name != "correct"]


def test_the_correct_path_follows_the_declared_rules():
    assert PATHS["correct"] is CORRECT
    assert (CORRECT.layout, CORRECT.group, CORRECT.weights) == (lay_out, group_statistics, declared_weights)
    assert (CORRECT.old, CORRECT.reference) == (behaviour_policy, reference_policy)
    assert (CORRECT.surrogate, CORRECT.divergence) == (clipped_surrogate, exact_kl)
    assert (CORRECT.coupling, CORRECT.policy_sign, CORRECT.kl_sign) == (None, 1.0, 1.0)


def test_every_wrong_path_varies_what_it_gets_wrong_and_nothing_else():
    assert list(PATHS) == list(VARIED)
    for name, path in PATHS.items():
        assert {part for part in PARTS if getattr(path, part) != getattr(CORRECT, part)} == VARIED[name]
    assert but() == CORRECT


@pytest.mark.parametrize("path", WRONG)
def test_the_next_loss_is_the_loss_of_the_next_state(path):
    for step in (0, 4):
        shown = state(shipped_setup(), shipped_settings(path=path, step=step))
        following = state(shipped_setup(), shipped_settings(path=path, step=step + 1))
        assert shown["loss_next"] == following["loss"] and shown["W_next"] == following["W"]
        assert following["history"][-1]["kl"] == shown["kl"]


@pytest.mark.parametrize("path", WRONG)
def test_what_stays_configured_and_what_the_exact_kl_is(path):
    # kl_exact at these parameters, by the correct path: start it there.
    found = state(shipped_setup(), shipped_settings(path=path, step=3, keep=3))
    assert (found["W_old"], found["W_ref"]) == (shipped_setup()["behaviour"], shipped_setup()["reference"])
    there = {**shipped_setup(), "initial": found["W"]}
    assert found["kl_exact"] == state(there, shipped_settings(keep=3))["kl"]


@pytest.mark.parametrize("path", WRONG)
@given(case=cases(most_steps=2, largest_d=3, most_actions=4, most_responses=4, longest=4))
def test_shares_counts_and_absences_of_any_state(path, case):
    setup, settings = case
    settings["path"] = path
    found = state(setup, settings)
    size = max([1.0] + [abs(g) for row in found["gradient"] for g in row])
    np.testing.assert_allclose(found["selected"]["share_sum"], found["gradient"], rtol=0, atol=1e-12 * size)
    counted = [position for position in found["positions"] if position["weight"]]
    assert found["counted"] == len(counted) and found["skipped"] == (not counted)
    assert found["clipped"] == sum(position["is_clipped"] for position in counted)
    for position in found["positions"]:
        acted = position["action"] is not None
        assert acted == (position["kind"] not in ("prompt", "padding") or path == "mask-ignored")
        assert (position["kl"] is None) == (path in SAMPLED and not acted)
        assert (position["ratio"] is None) == (not acted)
        if position["advantage"] == 0:
            assert not position["is_clipped"]


@pytest.mark.parametrize("path", WRONG)
def test_the_selection_explains_its_logit_gradient(path):
    sign = -1 if path == "kl-subtracted" else 1
    for at in ("0.-1", "0.0", "1.1", "2.2", "3.3"):
        found = state(shipped_setup(), shipped_settings(path=path, step=5, at=at, keep=2))
        selected, position = found["selected"], found["positions"][found["selected"]["index"]]
        parts = zip(selected["policy_gradient"], selected["kl_gradient"])
        expected = [position["weight"] * (g + sign * 0.1 * h) for g, h in parts]
        assert position["dlogits"] == pytest.approx(expected, rel=1e-14, abs=1e-300)


@pytest.mark.parametrize("path", WRONG)
@pytest.mark.parametrize("rewards", REWARDS)
def test_nothing_kept_is_skipped_but_where_the_mask_is_ignored(path, rewards):
    found = state(shipped_setup(), shipped_settings(path=path, rewards=rewards, keep=0, step=2))
    if path == "mask-ignored":
        assert found["counted"] == 20 and not found["skipped"]
        assert all(position["weight"] == 1 / 20 for position in found["positions"])
        return
    assert found["skipped"] and found["W_next"] == shipped_setup()["initial"]
    assert [found[name] for name in ("loss", "kl", "kl_exact", "clipped", "outside")] == [0, 0, 0, 0, 0]


def test_fields_show_what_a_path_really_uses():
    def shown(path, **changes):
        return state(shipped_setup(), shipped_settings(path=path, step=2, **changes))

    right = shown("correct")
    for path in ("ratio-always-one", "old-not-detached"):
        tokens = [position for position in shown(path)["positions"] if position["weight"]]
        assert all(p["logprob_old"] == p["logprob"] and p["ratio"] == 1.0 for p in tokens)
        assert not any(p["is_clipped"] for p in tokens)
    follows = shown("reference-follows")
    assert follows["kl"] == 0 and follows["kl_exact"] > 0
    assert all(position["ref_probs"] == position["probs"] for position in follows["positions"])
    own = shown("own-group")
    assert own["advantages"] == [1, 0, 0.5, 1] and own["group"] == {"mean": 0.0, "deviation": 1.0}
    subtracted = shown("kl-subtracted", beta=0.0)
    assert subtracted["kl"] == subtracted["kl_exact"] > 0  # the figure itself has no sign error
    cooler = state(shipped_setup(), shipped_settings(path="temperature-mismatch"))
    assert any(position["ratio"] != 1 for position in cooler["positions"] if position["weight"])
    double = state(shipped_setup(), shipped_settings(path="double-negation", beta=0.0))
    first = state(shipped_setup(), shipped_settings(beta=0.0))
    assert double["loss"] == -first["loss"] and double["gradient"] == [
        [-g for g in row] for row in first["gradient"]
    ]
    assert [p["surrogate"] for p in double["positions"]] == [p["surrogate"] for p in first["positions"]]
    assert right["kl"] == right["kl_exact"]


def test_curves_and_clip_charts_follow_the_path():
    for path in WRONG:
        settings = shipped_settings(path=path, step=20)
        (curve,) = curves(shipped_setup(), settings, [0.1])
        found = state(shipped_setup(), settings)
        assert (curve["loss"][20], curve["clipped"][20]) == (found["loss"], found["clipped"])
        drawn = plateaus(found["positions"], 0.2, path)
        assert len(drawn["corners"]) == 5 and drawn["corners"] == sorted(drawn["corners"])
        assert sum(drawn["counts"][name] for name in ("positive", "negative", "neutral")) == found["counted"]
        for point in drawn["points"]:
            curve = drawn["positive" if point["sign"] > 0 else "negative"]
            height = np.interp(point["ratio"], drawn["corners"], curve)
            assert point["height"] == pytest.approx(height, abs=1e-9), path


def test_the_evidence_finds_gradients_that_no_loss_has_and_weights_that_do_not_sum_to_one():
    def failing(path, **changes):
        found = evidence(shipped_setup(), shipped_settings(path=path, step=5, **changes))
        return [name for name, check in found["checks"].items() if not check["holds"]]

    found = {path: failing(path) for path in WRONG}
    assert {path: names for path, names in found.items() if names} == {
        "old-not-detached": ["gradient"],
        "kl-without-gradient": ["gradient"],
        "masked-in-denominator": ["weights"],
    }
    # Responses 2 and 3 truncated away cannot be: an empty micro-batch needs masks.
    setup = shipped_setup()
    for response in setup["responses"][2:]:
        response["mask"] = [0] * len(response["mask"])
    assert not evidence(setup, shipped_settings(path="mean-of-micro-batches"))["checks"]["weights"]["holds"]


@pytest.mark.parametrize("path", WRONG)
def test_ratios_beyond_float64_raise_nothing(path):
    for current, old in (([700.0, -700.0], [-700.0, 700.0]), ([-700.0, 700.0], [700.0, -700.0])):
        setup = one_token_setup(current, old)
        for step in (0, 1):
            found = state(setup, shipped_settings(path=path, rewards="given", step=step))
            evidence(setup, shipped_settings(path=path, rewards="given", step=step))
            assert plateaus(found["positions"], 0.2, path)["counts"]["counted"] == found["counted"]
