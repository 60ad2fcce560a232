"""The exact expectation of compute/expectation.py: two steps, every trajectory enumerated."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.expectation import expectation, scores
from tests.configurations import shipped_expectation, shipped_setup


@st.composite
def environments(draw):
    d, actions = draw(st.integers(1, 8)), draw(st.integers(2, 12))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    setup = {
        "first": rng.uniform(-2, 2, d).tolist(),
        "second_base": rng.uniform(-2, 2, d).tolist(),
        "second_per_action": rng.uniform(-0.5, 0.5, d).tolist(),
        "rewards": rng.uniform(-1, 2, (actions, actions)).tolist(),
    }
    return setup, rng.uniform(-1, 1, (d, actions)).tolist()


def test_the_default_environment():
    # Both figures were computed before this code was written, by a separate program, and stand in its specification.
    found = expectation(shipped_expectation(), shipped_setup()["initial"])
    assert found["reward"] == pytest.approx(0.44371050363410625, rel=1e-14)
    assert found["gradient"][0][0] == pytest.approx(0.08733, abs=5e-6)
    assert found["score_gradient"][0][0] == pytest.approx(0.08733, abs=5e-6)
    assert len(found["trajectories"]) == 9


def test_a_uniform_policy_by_hand():
    # W = 0: every trajectory has probability 1/9 and the expected reward is the mean of the table, 3.6 / 9.
    # E[R | a] = [0.5, 0.4, 0.3], so that the first logits' slopes are (E[R | a] - 0.4) / 3 = [1, 0, -1] / 30.
    # The second ones' are (R(a, b) - E[R | a]) / 9, with features [1, 0.3], [1, 0.7], [1, 1.1].
    found = expectation(shipped_expectation(), [[0.0] * 3] * 2)
    assert found["reward"] == pytest.approx(0.4, rel=1e-15)
    first = np.array([1, 0, -1]) / 30
    second = np.array([[0.5, -0.5, 0.0], [-0.4, 0.6, -0.2], [0.0, 0.3, -0.3]]) / 9
    expected = [first + second.sum(axis=0), -0.5 * first + np.array([0.3, 0.7, 1.1]) @ second]
    np.testing.assert_allclose(found["gradient"], expected, rtol=0, atol=1e-16)
    np.testing.assert_allclose(found["score_gradient"], expected, rtol=0, atol=1e-16)


def test_scores_by_hand():
    assert scores([0.25, 0.75], 0) == [0.75, -0.75]


@given(environments())
def test_the_two_routes_agree(environment):
    found = expectation(*environment)
    np.testing.assert_allclose(found["gradient"], found["score_gradient"], rtol=0, atol=1e-13)
    assert found["difference"] <= 1e-13


@given(environments())
def test_the_table_sums_to_one_and_to_the_expected_reward(environment):
    found = expectation(*environment)
    rows = found["trajectories"]
    assert sum(row["probability"] for row in rows) == pytest.approx(1.0, abs=1e-13)
    assert found["probability"] == pytest.approx(1.0, abs=1e-13)
    assert sum(row["contribution"] for row in rows) == pytest.approx(found["reward"], abs=1e-13)
    rewards = environment[0]["rewards"]
    assert all(row["reward"] == rewards[row["first"]][row["second"]] for row in rows)
    assert min(map(min, rewards)) <= found["reward"] <= max(map(max, rewards))


@given(environments())
def test_the_gradient_is_the_slope_of_the_expected_reward(environment):
    setup, W = environment
    gradient, h = expectation(setup, W)["gradient"], 1e-5
    for j, row in enumerate(W):
        for v in range(0, len(row), 3):
            up, down = ([list(values) for values in W] for _ in range(2))
            up[j][v] += h
            down[j][v] -= h
            slope = (expectation(setup, up)["reward"] - expectation(setup, down)["reward"]) / (2 * h)
            assert gradient[j][v] == pytest.approx(slope, abs=1e-8)


@given(environments(), st.floats(-3, 3))
def test_a_constant_reward_has_no_gradient(environment, reward):
    setup, W = environment
    setup["rewards"] = [[reward] * len(row) for row in setup["rewards"]]
    found = expectation(setup, W)
    assert found["reward"] == pytest.approx(reward, abs=1e-13)
    np.testing.assert_allclose(found["gradient"], 0.0, rtol=0, atol=1e-13)
    np.testing.assert_allclose(found["score_gradient"], 0.0, rtol=0, atol=1e-12)
