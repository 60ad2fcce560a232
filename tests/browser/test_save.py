"""“Save this page”: one file with the state inside, which opens from disk with scripts and without them."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.chapter import FILE, Chapter
from tests.kl_states import known, word
from tests.live_states import READ, expected, wrong_numbers

pytestmark = pytest.mark.browser

STATE = ["normalization=response", "beta=0.2", "step=7", "at=2.1", "keep=3", "rewards=1,0,0.5,2"]

CHAPTER_STATE = ["p=0.3", "q=0", "rewards=1,-2", "n=9", "length=3", "tree_kl=0.25,0.5"]


def saved(visit, tmp_path, language, file="update.html", state=STATE):
    """Return the file that a reader gets from the page in one state."""
    page = visit(f"{language}/{file}#" + "&".join(state)).page
    page.wait_for_selector("html[data-state]")
    with page.expect_download() as download:
        page.click("#save-page")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    return path


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_saved_page_opens_from_disk_shows_its_state_and_goes_on(visit, tmp_path, language):
    path = saved(visit, tmp_path, language)
    assert path.stat().st_size < 2_600_000
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


# --- the chapter ---


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_saved_chapter_is_one_file_that_goes_on_offline(visit, tmp_path, language):
    path = saved(visit, tmp_path, language, FILE, CHAPTER_STATE)
    assert path.name == f"kl-and-clipping-{language}.html" and path.stat().st_size < 2_600_000
    seen = visit(path.name, site=tmp_path, prepare=lambda context: context.set_offline(True))
    chapter = Chapter(seen, language).shows(*CHAPTER_STATE)
    assert chapter.wrong_sentences(*CHAPTER_STATE) == []
    page = chapter.page
    page.locator("[name=q]").fill("0.75")
    changed = ["p=0.3", "q=0.75", *CHAPTER_STATE[2:]]
    chapter.shows(*changed)
    page.locator("#chart-kl-objective").scroll_into_view_if_needed()
    page.locator("#chart-kl-objective .plot svg.main-svg").first.wait_for()
    assert chapter.wrong_drawing("kl-objective", *changed) == []
    page.locator("#example-code").fill("print(6 * 7)")
    page.locator("#example-run").click()
    expect(page.locator("#example-status")).to_have_text(word("example.done", language))
    assert page.locator("#example-output").inner_text() == "42\n"
    assert [url for url in seen.requests if not url.startswith("blob:")] == [path.as_uri()]
    assert seen.complaints == []


@pytest.mark.parametrize("language", ["zh", "en"])
def test_without_scripts_a_saved_chapter_shows_the_saved_numbers_as_text(visit, tmp_path, language):
    path = saved(visit, tmp_path, language, FILE, CHAPTER_STATE)
    page = visit(path.name, site=tmp_path, javascript=False).page
    assert known(*CHAPTER_STATE).wrong_numbers(page.evaluate(READ), language) == []
    assert "q=0&" in page.inner_text(".saved-note")
    for selector in ("form[data-controls]", ".tools", ".editor"):
        assert [item for item in page.locator(selector).all() if item.is_visible()] == [], selector
    assert page.locator("#example-source").is_visible() and page.locator("#table-paths").is_visible()


def test_a_chapter_saved_after_a_run_is_whole_again(visit, tmp_path):
    """What the reader did with the program neither breaks nor silently stays in the saved file."""
    page = visit(f"en/{FILE}#p=0.3").page
    page.wait_for_selector("html[data-state]")
    page.locator("#example-code").fill("print('mine')")
    page.locator("#example-run").click()
    expect(page.locator("#example-status")).to_have_text(word("example.done", "en"))
    with page.expect_download() as download:
        page.click("#save-page")
    download.value.save_as(tmp_path / "after.html")
    again = visit("after.html", site=tmp_path)
    chapter = Chapter(again).wait("p=0.3")
    shown = [
        chapter.page.locator(f"#example-{name}") for name in ("code", "status", "output-title", "output")
    ]
    program, status, title, output = shown[0].input_value(), *(item.inner_text() for item in shown[1:])
    mine = (program == "print('mine')", output == "mine\n", title == word("example.output", "en"))
    assert len(set(mine)) == 1, (program[:40], status, title, output[:40])
    assert again.complaints == []
