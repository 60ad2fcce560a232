"""The declared objective once more, read off its definition: a second route to the loss that shares no code.

Valid positions are counted from the responses, the clip goes by cases of the advantage's sign.
"""

from math import exp, log, sqrt

LARGEST = 700.0  # exp of more is beyond float64


def declared_loss(setup, settings, parameters):
    """Return L = sum of w (-u + beta KL) at these parameters [d][V], whatever the path; 0 if no position counts."""
    valid = [
        (i, response["features"][t], response["actions"][t])
        for i, response in enumerate(setup["responses"])
        for t in range(min(settings["keep"], len(response["actions"])))
        if response["mask"][t]
    ]
    advantages = standard_scores(rewards_of(setup, settings))
    counts = {}
    for i, _, _ in valid:
        counts[i] = counts.get(i, 0) + 1
    loss = 0.0
    for i, features, action in valid:
        p, old, reference = [
            log_probabilities(features, table)
            for table in (parameters, setup["behaviour"], setup["reference"])
        ]
        weight = 1.0 / len(valid) if settings["normalization"] == "token" else 1.0 / (len(counts) * counts[i])
        rho = exp(min(LARGEST, p[action] - old[action]))
        gain = clipped_gain(rho, advantages[i], settings["clip_epsilon"])
        loss += weight * (settings["beta"] * divergence(p, reference) - gain)
    return loss


def declared_weights_by_place(setup, settings):
    """Return {(response, position): w} of the positions that count."""
    places = [
        (i, t)
        for i, response in enumerate(setup["responses"])
        for t in range(min(settings["keep"], len(response["actions"])))
        if response["mask"][t]
    ]
    responses = [i for i, _ in places]
    if settings["normalization"] == "token":
        return {place: 1.0 / len(places) for place in places}
    return {(i, t): 1.0 / (len(set(responses)) * responses.count(i)) for i, t in places}


def rewards_of(setup, settings):
    """Return the rewards, one per response."""
    rewards = settings["rewards"]
    return setup["rewards"][rewards] if isinstance(rewards, str) else rewards


def standard_scores(rewards):
    """Return (r - mean) / population standard deviation; 0 if all are equal."""
    if min(rewards) == max(rewards):
        return [0.0 for _ in rewards]
    mean = square = 0.0
    for reward in rewards:
        mean += reward / len(rewards)
    for reward in rewards:
        square += (reward - mean) ** 2 / len(rewards)
    return [(reward - mean) / sqrt(square) for reward in rewards]


def log_probabilities(features, table):
    """Return log p of features [d] under parameters [d][V]."""
    z = [0.0] * len(table[0])
    for x, row in zip(features, table):
        z = [total + x * w for total, w in zip(z, row)]
    largest, total = max(z), 0.0
    for value in z:
        total += exp(value - largest)
    return [value - (largest + log(total)) for value in z]


def clipped_gain(rho, advantage, clip_epsilon):
    """Return u: A min(rho, 1 + eps) for A > 0, A max(rho, 1 - eps) for A < 0."""
    if advantage > 0:
        return advantage * min(rho, 1.0 + clip_epsilon)
    return advantage * max(rho, 1.0 - clip_epsilon)


def divergence(log_p, log_q):
    """Return sum over actions of p (log p - log q)."""
    total = 0.0
    for mine, other in zip(log_p, log_q):
        total += exp(mine) * (mine - other)
    return total
