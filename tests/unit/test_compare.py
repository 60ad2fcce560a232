"""Two numbers.json compared: added, gone, changed; and files that are none."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from publish.editions.compare import by_page, compare, read_numbers, report, same
from publish.numbers.export import numbers_json
from publish.reading.problems import Problems
from tests.content_tools import problems_of, run_build, shipped_content, shipped_material


def entry(value, text=None, page="update", label="a"):
    return {
        "value": value,
        "text": text or str(value),
        "page": page,
        "label": {"zh": f"{label}甲", "en": label},
    }


OLD = {
    "a": entry(1.0, "1.00"),
    "b": entry(0.12345678, "0.1235"),
    "gone": entry(2, "2", "digits"),
    "inf": entry("inf", "∞"),
    "none": entry(None, "—"),
}
NEW = {
    "a": entry(1.0 + 1e-10, "1.00"),
    "b": entry(0.12349999, "0.1235"),
    "new": entry(3, "3", "digits"),
    "inf": entry(1e9, "1.00 × 10⁹"),
    "none": entry("nan", "undefined"),
}


def test_what_changed():
    found = {item.id: (item.kind, item.old, item.new) for item in compare(OLD, NEW)}
    assert found == {
        "b": ("changed", "0.12345678", "0.12349999"),  # the texts are the same: at full precision
        "new": ("added", "", "3"),
        "inf": ("changed", "∞", "1.00 × 10⁹"),
        "none": ("changed", "—", "undefined"),
        "gone": ("gone", "2", ""),
    }
    assert compare(OLD, OLD) == compare({}, {}) == []


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(-1e-6, 1e-6))
def test_same_is_a_relative_difference_of_at_most_1e_9(value, part):
    other = value * (1 + part)
    relative = abs(value - other) / max(abs(value), abs(other)) if math.isfinite(other) and other else 0
    if abs(value) > 1e-3 and math.isfinite(other) and abs(relative - 1e-9) > 1e-12:
        assert same(value, other) == (relative < 1e-9)


@pytest.mark.parametrize(
    ("old", "new", "equal"),
    [
        *((0, 0.0, True), (0.0, 5e-17, True), (0.0, 1e-9, False), (1, 1.0, True), ("inf", "inf", True)),
        *(
            ("inf", "-inf", False),
            (None, 0, False),
            (None, None, True),
            ("nan", None, False),
            (1, "1", False),
        ),
    ],
)
def test_values_of_other_kinds(old, new, equal):
    assert same(old, new) is same(new, old) is equal


def test_the_report_is_by_page_in_both_languages():
    assert [(page, kind, len(items)) for page, kind, items in by_page(compare(OLD, NEW))] == [
        ("update", "changed", 3),
        ("digits", "added", 1),
        ("digits", "gone", 1),
    ]
    assert report(compare(OLD, NEW), "en").splitlines() == [
        *("update.html", "  3 changed", "    b: 0.12345678 → 0.12349999  (a)"),
        *("    inf: ∞ → 1.00 × 10⁹  (a)", "    none: — → undefined  (a)", ""),
        *("digits.html", "  1 added", "    new: 3  (a)", "  1 gone", "    gone: 2  (a)"),
    ]
    assert "改变 3 个" in report(compare(OLD, NEW), "zh") and "(a甲)" in report(compare(OLD, NEW), "zh")
    assert (report([], "en"), report([], "zh")) == ("No number changed.", "没有改变的数。")


def written(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_a_numbers_json_of_a_build_is_read(tmp_path):
    material = shipped_material()
    text = numbers_json(material.registry, shipped_content().formulas, "digest")
    numbers = read_numbers(written(tmp_path / "numbers.json", text))
    assert list(numbers) == list(material.registry) and compare(numbers, numbers) == []


GOOD = {"schema": 1, "config": "d", "numbers": {"a": entry(1)}}
BROKEN = [
    "",
    "nothing",
    "[]",
    "{}",
    json.dumps(GOOD | {"schema": 2}),
    json.dumps(GOOD | {"numbers": []}),
    json.dumps(GOOD | {"numbers": {"a": 1}}),
    json.dumps(GOOD | {"numbers": {"a": {"value": 1}}}),
    json.dumps(GOOD | {"numbers": {"a": entry(1) | {"label": {"zh": "甲"}}}}),
    json.dumps(GOOD | {"numbers": {"a": entry([1])}}),
    json.dumps(GOOD | {"numbers": {"a": entry(math.nan)}}),
]


@pytest.mark.parametrize("text", BROKEN)
def test_a_file_that_is_none_is_refused_with_what_to_name(tmp_path, text):
    path = written(tmp_path / "a.json", text)
    (problem,) = problems_of(read_numbers, path)
    assert problem.file.endswith("a.json") and "data/numbers.json" in problem.hint[0] and problem.hint[1]


def test_a_file_that_cannot_be_read(tmp_path):
    for path in (tmp_path, tmp_path / "none.json"):
        with pytest.raises(Problems, match="cannot be read"):
            read_numbers(path)
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Problems, match="is no JSON"):
        read_numbers(tmp_path / "binary")


def test_the_command(tmp_path):
    old = written(tmp_path / "old.json", json.dumps(GOOD | {"numbers": OLD}))
    new = written(tmp_path / "new.json", json.dumps(GOOD | {"numbers": NEW}))
    run = run_build("compare", old, new, "--lang", "zh")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == report(compare(OLD, NEW), "zh") + "\n"
    run = run_build("compare", tmp_path / "none.json", written(tmp_path / "bad.json", "{}"))
    assert (run.returncode, run.stdout) == (2, "") and len(run.stderr.splitlines()) == 2
