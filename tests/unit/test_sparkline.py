"""Small line drawings of publish/faults/sparkline.py: both curves on one scale, gaps where there is no number."""

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from publish.faults.sparkline import HEIGHT, MARGIN, WIDTH, sparkline
from tests.documents import Document

ROUNDED = 0.05 + 1e-9  # coordinates have one decimal
finite = st.floats(-1e12, 1e12)
values = finite | st.sampled_from(["inf", "-inf", "nan"])
curves = st.integers(1, 30).flatmap(
    lambda n: st.tuples(*[st.lists(values, min_size=n, max_size=n).map(lambda v: [0.5, *v])] * 2)
)


def drawn(right, wrong, label="a label"):
    """Return the drawing's elements, after checking that it is one picture with a name."""
    document = Document(sparkline(right, wrong, label))
    assert document.faults == []
    svg, *paths = document.elements
    assert (svg.tag, svg.attributes["role"], svg.attributes["aria-label"]) == ("svg", "img", label)
    assert svg.attributes["viewbox"] == f"0 0 {WIDTH} {HEIGHT}"
    assert [(path.tag, path.attributes["class"]) for path in paths] == [("path", "right"), ("path", "wrong")]
    return [path.attributes["d"] for path in paths]


def points(path):
    """Return (pen, x, y) of every point of a path."""
    found = re.findall(r"([ML])(-?[\d.]+) (-?[\d.]+)", path)
    assert "".join(f"{pen}{x} {y}" for pen, x, y in found) == path
    return [(pen, float(x), float(y)) for pen, x, y in found]


def test_two_curves_by_hand():
    # 232 wide and 56 high inside the margins of 4: x = 4, 120, 236; y = 60 at the lowest value, 4 at the highest.
    right, wrong = drawn([0.0, 1.0, 2.0], [0.0, -1.0, 3.0])
    assert points(right) == [("M", 4.0, 46.0), ("L", 120.0, 32.0), ("L", 236.0, 18.0)]
    assert points(wrong) == [("M", 4.0, 46.0), ("L", 120.0, 60.0), ("L", 236.0, 4.0)]


@given(curves)
def test_points_lie_inside_the_box_one_for_each_number(both):
    for path, curve in zip(drawn(*both), both):
        found = points(path)
        numbers = [step for step, value in enumerate(curve) if not isinstance(value, str)]
        assert len(found) == len(numbers)
        for step, (_, x, y) in zip(numbers, found):
            assert abs(x - MARGIN - (WIDTH - 2 * MARGIN) * step / (len(curve) - 1)) <= ROUNDED
            assert MARGIN - ROUNDED <= y <= HEIGHT - MARGIN + ROUNDED


@given(curves)
def test_higher_values_are_drawn_higher_on_the_scale_of_both(both):
    found = []
    for path, curve in zip(drawn(*both), both):
        numbers = [value for value in curve if not isinstance(value, str)]
        found += zip(numbers, [y for _, _, y in points(path)])
    found.sort()
    assert all(later[1] <= earlier[1] for earlier, later in pairwise(found))
    if found[0][0] < found[-1][0]:
        assert (found[0][1], found[-1][1]) == (HEIGHT - MARGIN, MARGIN)


@pytest.mark.parametrize("word", ["inf", "-inf", "nan"])
@pytest.mark.parametrize(
    ("marks", "pens"),
    [("1111", "MLLL"), ("1x11", "MML"), ("x111", "MLL"), ("111x", "MLL"), ("1xx1", "MM"), ("x1x1", "MM")],
)
def test_a_word_leaves_a_gap(word, marks, pens):
    curve = [word if mark == "x" else float(step) for step, mark in enumerate(marks)]
    path, other = drawn([0.0, 1.0, 2.0, 3.0], curve)
    found = points(other)
    assert "".join(pen for pen, _, _ in found) == pens
    # The points that are left stay at their steps, and on the scale of the whole curve.
    whole = {x: y for _, x, y in points(path)}
    assert all(whole[x] == y for _, x, y in found)


def test_a_curve_of_words_alone_is_not_drawn():
    right, wrong = drawn([0.0, 2.0], ["nan", "inf"])
    assert [pen for pen, _, _ in points(right)] == ["M", "L"] and wrong == ""


@pytest.mark.parametrize("word", ["inf", "nan"])
def test_two_curves_of_words_alone_are_an_empty_drawing(word):
    # A config whose very first loss is infinite or undefined, on both paths.
    assert drawn([word, "nan"], ["nan", word]) == ["", ""]


def test_constant_curves_are_level():
    for value in (0.0, -3.5, 7):
        right, wrong = drawn([value] * 4, [value] * 4)
        assert right == wrong and {y for _, _, y in points(right)} == {HEIGHT - MARGIN}
    right, wrong = drawn([1, 1, 1], [2, 2, 2])
    assert {y for _, _, y in points(right)} == {HEIGHT - MARGIN} and {y for _, _, y in points(wrong)} == {
        MARGIN
    }


def test_one_step_is_one_point():
    assert [points(path) for path in drawn([1.0], [2.0])] == [[("M", 4.0, 60.0)], [("M", 4.0, 4.0)]]


def test_the_label_is_escaped():
    markup = sparkline([0.0], [1.0], '<b> & "c"')
    assert "<b>" not in markup
    drawn([0.0], [1.0], '<b> & "c"')
