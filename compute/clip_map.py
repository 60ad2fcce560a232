"""The clipped surrogate over the plane of ratio w and advantage A, beside its wrong twin: clip first, then multiply.

Six regions: the sign of A times w below, inside or above the interval [1 - eps, 1 + eps].
"""

from .fault_clips import clipped_without_minimum
from .objective import clip, clipped_surrogate

WHERE = ("below", "inside", "above")


def where(ratio, clip_epsilon):
    """Return whether the ratio lies below, inside or above the interval; the bounds belong to it."""
    return "below" if ratio < 1.0 - clip_epsilon else "above" if ratio > 1.0 + clip_epsilon else "inside"


def clip_point(ratio, advantage, clip_epsilon):
    """Return both products, the surrogate, whether it saturates, the twin, and how far the twin is off."""
    right = clipped_surrogate(ratio, advantage, clip_epsilon)
    twin = clipped_without_minimum(ratio, advantage, clip_epsilon)
    return {
        "ratio": ratio,
        "advantage": advantage,
        "where": where(ratio, clip_epsilon),
        "bounded": clip(ratio, 1.0 - clip_epsilon, 1.0 + clip_epsilon),
        "unclipped": right.unclipped,
        "clipped_term": right.clipped_term,
        "surrogate": right.value,
        "slope": right.slope,
        "saturates": right.is_clipped,
        "twin": twin.value,
        "twin_slope": twin.slope,
        "twin_error": twin.value - right.value,
        "twin_differs": twin.slope != right.slope,
    }


def regions(clip_epsilon):
    """Return the six regions, and for each whether the gradient flows there, and whether the twin's does."""
    found = []
    for sign in (1.0, -1.0):
        for place, ratio in zip(WHERE, (0.5 * (1.0 - clip_epsilon), 1.0, 1.5 * (1.0 + clip_epsilon))):
            point = clip_point(ratio, sign, clip_epsilon)
            flows, twin_flows = point["slope"] != 0, point["twin_slope"] != 0
            found.append({"sign": sign, "where": place, "flows": flows, "twin_flows": twin_flows})
    return found
