"""The gradient of E[R] - beta KL on the enumeration, against differences; two wrong ones by their definition."""

import numpy as np
import pytest

from compute.digits.evaluation import direct_kl, enumerated, expected_reward, trajectory_log_probs
from compute.digits.gradients import (
    by_jacobian,
    by_score,
    exact_gradient,
    gradient_checks,
    jacobian,
    length,
    rewards_of,
    weights,
)
from compute.digits.policy import backward, flat, named
from compute.digits.task import targets
from tests.configurations import digits_parameters

STEP = 1e-6
HIDDEN, RUNS = 3, 2
INPUTS = np.array([0, 42, 76, 99])
BETA = np.array([0.0, 0.7])
U, V = (digit[INPUTS] for digit in targets("sum"))
REWARDS = rewards_of(U, V)
CURRENT = flat(digits_parameters(1, HIDDEN, (RUNS,)))
REFERENCE = enumerated(digits_parameters(2, HIDDEN, (RUNS,)), INPUTS)
LOG_Q = trajectory_log_probs(REFERENCE)


def differences(value):
    """The gradient of a function of the row of parameters, by central differences. -> [R, P]."""
    found = np.zeros_like(CURRENT)
    for n in range(CURRENT.shape[1]):
        nudge = np.zeros_like(CURRENT)
        nudge[:, n] = STEP
        found[:, n] = (value(CURRENT + nudge) - value(CURRENT - nudge)) / (2 * STEP)
    return found


def test_rewards_are_1_at_the_right_answer_only():
    assert REWARDS.sum() == 4 and REWARDS[2, 1, 3] == 1  # 7 + 6 = 13


def test_the_exact_gradient_by_central_differences():
    def objective(row):
        table = enumerated(named(row, HIDDEN), INPUTS)
        return (expected_reward(table, U, V) - BETA[:, None] * direct_kl(table, REFERENCE)).mean(axis=-1)

    found = flat(exact_gradient(named(CURRENT, HIDDEN), LOG_Q, INPUTS, REWARDS, BETA))
    assert np.abs(found - differences(objective)).max() < 1e-8


def test_both_right_ways_agree():
    table = enumerated(named(CURRENT, HIDDEN), INPUTS)
    score = by_score(table, weights(table, LOG_Q, REWARDS, BETA)["right"])
    direct = by_jacobian(table, LOG_Q, REWARDS, BETA)
    for one, other in zip(score, direct):
        assert one.shape == other.shape and np.abs(one - other).max() < 1e-15


def test_wrong_ones_differentiate_something_else():
    # Weights p and returns held at the current parameters: what each program's loss then is, by differences.
    fixed = enumerated(named(CURRENT, HIDDEN), INPUTS)
    p, log_p = np.exp(trajectory_log_probs(fixed)), trajectory_log_probs(fixed)
    beta = BETA[:, None, None, None]

    def product(row):
        now = trajectory_log_probs(enumerated(named(row, HIDDEN), INPUTS))
        return (p * (REWARDS - beta * (now - LOG_Q)) * now).sum((-1, -2)).mean(-1)

    def value_only(row):  # R times the score, and the sampled KL's own derivative
        now = trajectory_log_probs(enumerated(named(row, HIDDEN), INPUTS))
        return (p * (REWARDS * now - beta * (now - LOG_Q))).sum((-1, -2)).mean(-1)

    made = weights(fixed, LOG_Q, REWARDS, BETA)
    for name, loss in (("product", product), ("value_only", value_only)):
        gradient = backward(named(CURRENT, HIDDEN), fixed.first, fixed.second, *by_score(fixed, made[name]))
        assert np.abs(flat(gradient) - differences(loss)).max() < 1e-7, name
    assert np.isfinite(log_p).all()


def test_value_only_leaves_the_gradient_of_the_reward():
    table = enumerated(named(CURRENT, HIDDEN), INPUTS)
    left = by_score(table, weights(table, LOG_Q, REWARDS, BETA)["value_only"])
    reward = by_score(table, weights(table, LOG_Q, REWARDS, 0 * BETA)["right"])
    for one, other in zip(left, reward):
        assert np.abs(one - other).max() < 1e-15


def test_the_checks():
    found = gradient_checks(named(CURRENT, HIDDEN), LOG_Q, INPUTS, REWARDS, BETA)
    right = flat(exact_gradient(named(CURRENT, HIDDEN), LOG_Q, INPUTS, REWARDS, BETA))
    assert found["length"] == pytest.approx(np.linalg.norm(right, axis=1), rel=1e-14)
    assert found["identity"].max() < 1e-15
    assert found["product"][0] == found["value_only"][0] == 0  # beta 0: nothing to get wrong
    assert found["product"][1] > 0.1 and found["value_only"][1] > 0.1


def test_jacobian_and_length_by_hand():
    found = jacobian(np.array([0.25, 0.75] + [0.0] * 8))
    assert found[:2, :2].tolist() == [[0.1875, -0.1875], [-0.1875, 0.1875]] and not found[2:].any()
    assert length(np.array([[3.0, 4.0], [0.0, 0.0]])).tolist() == [5.0, 0.0]
