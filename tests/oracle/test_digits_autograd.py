"""The experiment's training against PyTorch's differentiation in float64, each step as a program writes it."""

import numpy as np
import pytest
import torch

from compute.digits.evaluation import enumerated, trajectory_log_probs
from compute.digits.gradients import exact_gradient, gradient_checks, rewards_of
from compute.digits.policy import flat, initial, named, stacked
from compute.digits.reinforce import (
    climb,
    draw,
    leave_one_out,
    log_ratios,
    policy_gradient,
    returns_of,
    sampled,
)
from compute.digits.supervised import adam, loss_and_gradient, supervised_start
from compute.digits.task import split, streams, targets
from tests.configurations import digits_parameters, digits_setup

ALLOWED = 1e-12
HIDDEN = 32
A, B = torch.arange(100) // 10, torch.arange(100) % 10
U, V = (torch.tensor(digit) for digit in targets("sum"))
TRAINING = np.flatnonzero(split(0.6, 0))


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """The tensors are small: more threads only cost time."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class Policy(torch.nn.Module):
    """The same network as layers: embeddings of the digits, a tanh, a linear map to ten logits, twice."""

    def __init__(self, parameters):
        super().__init__()
        for name, value in parameters.items():
            setattr(self, name, torch.nn.Parameter(torch.tensor(value, dtype=torch.float64)))

    def hidden(self, inputs):
        return self.digit_a[A[inputs]] + self.digit_b[B[inputs]] + self.bias

    def log_u(self, inputs):
        return torch.log_softmax(torch.tanh(self.hidden(inputs)) @ self.first + self.first_bias, -1)

    def log_v(self, inputs, u):
        z = self.hidden(inputs) + self.embedding[u]
        return torch.log_softmax(torch.tanh(z) @ self.second + self.second_bias, -1)

    def log_prob(self, inputs, u, v):
        """Log p of trajectories; all three of one shape."""
        first = self.log_u(inputs).gather(-1, u[..., None])[..., 0]
        return first + self.log_v(inputs, u).gather(-1, v[..., None])[..., 0]

    def table(self, inputs):
        """Log p of all hundred trajectories of each input. -> [I, 100]"""
        u, v = torch.arange(100) // 10, torch.arange(100) % 10
        shape = (len(inputs), 100)
        return self.log_prob(inputs[:, None].expand(shape), u.expand(shape), v.expand(shape))

    def row(self, of_gradient=False):
        """Parameters or their gradient in stored order."""
        parts = [value.grad if of_gradient else value for _, value in self.named_parameters()]
        return torch.cat([part.detach().reshape(-1) for part in parts]).numpy()


def policy(seed, size=0.5):
    parameters = digits_parameters(seed, HIDDEN, (), size)
    return parameters, Policy(parameters)


def near(found, expected):
    """Whether arrays agree to 1e-12, relative above 1."""
    return np.all(np.abs(found - expected) <= ALLOWED * np.maximum(1.0, np.abs(expected)))


@pytest.mark.parametrize("size", [0.3, 1.0, 2.0])
def test_probabilities(size):
    parameters, module = policy(0, size)
    expected = module.table(torch.arange(100)).detach().numpy()
    assert near(trajectory_log_probs(enumerated(parameters)).reshape(100, 100), expected)


@pytest.mark.parametrize("beta", [0.0, 0.1, 1.0, 3.0])
def test_the_exact_gradient_is_autograds_two_ways(beta):
    (parameters, module), (frozen, reference) = policy(1), policy(2)
    inputs = torch.tensor(TRAINING)
    u, v = U[inputs].numpy(), V[inputs].numpy()
    rewards = rewards_of(u, v)
    log_q = reference.table(inputs).detach()
    R = torch.tensor(rewards.reshape(len(inputs), 100))
    found = flat(
        exact_gradient(
            stacked([parameters]), log_q.numpy().reshape(1, -1, 10, 10), TRAINING, rewards, np.array([beta])
        )
    )[0]

    log_p = module.table(inputs)  # the objective differentiated whole
    (log_p.exp() * (R - beta * (log_p - log_q))).sum(-1).mean().backward()
    assert near(found, module.row(of_gradient=True))

    module.zero_grad()
    log_p = module.table(inputs)  # a detached return times the log-probability, each path by its probability
    weight = (log_p.exp() * (R - beta * (log_p - log_q))).detach()
    (weight * log_p).sum(-1).mean().backward()
    assert near(found, module.row(of_gradient=True))
    assert frozen is not parameters


@pytest.mark.parametrize("beta", [0.1, 1.0])
def test_the_two_wrong_derivatives_are_as_wrong_in_autograd(beta):
    (parameters, module), (_, reference) = policy(1), policy(2)
    inputs = torch.tensor(TRAINING)
    rewards = rewards_of(U[inputs].numpy(), V[inputs].numpy())
    log_q = reference.table(inputs).detach()
    R = torch.tensor(rewards.reshape(len(inputs), 100))

    def gradient(loss):
        module.zero_grad()
        log_p = module.table(inputs)
        (log_p.exp().detach() * loss(log_p)).sum(-1).mean().backward()
        return module.row(of_gradient=True)

    right = gradient(lambda log_p: (R - beta * (log_p - log_q)).detach() * log_p)
    wrong = {
        "product": gradient(lambda log_p: (R - beta * (log_p - log_q)) * log_p),
        "value_only": gradient(lambda log_p: R * log_p - beta * (log_p - log_q)),
    }
    found = gradient_checks(
        stacked([parameters]), log_q.numpy().reshape(1, -1, 10, 10), TRAINING, rewards, np.array([beta])
    )
    assert found["identity"][0] < ALLOWED
    assert found["length"][0] == pytest.approx(np.linalg.norm(right), rel=ALLOWED)
    for name, value in wrong.items():
        expected = np.linalg.norm(value - right) / np.linalg.norm(right)
        assert found[name][0] == pytest.approx(expected, rel=1e-10), name
        assert expected > 0.1


def test_supervised_steps_are_torchs_adam():
    start = initial(np.random.default_rng(0), HIDDEN, 0.3)
    module = Policy(start)
    optimizer = torch.optim.Adam(module.parameters(), lr=0.01, betas=(0.9, 0.999), eps=1e-8)
    parameters = {name: value.copy() for name, value in start.items()}
    moments = {name: (np.zeros_like(value), np.zeros_like(value)) for name, value in parameters.items()}
    everything = torch.arange(100)
    for step in range(1, 6):
        optimizer.zero_grad()
        loss = -module.log_prob(everything, U, V).mean()
        loss.backward()
        ours, gradient = loss_and_gradient(parameters, U.numpy(), V.numpy())
        assert near(ours, loss.item()) and near(flat(gradient), module.row(of_gradient=True)), step
        optimizer.step()
        adam(parameters, gradient, moments, step, 0.01)
        # Adam divides by roots: where a gradient is near 0, its last digits become the step's.
        assert np.abs(flat(parameters) - module.row()).max() < 1e-9, step


def test_updates_of_reinforce_are_autograds():
    # Two seeds, two betas; the same samples, with a loss as a program writes it, and torch.optim.SGD.
    setup = digits_setup(hidden=HIDDEN)
    reference, _ = supervised_start(setup)
    rows, betas, rate = [0, 1, 0, 1], np.array([0.0, 0.0, 0.7, 0.7]), 0.8
    parameters = {name: value[rows].copy() for name, value in reference.items()}
    frozen = {name: value[rows] for name, value in reference.items()}
    log_q = trajectory_log_probs(enumerated(frozen))
    modules = [Policy(named(row, HIDDEN)) for row in flat(parameters)]
    references = [Policy(named(row, HIDDEN)) for row in flat(frozen)]
    optimizers = [torch.optim.SGD(module.parameters(), lr=rate) for module in modules]
    generators = [streams(seed)[1] for seed in setup["seeds"]]
    for update in range(6):
        inputs, uniforms = (part[rows] for part in draw(generators, TRAINING, 20, 8))
        batch = sampled(parameters, inputs, uniforms)
        returns = returns_of(batch, inputs, log_ratios(batch, inputs, log_q), targets("sum"), betas)
        advantages = leave_one_out(returns)
        gradient = policy_gradient(parameters, batch, advantages)
        for r, module in enumerate(modules):
            x = torch.tensor(inputs[r])[:, None].expand(20, 8)
            u, v = torch.tensor(batch.u[r]), torch.tensor(batch.v[r])
            optimizers[r].zero_grad()
            log_p = module.log_prob(x, u, v)
            with torch.no_grad():
                R = ((u == U[x]) & (v == V[x])).double()
                value = R - betas[r] * (log_p - references[r].log_prob(x, u, v))
                advantage = value - (value.sum(1, keepdim=True) - value) / 7
            (-(advantage * log_p).mean()).backward()
            assert near(advantages[r], advantage.numpy()), (update, r)
            assert near(-flat(gradient)[r], module.row(of_gradient=True)), (update, r)
            optimizers[r].step()
        climb(parameters, gradient, np.full(4, rate))
        assert near(flat(parameters), np.stack([module.row() for module in modules])), update
    moved = np.abs(flat(parameters) - flat(frozen)).max(axis=1)
    assert (moved > 1e-3).all()
    assert all(np.array_equal(module.row(), row) for module, row in zip(references, flat(frozen)))
