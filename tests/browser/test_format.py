"""A number is written by the page's scripts exactly as by the build."""

from __future__ import annotations

import math
import os
import struct
from random import Random

import pytest

from publish.words.formatting import error_text, number_text, setting_text

pytestmark = pytest.mark.browser

COUNT = 40_000 if os.environ.get("HYPOTHESIS_PROFILE") == "fuzz" else 2000
WRITE = """cases => cases.map(([value, decimals]) => RLPU.format.text(value, decimals))"""
MACHINE = """values => values.map((value) => RLPU.format.machine(value))"""

EDGES = [
    *(
        0.0,
        -0.0,
        0.5,
        1.5,
        2.5,
        0.125,
        0.375,
        0.0625,
        0.00005,
        0.000049999,
        1e-4,
        1e-5,
        9.9999e-5,
        1e-300,
        5e-324,
    ),
    *(
        99.9999999,
        999999.9999999,
        999999.5,
        999999.4,
        1e6,
        1234567.0,
        1e15,
        1e21,
        1.005e21,
        1e100,
        1.7976931348623157e308,
    ),
    *(
        9.995,
        99.95,
        0.9999999999,
        1 - 2**-53,
        1.0,
        3.0,
        123456.789,
        12345.6789,
        100000.0,
        0.1,
        0.2,
        0.3,
        1 / 3,
        2 / 3,
    ),
    *(1.005e-7, 9.995e-9, 9.996e-9, 2**-20, 3 * 2**-7, 5 * 2**-13, 1e-7, 123e-7),
]
WORDS = [None, "inf", "-inf", "nan"]


def ties(rng):
    """Return a value half way between two texts: an odd multiple of a power of two."""
    return (2 * rng.randrange(10**6) + 1) * 2.0 ** -rng.randrange(1, 12)


def value(rng):
    kind = rng.randrange(5)
    if kind == 0:
        found = struct.unpack("<d", rng.randbytes(8))[0]
        found = found if math.isfinite(found) else 1.0
    elif kind == 1:
        found = ties(rng)
    elif kind == 2:
        found = 10 ** rng.uniform(-10, 8)
    elif kind == 3:
        found = round(rng.uniform(-5, 5), rng.randrange(8))
    else:
        found = rng.uniform(-1, 1)
    return found * rng.choice([1, -1])


def test_texts_are_the_builds(visit):
    page = visit().page
    rng = Random(None if COUNT > 2000 else 11)
    values = [*EDGES, *(-edge for edge in EDGES), *(value(rng) for _ in range(COUNT))]
    cases = [(item, decimals) for item in values for decimals in (1, 2, 3, 4, 5, 6)]
    cases += [(item, 0) for item in values if not item.is_integer()]
    said = page.evaluate(WRITE, cases)
    wrong = [
        (case, text, number_text(*case)) for case, text in zip(cases, said) if text != number_text(*case)
    ]
    assert wrong[:10] == [] and len(cases) > 10_000


def test_texts_of_counts_and_of_what_is_no_number(visit):
    page = visit().page
    counts = [(count, 0) for count in (0, 1, -1, 7, 20, 999_999, 10**6, 10**9, -(10**7))]
    cases = counts + [(word, decimals) for word in WORDS for decimals in range(7)]
    assert page.evaluate(WRITE, cases) == [number_text(*case) for case in cases]


def test_errors_are_written_as_the_build_writes_them(visit):
    page = visit().page
    rng = Random(None if COUNT > 2000 else 14)
    values = [*EDGES, *(10 ** rng.uniform(-17, -6) for _ in range(COUNT)), *WORDS]
    said = page.evaluate(WRITE, [(item, "6e") for item in values])
    wrong = [
        (item, text, error_text(item, 6)) for item, text in zip(values, said) if text != error_text(item, 6)
    ]
    assert wrong[:10] == []


def test_settings_are_written_as_short_as_they_can_be(visit):
    page = visit().page
    rng = Random(None if COUNT > 2000 else 12)
    values = [
        *EDGES,
        *(-edge for edge in EDGES),
        *(value(rng) for _ in range(COUNT)),
        *WORDS,
        *range(-30, 30),
    ]
    said = page.evaluate(WRITE, [(item, None) for item in values])
    wrong = [
        (item, text, setting_text(item)) for item, text in zip(values, said) if text != setting_text(item)
    ]
    assert wrong[:10] == []


def test_the_machines_form_keeps_every_bit(visit):
    page = visit().page
    rng = Random(13)
    values = [*EDGES, *(value(rng) for _ in range(500))]
    said = page.evaluate(MACHINE, values)
    assert [float(text) for text in said] == values
    assert page.evaluate(MACHINE, WORDS) == ["", "inf", "-inf", "nan"]
