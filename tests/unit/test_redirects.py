"""Where old addresses lead: the file, redirects astray, and the marks in the pages."""

import re

import pytest

from publish.editions.redirects import Redirects, astray, load_redirects, redirected
from publish.reading.toml_text import TomlText
from tests.content_tools import CONTENT, problems_of
from tests.documents import Document

FILE = """[pages]
old-page = "update"
[anchors.update]
old = "new"
away = "digits#curves"
[numbers]
"old.*.x" = "new.*.x"
[keys.update]
kl = "beta"
"""
IDS = {"update": {"new": "h2", "row": "tr", "c-beta": "input"}, "digits": {"curves": "section"}}


def read(text):
    return load_redirects(TomlText("redirects.toml", text.encode()))


def test_the_file():
    assert read(FILE) == Redirects(
        {"old-page": "update"},
        {"update": {"old": "new", "away": "digits#curves"}},
        {"old.*.x": "new.*.x"},
        {"update": {"kl": "beta"}},
    )
    assert read((CONTENT / "redirects.toml").read_text("utf-8")) == Redirects()


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('[numbers]\n"old.*.x" = "new.x"\n', "numbers.old.*.x"),
        ("[pages]\nold = 1\n", "pages.old"),
        ('[anchors]\nold = "new"\n', "anchors.old"),
        ('[page]\nold = "new"\n', "page"),
    ],
)
def test_mistakes_are_named(text, key):
    assert [problem.key for problem in problems_of(read, text)] == [key]


def test_redirects_that_lead_nowhere():
    fine = astray(read(FILE), IDS, {"new.*.x"}, {"update": ["beta"]})
    assert list(fine) == []
    text = FILE.replace('"new"', '"ne"').replace("digits#curves", "digts#curves").replace('"beta"', '"bet"')
    text = text.replace('= "update"', '= "updat"').replace('= "new.*.x"', '= "new.*.y"')
    found = {
        problem.key: problem.hint for problem in astray(read(text), IDS, {"new.*.x"}, {"update": ["beta"]})
    }
    keys = (
        "pages.old-page",
        "anchors.update.old",
        "anchors.update.away",
        "numbers.old.*.x",
        "keys.update.kl",
    )
    assert set(found) == set(keys)
    assert '"new"' in found["anchors.update.old"][0] and '"beta"' in found["keys.update.kl"][0]
    for place in ("row", "c-beta"):  # nothing may stand before a row, and a control is no place
        assert list(astray(read(f'[anchors.update]\nold = "{place}"\n'), IDS, set(), {}))


PAGE = '<main id="main"><h2 class="a" id="new">N</h2><ul><li id="item">x</li></ul></main>\n<nav class="around"></nav>'


def test_an_old_anchor_stands_as_an_empty_element_at_the_new_place():
    found = Document(redirected(PAGE, {"old": "new", "older": "new", "old-item": "item"}, "{place}"))
    assert found.faults == []
    order = found.ids()
    assert order.index("main") < order.index("old") < order.index("new") < order.index("item")
    assert order.index("older") < order.index("new") and order[-1] == "old-item"
    for name in ("old", "older", "old-item"):
        (element,) = [e for e in found.elements if e.attributes.get("id") == name]
        assert (element.tag, element.text) == ("span", "")
        assert element.parent.tag == ("li" if name == "old-item" else "main")


def test_an_anchor_of_another_page_is_a_link_that_names_it():
    found = Document(redirected(PAGE, {"away": "digits#curves"}, "This part has moved to {place}."))
    (element,) = [e for e in found.elements if e.attributes.get("id") == "away"]
    assert element.attributes["data-moved"] == "digits.html#curves"
    assert [e.attributes["href"] for e in found.all("a")] == ["digits.html#curves"]
    assert element.text == "This part has moved to digits.html#curves."
    assert found.ids().index("item") < found.ids().index("away")


def test_nothing_to_redirect_changes_nothing():
    assert redirected(PAGE, {}, "{place}") == PAGE
    assert Redirects().live("update") == {}
    assert (
        re.search("beta", str(read(FILE).live("update"))) and read(FILE).live("digits")["moved"]["keys"] == {}
    )
