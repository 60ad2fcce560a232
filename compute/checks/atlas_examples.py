"""The atlas's smallest examples and notes once more, each number from what is said of it, with fifty digits.

Nothing is imported from the core; what an example is given is written again. Every slope is a central difference: in
log rho for the clips, in the logits for the KL figures, and what a path holds still stays still. Call inside
workdps(DIGITS).
"""

from mpmath import exp, log, mpf, sqrt

STEP = mpf(10) ** -15  # of a difference: its error is about STEP ** 2
EPSILON, BETA, TEMPERATURE, FLOOR = mpf(0.2), mpf(0.1), mpf(0.7), mpf(1e-6)
CURRENT, REFERENCE = [[mpf(p) for p in table] for table in ([0.5, 0.3, 0.2], [0.2, 0.5, 0.3])]
ONE_RIGHT = [1, 0, 0, 0]


def atlas_by_definition():
    """Return the atlas's smallest examples and its notes as a tree with the ids of the page."""
    return {
        "paths": {name: {"smallest": example} for name, example in smallest().items()},
        "notes": {
            "clip_counts": clip_counts([mpf(1.5), mpf(1.5), mpf(0.5), mpf(1)], [1, 1, 1, 1]),
            "leave_one_out": leave_one_out(ONE_RIGHT),
            "nothing_valid": {
                "numerator": 0,
                "denominator": 0,
                "plain": "nan",
                "small_number": 0 / mpf(1e-8),
                "at_least_one": 0 / mpf(1),
            },
            "equal_rewards_kl": {
                "advantages": standard_scores([1, 1, 1, 1]),
                "beta": BETA,
                "kl_gradient": [BETA * slope for slope in expected_gradient(exact_kl)],
            },
            "false_alarms": false_alarms(),
        },
    }


def smallest():
    """Return the smallest example of every wrong path: what it is given, right, wrong."""
    wrong_clips = {
        "clip-then-multiply": (0.5, 1, lambda rho, A: within(rho) * A),
        "min-before-advantage": (2.0, -1, lambda rho, A: min(rho, within(rho)) * A),
        "unclipped-averaged": (1.5, 1, lambda rho, A: rho * A),
        "clip-to-epsilon": (0.5, -1, lambda rho, A: min(rho * A, within(rho, EPSILON) * A)),
    }
    kl, policies = exact_kl(CURRENT, 0), {"current": CURRENT, "reference": REFERENCE}
    weighed = {
        "masked-in-denominator": ([1] * 6, [1] * 6, 2, lambda losses: sum(losses[:2]) / 6),
        "mask-ignored": ([1, 1, 7, 7], [1] * 4, 2, lambda losses: sum(losses) / 4),
        "mean-of-micro-batches": (
            [1, 0, 0, 0],
            [1, 3, 3, 3],
            4,
            lambda x: (mean(x[:1]) + mean(x[1:])) / 2,
        ),
        "other-normalization": (
            [-1, 1, 1, 1, 1],
            [1, 2, 2, 2, 2],
            5,
            lambda x: (mean(x[:1]) + mean(x[1:])) / 2,
        ),
    }
    return {
        **{name: clip_example(*example) for name, example in wrong_clips.items()},
        "ratio-always-one": stale_example(moves=False),
        "old-not-detached": stale_example(moves=True),
        "old-is-reference": {
            **policies,
            "right": [1, 1, 1],
            "wrong": [p / q for p, q in zip(CURRENT, REFERENCE)],
        },
        "reference-follows": {**policies, "right": kl, "wrong": 0},
        "kl-subtracted": {**policies, "beta": BETA, "right": BETA * kl, "wrong": -BETA * kl},
        **{name: kl_example(figure) for name, figure in KL_FIGURES.items()},
        "own-group": {"rewards": ONE_RIGHT, "right": standard_scores(ONE_RIGHT), "wrong": ONE_RIGHT},
        **{name: mean_example(*example) for name, example in weighed.items()},
        "double-negation": {"ratio": 1, "advantage": 1, "right": -1, "wrong": 1},
        "product-ratio": product_example([mpf(1.1), mpf(0.9), mpf(1.5)]),
        "temperature-mismatch": temperature_example([1, 0, 0]),
    }


def slope(function, at):
    """Return the derivative of a function of one number, as a difference."""
    return (function(at + STEP) - function(at - STEP)) / (2 * STEP)


def mean(values):
    """Return the mean."""
    return sum(values, mpf(0)) / len(values)


def within(rho, low=1 - EPSILON):
    """Return rho, or the bound that it has passed."""
    return sorted([low, rho, 1 + EPSILON])[1]


def gain(rho, A):
    """Return the declared u = min(rho A, clip(rho) A)."""
    return min(rho * A, within(rho) * A)


def clip_example(rho, A, wrong):
    """Return u and its slope in log rho at one point, right and wrong."""
    rho = mpf(rho)
    return {
        "ratio": rho,
        "advantage": A,
        "clip_epsilon": EPSILON,
        "right": gain(rho, A),
        "wrong": wrong(rho, A),
        "right_gradient": slope(lambda x: gain(exp(x), A), log(rho)),
        "wrong_gradient": slope(lambda x: wrong(exp(x), A), log(rho)),
    }


def stale_example(moves):
    """Return u and its slope where the old policy is the current one; moves: it is differentiated too."""
    ratios = [mpf(1), mpf(1.15), mpf(1.3)]

    def wrong(log_p, held):
        return gain(exp(log_p - (log_p if moves else held)), 1)

    return {
        "ratios": ratios,
        "advantage": 1,
        "clip_epsilon": EPSILON,
        "right": [gain(rho, 1) for rho in ratios],
        "wrong": [wrong(log(rho), log(rho)) for rho in ratios],
        "right_gradient": [slope(lambda x: gain(exp(x), 1), log(rho)) for rho in ratios],
        "wrong_gradient": [slope(lambda x, rho=rho: wrong(x, log(rho)), log(rho)) for rho in ratios],
    }


