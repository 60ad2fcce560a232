"""Messages: one line per mistake, in order, in the environment's language."""

import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from publish.reading.problems import (
    Problem,
    Problems,
    found_and_allowed,
    nearest,
    nearest_few,
    one_of,
    report,
    show,
)

WHAT = ("found", "写的是")


@pytest.fixture(autouse=True)
def english(monkeypatch):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


def test_a_message_names_what_there_is_to_name():
    hint = ("hint", "提示")
    assert report([Problem("a.toml", 3, "b.c", WHAT, hint)]) == "a.toml:3: b.c: found; hint"
    assert report([Problem("a.toml", None, "b", WHAT)]) == "a.toml: b: found"
    assert report([Problem("a.toml", 3, "", WHAT)]) == "a.toml:3: found"


def test_problems_are_sorted_by_file_line_and_key():
    places = [("b", 1, ""), ("a", 10, "y"), ("a", 10, "x"), ("a", 9, "z"), ("a", None, "")]
    problems = Problems(Problem(file, line, key, WHAT) for file, line, key in places)
    found = [(problem.file, problem.line, problem.key) for problem in problems.problems]
    assert found == [("a", None, ""), ("a", 9, "z"), ("a", 10, "x"), ("a", 10, "y"), ("b", 1, "")]
    assert str(problems).splitlines()[2] == "a:10: x: found"


@pytest.mark.parametrize(
    ("environment", "chinese"),
    [
        ({}, False),
        ({"LANG": "zh_CN.UTF-8"}, True),
        ({"LANG": "zh_TW"}, True),
        ({"LANG": "en_US.UTF-8"}, False),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": "C"}, False),
        ({"LANG": "C", "LC_ALL": "zh_CN.UTF-8"}, True),
        ({"LANG": "C", "LC_MESSAGES": "zh_CN.UTF-8"}, True),
        ({"LC_ALL": "", "LANG": "zh_CN.UTF-8"}, True),  # an empty variable counts as unset
    ],
)
def test_language_follows_the_environment(monkeypatch, environment, chinese):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert report([Problem("a", 1, "", WHAT)]) == ("a:1: 写的是" if chinese else "a:1: found")


def test_a_message_stays_one_line():
    problem = Problem("a.toml", 1, "b\nc", ("d\r\n\x1b[31m", ""), ("\0", ""))
    assert report([problem]) == r"a.toml:1: b\nc: d\r\n\x1b[31m; \x00"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (True, "true"),
        (1.5, "1.5"),
        ("a", '"a"'),
        ("a\nb\0", r'"a\nb\x00"'),
        ([1, "x"], "[1, 'x']"),
        (datetime.date(2026, 11, 30), "2026-11-30"),
        (10**40 + 1, "a whole number of 133 bits"),  # 40 log2(10) = 132.9
        ("x" * 100, '"' + "x" * 56 + "…"),
        ([16**5000], "a number with too many digits"),
    ],
)
def test_shown_values(value, shown):
    assert show(value) == shown


@given(st.recursive(st.text() | st.integers() | st.floats(), lambda inner: st.lists(inner, max_size=9)))
def test_any_value_is_shown_short(value):
    assert len(show(value)) <= 60 and "\n" not in show(value)


@pytest.mark.parametrize(
    ("typed", "known", "meant"),
    [
        ("tokem", ["token", "response"], "token"),
        ("Token ", ["token", "response"], "token"),
        ("ｔｏｋｅｎ", ["token"], "token"),  # full-width letters
        ("w", ["W"], "W"),
        ("zzzz", ["token", "response"], None),
        ("", ["token"], None),
        ("token", [], None),
    ],
)
def test_nearest_spelling(typed, known, meant):
    phrase = nearest(typed, known)
    assert phrase is None if meant is None else [f'"{meant}"' in part for part in phrase] == [True, True]


def test_phrases_exist_in_both_languages():
    assert one_of(["a", "b"]) == ("a, b", "a, b")
    english, chinese = found_and_allowed("x", ("one", "一"))
    assert english == 'found "x"; allowed: one'
    assert '"x"' in chinese and chinese.endswith("一")


def test_several_near_spellings_nearest_first():
    known = ["gradient.0.2", "gradient.0.1", "loss", "kl"]
    assert nearest_few(" Gradient.0.22", known) == ["gradient.0.2", "gradient.0.1"]
    assert nearest_few("gradient.0.22", known, count=1) == ["gradient.0.2"]
    assert nearest_few("?", known) == []
