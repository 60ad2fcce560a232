"""What the experiment shows, from made-up finals whose answers are plain."""

import numpy as np
import pytest

from compute.digits.facts import extreme, facts, trend

BETAS = [0.0, 1.0, 3.0]
START = {"reward_training": np.array([0.5, 0.7]), "reward_held_out": np.array([0.5, 0.6])}
FINAL = {
    "reward_training": np.array([[0.9, 1.0], [0.8, 0.9], [0.1, 0.8]]),
    "reward_held_out": np.array([[0.2, 0.3], [0.5, 0.7], [0.0, 0.1]]),
    "kl_training": np.array([[0.2, 0.4], [0.1, 0.1], [4.0, 6.0]]),
    "kl_held_out": np.array([[1.0, 2.0], [0.05, 0.1], [5.0, 7.0]]),
}


def test_changes_and_counts_by_hand():
    found = facts(BETAS, START, FINAL)["by_beta"]
    assert found[0]["reward_training_change"] == pytest.approx((0.4 + 0.3) / 2)
    assert found[0]["reward_held_out_change"] == pytest.approx(-(0.3 + 0.3) / 2)
    assert [row["both"] for row in found] == [True, False, False]
    # beta 1: held-out 0.5 -> 0.5 and 0.6 -> 0.7; beta 3: training 0.5 -> 0.1 and 0.7 -> 0.8.
    assert (found[1]["reward_held_out_seeds_rising"], found[1]["reward_held_out_seeds_falling"]) == (1, 0)
    assert (found[2]["reward_training_seeds_rising"], found[2]["reward_training_seeds_falling"]) == (1, 1)
    assert found[2]["reward_training_falls"] and found[1]["reward_held_out_rises"]
    assert [row["kl_held_out_above_training"] for row in found] == [True, False, True]
    assert found[1]["kl_held_out"] == pytest.approx(0.075) and found[1]["kl_held_out_grows"]


def test_which_beta_does_best_and_whether_it_is_a_line():
    found = facts(BETAS, START, FINAL)
    assert (found["best_reward_held_out"], found["best_reward_training"]) == (1.0, 0.0)
    assert (found["lowest_kl_training"], found["lowest_kl_held_out"]) == (1.0, 1.0)
    assert found["highest_kl_held_out"] == 3.0
    assert found["trend"] == {
        "reward_training": "falling", "reward_held_out": "neither", "kl_training": "neither", "kl_held_out": "neither",
    }  # fmt: skip


def test_trends_follow_the_order_of_beta():
    assert trend([0, 1, 3], np.array([1.0, 2.0, 3.0])) == "rising"
    assert trend([3, 0, 1], np.array([1.0, 3.0, 2.0])) == "falling"
    assert trend([0, 1], np.array([2.0, 2.0])) == trend([0], np.array([5.0])) == "constant"
    assert trend([0, 1, 2], np.array([1.0, np.nan, 2.0])) == "neither"


def test_no_extreme_where_one_is_undefined():
    assert extreme([0, 1], np.array([2.0, 1.0])) == 1.0
    assert extreme([0, 1], np.array([2.0, np.nan])) is None


def test_nothing_changes_where_nothing_is_trained():
    still = {name: np.tile(values, (3, 1)) for name, values in START.items()}
    found = facts(BETAS, START, still | {"kl_training": np.zeros((3, 2)), "kl_held_out": np.zeros((3, 2))})
    for row in found["by_beta"]:
        assert not (
            row["reward_training_rises"]
            or row["reward_held_out_falls"]
            or row["both"]
            or row["kl_held_out_grows"]
        )
