"""The rendered pages: every number is registered and shown as it is, the markup is sound, no other host is named."""

import json
import re
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise

import pytest

from publish.language import HTML_LANG, LANGUAGES
from publish.pages import Page, environment
from publish.problems import Problems
from publish.prose import Prose
from publish.site import TEMPLATES, build_site, gather
from tests.content_tools import (
    CONFIG,
    CONTENT,
    content_with,
    files_of,
    load_content,
    problems_of,
    rollout_text,
    shipped_content,
    shipped_material,
)

VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


class Element:
    """One element: tag, attributes, its parent, and its text with that of its children."""

    def __init__(self, tag, attributes, parent):
        self.tag, self.attributes, self.parent = tag, attributes, parent
        self.text = ""  # everything inside
        self.own = ""  # what stands in no element inside
        self.typed = ""  # what stands in no data element and no formula

    def inside(self, tag, **attributes):
        """Tell whether an element around this one, or itself, has this tag and these attributes."""
        found = self.tag == tag and attributes.items() <= self.attributes.items()
        return found or (self.parent is not None and self.parent.inside(tag, **attributes))


class Document(HTMLParser):
    """A page as a list of elements; `faults` are tags that do not match and attributes given twice."""

    def __init__(self, markup):
        super().__init__(convert_charrefs=True)
        self.elements, self.faults, self.open = [], [], [Element("", {}, None)]
        self.feed(markup)
        self.close()
        self.faults += [f"<{element.tag}> stays open" for element in self.open[1:]]

    def handle_starttag(self, tag, attrs):
        if len(dict(attrs)) < len(attrs):
            self.faults.append(f"<{tag}> has an attribute twice")
        element = Element(tag, dict(attrs), self.open[-1])
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if self.open[-1].tag != tag:
            self.faults.append(f"</{tag}> in <{self.open[-1].tag}> at {self.getpos()}")
        elif len(self.open) > 1:
            self.open.pop()

    def handle_data(self, data):
        self.open[-1].own += data
        typed = "" if {"data", "math"} & {element.tag for element in self.open} else data
        for element in self.open:
            element.text += data
            element.typed += typed

    def all(self, tag, **attributes):
        wanted = {name.replace("_", "-").strip("-"): value for name, value in attributes.items()}
        return [e for e in self.elements if e.tag == tag and wanted.items() <= e.attributes.items()]


def rendered(language, content, material):
    page = Page("update", language, material, environment(TEMPLATES), content.prose["update", language])
    return page.render()


@cache
def document(language):
    return Document(rendered(language, shipped_content(), shipped_material()))


@cache
def start_page():
    return Document(environment(TEMPLATES).get_template("index.html").render(terms=shipped_content().terms))


def ids(language):
    return [element.attributes["id"] for element in document(language).elements if "id" in element.attributes]


def numbers(language):
    return document(language).all("data", class_="number")


@pytest.fixture(scope="module")
def site_files(tmp_path_factory):
    out = tmp_path_factory.mktemp("site") / "out"
    build_site(CONTENT, out)
    return files_of(out)


both = pytest.mark.parametrize("language", LANGUAGES)


@both
def test_every_number_is_registered_and_shown_as_it_is(language):
    registry = shipped_material().registry
    assert len(numbers(language)) > 800
    for element in numbers(language):
        assert set(element.attributes) == {"class", "data-number", "value"}
        number = registry[element.attributes["data-number"]]
        assert element.text == number.text
        value = element.attributes["value"]
        assert (
            json.loads(value) if value and not isinstance(number.value, str) else value or None
        ) == number.value
    assert [e for e in document(language).elements if e.tag == "data" and e not in numbers(language)] == []


def test_both_languages_show_the_same_numbers_in_the_same_order():
    shown = [[element.attributes["data-number"] for element in numbers(language)] for language in LANGUAGES]
    assert shown[0] == shown[1]


def test_both_languages_have_the_same_anchors_in_the_same_order():
    assert ids("zh") == ids("en") and len(ids("en")) > 30


@both
def test_the_markup_is_sound(language):
    assert document(language).faults == []
    assert len(set(ids(language))) == len(ids(language))
    for element in document(language).elements:
        for attribute in ("href", "aria-labelledby", "aria-describedby", "for"):
            value = element.attributes.get(attribute, "#")
            if attribute != "href" or value.startswith("#"):
                assert set(value.lstrip("#").split()) <= set(ids(language)), f"{attribute}={value}"
        assert "style" not in element.attributes and not any(
            name.startswith("on") for name in element.attributes
        )


def test_the_start_page_is_sound_and_leads_to_both():
    page = start_page()
    assert page.faults == []
    ways = [e.attributes["href"] for e in page.all("a")]
    assert ways == [f"{language}/update.html" for language in LANGUAGES]


@both
def test_language_is_declared(language):
    (html,) = document(language).all("html")
    assert html.attributes["lang"] == HTML_LANG[language]
    (switch,) = document(language).all("a", id="language")
    other = "en" if language == "zh" else "zh"
    assert switch.attributes["lang"] == HTML_LANG[other]
    assert switch.attributes["href"] == f"../{other}/update.html"
    foreign = [
        e for e in document(language).elements if e.attributes.get("lang") not in (None, HTML_LANG[language])
    ]
    assert foreign == [switch]


