"""Words of the prose bound to a condition: what is bound, how it renders, and every way to write it wrongly."""

import pytest

from publish.reading.problems import Problems
from publish.words.bound import Bound
from publish.words.prose import Prose


def prose(tmp_path, text):
    path = tmp_path / "page.en.md"
    path.write_text(f"{{#top}}\n# Title\n\n{text}\n", encoding="utf-8")
    return Prose(path, "page.en.md")


def test_what_is_bound(tmp_path):
    page = prose(
        tmp_path,
        "One {{claim a > b}}is **larger**, {{number loss}}\nand [linked](#x){{/claim}}. And\n"
        "{{claim  any(c.*.d\n!= 1) }}more{{/claim}} {{claim e}}still{{/claim}}.\n\n- {{claim f}}in a list{{/claim}}",
    )
    assert page.claims == [
        Bound("a > b", "is larger, … and linked", 4),
        Bound("any(c.*.d != 1)", "more", 6),
        Bound("e", "still", 7),
        Bound("f", "in a list", 9),
    ]
    assert list(page.problems()) == []


def test_how_it_renders(tmp_path):
    page = prose(tmp_path, "{{claim a  >  b}}*words* and {{number loss}}{{/claim}}, others.")
    html = page.render(page.tokens, lambda kind, name, display: f"<{kind} {name}>")
    assert "<p><claim a > b><em>words</em> and <number loss></claim 0>, others.</p>" in html
    assert list(page.problems()) == []
    assert [(r.kind, r.name) for r in page.references()][1:] == [("claim", "a > b"), ("number", "loss")]


WRONG = [
    ("no end", "{{claim a}}words", "without {{/claim}}"),
    (
        "end in another paragraph",
        "{{claim a}}words\n\nmore{{/claim}}",
        "without {{/claim}}",
        "without a {{claim",
    ),
    ("no beginning", "words{{/claim}}", "without a {{claim"),
    ("two ends", "{{claim a}}words{{/claim}}{{/claim}}", "without a {{claim"),
    ("one inside another", "{{claim a}}b {{claim c}}d{{/claim}}", "a claim inside a claim"),
    ("begins inside markup", "**{{claim a}}b** c{{/claim}}", "different markup"),
    ("ends inside markup", "{{claim a}}b **c{{/claim}}**", "different markup"),
    ("leaves markup and enters other", "**{{claim a}}b** **c{{/claim}}**", "different markup"),
    ("no condition", "{{claim}}words{{/claim}}", "not a reference", "without a {{claim"),
    ("a condition with a mistake", "{{claim a >}}words{{/claim}}", "claim a >: position 4 of the condition"),
    ("a number", "{{claim a.b + 1}}words{{/claim}}", "a number is no condition"),
    ("in a heading", "{#x}\n## {{claim a}}Words{{/claim}}", "a claim in a heading"),
    ("a digit in the words", "{{claim a > 1}}5 words{{/claim}}", "a number typed into prose: 5"),
]


@pytest.mark.parametrize(("text", "said"), [(case[1], case[2:]) for case in WRONG], ids=[c[0] for c in WRONG])
def test_mistakes(tmp_path, text, said):
    problems = sorted(prose(tmp_path, text).problems(), key=lambda p: p.line)
    messages = [str(Problems([problem])) for problem in problems]
    assert len(messages) == len(said)
    for message, part in zip(messages, said):
        assert message.startswith("page.en.md:") and part in message
    assert all(problem.what[0] != problem.what[1] for problem in problems)


def test_a_condition_may_hold_what_markdown_reads_otherwise(tmp_path):
    page = prose(tmp_path, "{{claim any(W.*.* != V.*.*) and a_b < 2 * c_d}}words{{/claim}} and *more*.")
    assert list(page.problems()) == []
    assert page.claims[0].condition == "any(W.*.* != V.*.*) and a_b < 2 * c_d"
    html = page.render(page.tokens, lambda kind, name, display: "")
    assert "<p>words and <em>more</em>.</p>" in html
