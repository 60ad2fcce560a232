"""The regularised objective and the distribution that maximises it, of compute/regularised.py."""

from math import exp, inf, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.divergence import kl
from compute.regularised import mean_reward, objective, penalty, tilted
from tests.closeness import close
from tests.configurations import distributions

P, Q, R = [0.8, 0.2], [0.5, 0.5], [1.0, 0.0]
betas = st.floats(0.01, 10)


@st.composite
def problems(draw, least=0):
    """A distribution, a reference and rewards over two to six paths."""
    n = draw(st.integers(2, 6))
    rewards = draw(st.lists(st.integers(-200, 200), min_size=n, max_size=n))
    return draw(distributions(n)), draw(distributions(n, least)), [reward / 100 for reward in rewards]


def log_partition(q, rewards, beta):
    """The logarithm of sum q exp(R / beta), shifted by the largest exponent of a path that q takes."""
    taken = [(q_y, reward / beta) for q_y, reward in zip(q, rewards) if q_y > 0]
    largest = max(exponent for _, exponent in taken)
    return largest + log(sum(q_y * exp(exponent - largest) for q_y, exponent in taken))


def test_the_two_paths():
    # 0.8 * 1, and that less a tenth of KL = 0.19274475702175743 (mpmath); the reference: 0.5, as its KL is 0.
    assert mean_reward(P, R) == 0.8
    assert objective(P, Q, R, 0.1) == close(0.78072552429782426)
    assert objective(Q, Q, R, 0.1) == 0.5
    # Pushed to probability 1: 1 - 0.1 log 2, here above p but below the optimum.
    assert objective([1.0, 0.0], Q, R, 0.1) == close(1 - 0.1 * log(2))


def test_the_tilted_optimum_of_the_two_paths():
    # e^10 / (1 + e^10) and 1 / (1 + e^10); its objective is 0.1 log((1 + e^10) / 2), by mpmath.
    best = tilted(Q, R, 0.1)
    assert best == close([0.99995460213129757, 4.5397868702434394e-05], 2e-15)
    assert objective(best, Q, R, 0.1) == close(0.93068982183392716)
    assert objective(best, Q, R, 0.1) > objective([1.0, 0.0], Q, R, 0.1)


def test_probability_one_can_be_worse_than_the_reference():
    # beta = 1: 1 - log 2 = 0.307 against 0.5.
    assert objective([1.0, 0.0], Q, R, 1.0) == close(1 - log(2))
    assert objective([1.0, 0.0], Q, R, 1.0) < objective(Q, Q, R, 1.0)


def test_a_beta_of_zero_knows_no_reference():
    assert penalty(0.0, inf) == 0.0 and penalty(0, inf) == 0.0
    assert penalty(0.1, inf) == inf
    assert penalty(0.5, 3.0) == 1.5
    assert objective(P, [1.0, 0.0], R, 0.0) == 0.8
    assert objective(P, [1.0, 0.0], R, 1e-300) == -inf


@pytest.mark.parametrize(
    ("q", "rewards", "expected"),
    [
        ([0.5, 0.5], [1, 0], [1.0, 0.0]),
        ([0.0, 1.0], [1, 0], [1.0, 0.0]),  # the reference has none of the best path: it is taken nevertheless
        ([0.25, 0.75], [1, 1], [0.25, 0.75]),  # equal rewards: the reference itself
        ([0.25, 0.25, 0.5], [2, 2, 1], [0.5, 0.5, 0.0]),  # the reference restricted to the best
        ([0.0, 0.5, 0.5], [2, 2, 1], [0.0, 1.0, 0.0]),
        ([0.0, 0.0, 1.0], [2, 2, 1], [0.5, 0.5, 0.0]),  # none of the best: equal shares
        ([0.5, 0.5], [-3, -1], [0.0, 1.0]),
    ],
)
def test_the_optimum_without_penalty(q, rewards, expected):
    assert tilted(q, rewards, 0.0) == expected
    assert objective(tilted(q, rewards, 0.0), q, rewards, 0.0) == max(rewards)


def test_the_optimum_never_takes_what_the_reference_does_not():
    # q = [0, 1/4, 3/4], R / beta = [90, log 3, 0]: shares 0, 3/4 and 3/4.
    assert tilted([0.0, 0.25, 0.75], [90.0, log(3), 0.0], 1.0) == close([0.0, 0.5, 0.5])
    assert tilted([0.0, 1.0], [5, 0], 0.1) == [0.0, 1.0]


def test_exponents_beyond_float64():
    # R / beta = 10^6: e^(-10^6) is 0 in float64, and e^(10^6) is never formed.
    assert tilted([0.5, 0.5], [1, 0], 1e-6) == [1.0, 0.0]
    assert tilted([0.5, 0.5], [-1, -1], 1e-6) == [0.5, 0.5]
    # The larger beta, the nearer q: e^(1/beta) - 1 is about 1/beta, times q (1 - q).
    assert tilted([0.5, 0.5], [1, 0], 1e6)[0] - 0.5 == close(0.25e-6, 1e-9)


def test_a_beta_whose_inverse_is_beyond_float64():
    assert tilted([0.5, 0.5], [1.0, 0.0], 1e-310) == [1.0, 0.0]


@given(problems(), betas)
def test_the_objective_falls_short_of_the_optimum_by_beta_times_the_divergence_from_it(problem, beta):
    # E_p[R] - beta KL(p || q) = beta log Z - beta KL(p || q exp(R / beta) / Z): expand log q exp(R / beta) /
    # Z.
    p, q, rewards = problem
    best, value = tilted(q, rewards, beta), beta * log_partition(q, rewards, beta)
    assert sum(best) == close(1.0)
    assert objective(best, q, rewards, beta) == pytest.approx(value, rel=1e-13, abs=1e-13)
    expected = value - beta * kl(p, best)
    assert objective(p, q, rewards, beta) == pytest.approx(expected, rel=1e-13, abs=1e-13)


@given(problems(), betas | st.just(0.0))
def test_no_distribution_does_better(problem, beta):
    p, q, rewards = problem
    best = objective(tilted(q, rewards, beta), q, rewards, beta)
    assert objective(p, q, rewards, beta) <= best + 1e-14 * max(1.0, beta)
    assert objective(q, q, rewards, beta) <= best + 1e-14 * max(1.0, beta)


@given(problems(1), st.floats(-5, 5), betas)
def test_a_constant_reward_more_moves_the_objective_not_the_optimum(problem, more, beta):
    p, q, rewards = problem
    higher = [reward + more for reward in rewards]
    assert objective(p, q, higher, beta) == pytest.approx(objective(p, q, rewards, beta) + more, abs=2e-14)
    assert tilted(q, higher, beta) == pytest.approx(tilted(q, rewards, beta), rel=1e-12, abs=1e-300)


@given(problems(1), st.floats(0.01, 5), st.floats(0.01, 5))
def test_the_optimum_keeps_its_distance_the_better_the_larger_beta(problem, one, more):
    # KL of the tilted distribution from q falls with beta: its derivative is -Var(R) / beta^3.
    _, q, rewards = problem
    near, far = kl(tilted(q, rewards, one + more), q), kl(tilted(q, rewards, one), q)
    assert near <= far + 1e-14
