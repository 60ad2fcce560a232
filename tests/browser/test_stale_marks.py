"""A site built from edited configs: what does not apply is marked, readable, and leads to its entry and back."""

import subprocess
import sys

import pytest

from tests.browser.conftest import ROOT
from tests.browser.test_pages import AXE, violations
from tests.content_tools import CONFIG, CONTENT, KL, KL_CONFIG, changed, content_with

pytestmark = pytest.mark.browser

EDITS = {
    CONFIG: [('rewards = "mixed"', 'rewards = "equal"'), ("[0.0, 0.4]", "[0.0, 0.0]")],
    KL_CONFIG: [("beta = 0.1 ", "beta = 0.2 "), ("clip_epsilon = 0.2", "clip_epsilon = 0.05")],
}
CASES = [("update", "zh", "dark", 375), (KL, "en", "light", 1440)]


@pytest.fixture(scope="module")
def edited(tmp_path_factory):
    folder, files = tmp_path_factory.mktemp("edited"), {}
    for name, edits in EDITS.items():
        files[name] = (CONTENT / name).read_text(encoding="utf-8")
        for edit in edits:
            files[name] = changed(files[name], *edit)
    content = content_with(folder / "content", files)
    command = [sys.executable, "build.py", "--content", str(content), "--out", str(folder / "site")]
    subprocess.run(command, cwd=ROOT, check=True)
    return folder / "site"


@pytest.mark.parametrize(("name", "language", "theme", "width"), CASES)
def test_marks_are_seen_accessible_and_lead_there_and_back(visiting, edited, name, language, theme, width):
    with visiting(f"{language}/{name}.html", site=edited, theme=theme, width=width) as visit:
        page = visit.page
        marks = page.locator("mark.stale:visible")
        assert marks.count() >= 2
        for n in range(marks.count()):
            style = "getComputedStyle(element).textDecorationLine"
            assert marks.nth(n).evaluate(f"element => {style}") == "underline"  # not by colour alone
        assert page.locator(".stale-note:visible").count() == marks.count()
        page.locator(".stale-box a").click()
        assert page.locator("#stale-list").is_visible() and page.url.endswith("#stale-list")
        page.locator("#stale-1 + .stale-note").click()
        assert page.evaluate("document.querySelector(':target').id") == "stale-entry-1"
        page.locator("#stale-entry-1 a").click()
        assert page.evaluate("document.querySelector(':target').id") == "stale-1"
        assert page.locator("#stale-1").is_visible()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.evaluate(AXE.read_text(encoding="utf-8"))
        assert violations(page) == []
        assert visit.complaints == []


def test_marks_stay_when_the_state_changes(visiting, edited):
    """They speak of the default state that the page was built with, not of the one shown."""
    with visiting(f"en/{KL}.html#v=1&beta=0.1", site=edited) as visit:
        page = visit.page
        page.wait_for_selector("html[data-state*='beta=0.1']", state="attached")
        before = page.locator("mark.stale").count()
        assert before > 0
        page.locator("input[name=beta]").first.fill("0.3")
        page.locator("input[name=beta]").first.press("Enter")
        page.wait_for_selector("html[data-state*='beta=0.3']", state="attached")
        assert page.locator("mark.stale").count() == before
        assert visit.complaints == []
