"""KL divergence between distributions that may have zeros, of compute/divergence.py."""

from math import inf, isnan, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.divergence import kl, kl_share, log_near_one, log_ratio, outside_support
from tests.closeness import close
from tests.configurations import distributions

P, Q = [0.8, 0.2], [0.5, 0.5]

pairs = st.integers(2, 6).flatmap(lambda n: st.tuples(distributions(n), distributions(n)))
positive_pairs = st.integers(2, 6).flatmap(lambda n: st.tuples(distributions(n, 1), distributions(n, 1)))


def test_the_two_paths():
    # log 1.6 and log 0.4, 0.8 log 1.6 + 0.2 log 0.4, and 0.5 log(0.5/0.8) + 0.5 log(0.5/0.2) = -log(0.64) /
    # 2, each with fifty digits by mpmath.
    assert log_ratio(0.8, 0.5) == close(0.47000362924573555)
    assert log_ratio(0.2, 0.5) == close(-0.91629073187415506)
    assert kl(P, Q) == close(0.19274475702175743)
    assert kl(Q, P) == close(0.22314355131420976)


def test_the_weight_is_the_first_argument():
    # 0.8 log 1.6 and 0.2 log 0.4; the other way round 0.5 log 0.625 and 0.5 log 2.5.
    assert [kl_share(*pair) for pair in zip(P, Q)] == close([0.8 * log(1.6), 0.2 * log(0.4)])
    assert [kl_share(*pair) for pair in zip(Q, P)] == close([0.5 * log(0.625), 0.5 * log(2.5)])


def test_a_path_without_probability():
    assert log_ratio(0.2, 0.0) == inf
    assert log_ratio(0.0, 0.2) == -inf
    assert isnan(log_ratio(0.0, 0.0))
    assert kl_share(0.2, 0.0) == inf
    assert kl_share(0.0, 0.2) == 0.0
    assert kl_share(0.0, 0.0) == 0.0


def test_divergences_with_zeros_by_hand():
    assert kl([0.8, 0.2], [1.0, 0.0]) == inf
    # Only the path that p takes counts: 1 log(1 / 0.8).
    assert kl([1.0, 0.0], [0.8, 0.2]) == close(-log(0.8))
    assert kl([1.0, 0.0], [1.0, 0.0]) == 0.0
    assert kl([1.0, 0.0], [0.0, 1.0]) == inf
    # The third path is nobody's: 0.5 log(0.5 / 0.25) + 0.5 log(0.5 / 0.75) = log(4/3) / 2.
    assert kl([0.5, 0.5, 0.0], [0.25, 0.75, 0.0]) == close(log(4 / 3) / 2)


def test_a_small_reference_is_not_replaced():
    # 0.2 log(0.2 / 10^-300) = 0.2 (log 0.2 + 300 log 10), and 0.8 log 0.8: growing without bound as q falls
    # to 0.
    expected = 0.8 * log(0.8) + 0.2 * (log(0.2) + 300 * log(10))
    assert kl([0.8, 0.2], [1.0, 1e-300]) == close(expected)


def test_a_quotient_beyond_float64():
    # 5e-324 is 2^-1074.
    assert log_ratio(1.0, 5e-324) == close(1074 * log(2))
    assert log_ratio(5e-324, 1.0) == close(-1074 * log(2))


def test_outside_support_by_hand():
    assert outside_support([0.5, 0.5, 0.0, 0.0], [0.0, 0.5, 0.5, 0.0]) == [0]
    assert outside_support([0.2, 0.3, 0.5], [0.0, 1.0, 0.0]) == [0, 2]
    assert outside_support(P, Q) == []


@given(pairs)
def test_infinite_exactly_where_the_reference_does_not_go(pair):
    assert (kl(*pair) == inf) == bool(outside_support(*pair))


@given(pairs)
def test_not_negative_and_at_least_pinskers_bound(pair):
    # KL >= (sum |p - q|)^2 / 2, hence 0 only at equality.
    distance = sum(abs(p - q) for p, q in zip(*pair))
    assert kl(*pair) >= distance**2 / 2 - 1e-15


@given(st.integers(2, 6).flatmap(distributions))
def test_equal_distributions_have_exactly_none(p):
    assert kl(p, p) == 0.0


@given(positive_pairs)
def test_a_log_ratio_is_the_opposite_of_its_reverse(pair):
    for p, q in zip(*pair):
        assert log_ratio(p, q) == pytest.approx(-log_ratio(q, p), rel=1e-15, abs=3e-16)


@given(positive_pairs)
def test_both_directions_add_up_to_the_weighted_difference(pair):
    # KL(p || q) + KL(q || p) = sum (p - q) log(p / q), a sum whose terms are all positive.
    expected = sum((p - q) * (log(p) - log(q)) for p, q in zip(*pair))
    assert kl(*pair) + kl(*reversed(pair)) == pytest.approx(expected, rel=1e-13, abs=2e-15)


@given(positive_pairs)
def test_a_path_split_in_two_equal_halves_changes_nothing(pair):
    split = [[part[0] / 2, part[0] / 2, *part[1:]] for part in pair]
    assert kl(*split) == pytest.approx(kl(*pair), rel=1e-14, abs=1e-15)


def test_nearly_equal_policies_are_a_little_apart():
    # To second order KL = (p - q)^2 / (2 p (1 - p)): 1e-20 / 0.42, far below the rounding of its two parts.
    assert kl([0.3, 0.7], [0.3 + 1e-10, 0.7 - 1e-10]) == pytest.approx(1e-20 / 0.42, rel=1e-5, abs=0)


def test_log_near_one_keeps_its_digits():
    # log(1 + x) = x - x^2/2 + x^3/3: the next term is below 1e-27 of it.
    x = 1e-9
    assert log_near_one(x) == pytest.approx(x - x * x / 2 + x**3 / 3, rel=4e-16, abs=0)
    assert log_near_one(0.0) == 0.0 and log_near_one(1.0) == pytest.approx(log(2), rel=4e-16)
