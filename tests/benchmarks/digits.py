"""The experiment "ten actions, two steps": all runs side by side in numpy, against a plain PyTorch loop.

The loop trains one run after the other, as a program is first written: layers, torch.optim.SGD, loss.backward(), an
evaluation by enumeration as often as ours. Only some of its updates are timed, and scaled to all: the line says so.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from compute.digits.experiment import experiment, pairs
from compute.digits.policy import flat, named
from compute.digits.supervised import frozen, supervised_start
from compute.digits.task import split, targets
from compute.digits.training import runs_of, train
from publish.digits.config import load_digits_config
from tests.benchmarks.timing import in_turn, seconds
from tests.content_tools import CONTENT

MEASURED = 20  # updates of the loop; ours are all of them
GOAL_SECONDS, GOAL_RATIO = 20, 10
FIRST_DIGIT, SECOND_DIGIT = torch.arange(100) // 10, torch.arange(100) % 10


class Policy(torch.nn.Module):
    """The network as layers, in float64 as ours."""

    def __init__(self, parameters):
        super().__init__()
        self.w = torch.nn.ParameterDict(
            {name: torch.nn.Parameter(torch.tensor(value)) for name, value in parameters.items()}
        )

    def hidden(self, inputs):
        return (
            self.w["digit_a"][FIRST_DIGIT[inputs]] + self.w["digit_b"][SECOND_DIGIT[inputs]] + self.w["bias"]
        )

    def log_u(self, z):
        return torch.log_softmax(torch.tanh(z) @ self.w["first"] + self.w["first_bias"], -1)

    def log_v(self, z, u):
        active = torch.tanh(z + self.w["embedding"][u])
        return torch.log_softmax(active @ self.w["second"] + self.w["second_bias"], -1)

    def log_prob(self, inputs, u, v):
        z = self.hidden(inputs)
        first = self.log_u(z).gather(-1, u[..., None])[..., 0]
        return first + self.log_v(z, u).gather(-1, v[..., None])[..., 0]

    @torch.no_grad()
    def sample(self, inputs):
        z = self.hidden(inputs)
        u = torch.distributions.Categorical(logits=self.log_u(z)).sample()
        return u, torch.distributions.Categorical(logits=self.log_v(z, u)).sample()

    @torch.no_grad()
    def table(self):
        z = self.hidden(torch.arange(100))
        second = self.log_v(z[:, None], torch.arange(10).expand(100, 10))
        return self.log_u(z)[..., None] + second


def loop(setup, policy, reference, beta, updates):
    """Train one run for some updates, with the evaluations that fall to them; return the last rewards and KL."""
    plan = setup["reinforce"]
    training = torch.tensor(np.flatnonzero(split(setup["training_fraction"], setup["split_seed"])))
    right_u, right_v = (torch.tensor(digit) for digit in targets(setup["operation"]))
    optimizer = torch.optim.SGD(policy.parameters(), lr=plan["rate"])
    start, found = reference.table(), None
    for update in range(updates):
        inputs = training[torch.randperm(len(training))[: plan["inputs"]]]
        inputs = inputs[:, None].expand(plan["inputs"], plan["samples"])
        u, v = policy.sample(inputs)
        log_p = policy.log_prob(inputs, u, v)
        with torch.no_grad():
            reward = ((u == right_u[inputs]) & (v == right_v[inputs])).double()
            returns = reward - beta * (log_p - reference.log_prob(inputs, u, v))
            others = (returns.sum(1, keepdim=True) - returns) / (plan["samples"] - 1)
        optimizer.zero_grad()
        (-((returns - others) * log_p).mean()).backward()
        optimizer.step()
        if update % plan["evaluate_every"] == 0:
            now = policy.table()
            rewards = now.exp()[torch.arange(100), right_u, right_v]
            found = rewards, (now.exp() * (now - start)).sum((1, 2))
    return found


def run() -> Iterator[str]:
    """Time the runs of the main experiment both ways, then the whole experiment."""
    torch.set_num_threads(1)
    setup = load_digits_config(CONTENT).setup
    reference = frozen(supervised_start(setup)[0])
    main, _ = pairs(setup)
    runs, updates = runs_of(main, setup["seeds"]), setup["reinforce"]["updates"]
    row = flat(reference)[0]

    def theirs():
        policies = [Policy(named(row.copy(), setup["hidden"])) for _ in range(2)]
        return loop(setup, *policies, setup["betas"][1], MEASURED)

    assert theirs()[0].shape == (100,)
    ours, other, ratio = in_turn(lambda: train(setup, reference, runs), theirs, 3)
    scale = len(main) * updates / MEASURED
    yield (
        f"training {len(main)} runs of {updates} updates: {ours:.1f} s; a plain PyTorch loop {other * scale:.0f} s "
        f"({MEASURED} updates of one run measured, times {scale:.0f}); {ratio * scale:.0f} times as fast "
        f"(goal: {GOAL_RATIO})"
    )
    yield f"the whole experiment: {seconds(lambda: experiment(setup)):.1f} s (goal: {GOAL_SECONDS} s)"
