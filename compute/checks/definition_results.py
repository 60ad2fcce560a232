"""The main page's numbers from the definition of the loss with fifty digits, as a tree with the ids of the page."""

from mpmath import mpf

from .fifty_digits import Objective, exact, softmax


def update_by_definition(setup, settings, expected):
    """Return state and expectation; on the correct path only. Derivatives are differences. Inside workdps(DIGITS)."""
    objective = Objective(setup, settings)
    now = objective.after(exact(setup["initial"]), settings["step"])
    at, gradient = objective.at(now), objective.gradient(now)
    following = objective.after(now, 1)
    next_at = objective.at(following)
    width = max(len(response["actions"]) for response in setup["responses"])
    rows = [{} for _ in range(len(setup["responses"]) * (width + 1))]
    for weight, (i, t, x, action, _, reference) in zip(objective.weights, objective.counted):
        rows[i * (width + 1) + 1 + t] = {
            "weight": weight,
            "advantage": objective.advantages[i],
            "features": x,
            "ratio": at["ratios"][i, t],
            "probs": at["probs"][i, t],
            "prob": at["probs"][i, t][action],
            "prob_next": next_at["probs"][i, t][action],
            "ref_probs": reference,
        }
    return {
        "loss": at["loss"],
        "kl": at["kl"],
        "loss_next": next_at["loss"],
        "advantages": objective.advantages,
        "W": now,
        "gradient": gradient,
        "W_next": following,
        "counted": len(objective.counted),
        "positions": rows,
        "expectation": expectation(setup, expected),
    }


def expectation(setup, expected):
    """Return E[R] of the two steps, summed over all trajectories, and its gradient by differences."""
    initial = exact(setup["initial"])
    step = mpf(10) ** -15
    slopes = []
    for j, row in enumerate(initial):
        slopes.append([])
        for v in range(len(row)):
            rewards = []
            for sign in (1, -1):
                moved = [list(values) for values in initial]
                moved[j][v] += sign * step
                rewards.append(sum(chance * reward for chance, reward in trajectories(expected, moved)))
            slopes[j].append((rewards[0] - rewards[1]) / (2 * step))
    table = trajectories(expected, initial)
    return {
        "reward": sum(chance * reward for chance, reward in table),
        "gradient": slopes,
        "score_gradient": slopes,
        "trajectories": [
            {"probability": chance, "reward": reward, "contribution": chance * reward}
            for chance, reward in table
        ],
    }


def trajectories(expected, parameters):
    """Return (probability, reward) of every trajectory."""
    first = [mpf(x) for x in expected["first"]]
    base, slope = [[mpf(x) for x in expected[name]] for name in ("second_base", "second_per_action")]
    found = []
    for a, p in enumerate(softmax(first, parameters)):
        features = [x + y * a for x, y in zip(base, slope)]
        found += [(p * q, mpf(r)) for q, r in zip(softmax(features, parameters), expected["rewards"][a])]
    return found
