"""The supervised start: cross-entropy on all hundred inputs, with Adam; then the reference, a frozen copy of it."""

import hashlib

import numpy as np

from .policy import backward, first_step, flat, initial, one_hot, second_step, stacked
from .task import DIGIT_A, DIGIT_B, streams, targets

FIRST_MOMENT, SECOND_MOMENT, TINY = 0.9, 0.999, 1e-8


def loss_and_gradient(parameters, u, v):
    """Return the mean of -log p(u) - log p(v | u) over the inputs, and its gradient. u, v: targets [100].

    -> loss [...], gradient by name.
    """
    right_u, right_v = one_hot(u), one_hot(v)  # [100, 10]
    first = first_step(parameters, one_hot(DIGIT_A), one_hot(DIGIT_B))
    second = second_step(parameters, first, right_u)
    total = (first.log_u * right_u + second.log_v * right_v).sum(axis=(-1, -2))
    d_u = (np.exp(first.log_u) - right_u) / len(u)
    d_v = (np.exp(second.log_v) - right_v) / len(u)
    return -total / len(u), backward(parameters, first, second, d_u, d_v)


def adam(parameters, gradient, moments, step, rate):
    """Change parameters and moments by one step of Adam. step: from 1. Source: Kingma and Ba (2015)."""
    for name, slope in gradient.items():
        mean, square = moments[name]
        mean += (1.0 - FIRST_MOMENT) * (slope - mean)
        square += (1.0 - SECOND_MOMENT) * (slope**2 - square)
        unbiased = square / (1.0 - SECOND_MOMENT**step)
        parameters[name] -= rate / (1.0 - FIRST_MOMENT**step) * mean / (np.sqrt(unbiased) + TINY)


def supervised_start(setup, number=float):
    """Return the parameters of every seed after the supervised steps, and their last loss. -> [seeds, ...], [seeds].

    number: numpy's type for them.
    """
    made = [initial(streams(seed)[0], setup["hidden"], setup["initial_deviation"]) for seed in setup["seeds"]]
    parameters = {name: value.astype(number) for name, value in stacked(made).items()}
    u, v = targets(setup["operation"])
    moments = {name: (np.zeros_like(value), np.zeros_like(value)) for name, value in parameters.items()}
    for step in range(1, setup["supervised"]["steps"] + 1):
        adam(parameters, loss_and_gradient(parameters, u, v)[1], moments, step, setup["supervised"]["rate"])
    return parameters, loss_and_gradient(parameters, u, v)[0]


def frozen(parameters):
    """Return a deep copy that shares no array and refuses to be written to: the reference."""
    copies = {name: value.copy() for name, value in parameters.items()}
    for value in copies.values():
        value.setflags(write=False)
    return copies


def digests(parameters):
    """Return the SHA-256 of each run's parameters, as little-endian float64 in stored order. -> list of text."""
    return [
        hashlib.sha256(np.ascontiguousarray(row, "<f8").tobytes()).hexdigest() for row in flat(parameters)
    ]
