"""The chain rule of the KL and its wrong weighting, of compute/chain_rule.py."""

from math import fsum, inf, log

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from compute.chain_rule import (
    LARGEST_BINARY_KL,
    binary_with_kl,
    chain_rule,
    direct_kl,
    trajectories,
    weighted,
)
from compute.divergence import kl
from tests.closeness import close
from tests.configurations import distributions

HALF = [0.5, 0.5]
X = 0.95181125415639607  # x log 2x + (1 - x) log 2(1 - x) = 0.5, solved with thirty digits by mpmath


@st.composite
def trees(draw, least=0):
    """Two policies over two steps: two to five first actions, two to five second ones after each."""
    first, second = draw(st.integers(2, 5)), draw(st.integers(2, 5))
    pair = [draw(distributions(first, least)) for _ in range(2)]
    return *pair, *[[draw(distributions(second, least)) for _ in range(first)] for _ in range(2)]


def test_the_worked_tree():
    # KL of step 1 is 0.19274475702175743 (mpmath), of step 2 0 and 0.5: plus 0.2 * 0.5, or wrongly plus 0.5 *
    # 0.5.
    found = chain_rule([0.8, 0.2], HALF, [HALF, [X, 1 - X]], [HALF, HALF])
    assert found["first"] == close(0.19274475702175743)
    assert found["second"] == [0.0, close(0.5)]
    assert found["expected_second"] == close(0.1)
    assert found["wrong_second"] == close(0.25)
    assert found["chain"] == close(0.29274475702175743)
    assert found["wrong"] == close(0.44274475702175743)
    assert found["wrong_error"] == close(0.15, 2e-15)


def test_the_trajectories_of_the_worked_tree():
    paths = trajectories([0.8, 0.2], HALF, [HALF, [X, 1 - X]], [HALF, HALF])
    assert [(path["u"], path["v"]) for path in paths] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    # The products of both steps' probabilities, and the logs of their quotients, which are sums of both
    # steps' logs.
    assert [path["p"] for path in paths] == close([0.4, 0.4, 0.2 * X, 0.2 * (1 - X)])
    assert [path["q"] for path in paths] == [0.25] * 4
    logs = [log(1.6), log(1.6), log(0.4) + log(2 * X), log(0.4) + log(2 - 2 * X)]
    assert [path["log_ratio"] for path in paths] == close(logs)
    assert [path["share"] for path in paths] == [close(path["p"] * ratio) for path, ratio in zip(paths, logs)]
    assert direct_kl(paths) == close(0.29274475702175743)


def test_a_weight_of_zero_takes_nothing():
    assert weighted([0.0, 1.0], [inf, 0.25]) == 0.25
    assert weighted([0.5, 0.5], [inf, 0.25]) == inf
    assert weighted([0.25, 0.75], [1.0, 2.0]) == 1.75


def test_a_prefix_that_only_the_reference_takes():
    # p never takes the second prefix, after which q lacks an action p has: finite by p's weight, infinite by
    # q's.
    found = chain_rule([1.0, 0.0], HALF, [HALF, HALF], [HALF, [1.0, 0.0]])
    assert found["chain"] == close(log(2))
    assert (found["wrong"], found["wrong_error"]) == (inf, inf)
    paths = trajectories([1.0, 0.0], HALF, [HALF, HALF], [HALF, [1.0, 0.0]])
    assert direct_kl(paths) == close(log(2))


@given(trees())
@example(([1.0, 0.0], HALF, [HALF, HALF], [HALF, [1.0, 0.0]]))
@example(([0.5, 0.5], [1.0, 0.0], [HALF, HALF], [HALF, HALF]))
def test_the_chain_rule_is_the_direct_sum(tree):
    found, direct = chain_rule(*tree), direct_kl(trajectories(*tree))
    assert found["chain"] == pytest.approx(direct, rel=1e-14, abs=2e-15)


@given(trees(1))
def test_both_weightings_from_the_definition(tree):
    first_p, first_q, second_p, second_q = tree
    second = [fsum(p * log(p / q) for p, q in zip(*pair)) for pair in zip(second_p, second_q)]
    first = fsum(p * log(p / q) for p, q in zip(first_p, first_q))
    found = chain_rule(*tree)
    assert found["first"] == pytest.approx(first, abs=3e-15)
    assert found["second"] == pytest.approx(second, abs=3e-15)
    right = first + fsum(w * nats for w, nats in zip(first_p, second))
    wrong = first + fsum(w * nats for w, nats in zip(first_q, second))
    assert found["chain"] == pytest.approx(right, abs=6e-15)
    assert found["wrong"] == pytest.approx(wrong, abs=6e-15)
    assert found["wrong_error"] == pytest.approx(wrong - right, abs=6e-15)


@given(trees())
def test_equal_policies_have_exactly_no_divergence(tree):
    first, _, second, _ = tree
    found = chain_rule(first, first, second, second)
    assert (found["chain"], found["wrong"], direct_kl(trajectories(first, first, second, second))) == (
        0.0,
        0.0,
        0.0,
    )


@given(trees())
def test_the_probabilities_of_all_trajectories_sum_to_one(tree):
    paths = trajectories(*tree)
    assert len(paths) == len(tree[0]) * len(tree[2][0])
    for policy in ("p", "q"):
        assert fsum(path[policy] for path in paths) == close(1.0, 2e-15)


def test_distributions_of_a_given_divergence_by_hand():
    assert binary_with_kl(0.0) == HALF
    assert binary_with_kl(0.5) == close([X, 1 - X], 1e-14)
    # All mass on one of two actions: KL log 2, the largest there is.
    assert close(log(2)) == LARGEST_BINARY_KL
    assert binary_with_kl(LARGEST_BINARY_KL) == [1.0, 0.0]


@given(st.floats(0, log(2)))
def test_distributions_of_a_given_divergence(nats):
    # Near 1/2 the KL is 2 (x - 1/2)^2, whose logarithms cancel to about 1e-16.
    x, rest = binary_with_kl(nats)
    assert 0.5 <= x <= 1.0 and rest == 1.0 - x
    assert kl([x, rest], HALF) == pytest.approx(nats, abs=2e-15)
