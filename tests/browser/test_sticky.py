"""What stays on top of a page covers nothing that a reader goes to, and nothing moves under the reader's eyes."""

from __future__ import annotations

import pytest

from tests.browser.driving import until
from tests.browser.seen import point_and_click, scroll_to

pytestmark = pytest.mark.browser

PLACES = ["chart-loss", "table-positions", "follow", "table-fixed"]

# How far the top of an element is below what stays on top of the page.
BELOW = """id => {
    const bottom = (selector) => document.querySelector(selector)?.getBoundingClientRect().bottom ?? 0;
    const top = Math.max(bottom(".bar"), bottom("form:is(.controls, .find)"));
    return document.getElementById(id).getBoundingClientRect().top - top;
}"""

TOP = "selector => document.querySelector(selector).getBoundingClientRect().top"


def arrives(page, place):
    """Wait until a place stands close below what stays on top."""
    until(page, f"id => ((below) => below >= 0 && below < 60)(({BELOW})(id))", place, seconds=5)


@pytest.mark.parametrize(("language", "width"), [("zh", 375), ("en", 1440)])
def test_a_link_to_a_place_leads_below_the_controls(visit, language, width):
    """Opened anew, each time: the place is there before the controls are."""
    page = visit(f"{language}/update.html#v=1&show={PLACES[0]}", width=width).page
    address = page.url.partition("#")[0]
    arrives(page, PLACES[0])
    for place in PLACES[1:]:
        page.goto("about:blank")
        page.goto(f"{address}#v=1&step=1&path=own-group&show={place}")
        page.wait_for_selector("#path-beside", state="visible")
        arrives(page, place)


def test_the_language_switch_leads_below_the_controls(visit):
    page = visit("en/update.html#v=1").page
    page.wait_for_selector("html[data-state]", state="attached")
    for place, language in zip(PLACES, ("zh", "en", "zh", "en")):
        scroll_to(page, f"#{place}")
        point_and_click(page, "#language")
        page.wait_for_url(f"**/{language}/update.html#*show={place}")
        arrives(page, place)


@pytest.mark.parametrize(("file", "start"), [("update", "#table-positions"), ("numbers", "#all-numbers")])
def test_tab_inside_what_stays_on_top_scrolls_nothing(visit, file, start):
    page = visit(f"en/{file}.html#v=1").page
    page.wait_for_selector("html[data-state]", state="attached")
    scroll_to(page, start)
    page.mouse.wheel(0, 400)
    page.wait_for_timeout(100)
    form = page.locator("form:is(.controls, .find)")
    form.locator("input, select").first.focus()
    stops = set()
    before = page.evaluate("scrollY")
    for _ in range(form.locator("input, select, button").count() - 1):
        page.keyboard.press("Tab")
        if page.evaluate("!document.activeElement.closest('form:is(.controls, .find)')"):
            break
        stops.add(page.evaluate("scrollY"))
    assert stops == {before}


@pytest.mark.parametrize("place", ["table-positions", "chart-loss", "table-history"])
def test_what_the_reader_looks_at_stays_when_a_wrong_path_is_chosen_and_left(live, place):
    """What is said of a wrong path stands above it."""
    main = live("step=3")
    page = main.page
    scroll_to(page, f"#{place}")
    page.wait_for_timeout(100)
    before = page.evaluate(TOP, f"#{place}")
    choice = page.locator("#c-path")
    choice.focus()
    for path in ("own-group", "clip-then-multiply", "correct"):
        choice.select_option(path)
        main.wait("step=3", f"path={path}")
        page.wait_for_timeout(150)  # what is computed later
        assert abs(page.evaluate(TOP, f"#{place}") - before) < 3, path
    assert page.locator("#path-beside").is_hidden()


def test_the_reader_sees_a_wrong_path_explained_below_the_controls(live):
    main = live("step=3")
    page = main.page
    scroll_to(page, "#controls")
    before = page.evaluate("scrollY")
    page.locator("#c-path").select_option("own-group")
    main.wait("step=3", "path=own-group")
    page.wait_for_timeout(100)
    assert page.evaluate("scrollY") == before
