"""The exact distribution of a group's mean log-ratio, of compute/sampled_kl.py."""

from itertools import product
from math import comb, inf, isnan, log, prod, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.divergence import kl
from compute.sampled_kl import binomials, group_mean, outcomes
from tests.closeness import close

P, Q = [0.8, 0.2], [0.5, 0.5]
hundredths = st.integers(1, 99).map(lambda n: [n / 100, 1 - n / 100])


@pytest.mark.parametrize("n", [0, 1, 2, 7, 64, 200])
def test_binomials(n):
    assert binomials(n) == [comb(n, k) for k in range(n + 1)]


@pytest.mark.parametrize(
    ("n", "negative", "deviation"),
    [
        # By mpmath with thirty digits: the sum of C(n, k) 0.8^k 0.2^(n - k) over k with k log 1.6 + (n - k)
        # log 0.4 below 0 (k / n below 0.661), and sqrt(0.16 / n) log 4.
        (1, 0.2, 0.55451774444795625),
        (2, 0.36, 0.39210325738741888),
        (4, 0.1808, 0.27725887222397812),
        (8, 0.20308224, 0.19605162869370944),
        (16, 0.08168788848148480, 0.13862943611198906),
        (64, 0.0050855665482319690, 0.069314718055994531),
    ],
)
def test_the_worked_groups(n, negative, deviation):
    found = group_mean(P, Q, n)
    assert found["n"] == n and len(found["outcomes"]) == n + 1
    assert found["mean"] == close(0.19274475702175743, 5e-15)
    assert found["deviation"] == close(deviation, 5e-15)
    assert found["negative"] == close(negative, 4e-15)


def test_the_probability_of_a_negative_mean_does_not_fall_with_every_larger_group():
    chances = [group_mean(P, Q, n)["negative"] for n in (1, 2, 4, 8)]
    assert chances[0] < chances[1] > chances[2] < chances[3]


def test_one_sample_by_hand():
    # Path 2 with 0.2 and log 0.4, path 1 with 0.8 and log 1.6.
    path_2, path_1 = outcomes(P, Q, 1)
    assert (path_2["count"], path_2["probability"], path_1["count"], path_1["probability"]) == (
        0,
        0.2,
        1,
        0.8,
    )
    assert [path_2["mean"], path_1["mean"]] == close([log(0.4), log(1.6)])
    assert (path_2["sign"], path_1["sign"]) == (-1, 1)


@given(hundredths, hundredths, st.integers(1, 8))
def test_every_sequence_of_samples_enumerated(p, q, n):
    # All 2^n sequences, gathered by how often path 1 occurs; no binomial coefficient is used.
    chance, mean = [0.0] * (n + 1), [0.0] * (n + 1)
    for drawn in product((0, 1), repeat=n):
        k = drawn.count(0)
        chance[k] += prod(p[y] for y in drawn)
        mean[k] = sum(log(p[y] / q[y]) for y in drawn) / n
    found = outcomes(p, q, n)
    assert [item["count"] for item in found] == list(range(n + 1))
    assert [item["probability"] for item in found] == close(chance, 1e-14)
    assert [item["mean"] for item in found] == pytest.approx(mean, abs=2e-14)


@given(hundredths, hundredths, st.integers(1, 64))
def test_mean_deviation_and_probabilities(p, q, n):
    # E = KL for every n; the variance of one sample is p (1 - p) (l_1 - l_2)^2, of a mean of n an n-th of it.
    found = group_mean(p, q, n)
    first, second = [log(a / b) for a, b in zip(p, q)]
    assert sum(item["probability"] for item in found["outcomes"]) == close(1.0, 1e-14)
    assert found["mean"] == pytest.approx(kl(p, q), abs=1e-14)
    deviation = sqrt(p[0] * p[1] / n) * abs(first - second)
    assert found["deviation"] == pytest.approx(deviation, rel=1e-13, abs=1e-15)
    assert 0.0 <= found["negative"] < 1.0


@pytest.mark.parametrize("hundred", [n for n in range(1, 100) if n != 50])
@pytest.mark.parametrize("n", [2, 4, 8, 16, 64])
def test_a_tie_is_exactly_zero_and_not_negative(hundred, n):
    # q is p with its paths exchanged, so that l_2 = -l_1: half of each gives a mean of 0. The other outcomes
    # have the sign of (k - n/2) (2p - 1).
    p, q = [hundred / 100, 1 - hundred / 100], [(100 - hundred) / 100, 1 - (100 - hundred) / 100]
    found = group_mean(p, q, n)
    assert [item["count"] for item in found["outcomes"] if item["mean"] == 0.0] == [n // 2]
    seldom = min(p)
    below = sum(comb(n, k) * seldom ** (n - k) * (1 - seldom) ** k for k in range(n // 2))
    assert found["negative"] == close(below, 1e-13)


def test_a_tie_of_nearly_equal_policies():
    # Only two samples of path 1, 0.485^2, are negative.
    found = group_mean([0.485, 1 - 0.485], [0.515, 1 - 0.515], 2)
    assert found["outcomes"][1]["mean"] == 0.0
    assert found["negative"] == close(0.485**2)


def test_the_tie_of_two_samples():
    # p = [0.8, 0.2], q = [0.2, 0.8]: log 4 and -log 4; only two samples of path 2, 0.2^2, are negative.
    found = group_mean(P, [0.2, 0.8], 2)
    assert [item["mean"] for item in found["outcomes"]] == close([-log(4), 0.0, log(4)])
    assert found["outcomes"][1]["mean"] == 0.0
    assert found["negative"] == close(0.04)


def test_equal_policies_have_no_log_ratio():
    found = group_mean(P, P, 16)
    assert {item["mean"] for item in found["outcomes"]} == {0.0}
    assert {item["sign"] for item in found["outcomes"]} == {0}
    assert (found["mean"], found["deviation"], found["negative"]) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(("p", "count"), [([1.0, 0.0], 4), ([0.0, 1.0], 0)])
def test_a_path_never_taken_leaves_one_outcome(p, count):
    # Every sample has log(1 / 0.5) = log 2.
    found = group_mean(p, Q, 4)
    outcome = {"count": count, "mean": close(log(2)), "sign": 1, "probability": 1.0}
    assert found["outcomes"] == [outcome]
    assert found["mean"] == close(log(2))
    assert (found["deviation"], found["negative"]) == (0.0, 0.0)


def test_a_reference_without_a_path():
    # q = [1, 0]: one sample of path 2 makes the mean infinite; four of path 1 alone give log 0.8, with 0.8^4.
    found = group_mean(P, [1.0, 0.0], 4)
    assert [item["mean"] for item in found["outcomes"]] == [inf] * 4 + [close(log(0.8))]
    assert found["mean"] == inf
    assert isnan(found["deviation"])
    assert found["negative"] == close(0.8**4)
    # A path that neither takes changes nothing.
    assert group_mean([1.0, 0.0], [1.0, 0.0], 3)["mean"] == 0.0
