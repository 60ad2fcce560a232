"""Whether the digits that a reader is shown are right: the text of a number against its value with fifty digits."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

from ..words.formatting import ABSENT, INFINITE, ROUNDING

DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹−", "-0123456789-")
BOUND = re.compile(r"< 10(?P<exponent>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
PLAIN = re.compile(
    r"(?:≈ )?(?P<digits>−?[0-9]+(?:\.(?P<decimals>[0-9]+))?)(?: × 10(?P<exponent>[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?"
)
TIE = Fraction(1, 10**6)  # of a unit: float64 and fifty digits may see a tie from different sides


def is_right(text: str, exact: Any, uncertainty: float = 0.0) -> bool:
    """Tell whether a text is the number rounded to the digits that it shows. Raises ValueError for another text.

    exact: the number, with as many digits as there are: int, float, mpf or Fraction; None (absent) or a word as in the
    results. uncertainty: absolute, what the number may differ from the exact one by (see digits/uncertainty.py).
    """
    if exact is None or isinstance(exact, str):
        return text == (ABSENT if exact is None else INFINITE.get(exact, exact))
    value = fraction(exact)
    if match := BOUND.fullmatch(text):
        return abs(value) < power(match["exponent"])
    if text == "0":  # without decimals: nothing at all, but for rounding
        return bool(abs(value) < Fraction(ROUNDING) + Fraction(uncertainty))
    match = PLAIN.fullmatch(text)
    if not match:
        raise ValueError(text)
    scale = power(match["exponent"] or "0")
    unit = scale / 10 ** len(match["decimals"] or "")
    shown = Fraction(match["digits"].replace("−", "-")) * scale
    return bool(abs(shown - value) <= unit / 2 + unit * TIE + Fraction(uncertainty))


def fraction(value: Any) -> Fraction:
    """Return a number exactly: an mpf is a whole number times a power of two."""
    if hasattr(value, "man_exp"):
        mantissa, exponent = value.man_exp
        sign = -1 if value < 0 and mantissa > 0 else 1
        return sign * Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
    return Fraction(value)


def power(exponent: str) -> Fraction:
    """Return ten to a raised number."""
    return Fraction(10) ** int(exponent.translate(DIGITS))
