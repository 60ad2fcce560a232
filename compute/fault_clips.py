"""Wrong surrogates: the same ratio, advantage and clip range, put together in another way.

Each returns a Surrogate: both products, what is averaged, whether a bound cuts its gradient, its slope in rho.
Where A = 0 all of them are 0, as in the correct one.
"""

from .objective import Surrogate, clip, clipped_surrogate

NEUTRAL = Surrogate(0.0, 0.0, 0.0, False, 0.0)


def epsilon_bounds(clip_epsilon):
    """Return the interval when eps is taken for the lower bound itself."""
    return clip_epsilon, 1.0 + clip_epsilon


def clipped_without_minimum(rho, advantage, clip_epsilon):
    """Return u = clip(rho) A: no minimum, so that a bound also cuts where going on would lower u."""
    if advantage == 0:
        return NEUTRAL
    bounded = clip(rho, 1.0 - clip_epsilon, 1.0 + clip_epsilon)
    cut = bounded != rho
    return Surrogate(
        rho * advantage, bounded * advantage, bounded * advantage, cut, 0.0 if cut else advantage
    )


def minimum_of_ratios(rho, advantage, clip_epsilon):
    """Return u = min(rho, clip(rho)) A: the minimum is taken before the sign of A is known."""
    if advantage == 0:
        return NEUTRAL
    bounded = clip(rho, 1.0 - clip_epsilon, 1.0 + clip_epsilon)
    cut = bounded < rho
    value = min(rho, bounded) * advantage
    return Surrogate(rho * advantage, bounded * advantage, value, cut, 0.0 if cut else advantage)


def unclipped_product(rho, advantage, clip_epsilon):
    """Return u = rho A: both terms are computed, the unclipped one is averaged."""
    if advantage == 0:
        return NEUTRAL
    right = clipped_surrogate(rho, advantage, clip_epsilon)
    return Surrogate(right.unclipped, right.clipped_term, right.unclipped, False, advantage)


def clipped_to_epsilon(rho, advantage, clip_epsilon):
    """Return u = min(rho A, clip(rho, eps, 1 + eps) A): the lower bound is eps, not 1 - eps."""
    if advantage == 0:
        return NEUTRAL
    low, high = epsilon_bounds(clip_epsilon)
    unclipped, clipped_term = rho * advantage, clip(rho, low, high) * advantage
    cut = clipped_term < unclipped
    return Surrogate(unclipped, clipped_term, min(unclipped, clipped_term), cut, 0.0 if cut else advantage)


def constant_ratio(rho, advantage, clip_epsilon):
    """Return the correct surrogate without a slope: old moves with the policy, the ratio cannot."""
    right = clipped_surrogate(rho, advantage, clip_epsilon)
    return Surrogate(right.unclipped, right.clipped_term, right.value, False, 0.0)
