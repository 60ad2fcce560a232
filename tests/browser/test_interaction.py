"""What readers do with a page: switch theme and language, use the keyboard, print, and go without scripts or charts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

AXE = Path(__file__).parent / "vendor" / "axe-core" / "axe.min.js"
LANGUAGES = ("zh", "en")
PLOTLY = "**/plotly-basic.min.js"
MOST_TABS = 400

THEME = "document.documentElement.dataset.theme"
GROUND = "getComputedStyle(document.documentElement).backgroundColor"

# What Tab should reach, in the order of the document. Boxes that scroll and hold nothing else may be reached too.
FOCUSABLE = """() => [...document.querySelectorAll("a[href], button, summary, input, select, [tabindex='0']")]
    .filter((element) => element.checkVisibility())
    .map((element, index) => element.dataset.tab = index)"""

FOCUSED = """() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const style = getComputedStyle(element), box = element.getBoundingClientRect();
    const bar = document.querySelector(".bar").getBoundingClientRect();
    return {
        tab: element.dataset.tab === undefined ? null : Number(element.dataset.tab),
        name: element.outerHTML.slice(0, 80),
        scrolls: element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight,
        outlined: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        visible: box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
        covered: !element.closest(".bar, .skip") && box.bottom <= bar.bottom,
    };
}"""


def palette(page, name):
    """Return a colour of the present theme as a browser writes it."""
    return page.evaluate(
        """name => {
            const probe = document.body.appendChild(document.createElement("i"));
            probe.style.color = `var(--${name})`;
            const color = getComputedStyle(probe).color;
            probe.remove();
            return color;
        }""",
        name,
    )


def scroll_to(page, selector):
    """Bring an element to the top of the window, at once."""
    page.evaluate(
        "selector => document.querySelector(selector).scrollIntoView({block: 'start', behavior: 'instant'})",
        selector,
    )


def point_and_click(page, selector):
    """Click where an element is. page.click would first scroll: it takes the bar's links to be out of view."""
    box = page.locator(selector).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def in_view(page, selector):
    """Tell whether an element's top is in the window, below the bar."""
    return page.evaluate(
        """selector => {
            const top = document.querySelector(selector).getBoundingClientRect().top;
            return top >= document.querySelector(".bar").getBoundingClientRect().bottom - 1 && top < innerHeight / 2;
        }""",
        selector,
    )


def wait_for_chart(page, name):
    """Wait until a chart is drawn."""
    page.locator(f".plot[data-chart={name}][data-drawn] svg.main-svg").first.wait_for()


# --- theme ---


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


def brightness(color):
    """Return the mean of a colour's red, green and blue."""
    red, green, blue = map(int, re.findall(r"\d+", color)[:3])
    return (red + green + blue) / 3


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


@pytest.mark.parametrize(("here", "there"), [("zh", "en"), ("en", "zh")])
@pytest.mark.parametrize("anchor", ["kl-term", "table-positions", "chart-loss", "expectation"])
def test_the_language_switch_keeps_the_place(visit, here, there, anchor):
    seen = visit(f"{here}/update.html")
    seen.read_through()
    scroll_to(seen.page, f"#{anchor}")
    point_and_click(seen.page, "#language")
    seen.page.wait_for_url(f"**/{there}/update.html#*")
    assert in_view(seen.page, f"#{anchor}")
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
    page.wait_for_url("**/zh/update.html")
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


@pytest.mark.parametrize("width", [375, 1440])
@pytest.mark.parametrize("language", LANGUAGES)
def test_tab_goes_through_the_whole_page_in_order(visit, language, width):
    page = visit(f"{language}/update.html", width=width).page
    expected = page.evaluate(FOCUSABLE)
    stops = []
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        stop = page.evaluate(FOCUSED)
        if stop is None or (stops and stop["tab"] == 0):
            break
        stops.append(stop)
    else:
        raise AssertionError("Tab never leaves the page")
    assert "skip" in stops[0]["name"]
    assert [stop["tab"] for stop in stops if stop["tab"] is not None] == expected
    assert [stop for stop in stops if stop["tab"] is None and not stop["scrolls"]] == []
    assert [stop["name"] for stop in stops if not stop["outlined"]] == []
    assert [stop["name"] for stop in stops if not stop["visible"] or stop["covered"]] == []


def test_the_skip_link_moves_to_the_main_part(visit):
    page = visit().page
    page.keyboard.press("Tab")
    box = page.locator(".skip").bounding_box()
    assert box["x"] >= 0 and box["y"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_folded_tables_open_by_keyboard(visit, key):
    seen = visit()
    folded = seen.page.locator("details.data")
    assert folded.count() >= 4
    for index in range(folded.count()):
        details = folded.nth(index)
        table = details.locator("table")
        assert not table.is_visible()
        details.locator("summary").focus()
        seen.page.keyboard.press(key)
        assert table.is_visible()
        seen.page.keyboard.press(key)
        assert not table.is_visible()


# --- without scripts ---


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_scripts_everything_but_the_drawings_is_there(visit, language):
    page = visit(f"{language}/update.html", javascript=False).page
    hidden = [table for table in page.locator("table").all() if not table.is_visible()]
    assert page.locator("table").count() >= 12 and hidden == []
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


def test_charts_are_drawn_when_they_come_near(visit):
    seen = visit()
    page = seen.page
    assert page.locator(".plot svg").count() == 0
    assert not any("plotly" in url for url in seen.requests)
    for name in ("plateaus", "loss", "kl", "clipped"):
        scroll_to(page, f"#chart-{name}")
        wait_for_chart(page, name)
        plot = page.locator(f".plot[data-chart={name}]")
        assert plot.get_attribute("role") == "img" and len(plot.get_attribute("aria-label")) > 30
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
    page.wait_for_function(
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


# --- motion ---


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
    page.wait_for_function(
        "Math.abs(document.querySelector('#derivatives').getBoundingClientRect().top) < innerHeight / 2"
    )
    page.wait_for_timeout(400)
    assert in_view(page, "#derivatives")


# --- paper ---


@pytest.mark.parametrize("choice", ["system", "switch"])
def test_a_dark_page_prints_black_on_white(visit, choice):
    seen = visit(theme="dark" if choice == "system" else "light")
    page = seen.page
    if choice == "switch":
        page.click("#theme")
    seen.read_through()
    page.emulate_media(media="print")
    page.wait_for_function(
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
    pdf = page.pdf(format="A4")
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


def test_charts_of_a_dark_page_are_printed_in_their_place_and_dark_on_white(visit):
    seen = visit(theme="dark")
    seen.read_through()
    seen.page.evaluate(WATCH_CHARTS)
    seen.page.pdf(format="A4")
    charts = seen.page.evaluate("charts")
    assert len(charts["printed"]) >= 4
    assert [name for name, fits, _ in charts["printed"] if not fits] == []
    assert all(brightness(color) < 60 for _, _, color in charts["printed"])
    seen.page.wait_for_timeout(200)
    assert seen.page.evaluate("charts.after") == charts["before"]
    assert all(brightness(color) > 200 for _, _, color in charts["before"])
