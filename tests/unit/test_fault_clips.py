"""The wrong surrogates of compute/fault_clips.py: value, slope, and whether a bound cuts."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute import fault_clips
from compute.objective import clipped_surrogate, declared_bounds
from compute.paths import PATHS

RULES = {
    name: PATHS[name].surrogate
    for name in (
        "clip-then-multiply",
        "min-before-advantage",
        "unclipped-averaged",
        "clip-to-epsilon",
        "old-not-detached",
    )
}
# (u, cut) at eps = 0.2 for rho = 0.1, 0.5, 1, 1.5 and A = 2, then A = -2; worked out by hand.
BY_HAND = {
    "clip-then-multiply": (
        [(1.6, True), (1.6, True), (2.0, False), (2.4, True)],
        [(-1.6, True), (-1.6, True), (-2.0, False), (-2.4, True)],
    ),
    "min-before-advantage": (
        [(0.2, False), (1.0, False), (2.0, False), (2.4, True)],
        [(-0.2, False), (-1.0, False), (-2.0, False), (-2.4, True)],
    ),
    "unclipped-averaged": (
        [(0.2, False), (1.0, False), (2.0, False), (3.0, False)],
        [(-0.2, False), (-1.0, False), (-2.0, False), (-3.0, False)],
    ),
    "clip-to-epsilon": (
        [(0.2, False), (1.0, False), (2.0, False), (2.4, True)],
        [(-0.4, True), (-1.0, False), (-2.0, False), (-3.0, False)],
    ),
    "old-not-detached": (
        [(0.2, False), (1.0, False), (2.0, False), (2.4, False)],
        [(-1.6, False), (-1.6, False), (-2.0, False), (-3.0, False)],
    ),
}


@pytest.mark.parametrize("name", RULES)
def test_values_by_hand(name):
    for advantage, expected in zip((2.0, -2.0), BY_HAND[name]):
        for rho, (value, cut) in zip((0.1, 0.5, 1.0, 1.5), expected):
            found = RULES[name](rho, advantage, 0.2)
            assert found.value == pytest.approx(value, rel=1e-14) and found.is_clipped == cut, (
                rho,
                advantage,
            )


@pytest.mark.parametrize("name", RULES)
@given(st.floats(0.01, 3), st.floats(-2, 2), st.floats(0.05, 0.95))
def test_the_slope_is_the_derivative_where_the_ratio_moves(name, rho, advantage, eps):
    rule = RULES[name]
    found = rule(rho, advantage, eps)
    if advantage == 0:
        assert found == (0.0, 0.0, 0.0, False, 0.0)
        return
    assert found.unclipped == rho * advantage
    if name == "old-not-detached":
        assert found.slope == 0.0 and found.value == clipped_surrogate(rho, advantage, eps).value
        return
    bounds = PATHS[name].bounds(eps)
    assert found.slope == (0.0 if found.is_clipped else advantage)
    if min(abs(rho - bound) for bound in bounds) > 1e-4:
        step = 1e-6
        difference = (rule(rho + step, advantage, eps).value - rule(rho - step, advantage, eps).value) / (
            2 * step
        )
        assert found.slope == pytest.approx(difference, abs=1e-8)


@pytest.mark.parametrize("name", RULES)
def test_an_infinite_ratio_is_no_undefined_number(name):
    for advantage in (1.0, 0.0, -1.0):
        found = RULES[name](inf, advantage, 0.2)
        assert not any(value != value for value in found)


def test_bounds():
    assert declared_bounds(0.25) == (0.75, 1.25)
    assert fault_clips.epsilon_bounds(0.25) == (0.25, 1.25)
