"""The clipped surrogate over ratio and advantage, and its wrong twin, of compute/clip_map.py."""

from math import nextafter

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from compute.clip_map import clip_point, regions, where
from tests.closeness import close

ratios = st.floats(0, 10)
advantages = st.floats(0.01, 10) | st.floats(-10, -0.01) | st.just(0.0)
epsilons = st.floats(0.01, 0.99)


@pytest.mark.parametrize(
    ("ratio", "advantage", "unclipped", "clipped_term", "surrogate", "saturates"),
    [
        # eps = 0.2, by hand: w A, clip(w) A, and the smaller of the two.
        (1.4, 2.0, 2.8, 2.4, 2.4, True),
        (0.6, -2.0, -1.2, -1.6, -1.6, True),
        (1.4, -2.0, -2.8, -2.4, -2.8, False),
        (0.6, 2.0, 1.2, 1.6, 1.2, False),
        (1.1, 2.0, 2.2, 2.2, 2.2, False),
        (1.1, -2.0, -2.2, -2.2, -2.2, False),
        (1.4, 0.0, 0.0, 0.0, 0.0, False),
        (1.2, 2.0, 2.4, 2.4, 2.4, False),  # on a bound both are equal
        (0.8, -2.0, -1.6, -1.6, -1.6, False),
    ],
)
def test_points_by_hand(ratio, advantage, unclipped, clipped_term, surrogate, saturates):
    found = clip_point(ratio, advantage, 0.2)
    assert (found["ratio"], found["advantage"]) == (ratio, advantage)
    assert found["unclipped"] == close(unclipped)
    assert found["clipped_term"] == close(clipped_term)
    assert found["surrogate"] == close(surrogate)
    assert found["saturates"] is saturates
    assert found["slope"] == (0.0 if saturates else advantage)
    assert found["twin"] == close(clipped_term)


@pytest.mark.parametrize(
    ("ratio", "advantage", "twin", "error", "slope"),
    [
        # clip(w) A, and how far it is above the surrogate: wrong where an outside ratio is not limited.
        (1.4, -2.0, -2.4, 0.4, -2.0),
        (0.6, 2.0, 1.6, 0.4, 2.0),
        (1.4, 2.0, 2.4, 0.0, 0.0),
        (0.6, -2.0, -1.6, 0.0, 0.0),
    ],
)
def test_the_twin_by_hand(ratio, advantage, twin, error, slope):
    found = clip_point(ratio, advantage, 0.2)
    assert found["twin"] == close(twin)
    assert found["twin_error"] == close(error, 2e-15)
    assert (found["twin_slope"], found["slope"]) == (0.0, slope)
    assert found["twin_differs"] is (error != 0.0)


@pytest.mark.parametrize(
    ("ratio", "place", "bounded"),
    [
        (0.0, "below", 0.8),
        (nextafter(0.8, 0), "below", 0.8),
        (0.8, "inside", 0.8),
        (1.0, "inside", 1.0),
        (1.2, "inside", 1.2),
        (nextafter(1.2, 2), "above", 1.2),
        (5.0, "above", 1.2),
    ],
)
def test_the_bounds_belong_to_the_interval(ratio, place, bounded):
    assert where(ratio, 0.2) == place
    found = clip_point(ratio, 1.0, 0.2)
    assert (found["where"], found["bounded"]) == (place, bounded)
    twin = clip_point(ratio, -2.0, 0.2)
    assert (twin["twin"], twin["twin_slope"]) == (bounded * -2.0, -2.0 if place == "inside" else 0.0)


@given(ratios, epsilons)
def test_without_advantage_there_is_nothing_to_limit(ratio, epsilon):
    found = clip_point(ratio, 0.0, epsilon)
    values = [found[name] for name in ("unclipped", "clipped_term", "surrogate", "twin", "twin_error")]
    assert values == [0.0] * 5
    assert (found["slope"], found["saturates"], found["twin_differs"]) == (0.0, False, False)


@given(ratios, advantages, epsilons)
@example(1.4, -2.0, 0.2)
@example(0.6, 2.0, 0.2)
def test_the_surrogate_is_the_smaller_of_the_product_and_the_twin(ratio, advantage, epsilon):
    # So never above the twin, and strictly below it exactly where an outside ratio is not limited.
    assume(min(abs(ratio - 1 - epsilon), abs(ratio - 1 + epsilon)) > 1e-12)
    found = clip_point(ratio, advantage, epsilon)
    assert found["surrogate"] == min(ratio * advantage, found["twin"])
    limited = ratio > 1 + epsilon if advantage > 0 else ratio < 1 - epsilon
    unlimited = advantage != 0 and found["where"] != "inside" and not limited
    assert found["saturates"] == (advantage != 0 and limited)
    assert (found["twin_error"] > 0) == unlimited == found["twin_differs"]
    assert found["twin_error"] >= 0


@given(epsilons)
def test_two_of_six_regions_saturate_and_the_twin_cuts_four(epsilon):
    table = {
        (region["sign"], region["where"]): (region["flows"], region["twin_flows"])
        for region in regions(epsilon)
    }
    # (whether the gradient flows, whether the twin's does): PPO cuts a good action's raise and a bad one's
    # fall.
    assert table == {
        (1.0, "below"): (True, False),
        (1.0, "inside"): (True, True),
        (1.0, "above"): (False, False),
        (-1.0, "below"): (False, False),
        (-1.0, "inside"): (True, True),
        (-1.0, "above"): (True, False),
    }
