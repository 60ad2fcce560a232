"""How numbers are written for readers."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from publish.words.formatting import (
    MOST_DIGITS,
    ROUNDING,
    certain_text,
    error_text,
    number_text,
    round_half_up,
    setting_text,
)

POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
finite = st.floats(allow_nan=False, allow_infinity=False)
shown = st.one_of(finite, st.floats(-1e6, 1e6), st.floats(-1, 1))
decimals = st.integers(0, 6)


def parsed(text):
    """Return the exact value of a text, and the value of a unit in its last place."""
    mantissa, _, power = text.partition(" × 10")
    scale = Fraction(10) ** int(power.translate(POWERS) or 0)
    places = len(mantissa.partition(".")[2])
    return Fraction(mantissa.translate(POWERS)) * scale, scale / 10**places


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        # exact binary ties: halves go away from zero
        (0.5, 0, "1"),
        (1.5, 0, "2"),
        (2.5, 0, "3"),
        (0.125, 2, "0.13"),
        (0.375, 2, "0.38"),
        (-0.125, 2, "−0.13"),
        (-2.5, 0, "−3"),
        (11250000.0, 4, "1.13 × 10⁷"),
        (11350000.0, 4, "1.14 × 10⁷"),
        (-11250000.0, 4, "−1.13 × 10⁷"),
        # decimal fractions that binary cannot hold: the exact binary value decides
        (2.675, 2, "2.67"),  # 2.67499999999999982…
        (1.005, 2, "1.00"),  # 1.00499999999999989…
        (0.285, 2, "0.28"),  # 0.28499999999999998…
        # signs and zero
        (0.0, 4, "0.0000"),
        (-0.0, 4, "0.0000"),
        (-0.3, 2, "−0.30"),
        (-7, 4, "−7"),
        (0, 4, "0"),
        # too small to show a digit, or too large
        (0.00005, 4, "0.0001"),
        (0.00004999, 4, "5.00 × 10⁻⁵"),
        (-1e-9, 6, "−1.00 × 10⁻⁹"),
        (9.996e-9, 6, "1.00 × 10⁻⁸"),
        (5e-324, 6, "4.94 × 10⁻³²⁴"),
        (1e6, 2, "1.00 × 10⁶"),
        (-1.5e300, 2, "−1.50 × 10³⁰⁰"),
        (10**30, 2, "1.00 × 10³⁰"),
        # at most eight significant digits
        (123456.785, 4, "123456.79"),
        (99.9999999, 6, "100.00000"),
        (999.99999996, 6, "1000.0000"),
        (999999.996, 4, "1000000.0"),
        # absent, infinite, undefined
        (None, 4, "—"),
        ("inf", 4, "∞"),
        ("-inf", 4, "−∞"),
        ("nan", 4, "undefined"),
    ],
)
def test_number_text(value, places, text):
    assert number_text(value, places) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.1 + 0.2, "0.3"), (0.0, "0"), (-0.0, "0"), (-0.5, "−0.5"), (1.0, "1"), (20, "20"), (1e-4, "0.0001"),
     (2.5e-7, "2.50 × 10⁻⁷"), (1e6, "1.00 × 10⁶"), (100.0, "100"), (None, "—"), ("inf", "∞")],
)  # fmt: skip
def test_setting_text(value, text):
    assert setting_text(value) == text


@given(shown, decimals)
def test_text_is_within_half_a_unit_of_its_last_place(value, places):
    exact, unit = parsed(number_text(value, places))
    assert abs(exact - Fraction(value)) <= unit / 2


@given(shown)
def test_setting_is_within_half_a_unit_of_its_last_place_or_exact(value):
    exact, unit = parsed(setting_text(value))
    assert abs(exact - Fraction(value)) <= max(unit / 2, Fraction(1, 2 * 10**MOST_DIGITS))


@given(st.integers(-(2**26), 2**26), st.integers(0, 6))
def test_ties_go_away_from_zero(odd, power):
    # n + 1/2 in units of 2 ** -power: exact in binary; a tie in decimal after so many decimals.
    value = Fraction(2 * odd + 1, 2 ** (power + 1))
    rounded = Fraction(round_half_up(float(value), power))
    assert abs(rounded - value) <= Fraction(1, 2 * 10**power)
    if (value * 10**power).denominator == 2:
        assert abs(rounded) > abs(value)


@given(shown, decimals)
def test_shape_of_every_text(value, places):
    for text in (number_text(value, places), setting_text(value)):
        assert re.fullmatch(r"−?[0-9]+(\.[0-9]+)?|−?[0-9]\.[0-9]{2} × 10⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+", text)
        assert not re.fullmatch(r"−[0.]*", text), "minus zero"
    digits = re.sub(r" × .*|[^0-9]", "", number_text(value, places)).lstrip("0")
    assert len(digits) <= MOST_DIGITS


@given(st.floats(-1e5, 1e5), decimals)
def test_texts_keep_order_and_sign(value, places):
    exact, _ = parsed(number_text(value, places))
    assert (exact > 0, exact < 0) == (value > 0, value < 0)
    assert parsed(number_text(-value, places))[0] == -exact


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),  # as beside < 10⁻¹⁵: no digit more than there is
        (-0.0, "0"),
        (6.9e-12, "< 10⁻¹¹"),
        (1e-12, "< 10⁻¹²"),  # the float64 nearest to it is a little smaller
        (1.01e-12, "< 10⁻¹¹"),
        (9.999999999999999e-13, "< 10⁻¹²"),
        (-2e-16, "< 10⁻¹⁵"),
        (ROUNDING, "1.00 × 10⁻⁸"),
        (0.018671838, "0.018672"),
        ("nan", "undefined"),
        (None, "—"),
    ],
)
def test_error_text(value, text):
    assert error_text(value, 6) == text


@given(st.floats(1e-300, ROUNDING, exclude_max=True))
def test_a_tiny_error_lies_below_its_bound_and_not_below_a_tenth_of_it(value):
    power = int(error_text(value, 6).removeprefix("< 10").translate(POWERS))
    assert Fraction(10) ** (power - 1) <= Fraction(value) < Fraction(10) ** power


@pytest.mark.parametrize(
    ("value", "uncertainty", "text"),
    [
        (0.20605, 0.08, "≈ 0.2"),
        (0.4645, 0.15, "≈ 0.5"),  # the first digit, although it may be off by one
        (0.05, 0.15, "≈ 0"),  # smaller than its uncertainty
        (5.7447, 1.2, "≈ 6"),
        (5.7447, float("nan"), "≈ 6"),
        (-0.576109, 0.004, "≈ −0.58"),
        (0.344204, 1e-4, "≈ 0.344"),
        (0.344204, 9.9e-5, None),  # four decimals are certain
        (0.344204, 0.0, None),
        (0.344204, None, None),
        (8, 0.5, None),  # a count
        ("nan", 0.5, None),
    ],
)
def test_certain_text(value, uncertainty, text):
    assert certain_text(value, 4, uncertainty) == text


@given(st.floats(-1e5, 1e5), st.floats(1e-9, 10), decimals)
def test_a_certain_text_is_right_to_a_unit_of_its_last_place(value, uncertainty, places):
    text = certain_text(value, places, uncertainty)
    if text is None:
        assert places == 0 or uncertainty < 10.0**-places
    else:
        shown, unit = parsed(text.removeprefix("≈ "))
        assert abs(shown - Fraction(value)) <= unit / 2
        assert unit > uncertainty or unit == 1 or abs(value) >= uncertainty
