"""On paper: which state it is, no way in, no heading alone at the foot, no label apart from its value."""

from __future__ import annotations

import pytest

from publish.content import PAGES
from tests.browser.driving import LANGUAGES, word
from tests.content_tools import shipped_subject

pytestmark = pytest.mark.browser

HEAD = """() => {
    dispatchEvent(new Event("beforeprint"));
    const paper = document.querySelector(".paper");
    return [paper.checkVisibility(), paper.innerText.trim().split("\\n")];
}"""
STYLE = """([selector, property]) => [...new Set([...document.querySelectorAll(selector)]
    .map((element) => getComputedStyle(element)[property]))]"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_head_of_a_printed_page_names_its_state_and_its_address(visit, language):
    page = visit(f"{language}/update.html#v=1&beta=0.2&step=3").page
    page.wait_for_selector("html[data-state*='step=3']", state="attached")
    assert not page.locator(".paper").is_visible()
    page.emulate_media(media="print")
    seen, (settings, link) = page.evaluate(HEAD)
    assert seen and settings == word("tools.settings", language, list="beta = 0.2; step = 3")
    assert link == page.url.partition("#")[0] + "#" + page.evaluate("document.documentElement.dataset.state")


@pytest.mark.parametrize("name", PAGES)
def test_every_page_has_it_and_no_way_in(visit, name):
    page = visit(f"en/{name}.html", theme="dark").page
    page.emulate_media(media="print")
    seen, lines = page.evaluate(HEAD)
    settings = [word("tools.default_settings")] * bool(shipped_subject(name).keys)
    assert seen and lines[:-1] == settings and f"/en/{name}.html" in lines[-1]
    assert page.evaluate(STYLE, [".way-in, .intro > p > a:only-child", "display"]) in ([], ["none"])


@pytest.mark.parametrize("name", PAGES)
def test_without_scripts_the_default_state_is_named(visit, name):
    page = visit(f"zh/{name}.html", javascript=False).page
    page.emulate_media(media="print")
    said = page.locator("#paper-settings").all_inner_texts()
    assert said == [word("tools.default_settings", "zh")] * bool(shipped_subject(name).keys)


def test_what_belongs_together_stays_on_one_sheet(visit):
    page = visit("en/update.html").page
    page.emulate_media(media="print")
    assert page.evaluate(STYLE, ["main :is(h1, h2, h3, h4)", "breakAfter"]) == ["avoid"]
    assert page.evaluate(STYLE, [":is(.readouts, .settings) > div", "breakInside"]) == ["avoid"]
    assert page.evaluate(STYLE, ["main tr", "breakInside"]) == ["avoid"]


def test_the_table_of_the_atlas_begins_where_there_is_room(visit):
    page = visit("en/faults.html").page
    page.emulate_media(media="print")
    assert page.evaluate(STYLE, ["#table-checks-paths", "breakInside"]) == ["auto"]
    assert page.evaluate(STYLE, ["#table-checks-paths thead th", "position"]) == ["static"]
    assert page.evaluate(STYLE, ["tr:has(.part-name)", "breakAfter"]) == ["avoid"]
