"""What stays on top of a page covers nothing that a reader goes to, and nothing moves under the reader's eyes."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from tests.browser.driving import LANGUAGES, until
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


@pytest.fixture(scope="module")
def sized(visiting):
    """Return a function that opens the main page anew in a window of this size."""
    with ExitStack() as stack:
        page = stack.enter_context(visiting("en/update.html")).page
        folder = page.url.rpartition("/en/")[0]

        def open_page(language, size, state="v=1"):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            page.goto("about:blank")
            page.goto(f"{folder}/{language}/update.html#{state}")
            page.wait_for_selector("html[data-state]", state="attached")
            return page

        yield open_page


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


def test_what_follows_comes_where_all_in_view_goes(live):
    main = live("step=3", "path=own-group")
    page = main.page
    scroll_to(page, "#table-beside")
    page.locator("#c-path").select_option("correct")
    main.wait("step=3")
    page.wait_for_timeout(100)
    after = "document.querySelector('#path-beside').nextElementSibling.getBoundingClientRect().top"
    assert abs(page.evaluate(after) - page.locator("#controls").bounding_box()["height"] - 52) < 30


def test_the_reader_sees_a_wrong_path_explained_below_the_controls(live):
    main = live("step=3")
    page = main.page
    scroll_to(page, "#controls")
    before = page.evaluate("scrollY")
    page.locator("#c-path").select_option("own-group")
    main.wait("step=3", "path=own-group")
    page.wait_for_timeout(100)
    assert page.evaluate("scrollY") == before


@pytest.mark.parametrize("size", [(320, 640), (375, 812), (720, 450), (768, 1024), (1280, 720), (1440, 900)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_controls_begin_low_and_join_the_bar(sized, language, size):
    """No text shows between them, and the bar stays one line."""
    page = sized(language, size)
    scroll_to(page, "#chart-loss")
    bar, controls = (page.locator(name).bounding_box() for name in (".bar", "#controls"))
    assert bar["height"] < 56
    assert controls["y"] <= bar["y"] + bar["height"] <= controls["y"] + 2
    assert controls["height"] <= size[1] * (1 / 3 if size[0] > 640 and size[1] > 500 else 1 / 8)
    assert size != (1440, 900) or controls["height"] < 0.3 * size[1]


def test_the_controls_leave_under_the_bar(sized):
    page = sized("en", (1440, 900))
    page.evaluate(
        """() => {
            const box = document.querySelector(".section-rollout").getBoundingClientRect();
            scrollBy({top: box.bottom - document.getElementById("controls").offsetHeight, behavior: "instant"});
        }"""
    )
    assert page.locator("#controls").bounding_box()["y"] < 20
    for y in (2, 30, 51):
        assert page.evaluate("y => document.elementFromPoint(700, y).closest('.bar') !== null", y), y


def test_controls_out_of_view_have_a_sign(sized):
    page = sized("zh", (375, 812))
    page.locator("#controls summary").click()
    signed = page.locator("#controls.more")
    signed.wait_for()
    page.locator("#controls-default").focus()
    page.evaluate("document.querySelector('#controls .grid').scrollTo(0, 9999)")
    signed.wait_for(state="detached")
    page.evaluate("document.querySelector('#controls .grid').scrollTo(0, 0)")
    signed.wait_for()
    page.locator("#controls summary").click()
    signed.wait_for(state="detached")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(375, 812), (1440, 900)])
def test_values_have_room_in_their_controls(sized, language, size):
    page = sized(language, size, "v=1&rewards=-1000000,-1000000,0.5,1&at=3.1&beta=0.00001")
    page.evaluate("document.getElementById('controls-panel').open = true")
    clipped = page.evaluate(
        """() => [...document.querySelectorAll("#controls :is(input, select):not(#c-path)")].filter((item) => {
            if (item.localName === "input") return item.scrollWidth > item.clientWidth;
            const given = item.offsetWidth;
            item.style.maxWidth = "none";
            const wanted = item.offsetWidth;
            item.style.maxWidth = "";
            return given < wanted;
        }).map((item) => item.outerHTML.slice(0, 80))"""
    )
    assert clipped == []
    assert page.locator("#controls-default").bounding_box()["height"] < 50  # one line
