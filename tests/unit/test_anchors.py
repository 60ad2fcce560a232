"""The addresses of an edition: what is written down, and what is missed when it is gone."""

import pytest

from publish.content import PAGES
from publish.editions.anchors import Anchors, anchors_of, gone, ids_of, load_anchors, record, shape
from publish.editions.redirects import Redirects
from publish.site import lost_addresses, rendered_pages
from publish.words.language import LANGUAGES
from tests.content_tools import CONTENT, problems_of, shipped_content, shipped_material
from tests.documents import document

PAGE = """<main id="main"><h2 id="one">1</h2><figure class="a" id="two"><input id="c-beta">
<data class="number" data-number="a.3.b.0" value="1">1</data><template>
<data class="number" data-number="a.@.b.0" value="">—</data></template></figure></main>"""
KEYS = ("beta", "step")
HERE = Anchors(("main", "one", "two"), ("a.*.b.*",), KEYS)


def lost(old, new=HERE, numbers=("a.*.b.*",), redirects=None):
    found = gone({"0.1.0": {"p": old}}, {"p": new}, set(numbers), redirects or Redirects())
    return [(problem.key, problem.hint[0].split("under ")[1].split(" of")[0]) for problem in found]


def test_places_numbers_and_keys_are_addresses_and_controls_are_not():
    assert anchors_of(PAGE, KEYS) == HERE
    assert shape("a.10.b.c-1") == "a.*.b.c-1"


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_ids_are_those_that_a_parser_finds(page, language):
    markup = rendered_pages(shipped_content(), shipped_material())[page, language]
    parsed = {e.attributes["id"]: e.tag for e in document(page, language).elements if "id" in e.attributes}
    assert ids_of(markup) == parsed


def test_both_languages_have_the_same_addresses():
    pages = rendered_pages(shipped_content(), shipped_material())
    for page in PAGES:
        assert anchors_of(pages[page, "zh"], ()) == anchors_of(pages[page, "en"], ())


def test_a_record_reads_back(tmp_path):
    (tmp_path / "anchors").mkdir()
    (tmp_path / "anchors" / "0.1.0.toml").write_text(record({"p": HERE, "q-r": Anchors((), (), ())}), "utf-8")
    assert load_anchors(tmp_path) == {"0.1.0": {"p": HERE, "q-r": Anchors((), (), ())}}
    assert load_anchors(tmp_path / "none") == {}


def test_a_broken_record_is_named(tmp_path):
    (tmp_path / "anchors").mkdir()
    (tmp_path / "anchors" / "0.1.0.toml").write_text("[p]\nanchors = [1]\nnumbers = []\nkeys = []\n", "utf-8")
    (problem,) = problems_of(load_anchors, tmp_path)
    assert problem.key == "p.anchors.0" and problem.line == 2


@pytest.mark.parametrize(
    ("old", "told"),
    [
        (HERE, []),
        (Anchors(("one",), (), ()), []),
        (Anchors(("old",), (), ()), [("p.html #old", "[anchors.p]")]),
        (Anchors((), ("a.*.c",), ()), [("p.html show=a.*.c", "[numbers]")]),
        (Anchors((), (), ("gamma",)), [("p.html key gamma", "[keys.p]")]),
    ],
)
def test_what_is_gone_is_told_with_the_table_that_would_redirect_it(old, told):
    assert lost(old) == told
    moved = Redirects({}, {"p": {"old": "one"}}, {"a.*.c": "a.*.b.*"}, {"p": {"gamma": "beta"}})
    assert lost(old, redirects=moved) == []


def test_a_page_that_is_gone_needs_a_new_name():
    records = {"0.1.0": {"old": HERE}, "0.2.0": {"old": HERE}}
    found = [problem.key for problem in gone(records, {"p": HERE}, set(HERE.numbers), Redirects())]
    assert found == ["old.html", "old.html"]
    assert not list(gone(records, {"p": HERE}, set(HERE.numbers), Redirects({"old": "p"})))


def test_nothing_of_the_shipped_editions_is_gone():
    content, material = shipped_content(), shipped_material()
    assert {"0.1.0"} <= content.records.keys() == {log.version for log in content.logs}
    assert lost_addresses(content, material, rendered_pages(content, material)) == []
    first = content.records["0.1.0"]
    assert "table-positions" in first["update"].anchors and "positions.*.ratio" in first["update"].numbers
    assert first["update"].keys[0] == "normalization" and (CONTENT / "anchors" / "0.1.0.toml").is_file()
