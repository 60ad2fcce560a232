"""How tests walk through a page by Tab: which stops there should be, and what is wrong with those that there are."""

from __future__ import annotations

from tests.browser.driving import read

MOST_TABS = 400

# What Tab should reach, in the order of the document. Boxes that scroll and hold nothing else may be reached too.
FOCUSABLE = """() => [...document.querySelectorAll("a[href], button, summary, input, select, textarea, [tabindex='0']")]
    .filter((element) => element.checkVisibility() && !element.matches(":disabled"))
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


def walk(page, most):
    """Press Tab from where the focus is: return what each stop is, until the page's last or so many."""
    stops = []
    for _ in range(most):
        page.keyboard.press("Tab")
        stop = read(page, FOCUSED)
        if stop is None or (stops and stop["tab"] == 0):
            return stops
        stops.append(stop)
    return stops


def wrong_stops(page, most=MOST_TABS):
    """Walk from the top through a page, or through so many stops: return what is wrong with them."""
    expected = page.evaluate(FOCUSABLE)
    stops = walk(page, most)
    wrong = (
        [] if stops and "skip" in stops[0]["name"] else ["the first stop is not the link to the main part"]
    )
    if most == MOST_TABS and len(stops) == most:
        wrong.append("Tab never leaves the page")
    found = [stop["tab"] for stop in stops if stop["tab"] is not None]
    if found != (expected if most == MOST_TABS else expected[: len(found)]):
        wrong.append(f"another order than that of the document: {found}")
    for stop in stops:
        if stop["tab"] is None and not stop["scrolls"]:
            wrong.append(f"a stop that nothing calls for: {stop['name']}")
        wrong += [f"not {what}: {stop['name']}" for what in ("outlined", "visible") if not stop[what]]
        wrong += [f"covered by the bar: {stop['name']}"] * stop["covered"]
    return wrong
