"""Words of the pages: both languages, and placeholders that are filled."""

from string import Formatter

import pytest

from publish.reading.problems import Problems
from publish.reading.toml_text import TomlText
from publish.words.language import LANGUAGES, Text
from publish.words.terms import Terms, entries
from tests.content_tools import as_bytes, problems_of, shipped_content

WORDS = """[a.b]
both = { zh = "一 {x}", en = "one {x}" }
plain.zh = "二"
plain.en = "two"
[c]
zh = "三"
en = "three"
"""


def terms(text):
    return Terms(TomlText("terms.toml", as_bytes(text)))


def test_words():
    words = terms(WORDS)
    assert words.text("a.b.both", "zh", x=3) == "一 3"
    assert words.text("a.b.both", "en", x=3) == "one 3"
    assert (words.text("a.b.plain", "en"), words.text("c", "zh")) == ("two", "三")
    assert Text("一", "one")["zh"] == "一" and Text("一 {x}", "one {x}").format("en", x=1) == "one 1"


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ('[a]\nb = { zh = "一" }', 2, "a.b"),
        ('[a]\nb = { zh = "一", en = "one", fr = "un" }', 2, "a.b"),
        ('[a]\nb = { zh = "一", en = 1 }', 2, "a.b"),
        ('[a]\nb.zh = "一"\nc = { zh = "一", en = "one" }', 2, "a.b"),
        ("[a]\n[b]\nzh = 1\nen = 2", 1, "a"),
        ("\nx = 5", 2, "x"),
        ("\nx = ［5］", 2, ""),
    ],
)
def test_mistake(text, line, key):
    first = problems_of(terms, text)[0]
    assert (first.file, first.line, first.key) == ("terms.toml", line, key)


def test_claims_and_contrary_sentences():
    text = """[a]
b = { zh = "一", en = "one", claim = 'a.b  >  1' }
c = { zh = "二", en = "two", contrary = true }
d = { zh = "三", en = "three", contrary = false }
"""
    words = terms(text)
    assert {key: condition.text for key, condition in words.claims.items()} == {"a.b": "a.b > 1"}
    assert words.contrary == {"a.c"} and list(words.texts) == ["a.b", "a.c", "a.d"]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('claim = "a >"', "a.b.claim: position 4 of the condition: it ends too early"),
        ("claim = 5", "a.b.claim: position 1 of the condition: a number is no condition; compare it"),
        ('contrary = "yes"', 'a.b.contrary: found "yes"; allowed: true or false'),
    ],
)
def test_a_condition_that_cannot_be_read(entry, said):
    (problem,) = problems_of(terms, f'[a]\nb = {{ zh = "一", en = "one", {entry} }}')
    assert str(Problems([problem])) == f"terms.toml:2: {said}"


def test_all_mistakes_at_once():
    text = '[a]\nb = 1\nc = { zh = "一" }\nd = { zh = "一", en = "one" }'
    assert [problem.key for problem in problems_of(terms, text)] == ["a.b", "a.c"]


def test_unknown_word():
    (problem,) = problems_of(terms(WORDS).text, "a.b.boht", "en")
    assert (problem.file, problem.key) == ("terms.toml", "a.b.boht") and '"a.b.both"' in problem.hint[0]


@pytest.mark.parametrize("text", ["one {y}", "one {", "one {0}", "one {x.y}", "one }"])
def test_placeholder_that_nothing_fills(text):
    words = terms(f'[a]\nb = {{ zh = "一", en = "{text}" }}')
    (problem,) = problems_of(lambda: words.text("a.b", "en", x=3))
    assert (problem.line, problem.key) == (2, "a.b")
    assert str(Problems([problem])) == f'terms.toml:2: a.b: found "{text}"; allowed: the placeholders {{x}}'


def test_shipped_words_have_the_same_placeholders_in_both_languages():
    for key, text in shipped_content().terms.texts.items():
        chinese, english = ({name for _, name, _, _ in Formatter().parse(text[lang])} for lang in LANGUAGES)
        assert chinese - {None} == english - {None}, key
        assert text["zh"].strip() and text["en"].strip(), key


def test_entries_are_the_innermost_tables():
    table = {"a": {"b": {"zh": "", "en": ""}, "c": {"zh": ""}}, "d": {"en": ""}, "e": 5, "f": {}}
    assert [path for path, _ in entries(table)] == [("a", "b"), ("a", "c"), ("d",), ("e",), ("f",)]


def test_a_count_that_may_be_one_has_no_plural():
    assert "{step} updates" not in shipped_content().terms.texts["live.now"]["en"]
