"""The chapter on KL and clipping against fifty digits, each quantity written from its definition."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import binomial, exp, log, mpf, sqrt, workdps

from compute.chain_rule import chain_rule, direct_kl, trajectories
from compute.divergence import kl, log_ratio
from compute.kl_chapter import pair
from compute.regularised import objective, tilted
from compute.return_gradient import return_gradient
from compute.sampled_kl import group_mean
from tests.configurations import distributions

# The largest relative errors allowed; measured are 2.6, 2.5, 8.5, 3.4, 4.0, 2.1 and 4.1 times 1e-15, most of
# it from 1 - 0.99 and R / beta = 40 in doubles. Where terms cancel: relative to the sum of their absolute
# values.
BOUND_KL = 4e-15
BOUND_OBJECTIVE = 4e-15
BOUND_TILTED = 1.2e-14
BOUND_TOP = 5e-15
BOUND_MEAN = 6e-15
BOUND_DEVIATION = 3e-15
BOUND_GRADIENT = 6e-15

HUNDREDTHS = (1, 10, 20, 33, 50, 61, 80, 97, 99)
BETAS = (0.0, 0.05, 0.1, 0.5, 2.0)
REWARDS = ([1.0, 0.0], [0.0, 1.0], [0.3, -1.7])


@pytest.fixture(autouse=True)
def fifty_digits():
    with workdps(50):
        yield


def exact(values):
    """The same doubles with fifty digits."""
    return [mpf(value) for value in values]


def exact_pair(hundred):
    """The distribution over two paths that hundredths mean, not the doubles nearest to it."""
    return [mpf(hundred) / 100, mpf(100 - hundred) / 100]


def error(value, true, size=0):
    """The distance of a double from the true number, relative to it or to a size that cancelled."""
    scale = max(abs(true), size)
    return 0.0 if value == true else float(abs(mpf(value) - true) / scale)


def true_kl(p, q):
    """Sum p log(p / q), and the sum of its absolute terms."""
    terms = [a * log(a / b) for a, b in zip(p, q) if a > 0]
    return sum(terms), sum(abs(term) for term in terms)


def true_objective(p, q, rewards, beta):
    """E_p[R] - beta KL, and the sum of its absolute terms."""
    nats, size = true_kl(p, q)
    reward = sum(a * reward for a, reward in zip(p, rewards))
    return reward - beta * nats, sum(abs(a * reward) for a, reward in zip(p, rewards)) + beta * size


def true_tilted(q, rewards, beta):
    """Return q exp(R / beta), normalised."""
    weights = [b * exp(reward / mpf(beta)) for b, reward in zip(q, rewards)]
    return [weight / sum(weights) for weight in weights]


def pairs_of(actions):
    return st.tuples(distributions(actions, 1), distributions(actions, 1))


@given(st.integers(2, 8).flatmap(pairs_of))
def test_divergences_both_ways(both):
    # A logarithm near 0 errs by its quotient's rounding, 1.1e-16: so relative to the sum of all terms, or
    # absolute.
    for p, q in (both, both[::-1]):
        true, size = true_kl(exact(p), exact(q))
        assert error(kl(p, q), true, size + 1) < 5e-16
        for a, b in zip(p, q):
            assert abs(mpf(log_ratio(a, b)) - log(mpf(a) / mpf(b))) < 3e-16 * (1 + abs(log(mpf(a) / mpf(b))))


def test_the_two_paths_of_hundredths():
    # Here the decimals themselves are meant: 1 - 0.99 is inexact by 9e-16, relative.
    largest = 0.0
    for a, b in product(HUNDREDTHS, HUNDREDTHS):
        true, size = true_kl(exact_pair(a), exact_pair(b))
        largest = max(largest, error(kl(pair(a / 100), pair(b / 100)), true, size))
        assert kl(pair(a / 100), pair(a / 100)) == 0.0
    assert largest < BOUND_KL


@pytest.mark.parametrize("rewards", REWARDS)
def test_the_objective(rewards):
    largest = 0.0
    for a, b, beta in product(HUNDREDTHS, HUNDREDTHS, BETAS):
        p, q = pair(a / 100), pair(b / 100)
        true, size = true_objective(exact(p), exact(q), exact(rewards), mpf(beta))
        largest = max(largest, error(objective(p, q, rewards, beta), true, size))
    assert largest < BOUND_OBJECTIVE


@pytest.mark.parametrize("rewards", REWARDS)
def test_the_tilted_optimum(rewards):
    largest = value = 0.0
    for b, beta in product(HUNDREDTHS, BETAS[1:]):
        q = pair(b / 100)
        true = true_tilted(exact(q), exact(rewards), beta)
        best = tilted(q, rewards, beta)
        largest = max([largest] + [error(*both) for both in zip(best, true)])
        # Its objective is beta log sum q exp(R / beta); at the optimum an error of p has no effect of first
        # order.
        partition = sum(mass * exp(reward / mpf(beta)) for mass, reward in zip(exact(q), rewards))
        top = beta * log(partition)
        size = true_objective(true, exact(q), exact(rewards), mpf(beta))[1]
        value = max(value, error(objective(best, q, rewards, beta), top, size))
    # R / beta is up to 40 in size and carries its rounding, 40 * 1e-16, into exp.
    assert largest < BOUND_TILTED
    assert value < BOUND_TOP


@given(st.integers(2, 6).flatmap(pairs_of), st.floats(0.05, 5))
def test_the_tilted_optimum_of_many_paths(both, beta):
    q, shares = both
    rewards = [4 * share - 2 for share in shares]
    true = true_tilted(exact(q), exact(rewards), beta)
    assert max(error(*pair) for pair in zip(tilted(q, rewards, beta), true)) < 2 * BOUND_TILTED


@pytest.mark.parametrize("n", range(1, 65))
def test_the_distribution_of_a_group_mean(n):
    # From the decimals: a tie, such as p = 0.8, q = 0.2 and n even, is exactly 0 there, and not negative.
    largest = {"mean": 0.0, "deviation": 0.0, "negative": 0.0}
    for a, b in ((80, 50), (80, 20), (20, 80), (50, 80), (30, 90), (97, 3), (99, 50), (1, 60)):
        p, q = exact_pair(a), exact_pair(b)
        first, second = [log(x / y) for x, y in zip(p, q)]
        means = [(k * first + (n - k) * second) / n for k in range(n + 1)]
        chances = [binomial(n, k) * p[0] ** k * p[1] ** (n - k) for k in range(n + 1)]
        mean = sum(chance * value for chance, value in zip(chances, means))
        variance = sum(chance * (value - mean) ** 2 for chance, value in zip(chances, means))
        negative = sum(chance for chance, value in zip(chances, means) if value < -(mpf(10) ** -40))
        found = group_mean(pair(a / 100), pair(b / 100), n)
        size = sum(chance * abs(value) for chance, value in zip(chances, means))
        assert len(found["outcomes"]) == n + 1
        for item, chance, value in zip(found["outcomes"], chances, means):
            assert error(item["probability"], chance) < 1e-15 * (n + 2)
            assert error(item["mean"], value, 1) < 2e-15
        for name, true, scale in (
            ("mean", mean, size), ("deviation", sqrt(variance), 0), ("negative", negative, 0)
        ):  # fmt: skip
            largest[name] = max(largest[name], error(found[name], true, scale))
        # By formula, too: the mean is the KL, the deviation sqrt(p (1 - p) / n) times the logs' distance.
        assert abs(mean - true_kl(p, q)[0]) < mpf(10) ** -45
        assert abs(sqrt(variance) - sqrt(p[0] * p[1] / n) * abs(first - second)) < mpf(10) ** -45
    assert largest["mean"] < BOUND_MEAN
    assert largest["deviation"] < BOUND_DEVIATION
    # p^n carries n times the rounding of 1 - p, 4.4e-15 relative for 0.99 at most, into its tail.
    assert largest["negative"] < 1e-15 * (n + 2)


@st.composite
def trees(draw):
    first, second = draw(st.integers(2, 5)), draw(st.integers(2, 5))
    pair_of_first = draw(pairs_of(first))
    return *pair_of_first, *[[draw(distributions(second, 1)) for _ in range(first)] for _ in range(2)]


@given(trees())
def test_the_chain_rule(tree):
    first_p, first_q = exact(tree[0]), exact(tree[1])
    second_p, second_q = [[exact(row) for row in rows] for rows in tree[2:]]
    first, size = true_kl(first_p, first_q)
    nodes = [true_kl(p, q) for p, q in zip(second_p, second_q)]
    right, wrong = [
        first + sum(weight * nats for weight, (nats, _) in zip(weights, nodes))
        for weights in (first_p, first_q)
    ]
    size += sum(weight * absolute for weight, (_, absolute) in zip(first_p, nodes))
    found = chain_rule(*tree)
    assert error(found["chain"], right, 1 + size) < 1e-15
    assert error(found["wrong"], wrong, 1 + size + wrong) < 1e-15
    # And the sum over all trajectories, of the same fifty digits: rounded inputs sum to 1 only up to 1e-16.
    direct = sum(
        p_u * p_v * log(p_u * p_v / (q_u * q_v))
        for p_u, q_u, p_row, q_row in zip(first_p, first_q, second_p, second_q)
        for p_v, q_v in zip(p_row, q_row)
    )
    assert abs(direct - right) < 1e-15 * (1 + size)
    assert error(direct_kl(trajectories(*tree)), direct, 1 + size) < 1e-15


@pytest.mark.parametrize("rewards", REWARDS)
def test_the_gradient_and_the_two_wrong_ones(rewards):
    largest = {"gradient": 0.0, "product_error": 0.0, "value_only": 0.0}
    for a, b, beta in product(HUNDREDTHS, HUNDREDTHS, BETAS):
        p, q = exact_pair(a), exact_pair(b)
        scores = [p[1], -p[0]]
        weights = [mpf(reward) - mpf(beta) * log(x / y) for reward, x, y in zip(rewards, p, q)]
        parts = {
            "gradient": [x * s * weight for x, s, weight in zip(p, scores, weights)],
            "product_error": [-mpf(beta) * x * s * log(x) for x, s in zip(p, scores)],
            "value_only": [x * s * reward for x, s, reward in zip(p, scores, rewards)],
        }
        found = return_gradient(pair(a / 100), pair(b / 100), rewards, beta)
        for name, terms in parts.items():
            size = sum(abs(term) for term in terms)
            largest[name] = max(largest[name], error(found[name], sum(terms), size))
        assert found["bracket_sum"] == 0.0
    assert max(largest.values()) < BOUND_GRADIENT, largest
