"""The gradient of the KL-regularised objective and two wrong ones, each made in PyTorch as programs make it.

Every expectation is exact: each path's gradient by automatic differentiation, weighted by its probability.
"""

from itertools import product

import pytest
import torch

from compute.return_gradient import return_gradient

PROBABILITIES = (0.01, 0.2, 0.37, 0.5, 0.8, 0.99)
BETAS = (0.0, 0.1, 0.7, 2.0)
REWARDS = ([1.0, 0.0], [0.0, 1.0], [0.5, 0.5], [-1.3, 2.0])
ALLOWED = 1e-12
GRID = [
    ([p, 1 - p], [q, 1 - q], rewards, beta)
    for p, q, rewards, beta in product(PROBABILITIES, PROBABILITIES, REWARDS, BETAS)
]


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """The tensors are tiny: more threads only cost time."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def tensor(value):
    return torch.tensor(value, dtype=torch.float64)


def policy(p):
    """Return theta, a leaf, and log softmax(theta, 0)."""
    theta = tensor([p[0] / p[1]]).log().requires_grad_()
    return theta, torch.log_softmax(torch.cat([theta, tensor([0.0])]), 0)


def slope(value, theta):
    """Return d value / d theta."""
    return torch.autograd.grad(value, theta)[0].item()


def per_path(p, objective):
    """Return, for each path, its probability times the gradient of what a program then maximises."""
    found = []
    for y in range(2):
        theta, log_p = policy(p)
        probability = log_p.detach().exp()[y].item()
        found.append(probability * slope(objective(log_p[y], y), theta))
    return found


def near(value, expected):
    """Tell whether a number is within 1e-12, relative above 1."""
    return abs(value - expected) <= ALLOWED * max(1.0, abs(expected))


def test_the_gradient_is_that_of_the_objective():
    for p, q, rewards, beta in GRID:
        theta, log_p = policy(p)
        objective = (log_p.exp() * (tensor(rewards) - beta * (log_p - tensor(q).log()))).sum()
        found = return_gradient(p, q, rewards, beta)
        assert near(found["gradient"], slope(objective, theta)), (p, q, rewards, beta)


def test_a_detached_return_times_the_log_probability_has_that_expected_gradient():
    for p, q, rewards, beta in GRID:

        def right(log_p, y, q=q, rewards=rewards, beta=beta):
            return (rewards[y] - beta * (log_p - tensor(q[y]).log())).detach() * log_p

        parts, found = per_path(p, right), return_gradient(p, q, rewards, beta)
        assert near(found["gradient"], sum(parts)), (p, q, rewards, beta)
        assert all(near(path["return_part"], part) for path, part in zip(found["paths"], parts))


def test_a_return_that_is_not_detached_adds_the_product_term():
    seen = 0
    for p, q, rewards, beta in GRID:

        def whole(log_p, y, q=q, rewards=rewards, beta=beta):
            return (rewards[y] - beta * (log_p - tensor(q[y]).log())) * log_p

        parts, found = per_path(p, whole), return_gradient(p, q, rewards, beta)
        assert near(found["product"], sum(parts)), (p, q, rewards, beta)
        assert near(found["product_error"], sum(parts) - found["gradient"])
        for path, part in zip(found["paths"], parts):
            assert near(path["return_part"] + path["product_part"], part)
        seen += abs(sum(parts) - found["gradient"]) > 1e-4
    assert seen > 300  # p = 1/2 and beta = 0 aside, the mistake shows: 5 * 6 * 4 * 3 of the states


def test_only_the_value_of_a_sampled_divergence_leaves_the_rewards_gradient():
    seen = 0
    for p, q, rewards, beta in GRID:

        def value_only(log_p, y, q=q, rewards=rewards, beta=beta):
            return rewards[y] * log_p - beta * (log_p - tensor(q[y]).log())

        parts, found = per_path(p, value_only), return_gradient(p, q, rewards, beta)
        assert near(found["value_only"], sum(parts)), (p, q, rewards, beta)
        assert near(found["value_only_error"], sum(parts) - found["gradient"])
        for path, part in zip(found["paths"], parts):
            assert near(path["reward_part"] + path["bracket_part"], part)
        theta, log_p = policy(p)
        assert near(found["value_only"], slope((log_p.exp() * tensor(rewards)).sum(), theta))
        seen += abs(sum(parts) - found["gradient"]) > 1e-4
    assert seen > 300  # p = q and beta = 0 aside: 30 * 4 * 3 of the states


def test_the_brackets_derivative_vanishes_in_total_and_for_no_path():
    for p, q, rewards, beta in GRID:

        def bracket(log_p, y, q=q, rewards=rewards, beta=beta):
            return rewards[y] - beta * (log_p - tensor(q[y]).log())

        parts, found = per_path(p, bracket), return_gradient(p, q, rewards, beta)
        assert near(found["bracket_sum"], sum(parts)) and found["bracket_sum"] == 0.0
        assert all(near(path["bracket_part"], part) for path, part in zip(found["paths"], parts))
        assert all(abs(part) > 1e-4 for part in parts) == (beta > 0)


def test_both_terms_together_are_the_derivative_of_each_paths_share():
    # d/dtheta of p (R - beta log(p / q)) of one path: the probability's part and the bracket's.
    for p, q, rewards, beta in GRID:
        found = return_gradient(p, q, rewards, beta)
        for y, path in enumerate(found["paths"]):
            theta, log_p = policy(p)
            share = log_p[y].exp() * (rewards[y] - beta * (log_p[y] - tensor(q[y]).log()))
            assert near(path["return_part"] + path["bracket_part"], slope(share, theta))
