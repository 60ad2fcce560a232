"""The few table operations of compute/matrices.py."""

from math import isnan, nan

from compute.matrices import add, added, largest_difference, outer, zeros_like


def test_outer_product():
    assert outer([1.0, 2.0], [3.0, -1.0, 0.5]) == [[3.0, -1.0, 0.5], [6.0, -2.0, 1.0]]


def test_add_in_place():
    total = [[1.0, 2.0], [3.0, 4.0]]
    add(total, -0.5, [[2.0, 0.0], [4.0, 8.0]])
    assert total == [[0.0, 2.0], [1.0, 0.0]]


def test_zeros_do_not_share_rows():
    zeros = zeros_like([[1.0, 2.0], [3.0, 4.0]])
    zeros[0][0] = 5.0
    assert zeros == [[5.0, 0.0], [0.0, 0.0]]


def test_added_goes_in_order_without_compensation():
    # 1e16 + 1 rounds back to 1e16, twice; a compensated sum would give 1e16 + 2.
    assert added([1e16, 1.0, 1.0]) == 1e16
    assert added([]) == 0.0


def test_largest_difference():
    assert largest_difference([[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.5], [2.0, 4.0]]) == 1.0


def test_an_undefined_difference_is_never_passed_over():
    # max([0.0, nan]) is 0.0, max([nan, 0.0]) is nan: the order must not matter.
    assert isnan(largest_difference([[0.0, nan]], [[0.0, 1.0]]))
    assert isnan(largest_difference([[nan, 0.0]], [[0.0, 1.0]]))
