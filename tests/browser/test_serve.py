"""Pages as `build.py serve` sends them, under their policy: reloads keep the reader's place, mistakes are told."""

from __future__ import annotations

import shutil
import threading
from http.server import ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from publish.reading.problems import Problem
from publish.serving.builds import Builds
from publish.serving.server import handler

pytestmark = pytest.mark.browser

MISTAKES = [
    Problem(
        "mine/config/rollout.toml",
        23,
        "update.clip_epsilon",
        ("found 1.5; allowed: a number above 0 and below 1", "写的是 1.5；允许：大于 0 且小于 1 的数"),
    ),
    Problem(
        "mine/terms.toml", None, "", ("<b>not</b> TOML", "不是 TOML"), ('did you mean "x"?', '是否想写 "x"？')
    ),
]
PLACE = """() => ({
    hash: location.hash,
    top: Math.round(document.getElementById("table-positions").getBoundingClientRect().top),
    open: [...document.querySelectorAll("details")].filter((item) => item.open).map((item) => item.closest("[id]").id),
    focus: document.activeElement.textContent,
    theme: document.documentElement.dataset.theme,
})"""


class Served:
    """A copy of the site on 127.0.0.1, and the announcements of its builds."""

    def __init__(self, folder, site):
        self.shipped, self.site, self.builds = site, folder / "site", Builds()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler(self.site, self.builds))
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def build(self):
        """Write the site anew."""
        shutil.rmtree(self.site, ignore_errors=True)
        shutil.copytree(self.shipped, self.site)
        self.builds.done()

    def edit(self, file, old, new, early=False):
        text = (self.site / file).read_text("utf-8")
        assert old in text
        body = text.replace(old, new, 1).encode()
        if not early:
            (self.site / file).write_bytes(body)
        self.builds.done({file: body} if early else None)
        return body

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def address(self, path):
        return f"http://127.0.0.1:{self.server.server_port}/{path}"


@pytest.fixture(scope="module")
def served(tmp_path_factory, site):
    serving = Served(tmp_path_factory.mktemp("serve"), site)
    yield serving
    serving.close()


@pytest.fixture(scope="module")
def context(browser):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, reduced_motion="reduce")
    context.set_default_timeout(15_000)
    yield context
    context.close()


@pytest.fixture
def page(context):
    page = context.new_page()
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text) if "olicy" in message.text else None)
    yield page
    page.close()
    assert complaints == []


def test_before_the_first_good_build_the_mistakes_stand_there_and_the_site_comes_by_itself(served, page):
    served.builds.failed(MISTAKES)
    response = page.goto(served.address("zh/update.html"))
    assert response.status == 503
    expect(page.get_by_role("alert")).to_contain_text("mine/config/rollout.toml:23")
    expect(page.get_by_role("alert")).to_contain_text("允许：大于 0 且小于 1 的数")
    assert page.locator("html").get_attribute("lang") == "zh-CN" and page.locator("button").count() == 0
    served.build()
    expect(page.locator("h1")).to_contain_text("RL")
    expect(page.get_by_role("alert").filter(has_text="mine")).to_have_count(0)


def test_without_scripts_the_mistakes_are_readable_too(served, browser, tmp_path, site):
    other = Served(tmp_path, site)
    other.builds.failed(MISTAKES)
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(other.address("en/update.html"))
    text = page.inner_text("main")
    assert "mine/config/rollout.toml:23" in text and "found 1.5; allowed: a number above 0" in text
    assert '<b>not</b> TOML did you mean "x"?' in text
    context.close()
    other.close()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_mistakes_lie_over_the_last_good_page_in_its_language_and_go_away(served, page, language):
    served.build()
    page.goto(served.address(f"{language}/update.html"))
    page.locator("h1").wait_for()
    served.builds.failed(MISTAKES)
    alert = page.locator(".serve-problems[role=alert]")
    expect(alert).to_be_visible()
    chinese = language == "zh"
    for problem in MISTAKES:
        for text in (
            problem.file,
            problem.key,
            problem.what[chinese],
            *([problem.hint[chinese]] if problem.hint else []),
        ):
            expect(alert).to_contain_text(text)
    assert page.locator("h1").is_visible(), "the last good page is still there"
    alert.focus()
    assert alert.evaluate("box => box === document.activeElement")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == ("关闭" if chinese else "Close")
    page.keyboard.press("Enter")
    expect(alert).to_have_count(0)
    served.builds.failed(MISTAKES[:1])
    expect(alert.locator("li")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(alert).to_have_count(0)
    served.builds.failed(MISTAKES)
    expect(alert.locator("li")).to_have_count(2)
    page.evaluate("window.kept = true")
    served.builds.done()
    expect(alert).to_have_count(0)
    assert page.evaluate("window.kept"), "the page is the same as before: it stays"
    served.builds.failed(MISTAKES)
    expect(alert).to_be_visible()
    served.edit(f"{language}/update.html", "<h1", "<h1 data-new")
    page.locator("h1[data-new]").wait_for()
    expect(alert).to_have_count(0)


def test_a_page_opened_while_the_config_is_broken_tells_it_at_once(served, page):
    served.build()
    served.builds.failed(MISTAKES)
    page.goto(served.address("en/faults.html"))
    expect(page.locator(".serve-problems[role=alert] li")).to_have_count(2)
    served.builds.done()
    expect(page.locator(".serve-problems")).to_have_count(0)


@pytest.mark.parametrize("early", [False, True])
def test_a_reload_keeps_state_place_focus_theme_and_what_is_open(served, page, early):
    served.build()
    page.goto(served.address("en/update.html#beta=0.2&step=7&show=loss"))
    page.locator("html[data-state*='step=7']").wait_for(state="attached")
    page.click("#theme")
    page.locator("#chart-kl details.data summary").click()
    page.locator(".answer summary").first.click()
    pick = page.locator("#table-positions .pick").nth(3)
    pick.focus()
    page.evaluate(
        "document.getElementById('table-positions').scrollIntoView({block: 'start', behavior: 'instant'})"
    )
    page.wait_for_timeout(700)  # the page lays its tables out once more at rest
    before = page.evaluate(PLACE)
    assert before["theme"] and before["focus"] and len(before["open"]) >= 2 and "step=7" in before["hash"]
    served.edit("en/update.html", "<h1", "<h1 data-new", early)
    page.locator("html:has(h1[data-new])[data-state*='step=7']").wait_for(state="attached")
    page.wait_for_timeout(100)
    after = page.evaluate(PLACE)
    assert abs(after.pop("top") - before.pop("top")) <= 2
    assert after == before
    page.evaluate("localStorage.clear()")


def test_an_early_page_is_not_loaded_again_when_the_whole_site_is_there(served, page):
    served.build()
    page.goto(served.address("zh/digits.html"))
    page.locator("h1").wait_for()
    body = served.edit("zh/digits.html", "<h1", "<h1 data-new", early=True)
    page.locator("h1[data-new]").wait_for()
    page.evaluate("window.kept = true")
    (served.site / "zh" / "digits.html").write_bytes(body)
    served.builds.done()
    page.wait_for_timeout(300)
    assert page.evaluate("window.kept")
    assert served.builds.open_pages()[0] == "zh/digits.html"
