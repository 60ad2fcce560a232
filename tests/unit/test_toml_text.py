"""A TOML file as its author sees it: every spot that is not TOML is named with its line, and all at once.

SYNTAX is a table: what is changed in the shipped rollout.toml, and what has to be said. Add a line for a new case.
"""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from publish.reading.problems import Problems
from publish.reading.toml_text import TomlText, full_width_hint
from tests.content_tools import CONFIG, SHIPPED, as_bytes, changed, config_from, line_of, problems_of

SECOND = "actions = [1, 2]"
SECOND_ROW = "    [-0.1, 0.4, -0.3],\n"

# name, text of the shipped file, what stands there instead, what the message says (parts, " | " between).
# The mistake is on the line where the new text begins, or the text behind "@ ".
SYNTAX = [
    # full-width punctuation and digits, as a Chinese keyboard types them
    ("“ ”", 'normalization = "token"', "normalization = “token”", 'not TOML: normalization | “ → " | ” → "'),
    ("，", "actions = [0, 1, 0, 2]", "actions = [0， 1, 0, 2]", "not TOML: actions = [0， 1, 0, 2] | ， → ,"),
    ("，in a row of a table", SECOND_ROW, "    [-0.1， 0.4, -0.3],\n", "not TOML: [-0.1， 0.4 | ， → ,"),
    ("，between rows", SECOND_ROW, "    [-0.1, 0.4, -0.3]，\n", "， → ,"),
    ("：", "beta = 0.1", "beta： 0.1", "not TOML: beta | ： → :"),
    ("＝", "clip_epsilon = 0.2", "clip_epsilon ＝ 0.2", "not TOML: clip_epsilon | ＝ → ="),
    ("＝ before a table", "initial = [", "initial ＝ [", "not TOML: initial | ＝ → ="),
    ("［ ］", SECOND, "actions = ［1, 2］", "not TOML: actions | ［ → [ | ］ → ]"),
    ("［ ］ of a header", "[update]", "［update］", "not TOML: ［update］ | ［ → [ | ］ → ]"),
    ("【 】 of a header", "[update]", "【update】", "【 → [ | 】 → ]"),
    ("digits", "learning_rate = 0.3", "learning_rate = ０.３", "０ → 0 | ３ → 3"),
    ("－", "per_response = [0.1, -0.1]", "per_response = [0.1, －0.1]", "－ → -"),
    ("space", "keep = 4", "keep =\u3000\u30004", "space"),
    ("＃", "at = ", "＃ at\nat = ", "＃ → #"),
    # brackets and strings that do not close, or close too often
    ("unclosed row", "    [0.3, -0.2, 0.1],\n", "    [0.3, -0.2, 0.1,\n@ initial = [", "Unclosed array"),
    ("unclosed table", f"{SECOND_ROW}]\n", f"{SECOND_ROW}@ initial = [", "not TOML: initial = ["),
    ("unclosed list", SECOND, "actions = [1, 2", "Unclosed array"),
    ("unclosed inline table", "beta = 0.1", "beta = { a = 1", "not TOML: beta"),
    ("unclosed at the end", "    [0.3, 0.6, 0],\n]", "    [0.3, 0.6, 0],\n@ rewards = [ ", "not TOML: rewards = ["),
    ("one bracket too many", SECOND, "actions = [1, 2]]", "not TOML: actions"),
    ("unclosed string", 'rewards = "mixed"', 'rewards = "mixed', 'not TOML: rewards = "mixed'),
    ("unclosed long string", 'rewards = "mixed"', 'rewards = """mixed', "Unterminated string"),
    ("unclosed header", "[controls]", "[controls", "not TOML: [controls"),
    # other
    ("no comma", "actions = [0, 1, 0, 2]", "actions = [0 1, 0, 2]", "not TOML: actions"),
    ("a word for a number", SECOND_ROW, "    [-0.1, O.4, -0.3],\n", "not TOML: [-0.1, O.4"),
    ("no value", "beta = 0.1", "beta =", "not TOML: beta"),
    ("no key", "beta = 0.1", "= 0.1", "not TOML: = 0.1"),
    ("no equals sign", "beta = 0.1", "beta 0.1", "not TOML: beta 0.1"),
    ("decimal comma", "beta = 0.1", "beta = 0,1", "not TOML: beta = 0,1"),
    ("a date that there is not", "beta = 0.1", "beta = 2026-13-41", "not TOML: beta"),
    ("number of 5000 digits", "beta = 0.1", f"beta = {'9' * 5000}", "too many digits"),
    ("the same in groups", "beta = 0.1", f"beta = {'999_' * 2000}9", "too many digits"),
    # twice
    ("key twice", "learning_rate = 0.3", "learning_rate = 0.3\nlearning_rate = 0.4@ learning_rate = 0.4",
     "learning_rate: given twice | first given in line {learning_rate = 0.3}"),
    ("table of rows twice", "[update]", "initial = [\n    [1, 2, 3],\n]\n[update]@ initial = [\n    [1,",
     "initial: given twice | first given in line {initial = [\n    [0.3}"),
    ("header twice", "[features]", "[update]\n\n[features]@ [update]\n\n",
     "[update]: given twice | first given in line {[update]\nclip}"),
    ("table twice", "[features]", "[update]\nsteps = 3\n[features]@ [update]\nsteps", "[update]: given twice"),
    ("table after its dotted key", "schema = 1", "schema = 1\nupdate.steps = 1@ [update]", "[update]: given twice"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "says"), [case[1:] for case in SYNTAX], ids=[case[0] for case in SYNTAX]
)
def test_syntax(tmp_path, old, new, says):
    new, _, place = new.partition("@ ")
    text = changed(SHIPPED, old, new)
    problems = problems_of(config_from, tmp_path, text)
    message = str(Problems(problems))
    assert message.count("\n") == 0, "one message for one mistake"
    with_windows_line_ends = problems_of(config_from, tmp_path, text.replace("\n", "\r\n"))
    assert str(Problems(with_windows_line_ends)) == message
    assert message.startswith(f"{tmp_path / CONFIG}:{line_of(text, place or new)}: ")
    for part in says.split(" | "):
        before, brace, fragment = part.partition("{")
        part = f"{before}{line_of(text, fragment.rstrip('}'))}" if brace else part
        assert part in message


