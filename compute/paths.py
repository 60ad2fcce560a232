"""Implementation paths: which rule each part of the objective follows.

`correct` is the objective as declared. A wrong path is one variation of it: the same tuple with the part
that it gets wrong replaced, so that a reader sees in a line what differs.
"""

from collections import namedtuple

from . import fault_advantages, fault_clips, fault_kl, fault_policies, fault_ratio, fault_weights
from .objective import clipped_surrogate, declared_bounds, exact_kl
from .policy import behaviour_policy, reference_policy
from .rollout import declared_weights, group_statistics, lay_out

PARTS = (
    "layout",  # (setup, keep) -> positions
    "group",  # rewards -> mean and deviation that the advantages take
    "weights",  # (positions, normalization) -> w [P]
    "old",  # (setup, features) -> log p_old [V], or None: the current policy's own, at every update
    "reference",  # (setup, features) -> log p_ref [V], or None likewise
    "surrogate",  # (rho, A, eps) -> u with its slope
    "bounds",  # eps -> the interval that the surrogate clips to
    "divergence",  # (log p, log p_ref, p, action) -> the KL figure with its gradient
    "coupling",  # (batch, terms) -> terms, where positions depend on each other; None: they do not
    "policy_sign",  # L = sum of w (-policy_sign u + kl_sign beta KL)
    "kl_sign",
)

Path = namedtuple("Path", PARTS)

CORRECT = Path(
    layout=lay_out,
    group=group_statistics,
    weights=declared_weights,
    old=behaviour_policy,
    reference=reference_policy,
    surrogate=clipped_surrogate,
    bounds=declared_bounds,
    divergence=exact_kl,
    coupling=None,
    policy_sign=1.0,
    kl_sign=1.0,
)


def but(**parts):
    """Return the correct path with some parts replaced."""
    return Path(*[parts.get(name, getattr(CORRECT, name)) for name in PARTS])


PATHS = {
    "correct": CORRECT,
    "clip-then-multiply": but(surrogate=fault_clips.clipped_without_minimum),
    "min-before-advantage": but(surrogate=fault_clips.minimum_of_ratios),
    "unclipped-averaged": but(surrogate=fault_clips.unclipped_product),
    "clip-to-epsilon": but(surrogate=fault_clips.clipped_to_epsilon, bounds=fault_clips.epsilon_bounds),
    "ratio-always-one": but(old=fault_policies.current_policy),
    "old-not-detached": but(old=fault_policies.current_policy, surrogate=fault_clips.constant_ratio),
    "old-is-reference": but(old=reference_policy),
    "reference-follows": but(reference=fault_policies.current_policy),
    "kl-subtracted": but(kl_sign=-1.0),
    "kl-without-gradient": but(divergence=fault_kl.detached_kl),
    "kl-k1-in-loss": but(divergence=fault_kl.k1),
    "kl-k3-in-loss": but(divergence=fault_kl.k3),
    "kl-k3-upside-down": but(divergence=fault_kl.k3_upside_down),
    "kl-reversed": but(divergence=fault_kl.reversed_kl),
    "own-group": but(group=fault_advantages.own_group),
    "masked-in-denominator": but(weights=fault_weights.over_padded_width),
    "mask-ignored": but(layout=fault_weights.act_everywhere, weights=fault_weights.over_everything),
    "mean-of-micro-batches": but(weights=fault_weights.mean_of_micro_batches),
    "other-normalization": but(weights=fault_weights.other_normalization),
    "double-negation": but(policy_sign=-1.0),
    "product-ratio": but(coupling=fault_ratio.one_ratio_per_response),
    "temperature-mismatch": but(old=fault_policies.cooler_sampler),
}
