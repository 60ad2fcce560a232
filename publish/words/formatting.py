"""How a number is written for a reader: fixed decimals, rounded half up, a real minus sign, never −0."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, localcontext
from typing import Any

ABSENT = "—"
INFINITE = {"inf": "∞", "-inf": "−∞", "nan": "undefined"}
MOST_DIGITS = 8  # significant digits that every machine agrees on
LARGEST_FIXED = 10**6
ROUNDING = 1e-8  # of an error that is smaller, its digits are rounding's own; only its size is certain
CERTAIN = "≈ "  # before a number of which only the digits that are certain are shown
SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def number_text(value: Any, decimals: int) -> str:
    """Return the text of a value: whole numbers as they are, others with so many decimals.

    Numbers too large, or too small to show a digit, are written as a × 10ⁿ. Absent is a dash.
    """
    if value is None:
        return ABSENT
    if isinstance(value, str):
        return INFINITE.get(value, value)
    if isinstance(value, int) and abs(value) < LARGEST_FIXED:
        return str(value).replace("-", "−")
    if value == 0:
        return fixed(0.0, decimals)
    if abs(value) >= LARGEST_FIXED or round_half_up(abs(value), decimals) == 0:
        return scientific(value)
    places = min(decimals, MOST_DIGITS - whole_digits(Decimal(value)))
    if whole_digits(round_half_up(value, places)) + places > MOST_DIGITS:  # 99.9999999 becomes 100.00000
        places -= 1
    return fixed(value, places)


def fixed_text(value: Any, decimals: int) -> str:
    """Return a value with so many decimals and no more, 0.00 where it is smaller: for tables of many like numbers."""
    if isinstance(value, float) and abs(value) < 1 and round_half_up(value, decimals) == 0:
        return fixed(0.0, decimals)
    return number_text(value, decimals)


def error_text(value: Any, decimals: int) -> str:
    """Return the text of an error: of a tiny one only the power of ten below which it lies, as in < 10⁻¹¹.

    Of none at all it is 0.
    """
    if isinstance(value, float) and value == 0:
        return "0"
    if not isinstance(value, float) or abs(value) >= ROUNDING:
        return number_text(value, decimals)
    return f"< 10{str(Decimal(abs(value)).adjusted() + 1).translate(SUPERSCRIPT)}"


def certain_text(value: Any, decimals: int, uncertainty: float | None) -> str | None:
    """Return the text of a number whose last decimals are not certain, as in ≈ 0.2; None where all shown ones are.

    The last digit shown is certain to one unit; but the first digit that is not 0 is shown as long as the number is
    larger than its uncertainty, which is absolute.
    """
    if not uncertainty or not isinstance(value, float):
        return None
    certain = -(Decimal(uncertainty).adjusted() + 1) if uncertainty < 1 else 0
    if certain >= decimals:
        return None
    if 1 > abs(value) >= uncertainty:
        certain = max(certain, -Decimal(value).adjusted())
    return CERTAIN + fixed_text(value, certain)


def machine_text(value: float) -> str:
    """Return a number as JavaScript's String writes it, for addresses and names of files: 0.1, 3, 1e-7."""
    if value == 0 or 1e-6 <= abs(value) < 1e21:
        return format(Decimal(repr(value)), "f").removesuffix(".0")
    mantissa, _, exponent = repr(value).partition("e")
    return f"{mantissa.removesuffix('.0')}e{int(exponent):+d}"


def setting_text(value: Any) -> str:
    """Return a number that somebody chose, as short as it can be written: 0.2, 1, 2.5 × 10⁻⁷."""
    if isinstance(value, str) or value is None or isinstance(value, int):
        return number_text(value, 0)
    if value and not 1e-4 <= abs(value) < LARGEST_FIXED:
        return scientific(value)
    return format(round_half_up(value + 0.0, MOST_DIGITS).normalize(), "f").replace("-", "−")


def whole_digits(value: Decimal) -> int:
    """Return how many digits stand before the decimal point, not counting a lone 0."""
    return len(str(int(abs(value)))) if abs(value) >= 1 else 0


def round_half_up(value: float, decimals: int) -> Decimal:
    """Return the exact binary value rounded to so many decimals, halves away from zero (as toFixed does)."""
    return Decimal(value).quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)


def fixed(value: float, decimals: int) -> str:
    """Return value with so many decimals."""
    return format(
        abs(round_half_up(value, decimals)) if value == 0 else round_half_up(value, decimals), "f"
    ).replace("-", "−")


def scientific(value: float) -> str:
    """Return value as a × 10ⁿ with two decimals."""
    with localcontext(rounding=ROUND_HALF_UP):
        mantissa, exponent = f"{Decimal(value):.2e}".split("e")
    return f"{mantissa.replace('-', '−')} × 10{str(int(exponent)).translate(SUPERSCRIPT)}"


def full_text(value: Any) -> str:
    """Return a value at full precision, as JavaScript writes it; "" where there is none."""
    return "" if value is None else value if isinstance(value, str) else machine_text(value)
