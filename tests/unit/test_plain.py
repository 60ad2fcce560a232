"""Results as JSON can say them: compute/plain.py."""

import json
from math import copysign, inf, nan

from hypothesis import given
from hypothesis import strategies as st

from compute.plain import plain

values = st.recursive(
    st.floats() | st.integers() | st.booleans() | st.none() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


def test_numbers_that_json_lacks_become_words():
    assert plain([inf, -inf, nan, 1.5, None]) == ["inf", "-inf", "nan", 1.5, None]


def test_minus_zero_becomes_zero():
    assert copysign(1, plain(-0.0)) == 1
    assert copysign(1, plain({"a": (0.0 * -1,)})["a"][0]) == 1


def test_other_values_stay_what_they_are():
    assert plain({"a": True, "b": 3, "c": "text"}) == {"a": True, "b": 3, "c": "text"}
    assert type(plain(1)) is int and plain(True) is True


@given(values)
def test_any_result_is_json(value):
    json.dumps(plain(value), allow_nan=False)
    assert plain(plain(value)) == plain(value)
