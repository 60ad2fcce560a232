"""The gradient of E[R] - beta KL when the return R - beta log(p / q) depends on the parameter itself.

Two paths, p = softmax(theta, 0): the score d log p / d theta of path 1 is 1 - p, that of path 2 is -p.
"""

from math import exp, log

from .divergence import log_ratio
from .regularised import objective, penalty
from .rounding import settled_sum

STEP = 1e-5  # of the central difference in theta: its error is about STEP ** 2


def path_parts(p, score, q, reward, beta):
    """Return one path's score, its return, and p times what each derivative gives.

    return_part  = p (R - beta log(p/q)) s: the probability's derivative
    bracket_part = -beta p s: the bracket's derivative; it sums to 0 over the paths
    product_part = -beta p s log p: what differentiating (return * log p) whole adds
    reward_part  = p R s: what differentiating only the value of the sampled KL leaves
    A path that is never taken (p = 0) contributes nothing.
    """
    path_return = reward - penalty(beta, log_ratio(p, q))
    moved = p * score  # d p / d theta
    return {
        "score": score,
        "return": path_return,
        "return_part": moved * path_return if p > 0 else 0.0,
        "bracket_part": -beta * moved,
        "product_part": -beta * moved * log(p) if p > 0 else 0.0,
        "reward_part": moved * reward,
    }


def return_gradient(p, q, rewards, beta):
    """Return both paths' parts, their sums, and two wrong derivatives beside the right one.

    p, q: probabilities [2] of the two paths; rewards [2].
    gradient: the sum of the return parts, which is d objective / d theta because the bracket parts sum to 0.
    product: differentiating (return * log p) whole; value_only: only the sampled KL's value; each with its error.
    Source: Williams (1992); for value_only, Tang and Munos (2025).
    """
    paths = [
        path_parts(p[0], p[1], q[0], rewards[0], beta),
        path_parts(p[1], -p[0], q[1], rewards[1], beta),
    ]
    sums = {
        name: settled_sum([path[name] for path in paths])
        for name in ("return_part", "bracket_part", "product_part", "reward_part")
    }
    gradient = sums["return_part"]
    return {
        "paths": paths,
        "bracket_sum": sums["bracket_part"],
        "gradient": gradient,
        "finite_difference": finite_difference(p, q, rewards, beta),
        "product": gradient + sums["product_part"],
        "product_error": sums["product_part"],
        "value_only": sums["reward_part"],
        "value_only_error": sums["reward_part"] - gradient,
    }


def finite_difference(p, q, rewards, beta):
    """Return (J(theta + h) - J(theta - h)) / 2h of the objective J; None where theta is infinite (p = 0 or 1)."""
    if p[0] == 0 or p[1] == 0:
        return None
    theta = log(p[0]) - log(p[1])
    above, below = [objective(two_paths(theta + step), q, rewards, beta) for step in (STEP, -STEP)]
    return (above - below) / (2 * STEP)


def two_paths(theta):
    """Return softmax(theta, 0) -> [2]."""
    small = exp(-abs(theta))
    pair = [1.0 / (1.0 + small), small / (1.0 + small)]
    return pair if theta >= 0 else [pair[1], pair[0]]
