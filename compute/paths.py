"""Implementation paths: which rule each part of the objective follows.

`correct` is the objective as declared. A wrong path is one variation of it: the same tuple with the part
that it gets wrong replaced, so that a reader sees in a line what differs.
"""

from collections import namedtuple

from .objective import clipped_surrogate, exact_kl
from .rollout import declared_weights, group_advantages

Path = namedtuple("Path", "advantages weights surrogate divergence")

PATHS = {
    "correct": Path(
        advantages=group_advantages,
        weights=declared_weights,
        surrogate=clipped_surrogate,
        divergence=exact_kl,
    ),
}
