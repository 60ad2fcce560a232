"""The chapter as a page: by keyboard, without scripts or engine, on paper, and for readers who want no motion."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from publish.kl.page import KL_FIGURES
from tests.browser.chapter import FILE, Chapter
from tests.browser.driving import LANGUAGES, read, until
from tests.browser.keyboard import wrong_stops
from tests.browser.printing import printed, prints
from tests.browser.seen import brightness, in_view, palette
from tests.browser.test_drawing import GROUND, PLOTLY, WATCH_CHARTS
from tests.browser.test_pages import violations
from tests.kl_states import known, word
from tests.live_states import READ

pytestmark = pytest.mark.browser


# --- keyboard ---


@pytest.mark.parametrize(("language", "width"), [("zh", 375), ("en", 1440)])
def test_tab_goes_through_the_whole_page_in_order(visit, language, width):
    page = visit(f"{language}/{FILE}#v=1", width=width).page
    page.wait_for_selector("html[data-state]")
    assert wrong_stops(page) == []


def test_by_keyboard_alone(live):
    chapter = live(kind=Chapter)
    keys, page = chapter.page.keyboard, chapter.page
    page.locator("[name=p]").focus()
    keys.press("Control+A")
    keys.type("0.3")
    chapter.wait("p=0.3")
    keys.press("Tab")
    assert page.evaluate("document.activeElement.dataset.for") == "p"
    keys.press("ArrowRight")
    chapter.wait("p=0.31")
    keys.press("Home")
    chapter.wait("p=0")
    keys.press("Tab")
    assert page.evaluate("document.activeElement.name") == "q"
    page.locator("#state [data-defaults]").focus()
    keys.press("Enter")
    chapter.shows()


def test_folded_tables_open_by_keyboard(visit):
    page = visit(f"en/{FILE}").page
    folded = page.locator("details.data")
    assert folded.count() == len(KL_FIGURES)
    for index in range(folded.count()):
        details = folded.nth(index)
        inside = details.locator(":scope > :not(summary)").first
        assert not inside.is_visible()
        details.locator("summary").focus()
        page.keyboard.press("Enter")
        assert inside.is_visible()


# --- without scripts, engine or library ---


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_scripts_everything_but_the_drawings_is_there(visit, language):
    page = visit(f"{language}/{FILE}#q=0", javascript=False).page
    numbers = read(page, READ)
    assert known().wrong_numbers(numbers, language) == [] and len(numbers) > 400
    hidden = [table for table in page.locator("table").all() if not table.is_visible()]
    assert page.locator("table").count() >= 12 and hidden == []
    charts = page.locator("figure.chart")
    assert charts.count() == len(KL_FIGURES)
    for chart in charts.all():
        assert not chart.locator(".plot").is_visible()
        assert chart.locator(".chart-off").inner_text().strip()
        assert chart.locator("details.data").get_attribute("open") is not None
    for selector in ("form[data-controls]", ".tools", "#theme", "#hash-problems"):
        assert [item for item in page.locator(selector).all() if item.is_visible()] == [], selector
    assert page.locator(".settings").first.is_visible()  # the values that the controls would show
    page.click("#language")
    assert page.url.endswith(f"/{'en' if language == 'zh' else 'zh'}/{FILE}")


def test_without_webassembly_the_default_numbers_stay(without_webassembly):
    with without_webassembly(f"zh/{FILE}#beta=0.5") as seen:
        page = seen.page
        expect(page.locator("#live-status")).to_have_text(word("live.failed", "zh"))
        assert known().wrong_numbers(read(page, READ), "zh") == []
        assert page.locator("form[data-controls] :is(input, button):enabled").count() == 0
        assert seen.complaints == []


def test_without_the_chart_library_a_note_stands_there(visit):
    seen = visit(f"en/{FILE}", prepare=lambda c: c.route(PLOTLY, lambda route: route.abort()))
    for name in KL_FIGURES:
        chart = seen.page.locator(f"#chart-{name}")
        chart.scroll_into_view_if_needed()
        chart.locator(".chart-off").wait_for(state="visible")
        assert not chart.locator(".plot").is_visible()
    assert seen.errors == []


# --- how it looks and behaves ---


@pytest.mark.parametrize(("language", "theme", "width"), [("zh", "dark", 375), ("en", "light", 1440)])
def test_axe_finds_no_violation_after_changes(visit, language, theme, width):
    chapter = Chapter(visit(f"{language}/{FILE}#v=1", theme=theme, width=width), language).wait()
    chapter.visit.read_through()
    chapter.go("q=0", "n=2", "length=5")
    chapter.page.evaluate("location.hash = 'p=0.2&q=x'")
    chapter.page.wait_for_selector("#hash-problems li")
    chapter.page.locator("#example-run").click()
    expect(chapter.page.locator("#example-status")).to_have_text(word("example.done", language))
    chapter.page.wait_for_timeout(300)  # charts, and the marks of what moved
    assert violations(chapter.page) == []
    assert chapter.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", [375, 1440])
def test_charts_fit_their_place(visit, width):
    seen = visit(f"zh/{FILE}#v=1&advantage=-250&ratio=9&n=64&length=64&vocabulary=200000", width=width)
    seen.read_through()
    cut = seen.page.evaluate(
        """() => [...document.querySelectorAll(".plot")].flatMap((plot) => {
            const place = plot.getBoundingClientRect();
            return [...plot.querySelectorAll("svg text")].filter((text) => {
                const box = text.getBoundingClientRect();
                return box.width && (box.left < place.left - 1 || box.right > place.right + 1
                    || box.top < place.top - 1 || box.bottom > place.bottom + 1);
            }).map((text) => plot.dataset.chart + ": " + text.textContent);
        })"""
    )
    assert cut == []


def test_nothing_moves_for_readers_who_asked_for_that(live):
    chapter = live(kind=Chapter)
    chapter.go("p=0.3")
    chapter.page.wait_for_selector("data.moved", state="attached")
    assert chapter.page.evaluate("document.getAnimations().length") == 0
    assert chapter.page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    chapter.page.click(".contents a[href='#cost']")
    assert in_view(chapter.page, "#cost")


def test_memory_stays_flat(live):
    chapter = live(kind=Chapter)
    count = "document.querySelectorAll('*').length"
    nodes = chapter.page.evaluate(count)
    for index in range(25):
        chapter.go(f"n={1 + 5 * index % 64}", f"length={1 + index * 7 % 64}", f"q={index / 100}")
    chapter.go()
    assert chapter.page.evaluate(count) == nodes


# --- paper ---


def test_a_dark_page_prints_black_on_white(visit):
    seen = visit(f"en/{FILE}#v=1&n=9", theme="dark")
    seen.read_through()
    page = seen.page
    page.emulate_media(media="print")
    until(
        page,
        "color => getComputedStyle(document.querySelector('#chart-kl-cost .xtick text')).fill === color",
        arg=palette(page, "text"),
    )
    assert page.evaluate(GROUND) == "rgb(255, 255, 255)"
    for selector in (".pages", ".around", ".part-controls", ".editor", ".contents", ".bar nav"):
        assert not page.locator(selector).first.is_visible(), selector
    assert page.locator("#example-source").is_visible() and page.locator(".settings").first.is_visible()
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 upright within margins of 1 cm
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    wide = page.evaluate(
        """() => [...document.querySelectorAll("main table, main math, main p, main pre, main svg")]
            .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
            .map((element) => element.closest("[id]").id)"""
    )
    assert sorted(set(wide)) == []


@prints
def test_charts_of_a_dark_page_are_printed_in_their_place_and_dark_on_white(visit):
    seen = visit(f"en/{FILE}", theme="dark")
    seen.read_through()
    seen.page.evaluate(WATCH_CHARTS)
    pdf = printed(seen.page)
    assert pdf.startswith(b"%PDF-") and 5 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 40
    charts = seen.page.evaluate("charts")
    assert len(charts["printed"]) == len(KL_FIGURES)
    assert [name for name, fits, _ in charts["printed"] if not fits] == []
    assert all(brightness(color) < 60 for _, _, color in charts["printed"])
