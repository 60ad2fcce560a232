"""The policy: features times parameters are logits, their softmax is a distribution over actions.

Shapes: x [d] features of one position, W [d][V] parameters, z [V] logits, p [V] probabilities.
"""

from math import exp, log


def logits(features, parameters):
    """Return z = x W.

    features [d], parameters [d][V] -> [V]. Source: the linear policy of the page, section 01.
    """
    totals = [0.0] * len(parameters[0])
    for x, row in zip(features, parameters):
        for v, weight in enumerate(row):
            totals[v] += x * weight
    return totals


def log_softmax(z):
    """Return log softmax(z), in nats, shifted by the largest logit so that nothing overflows.

    z [V] -> [V]. Accurate where a probability underflows: its logarithm stays finite.
    """
    largest = max(z)
    total = 0.0
    for value in z:
        total += exp(value - largest)
    log_total = log(total)
    return [value - largest - log_total for value in z]


def behaviour_policy(setup, features):
    """Return log p_old [V] at one position: the policy that sampled the batch, saved once."""
    return log_softmax(logits(features, setup["behaviour"]))


def reference_policy(setup, features):
    """Return log p_ref [V] at one position: the anchor of the KL term, another fixed policy."""
    return log_softmax(logits(features, setup["reference"]))


def probabilities(log_probs):
    """Return p = exp(log p). log_probs [V] -> [V]."""
    return [exp(value) for value in log_probs]
