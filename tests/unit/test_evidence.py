"""The checks of compute/evidence.py: they hold on every state, and they notice what is wrong."""

import json
from math import nan

import numpy as np
import pytest
from hypothesis import assume, given

import compute.update
from compute.evidence import evidence, finite_differences
from compute.paths import PATHS
from compute.update import evaluate_positions, prepare, trajectory
from tests.configurations import (
    REWARDS,
    cases,
    near_a_bound,
    one_token_setup,
    shipped_settings,
    shipped_setup,
)

NAMES = ["gradient", "weights", "probabilities", "logit_gradients", "shares"]


def failing(found):
    return [name for name, check in found["checks"].items() if not check["holds"]]


def test_finite_differences_by_hand():
    # See test_update: the gradient of this batch is [-1/2, 1/2].
    setup = one_token_setup([0.0, 0.0], [0.0, 0.0], actions=(0, 1))
    slopes = finite_differences(prepare(setup, shipped_settings(rewards="given")), setup["initial"])
    np.testing.assert_allclose(slopes, [[-0.5, 0.5]], rtol=0, atol=1e-9)


@pytest.mark.parametrize("normalization", ["token", "response"])
@pytest.mark.parametrize("rewards", REWARDS)
@pytest.mark.parametrize("step", [0, 1, 7, 20])
def test_every_check_holds_on_the_default_configuration(default_setup, normalization, rewards, step):
    for keep in range(5):
        for beta in (0.0, 0.1, 0.5):
            settings = shipped_settings(
                normalization=normalization, rewards=rewards, step=step, keep=keep, beta=beta
            )
            found = evidence(default_setup, settings)
            assert list(found["checks"]) == NAMES
            assert failing(found) == []


@given(cases(most_steps=2, longest=4, most_responses=4, largest_d=3, most_actions=5))
def test_every_check_holds_on_any_state_away_from_a_clip_bound(case):
    setup, settings = case
    batch = prepare(setup, settings)
    now = trajectory(batch, setup["initial"], settings["step"] + 1)[-1]
    assume(
        not near_a_bound(batch, now, 1e-3)
        and all(term.ratio is None or term.ratio < 20 for term in evaluate_positions(batch, now.parameters))
    )
    assert failing(evidence(setup, settings)) == []


def test_a_wrong_gradient_is_noticed(default_setup, monkeypatch):
    right = compute.update.surrogate_gradient
    monkeypatch.setattr(
        compute.update, "surrogate_gradient", lambda *given: [1.001 * g for g in right(*given)]
    )
    assert failing(evidence(default_setup, shipped_settings())) == ["gradient"]


def test_wrong_weights_are_noticed(default_setup, monkeypatch):
    def over_all_positions(positions, normalization):
        return [1 / len(positions) if position.kind == "token" else 0.0 for position in positions]

    monkeypatch.setitem(PATHS, "correct", PATHS["correct"]._replace(weights=over_all_positions))
    assert failing(evidence(default_setup, shipped_settings())) == ["weights"]


def test_a_gradient_that_does_not_sum_to_zero_is_noticed(default_setup, monkeypatch):
    monkeypatch.setattr(
        compute.update, "surrogate_gradient", lambda slope, rho, action, probs, *_: [1.0] * len(probs)
    )
    assert failing(evidence(default_setup, shipped_settings())) == ["gradient", "logit_gradients"]


def test_undefined_numbers_never_hold(default_setup):
    default_setup["initial"] = [[0.3, -0.2, nan], [-0.1, 0.4, -0.3]]
    found = evidence(default_setup, shipped_settings())
    assert set(failing(found)) == {"gradient", "probabilities", "logit_gradients", "shares"}
    json.dumps(found, allow_nan=False)


@pytest.mark.parametrize("learning_rate", [1e3, 1e9, 1e12, 1e300])
def test_parameters_of_any_size_can_be_checked(learning_rate):
    # A step of 1e-5 vanishes beside a parameter of 1e12.
    for step in (1, 5):
        found = evidence(shipped_setup(), shipped_settings(learning_rate=learning_rate, step=step))
        json.dumps(found, allow_nan=False)
