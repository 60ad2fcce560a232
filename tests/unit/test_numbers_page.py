"""The numbers page: every registered number once, with all that is known of it and a link to where it stands."""

import gzip
import json
import re
from functools import cache
from urllib.parse import parse_qsl

import pytest

from publish.numbers.page import KINDS, LONGEST_SEARCH, groups_of, shown_numbers
from publish.page.keys import SCHEMA
from publish.site import gather, rendered_in
from publish.words.language import LANGUAGES
from tests import documents
from tests.content_tools import (
    CONFIG,
    NUMBERED,
    content_with,
    load_content,
    rollout_text,
    shipped_content,
    shipped_material,
    shipped_subject,
    shipped_word,
)
from tests.documents import Document, around, document

PAGE = "numbers"
MOST_BYTES = 160_000  # of the page, compressed as a web server does

both = pytest.mark.parametrize("language", LANGUAGES)


class Row:
    """One number as the page lists it."""

    def __init__(self, number, inside):
        self.data = number
        self.id = number.attributes["data-number"]
        self.element = number.parent.parent
        (self.term,) = [e for e in inside if e.tag == "dt"]
        self.links = [e.attributes["href"] for e in inside if e.tag == "a"]
        self.notes = [e.text for e in inside if e.tag == "small"]
        self.full = [e.text for e in inside if e.attributes.get("class") == "full"]
        self.written = [e.text for e in inside if e.attributes.get("class") == "id"]
        outer = around(self.element)
        (self.shape,) = [e for e in outer if e.attributes.get("class") == "shape"]
        (self.group,) = [e for e in outer if e.tag == "details"]
        (self.page,) = [e.attributes["data-page"] for e in outer if "data-page" in e.attributes]


def rows_in(found):
    """Return the rows of a page, id by id."""
    children = {}
    for element in found.elements:
        for outer in around(element)[1:3]:
            children.setdefault(outer, []).append(element)
    numbers = [e for e in found.numbers() if e.inside("div", id="all-numbers")]
    return {e.attributes["data-number"]: Row(e, children[e.parent.parent]) for e in numbers}


@cache
def rows(language):
    return rows_in(document(PAGE, language))


@cache
def visible(page, language):
    """Return the ids that a page shows without scripts, by its elements: the second route."""
    return {
        e.attributes["data-number"]
        for e in document(page, language).numbers()
        if not any("hidden" in outer.attributes for outer in around(e))
    }


@both
def test_every_registered_number_is_listed_once_with_what_is_known_of_it(language):
    registry, formulas = shipped_material().registry, shipped_content().formulas
    listed = [e.attributes["data-number"] for e in document(PAGE, language).numbers()]
    assert sorted(listed) == sorted(registry) and len(listed) == len(set(listed)) > 4000
    how = {e.parent: e.text.strip() for e in document(PAGE, language).all("p", class_="how")}
    for number_id, row in rows(language).items():
        number = registry[number_id]
        assert row.term.text.startswith(number.label[language]) and row.written == [number_id]
        assert row.page == number.page
        assert how[row.shape] == f"{formulas[number.formula].text} {number.source}"


@both
def test_the_full_value_stands_where_the_text_says_less(language):
    registry = shipped_material().registry
    for number_id, row in rows(language).items():
        number = registry[number_id]
        if row.full:
            assert [json.loads(value) for value in row.full] == [number.value]
        else:
            assert number.value in (None, "inf", "-inf", "nan") or (
                float(number.text.replace("−", "-")) == number.value
            )
    assert rows(language)["loss"].full and not rows(language)["counted"].full


@both
def test_a_number_is_linked_to_where_it_stands_or_said_to_stand_nowhere(language):
    note = shipped_word("numbers.unshown", language)
    linked = {page: set() for page in NUMBERED}
    for number_id, row in rows(language).items():
        assert (len(row.links), row.notes) in ((1, []), (0, [note])), number_id
        for link in row.links:
            file, _, anchor = link.partition("#")
            assert file == f"{row.page}.html"
            assert parse_qsl(anchor, strict_parsing=True) == [("v", str(SCHEMA)), ("show", number_id)]
            linked[row.page].add(number_id)
    assert linked == {page: visible(page, language) for page in NUMBERED}
    assert sum(map(len, linked.values())) > 3000
    assert "beside.right.loss" not in linked["update"], "in a part that is hidden while the path is correct"


