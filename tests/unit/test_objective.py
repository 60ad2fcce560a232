"""Ratio, clipped surrogate, exact KL and their derivatives, of compute/objective.py."""

from math import exp, inf, log, sqrt

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from compute.objective import clip, clipped_surrogate, exact_kl, ratio, surrogate_gradient
from compute.policy import log_softmax, probabilities

epsilons = st.floats(0.01, 0.99)
ratios = st.floats(0, 100)
advantages = st.floats(0.01, 10) | st.floats(-10, -0.01) | st.just(0.0)
logit_pairs = st.integers(2, 12).flatmap(
    lambda V: st.tuples(*[st.lists(st.floats(-8, 8), min_size=V, max_size=V) for _ in range(2)])
)


def test_ratio_is_the_quotient_of_the_probabilities():
    # 0.6 / 0.5.
    assert ratio(log(0.6), log(0.5)) == pytest.approx(1.2, rel=1e-15)
    assert ratio(-3.25, -3.25) == 1.0


def test_ratio_beyond_float64_is_infinite_and_below_it_zero():
    # The largest float64 is exp(709.78...): exp(709) still exists, exp(710) does not.
    assert ratio(0.0, -709.0) == exp(709)
    assert ratio(0.0, -710.0) == inf
    assert ratio(0.0, -709.782712893384) < inf
    assert ratio(-1000.0, 0.0) == 0.0


def test_clip_at_and_beyond_its_bounds():
    assert [clip(value, 0.8, 1.2) for value in (0.5, 0.8, 1.0, 1.2, 3.0)] == [0.8, 0.8, 1.0, 1.2, 1.2]
    assert clip(inf, 0.8, 1.2) == 1.2


@pytest.mark.parametrize(
    ("rho", "advantage", "value", "is_clipped", "slope"),
    [
        # eps = 0.2 by hand: the smaller of rho A and clip(rho) A.
        (1.4, 2, 2.4, True, 0.0),  # 2.8 against 1.2 * 2
        (0.6, 2, 1.2, False, 2),  # 1.2 against 0.8 * 2 = 1.6
        (0.6, -2, -1.6, True, 0.0),  # -1.2 against 0.8 * -2
        (1.4, -2, -2.8, False, -2),  # -2.8 against 1.2 * -2 = -2.4: outside, but not clipped
        (1.0, 2, 2.0, False, 2),
        (1.1, -2, -2.2, False, -2),
        (1.2, 2, 2.4, False, 2),  # on the bound the two are equal: not strictly smaller
        (0.8, -2, -1.6, False, -2),
        (5.0, 0.0, 0.0, False, 0.0),
        (inf, 2, 2.4, True, 0.0),
        (inf, -2, -inf, False, -2),
        (inf, 0.0, 0.0, False, 0.0),
        (0.0, 2, 0.0, False, 2),
        (0.0, -2, -1.6, True, 0.0),
    ],
)
def test_the_clip_by_hand(rho, advantage, value, is_clipped, slope):
    found = clipped_surrogate(rho, advantage, 0.2)
    assert found.value == pytest.approx(value, rel=1e-15)
    assert (found.is_clipped, found.slope) == (is_clipped, slope)


@given(ratios, advantages, epsilons)
@example(1.4, -2.0, 0.2)
@example(0.6, 2.0, 0.2)
def test_clipped_is_what_its_definition_says(rho, advantage, epsilon):
    assume(min(abs(rho - 1 - epsilon), abs(rho - 1 + epsilon)) > 1e-12)
    found = clipped_surrogate(rho, advantage, epsilon)
    above, below = rho > 1 + epsilon, rho < 1 - epsilon
    assert found.is_clipped == ((advantage > 0 and above) or (advantage < 0 and below))
    assert found.slope == (0.0 if found.is_clipped else advantage)
    assert found.value == min(found.unclipped, found.clipped_term)


@given(advantages, epsilons)
def test_the_surrogate_is_flat_where_it_is_clipped_and_never_rises_above_the_bound(advantage, epsilon):
    plateau = [clipped_surrogate(rho, advantage, epsilon).value for rho in (1 + 2 * epsilon, 5.0, 100.0)]
    if advantage > 0:
        assert plateau == [plateau[0]] * 3 == [pytest.approx((1 + epsilon) * advantage)] * 3
    elif advantage < 0:
        assert plateau[0] > plateau[1] > plateau[2]  # a large ratio under a negative advantage is unbounded


def test_surrogate_gradient_by_hand():
    # -A rho (1[v = a] - p_v) with A = 2, rho = 1.5, a = 0: -3 * (1 - 0.25), -3 * (0 - 0.75).
    probs, log_probs = [0.25, 0.75], [log(0.25), log(0.75)]
    assert surrogate_gradient(2.0, 1.5, 0, probs, log_probs, log(1 / 6)) == [-2.25, 2.25]
    assert surrogate_gradient(-2.0, 1.5, 1, probs, log_probs, log(0.5)) == [-0.75, 0.75]
    assert surrogate_gradient(0.0, inf, 0, probs, log_probs, -2000.0) == [0.0, 0.0]


