"""The fixed rollout: which positions there are, which of them count and how much, and each response's advantage.

Nothing here depends on the parameters. A setup is the validated config as plain lists:
initial, reference, behaviour [d][V]; steps; prompt, padding [d];
responses: a list of {features [T][d], actions [T], mask [T]}; rewards: name -> [G].
"""

from collections import namedtuple
from math import sqrt

# kind: token (counts), truncated, masked, prompt or padding; action is None where none was taken.
Position = namedtuple("Position", "response position kind features action")

PROMPT_POSITION = -1


def linear_features(base, per_response, per_position, response, position):
    """Return x = base + response * i + position * t. All [d], i and t counted from 0 -> [d]."""
    return [b + r * response + p * position for b, r, p in zip(base, per_response, per_position)]


def lay_out(setup, keep):
    """Return every position, response by response: its prompt, then 0 ... padded width - 1.

    keep: at most this many tokens of each response stay valid (truncation). The padded width is that
    of the longest response whatever `keep` is, so that the tables keep their shape.
    """
    width = max([len(response["actions"]) for response in setup["responses"]])
    positions = []
    for i, response in enumerate(setup["responses"]):
        positions.append(Position(i, PROMPT_POSITION, "prompt", setup["prompt"], None))
        for t in range(width):
            if t >= len(response["actions"]):
                positions.append(Position(i, t, "padding", setup["padding"], None))
                continue
            kind = "truncated" if t >= keep else "token" if response["mask"][t] else "masked"
            positions.append(Position(i, t, kind, response["features"][t], response["actions"][t]))
    return positions


def group_statistics(rewards):
    """Return the mean and the population standard deviation (divisor G) of a group's rewards [G].

    Equal rewards have deviation exactly 0. The test is "are the rewards equal", not "is the deviation 0": their
    computed mean need not be exact.
    """
    if all([reward == rewards[0] for reward in rewards]):
        return rewards[0] + 0.0, 0.0
    total = 0.0
    for reward in rewards:
        total += reward
    mean = total / len(rewards)
    spread = max([abs(reward - mean) for reward in rewards])
    # Scaled by the largest deviation, so that squares neither overflow nor vanish.
    squares = 0.0
    for reward in rewards:
        squares += ((reward - mean) / spread) ** 2
    return mean, spread * sqrt(squares / len(rewards))


def group_advantages(rewards, statistics=group_statistics):
    """Return (reward - group mean) / population standard deviation, exactly 0 when all rewards are equal.

    rewards [G] -> [G]. No epsilon in the denominator. statistics: of the group, mean and deviation.
    Source: DeepSeekMath (2024), section 4.1, with the population divisor.
    """
    mean, deviation = statistics(rewards)
    if deviation == 0:
        return [0.0] * len(rewards)
    return [(reward - mean) / deviation for reward in rewards]


def declared_weights(positions, normalization):
    """Return each position's weight w under the declared normalization; 0 where it does not count.

    token: 1 / N, N valid positions. response: 1 / (G T_i), G non-empty responses, T_i valid positions of
    response i. positions [P] -> [P]. Raises ValueError for another normalization.
    """
    valid = {}
    for position in positions:
        if position.kind == "token":
            valid[position.response] = valid.get(position.response, 0) + 1
    count = sum(valid.values())
    if normalization == "token":
        return [1.0 / count if position.kind == "token" else 0.0 for position in positions]
    if normalization == "response":
        return [
            1.0 / (len(valid) * valid[position.response]) if position.kind == "token" else 0.0
            for position in positions
        ]
    raise ValueError("normalization: token or response, not " + repr(normalization))
