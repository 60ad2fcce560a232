"""The pages' numbers by PyTorch's automatic differentiation, as trees with the ids of the pages."""

from contextlib import contextmanager

import torch

from .autograd import recompute
from .path_results import central_difference, difference, first_difference, held, loss_of, run

ALLOWED_SLOPE, ALLOWED_OF_LOSS, ALLOWED_SUM = 1e-7, 1e-10, 1e-12  # of the page's own checks
BESIDE = ("loss", "gradient", "W_next", "kl", "clipped", "outside", "counted")


@contextmanager
def one_thread():
    """Let PyTorch use one thread: the tensors are small, more of them only wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def update_by_autograd(setup, settings, beta_choices, expected):
    """Return state, curves, `beside`, evidence and the expectation. Arguments: see compute/update_chapter.py."""
    state = plain(recompute(setup, settings))
    betas = beta_choices + [settings["beta"]] * (settings["beta"] not in beta_choices)
    right = plain(recompute(setup, settings | {"path": "correct"}))
    return {name: value for name, value in state.items() if name != "history"} | {
        "curves": [curve(setup, settings | {"beta": beta}) for beta in betas],
        "beside": {
            "right": {name: right[name] for name in BESIDE},
            "wrong": {name: state[name] for name in BESIDE},
            "difference": difference(setup, settings),
            "first": first_difference(setup, settings),
        },
        "evidence": evidence(setup, settings),
        "expectation": expectation(setup, expected),
    }


def atlas_by_autograd(setup, settings, paths):
    """Return loss, KL figure and clipped count of the correct and every wrong path after the last update."""
    last = settings | {"step": setup["steps"]}
    found = {path: recompute(setup, last | {"path": path}) for path in ("correct", *paths)}
    figures = {
        path: {name: plain(state[name]) for name in ("loss", "kl", "clipped")}
        for path, state in found.items()
    }
    return {
        "paths": {
            path: {
                "last": {
                    name: {"right": figures["correct"][name], "wrong": figures[path][name]}
                    for name in figures[path]
                }
            }
            for path in paths
        }
    }


def chapter_by_autograd(settings):
    """Return the chapter's gradient and its two wrong ones, each by differentiating what a program would maximise.

    theta is log(p / (1 - p)); None where that is infinite. settings: see compute/kl_chapter.py.
    """
    p, q, beta = settings["p"], settings["q"], settings["beta"]
    if not 0 < p < 1 or not 0 < q < 1:
        return None
    theta = torch.log(torch.tensor([p / (1 - p)], dtype=torch.float64)).requires_grad_()
    log_p = torch.log_softmax(torch.cat([theta, torch.zeros(1, dtype=torch.float64)]), 0)
    log_q = torch.tensor([q, 1 - q], dtype=torch.float64).log()
    rewards = torch.tensor(settings["rewards"], dtype=torch.float64)
    returns, chance = rewards - beta * (log_p - log_q), log_p.exp()
    maximised = {
        "gradient": (chance * returns).sum(),  # the objective itself
        "product": (chance.detach() * returns * log_p).sum(),
        "value_only": (chance.detach() * (rewards * log_p - beta * (log_p - log_q))).sum(),
    }
    return {
        "gradient": {
            name: torch.autograd.grad(value, theta, retain_graph=True)[0].item()
            for name, value in maximised.items()
        }
    }


def curve(setup, settings):
    """Return loss, KL and clipped count at every step, the last included."""
    state = plain(recompute(setup, settings | {"step": setup["steps"]}))
    steps = [*state["history"], state]
    return {name: [step[name] for step in steps] for name in ("loss", "kl", "clipped")}


def evidence(setup, settings):
    """Return the differences of the loss whose constants stand still, and what the page's checks allow."""
    now = run(setup, settings, settings["step"])[1][-1]
    loss, parameters = loss_of(held(setup, settings, now)), now["parameters"]
    slopes = [central_difference(loss, parameters, place) for place in range(parameters.numel())]
    scale = max(1.0, now["gradient"].abs().max().item())
    allowed = dict.fromkeys(("weights", "probabilities"), ALLOWED_SUM)
    allowed |= dict.fromkeys(("logit_gradients", "shares"), ALLOWED_SUM * scale)
    allowed["gradient"] = ALLOWED_SLOPE * scale + ALLOWED_OF_LOSS * abs(now["loss"])
    return {
        "finite_differences": torch.tensor(slopes, dtype=torch.float64).reshape(parameters.shape).tolist(),
        "checks": {name: {"allowed": most} for name, most in allowed.items()},
    }


def expectation(setup, expected):
    """Return E[R] of the two steps and its derivative."""

    def tensor(values):
        return torch.tensor(values, dtype=torch.float64)

    parameters = tensor(setup["initial"]).requires_grad_()
    actions = torch.arange(parameters.shape[1], dtype=torch.float64)
    features = tensor(expected["second_base"]) + torch.outer(actions, tensor(expected["second_per_action"]))
    first = torch.softmax(tensor(expected["first"]) @ parameters, -1)
    table = first[:, None] * torch.softmax(features @ parameters, -1)
    reward = (table * tensor(expected["rewards"])).sum()
    (gradient,) = torch.autograd.grad(reward, parameters)
    return {"reward": reward.item(), "gradient": gradient.tolist(), "score_gradient": gradient.tolist()}


def plain(value):
    """Return plain numbers and lists instead of tensors."""
    if isinstance(value, torch.Tensor):
        return value.tolist()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value
