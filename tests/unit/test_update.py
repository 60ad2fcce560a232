"""Loss, gradient and consecutive updates of compute/update.py."""

from itertools import pairwise
from math import inf

import numpy as np
import pytest
from hypothesis import assume, given

from compute.update import (
    evaluate,
    evaluate_positions,
    is_outside,
    loss_share,
    prepare,
    sum_of_shares,
    trajectory,
)
from tests.configurations import (
    cases,
    near_a_bound,
    one_token_setup,
    random_setup,
    shipped_settings,
    shipped_setup,
)

UNIFORM = one_token_setup([0.0, 0.0], [0.0, 0.0], actions=(0, 1))  # all policies uniform over two actions


def evaluated(setup, settings):
    """The batch and its evaluation at settings["step"]."""
    batch = prepare(setup, settings)
    return batch, trajectory(batch, setup["initial"], settings["step"] + 1)[-1]


def test_one_update_by_hand():
    # p = [1/2, 1/2], rho = 1, A = [1, -1], w = 1/2, KL = 0.
    # dL/dz of answer 0: -1/2 * 1 * ([1, 0] - p) = [-1/4, 1/4]; of answer 1: +1/2 * ([0, 1] - p) = [-1/4, 1/4].
    # Gradient [-1/2, 1/2], loss (-1 + 1) / 2 = 0; with eta = 1 the parameters become [1/2, -1/2].
    batch, now = evaluated(UNIFORM, shipped_settings(rewards="given", learning_rate=1.0))
    assert [term.dlogits for term in evaluate_positions(batch, now.parameters)] == [
        [0, 0],
        [-0.25, 0.25],
        [0, 0],
        [-0.25, 0.25],
    ]
    assert (now.loss, now.kl, now.gradient) == (0.0, 0.0, [[-0.5, 0.5]])
    assert now.next_parameters == [[0.5, -0.5]]
    # Next, p = softmax([1/2, -1/2]) = [0.731..., 0.269...]: the ratios are 1.462 and 0.538. The first has A > 0
    # and lies above 1.2, the second A < 0 and below 0.8: both are clipped, and the loss is (-1.2 + 0.8) / 2.
    after = evaluate(batch, now.next_parameters)
    assert (after.clipped, after.outside) == (2, 2)
    assert after.loss == pytest.approx(-0.2 + 0.1 * after.kl, rel=1e-14)


def test_the_default_configuration_behaves_as_its_page_says():
    batch = prepare(shipped_setup(), shipped_settings())
    run = trajectory(batch, shipped_setup()["initial"], 21)
    # No position is clipped in the first updates, some are later; both signs of A and both branches occur.
    assert [evaluation.clipped for evaluation in run[:3]] == [0, 0, 0] and run[3].clipped > 0
    surrogates = [
        (batch.advantages[position.response] > 0, term.surrogate.is_clipped)
        for evaluation in run
        for position, term in zip(batch.positions, evaluate_positions(batch, evaluation.parameters))
        if position.kind == "token"
    ]
    assert set(surrogates) == {(True, True), (True, False), (False, True), (False, False)}
    # The loss does not fall at each step: token normalization, beta = 0.1, up again at update 11.
    losses = [evaluation.loss for evaluation in run]
    assert [n for n in range(1, 12) if losses[n] > losses[n - 1]] == [11]
    # Computed with fifty digits by compute/checks/fifty_digits.py.
    assert losses[20] == pytest.approx(-0.154472181368375, rel=1e-12)


def test_token_and_response_normalization_are_different_objectives():
    gradients = [
        np.array(evaluated(shipped_setup(), shipped_settings(normalization=name))[1].gradient)
        for name in ("token", "response")
    ]
    ratio = gradients[0] / gradients[1]
    assert ratio.max() - ratio.min() > 0.1  # not a rescaling


def test_equal_rewards_move_the_parameters_through_the_kl_term_alone():
    moved = evaluated(shipped_setup(), shipped_settings(rewards="equal"))[1]
    assert moved.loss == pytest.approx(0.1 * moved.kl, rel=1e-15) and moved.gradient != [[0.0] * 3] * 2
    still = evaluated(shipped_setup(), shipped_settings(rewards="equal", beta=0.0))[1]
    assert still.loss == 0.0 and still.next_parameters == still.parameters and still.counted == 10


