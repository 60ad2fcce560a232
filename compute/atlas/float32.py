"""Single precision in plain Python: each result of float64 rounded to 24 bits.

One operation at a time this is exactly IEEE 754: float64 has more than twice the digits, so that rounding twice
does no harm (sums, differences, products, quotients and square roots).
"""

from math import frexp, ldexp, sqrt

DIGITS = 24
SMALLEST_EXPONENT = -125  # of numbers with all their digits; below, digits are lost
LARGEST = 3.4028234663852886e38


def float32(value):
    """Return the float32 nearest to value, ties to even; infinite beyond the largest."""
    mantissa, exponent = frexp(value)
    digits = DIGITS + min(0, exponent - SMALLEST_EXPONENT)
    rounded = ldexp(round(ldexp(mantissa, digits)), exponent - digits)
    if abs(rounded) > LARGEST:
        return rounded * float("inf")
    return rounded


def mean32(values):
    """Return the mean, added up in order, as float32 computes it."""
    total = 0.0
    for value in values:
        total = float32(total + value)
    return float32(total / len(values))


def standard_deviation32(values):
    """Return the sample standard deviation (divisor n - 1) as float32 computes it."""
    mean, total = mean32(values), 0.0
    for value in values:
        apart = float32(value - mean)
        total = float32(total + float32(apart * apart))
    return float32(sqrt(float32(total / (len(values) - 1))))
