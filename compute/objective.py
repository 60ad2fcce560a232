"""The objective of one position: ratio, clipped surrogate, exact KL, and their derivatives in the logits.

Every derivative is written by hand; there is no automatic differentiation. Natural logarithms, KL in nats.
"""

from collections import namedtuple
from math import exp

from .matrices import added

# One position at given parameters; None where no action was taken.
Term = namedtuple(
    "Term",
    "logits log_probs probs divergence log_prob_old log_prob ratio surrogate policy_gradient dlogits",
)

INFINITY = float("inf")
LARGEST_EXPONENT = 709.782712893384  # exp of more is beyond float64

# unclipped = ratio * A, clipped_term = clip(ratio) * A, value = the smaller one,
# slope = d value / d ratio.
Surrogate = namedtuple("Surrogate", "unclipped clipped_term value is_clipped slope")

# value = KL in nats, gradient [V] = d value / d logits.
Divergence = namedtuple("Divergence", "value gradient")


def exp_or_infinity(exponent):
    """Return exp(exponent), or infinity where float64 has no such number (exp would raise)."""
    return INFINITY if exponent > LARGEST_EXPONENT else exp(exponent)


def ratio(log_prob, log_prob_old):
    """Return rho = exp(log p(a) - log p_old(a)); infinity where float64 has no such number.

    Source: PPO (2017), equation 6.
    """
    return exp_or_infinity(log_prob - log_prob_old)


def clip(value, low, high):
    """Return value moved into [low, high]."""
    return low if value < low else high if value > high else value


def declared_bounds(clip_epsilon):
    """Return the interval that the ratio is clipped to."""
    return 1.0 - clip_epsilon, 1.0 + clip_epsilon


def clipped_surrogate(rho, advantage, clip_epsilon):
    """Return u = min(rho A, clip(rho, 1 - eps, 1 + eps) A) and its slope in rho.

    Clipped means: the clipped branch is strictly smaller, so the slope is 0 (A > 0 and rho > 1 + eps, or
    A < 0 and rho < 1 - eps). Source: PPO (2017), equation 7.
    """
    if advantage == 0:
        return Surrogate(0.0, 0.0, 0.0, False, 0.0)
    unclipped = rho * advantage
    clipped_term = clip(rho, 1.0 - clip_epsilon, 1.0 + clip_epsilon) * advantage
    if clipped_term < unclipped:
        return Surrogate(unclipped, clipped_term, clipped_term, True, 0.0)
    return Surrogate(unclipped, clipped_term, unclipped, False, advantage)


def surrogate_gradient(slope, rho, action, probs, log_probs, log_prob_old):
    """Return d(-u)/dz = -slope * rho * (1[v = a] - p_v). probs, log_probs [V] -> [V].

    The derivative of rho in the logits is rho * (1[v = a] - p_v), the score times the ratio. Where rho itself is
    beyond float64, its products with the probabilities, rho * p_v, may still be within: they are taken from logs.
    """
    if slope == 0:
        return [0.0] * len(probs)
    if rho == INFINITY:
        log_rho = log_probs[action] - log_prob_old
        gradient = [slope * exp_or_infinity(log_rho + log_p) for log_p in log_probs]
    else:
        scale = slope * rho
        gradient = [scale * p for p in probs]
    gradient[action] = 0.0
    gradient[action] = -added(gradient)  # 1 - p_a as the sum of the others: exact where p_a is nearly 1
    return gradient


def exact_kl(log_probs, reference_log_probs, probs, action=None):
    """Return KL(p || p_ref), the exact sum over all V actions, and its gradient in the logits of p.

    d KL / d z_v = p_v (log(p_v / p_ref_v) - KL). All [V]. Forward direction: weighted by the current p.
    The action taken does not matter: every action counts.
    """
    log_ratios = [log_p - log_q for log_p, log_q in zip(log_probs, reference_log_probs)]
    total = 0.0
    for p, log_ratio in zip(probs, log_ratios):
        total += p * log_ratio
    return Divergence(total, [p * (log_ratio - total) for p, log_ratio in zip(probs, log_ratios)])
