"""The policy: two digits in, two digits out, one after the other; its gradient derived by hand.

Shapes: leading axes `...` (runs), I inputs, K first digits per input, H hidden units, ten actions per step.
    hidden z  = one-hot(a) A + one-hot(b) B + bias            [..., I, H]
    logits u  = tanh(z) F + f                                 [..., I, 10]
    logits v  = tanh(z + embedding[u]) S + s                  [..., I, K, 10]
"""

from types import SimpleNamespace

import numpy as np

ACTIONS = 10


def shapes(hidden):
    """Return name -> shape of every parameter, in the order in which they are stored. hidden: H."""
    return {
        "digit_a": (ACTIONS, hidden),
        "digit_b": (ACTIONS, hidden),
        "bias": (hidden,),
        "first": (hidden, ACTIONS),
        "first_bias": (ACTIONS,),
        "embedding": (ACTIONS, hidden),
        "second": (hidden, ACTIONS),
        "second_bias": (ACTIONS,),
    }


def parameter_count(hidden):
    """Return how many numbers the policy has: 51 H + 20."""
    return sum(int(np.prod(shape)) for shape in shapes(hidden).values())


def initial(generator, hidden, deviation):
    """Return parameters of one run: weights from N(0, deviation^2), biases 0. generator: numpy's, advanced."""
    return {
        name: generator.normal(0.0, deviation, shape) if len(shape) == 2 else np.zeros(shape)
        for name, shape in shapes(hidden).items()
    }


def stacked(runs):
    """Return the parameters of several runs as one, with a new leading axis."""
    return {name: np.stack([run[name] for run in runs]) for name in runs[0]}


def flat(parameters):
    """Return the parameters in a row, in stored order. -> [..., 51 H + 20]."""
    bias = parameters["bias"]
    hidden = bias.shape[-1]
    return np.concatenate(
        [parameters[name].reshape(*bias.shape[:-1], -1) for name in shapes(hidden)], axis=-1
    )


def named(row, hidden):
    """Return parameters by name from a row in stored order, as views. row [..., 51 H + 20]."""
    found, start = {}, 0
    for name, shape in shapes(hidden).items():
        size = int(np.prod(shape))
        found[name] = row[..., start : start + size].reshape(*row.shape[:-1], *shape)
        start += size
    return found


def one_hot(actions):
    """Return rows of the identity. actions [...] whole numbers -> [..., 10]."""
    return np.eye(ACTIONS)[actions]


def log_softmax(z):
    """Return log softmax over the last axis, in nats, shifted so that nothing overflows."""
    z = z - z.max(axis=-1, keepdims=True)
    z -= np.log(np.exp(z).sum(axis=-1, keepdims=True))
    return z


def transposed(matrix):
    """Return a matrix, or a stack of them, with rows and columns exchanged."""
    return np.swapaxes(matrix, -1, -2)


def step(active, weights, bias):
    """Return log softmax of active times weights plus bias. active [..., N, H] -> [..., N, 10].

    The actions lie along the outer axis in memory: maximum and sum over them then take a third of the time.
    """
    logits = transposed(weights) @ transposed(active) + bias[..., :, None]  # [..., 10, N]
    return log_softmax(transposed(logits))


def first_step(parameters, a, b):
    """Return what the first step computes. a, b: one-hot digits [..., I, 10]; log_u [..., I, 10]."""
    z = a @ parameters["digit_a"] + b @ parameters["digit_b"] + parameters["bias"][..., None, :]
    active = np.tanh(z)
    log_u = step(active, parameters["first"], parameters["first_bias"])
    return SimpleNamespace(a=a, b=b, z=z, active=active, log_u=log_u)


def second_step(parameters, first, taken):
    """Return what the second step computes after the first digits taken.

    taken: one-hot u [..., I * K, 10], input by input; log_v [..., I * K, 10].
    """
    after = taken @ parameters["embedding"]  # [..., I * K, H]
    inputs, hidden = first.z.shape[-2:]
    z = first.z[..., :, None, :] + after.reshape(*after.shape[:-2], inputs, -1, hidden)  # [..., I, K, H]
    active = np.tanh(z.reshape(*z.shape[:-3], -1, hidden))
    log_v = step(active, parameters["second"], parameters["second_bias"])
    return SimpleNamespace(taken=taken, active=active, log_v=log_v)


def backward(parameters, first, second, d_u, d_v):
    """Return the gradient of a quantity from its derivatives with respect to the logits of both steps.

    d_u [..., I, 10], d_v [..., I * K, 10] -> name -> array like the parameter. Inputs and samples are summed.
    """
    d_after = d_v @ transposed(parameters["second"])  # [..., I * K, H]
    d_after *= 1.0 - second.active**2
    inputs, hidden = first.z.shape[-2:]
    d_z = d_after.reshape(*d_after.shape[:-2], inputs, -1, hidden).sum(axis=-2)  # [..., I, H]
    d_z += (d_u @ transposed(parameters["first"])) * (1.0 - first.active**2)
    return {
        "digit_a": transposed(first.a) @ d_z,
        "digit_b": transposed(first.b) @ d_z,
        "bias": d_z.sum(axis=-2),
        "first": transposed(first.active) @ d_u,
        "first_bias": d_u.sum(axis=-2),
        "embedding": transposed(second.taken) @ d_after,
        "second": transposed(second.active) @ d_v,
        "second_bias": d_v.sum(axis=-2),
    }
