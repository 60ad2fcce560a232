"""What is wider than its place: its edge says that there is more, numbers are whole, heads and words stay readable."""

from __future__ import annotations

import pytest

from tests.browser.driving import LANGUAGES, eventually, read, until
from tests.content_tools import shipped_content

pytestmark = pytest.mark.browser

# What scrolls sideways: where, which of its edges have more behind them, and whether they fade.
EDGES = """() => [...document.querySelectorAll("main :is(.scroll, .formula)")].filter((box) => box.checkVisibility())
    .map((box) => {
        const hidden = box.scrollWidth - box.clientWidth;
        const scrolls = hidden > 1 && getComputedStyle(box).overflowX === "auto";
        return {
            box: (box.closest("[id]") || box).id + " " + box.className,
            wanted: scrolls ? [box.scrollLeft > 1, box.scrollLeft < hidden - 1] : [false, false],
            found: [box.classList.contains("more-before"), box.classList.contains("more-after")],
            fades: getComputedStyle(box).maskImage !== "none",
        };
    })"""
SCROLL = """part => { for (const box of document.querySelectorAll("main :is(.scroll, .formula)"))
    box.scrollLeft = part * (box.scrollWidth - box.clientWidth); }"""
TOO_WIDE = """selector => { const box = document.querySelector(selector); return box.scrollWidth - box.clientWidth; }"""
# Where the heads of the atlas's table are, and what hides them, once its last row is in view.
HEADS = """() => {
    const table = document.querySelector("#table-checks-paths table");
    const [last, first, cell] = [table.tFoot.rows[0], table.tBodies[0].rows[0], table.tHead.rows[0].cells[3]];
    last.scrollIntoView({block: "end", behavior: "instant"});
    const box = (element) => element.getBoundingClientRect();
    const head = box(cell);
    return {
        scrolled: box(first).bottom < head.bottom,
        below: head.top >= box(document.querySelector(".bar")).bottom - 8,
        last: box(last).top > head.bottom,
        seen: cell.contains(document.elementFromPoint(head.left + head.width / 2, head.bottom - 6)),
    };
}"""
# How many lines the texts of some cells take.
LINES = """selector => [...document.querySelectorAll(selector)].map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return Math.round(range.getBoundingClientRect().height / parseFloat(getComputedStyle(cell).lineHeight));
})"""


def wrong_edges(page):
    """Return the boxes whose edges do not say what is behind them."""
    found = read(page, EDGES)
    assert len(found) > 10
    fading = [
        edge["fades"] == any(edge["found"][1:] if " scroll" in edge["box"] else edge["found"])
        for edge in found
    ]
    return [
        edge
        for edge, right in zip(found, fading, strict=True)
        if edge["found"] != edge["wanted"] or not right
    ]


@pytest.mark.parametrize("file", ["en/update.html", "zh/digits.html"])
def test_an_edge_fades_as_long_as_there_is_more_behind_it(visit, file):
    page = visit(file + "#v=1", width=375, theme="dark").page
    for part in (0, 0.5, 1):
        page.evaluate(SCROLL, part)
        assert eventually(lambda: wrong_edges(page)) == [], part
        assert sum(any(edge["found"]) for edge in read(page, EDGES)) > 3
    page.evaluate("() => { for (const box of document.querySelectorAll('details')) box.open = true; }")
    assert eventually(lambda: wrong_edges(page)) == []
    page.set_viewport_size({"width": 1800, "height": 900})
    assert eventually(lambda: wrong_edges(page)) == []


def test_boxes_that_come_later_are_watched_too(visit):
    page = visit("en/update.html#v=1", width=375).page
    page.evaluate("""() => { const box = document.createElement("div"); box.className = "scroll"; box.id = "later";
        box.innerHTML = "<table><tr><td>" + "wide ".repeat(90).trim().replaceAll(" ", "_") + "</td></tr></table>";
        document.querySelector("main").append(box); }""")
    until(page, "() => document.getElementById('later').matches('.more-after:not(.more-before)')")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_of_positions_fits_on_a_laptop(visit, language):
    page = visit(f"{language}/update.html#v=1").page
    page.set_viewport_size({"width": 1366, "height": 768})
    assert page.evaluate(TOO_WIDE, "#table-positions .scroll") == 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_read_outs_of_a_wrong_path_are_whole_on_a_phone(visit, language):
    page = visit(f"{language}/update.html#v=1", width=375).page
    for path in shipped_content().faults:
        page.evaluate("hash => { location.hash = hash; }", f"v=1&path={path}&step=7")
        page.wait_for_selector(f"html[data-state*='path={path}'][data-state*='step=7']", state="attached")
        assert page.evaluate(TOO_WIDE, "#table-beside .scroll") == 0, path


@pytest.mark.parametrize(("language", "width"), [("zh", 375), ("en", 768), ("zh", 1280), ("en", 1440)])
def test_heads_of_the_atlas_stay_in_view(visit, language, width):
    page = visit(f"{language}/faults.html", width=width).page
    assert page.evaluate(HEADS) == {"scrolled": True, "below": True, "last": True, "seen": True}
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_result_of_a_check_stands_in_one_line(visit, language):
    page = visit(f"{language}/update.html#v=1", width=375).page
    page.click("#check-run")
    page.wait_for_selector("#check-view td.word")
    lines = page.evaluate(LINES, "#check-view td.word")
    assert len(lines) > 3 and set(lines) == {1}
    assert page.evaluate(TOO_WIDE, "#check-view .scroll") == 0
