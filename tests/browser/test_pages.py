"""Every page, in both languages, light and dark, from phone to desktop: whole, quiet, accessible, in its column."""

from __future__ import annotations

import gzip
import re
import shutil
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from tests.browser.driving import read
from tests.browser.seen import in_the_other_theme

pytestmark = pytest.mark.browser

AXE = Path(__file__).parent / "vendor" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WORDS = ["cat.name-role-value", "cat.text-alternatives", "cat.language", "cat.structure", "cat.forms"]
COLOURS = [
    "color-contrast",
    "link-in-text-block",
]  # rules that the other theme may break where one theme does not
MOST_FIRST_BYTES = 150_000
LANGUAGES = ("zh", "en")
PAGES = ("update", "kl-and-clipping", "faults")
CHARTS = {"update": 4, "kl-and-clipping": 4, "faults": 0}  # drawn by the chart library, at least so many
SEEN_ELSEWHERE = {("faults", 768)}  # nothing there that other widths do not show
WIDTHS = (375, 768, 1440)


def kinds(widths=WIDTHS):
    """Parametrize every page for both languages and these widths, in the light theme."""
    cases = [case for case in product(PAGES, widths, LANGUAGES) if case[:2] not in SEEN_ELSEWHERE]
    return pytest.mark.parametrize("reading", cases, indirect=True, ids=lambda case: "-".join(map(str, case)))


@pytest.fixture(scope="module")
def reading(request, visiting) -> Iterator:
    """Return a page that was scrolled through, so that its charts are drawn."""
    page, width, language = request.param
    with visiting(f"{language}/{page}.html", width=width) as visit:
        visit.read_through()
        yield visit


@kinds()
def test_nothing_is_asked_of_another_host_and_nothing_complains(reading):
    assert {url.partition(":")[0] for url in reading.requests} <= {"file", "data", "blob"}
    plots = reading.page.locator(".plot").count()
    assert any(url.endswith("plotly-basic.min.js") for url in reading.requests) == (plots > 0)
    assert reading.complaints == []


@kinds()
def test_the_page_does_not_scroll_sideways(reading):
    wide = reading.page.evaluate(
        """() => {
            const limit = document.documentElement.clientWidth;
            const out = [...document.body.querySelectorAll("*")]
                .filter((element) => !element.closest(".scroll, .formula, .skip"))
                .filter((element) => element.getBoundingClientRect().right > limit + 1);
            const fits = document.documentElement.scrollWidth <= innerWidth;
            return [fits, out.map((element) => element.outerHTML.slice(0, 90))];
        }"""
    )
    assert wide == [True, []]


@kinds(widths=[375, 1440])
def test_axe_finds_no_violation_in_light_and_dark(reading):
    """Languages and themes are one document in other words and colours, and are looked at for what depends on them."""
    narrow, chinese = reading.page.viewport_size["width"] < 400, "/zh/" in reading.address
    if narrow != chinese:
        assert violations(reading.page, rules=WORDS) == []
        return
    assert violations(reading.page) == []
    in_the_other_theme(reading.page, "light")
    assert violations(reading.page, rules=COLOURS) == []
    assert reading.complaints == []
    in_the_other_theme(reading.page, "dark")