def exact_kl(p, action):
    """Return KL(p || p_ref), whatever the action."""
    return sum(a * log(a / b) for a, b in zip(p, REFERENCE))


def k3(d):
    """Return e^d - d - 1."""
    return exp(d) - d - 1


KL_FIGURES = {  # the figure of a policy at the action taken
    "kl-without-gradient": lambda p, action: exact_kl(CURRENT, action),
    "kl-k1-in-loss": lambda p, action: log(p[action]) - log(REFERENCE[action]),
    "kl-k3-in-loss": lambda p, action: k3(log(REFERENCE[action]) - log(p[action])),
    "kl-k3-upside-down": lambda p, action: k3(log(p[action]) - log(REFERENCE[action])),
    "kl-reversed": lambda p, action: sum(b * log(b / a) for a, b in zip(p, REFERENCE)),
}


def moved(v, by):
    """Return the current policy with one logit moved."""
    weights = [p * exp(by) if k == v else p for k, p in enumerate(CURRENT)]
    return [weight / sum(weights) for weight in weights]


def expected_gradient(figure):
    """Return the gradient in the logits of a figure, each action weighted by its probability, which stays."""
    return [
        sum(p * slope(lambda by: figure(moved(v, by), action), 0) for action, p in enumerate(CURRENT))  # noqa: B023
        for v in range(len(CURRENT))
    ]


def kl_example(figure):
    """Return a figure for each action, where the action matters, its expectation, and its expected gradient."""
    each = [figure(CURRENT, action) for action in range(len(CURRENT))]
    return {
        **({"each_action": each} if max(each) - min(each) > STEP else {}),
        "current": CURRENT,
        "reference": REFERENCE,
        "right": exact_kl(CURRENT, 0),
        "wrong": sum(p * value for p, value in zip(CURRENT, each)),
        "right_gradient": expected_gradient(exact_kl),
        "wrong_gradient": expected_gradient(figure),
    }


def mean_example(losses, responses, counted, wrong):
    """Return the mean of the first losses, which count, beside a wrong one. counted: how many do."""
    losses = [mpf(loss) for loss in losses]
    right = mean(losses[:counted])
    return {"losses": losses, "responses": responses, "right": right, "wrong": wrong(losses)}


def product_example(ratios):
    """Return each ratio clipped, beside the one product of all."""
    product = ratios[0] * ratios[1] * ratios[2]
    return {
        "ratios": ratios,
        "clip_epsilon": EPSILON,
        "right": [within(rho) for rho in ratios],
        "product": product,
        "geometric_mean": product ** (mpf(1) / 3),
        "wrong": within(product),
    }


def temperature_example(logits):
    """Return the policy of these logits, the sampler's at its temperature, and their ratios."""
    trainer, sampler = [
        [exp(z / heat) / sum(exp(other / heat) for other in logits) for z in logits]
        for heat in (mpf(1), TEMPERATURE)
    ]
    return {
        "temperature": TEMPERATURE,
        "trainer": trainer,
        "sampler": sampler,
        "right": [1] * len(logits),
        "wrong": [p / old for p, old in zip(trainer, sampler)],
    }


def standard_scores(rewards):
    """Return (r - mean) / population standard deviation, 0 for equal rewards."""
    if len(set(rewards)) == 1:
        return [0] * len(rewards)
    apart = [r - mean(rewards) for r in rewards]
    return [a / sqrt(mean([b * b for b in apart])) for a in apart]


def clip_counts(ratios, advantages):
    """Return the three shares that are called a clip fraction."""
    both = [(rho * A, within(rho) * A, rho) for rho, A in zip(ratios, advantages)]
    return {
        "ratios": ratios,
        "advantages": advantages,
        "binding": mean([int(cut < plain) for plain, cut, _ in both]),
        "outside": mean([int(abs(rho - 1) > EPSILON) for _, _, rho in both]),
        "wrong_side": mean([int(plain < cut) for plain, cut, _ in both]),
    }


def leave_one_out(rewards):
    """Return the advantages against the other responses, with a small number beside their deviation."""
    others = [rewards[:i] + rewards[i + 1 :] for i in range(len(rewards))]
    baselines = [mean(values) for values in others]
    deviations = [sqrt(mean([(r - b) ** 2 for r in values])) for values, b in zip(others, baselines)]
    return {
        "rewards": rewards,
        "floor": FLOOR,
        "baselines": baselines,
        "deviations": deviations,
        "advantages": [(r - b) / (d + FLOOR) for r, b, d in zip(rewards, baselines, deviations)],
    }


def false_alarms():
    """Return the numbers that look like mistakes and are none."""
    return {
        "maximum_of_negatives": max(-mpf(1.5), -mpf(1.2)),
        "minus_minimum": -min(mpf(1.5), mpf(1.2)),
        "large_ratio": 5,
        "loss_of_large_ratio": -gain(mpf(5), -1),
        "loss_at_start": mean([-gain(mpf(1), A) for A in (1, -1)]),
        "slopes_at_start": [slope(lambda rho, A=A: -gain(rho, A) / 2, mpf(1)) for A in (1, -1)],
        "sampled_kl": [log(p) - log(q) for p, q in zip(CURRENT, REFERENCE)],
        "exact_kl": exact_kl(CURRENT, 0),
    }
