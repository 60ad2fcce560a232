"""What is drawn and what is printed: charts in both themes and without their library, and pages on paper."""

from __future__ import annotations

import re

import pytest

from tests.browser.driving import until
from tests.browser.printing import printed, prints
from tests.browser.seen import brightness, palette, scroll_to, wait_for_chart

pytestmark = pytest.mark.browser


LANGUAGES = ("zh", "en")

PLOTLY = "**/plotly-basic.min.js"


THEME = "document.documentElement.dataset.theme"

GROUND = "getComputedStyle(document.documentElement).backgroundColor"


# What the charts look like when the printer sees them: page.pdf prints, and the media query is the last to be told.
WATCH_CHARTS = """() => {
    const look = () => [...document.querySelectorAll(".plot")].map((plot) => {
        const place = plot.getBoundingClientRect(), drawing = plot.querySelector("svg").getBoundingClientRect();
        const fits = drawing.bottom <= place.bottom + 1 && drawing.right <= place.right + 1;
        return [plot.dataset.chart, fits, getComputedStyle(plot.querySelector(".xtick text")).fill];
    });
    window.charts = {before: look()};
    matchMedia("print").addEventListener("change", async (print) => {
        await null;
        charts[print.matches ? "printed" : "after"] = look();
    });
}"""


def test_charts_are_drawn_when_they_come_near(visit):
    seen = visit()
    page = seen.page
    assert page.locator(".plot svg").count() == 0
    assert not any("plotly" in url for url in seen.requests)
    for name in ("plateaus", "loss", "kl", "clipped"):
        scroll_to(page, f"#chart-{name}")
        wait_for_chart(page, name)
        plot = page.locator(f".plot[data-chart={name}]")
        named_by = page.locator("#" + plot.get_attribute("aria-labelledby"))
        assert plot.get_attribute("role") == "img" and len(named_by.inner_text()) > 30
    assert sum("plotly" in url for url in seen.requests) == 1


@pytest.mark.parametrize("width", [375, 1440])
def test_charts_fit_their_place(visit, width):
    seen = visit(width=width)
    seen.read_through()
    cut = seen.page.evaluate(
        """() => [...document.querySelectorAll(".plot")].filter((plot) => {
            const place = plot.getBoundingClientRect();
            return [...plot.querySelectorAll("svg text")].some((text) => {
                const box = text.getBoundingClientRect();
                return box.width && (box.left < place.left - 1 || box.right > place.right + 1
                    || box.top < place.top - 1 || box.bottom > place.bottom + 1);
            });
        }).map((plot) => plot.dataset.chart)"""
    )
    assert cut == []


@pytest.mark.parametrize("system", ["light", "dark"])
def test_charts_wear_the_colours_of_the_theme(visit, system):
    page = visit(theme=system).page
    scroll_to(page, "#chart-loss")
    wait_for_chart(page, "loss")
    before = drawn_colors(page)
    assert before == palette_colors(page)
    page.click("#theme")
    expected = palette_colors(page)
    until(
        page,
        "color => getComputedStyle(document.querySelector('#chart-loss .xtick text')).fill === color",
        arg=expected["text"],
    )
    assert drawn_colors(page) == expected
    assert all(expected[name] != before[name] for name in before)


def drawn_colors(page):
    """Return the colours in the chart of the loss: its text, and its strongest curve."""
    return page.evaluate(
        """() => {
            const chart = document.querySelector("#chart-loss .plot");
            const curves = [...chart.querySelectorAll("path.js-line")].map(getComputedStyle);
            const widest = curves.reduce((a, b) => parseFloat(b.strokeWidth) > parseFloat(a.strokeWidth) ? b : a);
            return {text: getComputedStyle(chart.querySelector(".xtick text")).fill, "q-grad": widest.stroke};
        }"""
    )


def palette_colors(page):
    return {name: palette(page, name) for name in ("text", "q-grad")}


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_the_chart_library_a_note_stands_there_and_the_page_stays_whole(visit, language):
    seen = visit(f"{language}/update.html", prepare=lambda c: c.route(PLOTLY, lambda route: route.abort()))
    page = seen.page
    for name in ("plateaus", "loss", "kl", "clipped"):
        scroll_to(page, f"#chart-{name}")
        page.locator(f"#chart-{name} .chart-off").wait_for(state="visible")
        assert not page.locator(f"#chart-{name} .plot").is_visible()
    assert seen.errors == []
    page.locator("#chart-loss summary").click()
    assert page.locator("#chart-loss table").is_visible()
    page.click("#theme")
    assert page.evaluate(THEME) == "dark" and seen.errors == []


@pytest.mark.parametrize("choice", ["system", "switch"])
def test_a_dark_page_prints_black_on_white(visit, choice):
    seen = visit(theme="dark" if choice == "system" else "light")
    page = seen.page
    if choice == "switch":
        page.click("#theme")
    seen.read_through()
    page.emulate_media(media="print")
    until(
        page,
        "color => getComputedStyle(document.querySelector('#chart-loss .xtick text')).fill === color",
        arg=palette(page, "text"),
    )
    assert page.evaluate(GROUND) == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    pale = page.evaluate(
        """() => {
            const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), pale = new Set();
            for (let node; (node = walk.nextNode());) {
                const element = node.parentElement;
                if (!node.data.trim() || !element.getClientRects().length || element.closest("svg")) continue;
                const light = getComputedStyle(element).color.match(/\\d+/g).slice(0, 3).map((part) => {
                    const share = part / 255;
                    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
                });
                const luminance = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
                if (1.05 / (luminance + 0.05) < 4.5) pale.add(element.outerHTML.slice(0, 80));
            }
            return [...pale];
        }"""
    )
    assert pale == []
    for selector in (".bar nav", ".contents", ".skip"):
        assert not page.locator(selector).first.is_visible()
    assert page.locator("h1").is_visible()


@prints
def test_printing_opens_what_is_folded_and_then_folds_it_again(visit):
    page = visit().page
    page.evaluate(
        """() => {
            window.folded = {};
            for (const name of ["beforeprint", "afterprint"]) addEventListener(name, () =>
                folded[name] = document.querySelectorAll("details:not([open])").length);
        }"""
    )
    before = page.locator("details:not([open])").count()
    pdf = printed(page)
    assert before >= 5
    assert page.evaluate("folded") == {"beforeprint": 0, "afterprint": before}
    assert pdf.startswith(b"%PDF-") and 5 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 40


def test_nothing_is_cut_off_on_paper(visit):
    """A4 upright within margins of 1 cm is 718 px wide."""
    page = visit().page
    page.set_viewport_size({"width": 718, "height": 1000})
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    wide = page.evaluate(
        """() => [...document.querySelectorAll("main table, main math, main p, main svg")]
            .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
            .map((element) => (element.closest("[id]").id))"""
    )
    assert sorted(set(wide)) == []


@prints
def test_charts_of_a_dark_page_are_printed_in_their_place_and_dark_on_white(visit):
    seen = visit(theme="dark")
    seen.read_through()
    seen.page.evaluate(WATCH_CHARTS)
    printed(seen.page)
    charts = seen.page.evaluate("charts")
    assert len(charts["printed"]) >= 4
    assert [name for name, fits, _ in charts["printed"] if not fits] == []
    assert all(brightness(color) < 60 for _, _, color in charts["printed"])
    seen.page.wait_for_timeout(200)
    assert seen.page.evaluate("charts.after") == charts["before"]
    assert all(brightness(color) > 200 for _, _, color in charts["before"])