def violations(page, within="html", rules=RULES):
    """Return what axe finds in a part of a page: rule, and the first places."""
    if page.evaluate("() => !window.axe"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    options = {"runOnly": rules, "resultTypes": ["violations"], "preload": False}
    found = read(
        page, "async ([where, options]) => (await axe.run(where, options)).violations", [within, options]
    )
    return [
        f"{rule['id']} ({len(rule['nodes'])} places): {[node['target'] for node in rule['nodes'][:3]]}"
        for rule in found
    ]


def test_axe_would_find_a_violation(visit):
    page = visit().page
    page.evaluate("document.querySelector('main').insertAdjacentHTML('afterbegin', '<img src=\"data:,\">')")
    assert any(line.startswith("image-alt (1 ") for line in violations(page))
    in_the_other_theme(page, "light")
    assert violations(page, rules=COLOURS) == []
    page.evaluate("document.querySelector('main p').style.color = '#333'")
    found = violations(page, rules=COLOURS)
    assert len(found) == 1 and found[0].startswith("color-contrast (")


@kinds(widths=[375, 768])
def test_wide_tables_scroll_in_their_box_with_the_first_column_fixed(reading):
    reading.page.evaluate(
        "document.querySelectorAll('details').forEach((details) => { details.open = true; })"
    )
    reading.page.wait_for_timeout(200)  # the page looks at boxes that change their size
    boxes = reading.page.evaluate(
        """() => {
            const report = [];
            for (const box of document.querySelectorAll(".scroll")) {
                if (box.scrollWidth <= box.clientWidth) continue;
                const name = box.getAttribute("aria-label"), edge = box.getBoundingClientRect();
                box.scrollLeft = 60;
                const loose = [], clear = [];
                for (const row of box.querySelectorAll("tr")) {
                    const cell = row.cells[0];
                    if (cell.tagName !== "TH" || cell.classList.contains("index")) continue;
                    if (cell.scope === "rowgroup") { // as wide as the table: what it says stays
                        const gap = cell.firstElementChild.getBoundingClientRect().left - edge.left;
                        if (gap < 0 || gap > 20) loose.push(cell.textContent);
                        continue;
                    }
                    if (Math.abs(cell.getBoundingClientRect().left - edge.left) > 1) loose.push(cell.textContent);
                    if (/, 0\\)|transparent/.test(getComputedStyle(cell).backgroundColor)) clear.push(cell.textContent);
                }
                report.push({name, moved: box.scrollLeft, loose, clear, focusable: box.tabIndex === 0,
                    inside: edge.left >= 0 && edge.right <= innerWidth + 1});
                box.scrollLeft = 0;
            }
            return report;
        }"""
    )
    assert len(boxes) >= (1 if reading.page.url.endswith("faults.html") else 2)
    for box in boxes:
        assert (box["loose"], box["clear"]) == ([], []), box["name"]
        assert box["moved"] > 0 and box["focusable"] and box["inside"], box["name"]


@kinds(widths=[375])
def test_touch_targets_are_44_pixels_high(reading):
    """Links inside sentences are exempt."""
    low = reading.page.evaluate(
        """() => [...document.querySelectorAll(".bar a, .bar button, .contents a, .way-in, main button, summary")]
            .filter((element) => element.getClientRects().length)
            .map((element) => [element.textContent.trim(), element.getBoundingClientRect().height])
            .filter(([, height]) => height < 44)"""
    )
    assert low == []


@kinds()
def test_text_stays_in_its_column(reading):
    wide = reading.page.evaluate(
        """() => {
            const limit = 36 * parseFloat(getComputedStyle(document.documentElement).fontSize) + 1;
            const text = "main :is(h1, h2, h3, h4, p, li, figcaption, .note, .question, .result)";
            return [...document.querySelectorAll(text)]
                .filter((element) => !element.closest("table, .stages, .command, .chart-off"))
                .filter((element) => !element.querySelector("table, .formula, .filled"))
                .filter((element) => {
                    const range = document.createRange();
                    range.selectNodeContents(element);
                    return range.getBoundingClientRect().width > limit;
                })
                .map((element) => element.textContent.trim().slice(0, 60));
        }"""
    )
    assert wide == []


@kinds()
def test_formulas_have_a_place(reading):
    heights = reading.page.evaluate(
        """() => [...document.querySelectorAll("math[display=block]")]
            .filter((math) => math.checkVisibility())
            .map((math) => math.getBoundingClientRect()).map(({width, height}) => Math.min(width, height))"""
    )
    assert len(heights) > 15 and min(heights) > 10


@kinds(widths=[375])
def test_formulas_have_the_math_font(reading):
    page = reading.page
    assert page.evaluate("document.fonts.check('16px \"RLPU Math\"')")
    assert page.evaluate("[...document.fonts].map(({family, status}) => [family, status])") == [
        ["RLPU Math", "loaded"],
        ["RLPU Math", "unloaded"],  # bold letters, of which there are none
    ]
    assert fonts_of(page, "math :is(mi, mn, mo, mtext)") == {"RLPU Math"}


def fonts_of(page, selector):
    """Return the names of the fonts that really set the text of these elements."""
    tools = page.context.new_cdp_session(page)
    tools.send("DOM.enable")
    tools.send("CSS.enable")
    root = tools.send("DOM.getDocument")["root"]["nodeId"]
    nodes = tools.send("DOM.querySelectorAll", {"nodeId": root, "selector": selector})["nodeIds"]
    assert nodes
    answers = [tools.send("CSS.getPlatformFontsForNode", {"nodeId": node}) for node in nodes]
    tools.detach()
    return {font["familyName"] for answer in answers for font in answer["fonts"]}


@kinds()
def test_rows_of_formulas_are_aligned(reading):
    """Left sides end, right sides begin at one line; the whole formula begins where the text does."""
    tables = reading.page.evaluate(
        """() => [...document.querySelectorAll("math[display=block] mtable")].map((table) => {
            const edges = {};
            for (const row of table.children) [...row.children].forEach((cell, column) => {
                const right = cell.classList.contains("right");
                const content = right ? cell.lastElementChild : cell.firstElementChild;
                if (content) (edges[column] ||= []).push(content.getBoundingClientRect()[right ? "right" : "left"]);
            });
            return Object.values(edges).map((places) => Math.max(...places) - Math.min(...places));
        })"""
    )
    assert tables and all(spread <= 1 for table in tables for spread in table), tables
    starts = reading.page.evaluate(
        """() => [...document.querySelectorAll(":is(.sections > section, .formulas > div:first-child) > .formula")]
            .filter((formula) => formula.checkVisibility()).map((formula) =>
            formula.querySelector("math").getBoundingClientRect().left
            - formula.closest("section").querySelector("h2, h3").getBoundingClientRect().left)"""
    )
    assert starts and all(abs(start) <= 1 for start in starts), starts


@pytest.mark.parametrize("name", PAGES)
def test_a_copy_at_a_path_with_spaces_and_chinese_works(site, tmp_path, visit, name):
    copy = tmp_path / "网站 副本 (100% offline) #1"
    shutil.copytree(site, copy)
    seen = visit(f"zh/{name}.html", site=copy)
    seen.read_through()
    page = seen.page
    assert page.locator(".plot svg.main-svg").count() >= CHARTS[name]
    assert page.evaluate("document.fonts.check('16px \"RLPU Math\"')")
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.click("#language")
    page.wait_for_url(f"**/en/{name}.html*")
    assert page.evaluate("document.documentElement.lang") == "en"
    page.click(".home")
    page.wait_for_url("**/index.html?choose")
    assert seen.complaints == []


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_view_is_light(site, language, name):
    """What loads before anything is scrolled, compressed as a web server does."""
    page = site / language / f"{name}.html"
    named = re.findall(
        r'<(?:link rel="stylesheet"|script)[^>]* (?:href|src)="([^"]+)"', page.read_text("utf-8")
    )
    assert len(named) >= 5
    fonts = [font for font in site.glob("assets/vendor/**/*.woff2") if not font.stem.endswith("-bold")]
    files = [page, *(page.parent / name for name in named), *fonts]
    sizes = {file.name: len(gzip.compress(file.read_bytes(), 6)) for file in files}
    assert sum(sizes.values()) < MOST_FIRST_BYTES, sizes


@pytest.mark.parametrize("name", PAGES)
def test_the_first_view_loads_nothing_else(visit, name):
    requests = visit(f"en/{name}.html").requests
    kinds = {Path(url).suffix for url in requests if url.startswith("file:")}
    assert kinds <= {".html", ".css", ".js", ".woff2", ".svg"}
    assert not any("plotly" in url or url.endswith((".wasm", "-bold.woff2")) for url in requests)