def test_a_list_of_rewards_is_the_same_as_its_name(default_setup):
    named = evaluated(default_setup, shipped_settings(step=3))[1]
    listed = evaluated(default_setup, shipped_settings(step=3, rewards=[1, 0, 0.5, 1]))[1]
    assert named == listed


def test_a_loss_that_cancels_is_zero_although_its_sum_is_not():
    # At step 0 every ratio is 1, so that with response weighting and beta = 0 the loss is minus the sum of the
    # advantages over G, which is 0; the rounded advantages add up to about 1e-16.
    responses = shipped_setup()
    loss = evaluated(responses, shipped_settings(normalization="response", beta=0.0))[1].loss
    assert loss == 0.0
    for seed in range(20):
        setup = random_setup(seed, 2, 3, [3, 1, 4, 2, 5], masked=0.0)
        setup["behaviour"] = setup["initial"]
        setup["rewards"]["given"] = [0.1 * seed, 0.7, 0.3, 1 / 3, 0.9]
        settings = shipped_settings(normalization="response", beta=0.0, keep=9, rewards="given")
        assert evaluated(setup, settings)[1].loss == 0.0


def test_outside_counts_both_sides_whatever_the_sign():
    ratios = (0.79, 0.8, 1.0, 1.2, 1.21, inf)
    assert [rho for rho in ratios if is_outside(rho, 0.2)] == [0.79, 1.21, inf]


@given(cases())
def test_logit_gradients_are_zero_where_nothing_counts_and_sum_to_zero_elsewhere(case):
    batch, now = evaluated(*case)
    for position, weight, term in zip(
        batch.positions, batch.weights, evaluate_positions(batch, now.parameters)
    ):
        size = max([1.0] + [abs(g) for g in term.dlogits])
        assert sum(term.dlogits) == pytest.approx(0.0, abs=1e-13 * size)
        if position.kind != "token":
            assert weight == 0.0 and term.dlogits == [0.0] * len(term.logits)


@given(cases())
def test_shares_sum_to_the_gradient_and_to_the_loss(case):
    batch, now = evaluated(*case)
    size = max([1.0] + [abs(g) for row in now.gradient for g in row])
    terms = evaluate_positions(batch, now.parameters)
    total = sum_of_shares(batch, terms)
    np.testing.assert_allclose(total, now.gradient, rtol=0, atol=1e-12 * size)
    shares = [loss_share(batch, k, term) for k, term in enumerate(terms)]
    assert sum(shares) == pytest.approx(now.loss, abs=1e-13 * max(1.0, sum(map(abs, shares))))


@given(cases())
def test_the_weighted_kl_is_not_negative(case):
    batch, now = evaluated(*case)
    assert now.kl >= -1e-15
    assert all(term.divergence.value >= -1e-15 for term in evaluate_positions(batch, now.parameters))


@given(cases(most_steps=0))
def test_kl_is_zero_when_the_reference_is_the_policy_itself(case):
    setup, settings = case
    setup["reference"] = setup["initial"]
    batch, now = evaluated(setup, settings)
    assert now.kl == 0.0 and all(
        term.divergence.value == 0.0 for term in evaluate_positions(batch, now.parameters)
    )


@given(cases())
def test_an_update_goes_down_the_gradient(case):
    _, now = evaluated(*case)
    expected = np.array(now.parameters) - case[1]["learning_rate"] * np.array(now.gradient)
    np.testing.assert_allclose(now.next_parameters, expected, rtol=1e-15, atol=1e-15)


@given(cases(most_steps=0))
def test_a_small_update_lowers_the_loss_by_the_squared_gradient(case):
    setup, settings = case
    settings["learning_rate"] = 1e-7
    batch, now = evaluated(setup, settings)
    square = sum(g * g for row in now.gradient for g in row)
    assume(1e-3 < square < 1e2 and not near_a_bound(batch, now, 1e-3))
    fall = now.loss - evaluate(batch, now.next_parameters).loss
    assert fall == pytest.approx(1e-7 * square, rel=1e-3, abs=1e-14)


