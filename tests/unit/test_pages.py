"""The rendered pages: every number is registered and shown as it is, the markup is sound, nothing is left open."""

import json
import re
from itertools import pairwise

import pytest

from publish.content import PAGES
from publish.reading.problems import Problems
from publish.rendering.pages import Page, environment
from publish.site import TEMPLATES, gather
from publish.words.language import HTML_LANG, LANGUAGES
from publish.words.prose import Prose
from tests.content_tools import (
    CONFIG,
    KL,
    STATIC,
    content_with,
    load_content,
    problems_of,
    rollout_text,
    shipped_material,
    shipped_subject,
    shipped_word,
)
from tests.documents import Document, document, name_of, rendered, start_page

# Fewer would mean that something fell out of the page: numbers shown, anchors, table cells, charts.
LEAST = {
    "update": (1000, 80, 900, 4),
    KL: (400, 80, 300, 6),
    "digits": (1700, 45, 1500, 4),
    "faults": (500, 40, 400, 0),
    "numbers": (4000, 40, 0, 0),
    "verify": (0, 8, 0, 0),
    "editions": (0, 5, 0, 0),
}


def shown(page, language):
    """Return the ids of the numbers that a page shows, in its order."""
    return [element.attributes["data-number"] for element in document(page, language).numbers()]


every = pytest.mark.parametrize("page", PAGES)
both = pytest.mark.parametrize("language", LANGUAGES)


def test_every_page_is_tested():
    assert list(shipped_material().subjects) == list(PAGES) and set(LEAST) == set(PAGES)


@every
@both
def test_every_number_is_registered_and_shown_as_it_is(page, language):
    registry, found = shipped_material().registry, document(page, language).numbers()
    assert len(found) >= LEAST[page][0]
    for element in found:
        assert set(element.attributes) == {"class", "data-number", "value"}
        number = registry[element.attributes["data-number"]]
        undefined = number.value == "nan"
        assert element.text == (shipped_word("number.undefined", language) if undefined else number.text)
        assert number.page == page or page == "numbers"
        value = element.attributes["value"]
        assert (
            json.loads(value) if value and not isinstance(number.value, str) else value or None
        ) == number.value
    others = [e for e in document(page, language).all("data") if e not in found and not e.inside("template")]
    assert others == []


@every
def test_both_languages_show_the_same_numbers_in_the_same_order(page):
    assert shown(page, "zh") == shown(page, "en")


@every
def test_both_languages_have_the_same_anchors_in_the_same_order(page):
    chinese, english = (document(page, language).ids() for language in LANGUAGES)
    assert chinese == english and len(english) >= LEAST[page][1]


@every
@both
def test_the_markup_is_sound(page, language):
    found = document(page, language)
    ids = set(found.ids())
    assert found.faults == []
    assert len(ids) == len(found.ids())
    for element in found.elements:
        for attribute in ("href", "aria-labelledby", "aria-describedby", "for"):
            value = element.attributes.get(attribute, "#")
            if attribute != "href" or (value.startswith("#") and not value.startswith("#v=")):
                assert set(value.lstrip("#").split()) <= ids, f"{attribute}={value}"
        assert "style" not in element.attributes and not any(
            name.startswith("on") for name in element.attributes
        )


@every
@both
def test_every_page_is_in_the_navigation_and_the_neighbours_are_named(page, language):
    found = document(page, language)
    (pages,) = found.all("nav", class_="pages")
    links = [e for e in found.under(pages) if e.tag == "a"]
    assert [(e.attributes["href"], e.text) for e in links] == [
        (f"{name}.html", shipped_word(f"page.{name}.short", language)) for name in PAGES
    ]
    assert [e.attributes.get("aria-current") for e in links] == [
        "page" if name == page else None for name in PAGES
    ]
    near = {e.attributes["rel"]: e.attributes["href"] for e in found.all("a") if "rel" in e.attributes}
    place = PAGES.index(page)
    expected = {"prev": PAGES[place - 1 : place], "next": PAGES[place + 1 : place + 2]}
    assert near == {rel: f"{names[0]}.html" for rel, names in expected.items() if names}


