"""What conditions are worth: by hand where something is missing, and against Python's own evaluation where not."""

from random import Random

import pytest

from compute.claims.evaluate import FUNCTIONS, evaluate, holds
from publish.words.conditions import read_condition

RESULTS = {
    "one": 1,
    "two": 2.0,
    "no": False,
    "yes": True,
    "word": "token",
    "huge": 10**400,
    "inf": "inf",
    "down": "-inf",
    "nan": "nan",
    "real_nan": float("nan"),
    "none": None,
    "list": [1.0, 2.0, 4.0],
    "gaps": [None, 1.0, None, 3.0],
    "holed": [1.0, "nan", 3.0],
    "empty": [],
    "nothing": [None, None],
    "same": [2.0, 2.0],
    "rows": [{"a": 1, "ok": True, "of": [1, 2]}, {"a": 2, "ok": False, "of": [3, 4]}],
    "named": {"x": {"a": 5}, "y": {"a": 6}},
}
TRUE = [
    "one < two", "one <= one", "two > one", "two >= two", "one = 1", "one != two", "0 < one < two < 3",
    "yes", "not no", "yes = true", "no != yes", 'word = "token"', 'word != "response"', "one + 1 = two",
    "two - one = 1", "-one < 0", "two * 3 = 6", "one / two = 0.5", "yes or nan > 1", "nan > 1 or yes",
    "inf > 1e300", "down < -1e300", "inf = inf", "inf > down", "not inf < 1", "inf + 1 = inf",
    "all(list.* > 0)", "any(list.* > 3)", "count(list.* > 1) = 2", "rising(list.*)", "rises(list.*)",
    "not falling(list.*)", "last(list.*) = 4", "all(list.* <= last(list.*))", "all(list.* = list.*)",
    "all(gaps.* > 0)", "count(gaps.* > 0) = 2", "rising(gaps.*)", "last(gaps.*) = 3", "any(holed.* > 2)",
    "not all(holed.* > 1)", "not rises(same.*)", "not rising(same.*)", "not falling(same.*)",
    "near(one, 1.05, 0.1)", "not near(one, 2, 0.5)", "near(1, one, 0)", "not near(inf, 1, 1e9)",
    "not near(1, inf, 1e9)", "all(rows.*.a > 0)", "all(rows.*.of.* >= 1)", "count(rows.*.ok) = 1",
    "any(not rows.*.ok)", "rows.1.of.0 = 3", "all(named.*.a > 4)", "named.x.a = 5",
    "all(not rows.*.ok or rows.*.a = 1)", "all(near(list.*, 2, 2))",
]  # fmt: skip
FALSE = [
    "one > two", "no", "not yes", "no and nan > 1", "nan > 1 and no", 'word = "x"', "0 < two < one", "rising(same.*)",
    "all(holed.* > 1)", "any(list.* > 9)", "last(list.*) < 0",
]  # fmt: skip
NEITHER = [
    "huge * two > 1",
    "nan > 1", "not nan > 1", "nan = nan", "nan != nan", "real_nan < 1", "none = 0", "not none = 0",
    "none = none", "absent.id > 0", "not absent", "one.two > 0", "list.9 > 0", "list.-1 > 0", "rows.0 > 0",
    "rows > 0", 'one = "token"', "word > 1", "word > word", "yes > no", "yes = 1", "word", "one",
    "yes + 1 = 2", "one / 0 > 1", "one / no = 1", "inf - inf = 0", "near(inf, inf, 1)", "near(nan, 1, 9)",
    "all(empty.* > 0)", "any(empty.* > 0)", "count(nothing.* > 0) = 0", "last(nothing.*) = 0",
    "rising(empty.*)", "falling(nothing.*)", "all(holed.* > 0)", "any(holed.* > 9)", "count(holed.* > 0) = 3",
    "all(list.* > same.*)", "all(list.*)", "nan > 1 or no", "yes and nan > 1", "inf * 0 = 0",
    "all(missing.*.a > 0)",
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [(t, True) for t in TRUE] + [(t, False) for t in FALSE] + [(t, None) for t in NEITHER],
)
def test_by_hand(text, expected):
    tree = read_condition(text).tree
    found = evaluate(tree, RESULTS)
    assert (found if isinstance(found, bool) else None) is expected
    assert holds(tree, RESULTS) is (expected is True)
    # What is neither does not hold, and its negation does not either.
    assert holds(("not", tree), RESULTS) is (expected is False)


def test_every_function_is_tried():
    assert all(any(f"{name}(" in text for text in (*TRUE, *FALSE, *NEITHER)) for name in FUNCTIONS)


def test_a_fraction_of_a_list_needs_numbers_of_one_length():
    assert not holds(read_condition("any(list.* / same.* > 0)").tree, RESULTS)


def number(rng, depth):
    """Return a number as a condition writes it, and as Python does."""
    if depth == 0 or rng.random() < 0.4:
        if rng.random() < 0.5:
            text = str(rng.choice([0, 1, 2, 0.5, 1e-3]))
            return text, text
        k = rng.randrange(4)
        return f"v.{k}", f"v[{k}]"
    sign = rng.choice("+-*")
    (a, python_a), (b, python_b) = number(rng, depth - 1), number(rng, depth - 1)
    return f"({a} {sign} {b})", f"({python_a} {sign} {python_b})"


def truth(rng, depth):
    """Return a condition, and the same in Python."""
    kind = rng.choice(["compare", "list", "logic", "not"]) if depth else rng.choice(["compare", "list"])
    sign = rng.choice(["<", "<=", ">", ">=", "=", "!="])
    python_sign = "==" if sign == "=" else sign
    if kind == "compare":
        parts = [number(rng, 2) for _ in range(rng.choice([2, 3]))]
        return f" {sign} ".join(a for a, _ in parts), f" {python_sign} ".join(b for _, b in parts)
    if kind == "list":
        name, (limit, python_limit) = rng.choice(["all", "any"]), number(rng, 1)
        return f"{name}(v.* {sign} {limit})", f"{name}([x {python_sign} {python_limit} for x in v])"
    if kind == "not":
        inner, python_inner = truth(rng, depth - 1)
        return f"not ({inner})", f"(not ({python_inner}))"
    word = rng.choice(["and", "or"])
    (a, python_a), (b, python_b) = truth(rng, depth - 1), truth(rng, depth - 1)
    return f"({a}) {word} ({b})", f"(({python_a}) {word} ({python_b}))"


def test_as_python_says():
    rng, seen = Random(7), set()
    for _ in range(2000):
        text, python = truth(rng, 3)
        v = [rng.choice([0, 1, 2, 0.5, rng.uniform(-2, 2)]) for _ in range(4)]
        expected = eval(python, {"v": v, "__builtins__": {"all": all, "any": any}})
        assert evaluate(read_condition(text).tree, {"v": v}) is expected, (text, v)
        seen.add(expected)
    assert seen == {True, False}
