"""Addresses of earlier editions lead to where things are now, with scripts and without them."""

from __future__ import annotations

import pytest

from publish.site import build_site
from tests.content_tools import KL, content_with

pytestmark = pytest.mark.browser

REDIRECTS = f"""[pages]
chapter = "{KL}"
[anchors.update]
goal = "objective"
spread = "table-positions"
slopes = "{KL}#gradient"
[numbers]
"slope.*.*" = "gradient.*.*"
[keys.update]
kl_weight = "beta"
"""


@pytest.fixture(scope="module")
def old_site(tmp_path_factory):
    """Return a site of which these addresses are said to be those of earlier editions."""
    folder = tmp_path_factory.mktemp("old")
    content = content_with(folder / "content", {"redirects.toml": REDIRECTS})
    build_site(content, folder / "site", strict=True)
    return folder / "site"


@pytest.fixture
def go(visit, old_site):
    return lambda address, **how: visit(address, site=old_site, **how).page


def top_of(page, name):
    """Return how far an element is from the top of the window."""
    return page.locator(f"[id='{name}']").evaluate("element => element.getBoundingClientRect().top")


@pytest.mark.parametrize("javascript", [True, False])
@pytest.mark.parametrize(("old", "new"), [("goal", "objective"), ("spread", "table-positions")])
def test_an_old_anchor_leads_to_the_new_place(go, old, new, javascript):
    page = go(f"en/update.html#{old}", javascript=javascript)
    page.wait_for_timeout(400)
    if javascript:
        assert -5 < top_of(page, new) < 400
    else:  # nothing can be evaluated by the page itself; the mark stands right before the place
        assert page.locator(f"span#{old} + #{new}").count() == 1


def test_an_old_place_of_a_state_is_shown(go):
    page = go("en/update.html#v=1&step=3&show=spread")
    page.wait_for_selector("html[data-state*='step=3']")
    page.wait_for_timeout(200)
    assert abs(top_of(page, "table-positions")) < 500


@pytest.mark.parametrize("address", ["zh/update.html#slopes", "zh/update.html#v=1&step=2&show=slopes"])
def test_an_anchor_on_another_page_now_goes_there(go, address):
    page = go(address)
    page.wait_for_url(f"**/zh/{KL}.html#gradient")


def test_without_scripts_the_old_page_says_where_it_went(go):
    page = go("zh/update.html#slopes", javascript=False)
    assert page.locator("#slopes a").get_attribute("href") == f"{KL}.html#gradient"
    assert page.locator("#slopes").is_visible()


def test_an_old_key_and_an_old_id_open_the_state_with_the_number_marked(go):
    page = go("en/update.html#v=1&kl_weight=0.5&step=2&show=slope.1.2")
    page.wait_for_selector("html[data-state*='beta=0.5'][data-state*='step=2']")
    assert page.locator("main data.pointed").get_attribute("data-number") == "gradient.1.2"
    assert not page.locator("#hash-problems").is_visible()
    assert "show=gradient.1.2" in page.evaluate("document.documentElement.dataset.state")


@pytest.mark.parametrize("key", ["constructor", "__proto__", "toString"])
def test_names_that_every_object_has_are_no_redirects(go, key):
    page = go(f"en/update.html#v=1&{key}=1&show={key}")
    page.locator("#hash-problems li", has_text=key).wait_for()


def test_a_page_with_another_name_goes_there_with_its_state(go):
    page = go("en/chapter.html#v=1&p=0.3")
    page.wait_for_url(f"**/en/{KL}.html#v=1&p=0.3")
    page.wait_for_selector("html[data-state*='p=0.3']")


def test_without_scripts_a_page_with_another_name_is_a_link(go):
    page = go("en/chapter.html", javascript=False)
    page.click("#moved")
    page.wait_for_url(f"**/en/{KL}.html")
