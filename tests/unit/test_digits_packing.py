"""Large arrays as text, packed by numpy and unpacked both by numpy and in plain Python."""

import base64
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.digits.packing import packed_parameters, packed_rewards, unpacked_parameters, unpacked_rewards
from compute.packed import floats, some_bytes, whole_numbers


def test_rewards_by_hand():
    # 0, 1 and 0.12346 as 0, 10000 and 1235, low byte first; 65535 where undefined.
    text = packed_rewards(np.array([0.0, 1.0, 0.12346, np.nan]))
    assert base64.b64decode(text) == struct.pack("<4H", 0, 10000, 1235, 65535)
    assert unpacked_rewards(text)[:3].tolist() == [0.0, 1.0, 0.1235] and np.isnan(unpacked_rewards(text)[3])
    assert whole_numbers(text, 0, 4) == [0, 10000, 1235, 65535]


def test_parameters_by_hand():
    text = packed_parameters(np.array([[1.0, -2.5], [0.1, 3.0]]))
    assert base64.b64decode(text) == struct.pack("<4f", 1.0, -2.5, 0.1, 3.0)
    assert unpacked_parameters(text, 2)[0].tolist() == [1.0, -2.5]
    assert unpacked_parameters(text, 2)[1, 0] == struct.unpack("<f", struct.pack("<f", 0.1))[0]


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_rewards_come_back_to_four_decimals(values):
    assert unpacked_rewards(packed_rewards(np.array(values))) == pytest.approx(values, abs=0.500001e-4)


@given(st.lists(st.floats(width=32, allow_nan=False), min_size=1, max_size=40), st.data())
def test_plain_python_reads_any_part_of_what_numpy_packed(values, data):
    text = packed_parameters(np.array(values))
    start = data.draw(st.integers(0, len(values)))
    count = data.draw(st.integers(0, len(values) - start))
    assert floats(text, start, count) == values[start : start + count]
    assert unpacked_parameters(text, len(values)).tolist() == [values]


@given(st.binary(max_size=30), st.data())
def test_any_slice_of_bytes(raw, data):
    start = data.draw(st.integers(0, len(raw)))
    stop = data.draw(st.integers(start, len(raw)))
    assert some_bytes(base64.b64encode(raw).decode(), start, stop) == raw[start:stop]
