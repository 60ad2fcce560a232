"""Paths by PyTorch, see autograd.py: their runs and losses; what differs from the correct path, and since when."""

import torch

from ..evidence import SMALLEST_SHARE, STEP
from .autograd import Update, tensor

COMPARED = {
    "loss": "loss",
    "gradient": "gradient",
    "W_next": "next",
    "kl": "kl",
}  # a field → its name in autograd.py
COUNTS = ("clipped", "outside", "counted")
ALLOWED = 1e-12  # relative to the largest entry, or to 1: less is rounding


def run(setup, settings, count):
    """Return a path and its evaluations before the first update and after each of so many."""
    update = Update(setup, settings)
    evaluations = [update.evaluate(tensor(setup["initial"]))]
    for _ in range(count):
        evaluations.append(update.evaluate(evaluations[-1]["next"]))
    return update, evaluations


def held(setup, settings, now):
    """Return a path whose old and reference policies stand still at an evaluation."""
    still = Update(setup, settings)
    log_probs = torch.log_softmax(still.features @ now["parameters"], -1)
    old, reference = still.old_of(log_probs).detach(), still.reference_of(log_probs).detach()
    still.old_of, still.reference_of = lambda _: old, lambda _: reference
    return still


def loss_of(update):
    """Return the loss as a function of the parameters."""
    return lambda parameters: update.evaluate(parameters)["loss"]


def central_difference(loss, parameters, place):
    """Return (L(W + h) - L(W - h)) / 2h for one entry of W, counted row by row."""
    sides = []
    for sign in (1, -1):
        moved = parameters.clone()
        entry = moved.reshape(-1)
        entry[place] += sign * max(STEP, abs(entry[place].item()) * SMALLEST_SHARE)
        sides.append((loss(moved), entry[place].item()))
    (above, right), (below, left) = sides
    return (above - below) / (right - left)


def first_difference(setup, settings):
    """Return after how many updates the path of these settings first differs from the correct one, None if never."""
    both = [run(setup, settings | path, setup["steps"])[1] for path in ({"path": "correct"}, {})]
    return next(
        (n for n, pair in enumerate(zip(*both)) if any(differs(*pair, name) for name in COMPARED)), None
    )


def differs(right, wrong, field):
    """Tell whether two evaluations differ in a field by more than rounding; undefined equals undefined."""
    a, b = [torch.as_tensor(found[COMPARED[field]], dtype=torch.float64) for found in (right, wrong)]
    finite = torch.cat([a.reshape(-1), b.reshape(-1)])
    size = max([1.0, *finite[finite.isfinite()].abs().tolist()])
    same = (a == b) | (a.isnan() & b.isnan()) | ((b - a).abs() <= ALLOWED * size)
    return not bool(same.all())


def difference(setup, settings):
    """Return wrong - right of every field at settings["step"]; 0 where that is rounding."""
    right, wrong = [run(setup, settings | path, settings["step"]) for path in ({"path": "correct"}, {})]
    (right_update, right), (wrong_update, wrong) = [(update, steps[-1]) for update, steps in (right, wrong)]
    right["counted"], wrong["counted"] = [
        int(update.counted.sum()) for update in (right_update, wrong_update)
    ]
    found = {name: wrong[name] - right[name] for name in COUNTS}
    for field, name in COMPARED.items():
        gap = torch.as_tensor(wrong[name] - right[name], dtype=torch.float64)
        found[field] = (gap if differs(right, wrong, field) else torch.zeros_like(gap)).tolist()
    return found
