"""The second routes on other configurations than the shipped one: masks, padding, wrong paths, nothing that counts."""

from __future__ import annotations

import json
from random import Random

import pytest

from compute.atlas.fault_atlas import fault_atlas
from compute.checks.atlas_checks import checks_by_autograd
from compute.checks.autograd_results import one_thread, update_by_autograd
from compute.checks.vectorised_results import update_by_numpy
from compute.paths import PATHS
from compute.update_chapter import update_chapter
from publish.verifying.verification import difference, leaves
from tests.configurations import random_setup, shipped_settings
from tests.content_tools import shipped_content

WRONG = [path for path in PATHS if path != "correct"]
BETAS = [0.0, 0.1]


def case(seed):
    """A rollout of the shipped shape, and settings with a wrong path."""
    rng = Random(f"other routes {seed}")
    lengths = [rng.randint(1, 6) for _ in range(rng.randint(2, 7))]
    setup = random_setup(seed, 2, 3, lengths, size=0.5, masked=rng.choice([0, 0.2, 0.6]))
    settings = shipped_settings(
        path=rng.choice(WRONG),
        normalization=rng.choice(["token", "response"]),
        keep=(0, 1, 3, 6)[seed % 4],
        beta=rng.choice([0.0, 0.1, 0.5]),
        clip_epsilon=rng.choice([0.1, 0.5, 0.7]),
        rewards="given",
        step=rng.randint(0, 3),
        at="0.0",
    )
    return setup, settings


def disagreeing(found, again):
    """The numbers of both trees that differ, and how many there are."""
    left, right = [dict(leaves(json.loads(json.dumps(tree)))) for tree in (found, again)]
    both = [name for name in left if name in right]
    return len(both), {name: right[name] for name in both if difference(left[name], right[name]) > 1e-9}


@pytest.mark.parametrize("seed", range(4))
def test_other_rollouts(seed):
    setup, settings = case(seed)
    expected = shipped_content().config.expectation
    correct = settings | {"path": "correct"}
    with one_thread():
        pairs = [
            (fault_atlas(setup, settings), checks_by_autograd(setup, settings, WRONG)),
            (
                update_chapter(setup, settings, BETAS, expected),
                update_by_autograd(setup, settings, BETAS, expected),
            ),
            (
                update_chapter(setup, correct, BETAS, expected),
                update_by_numpy(setup, correct, BETAS, expected),
            ),
        ]
    for found, again in pairs:
        count, differing = disagreeing(found, again)
        assert count > 200 and differing == {}
