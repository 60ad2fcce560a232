"""The clip plateaus: surrogate / |A| against the ratio, and where this batch's positions lie on them."""

from .objective import clip
from .paths import PATHS
from .plain import plain

MARGIN = 0.15  # free space left and right of what has to be seen, in units of the ratio


def plateaus(positions, clip_epsilon, path="correct"):
    """Return both curves, and the points of the positions that count.

    positions: those of a state. clip_epsilon, path: of its settings; the curves are the path's own.
    curves: ratio with min(ratio, 1 + eps) for A > 0 and -max(ratio, 1 - eps) for A < 0, at the corners only.
    counts: of the positions that count: all, on each curve, and the two groups on neither.
    points: index, ratio, height = surrogate / |A|, is_clipped. neutral: indices with A = 0, which lie on no curve.
    beyond: indices whose ratio or surrogate float64 cannot hold.
    """
    counted = [(k, p) for k, p in enumerate(positions) if p["weight"] and p["ratio"] is not None]
    finite = [
        (k, p) for k, p in counted if not isinstance(p["ratio"], str) and not isinstance(p["surrogate"], str)
    ]
    drawn = [p["ratio"] for k, p in finite if p["advantage"]]
    rule = PATHS[path]
    low, high = rule.bounds(clip_epsilon)
    left = max(0.0, min([low] + drawn) - MARGIN)
    right = max([high] + drawn) + MARGIN
    corners = [left, low, 1.0, high, right]
    points = [point(k, p, low, high) for k, p in finite if p["advantage"]]
    neutral = [k for k, p in counted if not p["advantage"]]
    drawn_indices = [k for k, p in finite]
    beyond = [k for k, p in counted if p["advantage"] and k not in drawn_indices]
    positive = [item for item in points if item["sign"] > 0]
    return plain(
        {
            "low": low,
            "high": high,
            "corners": corners,
            "positive": [rule.surrogate(rho, 1.0, clip_epsilon).value for rho in corners],
            "negative": [rule.surrogate(rho, -1.0, clip_epsilon).value for rho in corners],
            "counts": {
                "counted": len(counted),
                "positive": len(positive),
                "negative": len(points) - len(positive),
                "neutral": len(neutral),
                "beyond": len(beyond),
            },
            "points": points,
            "neutral": neutral,
            "beyond": beyond,
        }
    )


def point(k, position, low, high):
    """Return where a position with A != 0 and a finite ratio lies."""
    return {
        "index": k,
        "sign": 1 if position["advantage"] > 0 else -1,
        "ratio": position["ratio"],
        "clipped_ratio": clip(position["ratio"], low, high),
        "height": position["surrogate"] / abs(position["advantage"]),
        "is_clipped": position["is_clipped"],
    }
