"""The chain rule of the KL: that of a two-step trajectory, from the KL of each step, with right and wrong weights.

u: the first action, v: the second. first_p, first_q [U]; second_p, second_q [U][V], the distributions after each u.
"""

from math import log

from .divergence import kl, kl_share, log_ratio
from .rounding import settled_sum

LARGEST_BINARY_KL = log(2.0)  # of a distribution over two actions to the uniform one


def weighted(weights, divergences):
    """Return the sum of weight times KL; a weight of 0 takes nothing, even of an infinite KL."""
    return settled_sum([w * divergence for w, divergence in zip(weights, divergences) if w > 0])


def chain_rule(first_p, first_q, second_p, second_q):
    """Return KL of step 1, of step 2 after each u, and the trajectory KL by weights p(u) (right) and q(u) (wrong).

    KL = KL(step 1) + sum over u of p(u) KL(step 2 | u). Source: Cover and Thomas (2006), theorem 2.5.3.
    """
    first = kl(first_p, first_q)
    second = [kl(p, q) for p, q in zip(second_p, second_q)]
    right, wrong = weighted(first_p, second), weighted(first_q, second)
    return {
        "first": first,
        "second": second,
        "expected_second": right,
        "wrong_second": wrong,
        "chain": first + right,
        "wrong": first + wrong,
        "wrong_error": wrong - right,
    }


def trajectories(first_p, first_q, second_p, second_q):
    """Return every trajectory (u, v): its probability under p and q, log-ratio, and p log(p / q). -> [U * V]."""
    found = []
    for u in range(len(first_p)):
        for v in range(len(second_p[u])):
            p, q = first_p[u] * second_p[u][v], first_q[u] * second_q[u][v]
            found.append(
                {"u": u, "v": v, "p": p, "q": q, "log_ratio": log_ratio(p, q), "share": kl_share(p, q)}
            )
    return found


def direct_kl(paths):
    """Return the trajectory KL as the direct sum over all trajectories."""
    return settled_sum([path["share"] for path in paths])


def binary_with_kl(nats):
    """Return the distribution [x, 1 - x], x >= 1/2, whose KL to the uniform one over two actions is `nats`.

    0 <= nats <= log 2. By bisection: the KL grows with x.
    """
    low, high = 0.5, 1.0
    if nats <= 0:
        return [low, 1.0 - low]
    while low < (low + high) / 2 < high:
        middle = (low + high) / 2
        if kl([middle, 1.0 - middle], [0.5, 0.5]) < nats:
            low = middle
        else:
            high = middle
    return [high, 1.0 - high]
