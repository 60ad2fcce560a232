"""Conditions of claims: what they may say, and where a mistake in one is."""

import pytest

from compute.claims.evaluate import ARGUMENTS, evaluate
from publish.words.conditions import KEYWORDS, ConditionError, read_condition


def id_(name):
    return "id", tuple(name.split("."))


def value(number):
    return "value", number


def compare(left, sign, right):
    return "compare", (sign,), (left, right)


# text, tree
READ = [
    ("a.b > c", compare(id_("a.b"), ">", id_("c"))),
    ("a.0.b != 1.5e-3", compare(id_("a.0.b"), "!=", value(0.0015))),
    ("0 < x-y.z <= 1", ("compare", ("<", "<="), (value(0.0), id_("x-y.z"), value(1.0)))),
    ("a ≤ b", compare(id_("a"), "<=", id_("b"))),
    ("a ≥ b", compare(id_("a"), ">=", id_("b"))),
    ("a ≠ b", compare(id_("a"), "!=", id_("b"))),
    ('a.b = "token"', compare(id_("a.b"), "=", value("token"))),
    ("a.holds", id_("a.holds")),
    ("not a = true", ("not", compare(id_("a"), "=", value(True)))),
    ("not not a", id_("a")),
    ("a or b and not c", ("or", id_("a"), ("and", id_("b"), ("not", id_("c"))))),
    ("(a or b) and c", ("and", ("or", id_("a"), id_("b")), id_("c"))),
    ("a - b > 2 * c / d + 1", compare(
        ("-", id_("a"), id_("b")), ">", ("+", ("/", ("*", value(2.0), id_("c")), id_("d")), value(1.0)))),
    ("a > -b", compare(id_("a"), ">", ("minus", id_("b")))),
    ("a > --b", compare(id_("a"), ">", id_("b"))),
    ("any(a.*.b < 0)", ("call", "any", (compare(id_("a.*.b"), "<", value(0.0)),))),
    ("near(a, b, 1e-9)", ("call", "near", (id_("a"), id_("b"), value(1e-9)))),
    ("rising(a.*)", ("call", "rising", (id_("a.*"),))),
    ("all(near(a.*, 1, 0.1))", ("call", "all", (("call", "near", (id_("a.*"), value(1.0), value(0.1))),))),
    ("count(a.*) = 2", compare(("call", "count", (id_("a.*"),)), "=", value(2.0))),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tree"), READ)
def test_what_a_condition_says(text, tree):
    assert read_condition(text).tree == tree
    assert read_condition(f" {text.replace(' ', '  ')}\n").text == text  # one spelling for both languages
    evaluate(tree, {})  # every tree can be evaluated


def test_ids_are_told_with_their_positions():
    assert read_condition("a.b > 1 and any(c-d.*.e = a.b)").ids == (
        (("a", "b"), 1),
        (("c-d", "*", "e"), 17),
        (("a", "b"), 27),
    )


# text, position, what is said, hint
WRONG = [
    ("", 1, "it ends too early", None),
    ("a >", 4, "it ends too early", None),
    ("(a > b", 7, 'it ends too early; ")" is missing', None),
    ("a > b)", 6, 'unexpected ")"', None),
    ("a b", 3, 'unexpected "b"', None),
    ("a andd b", 3, 'unexpected "andd"', 'did you mean "and"?'),
    ("a ＞ b", 3, 'unexpected "＞"', 'write ">"'),
    ("a，b", 2, 'unexpected "，"', 'write ","'),
    ("a == b", 4, 'unexpected "="', None),
    ("a & b", 3, 'unexpected "&"', None),
    ("1.2.3 > a", 1, 'unexpected "1"', None),
    ("a. > 1", 2, 'unexpected "."', None),
    ('a = "b', 5, 'unexpected """', None),
    ("__import__(a)", 1, "there is no function __import__", None),
    ("alll(a.* > 1)", 1, "there is no function alll", 'did you mean "all"?'),
    ("near(a, b)", 1, "near takes 3, not 2, values", None),
    ("all(a.* > 1, b)", 1, "all takes 1, not 2, values", None),
    ("all(a > 1)", 1, "all needs an id with a * in it", None),
    ("a.* > 1", 1, "say all(…) or any(…)", None),
    ("not a.* > 1", 1, "say all(…) or any(…)", None),
    ("a + 1", 1, "a number is no condition", None),
    ("5", 1, "a number is no condition", None),
    ("count(a.* > 1)", 1, "a number is no condition", None),
    ("(" * 50 + "a" + ")" * 50, 41, "too many parentheses", None),
    ("a or " * 300 + "a", 1000, "longer than 1000", None),
]


@pytest.mark.parametrize(("text", "position", "said", "hint"), WRONG)
def test_mistakes_are_told_with_their_position_in_both_languages(text, position, said, hint):
    with pytest.raises(ConditionError) as caught:
        read_condition(text)
    english, chinese = caught.value.what
    assert english.startswith(f"position {position} of the condition: ") and said in english
    assert chinese.startswith(f"条件的第 {position} 个字符处：") and chinese != english
    assert (caught.value.hint and caught.value.hint[0]) == hint


def test_the_deepest_and_longest_conditions_can_be_evaluated():
    deep = "(" * 39 + "not a" + ")" * 39
    long = "not b or " * 100 + "b"
    assert evaluate(read_condition(deep).tree, {"a": False}) is True
    assert evaluate(read_condition(long).tree, {"b": True}) is True


def test_keywords_and_functions_are_no_ids():
    assert not set(KEYWORDS) & set(ARGUMENTS)
