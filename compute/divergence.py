"""KL divergence between two distributions over paths, where a path may have probability 0.

p: the current policy, q: the reference, each a list of probabilities [Y]. Natural logarithms, KL in nats.
No small number stands in for a 0: that would be the divergence of other distributions.
"""

from math import log

INFINITY = float("inf")
UNDEFINED = float("nan")


def log_ratio(p, q):
    """Return log(p / q) of one path: inf where only q is 0, -inf where only p is, undefined where both are."""
    if p > 0 and q > 0:
        quotient = p / q
        if 0.5 < quotient < 2:
            return log_near_one((p - q) / q)
        return log(quotient) if 0 < quotient < INFINITY else log(p) - log(q)
    return INFINITY if p > 0 else -INFINITY if q > 0 else UNDEFINED


def log_near_one(x):
    """Return log(1 + x), to the last digits for a small x too (MicroPython has no log1p).

    Source: Goldberg (1991), theorem 4.
    """
    above = 1.0 + x
    return x if above == 1.0 else log(above) * x / (above - 1.0)


def kl_share(p, q):
    """Return p log(p / q), one path's part of KL(p || q): 0 where p is 0, the limit of x log x."""
    return p * log_ratio(p, q) if p > 0 else 0.0


def kl(p, q):
    """Return KL(p || q) = sum over paths of p log(p / q), weighted by p; infinite where q is 0 and p is not.

    p, q [Y] -> nats. KL(q || p) is kl(q, p), another quantity. Source: Kullback and Leibler (1951).
    """
    total = 0.0
    for p_y, q_y in zip(p, q):
        total += kl_share(p_y, q_y) + (
            q_y - p_y
        )  # q - p sums to 0; with it no term is negative, however near q is
    return total if total > 0 else 0.0


def outside_support(p, q):
    """Return the indices of the paths that p takes and q does not: those that make KL(p || q) infinite."""
    return [y for y in range(len(p)) if p[y] > 0 and q[y] == 0]
