"""Small numbers of the fault atlas: right beside wrong at one point, and what libraries do that is no path here.

Every right and every wrong number comes from the very rules that the paths follow, at an example small enough to
check by hand. The examples are given; nothing depends on the configuration.
"""

from math import exp, log, sqrt

from ..fault_policies import SAMPLER_TEMPERATURE
from ..objective import clip
from ..paths import CORRECT, PATHS
from ..plain import plain
from ..policy import log_softmax, probabilities
from ..rollout import Position, group_advantages
from ..rounding import settled_sum
from .float32 import float32, mean32, standard_deviation32

EPSILON = 0.2
BETA = 0.1
CURRENT, REFERENCE = [0.5, 0.3, 0.2], [0.2, 0.5, 0.3]  # p and p_ref at one position
ONE_RIGHT = [1.0, 0.0, 0.0, 0.0]  # rewards
UNDEFINED = float("nan")


def fault_notes():
    """Return the smallest right and wrong numbers of each path, and the notes beside the paths."""
    return plain(
        {
            "smallest": smallest(),
            "clip_counts": clip_counts([1.5, 1.5, 0.5, 1.0], [1.0] * 4),
            "equal_rewards_float32": equal_rewards_float32(0.1, 8, (1e-9, 1e-8, 1e-6, 1e-4)),
            "leave_one_out": leave_one_out(ONE_RIGHT, 1e-6),
            "nothing_valid": nothing_valid(),
            "equal_rewards_kl": equal_rewards_kl(),
            "false_alarms": false_alarms(),
        }
    )


def smallest():
    """Return for each wrong path the smallest example: what it is given, right, wrong."""
    found = {
        "clip-then-multiply": surrogates("clip-then-multiply", 0.5, 1.0),
        "min-before-advantage": surrogates("min-before-advantage", 2.0, -1.0),
        "unclipped-averaged": surrogates("unclipped-averaged", 1.5, 1.0),
        "clip-to-epsilon": surrogates("clip-to-epsilon", 0.5, -1.0),
        "ratio-always-one": stale_ratios("ratio-always-one", [1.0, 1.15, 1.3]),
        "old-not-detached": stale_ratios("old-not-detached", [1.0, 1.15, 1.3]),
        "old-is-reference": {
            "current": CURRENT,
            "reference": REFERENCE,
            "right": [1.0, 1.0, 1.0],
            "wrong": [p / q for p, q in zip(CURRENT, REFERENCE)],
        },
        "reference-follows": {
            "current": CURRENT,
            "reference": REFERENCE,
            "right": exact().value,
            "wrong": divergences(CORRECT, CURRENT)[0].value,
        },
        "kl-subtracted": {
            "current": CURRENT,
            "reference": REFERENCE,
            "beta": BETA,
            "right": BETA * exact().value,
            "wrong": PATHS["kl-subtracted"].kl_sign * BETA * exact().value,
        },
        "own-group": {
            "rewards": ONE_RIGHT,
            "right": group_advantages(ONE_RIGHT),
            "wrong": group_advantages(ONE_RIGHT, PATHS["own-group"].group),
        },
        "masked-in-denominator": means(
            "masked-in-denominator", [1.0] * 6, [(0, "token")] * 2 + [(0, "masked")] * 4
        ),
        "mask-ignored": means(
            "mask-ignored", [1.0, 1.0, 7.0, 7.0], [(0, "token")] * 2 + [(0, "padding")] * 2
        ),
        "mean-of-micro-batches": means(
            "mean-of-micro-batches", [1.0, 0.0, 0.0, 0.0], [(0, "token")] + [(2, "token")] * 3
        ),
        "other-normalization": means(
            "other-normalization", [-1.0, 1.0, 1.0, 1.0, 1.0], [(0, "token")] + [(1, "token")] * 4
        ),
        "double-negation": {
            "ratio": 1.0,
            "advantage": 1.0,
            "right": -1.0,
            "wrong": -PATHS["double-negation"].policy_sign,
        },
        "product-ratio": product([1.1, 0.9, 1.5]),
        "temperature-mismatch": temperature([1.0, 0.0, 0.0], SAMPLER_TEMPERATURE),
    }
    for name in ("kl-without-gradient", "kl-k1-in-loss", "kl-k3-in-loss", "kl-k3-upside-down", "kl-reversed"):
        found[name] = kl_terms(name)
    return {name: found[name] for name in PATHS if name in found}


