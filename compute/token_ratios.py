"""Token ratios multiply: the ratio of a whole trajectory is their product, its log the sum of their logs."""

from math import log

from .clip_map import where
from .matrices import added


def trajectory_ratio(token_ratios):
    """Return the product of token ratios. [T] -> ratio."""
    product = 1.0
    for ratio in token_ratios:
        product *= ratio
    return product


def equal_ratios(token_ratio, length, clip_epsilon):
    """Return the trajectory ratio for 1 ... length tokens that all have the same ratio.

    by_length: length and ratio; first_outside: the first length at which the product leaves [1 - eps, 1 + eps], None
    if none of these does; token_inside: whether each token ratio by itself lies in that interval.
    """
    by_length = [
        {"length": tokens, "ratio": trajectory_ratio([token_ratio] * tokens)}
        for tokens in range(1, length + 1)
    ]
    outside = [item["length"] for item in by_length if where(item["ratio"], clip_epsilon) != "inside"]
    return {
        "log_token": log(token_ratio),
        "log_sum": added([log(token_ratio)] * length),
        "ratio": by_length[-1]["ratio"],
        "token_inside": where(token_ratio, clip_epsilon) == "inside",
        "first_outside": outside[0] if outside else None,
        "by_length": by_length,
    }
