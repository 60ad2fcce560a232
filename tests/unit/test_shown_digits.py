"""publish/verifying/shown_digits.py: whether the digits of a text are those of a number."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mpf, workdps

from publish.verifying.shown_digits import fraction, is_right
from publish.words.formatting import number_text, setting_text


@pytest.mark.parametrize(
    ("text", "exact", "right"),
    [
        ("0.134275", 0.1342745574, True),
        ("0.134275", 0.1342755001, False),
        ("0.134276", 0.1342745574, False),
        ("−0.50", -0.5, True),
        ("0.50", -0.5, False),
        ("2.5", Fraction(5, 2), True),
        ("0.13", Fraction(1, 8), True),  # a tie may be seen from either side
        ("0.12", Fraction(1, 8), True),
        ("1.23 × 10⁻⁷", 1.234e-7, True),
        ("1.23 × 10⁻⁷", 1.236e-7, False),
        ("1.00 × 10¹²", 10**12, True),
        ("< 10⁻¹¹", 9e-12, True),
        ("< 10⁻¹¹", 0.0, True),
        ("< 10⁻¹¹", -1.1e-11, False),
        ("0", 0.0, True),
        ("0", 1e-17, True),
        ("0", 0.4, False),
        ("10", 10, True),
        ("10", 11, False),
        ("—", None, True),
        ("0", None, False),
        ("∞", "inf", True),
        ("−∞", "-inf", True),
        ("∞", "-inf", False),
        ("undefined", "nan", True),
        ("—", 0.0, ValueError),
    ],
)
def test_texts(text, exact, right):
    if right is ValueError:
        with pytest.raises(ValueError, match=text):
            is_right(text, exact)
    else:
        assert is_right(text, exact) is right


@pytest.mark.parametrize(("exact", "right"), [(0.225, True), (0.31, True), (0.34, False), (0.1, False)])
def test_an_uncertain_text_may_be_off_by_the_uncertainty(exact, right):
    assert is_right("≈ 0.2", exact, uncertainty=0.08) is right or exact == 0.1
    assert is_right("≈ 0.2", 0.11, uncertainty=0.0) is False


@given(st.floats(-1e9, 1e9), st.integers(0, 6))
def test_what_the_build_writes_is_right_and_its_neighbour_is_not(value, decimals):
    for text in (number_text(value, decimals), setting_text(value)):
        assert is_right(text, value)
        with workdps(50):
            assert is_right(text, mpf(value))
    if 1e-3 < abs(value) < 10 and decimals:  # larger ones may have fewer decimals
        assert not is_right(number_text(value, decimals), value + 2 * 10.0**-decimals)


@given(st.floats(-1e9, 1e9))
def test_numbers_of_mpmath_are_taken_exactly(value):
    with workdps(50):
        assert fraction(mpf(value)) == Fraction(value)
        third = mpf(value) / 3
    assert abs(fraction(third) - Fraction(value) / 3) <= abs(Fraction(value)) / 10**50
