"""Why a wrong path never differs from the correct one within a run: the first reason whose condition holds.

Each condition sees the setup, the settings, and the right and the wrong (batch, evaluations 0 ... steps).
Each is sufficient: where it holds, the paths it is listed for cannot differ.
"""

from .policy import logits
from .update import evaluate_positions

CLIPS = ("clip-then-multiply", "min-before-advantage", "unclipped-averaged", "clip-to-epsilon")
RATIOS = ("ratio-always-one", "old-not-detached", "old-is-reference", "product-ratio", "temperature-mismatch")
WEIGHTS = ("masked-in-denominator", "mask-ignored", "mean-of-micro-batches", "other-normalization")
SIGNED = ("kl-subtracted", "kl-without-gradient")
FIGURES = ("reference-follows", "kl-k3-in-loss", "kl-k3-upside-down", "kl-reversed")
VALID_ONLY = (
    CLIPS
    + RATIOS
    + SIGNED
    + FIGURES
    + ("kl-k1-in-loss", "own-group", "double-negation")
    + ("masked-in-denominator", "mean-of-micro-batches", "other-normalization")
)


def nothing_valid(setup, settings, right, wrong):
    """No position counts: both skip every update."""
    return not any(right[0].weights)


def advantages_zero(setup, settings, right, wrong):
    """All rewards are equal, so that every advantage and every surrogate is 0, whatever the ratio."""
    return not any(right[0].advantages)


def beta_zero(setup, settings, right, wrong):
    """The KL term has no weight in the loss, and the figure logged is the same."""
    return settings["beta"] == 0


def at_reference(setup, settings, right, wrong):
    """The policy is the reference and stays there: every KL figure and its gradient are 0."""
    start = setup["initial"]
    return start == setup["reference"] and all([e.parameters == start for e in right[1]])


def at_reference_without_beta(setup, settings, right, wrong):
    """The policy is the reference and stays there, and beta is 0: k1 itself is 0, and its pull has no weight."""
    return beta_zero(setup, settings, right, wrong) and at_reference(setup, settings, right, wrong)


def bounds_agree(setup, settings, right, wrong):
    """The clip range is 1/2: eps and 1 - eps are the same bound."""
    return settings["clip_epsilon"] == 1.0 - settings["clip_epsilon"]


def never_outside(setup, settings, right, wrong):
    """No ratio that counts ever leaves [1 - eps, 1 + eps], nor [eps, 1 + eps] where that is the path's."""
    inside = [evaluation.outside == 0 for evaluation in right[1]]
    return all(inside) and (settings["path"] != "clip-to-epsilon" or settings["clip_epsilon"] <= 0.5)


def never_on_that_side(setup, settings, right, wrong):
    """Ratios leave the interval, but never where the two rules part: value and slope agree everywhere."""
    batch, other = right[0], wrong[0].path.surrogate
    for evaluation in right[1]:
        for position, weight, term in zip(
            batch.positions, batch.weights, evaluate_positions(batch, evaluation.parameters)
        ):
            if weight:
                a = term.surrogate
                b = other(term.ratio, batch.advantages[position.response], batch.clip_epsilon)
                if (a.value, a.slope) != (b.value, b.slope):
                    return False
    return True


def ratios_stay_one(setup, settings, right, wrong):
    """The policy starts as the behaviour policy and never moves: every ratio is 1 as it is."""
    start = setup["initial"]
    return start == setup["behaviour"] and all([e.parameters == start for e in right[1]])


def reference_is_behaviour(setup, settings, right, wrong):
    """Reference and behaviour policy are the same parameters."""
    return setup["reference"] == setup["behaviour"]


def behaviour_uniform(setup, settings, right, wrong):
    """The behaviour policy is uniform wherever a position counts: no temperature changes it."""
    for position, weight in zip(right[0].positions, right[0].weights):
        z = logits(position.features, setup["behaviour"])
        if weight and any([value != z[0] for value in z]):
            return False
    return True


