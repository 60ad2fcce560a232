"""Wrong weights: other denominators, and a mask that is not applied. positions [P] -> w [P]."""

from .rollout import PROMPT_POSITION, Position, declared_weights, lay_out

MICRO_BATCH = 2  # responses
OTHER = {"token": "response", "response": "token"}


def over_padded_width(positions, normalization):
    """Return 1 / (G padded width) for valid positions: masked ones are left out of the sum, yet counted.

    token and response give the same: the padded width is the length of every response.
    """
    count = len([position for position in positions if position.position != PROMPT_POSITION])
    return [1.0 / count if position.kind == "token" else 0.0 for position in positions]


def act_everywhere(setup, keep):
    """Return every position, with action 0 where none was taken: what an array of zeros says there."""
    return [
        Position(p.response, p.position, p.kind, p.features, 0 if p.action is None else p.action)
        for p in lay_out(setup, keep)
    ]


def over_everything(positions, normalization):
    """Return 1 / (number of positions): prompt, truncated and padding positions weigh as valid ones.

    token and response give the same: every row has the same length.
    """
    return [1.0 / len(positions)] * len(positions)


def mean_of_micro_batches(positions, normalization):
    """Return the declared weights of each micro-batch of two responses, divided by the number of micro-batches."""
    count = positions[-1].response // MICRO_BATCH + 1
    weights = []
    for n in range(count):
        part = [position for position in positions if position.response // MICRO_BATCH == n]
        weights += [weight / count for weight in declared_weights(part, normalization)]
    return weights


def other_normalization(positions, normalization):
    """Return the weights of the normalization that was not declared."""
    return declared_weights(positions, OTHER[normalization])
