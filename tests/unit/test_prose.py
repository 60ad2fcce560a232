"""Prose: results are named, never typed; every mistake is named with file and line."""

import re

import pytest

from publish.content import PAGES
from publish.reading.problems import Problems
from publish.words.prose import KINDS, Prose
from tests.content_tools import CONTENT, line_of, shipped_content

GOOD = """{#top}
# Title

::: note
A {{number loss}} and {{formula x}}.
:::

{#part}
## Part

{{block symbols}}
"""


def prose(tmp_path, text):
    path = tmp_path / "page.en.md"
    path.write_bytes(text.encode("utf-8"))
    return Prose(path, "pages/page.en.md")


def found(tmp_path, text):
    return list(prose(tmp_path, text).problems())


# name, what is added to a good page (the mistake is on the line that has ⟨…⟩; the marks are taken away), the message
TYPED = [
    ("one digit", "The loss is ⟨5⟩ now.", "5"),
    ("decimals", "The loss is ⟨0.125⟩.", "0.125"),
    ("percent", "By ⟨12%⟩.", "12%"),
    ("negative", "By −⟨3⟩.", "3"),
    ("in a word", "The top⟨3⟩ list.", "3"),
    ("full-width", "损失是⟨０．５⟩。", "０"),
    ("on the third line", "One.\nTwo.\nThe loss is ⟨7⟩.\nFour.", "7"),
    ("in emphasis", "The **loss is ⟨7⟩** now.", "7"),
    ("in a list", "- one\n- two\n- loss ⟨7⟩\n", "7"),
    ("in a nested list", "- one\n  - loss ⟨7⟩\n", "7"),
    ("in a table", "| a | b |\n|---|---|\n| c | d |\n| e | ⟨7⟩ |\n", "7"),
    ("in a table's head", "| a | ⟨7⟩ |\n|---|---|\n| c | d |\n", "7"),
    ("in a heading", "{#more}\n### Loss ⟨7⟩\n", "7"),
    ("in a quotation", "> one\n> loss ⟨7⟩\n", "7"),
    ("in a box", "::: question\nIs it ⟨7⟩?\n:::\n", "7"),
    ("in the title of a folded box", "::: answer It is ⟨7⟩\nYes.\n:::\n", "7"),
    ("in the text of a link", "See [table ⟨7⟩](#part).", "7"),
    ("in the text of an image", "See ![table ⟨7⟩](a.png).", "7"),
    ("in a tag", "See <b>⟨7⟩</b>.", "7"),
    ("as an entity", "See &#5⟨3⟩;.", "5"),
    ("behind a line break", "One.  \nTwo ⟨7⟩.", "7"),
]  # fmt: skip


@pytest.mark.parametrize(("added", "digits"), [case[1:] for case in TYPED], ids=[case[0] for case in TYPED])
def test_typed_digits(tmp_path, added, digits):
    text = f"{GOOD}\n{added}\n"
    line = line_of(text, "⟨")
    (problem,) = found(tmp_path, re.sub("[⟨⟩]", "", text))
    assert (problem.file, problem.line) == ("pages/page.en.md", line)
    assert f"typed into prose: {digits}" in problem.what[0] and "{{number" in problem.hint[0]


@pytest.mark.parametrize(
    "added",
    [
        "Code: `W[0] = 5`.",
        "```\nx = 0.5\n```",
        "    x = 0.5",
        "See [the page](https://example.org/2017/07) and [there](#step-2).",
        "<https://example.org/>",
        "![picture](figure-2.png)",
        "Exactly {{exact 0}}, {{number W.0.1}} and {{source ppo2017}}.",
        "{#step-2}\n### Two",
    ],
)
def test_digits_that_are_no_results(tmp_path, added):
    assert found(tmp_path, f"{GOOD}\n{added}\n") == []


OTHER = [
    ("unknown kind", "A ⟨{{nmber loss}}.", 'unknown {{nmber}}; allowed: number | did you mean "number"?'),
    ("unknown kind alone", "⟨{{blok symbols}}", 'did you mean "block"?'),
    ("unheard-of kind", "A ⟨{{ui x}}.", "unknown {{ui}}"),
    ("no name", "A ⟨{{number}}.", "not a reference"),
    ("one brace", "A ⟨{{number loss}.", "not a reference"),
    ("braces the other way", "A ⟨}}.", "not a reference"),
    ("heading without an anchor", "⟨### More", "without an anchor"),
    ("underlined heading without an anchor", "⟨More\n----", "without an anchor"),
    ("box that closes nothing", "One.\n\n⟨:::\n", "opens or closes no box"),
    ("unknown box", "⟨::: leed\nOne.", "opens or closes no box"),
]  # fmt: skip