def test_the_start_page_declares_each_part():
    sections = start_page().all("section")
    assert [section.attributes["lang"] for section in sections] == [
        HTML_LANG[language] for language in LANGUAGES
    ]


@both
def test_no_other_host_is_named_but_in_links_to_sources(language):
    addresses = {source["address"] for source in shipped_content().sources.values()}
    linked = set()
    for element in [*document(language).elements, *start_page().elements]:
        for name, value in element.attributes.items():
            if re.search(r"^\s*(\w+:)?//|https?:|^\s*\w+script:|^\s*data:", value or ""):
                assert (element.tag, name) == ("a", "href") and value in addresses
                linked.add(value)
    assert linked == addresses


@both
def test_every_file_that_a_page_names_is_written(language, site_files):
    for element in document(language).elements:
        for name in ("href", "src"):
            value = element.attributes.get(name, "#").split("#")[0].split("?")[0]
            if value and not value.startswith("https:"):
                path = f"{language}/{value}".replace(f"{language}/../", "")
                assert path in site_files, value


@both
def test_no_table_cell_has_a_number_of_its_own(language):
    cells = document(language).all("td")
    assert len(cells) > 500
    for cell in cells:
        assert cell.inside("figure", id="symbols") or not re.search("[0-9０-９]", cell.typed), cell.text


@both
def test_nothing_is_left_to_fill_in(language):
    for element in document(language).elements:
        if element.tag not in ("script", "code", "mo"):
            shown = " ".join([element.own, *(value or "" for value in element.attributes.values())])
            assert not re.search(r"[{}]|\b(None|nan|inf|undefined|Undefined)\b", shown), shown


@both
def test_every_control_and_region_has_a_name(language):
    page = document(language)
    for element in page.elements:
        if element.attributes.get("role") in ("img", "region") or element.tag == "nav":
            assert element.attributes.get("aria-label", "").strip()
        if element.tag in ("a", "button"):
            assert (element.attributes.get("aria-label") or element.text).strip()
    for table in page.all("table"):
        heads = [e for e in page.all("th") if e.inside("table", **table.attributes)]
        assert all("scope" in head.attributes for head in heads)


@both
def test_headings_go_down_one_level_at_a_time(language):
    levels = [int(e.tag[1]) for e in document(language).elements if re.fullmatch("h[1-6]", e.tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1] == []


@both
def test_charts_have_a_sentence_a_table_and_a_file(language):
    page = document(language)
    charts = page.all("figure", class_="chart")
    assert len(charts) == 4
    for chart in charts:
        within = [e for e in page.elements if e.inside("figure", id=chart.attributes["id"])]
        tags = [e.tag for e in within]
        assert {"figcaption", "table", "script"} <= set(tags)
        assert [e for e in within if e.tag == "a" and e.attributes.get("href", "").endswith(".csv")] != []
        (plot,) = [e for e in within if e.attributes.get("role") == "img"]
        assert len(plot.attributes["aria-label"]) > 40
        (script,) = [e for e in within if e.tag == "script"]
        assert set(json.loads(script.text)) == {"data", "layout"}


@both
def test_the_state_shown_is_that_of_the_config(language):
    text = document(language).all("section", id="state")[0].text
    assert shipped_material().command in text
    assert "mixed" in text and "correct" in text


SHAPES = {
    "one response of one token": {"d": 1, "actions": 2, "lengths": [1]},
    "all that is allowed": {"d": 8, "actions": 12, "lengths": [32] * 3, "behaviour": True, "mask": True},
    "nothing counts": {"lengths": [1, 2], "masked": True},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_pages_of_other_shapes(tmp_path, shape):
    options = dict(SHAPES[shape])
    masked = options.pop("masked", False)
    text = rollout_text(**options)
    text = text.replace("keep = 3", "keep = 0") if masked else text
    content, material = gather(load_content(content_with(tmp_path / "content", {CONFIG: text})))
    pages = [Document(rendered(language, content, material)) for language in LANGUAGES]
    for page in pages:
        assert page.faults == []
        shown = [e.attributes["data-number"] for e in page.all("data")]
        assert set(shown) <= set(material.registry) and "positions.0.kl" in shown
        (skipped,) = page.all("p", class_="skipped")
        assert ("hidden" not in skipped.attributes) == masked
    first, second = ([e.attributes["data-number"] for e in page.all("data")] for page in pages)
    assert first == second


def test_unknown_block_number_and_source_of_a_page(tmp_path):
    for text in (
        "{{block symbol}}",
        "{{number los}}",
        "{{source pp}}",
        "{{sentence los}}",
        "{{formula logitz}}",
    ):
        path = tmp_path / "a.md"
        path.write_text(text + "\n", encoding="utf-8")
        page = Page("update", "en", shipped_material(), environment(TEMPLATES), Prose(path, "a.md"))
        (problem,) = problems_of(page.render)
        assert "did you mean" in str(Problems([problem]))
