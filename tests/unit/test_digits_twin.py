"""The trained policy in plain Python against numpy, and what it adds by hand."""

from math import log

import numpy as np
import pytest

from compute.digits.evaluation import chain_kl, direct_kl, enumerated, expected_reward, trajectory_log_probs
from compute.digits.policy import flat, parameter_count, shapes
from compute.digits.task import targets
from compute.digits_twin import at_input, entry, kl_of, log_probs, picked, right_answer, tables
from compute.digits_twin import parameter_count as twin_count
from tests.configurations import digits_parameters

ALLOWED = 1e-12
UNIFORM = ([log(0.1)] * 10, [[log(0.1)] * 10] * 10)


def both(seed, hidden=5, size=1.0):
    """A policy's parameters for numpy, and its tables for the twin."""
    parameters = digits_parameters(seed, hidden, (), size)
    return parameters, tables(flat(parameters).tolist(), hidden)


@pytest.mark.parametrize("hidden", [1, 6, 32])
def test_the_row_is_cut_as_numpy_cuts_it(hidden):
    parameters, table = both(0, hidden)
    assert twin_count(hidden) == parameter_count(hidden)
    assert list(table) == list(shapes(hidden))
    assert all(np.array_equal(table[name], parameters[name]) for name in table)


@pytest.mark.parametrize("size", [0.3, 1.0, 4.0])
def test_everything_about_an_input_is_numpys(size):
    current, reference = both(1, size=size), both(2, size=size)
    now, start = enumerated(current[0]), enumerated(reference[0])
    u, v = targets("sum")
    rewards, log_p, log_q = expected_reward(now, u, v), trajectory_log_probs(now), trajectory_log_probs(start)
    direct, chain = direct_kl(now, start), chain_kl(now, start)
    for n in (0, 7, 42, 76, 99):
        pair = [log_probs(table, n // 10, n % 10) for _, table in (current, reference)]
        found = at_input(*pair, right_answer("sum", n // 10, n % 10))
        assert found["reward"] == pytest.approx(rewards[n], abs=ALLOWED)
        assert found["kl"] == pytest.approx(direct[n], abs=ALLOWED)
        assert found["kl_chain"] == pytest.approx(chain[n], abs=ALLOWED)
        assert found["kl_difference"] < ALLOWED and found["sum_error"] < ALLOWED
        for path in found["trajectories"]:
            at = (n, path["u"], path["v"])
            assert path["p"] == pytest.approx(np.exp(log_p[at]), abs=ALLOWED)
            assert path["q"] == pytest.approx(np.exp(log_q[at]), abs=ALLOWED)
            assert path["log_ratio"] == pytest.approx(log_p[at] - log_q[at], abs=ALLOWED * 10)
        assert [item["p"] for item in found["first"]] == pytest.approx(np.exp(now.log_u[n]), abs=ALLOWED)


def test_right_answers():
    assert (right_answer("sum", 7, 6), right_answer("product", 7, 6)) == ([1, 3], [4, 2])
    assert (right_answer("sum", 0, 9), right_answer("product", 9, 9)) == ([0, 9], [8, 1])


def test_an_entry_by_hand():
    # 0.8 against 0.5: the specification's log 1.6, and 0.8 of it.
    found = entry(log(0.8), log(0.5))
    assert found == pytest.approx(
        {"p": 0.8, "q": 0.5, "log_ratio": log(1.6), "share": 0.8 * log(1.6)}, abs=1e-15
    )


def test_the_same_policy_has_no_kl_at_all():
    _, table = both(3)
    here = log_probs(table, 7, 6)
    found = at_input(here, here, [1, 3])
    assert found["kl"] == found["kl_chain"] == found["kl_difference"] == found["first_kl"] == 0.0
    assert found["reward"] == found["reference_reward"]


def test_a_policy_that_differs_in_one_step_only():
    # Step 1 as the reference's; after u = 4, with probability 0.1, the second digit is surely (all but) 9.
    sure = [log(1e-12)] * 9 + [log(1 - 9e-12)]
    current = (UNIFORM[0], [sure if u == 4 else UNIFORM[1][u] for u in range(10)])
    found = at_input(current, UNIFORM, [4, 9])
    assert found["first_kl"] == 0.0 and found["second_kl"] == found["kl_chain"]
    assert found["kl"] == pytest.approx(0.1 * log(10), abs=1e-9)
    assert found["first"][4]["second_kl"] == pytest.approx(log(10), abs=1e-9)
    assert [item["weighted"] > 0 for item in found["first"]] == [u == 4 for u in range(10)]
    assert found["reward"] == pytest.approx(0.1, abs=1e-9) and found["reference_reward"] == pytest.approx(
        0.01
    )


def test_the_picked_trajectory():
    current = (UNIFORM[0], [[log(0.2)] * 4 + [log(0.2 / 6)] * 6] * 10)
    path = at_input(current, UNIFORM, [1, 3])["trajectories"][13]
    found = picked(current, UNIFORM, path, 0.5)
    assert (found["u"], found["v"], found["reward"]) == (1, 3, 1)
    assert [found[name] for name in ("p_u", "p_v", "q_u", "q_v")] == pytest.approx([0.1, 0.2, 0.1, 0.1])
    assert found["p"] == pytest.approx(0.02) and found["return"] == pytest.approx(1 - 0.5 * log(2))


def test_what_rounding_leaves_below_0_is_0():
    assert kl_of([{"share": 1e-17}, {"share": -2e-17}]) == 0.0
    assert kl_of([{"share": float("nan")}]) != kl_of([{"share": 0.0}])