def surrogates(path, rho, advantage):
    """Return u and its slope in log rho at one point, right and wrong."""
    right = CORRECT.surrogate(rho, advantage, EPSILON)
    wrong = PATHS[path].surrogate(rho, advantage, EPSILON)
    return {
        "ratio": rho,
        "advantage": advantage,
        "clip_epsilon": EPSILON,
        "right": right.value,
        "wrong": wrong.value,
        "right_gradient": right.slope * rho,
        "wrong_gradient": wrong.slope * rho,
    }


def stale_ratios(path, ratios):
    """Return what A = 1 gives at these ratios, and what is left of it where old is recomputed: rho = 1."""
    right = [CORRECT.surrogate(rho, 1.0, EPSILON) for rho in ratios]
    wrong = [PATHS[path].surrogate(1.0, 1.0, EPSILON) for _ in ratios]
    return {
        "ratios": ratios,
        "advantage": 1.0,
        "clip_epsilon": EPSILON,
        "right": [found.value for found in right],
        "wrong": [found.value for found in wrong],
        "right_gradient": [found.slope * rho for found, rho in zip(right, ratios)],
        "wrong_gradient": [found.slope for found in wrong],
    }


def divergences(path, reference):
    """Return the Divergence of CURRENT from a reference, for each action taken."""
    log_p, log_q = [[log(value) for value in table] for table in (CURRENT, reference)]
    return [path.divergence(log_p, log_q, CURRENT, action) for action in range(len(CURRENT))]


def exact():
    """Return the exact KL(p || p_ref) of the example, with its gradient."""
    return divergences(CORRECT, REFERENCE)[0]


def kl_terms(path):
    """Return the KL figure of each action taken, its expectation under p, and the expected gradient."""
    each = divergences(PATHS[path], REFERENCE)
    gradient = [
        settled_sum([p * found.gradient[v] for p, found in zip(CURRENT, each)]) for v in range(len(CURRENT))
    ]
    values = [found.value for found in each]
    estimates = (
        {"each_action": values} if min(values) < max(values) else {}
    )  # an exact figure knows no action
    return estimates | {
        "current": CURRENT,
        "reference": REFERENCE,
        "right": exact().value,
        "wrong": settled_sum([p * value for p, value in zip(CURRENT, values)]),
        "right_gradient": exact().gradient,
        "wrong_gradient": gradient,
    }


def means(path, losses, places):
    """Return the weighted mean of token losses, right (token) and wrong. places: (response, kind) of each."""
    positions = [Position(i, t, kind, None, None) for t, (i, kind) in enumerate(places)]
    sums = []
    for weights in (CORRECT.weights, PATHS[path].weights):
        total = 0.0
        for weight, loss in zip(weights(positions, "token"), losses):
            total += weight * loss
        sums.append(total)
    return {
        "losses": losses,
        "responses": [i + 1 for i, _ in places],
        "kinds": [kind for _, kind in places],
        "right": sums[0],
        "wrong": sums[1],
    }


def product(ratios):
    """Return one ratio for all, beside the single ones, and both clipped (A > 0)."""
    total = 0.0
    for rho in ratios:
        total += log(rho)
    low, high = CORRECT.bounds(EPSILON)
    return {
        "ratios": ratios,
        "clip_epsilon": EPSILON,
        "right": [clip(rho, low, high) for rho in ratios],
        "product": exp(total),
        "geometric_mean": exp(total / len(ratios)),
        "wrong": clip(exp(total), low, high),
    }


def temperature(logits, sampler_temperature):
    """Return sampler and trainer distributions of the same logits, and the ratios before any update."""
    trainer = log_softmax(logits)
    sampler = log_softmax([z / sampler_temperature for z in logits])
    return {
        "temperature": sampler_temperature,
        "trainer": probabilities(trainer),
        "sampler": probabilities(sampler),
        "right": [1.0] * len(logits),
        "wrong": [exp(now - old) for now, old in zip(trainer, sampler)],
    }


