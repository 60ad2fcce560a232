"""Leave-one-out REINFORCE under a KL-regularised strict reward: one fresh batch, one gradient step.

Neither PPO nor full GRPO: no clipping, no division by a standard deviation, no batch used twice.
Shapes: R runs, I inputs of a batch, K samples per input.
"""

from types import SimpleNamespace

import numpy as np

from .policy import ACTIONS, backward, first_step, one_hot, second_step
from .task import DIGIT_A, DIGIT_B


def draw(generators, training, inputs, samples):
    """Return one batch per seed: inputs without replacement [S, I], and the uniform numbers of both steps.

    generators: one per seed, advanced; training: the indices of the training inputs -> inputs [S, I], [S, I, K, 2].
    """
    chosen, uniforms = [], []
    for generator in generators:
        chosen.append(training[generator.permutation(len(training))[:inputs]])
        uniforms.append(generator.random((inputs, samples, 2)))
    return np.stack(chosen), np.stack(uniforms)


def inverse_cdf(log_probs, uniforms):
    """Return the action in whose slice of [0, 1) each uniform number lies.

    log_probs [..., 10], uniforms [...] -> whole numbers [...].
    """
    probabilities = np.exp(log_probs)
    bound, action = 0.0, np.zeros(uniforms.shape, dtype=int)
    for k in range(ACTIONS - 1):  # so that rounding cannot give an eleventh action
        bound = bound + probabilities[..., k]
        action += bound <= uniforms
    return action


def leave_one_out(returns):
    """Return each sample's return minus the mean of the other K - 1 of its input. returns [..., K] -> [..., K].

    Source: Kool, van Hoof and Welling (2019).
    """
    others = returns.sum(axis=-1, keepdims=True) - returns
    return returns - others / (returns.shape[-1] - 1)


def sampled(parameters, inputs, uniforms):
    """Return K trajectories per input from the current policy. inputs [R, I], uniforms [R, I, K, 2]."""
    runs, count, samples, _ = uniforms.shape
    first = first_step(parameters, one_hot(DIGIT_A[inputs]), one_hot(DIGIT_B[inputs]))
    u = inverse_cdf(first.log_u[:, :, None, :], uniforms[..., 0])  # [R, I, K]
    second = second_step(parameters, first, one_hot(u).reshape(runs, count * samples, ACTIONS))
    log_v = second.log_v.reshape(runs, count, samples, ACTIONS)
    v = inverse_cdf(log_v, uniforms[..., 1])
    log_p = np.take_along_axis(first.log_u, u, axis=-1)
    log_p = log_p + np.take_along_axis(log_v, v[..., None], axis=-1)[..., 0]
    return SimpleNamespace(first=first, second=second, u=u, v=v, log_p=log_p)


def policy_gradient(parameters, batch, advantages):
    """Return the gradient to climb: the batch's mean of advantage times the score of the sampled trajectory.

    advantages [R, I, K], constants: nothing is differentiated through them.
    """
    share = advantages / (batch.u.shape[-1] * batch.u.shape[-2])  # [R, I, K]
    taken_u = batch.second.taken.reshape(*batch.u.shape, ACTIONS)
    d_u = (share[..., None] * (taken_u - np.exp(batch.first.log_u)[:, :, None, :])).sum(axis=-2)
    rows = batch.second.log_v.shape  # [R, I * K, 10]
    d_v = share.reshape(*rows[:2], 1) * (one_hot(batch.v).reshape(rows) - np.exp(batch.second.log_v))
    return backward(parameters, batch.first, batch.second, d_u, d_v)


def log_ratios(batch, inputs, log_q):
    """Return log p - log q of the sampled trajectories. log_q: of every trajectory [R, 100, 10, 10] -> [R, I, K]."""
    run = np.arange(len(inputs))[:, None, None]
    return batch.log_p - log_q[run, inputs[..., None], batch.u, batch.v]


def returns_of(batch, inputs, ratios, right, beta):
    """Return R - beta (log p - log q), R the strict reward. right: u [100], v [100]; beta [R] -> [R, I, K]."""
    u, v = right
    hit = (batch.u == u[inputs][..., None]) & (batch.v == v[inputs][..., None])
    return hit - beta[:, None, None] * ratios


def climb(parameters, gradient, rate):
    """Change the parameters by one step of plain gradient ascent. rate [R]."""
    for name, slope in gradient.items():
        parameters[name] += rate.reshape(-1, *[1] * (slope.ndim - 1)) * slope
