"""Wrong KL terms: estimates at the one action taken, another direction, a term without a gradient.

Each returns a Divergence: the figure that enters the loss and the log, and its gradient in the logits of p.
An estimate needs an action: where none was taken its value is None.
"""

from math import exp

from .matrices import added
from .objective import Divergence, exact_kl, exp_or_infinity


def detached_kl(log_probs, reference_log_probs, probs, action=None):
    """Return the exact KL(p || p_ref) with no gradient: it is in the loss, and moves nothing."""
    return Divergence(exact_kl(log_probs, reference_log_probs, probs).value, [0.0] * len(probs))


def reversed_kl(log_probs, reference_log_probs, probs, action=None):
    """Return KL(p_ref || p), weighted by the reference. Its gradient is p - p_ref."""
    reference = [exp(value) for value in reference_log_probs]
    total = 0.0
    for q, log_q, log_p in zip(reference, reference_log_probs, log_probs):
        total += q * (log_q - log_p)
    return Divergence(total, [p - q for p, q in zip(probs, reference)])


def k1(log_probs, reference_log_probs, probs, action):
    """Return log p - log p_ref at the action taken: its gradient does not know the reference."""
    if action is None:
        return without_action(probs)
    return Divergence(log_probs[action] - reference_log_probs[action], score(action, probs))


def k3(log_probs, reference_log_probs, probs, action):
    """Return e^d - d - 1 with d = log p_ref - log p at the action taken. Slope in log p: 1 - e^d."""
    if action is None:
        return without_action(probs)
    d = reference_log_probs[action] - log_probs[action]
    quotient = exp_or_infinity(d)
    return Divergence(quotient - d - 1.0, [(1.0 - quotient) * s for s in score(action, probs)])


def k3_upside_down(log_probs, reference_log_probs, probs, action):
    """Return e^d - d - 1 with d = log p - log p_ref: the quotient is upside down. Slope in log p: e^d - 1."""
    if action is None:
        return without_action(probs)
    d = log_probs[action] - reference_log_probs[action]
    quotient = exp_or_infinity(d)
    return Divergence(quotient - d - 1.0, [(quotient - 1.0) * s for s in score(action, probs)])


def score(action, probs):
    """Return d log p(a) / dz = 1[v = a] - p_v, with 1 - p_a as the sum of the others. probs [V] -> [V]."""
    slopes = [-p for p in probs]
    slopes[action] = 0.0
    slopes[action] = -added(slopes)
    return slopes


def without_action(probs):
    """Return no figure: there is nothing to estimate from."""
    return Divergence(None, [0.0] * len(probs))