def clip_counts(ratios, advantages):
    """Return the shares of three counts on the same positions, each called a clip fraction somewhere.

    binding: the clipped branch is strictly smaller. outside: |rho - 1| > eps whatever the sign. wrong_side: the
    unclipped branch is the smaller one, the comparison turned round.
    """
    low, high = CORRECT.bounds(EPSILON)
    found = [CORRECT.surrogate(rho, a, EPSILON) for rho, a in zip(ratios, advantages)]
    count = len(ratios)
    return {
        "ratios": ratios,
        "advantages": advantages,
        "binding": len([u for u in found if u.is_clipped]) / count,
        "outside": len([rho for rho in ratios if rho < low or rho > high]) / count,
        "wrong_side": len([u for u in found if u.unclipped < u.clipped_term]) / count,
    }


def equal_rewards_float32(reward, count, epsilons):
    """Return what equal rewards leave in float32: a mean that misses them, and A = (r - mean) / (std + eps)."""
    rewards = [float32(reward)] * count
    mean = mean32(rewards)
    deviation = standard_deviation32(rewards)
    return {
        "reward": reward,
        "count": count,
        "residue": mean - rewards[0],
        "deviation": deviation,
        "advantages": [
            {
                "epsilon": epsilon,
                "advantage": float32(float32(rewards[0] - mean) / float32(deviation + float32(epsilon))),
            }
            for epsilon in epsilons
        ],
    }


def leave_one_out(rewards, floor):
    """Return baselines, deviations and advantages against the other responses: a deviation of 0 with a floor."""
    baselines, deviations = [], []
    for i in range(len(rewards)):
        others = [reward for j, reward in enumerate(rewards) if j != i]
        mean = square = 0.0
        for reward in others:
            mean += reward / len(others)
        for reward in others:
            square += (reward - mean) ** 2 / len(others)
        baselines.append(mean)
        deviations.append(sqrt(square))
    return {
        "rewards": rewards,
        "floor": floor,
        "baselines": baselines,
        "deviations": deviations,
        "advantages": [(r - b) / (d + floor) for r, b, d in zip(rewards, baselines, deviations)],
    }


def nothing_valid():
    """Return the mean over no position: undefined as it stands, 0 with a small number or 1 below the line."""
    numerator = denominator = 0.0
    return {
        "numerator": numerator,
        "denominator": denominator,
        "plain": UNDEFINED,  # 0 / 0: Python raises where float64 has nan
        "small_number": numerator / (denominator + 1e-8),
        "at_least_one": numerator / max(denominator, 1.0),
    }


def equal_rewards_kl():
    """Return what moves a group of equal rewards: no advantage, but beta times the gradient of KL."""
    return {
        "advantages": group_advantages([1.0] * 4),
        "beta": BETA,
        "kl_gradient": [BETA * g for g in exact().gradient],
    }


def false_alarms():
    """Return numbers that look like mistakes and are none."""
    unclipped, clipped_term = 1.5, 1.2
    start = CORRECT.surrogate(1.0, 1.0, EPSILON).value, CORRECT.surrogate(1.0, -1.0, EPSILON).value
    return {
        # The maximum of the negatives is minus the minimum.
        "maximum_of_negatives": max(-unclipped, -clipped_term),
        "minus_minimum": -min(unclipped, clipped_term),
        # A < 0 and a large ratio: the loss has no bound.
        "large_ratio": 5.0,
        "loss_of_large_ratio": -CORRECT.surrogate(5.0, -1.0, EPSILON).value,
        # Advantages 1 and -1 before any update: the loss is 0, its slopes are not.
        "loss_at_start": -(start[0] + start[1]) / 2 + 0.0,
        "slopes_at_start": [-CORRECT.surrogate(1.0, a, EPSILON).slope / 2 for a in (1.0, -1.0)],
        # One sampled log(p / p_ref) may be negative; their mean is not.
        "sampled_kl": [found.value for found in divergences(PATHS["kl-k1-in-loss"], REFERENCE)],
        "exact_kl": exact().value,
    }
