"""What readers do with a page: switch theme and language, use the keyboard, and go without scripts."""

from __future__ import annotations

import re

import pytest

from tests.browser.driving import LANGUAGES, until
from tests.browser.keyboard import wrong_stops
from tests.browser.seen import brightness, in_view, point_and_click, scroll_to

pytestmark = pytest.mark.browser


THEME = "document.documentElement.dataset.theme"

GROUND = "getComputedStyle(document.documentElement).backgroundColor"


@pytest.mark.parametrize("system", ["light", "dark"])
def test_the_theme_follows_the_system_switches_and_is_remembered(visit, system):
    other = {"light": "dark", "dark": "light"}[system]
    page = visit(theme=system).page
    grounds = {system: page.evaluate(GROUND)}
    page.click("#theme")
    grounds[other] = page.evaluate(GROUND)
    assert page.evaluate(THEME) == other
    assert brightness(grounds["dark"]) < 60 < 200 < brightness(grounds["light"])
    page.reload()
    assert page.evaluate(THEME) == other and page.evaluate(GROUND) == grounds[other]
    page.click("#theme")
    assert page.evaluate(GROUND) == grounds[system]


def test_the_theme_switches_where_storage_is_forbidden(visit):
    forbid = """Object.defineProperty(window, "localStorage",
        {get() { throw new DOMException("forbidden", "SecurityError"); }});"""
    seen = visit(prepare=lambda context: context.add_init_script(forbid))
    with pytest.raises(Exception, match="forbidden"):
        seen.page.evaluate("localStorage.length")
    seen.page.click("#theme")
    assert seen.page.evaluate(THEME) == "dark"
    assert seen.complaints == []


def test_the_theme_is_shared_by_both_languages(visit):
    page = visit("zh/update.html").page
    page.click("#theme")
    page.click("#language")
    page.wait_for_url("**/en/update.html*")
    assert page.evaluate(THEME) == "dark"


# --- language ---


@pytest.mark.parametrize(
    ("here", "there", "anchors"),
    [("zh", "en", ["kl-term", "chart-loss"]), ("en", "zh", ["table-positions", "expectation"])],
)
def test_the_language_switch_keeps_the_place(visit, here, there, anchors):
    """There and back."""
    seen = visit(f"{here}/update.html")
    seen.read_through()
    for anchor in anchors:
        for language in (there, here):
            scroll_to(seen.page, f"#{anchor}")
            point_and_click(seen.page, "#language")
            seen.page.wait_for_url(f"**/{language}/update.html#*")
            assert in_view(seen.page, f"#{anchor}"), (anchor, language)
    assert seen.complaints == []


def test_the_keyboard_reaches_the_bar_without_losing_the_place(visit):
    page = visit().page
    scroll_to(page, "#follow")
    before = page.evaluate("scrollY")
    for selector in ("#language", "#theme", ".home"):
        page.locator(selector).focus()
        assert page.evaluate("scrollY") == before, selector


def test_at_the_top_the_language_switch_leads_to_the_top(visit):
    page = visit().page
    page.click("#language")
    page.wait_for_url("**/zh/update.html*")
    assert page.evaluate("scrollY") == 0


@pytest.mark.parametrize(
    ("locale", "language"), [("zh-CN", "zh"), ("zh-TW", "zh"), ("en-GB", "en"), ("en", "en")]
)
def test_the_start_page_goes_to_the_readers_language(visit, locale, language):
    page = visit("index.html", locale=locale).page
    page.wait_for_url(f"**/{language}/update.html")


@pytest.mark.parametrize(
    ("file", "how"),
    [
        ("index.html?choose", {"locale": "zh-CN"}),
        ("index.html", {"javascript": False}),
        ("index.html", {"locale": "fr"}),
    ],
)
def test_the_start_page_offers_both_languages(visit, file, how):
    page = visit(file, **how).page
    page.wait_for_timeout(100)
    assert re.search(r"/index\.html(\?choose)?$", page.url)
    for language, start in (("zh", "RL 参数更新"), ("en", "RL parameter update")):
        link = page.locator(f"a[href='{language}/update.html']")
        assert link.is_visible() and link.bounding_box()["height"] >= 44
        link.click()
        assert page.locator("h1").inner_text().startswith(start)
        page.go_back()


def test_the_title_leads_to_the_choice_of_language(visit):
    page = visit("zh/update.html", locale="zh-CN").page
    page.click(".home")
    page.wait_for_timeout(100)
    assert page.url.endswith("/index.html?choose")


# --- keyboard ---


@pytest.mark.parametrize(("language", "width"), [("en", 375), ("zh", 1440)])
def test_tab_goes_through_the_whole_page_in_order(visit, language, width):
    page = visit(f"{language}/update.html#step=1", width=width).page
    page.wait_for_selector("html[data-state]")
    assert wrong_stops(page) == []


def test_the_skip_link_moves_to_the_main_part(visit):
    page = visit().page
    page.keyboard.press("Tab")
    box = page.locator(".skip").bounding_box()
    assert box["x"] >= 0 and box["y"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


def test_folded_tables_open_by_keyboard(visit):
    seen = visit()
    folded = seen.page.locator("details.data")
    assert folded.count() >= 4
    for index in range(folded.count()):
        details = folded.nth(index)
        table = details.locator("table")
        details.locator("summary").focus()
        for key in ("Enter", "Space"):
            assert not table.is_visible()
            seen.page.keyboard.press(key)
            assert table.is_visible()
            seen.page.keyboard.press(key)


# --- without scripts ---


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_scripts_everything_but_the_drawings_is_there(visit, language):
    page = visit(f"{language}/update.html", javascript=False).page
    hidden = [table for table in page.locator("table:not([hidden] table)").all() if not table.is_visible()]
    assert page.locator("table:not([hidden] table)").count() >= 12 and hidden == []
    charts = page.locator("figure.chart")
    assert charts.count() >= 4
    for index in range(charts.count()):
        chart = charts.nth(index)
        assert not chart.locator(".plot").is_visible()
        assert chart.locator(".chart-off").is_visible() and chart.locator(".chart-off").inner_text().strip()
        assert chart.locator("details.data table").is_visible()
    assert not page.locator("#theme").is_visible()
    assert page.locator("#language").is_visible()
    page.click("#language")
    assert page.url.endswith(f"/{'en' if language == 'zh' else 'zh'}/update.html")


# --- charts ---


def test_nothing_moves_for_readers_who_asked_for_that(visit):
    seen = visit()
    seen.read_through()
    page = seen.page
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    page.click("#theme")
    page.evaluate("document.querySelector('details.data').open = true")
    assert page.evaluate("document.getAnimations().length") == 0
    page.click(".contents a[href='#evidence']")
    assert in_view(page, "#evidence")


def test_links_within_the_page_arrive_below_the_bar(visit):
    page = visit(motion=True).page
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "smooth"
    page.click(".contents a[href='#derivatives']")
    until(
        page, "Math.abs(document.querySelector('#derivatives').getBoundingClientRect().top) < innerHeight / 2"
    )
    page.wait_for_timeout(400)
    assert in_view(page, "#derivatives")


# --- paper ---