def test_what_a_page_shows():
    number = '<data class="number" data-number="{}" value="1">1</data>'.format
    html = (
        f'<section id="a">{number("x.0")}</section><section class="b" hidden><p>{number("y")}</p></section>'
    )
    assert shown_numbers(html + number("x.@.p") + number("z")) == {"x.0", "z"}
    assert shown_numbers(number("y") + html) == {"x.0", "y"}


@both
def test_groups_have_a_title_and_say_how_many_they_hold(language):
    found = document(PAGE, language)
    groups = found.all("details", class_="numbers")
    held = {}
    for row in rows(language).values():
        held.setdefault(row.group, []).append(row)
    assert set(held) == set(groups) and len(groups) > 30
    summaries = {e.parent: e for e in found.all("summary")}
    counts = {e.parent.parent: e for e in found.all("span", class_="count")}
    for group in groups:
        assert counts[group].text == counts[group].attributes["data-count"] == str(len(held[group]))
        title = re.sub(r"\s+", " ", summaries[group].own).strip()
        assert title, f"{group.attributes['id']} has no title: see [numbers.of] in content/terms.toml"
        assert len({row.page for row in held[group]}) == 1


def test_groups_are_the_beginnings_of_ids():
    for group in groups_of(shipped_material(), "en"):
        for shape, found in group.shapes.items():
            assert shape in shipped_content().declarations
            for number in found.numbers:
                parts = number.id.split(".")[(number.page != "update") :]
                assert group.name == (parts[0] if len(parts) > 1 else "") and group.page == number.page


def test_kinds_are_those_of_the_declarations():
    chosen = {id for id, row in rows("en").items() if row.shape.attributes["data-kind"] == "setting"}
    declared = shipped_content().declarations
    assert chosen == {
        n.id for n in shipped_material().registry.values() if declared[n.shape].style == "setting"
    }
    assert {"settings.beta", "digits.settings.beta"} <= chosen and "loss" not in chosen


@both
def test_labels_of_the_other_language_can_be_searched(language):
    shape = rows(language)["positions.1.ratio"].shape.attributes["data-also"]
    assert ("ratio" in shape, "比率" in shape) == (language == "zh", language == "en")
    assert not any("{" in row.shape.attributes["data-also"] for row in rows(language).values())


def test_what_can_be_chosen():
    subject = shipped_subject(PAGE)
    find, page, kind = subject.keys
    assert subject.settings == {"find": "", "page": "all", "kind": "all"}
    assert page.words == ("all", *NUMBERED) and kind.words == ("all", *KINDS)
    assert find.check("比率 ρ") == "比率 ρ" and find.check("x" * LONGEST_SEARCH)
    with pytest.raises(ValueError):
        find.check("x" * (LONGEST_SEARCH + 1))
    found = document(PAGE, "en")
    options = [e.attributes["value"] for e in found.all("option")]
    assert options == [*page.words, *kind.words]
    (field,) = found.all("input")
    assert field.attributes["maxlength"] == str(LONGEST_SEARCH)


def test_addresses_of_other_pages_can_be_made():
    homes = shipped_subject(PAGE).live["homes"]
    assert set(homes) == set(NUMBERED)
    for page, home in homes.items():
        subject = shipped_subject(page)
        assert [(key["name"], key["kind"]) for key in home["keys"]] == [
            (k.name, k.kind) for k in subject.keys
        ]
        assert (home["page"], home["schema"], home["settings"]) == (page, SCHEMA, subject.settings)


@both
def test_the_page_is_light(language):
    html = rendered_in(shipped_content(), shipped_material(), language)[PAGE].encode("utf-8")
    assert len(gzip.compress(html, 6)) < MOST_BYTES


def test_numbers_of_another_config_are_listed(tmp_path):
    text = rollout_text(d=1, actions=2, lengths=[1])
    content, material = gather(load_content(content_with(tmp_path / "content", {CONFIG: text})))
    found = Document(documents.rendered(PAGE, "zh", content, material))
    assert found.faults == [] and set(rows_in(found)) == set(material.registry)
    named = {
        name
        for text in shipped_subject(PAGE).files.values()
        for name in re.findall(r'rlnumber\{([^}]+)\}|(?:text|numbers)\["([^"]+)"\]', text)
        for name in name
        if name
    }
    assert named <= set(material.registry) and len(named) >= 4, "examples name what every config has"
