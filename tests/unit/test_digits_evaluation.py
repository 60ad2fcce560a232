"""Everything by enumeration: rewards, sums, the KL directly and by the chain rule."""

from itertools import product
from math import log

import numpy as np
import pytest

from compute.digits.evaluation import (
    chain_kl,
    direct_kl,
    enumerated,
    evaluated,
    expected_reward,
    sum_error,
    trajectory_log_probs,
)
from compute.digits.policy import first_step, named, one_hot, second_step
from compute.digits.task import targets
from tests.configurations import digits_parameters


def test_a_policy_that_knows_nothing():
    found = evaluated(named(np.zeros((2, 71)), 1), enumerated(named(np.zeros((2, 71)), 1)), *targets("sum"))
    assert found.reward == pytest.approx(np.full((2, 100), 0.01), abs=1e-16)  # one of a hundred trajectories
    assert not found.kl.any() and not found.kl_error.any() and found.sum_error.max() < 1e-14


def test_the_kl_by_hand():
    # Step 1: 0.55, 0.45 / 8 ... against uniform: sum of p log(10 p). Step 2, after any u: 0.91 and 0.01 nine times.
    first, second = np.full(10, 0.05), np.full(10, 0.01)
    first[2], second[7] = 0.55, 0.91
    current = named(np.zeros(71), 1)
    current["first_bias"][:], current["second_bias"][:] = np.log(first), np.log(second)
    expected = 0.55 * log(5.5) + 9 * 0.05 * log(0.5) + 0.91 * log(9.1) + 9 * 0.01 * log(0.1)
    table, reference = enumerated(current), enumerated(named(np.zeros(71), 1))
    assert direct_kl(table, reference) == pytest.approx(np.full(100, expected), abs=1e-14)
    assert chain_kl(table, reference) == pytest.approx(np.full(100, expected), abs=1e-14)
    u, v = np.full(100, 2), np.full(100, 7)
    assert expected_reward(table, u, v) == pytest.approx(np.full(100, 0.55 * 0.91), abs=1e-14)


@pytest.mark.parametrize("size", [0.1, 1.0, 5.0])
def test_both_ways_to_the_kl_agree(size):
    current, reference = (enumerated(digits_parameters(seed, 8, (3,), size)) for seed in (1, 2))
    direct, chain = direct_kl(current, reference), chain_kl(current, reference)
    assert direct.shape == (3, 100) and (direct > 1e-4).all()
    assert np.abs(direct - chain).max() < 1e-12 * max(1.0, direct.max())
    assert sum_error(current).max() < 1e-13


def test_trajectories_are_the_steps_one_after_the_other():
    parameters = digits_parameters(5)
    log_p = trajectory_log_probs(enumerated(parameters, np.array([76, 3])))
    first = first_step(parameters, one_hot(np.array([7, 0])), one_hot(np.array([6, 3])))
    for u, v in product(range(10), range(10)):
        second = second_step(parameters, first, one_hot(np.array([u, u])))
        assert log_p[:, u, v] == pytest.approx(first.log_u[:, u] + second.log_v[:, v], abs=1e-14)


def test_the_kl_is_weighted_by_the_current_policy():
    one, other = enumerated(digits_parameters(1)), enumerated(digits_parameters(2))
    assert (np.abs(direct_kl(one, other) - direct_kl(other, one)) > 1e-6).all()
