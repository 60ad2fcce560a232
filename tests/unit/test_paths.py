"""The implementation paths of compute/paths.py."""

from compute.objective import clipped_surrogate, exact_kl
from compute.paths import PATHS
from compute.rollout import declared_weights, group_advantages


def test_the_correct_path_follows_the_declared_rules():
    assert next(iter(PATHS)) == "correct"
    correct = PATHS["correct"]
    assert (correct.advantages, correct.weights) == (group_advantages, declared_weights)
    assert (correct.surrogate, correct.divergence) == (clipped_surrogate, exact_kl)
