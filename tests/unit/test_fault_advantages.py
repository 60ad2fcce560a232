"""Wrong groups, of compute/fault_advantages.py."""

import json
from pathlib import Path

from compute.fault_advantages import own_group
from compute.rollout import group_advantages
from tests.closeness import close

RECORD = json.loads((Path(__file__).parents[1] / "data" / "fault-numbers.json").read_text(encoding="utf-8"))[
    "own_group_each"
]


def test_a_group_of_one_leaves_the_raw_reward():
    assert group_advantages(RECORD["rewards"]) == close(RECORD["right"])
    wrong = group_advantages(RECORD["rewards"], own_group)
    assert wrong == RECORD["wrong_each_response_its_own_group_mean0_std1"]
    # Equal rewards do not cancel any more.
    assert group_advantages([0.1] * 4, own_group) == [0.1] * 4
