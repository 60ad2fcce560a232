"""The pages' Content-Security-Policy in a browser: nothing that a page does is forbidden, what is slipped in is.

From disk, tests/browser/test_pages.py opens most pages; a violation is a complaint there. Here: over http, the
experiment from disk, saved pages, and what must be blocked.
"""

from __future__ import annotations

from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from publish.content import PAGES
from tests.browser.conftest import READ_THROUGH
from tests.browser.driving import LANGUAGES, until
from tests.browser.test_pages import PAGES as OPENED_FROM_DISK
from tests.content_tools import shipped_word
from tests.loopback import serving

pytestmark = pytest.mark.browser

WATCH = """
    globalThis.violations = [];
    document.addEventListener("securitypolicyviolation", (event) =>
        globalThis.violations.push([event.effectiveDirective, event.blockedURI, event.lineNumber]));
"""
SLIP_IN = """async () => {
    const add = (name, properties) => document.body.append(Object.assign(document.createElement(name), properties));
    add("script", {textContent: "globalThis.slipped = 'inline'"});
    add("script", {src: "https://example.invalid/a.js"});
    add("script", {src: "data:text/javascript,globalThis.slipped='data'"});
    add("img", {src: "https://example.invalid/a.png"});
    add("iframe", {src: "https://example.invalid/"});
    add("object", {data: "https://example.invalid/a.swf"});
    add("div", {innerHTML: "<b id=styled style='color: rgb(1, 2, 3)'>x</b><img src=x onerror='globalThis.slipped=1'>"});
    add("style", {textContent: "body { color: rgb(1, 2, 3) }"});
    add("base", {href: "https://example.invalid/"});
    try { new Worker("worker.js"); } catch (error) {}
    await fetch("https://example.invalid/").catch(() => {});
    const later = () => new Promise((done) => setTimeout(done, 200));
    await later(); // the test's own call may make code of texts; what comes after it may not
    try { (0, eval)("globalThis.slipped = 'eval'"); } catch (error) {}
    await later();
    return {
        slipped: globalThis.slipped ?? null,
        base: new URL("x", document.baseURI).host,
        colors: [document.body, document.getElementById("styled")].map((item) => getComputedStyle(item).color),
        directives: [...new Set(globalThis.violations.map(([directive]) => directive))].sort(),
    };
}"""
BLOCKED = {
    "base-uri", "connect-src", "frame-src", "img-src", "object-src", "script-src", "script-src-attr", "script-src-elem",
    "style-src-attr", "style-src-elem", "worker-src",
}  # fmt: skip


@pytest.fixture(scope="module")
def host(site):
    """Return the address under which the site is served."""
    with serving(site) as address:
        yield address


@contextmanager
def opened(browser, address):
    """Give a page and what it complains of; at the end nothing was forbidden."""
    context = browser.new_context(reduced_motion="reduce", viewport={"width": 1440, "height": 900})
    context.set_default_timeout(30_000)
    page, complaints = context.new_page(), []
    page.add_init_script(WATCH)
    page.on(
        "console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))
    try:
        page.goto(address)
        yield page
        assert page.evaluate("globalThis.violations") == [] and complaints == []
    finally:
        context.close()


def use(page, name):
    """Go through a page as a reader: see every chart, change a state, run the program."""
    page.evaluate(READ_THROUGH)
    if page.locator("form[data-controls]").count():
        before = page.evaluate("document.documentElement.dataset.state ?? ''")
        box = page.locator("form[data-controls] :is(input[type=number], input[type=range], select)").first
        box.evaluate(
            """(box) => {
                if (box.options) box.selectedIndex = box.selectedIndex ? 0 : 1;
                else box.value = Number(box.value) + Number(box.step > 0 ? box.step : 1);
                box.dispatchEvent(new Event("input", {bubbles: true}));
                box.dispatchEvent(new Event("change", {bubbles: true}));
            }"""
        )
        until(page, "before => (document.documentElement.dataset.state ?? '') !== before", before)
    if page.locator("#example-run").count():
        page.locator("#example-run").click()
        done = shipped_word("example.done", page.evaluate("document.documentElement.lang.slice(0, 2)"))
        expect(page.locator("#example-status")).to_have_text(done, timeout=20_000)


# Each page in one language: the policy is one, and so are the scripts.
@pytest.mark.parametrize(
    ("name", "language"), [(name, LANGUAGES[place % 2]) for place, name in enumerate(PAGES)]
)
def test_a_served_page_does_nothing_that_is_forbidden_nor_does_its_saved_copy(
    browser, host, tmp_path, name, language
):
    saved = None
    with opened(browser, f"{host}/{language}/{name}.html") as page:
        use(page, name)
        if page.locator("#save-page").count():
            with page.expect_download() as download:
                page.click("#save-page")
            saved = tmp_path / "saved.html"
            download.value.save_as(saved)
    if saved:
        with opened(browser, saved.as_uri()) as page:
            use(page, name)


@pytest.mark.parametrize("name", [*sorted(set(PAGES) - set(OPENED_FROM_DISK))])
def test_a_page_from_disk_does_nothing_that_is_forbidden(browser, site, name):
    with opened(browser, (site / "zh" / f"{name}.html").as_uri()) as page:
        use(page, name)


def test_the_start_page_and_the_page_for_lost_readers_do_nothing_that_is_forbidden(browser, site, host):
    for address in (
        f"{host}/index.html?choose",
        (site / "index.html").as_uri() + "?choose",
        f"{host}/404.html",
    ):
        with opened(browser, address) as page:
            assert page.locator("section").count() == 2


def slipped_in(browser, address):
    """Return what comes of things slipped into a page."""
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(address)
    found = page.evaluate(SLIP_IN)
    context.close()
    return found


def test_what_is_slipped_into_a_page_is_blocked(browser, site, host, visiting, tmp_path):
    with visiting("en/update.html#beta=0.2") as visit:
        visit.page.wait_for_selector("html[data-state]", state="attached")
        with visit.page.expect_download() as download:
            visit.page.click("#save-page")
        download.value.save_as(tmp_path / "saved.html")
    for address in (
        f"{host}/en/update.html",
        (site / "zh/faults.html").as_uri(),
        (tmp_path / "saved.html").as_uri(),
    ):
        found = slipped_in(browser, address)
        assert found["slipped"] is None and found["base"] != "example.invalid", address
        assert "rgb(1, 2, 3)" not in found["colors"], address
        assert set(found["directives"]) >= BLOCKED - {"worker-src"}, (address, found["directives"])


def test_without_the_policy_the_same_things_would_slip_in(browser, site, tmp_path):
    text = (site / "index.html").read_text(encoding="utf-8")
    (tmp_path / "open.html").write_text(text.replace("Content-Security-Policy", "x-none"), encoding="utf-8")
    found = slipped_in(browser, (tmp_path / "open.html").as_uri() + "?choose")
    assert found["slipped"] is not None and "rgb(1, 2, 3)" in found["colors"] and found["directives"] == []
