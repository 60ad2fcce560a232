"""One update of the default batch: the plain core against PyTorch autograd on the same numbers, two ways.

As a trainer does it: the padded batch with its mask, loss.backward(), a step of torch.optim.SGD.
And bare: only the ten tokens, one call of autograd.grad, the step by hand; nothing less gives the same parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch

from compute.update import evaluate, prepare
from tests.benchmarks.timing import in_turn
from tests.configurations import shipped_settings, shipped_setup

Step = Callable[[], torch.Tensor]


def tensors(setup, settings, kinds):
    """Return features, actions, advantages, weights, old and reference log-probabilities of some positions."""
    batch = prepare(setup, settings)
    chosen = [k for k, position in enumerate(batch.positions) if position.kind in kinds]

    def tensor(values):
        return torch.tensor(values, dtype=torch.float64)

    actions = torch.tensor([batch.positions[k].action or 0 for k in chosen])[:, None]
    return (
        tensor([batch.positions[k].features for k in chosen]),
        actions,
        tensor([batch.advantages[batch.positions[k].response] for k in chosen]),
        tensor([batch.weights[k] for k in chosen]),
        tensor([batch.old_log_probs[k] for k in chosen]).gather(1, actions)[:, 0],
        tensor([batch.reference_log_probs[k] for k in chosen]),
    )


def loss_of(parameters, settings, features, actions, advantages, weights, old, reference):
    """Return the objective, written as a trainer would."""
    log_probs = torch.log_softmax(features @ parameters, dim=1)
    ratio = torch.exp(log_probs.gather(1, actions)[:, 0] - old)
    low, high = 1 - settings["clip_epsilon"], 1 + settings["clip_epsilon"]
    surrogate = torch.minimum(ratio * advantages, torch.clamp(ratio, low, high) * advantages)
    kl = (log_probs.exp() * (log_probs - reference)).sum(dim=1)
    return (weights * (settings["beta"] * kl - surrogate)).sum()


def trainer_step(setup, settings) -> Step:
    """Return one step as a trainer does it, always from the initial parameters."""
    padded = tensors(setup, settings, ("prompt", "token", "padding"))
    initial = torch.tensor(setup["initial"], dtype=torch.float64)
    parameters = torch.nn.Parameter(initial.clone())
    optimizer = torch.optim.SGD([parameters], lr=settings["learning_rate"])

    def step() -> torch.Tensor:
        with torch.no_grad():
            parameters.copy_(initial)
        optimizer.zero_grad()
        loss_of(parameters, settings, *padded).backward()
        optimizer.step()
        return parameters.detach()

    return step


def bare_step(setup, settings) -> Step:
    """Return one step with as few operations as possible."""
    tokens = tensors(setup, settings, ("token",))
    parameters = torch.tensor(setup["initial"], dtype=torch.float64, requires_grad=True)

    def step() -> torch.Tensor:
        (gradient,) = torch.autograd.grad(loss_of(parameters, settings, *tokens), parameters)
        with torch.no_grad():
            return parameters - settings["learning_rate"] * gradient

    return step


def run() -> Iterator[str]:
    """Time each against ours, 400 updates."""
    torch.set_num_threads(1)
    setup, settings = shipped_setup(), shipped_settings()
    batch = prepare(setup, settings)
    expected = torch.tensor(evaluate(batch, setup["initial"]).next_parameters, dtype=torch.float64)
    for name, theirs, goal in (
        ("as a trainer does it", trainer_step(setup, settings), " (goal: 3)"),
        ("bare", bare_step(setup, settings), ""),
    ):
        assert torch.allclose(theirs(), expected, rtol=0, atol=1e-12)
        ours, other, ratio = in_turn(lambda: evaluate(batch, setup["initial"]), theirs, 400)
        yield f"one update: {ours * 1e6:.0f} µs; PyTorch, {name}: {other * 1e6:.0f} µs; {ratio:.1f} times as fast{goal}"
