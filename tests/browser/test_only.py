"""`only=` in the address: one figure, table or block alone, live, in an iframe of slides opened from disk."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.driving import word
from tests.browser.printing import printed, prints
from tests.content_tools import ROOT
from tests.live_states import READ, expected, wrong_numbers

pytestmark = pytest.mark.browser

ONLY = ROOT / "templates" / "assets" / "js" / "only.js"

# The elements with text or a drawing of their own that can be seen, by the id of what holds them.
SEEN = """() => [...new Set([...document.querySelectorAll("body *")].filter((element) =>
    element.checkVisibility({visibilityProperty: true}) && element.getClientRects().length &&
    [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .map((element) => element.closest(".only-line") ? "line" : (element.closest("[id]") || {}).id))]"""


def slides(folder, site, *frames):
    """Write slides with iframes, as a teacher would, and return their name."""
    frame = '<iframe src="{}#{}" width="900" height="420" style="border: 0"></iframe>'
    body = "\n".join(
        frame.format((site / file).as_uri(), hash.replace("&", "&amp;")) for file, hash in frames
    )
    (folder / "slides.html").write_text(
        f'<!doctype html><meta charset="utf-8"><body>{body}', encoding="utf-8"
    )
    return "slides.html"


def test_a_chart_in_slides_has_its_state_caption_and_way_back(visit, site, tmp_path):
    name = slides(
        tmp_path,
        site,
        ("en/update.html", "beta=0.2&step=7&only=chart-kl"),
        ("zh/kl-and-clipping.html", "ratio=1.5&only=controls,chart-kl-clip"),
    )
    seen = visit(name, site=tmp_path)
    english, chinese = (frame for frame in seen.page.frames if frame.parent_frame)
    english.locator("html[data-state*='step=7'] #chart-kl .plot[data-drawn]").wait_for()
    shown = set(english.evaluate(SEEN))
    assert {"line"} < shown and all(
        not part or part == "line" or part.startswith("chart-kl") for part in shown
    )
    assert wrong_numbers(english.evaluate(READ), expected(["beta=0.2", "step=7"])) == []
    left, right = english.evaluate(
        """() => { const {left, right} = document.querySelector("#chart-kl").getBoundingClientRect();
            return [left, innerWidth - right]; }"""
    )
    assert left >= 12 and right >= 12
    link = english.locator(".only-line a")
    assert link.get_attribute("target") == "_blank"
    address, _, hash = link.get_attribute("href").partition("#")
    assert address == (site / "en" / "update.html").as_uri()
    assert {"beta=0.2", "step=7", "show=chart-kl"} < set(hash.split("&")) and "only" not in hash
    assert (
        word("footer.edition", version="0.1.0", date="2026-11-30")
        in english.locator(".only-line").inner_text()
    )
    for frame in (english, chinese):
        assert (
            frame.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgba(0, 0, 0, 0)"
        )
        assert frame.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for text in frame.locator(".plot svg text").all()[:3]:
            assert text.bounding_box()["width"] > 3, "measured while it could not be seen"
    slider = chinese.locator("#part-clip [name=ratio]")
    slider.fill("0.5")
    chinese.locator("html[data-state*='&ratio=0.5&']").wait_for(state="attached")
    assert chinese.locator("form[data-controls]:visible").count() == 1
    assert "ratio=0.5" in chinese.locator(".only-line a").get_attribute("href")
    assert chinese.locator("html").get_attribute("data-state").endswith("only=controls%2Cchart-kl-clip")
    assert seen.complaints == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_an_id_that_there_is_not_is_told_over_the_whole_page(visit, language):
    seen = visit(f"{language}/update.html#only=chart-kk,chain", width=375)
    page = seen.page
    note = page.get_by_role("alert").filter(has_text="chart-kk")
    expect(note).to_contain_text("chart-kl, chart-clipped")
    assert "chain" not in note.inner_text().split("chart-kk")[1].split("：" if language == "zh" else ":")[0]
    for selector in (".bar", "h1", "#symbols"):
        assert page.locator(selector).is_visible(), selector
    page.evaluate("location.hash = 'only=chain'")
    page.locator("html.only").wait_for()
    assert note.count() == 0 and page.locator("#chain").is_visible() and not page.locator("h1").is_visible()
    page.locator(".only-line a").click()
    page.locator("html:not(.only)").wait_for()
    assert page.locator("h1").is_visible() and page.locator(".only-line").count() == 0
    assert seen.complaints == []


@prints
def test_nothing_else_is_painted_first_and_the_theme_is_the_systems(visit):
    """Until the script that shows the figure has come, nothing is seen."""
    prepare = lambda context: (  # noqa: E731
        context.add_init_script("try { localStorage.setItem('theme', 'dark') } catch (error) {}"),
        context.route("**/only.js", lambda route: route.fulfill(body="", content_type="text/javascript")),
    )
    page = visit("en/update.html#only=table-parameters", prepare=prepare).page
    page.locator("html.only-wait").wait_for(state="attached")
    assert page.evaluate(SEEN) == []
    page.evaluate(ONLY.read_text("utf-8"))  # as the policy lets no script stand in the page
    page.locator("#table-parameters table").wait_for()
    assert page.evaluate("document.documentElement.dataset.theme") is None
    assert printed(page).count(b"/Type /Page\n") <= 1


def test_a_page_that_cannot_load_the_script_is_whole(visit):
    page = visit(
        "en/update.html#only=chain&theme=dark", prepare=lambda c: c.route("**/only.js", lambda r: r.abort())
    ).page
    page.locator("h1").wait_for()
    assert page.locator(".bar").is_visible()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark", "as the address says"
