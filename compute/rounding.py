"""Where rounding ends and a result begins: sums whose terms cancel leave a residue that is no number of ours."""

from math import frexp, ldexp


def without_residue(total, size):
    """Return total, or 0 where it is below 4 ulp of the sum of its absolute terms: rounding, not a result."""
    if size != size or size - size != 0:  # undefined or infinite: nothing to compare with
        return total
    return 0.0 if abs(total) < 4 * ldexp(1.0, frexp(size)[1] - 53) else total


def settled_sum(values):
    """Return the sum of values, added in order, without residue."""
    total = size = 0.0
    for value in values:
        total += value
        size += abs(value)
    return without_residue(total, size)