def test_all_syntax_mistakes_are_found_and_the_rest_is_still_checked(tmp_path):
    text = SHIPPED
    syntax = ["［update］", "base = [1.0， 0.2]", "actions = [1, 2", "beta： 0.1", "at = “0.0”"]
    meaning = ["steps = 999 ", "padding = [0.0]", "keep = -4", 'rewards = "mixd"']
    for old, new in zip(["[update]", "base = [1.0, 0.2]", SECOND, "beta = 0.1", 'at = "0.0"'], syntax):
        text = changed(text, old, new)
    for old, new in zip(["steps = 20 ", "padding = [0.0, 1.0]", "keep = 4", 'rewards = "mixed"'], meaning):
        text = changed(text, old, new)
    lines = [problem.line for problem in problems_of(config_from, tmp_path, text)]
    # Reward sets are not compared while a statement is dropped: it might be one of them.
    assert lines == sorted(line_of(text, fragment) for fragment in [*syntax, *meaning[:3]])


ENCODINGS = {
    "empty": (b"", None, "empty"),
    "blank": (b" \r\n\n", None, "empty"),
    "binary": (bytes(range(256)), 2, "UTF-8"),
    "NUL": (as_bytes(changed(SHIPPED, "beta = 0.1", "beta = \0")), line_of(SHIPPED, "beta = 0.1"), "binary"),
    "UTF-16": (SHIPPED.encode("utf-16"), 1, "UTF-16"),
    "UTF-16 without a mark": ("schema = 1".encode("utf-16-le"), 1, "binary"),
    "GBK": (b"schema = 1\n# \xb2\xce\xca\xfd\n", 2, "UTF-8"),
    "Latin": ("# Größe\n".encode("latin-1"), 1, "UTF-8"),
    "old Mac line ends": (as_bytes("a = 1\rb = 2\r"), 1, "not TOML"),
    "deep brackets": (as_bytes(f"a = {'[' * 5000}{']' * 5000}"), None, "too deeply"),
    "deep brackets left open": (as_bytes(f"a = {'[' * 5000}"), None, "too deeply"),
}


@pytest.mark.parametrize("name", ENCODINGS)
def test_file_that_is_no_text(name):
    raw, line, says = ENCODINGS[name]
    source = TomlText("name.toml", raw)
    (problem,) = source.problems
    assert (problem.file, problem.line) == ("name.toml", line)
    assert says in problem.what[0] and problem.what[0] != problem.what[1]
    assert len(str(Problems([problem]))) < 200
    assert source.broken and source.data == {}


def test_full_width_characters_in_comments_and_strings_are_fine():
    source = TomlText("name.toml", as_bytes('a = "“，”" # ［＝］\n'))
    assert (source.data, source.problems) == ({"a": "“，”"}, [])
    assert full_width_hint(["a = 1 # ，"]) is None


def test_lines_of_everything():
    # The expected lines are counted by hand.
    text = """top = 1
[table]
a.b = [1,
  # a comment
  2, [3,
  4]]
"c d" = { x = 1, y = { z = 2 } }
[[rows]]
a = 1

[[rows]]
a = [
  5]
[rows.inner]
b = 2
"""
    lines = TomlText("name.toml", as_bytes(text)).line
    assert [lines(("top",)), lines(("table",))] == [1, 2]
    assert [lines(("table", "a")), lines(("table", "a", "b", 0)), lines(("table", "a", "b", 1))] == [3, 3, 5]
    assert [lines(("table", "a", "b", 2, 0)), lines(("table", "a", "b", 2, 1))] == [5, 6]
    assert [lines(("table", "c d", "x")), lines(("table", "c d", "y", "z"))] == [7, 7]
    assert [lines(("rows",)), lines(("rows", 0, "a")), lines(("rows", 1)), lines(("rows", 1, "a", 0))] == [
        8,
        9,
        11,
        13,
    ]
    assert lines(("rows", 1, "nowhere")) == 11, "the nearest thing around it"
    assert lines(("nowhere",)) == 1


def test_windows_line_ends_and_a_mark_change_no_line():
    for text in (SHIPPED, SHIPPED.replace("\n", "\r\n"), "\ufeff" + SHIPPED):
        source = TomlText("name.toml", as_bytes(text))
        assert source.data == tomllib.loads(SHIPPED)
        assert source.line(("controls", "beta")) == line_of(SHIPPED, "beta = 0.1")


@given(st.text(alphabet="ab=[]{}\",.\n# 01“，［］＝'-_\r", max_size=60) | st.binary(max_size=40))
def test_any_text_is_toml_or_has_problems(text):
    raw = as_bytes(text)
    source = TomlText("name.toml", raw)
    assert all(
        problem.line is None or 1 <= problem.line <= raw.count(b"\n") + 1 for problem in source.problems
    )
    if not source.problems:
        assert source.data == tomllib.loads(raw.decode("utf-8-sig"))
        assert {source.line((key,)) for key in source.data} <= set(range(1, raw.count(b"\n") + 2))
