"""The live page as a page: without scripts or engine, by keyboard, on a phone, and how it keeps its manners."""

from __future__ import annotations

from itertools import product

import pytest
from playwright.sync_api import expect

from tests.browser.driving import LANGUAGES, read, word
from tests.browser.seen import in_the_other_theme
from tests.browser.test_pages import COLOURS, violations
from tests.live_states import (
    READ,
    expected,
    wrong_numbers,
)

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_scripts_there_is_no_form_and_the_page_is_whole(visit, language):
    page = visit(f"{language}/update.html#beta=0.5", javascript=False).page
    for selector in ("#controls", "#hash-problems", "button.pick"):
        assert page.locator(selector).count() == 0 or page.locator(selector).first.is_hidden()
    numbers = read(page, READ)
    assert wrong_numbers(numbers, expected(())) == [] and len(numbers) > 800


def without_engine(seen, language, draw=False):
    """Check a page whose engine cannot run. draw: read it through as well, and see its charts drawn."""
    page = seen.page
    status = page.locator("#live-status")
    expect(status).to_have_text(word("live.failed", language))
    assert wrong_numbers(read(page, READ), expected(())) == []
    enabled = page.locator("#controls :is(input, select, button):enabled")
    assert enabled.count() == 0
    page.evaluate("location.hash = 'step=3'")
    page.wait_for_timeout(100)
    assert wrong_numbers(read(page, READ), expected(())) == []
    expect(status).to_have_text(word("live.failed", language))
    assert seen.errors == []
    page.click("#theme")
    if draw:
        seen.read_through()
        assert page.locator(".plot svg.main-svg").count() >= 4


@pytest.mark.parametrize(
    ("file", "language"), [("micropython.js", "zh"), ("wasm.js", "en"), ("core.js", "zh")]
)
def test_without_a_file_of_the_engine_the_default_numbers_stay(visit, language, file):
    seen = visit(
        f"{language}/update.html#beta=0.5",
        prepare=lambda context: context.route(f"**/engine/{file}", lambda route: route.abort()),
    )
    without_engine(seen, language, draw=file == "wasm.js")


def test_without_webassembly_the_default_numbers_stay(without_webassembly):
    with without_webassembly("en/update.html#beta=0.5") as seen:
        without_engine(seen, "en", draw=True)
        assert seen.complaints == []


@pytest.mark.parametrize(("language", "theme", "width"), [("zh", "dark", 375), ("en", "light", 1440)])
def test_axe_finds_no_violation_after_changes(newly_live, language, theme, width):
    page = newly_live(language=language, theme=theme, width=width)
    page.visit.read_through()
    page.go("step=5", "keep=3", "at=1.1", "rewards=0,1,0,2")
    page.page.evaluate("location.hash = 'step=6&beta=x'")
    page.page.wait_for_selector("#hash-problems li")
    page.page.evaluate("document.getElementById('controls-panel').open = true")
    page.page.wait_for_timeout(400)  # charts, and the marks of what moved
    assert violations(page.page) == []
    in_the_other_theme(page.page, theme)
    assert violations(page.page, rules=COLOURS) == []


def test_by_keyboard_alone(newly_live):
    page = newly_live()
    keys = page.page.keyboard

    def reach(identity):
        for _ in range(60):
            if page.page.evaluate("document.activeElement.id") == identity:
                return
            keys.press("Tab")
        raise AssertionError(f"Tab does not reach {identity}")

    reach("step-apply")
    keys.press("Enter")
    page.shows("step=1")
    keys.press("Space")
    page.shows("step=2")
    assert page.page.evaluate("document.activeElement.id") == "step-apply"
    for step in range(3, 21):
        keys.press("Enter")
        page.wait(f"step={step}")
    keys.press("Enter")
    page.page.wait_for_timeout(50)
    page.shows("step=20")
    assert page.page.evaluate("document.activeElement.id") == "step-apply"  # not lost at the end
    reach("c-keep")
    keys.press("ArrowLeft")
    page.shows("step=20", "keep=3")
    reach("c-beta")
    keys.press("Control+A")
    keys.type("0.3")
    page.shows("step=20", "keep=3", "beta=0.3")
    reach("c-at")
    keys.press("ArrowDown")
    page.shows("step=20", "keep=3", "beta=0.3", "at=0.1")
    page.page.locator("#table-positions tr[data-at='1.0'] button.pick").focus()
    keys.press("Enter")
    page.shows("step=20", "keep=3", "beta=0.3", "at=1.0")


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_phone_the_controls_leave_room(newly_live, language):
    page = newly_live("step=5", "rewards=0.125,1,-0.5,2", "beta=0.12345", language=language, width=375).page
    page.set_viewport_size({"width": 375, "height": 667})
    for opened, anchor in product(
        [False, True], ["#state", "#table-positions", "#derivatives", "#chart-loss"]
    ):
        page.evaluate("opened => { document.getElementById('controls-panel').open = opened; }", opened)
        page.evaluate(
            "anchor => document.querySelector(anchor).scrollIntoView({behavior: 'instant'})", anchor
        )
        page.wait_for_timeout(50)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), anchor
        covered = page.evaluate(
            """() => {
                const box = document.getElementById("controls").getBoundingClientRect();
                return Math.max(0, Math.min(box.bottom, innerHeight) - Math.max(box.top, 0)) / innerHeight;
            }"""
        )
        assert covered <= 1 / 3, (opened, anchor, covered)


def test_on_a_phone_the_controls_begin_closed(newly_live):
    assert newly_live(width=375).page.locator("#controls-panel").get_attribute("open") is None
    assert newly_live(width=1440).page.locator("#controls-panel").get_attribute("open") is not None


def test_nothing_moves_for_readers_who_asked_for_that(live):
    page = live()
    page.go("step=3")
    page.page.wait_for_selector("data.moved", state="attached")
    assert page.page.evaluate("document.getAnimations().length") == 0


def test_what_moved_is_marked_for_a_while(live):
    page = live(motion=True)
    page.go("step=3")
    page.page.wait_for_selector("data.moved", state="attached")
    page.page.wait_for_selector("data.moved", state="detached")


def test_memory_stays_flat(live):
    size = "performance.memory ? performance.memory.usedJSHeapSize : 0"
    shared = live()
    nodes = shared.page.evaluate("document.querySelectorAll('*').length")
    for index in range(25):
        shared.go(f"step={index % 7}", f"beta={index / 100}")
    shared.go()
    assert shared.page.evaluate("document.querySelectorAll('*').length") == nodes
    assert shared.page.evaluate(size) < 200e6
