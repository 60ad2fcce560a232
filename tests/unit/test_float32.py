"""Single precision in plain Python, of compute/float32.py, against the machine's own."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.atlas.float32 import float32, mean32, standard_deviation32


def stored(value):
    """The value after a trip through four bytes; infinite where it does not fit."""
    try:
        return struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


@given(st.floats(allow_nan=False, allow_infinity=False) | st.floats(-1e-37, 1e-37) | st.floats(-1e3, 1e3))
def test_rounding_is_the_machines(value):
    assert float32(value) == stored(value)


@pytest.mark.parametrize(
    "value",
    [0.0, 0.1, 1 + 2**-24, 1 + 3 * 2**-24, 2**-149, 2**-150, 1.5 * 2**-149, 3.4028235677973366e38, 1e39],
)
def test_ties_and_edges(value):
    assert float32(value) == stored(value) and float32(-value) == stored(-value)


@given(st.lists(st.floats(-100, 100, width=32), min_size=2, max_size=12))
def test_each_operation_is_single_precision(values):
    total = np.float32(0)
    for value in values:
        total = np.float32(total + np.float32(value))
    mean = np.float32(total / np.float32(len(values)))
    assert mean32(values) == mean
    squares = np.float32(0)
    for value in values:
        apart = np.float32(np.float32(value) - mean)
        squares = np.float32(squares + np.float32(apart * apart))
    with np.errstate(under="ignore"):
        assert standard_deviation32(values) == np.sqrt(np.float32(squares / np.float32(len(values) - 1)))
