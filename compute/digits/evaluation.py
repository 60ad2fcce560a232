"""Everything about a policy by enumeration: all hundred trajectories of every input.

Shapes: leading axes `...` (runs), I inputs, u and v the two digits.
"""

from types import SimpleNamespace

import numpy as np

from .policy import ACTIONS, first_step, one_hot, second_step
from .task import DIGIT_A, DIGIT_B

ALL = np.eye(ACTIONS)


def enumerated(parameters, inputs=slice(None)):
    """Return log p(u) [..., I, 10] and log p(v | u) [..., I, 10, 10], with what backward needs. inputs: which."""
    a, b = one_hot(DIGIT_A[inputs]), one_hot(DIGIT_B[inputs])
    first = first_step(parameters, a, b)
    second = second_step(parameters, first, np.tile(ALL, (len(a), 1)))
    log_v = second.log_v.reshape(*second.log_v.shape[:-2], len(a), ACTIONS, ACTIONS)
    return SimpleNamespace(log_u=first.log_u, log_v=log_v, first=first, second=second)


def trajectory_log_probs(table):
    """Return log p(u, v) of all trajectories. -> [..., I, 10, 10]."""
    return table.log_u[..., None] + table.log_v


def expected_reward(table, u, v):
    """Return p(u) p(v | u) of the right answers u, v [I]: the expected strict reward of each input. -> [..., I]."""
    each = np.arange(len(u))
    return np.exp(table.log_u[..., each, u] + table.log_v[..., each, u, v])


def direct_kl(table, reference):
    """Return KL(p || q) of the trajectories of each input, in nats, as the sum over all of them. -> [..., I].

    Never below 0: what rounding leaves there, where p is q or very near, is 0.
    """
    log_p = trajectory_log_probs(table)
    total = (np.exp(log_p) * (log_p - trajectory_log_probs(reference))).sum(axis=-1).sum(axis=-1)
    return np.maximum(total, 0.0)


def chain_kl(table, reference):
    """Return the same by the chain rule: KL of step 1 + sum over u of p(u) KL of step 2 given u. -> [..., I].

    Source: Cover and Thomas (2006), theorem 2.5.3.
    """
    first = np.exp(table.log_u) * (table.log_u - reference.log_u)
    second = (np.exp(table.log_v) * (table.log_v - reference.log_v)).sum(axis=-1)  # [..., I, 10]
    return (first + np.exp(table.log_u) * second).sum(axis=-1)


def sum_error(table):
    """Return how far the probabilities of the hundred trajectories are from summing to 1. -> [..., I]."""
    return np.abs(np.exp(trajectory_log_probs(table)).sum(axis=-1).sum(axis=-1) - 1.0)


def evaluated(parameters, reference, u, v):
    """Return reward, KL (direct), and the two errors, of every input. reference: an enumerated table."""
    table = enumerated(parameters)
    kl = direct_kl(table, reference)
    return SimpleNamespace(
        reward=expected_reward(table, u, v),
        kl=kl,
        kl_error=np.abs(kl - chain_kl(table, reference)),
        sum_error=sum_error(table),
    )
