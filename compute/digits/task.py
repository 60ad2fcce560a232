"""The task: the hundred inputs, the right answer to each, and which of them are for training."""

import numpy as np

from .policy import ACTIONS

INPUTS = ACTIONS * ACTIONS
DIGIT_A, DIGIT_B = np.divmod(np.arange(INPUTS), ACTIONS)  # [100] each: input 10 a + b


def targets(operation):
    """Return both digits of the two-digit sum or product of every input. -> u [100], v [100]."""
    value = DIGIT_A + DIGIT_B if operation == "sum" else DIGIT_A * DIGIT_B
    return np.divmod(value, ACTIONS)


def training_count(fraction):
    """Return how many of the hundred inputs are for training."""
    return round(fraction * INPUTS)


def split(fraction, seed):
    """Return which inputs are for training, drawn without replacement; the others are held out. -> bool [100]."""
    order = np.random.default_rng(np.random.SeedSequence(seed)).permutation(INPUTS)
    chosen = np.zeros(INPUTS, dtype=bool)
    chosen[order[: training_count(fraction)]] = True
    return chosen


def streams(seed):
    """Return a run's two generators: of the initial weights, and of its input batches and samples."""
    weights, training = np.random.SeedSequence(seed).spawn(2)
    return np.random.default_rng(weights), np.random.default_rng(training)
