"""The clip plateaus of compute/plateaus.py: two curves, and where the batch's positions lie on them."""

import pytest
from hypothesis import given

from compute.plateaus import plateaus
from compute.state import state
from tests.configurations import cases, one_token_setup, shipped_settings


def at(corners, heights, ratio):
    """The height of a curve given by its corners, at a ratio between them."""
    for left, right, low, high in zip(corners, corners[1:], heights, heights[1:]):
        if left <= ratio <= right:
            return low if right == left else low + (high - low) * (ratio - left) / (right - left)
    raise AssertionError(f"{ratio} lies outside {corners}")


def test_corners_by_hand(default_setup):
    # eps = 0.2, every ratio 1: from 0.8 - 0.15 to 1.2 + 0.15. min(rho, 1.2) above, -max(rho, 0.8) below.
    drawn = plateaus(state(default_setup, shipped_settings())["positions"], 0.2)
    assert drawn["corners"] == pytest.approx([0.65, 0.8, 1.0, 1.2, 1.35])
    assert drawn["positive"] == pytest.approx([0.65, 0.8, 1.0, 1.2, 1.2])
    assert drawn["negative"] == pytest.approx([-0.8, -0.8, -1.0, -1.2, -1.35])
    assert [(point["ratio"], abs(point["height"])) for point in drawn["points"]] == [(1.0, 1.0)] * 10
    assert sorted({point["sign"] for point in drawn["points"]}) == [-1, 1]


def test_neutral_positions_lie_on_no_curve(default_setup):
    # two-neutral: responses 2 and 3 (3 tokens and 1) have advantage 0; positions 11-13 and 16.
    drawn = plateaus(state(default_setup, shipped_settings(rewards="two-neutral", step=3))["positions"], 0.2)
    assert drawn["neutral"] == [11, 12, 13, 16] and len(drawn["points"]) == 6
    equal = plateaus(state(default_setup, shipped_settings(rewards="equal"))["positions"], 0.2)
    assert equal["points"] == [] and len(equal["neutral"]) == 10


def test_a_ratio_beyond_float64_is_listed_apart():
    found = state(one_token_setup([700.0, -700.0], [-700.0, 700.0]), shipped_settings(rewards="given"))
    drawn = plateaus(found["positions"], 0.2)
    assert drawn["beyond"] == [1, 3] and drawn["points"] == []


@given(cases())
def test_every_counted_position_lies_on_its_curve(case):
    setup, settings = case
    found = state(setup, settings)
    drawn = plateaus(found["positions"], settings["clip_epsilon"])
    assert len(drawn["points"]) + len(drawn["neutral"]) == found["counted"]
    assert sum(point["is_clipped"] for point in drawn["points"]) == found["clipped"]
    for point in drawn["points"]:
        curve = drawn["positive" if point["sign"] > 0 else "negative"]
        height = at(drawn["corners"], curve, point["ratio"])
        assert point["height"] == pytest.approx(height, rel=1e-9, abs=1e-9)