def test_the_start_page_is_sound_and_leads_to_both():
    page = start_page()
    assert page.faults == []
    ways = [e.attributes["href"] for e in page.all("a")]
    assert ways == [f"{language}/update.html" for language in LANGUAGES]


@every
@both
def test_language_is_declared(page, language):
    found = document(page, language)
    (html,) = found.all("html")
    assert html.attributes["lang"] == HTML_LANG[language]
    (switch,) = found.all("a", id="language")
    other = "en" if language == "zh" else "zh"
    assert switch.attributes["lang"] == HTML_LANG[other]
    assert switch.attributes["href"] == f"../{other}/{page}.html"
    foreign = [e for e in found.elements if e.attributes.get("lang") not in (None, HTML_LANG[language])]
    assert foreign == [switch]


@every
@both
def test_title_and_description_are_the_pages_own(page, language):
    found = document(page, language)
    (title,) = found.all("title")
    (description,) = found.all("meta", name="description")
    assert title.text == shipped_word(f"page.{page}.title", language)
    assert description.attributes["content"] == shipped_word(f"page.{page}.description", language)
    titles = {shipped_word(f"page.{name}.{part}", language) for name in PAGES for part in ("title", "short")}
    assert len(titles) >= len(PAGES)


def test_the_start_page_declares_each_part():
    sections = start_page().all("section")
    assert [section.attributes["lang"] for section in sections] == [
        HTML_LANG[language] for language in LANGUAGES
    ]


@every
@both
def test_no_table_cell_has_a_number_of_its_own(page, language):
    cells = document(page, language).all("td")
    assert len(cells) >= LEAST[page][2]
    for cell in cells:
        assert cell.inside("figure", id="symbols") or not re.search("[0-9０-９]", cell.typed), cell.text


@every
@both
def test_nothing_is_left_to_fill_in(page, language):
    undefined = shipped_word("number.undefined", language)
    for element in document(page, language).elements:
        if element.tag not in ("script", "code", "mo") and (element.tag, element.own) != ("data", undefined):
            text = " ".join([element.own, *(value or "" for value in element.attributes.values())])
            left = re.search(r"[{}]|\b(None|nan|inf|undefined|Undefined)\b", text)
            assert not left or (left[0] in ("inf", "nan") and element.tag == "data"), text


@every
@both
def test_rows_that_scripts_make_are_like_the_rows_that_are_there(page, language):
    """A list's template names registered shapes, and the list is as long as the results."""
    found, subject = document(page, language), shipped_subject(page)
    lists = [e for e in found.elements if "data-list" in e.attributes]
    assert len(lists) == {KL: 2}.get(page, 0)
    for body in lists:
        path = body.attributes["data-list"]
        items = subject.results
        for part in path.split("."):
            items = items[part]
        rows = [e for e in found.under(body) if e.tag == "tr" and not e.inside("template")]
        assert len(rows) == len(items) > 1
        (template,) = [e for e in found.under(body) if e.tag == "template"]
        assert "data-row" in template.attributes
        ids = [e.attributes["data-number"] for e in found.under(template) if e.tag == "data"]
        for index, row in enumerate(rows):
            inside = [e.attributes["data-number"] for e in found.under(row) if e.tag == "data"]
            assert inside == [number_id.replace("@", str(index)) for number_id in ids]
            assert all(number_id.startswith(f"{path}.{index}.") for number_id in inside)


@every
@both
def test_every_control_and_region_has_a_name(page, language):
    found = document(page, language)
    for element in found.elements:
        if element.attributes.get("role") in ("img", "region") or element.tag in ("nav", "form"):
            assert name_of(found, element).strip()
        if element.tag in ("a", "button"):
            assert (element.attributes.get("aria-label") or element.text).strip()
        if element.tag in ("input", "select", "textarea"):
            labels = found.all("label", for_=element.attributes.get("id", "-"))
            wrapped = [element.parent] if element.inside("label") else []
            named = [element.attributes.get("aria-label", ""), *(e.text for e in [*labels, *wrapped])]
            assert "".join(named).strip(), element.attributes
    for table in found.all("table"):
        heads = [e for e in found.under(table) if e.tag == "th"]
        assert heads and all("scope" in head.attributes for head in heads)


