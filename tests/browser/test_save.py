"""“Save this page”: one file with the state inside, which opens from disk with scripts and without them."""

from __future__ import annotations

import pytest

from tests.live_states import READ, expected, wrong_numbers

pytestmark = pytest.mark.browser

STATE = ["normalization=response", "beta=0.2", "step=7", "at=2.1", "keep=3", "rewards=1,0,0.5,2"]


def saved(visit, tmp_path, language):
    """Return the file that a reader gets from the page in one state."""
    page = visit(f"{language}/update.html#" + "&".join(STATE)).page
    page.wait_for_selector("html[data-state]")
    with page.expect_download() as download:
        page.click("#save-page")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    return path


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_saved_page_opens_from_disk_shows_its_state_and_goes_on(visit, tmp_path, language):
    path = saved(visit, tmp_path, language)
    assert path.stat().st_size < 2_500_000
    seen = visit(path.name, site=tmp_path)
    page = seen.page
    page.wait_for_selector("html[data-state]")
    assert wrong_numbers(page.evaluate(READ), expected(STATE)) == []
    page.click("#step-apply")
    page.wait_for_selector("html[data-state*='step=8']")
    page.locator("#chart-kl").scroll_into_view_if_needed()
    page.locator("#chart-kl .plot svg.main-svg").first.wait_for()
    assert seen.requests == [path.as_uri()]
    assert seen.complaints == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_without_scripts_a_saved_page_shows_the_saved_numbers_as_text(visit, tmp_path, language):
    path = saved(visit, tmp_path, language)
    page = visit(path.name, site=tmp_path, javascript=False).page
    state = expected(STATE)
    for number_id in ("loss", "kl", "gradient.0.2", "positions.12.ratio"):
        shown = page.locator(f"data[data-number='{number_id}']").first
        assert float(shown.get_attribute("value")) == pytest.approx(state[number_id], rel=1e-9)
    assert page.locator("#controls").is_hidden()
    assert "step=7" in page.inner_text(".saved-note")


def test_a_page_saved_from_a_saved_page_is_whole_again(visit, tmp_path):
    first = saved(visit, tmp_path, "en")
    page = visit(first.name, site=tmp_path).page
    page.wait_for_selector("html[data-state]")
    page.click("#step-apply")
    page.wait_for_selector("html[data-state*='step=8']")
    with page.expect_download() as download:
        page.click("#save-page")
    second = tmp_path / "second.html"
    download.value.save_as(second)
    again = visit(second.name, site=tmp_path)
    again.page.wait_for_selector("html[data-state*='step=8']")
    assert again.page.locator(".saved-note").count() == 1
    assert again.complaints == []
