"""Where rounding ends and a result begins, of compute/rounding.py."""

from math import fsum, inf, isnan, ldexp, nan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.rounding import settled_sum, without_residue

numbers = st.lists(
    st.floats(-1e6, 1e6, allow_subnormal=False).filter(lambda x: x == 0 or abs(x) > 1e-6), max_size=20
)


def test_a_residue_below_four_ulp_is_nothing():
    # The ulp of 3 is 2^-51 = 4.4e-16; four of them are 2^-49 = 1.776e-15.
    assert without_residue(1.7e-15, 3.0) == 0.0 and without_residue(-1.7e-15, 3.0) == 0.0
    assert without_residue(1.8e-15, 3.0) == 1.8e-15 and without_residue(-1.8e-15, 3.0) == -1.8e-15
    assert without_residue(ldexp(1.0, -49), 3.0) == ldexp(1.0, -49)  # exactly four ulp is a result
    assert without_residue(0.0, 0.0) == 0.0


@pytest.mark.parametrize(("total", "size"), [(inf, inf), (-inf, inf), (1e-300, inf), (2.5, nan)])
def test_an_infinite_or_undefined_size_leaves_the_total(total, size):
    assert without_residue(total, size) == total
    assert isnan(without_residue(nan, size))


def test_sums_by_hand():
    # Ten times 0.1, added in order, is one ulp below 1; 0.1 + 0.2 keeps the rounding of its one addition.
    assert settled_sum([0.1] * 10) == 1 - ldexp(1.0, -53)
    assert settled_sum([0.1] * 10 + [-1.0]) == 0.0
    assert settled_sum([0.1, 0.2]) == 0.30000000000000004
    assert settled_sum([]) == 0.0
    assert settled_sum([1.0, -0.75]) == 0.25
    # The ulp of 2e16 is 4, so that a rest of 1 is below four of them, a rest of 16 is not.
    assert settled_sum([1e16, -1e16, 1.0]) == 0.0
    assert settled_sum([1e16, -1e16, 16.0]) == 16.0


def test_infinite_sums():
    assert settled_sum([1.0, inf]) == inf
    assert settled_sum([-inf, 2.0]) == -inf
    assert isnan(settled_sum([inf, -inf]))
    assert isnan(settled_sum([1.0, nan]))


@given(numbers)
def test_a_sum_is_the_exact_one_to_the_rounding_of_its_additions(values):
    # Each of n additions errs by at most half an ulp of a partial sum; what is dropped is at most eight
    # halves.
    size = fsum(abs(value) for value in values)
    assert abs(settled_sum(values) - fsum(values)) <= (len(values) + 8) * ldexp(size, -53)


@given(numbers)
def test_what_cancels_exactly_is_exactly_zero(values):
    assert settled_sum([sign * value for value in values for sign in (1, -1)]) == 0.0


@given(numbers, st.integers(-100, 100))
def test_a_power_of_two_goes_through(values, exponent):
    assert settled_sum([ldexp(value, exponent) for value in values]) == ldexp(settled_sum(values), exponent)
