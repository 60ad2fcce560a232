"""From pydantic's complaints to problems: phrases, known names and lines along a key path."""

from typing import Annotated, Literal

import pytest
from pydantic import Field

from publish.editions import edition
from publish.reading.toml_text import TomlText
from publish.reading.validation import Strict, allowed, check, field_at, known_names, phrase
from publish.update import config
from tests.content_tools import as_bytes

Small = Annotated[float, Field(le=9)]


class Inner(Strict):
    word: Literal["left", "right"] = allowed("left or right", "左或右")
    row: list[Small] | None = allowed("numbers up to 9", "不大于 9 的数", default=None)
    free: float = allowed("a number", "一个数", default=0.5)


class Outer(Strict):
    schema_: int = allowed("1", "1", alias="schema", ge=1, le=1)
    inner: Inner = allowed("a table", "一个表")
    items: list[Inner] = allowed("tables", "若干个表", default=[])
    named: dict[str, list[Small]] = allowed("lists", "若干个列表", default={})


VALID = 'schema = 1\n[inner]\nword = "left"\n'


def found(text):
    return [(p.line, p.key, p.what[0]) for p in check(Outer, TomlText("a.toml", as_bytes(text)))]


def test_valid_text_has_no_problem():
    assert found(VALID + "row = [1, 2.5]\n[[items]]\nword = 'right'\n[named]\na = [3]\n") == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (VALID + "row = [1, 10]\n", (4, "inner.row.1", "found 10; allowed: numbers up to 9")),
        (VALID + "row = [1, nan]\n", (4, "inner.row.1", "found nan; allowed: numbers up to 9")),
        (VALID + "free = nan\n", (4, "inner.free", "found nan; allowed: a number")),
        (VALID + "free = -inf\n", (4, "inner.free", "found -inf; allowed: a number")),
        (VALID + "free = '1'\n", (4, "inner.free", 'found "1"; allowed: a number')),
        (VALID + "row = 1\n", (4, "inner.row", "found 1; allowed: numbers up to 9")),
        (VALID + "[[items]]\nword = 'up'\n", (5, "items.0.word", 'found "up"; allowed: left or right')),
        (VALID + "[[items]]\n", (4, "items.0.word", "missing; allowed: left or right")),
        (
            VALID + "[[items]]\nword='left'\nx=1\n",
            (6, "items.0.x", "unknown key; allowed here: word, row, free"),
        ),
        (VALID + "[named]\na = [true]\n", (5, "named.a.0", "found true; allowed: lists")),
        (VALID + "schema_ = 1\n", (4, "inner.schema_", "unknown key; allowed here: word, row, free")),
        (VALID[11:], (1, "schema", "missing; allowed: 1")),
        (VALID[:11], (1, "inner", "missing; allowed: a table")),
        ("x = 1\n" + VALID, (1, "x", "unknown key; allowed here: schema, inner, items, named")),
    ],
)
def test_problem(text, problem):
    assert found(text) == [problem]


def test_nothing_is_called_missing_when_a_statement_could_not_be_read():
    text = VALID.replace("word =", "word ")
    source = TomlText("a.toml", as_bytes(text))
    assert len(source.problems) == 1 and check(Outer, source) == []


def test_phrases_along_a_path():
    assert phrase(Outer, ("inner", "row", 1)) == ("numbers up to 9", "不大于 9 的数")
    assert phrase(Outer, ("items", 3, "word")) == ("left or right", "左或右")
    assert phrase(Outer, ("schema",)) == ("1", "1")
    assert known_names(Outer, ()) == ["schema", "inner", "items", "named"]
    assert known_names(Outer, ("items", 0)) == ["word", "row", "free"]
    assert field_at(Outer, ()) == (None, Outer)


TABLES = [
    m for m in vars(config).values() if isinstance(m, type) and issubclass(m, Strict) and m is not Strict
]


@pytest.mark.parametrize("model", [*TABLES, edition.EditionFile])
def test_every_field_says_in_both_languages_what_is_allowed(model):
    for name, field in model.model_fields.items():
        english, chinese = (field.description or "").split("\n")
        assert english and chinese, name


def test_every_table_of_the_config_is_looked_at():
    assert len(TABLES) == 7
