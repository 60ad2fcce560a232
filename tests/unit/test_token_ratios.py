"""Token ratios multiply, of compute/token_ratios.py."""

from math import inf, log, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.token_ratios import equal_ratios, trajectory_ratio
from tests.closeness import close

token_ratios = st.floats(0.1, 10)


def test_ten_steps():
    # 1.1^10 = 2.5937424601 exactly.
    found = equal_ratios(1.1, 10, 0.2)
    assert found["ratio"] == close(2.5937424601)
    assert found["log_token"] == close(log(1.1))
    assert found["log_sum"] == close(10 * log(1.1))
    assert found["token_inside"] is True
    assert found["first_outside"] == 2  # 1.1 is inside [0.8, 1.2], 1.21 is not
    assert [item["length"] for item in found["by_length"]] == list(range(1, 11))
    ratios = [item["ratio"] for item in found["by_length"]]
    assert ratios == close([1.1**length for length in range(1, 11)], 2e-15)


@pytest.mark.parametrize(
    ("token_ratio", "length", "inside", "first"),
    [
        (0.9, 10, True, 3),  # 0.9, 0.81, 0.729 < 0.8
        (0.9, 2, True, None),
        (1.0, 50, True, None),
        (1.3, 3, False, 1),
        (0.7, 1, False, 1),
        (1.2, 3, True, 2),  # 1.2 on the bound belongs to it, 1.44 is outside
        (0.8, 3, True, 2),  # 0.64
        (1.01, 18, True, None),  # 1.01^18 = 1.196
        (1.01, 19, True, 19),  # 1.01^19 = 1.208
    ],
)
def test_where_the_product_leaves_the_interval(token_ratio, length, inside, first):
    found = equal_ratios(token_ratio, length, 0.2)
    assert (found["token_inside"], found["first_outside"]) == (inside, first)


def test_a_trajectory_of_one_token_has_its_ratio():
    found = equal_ratios(0.35, 1, 0.65)
    assert found["token_inside"] is True
    assert found["first_outside"] is None


def test_products_by_hand():
    assert trajectory_ratio([]) == 1.0
    assert trajectory_ratio([1.0] * 50) == 1.0
    assert trajectory_ratio([1.25, 0.8]) == close(1.0)  # each outside, the product inside
    assert trajectory_ratio([1.5, 2.0, 0.5]) == close(1.5)


def test_products_beyond_float64():
    assert trajectory_ratio([10.0] * 309) == inf
    assert trajectory_ratio([10.0] * 308) == close(
        1e308, 2e-11
    )  # 308 additions, each within half an ulp of 709, 6e-14
    assert trajectory_ratio([0.1] * 400) == 0.0


@given(st.lists(token_ratios, min_size=1, max_size=30))
def test_the_product_of_its_tokens(ratios):
    # The sum of logs, up to 30 log 10, errs by up to 1e-13, and exp carries that on.
    assert trajectory_ratio(ratios) == close(prod(ratios), 2e-13)


@given(st.lists(token_ratios, min_size=1, max_size=10), st.lists(token_ratios, min_size=1, max_size=10))
def test_trajectories_one_after_the_other_multiply(left, right):
    expected = trajectory_ratio(left) * trajectory_ratio(right)
    assert trajectory_ratio(left + right) == close(expected, 1e-13)


@given(st.floats(0.5, 2), st.integers(1, 50), st.floats(0.01, 0.99))
def test_all_lengths_before_the_first_outside_stay_inside(token_ratio, length, epsilon):
    found = equal_ratios(token_ratio, length, epsilon)
    ratios = [item["ratio"] for item in found["by_length"]]
    assert len(ratios) == length and found["ratio"] == ratios[-1]
    inside = [1 - epsilon <= ratio <= 1 + epsilon for ratio in ratios]
    assert found["first_outside"] == (None if all(inside) else inside.index(False) + 1)
    assert found["log_sum"] == close(length * log(token_ratio), 1e-14)
