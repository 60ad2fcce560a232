"""Formulas: TeX in, MathML out, quantities marked by class and never by style."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from publish.reading.problems import Problems
from publish.reading.toml_text import TomlText
from publish.words.formulas import QUANTITY, find_formula, load_formulas, mathml
from tests.content_tools import CONTENT, as_bytes, changed, line_of, problems_of, shipped_content

SHIPPED_FORMULAS = (CONTENT / "formulas.toml").read_text(encoding="utf-8")
FORMULAS = shipped_content().formulas


class Attributes(HTMLParser):
    """Collects every attribute of some markup."""

    def __init__(self, markup):
        super().__init__()
        self.found = []
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        self.found += [(tag, *attribute) for attribute in attrs]


def loaded(text):
    return problems_of(load_formulas, TomlText("formulas.toml", as_bytes(text)))


@pytest.mark.parametrize("name", FORMULAS)
def test_shipped_formula(name):
    formula = FORMULAS[name]
    for markup, display in ((formula.inline, []), (formula.display, ["block"])):
        attributes = Attributes(markup).found
        assert [item for item in attributes if item[1] == "style"] == []
        assert [value for tag, key, value in attributes if key == "alttext"] == [formula.text]
        assert [value for tag, key, value in attributes if (tag, key) == ("math", "display")] == display
        root = ElementTree.fromstring(re.sub(r"&(?!amp;|lt;|gt;|quot;)\w+;", "", markup))
        assert root.tag.endswith("math") and "".join(root.itertext()).strip()
        assert not re.search(r"\\|merror", "".join(root.itertext()) + markup)
    assert "\\" not in formula.text and formula.text.strip() == formula.text != ""


@pytest.mark.parametrize("quantity", QUANTITY.values())
def test_a_quantity_carries_its_class(quantity):
    markup = mathml(rf"a + \q{quantity}{{b}}", "a + b", False)
    assert markup.count("class=") == 1 and f'class="q-{quantity}"' in markup
    assert any(f"q-{quantity}" in formula.inline for formula in FORMULAS.values()), "the pages use it"


def test_columns_are_aligned_by_class():
    markup = FORMULAS["objective-constants"].display
    assert 'class="right' in markup and 'class="left' in markup


def test_operators_in_scripts_have_no_spaces_and_bars_lie_close():
    plus, bar = mathml("G^+ + T_i", "G+ + T", False), mathml(r"\bar{r}", "mean r", False)
    assert '<mi>G</mi><mo lspace="0" rspace="0">+</mo></msup><mo>+</mo>' in plus
    assert "<mi>r</mi><mo>¯</mo></mover>" in bar


def test_text_is_escaped():
    assert 'alttext="a &lt; &quot;b&quot;"' in mathml("a", 'a < "b"', False)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("tex = 'x_{it}'", r"tex = '\fraq{a}{b}'", r"TeX: | \fraq"),
        ("tex = 'x_{it}'", "tex = 'x_{it'", "TeX: "),
        ("tex = 'x_{it}'", r"tex = '\left( x'", "TeX: "),
        ("tex = 'x_{it}'", "tex = 5", "needs tex and text"),
        ("tex = 'x_{it}'", "tex = ['x']", "needs tex and text"),
        ("tex = 'x_{it}'\n", "", "needs tex and text"),
        ('text = "x_it"', "text = 5", "needs tex and text"),
        ('text = "x_it"', 'text = "x_it"\nmore = 1', "needs tex and text"),
    ],
)
def test_mistake(old, new, says):
    text = changed(SHIPPED_FORMULAS, old, new)
    (problem,) = loaded(text)
    assert (problem.line, problem.key) == (line_of(text, "[x]\n"), "x")
    assert [part for part in says.split(" | ") if part not in problem.what[0]] == []


def test_all_mistakes_at_once():
    text = changed(changed(SHIPPED_FORMULAS, "'x_{it}'", r"'\fraq'"), "[logits]\ntex =", "[logits]\ntexx =")
    text = changed(text, "[kl]", "【kl】")
    problems = loaded(text)
    assert sorted(problem.line for problem in problems) == [
        line_of(text, "[x]\n"),
        line_of(text, "[logits]"),
        line_of(text, "【kl】"),
    ]
    assert "\n" not in str(Problems(problems[:1]))


def test_unknown_formula():
    (problem,) = problems_of(find_formula, FORMULAS, "logitz")
    assert problem.key == "logitz" and '"logits"' in problem.hint[0]
    assert find_formula(FORMULAS, "logits").id == "logits"