@given(cases())
def test_clip_counts_follow_their_definitions(case):
    batch, now = evaluated(*case)
    assume(not near_a_bound(batch, now, 1e-12))
    low, high = 1 - batch.clip_epsilon, 1 + batch.clip_epsilon
    clipped = outside = 0
    for position, weight, term in zip(
        batch.positions, batch.weights, evaluate_positions(batch, now.parameters)
    ):
        if weight:
            advantage = batch.advantages[position.response]
            clipped += (advantage > 0 and term.ratio > high) or (advantage < 0 and term.ratio < low)
            outside += term.ratio > high or term.ratio < low
    assert (now.clipped, now.outside) == (clipped, outside)
    assert now.counted == sum(weight > 0 for weight in batch.weights)


@given(cases())
def test_without_a_valid_position_the_update_is_skipped(case):
    setup, settings = case
    settings["keep"] = 0
    _, now = evaluated(setup, settings)
    assert (now.loss, now.kl, now.clipped, now.outside, now.counted) == (0.0, 0.0, 0, 0, 0)
    assert now.parameters == setup["initial"] == now.next_parameters
    assert all(g == 0.0 for row in now.gradient for g in row)


@given(cases())
def test_features_of_positions_that_do_not_count_do_not_matter(case):
    setup, settings = case
    _, before = evaluated(setup, settings)
    setup["prompt"] = [value + 3.0 for value in setup["prompt"]]
    setup["padding"] = [value - 2.0 for value in setup["padding"]]
    for response in setup["responses"]:
        for t in range(len(response["actions"])):
            if t >= settings["keep"] or not response["mask"][t]:
                response["features"][t] = [value + 1.5 for value in response["features"][t]]
                response["actions"][t] = 0
    _, after = evaluated(setup, settings)
    assert (before.loss, before.kl, before.gradient) == (after.loss, after.kl, after.gradient)


@given(cases())
def test_the_order_of_the_actions_is_only_a_name(case):
    setup, settings = case
    _, before = evaluated(setup, settings)
    for name in ("initial", "behaviour", "reference"):
        setup[name] = [row[::-1] for row in setup[name]]
    for response in setup["responses"]:
        response["actions"] = [len(setup["initial"][0]) - 1 - action for action in response["actions"]]
    _, after = evaluated(setup, settings)
    same(before, after, [row[::-1] for row in after.gradient])


@given(cases())
def test_the_order_of_the_responses_is_only_a_name(case):
    setup, settings = case
    _, before = evaluated(setup, settings)
    setup["responses"] = setup["responses"][::-1]
    setup["rewards"] = {"given": setup["rewards"]["given"][::-1]}
    _, after = evaluated(setup, settings)
    same(before, after, after.gradient)


@given(cases())
def test_a_shift_of_one_features_weights_changes_nothing(case):
    # Softmax does not see a constant added to all logits: x_j * c for every action.
    setup, settings = case
    _, before = evaluated(setup, settings)
    setup["initial"] = [[value + 0.75 for value in setup["initial"][0]], *setup["initial"][1:]]
    _, after = evaluated(setup, settings)
    same(before, after, after.gradient)


def same(before, after, gradient):
    """Assert equal results up to rounding, unless rounding moved a ratio across a clip bound."""
    assume(before.clipped == after.clipped)
    size = max([1.0] + [abs(g) for row in before.gradient for g in row])
    assert after.loss == pytest.approx(before.loss, abs=1e-11 * size)
    assert after.kl == pytest.approx(before.kl, abs=1e-11)
    np.testing.assert_allclose(gradient, before.gradient, rtol=0, atol=1e-11 * size)


@given(cases(most_steps=6))
def test_a_trajectory_is_one_update_after_another(case):
    setup, settings = case
    batch = prepare(setup, settings)
    run = trajectory(batch, setup["initial"], settings["step"] + 1)
    assert len(run) == settings["step"] + 1 and run[0].parameters == setup["initial"]
    for before, after in pairwise(run):
        assert after == evaluate(batch, before.next_parameters)