def one_valid_each(setup, settings, right, wrong):
    """No response has two positions that count: the product has one factor."""
    return max(lengths(right)) <= 1


def rewards_standardised(setup, settings, right, wrong):
    """The rewards have mean 0 and deviation 1 already, or all are 0: they are the advantages."""
    return right[0].advantages == wrong[0].advantages


def nothing_masked(setup, settings, right, wrong):
    """Every position after the prompt counts: nothing is left out of the sum."""
    return all([position.kind in ("prompt", "token") for position in right[0].positions])


def one_micro_batch(setup, settings, right, wrong):
    """There are at most two responses: one micro-batch holds all."""
    return len(lengths(right)) <= 2


def equal_micro_batches(setup, settings, right, wrong):
    """Every micro-batch holds as many valid positions (token) or non-empty responses (response) as any other."""
    sizes = lengths(right)
    if settings["normalization"] == "response":
        sizes = [1 if size else 0 for size in sizes]
    held = [sum(sizes[n : n + 2]) for n in range(0, len(sizes), 2)]
    return held[0] > 0 and all([size == held[0] for size in held])


def one_response(setup, settings, right, wrong):
    """Only one response has positions that count: it is the whole mean."""
    return len([size for size in lengths(right) if size]) == 1


def equal_lengths(setup, settings, right, wrong):
    """All responses with positions that count have the same number of them: both means weigh alike."""
    sizes = [size for size in lengths(right) if size]
    return len(sizes) > 0 and all([size == sizes[0] for size in sizes])


def nothing_to_weigh(setup, settings, right, wrong):
    """Equal rewards, and a policy that is the reference: every term is 0, whatever its weight."""
    return not any(right[0].advantages) and setup["initial"] == setup["reference"]


def lengths(right):
    """Return the number of positions that count in each response, under the correct weights."""
    batch = right[0]
    sizes = [0] * (batch.positions[-1].response + 1)
    for position, weight in zip(batch.positions, batch.weights):
        if weight:
            sizes[position.response] += 1
    return sizes


# Known from the setup and the settings alone.
AT_ONCE = (
    ("nothing-valid", VALID_ONLY, nothing_valid),
    ("equal-rewards", CLIPS + RATIOS + ("double-negation",), advantages_zero),
    ("bounds-agree", ("clip-to-epsilon",), bounds_agree),
    ("reference-is-behaviour", ("old-is-reference",), reference_is_behaviour),
    ("behaviour-uniform", ("temperature-mismatch",), behaviour_uniform),
    ("one-valid-each", ("product-ratio",), one_valid_each),
    ("beta-zero", SIGNED, beta_zero),
    ("rewards-standardised", ("own-group",), rewards_standardised),
    ("nothing-masked", ("masked-in-denominator",), nothing_masked),
    ("one-micro-batch", ("mean-of-micro-batches",), one_micro_batch),
    ("equal-micro-batches", ("mean-of-micro-batches",), equal_micro_batches),
    ("one-response", ("other-normalization",), one_response),
    ("equal-lengths", ("other-normalization",), equal_lengths),
    ("nothing-to-weigh", WEIGHTS, nothing_to_weigh),
)

# Known when all updates are.
AFTER_A_RUN = (
    ("never-outside", CLIPS, never_outside),
    ("never-on-that-side", CLIPS, never_on_that_side),
    ("ratios-stay-one", ("ratio-always-one",), ratios_stay_one),
    ("at-reference", SIGNED + FIGURES, at_reference),
    ("at-reference-beta-zero", ("kl-k1-in-loss",), at_reference_without_beta),
)

REASONS = AT_ONCE + AFTER_A_RUN


def reason_among(reasons, setup, settings, right, wrong):
    """Return the key of the first of these reasons that holds for settings["path"], or None."""
    for key, paths, holds in reasons:
        if settings["path"] in paths and holds(setup, settings, right, wrong):
            return key
    return None