@pytest.mark.parametrize(("added", "says"), [case[1:] for case in OTHER], ids=[case[0] for case in OTHER])
def test_other_mistakes(tmp_path, added, says):
    text = f"{GOOD}\n{added}\n"
    line = line_of(text, "⟨")
    (problem,) = found(tmp_path, text.replace("⟨", ""))
    message = str(Problems([problem]))
    assert message.startswith(f"pages/page.en.md:{line}: ")
    assert [part for part in says.split(" | ") if part not in message] == []


def test_all_mistakes_at_once_in_order(tmp_path):
    text = f"{GOOD}\n### One 1\n\nTwo 2 {{{{x y}}}}\n\n:::\n"
    lines = [problem.line for problem in found(tmp_path, text)]
    assert lines == [13, 13, 15, 15, 17]


def test_a_good_page_has_no_problem_with_a_mark_and_windows_line_ends_either(tmp_path):
    for text in (GOOD, "\ufeff" + GOOD, GOOD.replace("\n", "\r\n")):
        page = prose(tmp_path, text)
        assert list(page.problems()) == []
        assert [(r.kind, r.name, r.line) for r in page.references()] == [
            ("heading", "h1 #top", 2),
            ("box", "note", 4),
            ("number", "loss", 5),
            ("formula", "x", 5),
            ("heading", "h2 #part", 9),
            ("block", "symbols", 11),
        ]


def test_unknown_names_are_told_with_their_lines(tmp_path):
    known = {"number": ["los", "kl"], "formula": ["x"], "block": []}
    problems = list(prose(tmp_path, GOOD).unknown(known))
    assert [(problem.line, problem.what[0]) for problem in problems] == [
        (5, "there is no number loss"),
        (11, "there is no block symbols"),
    ]
    assert '"los"' in problems[0].hint[0]


def test_sections_and_rendering(tmp_path):
    page = prose(tmp_path, GOOD + "\n{{formula L}}\n\n::: answer Why?\nSo.\n:::\n")
    intro, part = page.sections()
    assert (intro.anchor, part.anchor, part.title) == ("", "part", "Part")
    html = page.render(intro.tokens, lambda kind, name, display: f"<{kind} {name} {display}>")
    assert '<h1 id="top">Title</h1>' in html
    assert '<div class="note">\n<p>A <number loss False> and <formula x False>.</p>' in html
    html = page.render(part.tokens, lambda kind, name, display: f"<{kind} {name} {display}>")
    assert '<h2 id="part">Part<anchor part Part False></h2>' in html
    assert "<block symbols True>" in html and "<formula L True>" in html
    assert '<details class="answer"><summary>Why?</summary>\n<p>So.</p>\n</details>' in html


def test_a_chinese_title_may_break_behind_its_colon(tmp_path):
    page = prose(tmp_path, "{#top}\n# 甲：乙\n\n{#part}\n## 丙：丁\n")
    html = page.render(page.tokens, lambda kind, name, display: "")
    assert html == '<h1 id="top">甲：<wbr>乙</h1>\n<h2 id="part">丙：丁</h2>\n'


def test_tags_are_text(tmp_path):
    page = prose(tmp_path, "A <b>word</b>.\n\n<script>x</script>\n")
    html = page.render(page.tokens, lambda kind, name, display: "")
    assert html == "<p>A &lt;b&gt;word&lt;/b&gt;.</p>\n<p>&lt;script&gt;x&lt;/script&gt;</p>\n"


# The experiment leaves its numbers to sentences and blocks; the pages about numbers are made of blocks.
LEAST = {"digits": 40, "numbers": 8, "verify": 11, "editions": 5}
ANCHORS = {"numbers": 3, "verify": 5, "editions": 3}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_shipped_prose(page, language):
    prose = shipped_content().prose[page, language]
    assert list(prose.problems()) == []
    assert len(list(prose.references())) >= LEAST.get(page, 50)
    assert {reference.kind for reference in prose.references()} <= {*KINDS, "heading", "box"}


@pytest.mark.parametrize("page", PAGES)
def test_shipped_anchors_are_unique(page):
    text = (CONTENT / "pages" / f"{page}.en.md").read_text(encoding="utf-8")
    anchors = re.findall(r"^\{#([^}]+)\}$", text, re.MULTILINE)
    assert len(anchors) == len(set(anchors)) >= ANCHORS.get(page, 6)
