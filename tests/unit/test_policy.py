"""Logits, log-softmax and probabilities of compute/policy.py."""

from itertools import pairwise
from math import exp, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.policy import log_softmax, logits, probabilities

logit_lists = st.lists(st.floats(-700, 700), min_size=2, max_size=12)


def test_logits_of_two_features_and_three_actions():
    # By hand: 1 * [1, 0, -1] + 2 * [0.5, 0.25, 0] = [2, 0.5, -1], all exact in binary.
    assert logits([1.0, 2.0], [[1.0, 0.0, -1.0], [0.5, 0.25, 0.0]]) == [2.0, 0.5, -1.0]


def test_softmax_of_logarithms_gives_their_shares():
    # softmax(log 1, log 2, log 4) = [1, 2, 4] / 7.
    found = probabilities(log_softmax([log(1), log(2), log(4)]))
    assert found == pytest.approx([1 / 7, 2 / 7, 4 / 7], rel=1e-15)


def test_equal_logits_are_uniform_whatever_their_size():
    for size in (0.0, 700.0, -1e300):
        assert log_softmax([size] * 4) == pytest.approx([-log(4)] * 4, rel=1e-15)


def test_logarithm_stays_finite_where_the_probability_underflows():
    # log softmax([0, -1000])_1 = -1000 - log(1 + e^-1000) = -1000 in float64, although e^-1000 is 0.
    log_probs = log_softmax([0.0, -1000.0])
    assert log_probs == [0.0, -1000.0]
    assert probabilities(log_probs) == [1.0, 0.0]


def test_logits_of_700_do_not_overflow():
    # exp(700) is about 1e304, twelve of them and their quotients would leave float64 without the shift.
    log_probs = log_softmax([700.0] * 11 + [-700.0])
    assert log_probs[0] == pytest.approx(-log(11), rel=1e-13)
    assert log_probs[11] == pytest.approx(-1400 - log(11), rel=1e-15)
    assert log_softmax([1e5, 0.0]) == [0.0, -1e5]


@given(logit_lists)
def test_probabilities_sum_to_one_and_keep_the_order(z):
    p = probabilities(log_softmax(z))
    assert sum(p) == pytest.approx(1.0, abs=1e-12)
    assert all(0 <= value <= 1 for value in p)
    order = sorted(range(len(z)), key=z.__getitem__)
    assert all(p[a] <= p[b] for a, b in pairwise(order))


@given(st.lists(st.floats(-20, 20), min_size=2, max_size=12), st.floats(-20, 20))
def test_a_shift_of_all_logits_changes_nothing(z, shift):
    assert log_softmax([value + shift for value in z]) == pytest.approx(log_softmax(z), abs=1e-13)


@given(st.lists(st.floats(-20, 20), min_size=2, max_size=12))
def test_log_softmax_is_the_logarithm_of_the_plain_quotient(z):
    weights = [exp(value) for value in z]
    expected = [log(weight / sum(weights)) for weight in weights]
    assert log_softmax(z) == pytest.approx(expected, rel=1e-12, abs=1e-13)
