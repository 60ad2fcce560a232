"""The gradient where the return depends on the parameter itself, of compute/return_gradient.py."""

from math import exp, inf, isnan, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.regularised import tilted
from compute.return_gradient import finite_difference, path_parts, return_gradient, two_paths
from tests.closeness import close

P, Q, R = [0.8, 0.2], [0.5, 0.5], [1.0, 0.0]
inner = st.floats(0.01, 0.99).map(lambda p: [p, 1 - p])
rewards = st.lists(st.floats(-2, 2), min_size=2, max_size=2)
betas = st.floats(0, 2)


def test_the_two_paths():
    # p = [0.8, 0.2], q = 1/2, beta = 0.1, each number with thirty digits by mpmath: returns 1 - 0.1 log 1.6
    # and -0.1 log 0.4; scores 0.2 and -0.8; p s = 0.16 and -0.16.
    found = return_gradient(P, Q, R, 0.1)
    first, second = found["paths"]
    assert [first["score"], second["score"]] == [0.2, -0.8]
    returns = [first["return"], second["return"]]
    assert returns == close([0.95299963707542645, 0.091629073187415507])
    parts = [first["return_part"], second["return_part"]]
    assert parts == close([0.15247994193206823, -0.014660651709986481])
    assert [first["bracket_part"], second["bracket_part"]] == close([-0.016, 0.016])
    parts = [first["product_part"], second["product_part"]]
    assert parts == close([0.0035702968210273561, -0.025751006598945606])
    assert [first["reward_part"], second["reward_part"]] == close([0.16, 0.0])
    assert found["bracket_sum"] == 0.0
    assert found["gradient"] == close(0.13781929022208175)
    assert found["product_error"] == close(-0.02218070977791825)
    assert found["product"] == close(0.13781929022208175 - 0.02218070977791825)
    assert found["value_only"] == close(0.16)
    assert found["value_only_error"] == close(0.16 - 0.13781929022208175, 1e-14)
    assert found["finite_difference"] == close(0.13781929022208175, 1e-9)


@pytest.mark.parametrize("p", [[1.0, 0.0], [0.0, 1.0]])
def test_at_probability_one_nothing_moves(p):
    # p s is p (1 - p) = 0 for both paths, whatever the return.
    found = return_gradient(p, Q, R, 0.1)
    assert [found[name] for name in ("gradient", "bracket_sum", "product", "value_only")] == [0.0] * 4
    assert found["finite_difference"] is None
    assert [path["bracket_part"] for path in found["paths"]] == [0.0, 0.0]


def test_a_path_never_taken_has_a_return_but_no_part():
    found = path_parts(0.0, 1.0, 0.5, 1.0, 0.1)
    assert found["return"] == inf  # 1 - 0.1 log(0 / 0.5)
    parts = [found[name] for name in ("return_part", "bracket_part", "product_part", "reward_part")]
    assert parts == [0.0] * 4
    assert isnan(path_parts(0.0, 1.0, 0.0, 1.0, 0.1)["return"])
    assert path_parts(0.0, 1.0, 0.0, 1.0, 0.0)["return"] == 1.0


def test_without_penalty_all_derivatives_are_the_rewards():
    # p (1 - p) (R_1 - R_2) = 0.16, even where the reference lacks a path.
    for q in (Q, [1.0, 0.0]):
        found = return_gradient(P, q, R, 0.0)
        sums = [found[name] for name in ("gradient", "product", "value_only")]
        assert sums == close([0.16] * 3)
        errors = [found[name] for name in ("bracket_sum", "product_error", "value_only_error")]
        assert errors == [0.0] * 3


def test_an_infinite_divergence_has_no_finite_gradient():
    # q lacks path 1 (return -infinite, score positive) or path 2 (return -infinite, score negative).
    assert return_gradient(P, [0.0, 1.0], R, 0.1)["gradient"] == -inf
    assert return_gradient(P, [1.0, 0.0], R, 0.1)["gradient"] == inf
    assert isnan(return_gradient(P, [1.0, 0.0], R, 0.1)["finite_difference"])


@given(inner, inner, rewards, betas)
def test_the_second_terms_cancel_exactly_though_none_is_zero(p, q, given_rewards, beta):
    found = return_gradient(p, q, given_rewards, beta)
    first, second = [path["bracket_part"] for path in found["paths"]]
    assert found["bracket_sum"] == 0.0
    assert first == -second
    assert (first < 0) == (beta * p[0] * p[1] > 0)


@given(inner, inner, rewards, betas)
def test_sums_in_closed_form(p, q, given_rewards, beta):
    # With s = (1 - p, -p): p (1 - p) times the difference of what is weighted.
    width, (first, second) = p[0] * p[1], given_rewards
    found = return_gradient(p, q, given_rewards, beta)
    size = abs(first) + abs(second) + 10 * beta + 1e-300
    ratios = log(p[0] / p[1]) - log(q[0] / q[1])
    assert found["gradient"] == pytest.approx(width * (first - second - beta * ratios), abs=1e-15 * size)
    assert found["product_error"] == pytest.approx(-beta * width * log(p[0] / p[1]), abs=1e-15 * size)
    assert found["value_only"] == pytest.approx(width * (first - second), abs=1e-15 * size)
    assert found["product"] == found["gradient"] + found["product_error"]
    assert found["value_only_error"] == found["value_only"] - found["gradient"]


@given(inner, inner, rewards, betas)
def test_the_gradient_is_the_slope_of_the_objective(p, q, given_rewards, beta):
    # The difference errs by h^2 / 6 times a third derivative (a few units), and by 1e-16 / h of rounding.
    found = return_gradient(p, q, given_rewards, beta)
    assert found["gradient"] == pytest.approx(found["finite_difference"], abs=5e-10)


@given(inner, inner, rewards, st.floats(-5, 5), st.floats(0.01, 2))
def test_a_constant_in_every_reward_does_not_matter(p, q, given_rewards, constant, beta):
    moved = [reward + constant for reward in given_rewards]
    expected = return_gradient(p, q, given_rewards, beta)["gradient"]
    assert return_gradient(p, q, moved, beta)["gradient"] == pytest.approx(expected, abs=1e-14)


@given(inner, rewards, st.floats(0.5, 2))
def test_at_the_tilted_optimum_the_gradient_is_zero_and_the_wrong_ones_need_not_be(q, given_rewards, beta):
    best = tilted(q, given_rewards, beta)
    found = return_gradient(best, q, given_rewards, beta)
    assert found["gradient"] == pytest.approx(0.0, abs=3e-15)
    width = best[0] * best[1]
    assert found["value_only"] == pytest.approx(width * (given_rewards[0] - given_rewards[1]), abs=3e-15)
    assert found["product"] == pytest.approx(-beta * width * log(best[0] / best[1]), abs=6e-15)


@pytest.mark.parametrize("theta", [-800.0, -30.0, -1.0, 0.0, 0.5, 30.0, 800.0])
def test_two_paths_are_the_softmax(theta):
    # 1 / (1 + e^-theta); beyond +-745 the smaller one is 0.
    within = abs(theta) < 700
    expected = [1 / (1 + exp(-x)) if within else float(x > 0) for x in (theta, -theta)]
    assert two_paths(theta) == close(expected)
    assert two_paths(-theta) == list(reversed(two_paths(theta)))


def test_no_difference_where_theta_is_infinite():
    assert finite_difference([1.0, 0.0], Q, R, 0.1) is None
    assert finite_difference([0.0, 1.0], Q, R, 0.1) is None
