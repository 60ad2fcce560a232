"""Wrong policies in the place of the old one or the reference: log-probabilities of one position, [V]."""

from .policy import log_softmax, logits

SAMPLER_TEMPERATURE = 0.7


def current_policy(setup, features):
    """Return None: the current policy stands in, anew at every update."""


def cooler_sampler(setup, features):
    """Return the behaviour policy's log-probabilities at the sampler's temperature; the trainer's is 1."""
    z = logits(features, setup["behaviour"])
    return log_softmax([value / SAMPLER_TEMPERATURE for value in z])