@every
@both
def test_headings_go_down_one_level_at_a_time(page, language):
    levels = [int(e.tag[1]) for e in document(page, language).elements if re.fullmatch("h[1-6]", e.tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert [pair for pair in pairwise(levels) if pair[1] > pair[0] + 1] == []


@every
@both
def test_charts_have_a_sentence_a_table_and_a_file(page, language):
    found, subject = document(page, language), shipped_subject(page)
    charts = found.all("figure", class_="chart")
    assert len(charts) == LEAST[page][3] == len(subject.figures)
    tables = {
        e.attributes["id"] for e in found.elements if {"id"} <= set(e.attributes) and has_table(found, e)
    }
    for chart in charts:
        within = found.under(chart)
        tags = [e.tag for e in within]
        assert {"figcaption", "script"} <= set(tags)
        assert [e for e in within if "data-sentence" in e.attributes and e.inside("figcaption")] != []
        linked = {e.attributes.get("href", "").removeprefix("#") for e in within if e.tag == "a"}
        assert "table" in tags or linked & tables, "charts of one table share it"
        (file,) = [e for e in within if e.tag == "a" and e.attributes.get("href", "").endswith(".csv")]
        assert file.attributes["href"].removeprefix("../data/") in subject.files
        (plot,) = [e for e in within if e.attributes.get("role") == "img"]
        assert len(name_of(found, plot)) > 40
        (script,) = [e for e in within if e.tag == "script"]
        name = plot.attributes["data-chart"]
        drawn = subject.figures[name](
            subject.results, lambda key, **values: shipped_word(key, language, **values)
        )
        assert json.loads(script.text) == json.loads(json.dumps(drawn))
        assert {"data", "layout"} <= set(drawn) <= {"data", "layout", "bind"}


def has_table(found, element):
    return element.tag == "figure" and any(e.tag == "table" for e in found.under(element))


@every
@both
def test_the_state_shown_is_that_of_the_config(page, language):
    if page in STATIC:  # it has one state, without settings, and no command prints it
        assert shipped_subject(page).core is None
        assert not {"state", "command", "copy-link", "copy-command"} & set(document(page, language).ids())
        return
    (section,) = document(page, language).all("section", id="state")
    (command,) = document(page, language).all("code", id="command")
    assert shipped_subject(page).command in section.text and command.text == shipped_subject(page).command
    if page == "update":
        assert "mixed" in section.text and "correct" in section.text
    else:
        assert {f"{page}.settings.{key}" for key, value in shipped_subject(page).settings.items()
                if not isinstance(value, list)} <= set(shown(page, language))  # fmt: skip


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
    pages = [Document(rendered("update", language, content, material)) for language in LANGUAGES]
    for page in pages:
        assert page.faults == []
        shown = [e.attributes["data-number"] for e in page.all("data")]
        assert set(shown) <= set(material.registry) and "positions.0.kl" in shown
        (skipped,) = page.all("p", class_="skipped")
        assert ("hidden" not in skipped.attributes) == masked
    first, second = ([e.attributes["data-number"] for e in page.all("data")] for page in pages)
    assert first == second


@every
def test_unknown_block_number_and_source_of_a_page(tmp_path, page):
    material = shipped_material()
    # The pages with nothing to choose have no findings, so that no sentence is near to what is typed there.
    findings = set(material.subjects[page].findings)
    assert bool(findings) == (page not in STATIC)
    number = next(iter(n.id for n in material.registry.values() if n.page == page), "loss")
    for text in (
        "{{block symbol}}",
        f"{{{{number {number}x}}}}",
        "{{source pp}}",
        f"{{{{sentence {min(findings, default='loss')}x}}}}",
        "{{formula logitz}}",
    ):
        path = tmp_path / "a.md"
        path.write_text(text + "\n", encoding="utf-8")
        made = Page(material.subjects[page], "en", material, environment(TEMPLATES), Prose(path, "a.md"))
        (problem,) = problems_of(made.render)
        hinted = bool(findings) or not text.startswith("{{sentence")
        assert ("did you mean" in str(Problems([problem]))) == hinted, text
        assert text[2:-2].split()[-1] in str(Problems([problem]))
