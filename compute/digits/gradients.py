"""The gradient of E[R] - beta KL on the full enumeration, two right ways and two wrong ones.

Every expectation is exact: the hundred trajectories of each input, each weighted by its probability.
Shapes: R runs, I inputs; a derivative is said with respect to the logits, d_u [R, I, 10] and d_v [R, I * 10, 10].
"""

import numpy as np

from .evaluation import enumerated, trajectory_log_probs
from .policy import ACTIONS, backward, flat


def rewards_of(u, v):
    """Return the strict reward of every trajectory. u, v: right answers [I] -> [I, 10, 10]."""
    found = np.zeros((len(u), ACTIONS, ACTIONS))
    found[np.arange(len(u)), u, v] = 1.0
    return found


def by_score(table, weights):
    """Return the sum over trajectories of weight times score, divided by the inputs. weights [R, I, 10, 10].

    score of step 1: one-hot(u) - p(.); of step 2: one-hot(v) - p(. | u).
    """
    after = weights.sum(axis=-1)  # [R, I, 10]
    d_u = after - np.exp(table.log_u) * after.sum(axis=-1, keepdims=True)
    d_v = weights - np.exp(table.log_v) * after[..., None]
    inputs = d_u.shape[-2]
    return d_u / inputs, d_v.reshape(*d_u.shape[:-2], inputs * ACTIONS, ACTIONS) / inputs


def by_jacobian(table, log_q, rewards, beta):
    """Return the direct derivative of E[R] - beta KL: with respect to p, then through the softmax's Jacobian.

    Nothing is left out: d (p log p) / d p = log p + 1, so the -beta of the bracket's derivative is in it.
    """
    p_u, p_v = np.exp(table.log_u), np.exp(table.log_v)
    slope = rewards - beta[:, None, None, None] * (trajectory_log_probs(table) - log_q + 1.0)
    d_p_u = (p_v * slope).sum(axis=-1)  # [R, I, 10]
    d_p_v = p_u[..., None] * slope  # [R, I, 10, 10]
    inputs = p_u.shape[-2]
    d_u = np.einsum("...ij,...i->...j", jacobian(p_u), d_p_u)
    d_v = np.einsum("...ij,...i->...j", jacobian(p_v), d_p_v)
    return d_u / inputs, d_v.reshape(*d_u.shape[:-2], inputs * ACTIONS, ACTIONS) / inputs


def jacobian(p):
    """Return d p_i / d z_j of a softmax. p [..., 10] -> [..., 10, 10]."""
    return p[..., :, None] * (np.eye(ACTIONS) - p[..., None, :])


def weights(table, log_q, rewards, beta):
    """Return, by name, what multiplies each trajectory's score. beta [R] -> each [R, I, 10, 10].

    right: p times the return R - beta log(p / q), not differentiated.
    product: differentiating (return times log p) whole; its score also gets -beta log p.
    value_only: differentiating only the value of the sampled KL; its return loses log(p / q), and keeps a constant.
    """
    log_p, beta = trajectory_log_probs(table), beta[:, None, None, None]
    p, returns = np.exp(log_p), rewards - beta * (log_p - log_q)
    return {
        "right": p * returns,
        "product": p * (returns - beta * log_p),
        "value_only": p * (rewards - beta),
    }


def exact_gradient(parameters, log_q, inputs, rewards, beta):
    """Return the exact gradient of the mean over the inputs of E[R] - beta KL, by name of the parameter.

    log_q [R, I, 10, 10], inputs: which [I], rewards [I, 10, 10], beta [R].
    """
    table = enumerated(parameters, inputs)
    derivatives = by_score(table, weights(table, log_q, rewards, beta)["right"])
    return backward(parameters, table.first, table.second, *derivatives)


def length(rows):
    """Return the Euclidean length of each row."""
    return np.sqrt((rows**2).sum(axis=-1))


def gradient_checks(parameters, log_q, inputs, rewards, beta):
    """Return, of each run: the right gradient's length, how far the direct derivative is, and both wrong ones' errors.

    identity: largest difference between the two right ways, relative above 1. product, value_only: the length of the
    difference from the right gradient, divided by the right gradient's length. -> name -> [R].
    Source: Williams (1992); the two wrong ones after Tang and Munos (2025).
    """
    table = enumerated(parameters, inputs)
    rows = {
        name: flat(backward(parameters, table.first, table.second, *by_score(table, weight)))
        for name, weight in weights(table, log_q, rewards, beta).items()
    }
    derivatives = by_jacobian(table, log_q, rewards, beta)
    direct = flat(backward(parameters, table.first, table.second, *derivatives))
    right, size = rows["right"], length(rows["right"])
    return {
        "length": size,
        "identity": (np.abs(direct - right) / np.maximum(1.0, np.abs(right))).max(axis=-1),
        "product": length(rows["product"] - right) / size,
        "value_only": length(rows["value_only"] - right) / size,
    }
