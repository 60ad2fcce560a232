"""An exact expectation: two steps, every trajectory enumerated, the gradient of E[R] by two routes.

Independent of the clipped objective: no ratio, no clip, no KL, no sampling.
First-step features [d]; second-step features base + per_action * a depend on the first action a.
"""

from .matrices import add, largest_difference, outer, zeros_like
from .plain import plain
from .policy import log_softmax, logits, probabilities


def distributions(setup, parameters):
    """Return the first distribution [V], each second one [V][V], and the second-step features [V][d]."""
    first = probabilities(log_softmax(logits(setup["first"], parameters)))
    features = [
        [base + slope * a for base, slope in zip(setup["second_base"], setup["second_per_action"])]
        for a in range(len(first))
    ]
    return first, [probabilities(log_softmax(logits(x, parameters))) for x in features], features


def scores(probs, action):
    """Return d log p(action) / dz = 1[v = action] - p_v. [V] -> [V]."""
    return [(1.0 if v == action else 0.0) - p for v, p in enumerate(probs)]


def expectation(setup, parameters):
    """Return E[R] over all V * V trajectories, its gradient by two routes, and the table of trajectories.

    setup: first, second_base, second_per_action [d], rewards [V][V]. parameters [d][V].
    gradient: differentiate sum pi(a) pi(b|a) R(a, b) by the product rule.
    score_gradient: sum over trajectories of R * probability * grad log probability.
    Source: the score-function identity, Williams (1992).
    """
    first, second, features = distributions(setup, parameters)
    direct = zeros_like(parameters)
    score_route = zeros_like(parameters)
    trajectories = []
    total = mass = 0.0
    for a, pi_a in enumerate(first):
        inner = 0.0  # E[R | a], and its gradient with p (R - E) on the second logits
        for b, pi_b in enumerate(second[a]):
            reward = setup["rewards"][a][b]
            probability = pi_a * pi_b
            contribution = probability * reward
            trajectories.append(
                {
                    "first": a,
                    "second": b,
                    "probability": probability,
                    "reward": reward,
                    "contribution": contribution,
                }
            )
            total += contribution
            mass += probability
            inner += pi_b * reward
            add(score_route, contribution, outer(setup["first"], scores(first, a)))
            add(score_route, contribution, outer(features[a], scores(second[a], b)))
        second_slope = [p * (r - inner) for p, r in zip(second[a], setup["rewards"][a])]
        first_slope = [inner * pi_a * s for s in scores(first, a)]
        add(direct, 1.0, outer(setup["first"], first_slope))
        add(direct, pi_a, outer(features[a], second_slope))
    return plain(
        {
            "reward": total,
            "probability": mass,
            "gradient": direct,
            "score_gradient": score_route,
            "difference": largest_difference(direct, score_route),
            "trajectories": trajectories,
        }
    )