def test_surrogate_gradient_where_only_the_ratio_is_beyond_float64():
    # log p = [0, -700, -800] up to 1e-304, log p_old(a) = -1000: rho p = [-, e^300, e^200], and minus their sum.
    log_probs = [0.0, -700.0, -800.0]
    gradient = surrogate_gradient(-1.0, inf, 0, [exp(x) for x in log_probs], log_probs, -1000.0)
    assert gradient == pytest.approx([exp(300) + exp(200), -exp(300), -exp(200)], rel=1e-15)


@given(logit_pairs, advantages, st.integers(0, 11))
def test_surrogate_gradient_is_the_slope_of_the_surrogate(pair, advantage, action):
    z, z_old = pair
    action %= len(z)
    epsilon, h = 0.2, 1e-6
    log_old = log_softmax(z_old)[action]

    def minus_u(logits):
        return -clipped_surrogate(ratio(log_softmax(logits)[action], log_old), advantage, epsilon).value

    rho = ratio(log_softmax(z)[action], log_old)
    assume(rho < 100 and min(abs(rho - 1 - epsilon), abs(rho - 1 + epsilon)) > 1e-3)
    slope = clipped_surrogate(rho, advantage, epsilon).slope
    log_probs = log_softmax(z)
    gradient = surrogate_gradient(slope, rho, action, probabilities(log_probs), log_probs, log_old)
    for v in range(len(z)):
        up, down = [[value + (sign if u == v else 0) for u, value in enumerate(z)] for sign in (h, -h)]
        assert gradient[v] == pytest.approx((minus_u(up) - minus_u(down)) / (2 * h), abs=1e-6)


def test_kl_by_hand():
    # p = [1/2, 1/2], q = [1/4, 3/4]: KL = 1/2 log 2 + 1/2 log(2/3) = 1/2 log(4/3);
    # gradient_0 = 1/2 (log 2 - 1/2 log(4/3)) = 1/4 log 3, and its opposite.
    found = exact_kl([log(0.5)] * 2, [log(0.25), log(0.75)], [0.5, 0.5])
    assert found.value == pytest.approx(log(4 / 3) / 2, rel=1e-15)
    assert found.gradient == pytest.approx([log(3) / 4, -log(3) / 4], rel=1e-15)


def test_kl_takes_the_current_policy_as_weight():
    # Forward: 0.5 log(0.5/0.2) + 0.3 log(0.3/0.5) + 0.2 log(0.2/0.3) = 0.2238; the other way round 0.1938.
    p, q = [0.5, 0.3, 0.2], [0.2, 0.5, 0.3]
    log_p, log_q = [log(v) for v in p], [log(v) for v in q]
    forward = 0.5 * log(2.5) + 0.3 * log(0.6) + 0.2 * log(2 / 3)
    assert exact_kl(log_p, log_q, p).value == pytest.approx(forward, rel=1e-14)
    assert forward == pytest.approx(0.22380465718564752, rel=1e-14)
    assert exact_kl(log_q, log_p, q).value == pytest.approx(0.19379419794061362, rel=1e-14)


def test_kl_where_a_probability_underflows():
    # p = [1, 0 (e^-1400)]: the first term alone counts, log 1 - log(1/2).
    log_p = log_softmax([700.0, -700.0])
    found = exact_kl(log_p, [-log(2)] * 2, probabilities(log_p))
    assert found.value == pytest.approx(log(2), rel=1e-15)
    assert found.gradient == pytest.approx([0.0, 0.0], abs=1e-15)


@given(logit_pairs)
def test_kl_is_not_negative_and_zero_at_equality(pair):
    log_p, log_q = map(log_softmax, pair)
    p = probabilities(log_p)
    assert exact_kl(log_p, log_q, p).value >= -1e-15
    same = exact_kl(log_p, log_p, p)
    assert same.value == 0.0 and same.gradient == [0.0] * len(p)


@given(logit_pairs, st.floats(1e-12, 1e-6))
def test_kl_of_almost_equal_policies_is_not_negative_beyond_rounding(pair, shift):
    z = pair[0]
    log_p, log_q = log_softmax(z), log_softmax([z[0] + shift, *z[1:]])
    assert exact_kl(log_p, log_q, probabilities(log_p)).value >= -1e-15


@given(logit_pairs)
def test_kl_gradient_is_the_slope_of_kl_and_sums_to_zero(pair):
    z, log_q, h = pair[0], log_softmax(pair[1]), 1e-5

    def kl(logits):
        return exact_kl(log_softmax(logits), log_q, probabilities(log_softmax(logits))).value

    log_p = log_softmax(z)
    gradient = exact_kl(log_p, log_q, probabilities(log_p)).gradient
    assert sum(gradient) == pytest.approx(0.0, abs=1e-13)
    for v in range(len(z)):
        up, down = [[value + (sign if u == v else 0) for u, value in enumerate(z)] for sign in (h, -h)]
        assert gradient[v] == pytest.approx((kl(up) - kl(down)) / (2 * h), abs=1e-7)


@given(logit_pairs)
def test_kl_bounds_the_squared_difference(pair):
    # Pinsker's inequality: KL >= (sum |p - q|)^2 / 2.
    log_p, log_q = map(log_softmax, pair)
    p, q = probabilities(log_p), probabilities(log_q)
    distance = sum(abs(a - b) for a, b in zip(p, q))
    assert distance <= sqrt(2 * max(0.0, exact_kl(log_p, log_q, p).value)) + 1e-7
