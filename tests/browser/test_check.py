"""“Check this state now”: the checks of whatever state is shown, run in the page."""

from __future__ import annotations

import pytest

from compute.evidence import evidence
from publish.words.formatting import number_text
from tests.browser.driving import LANGUAGES
from tests.browser.test_pages import violations
from tests.browser.test_pin import go, hash_of, is_close, pairs, state, wait_for_state
from tests.configurations import shipped_settings, shipped_setup
from tests.live_states import known_state

pytestmark = pytest.mark.browser

SETTINGS = {"normalization": "response", "beta": 0.5, "step": 7}
NAMES = ["gradient", "weights", "probabilities", "logit_gradients", "shares"]
HOLD = {"zh": "这个状态的各项核对都通过。", "en": "All checks of this state hold."}
SHOWN = """() => Object.fromEntries([...document.querySelectorAll("#check-view data.number")].map((number) =>
    [number.dataset.number, {value: number.value, text: number.textContent}]))"""


def check(page):
    page.click("#check-run")
    page.locator("#check.done table").first.wait_for()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_checks_of_the_state_shown(live, language):
    live_page = live(*pairs(SETTINGS), language=language)
    page = live_page.page
    check(page)
    shown, expected, now = page.evaluate(SHOWN), state(SETTINGS), shipped_settings(**SETTINGS)
    found = evidence(shipped_setup(), now)
    for j in range(2):
        for v in range(3):
            gradient, slope = (shown[f"check.{name}.{j}.{v}"] for name in ("gradient", "finite_differences"))
            assert is_close(gradient["value"], expected[f"gradient.{j}.{v}"])
            assert abs(float(slope["value"]) - expected[f"gradient.{j}.{v}"]) < 1e-7
            assert gradient["text"] == number_text(float(gradient["value"]), 6)
    rows = page.locator("[data-check=checks] tr")
    assert rows.count() == len(NAMES)
    for row, name in zip(rows.all(), NAMES):  # in this order, as on the page as built
        cells = [shown[f"check.checks.{name}.{field}"] for field in ("error", "allowed")]
        assert float(cells[0]["value"]) <= float(cells[1]["value"])
        assert is_close(cells[1]["value"], found["checks"][name]["allowed"])
        assert row.locator("td").first.inner_text().strip().startswith("✓")
        assert row.locator("td").first.inner_text().strip().endswith({"zh": "通过", "en": "holds"}[language])
    result = page.locator("#check-result")
    assert result.get_attribute("role") == "status" and result.inner_text() == HOLD[language]
    assert shown["check.step"]["text"] == "7" and shown["check.settings.beta"]["text"] == "0.5"
    assert set(shown) & {"check.settings.keep", "check.settings.clip_epsilon"} == set()
    assert live_page.visit.complaints == []


def test_the_result_belongs_to_its_state(visit):
    page = visit(f"en/update.html{hash_of(SETTINGS)}").page
    wait_for_state(page, SETTINGS)
    button, result = page.locator("#check-run"), page.locator("#check-result")
    assert button.inner_text() == "check this state"
    check(page)
    first = page.evaluate(SHOWN)
    page.select_option("#c-at", "2.1")  # the selected token changes no check
    page.locator('html[data-state$="at=2.1"]').wait_for()
    assert result.inner_text() == HOLD["en"]
    go(page, {"step": 2})
    assert "former state" in result.inner_text() and HOLD["en"] in result.inner_text()
    assert button.inner_text() == "check again" and page.evaluate(SHOWN) == first
    go(page, SETTINGS)
    assert result.inner_text() == HOLD["en"]
    go(page, {"step": 2})
    button.click()
    page.locator("#check:not(.former)").wait_for()
    assert page.evaluate(SHOWN)["check.step"]["text"] == "2" and result.inner_text() == HOLD["en"]
    assert page.locator("#check-view dl div").count() == 2  # the step, and that all else is at its default


def test_the_engine_is_started_if_need_be(visit):
    seen = visit("en/update.html")
    assert seen.page.locator("html[data-state]").count() == 0
    seen.page.evaluate("document.getElementById('check-run').click()")
    seen.page.locator("#check.done").wait_for()
    assert seen.page.locator("#check-result").inner_text() == HOLD["en"] and seen.complaints == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_at_a_clip_bound_the_gradient_is_not_confirmed_and_the_page_says_why(live, language):
    # No bound has cut anything before the first update, so its ratios do not depend on the clip range.
    positions = known_state(("step=1",))["positions"]
    ratio = max(place["ratio"] for place in positions if place["ratio"] and place["advantage"] > 0)
    at_the_bound = {"step": 1, "clip_epsilon": ratio - 1}
    assert not evidence(shipped_setup(), shipped_settings(**at_the_bound))["checks"]["gradient"]["holds"]
    page = live(*pairs(at_the_bound), language=language).page
    check(page)
    first = page.locator("[data-check=checks] tr").first.locator("td").first
    assert first.inner_text().strip().startswith("✗")
    text = page.locator("#check-result").inner_text()
    assert text != HOLD[language] and {"zh": "裁剪界限", "en": "clip bound"}[language] in text


@pytest.mark.parametrize(("language", "theme", "width"), [("zh", "dark", 375), ("en", "light", 1440)])
def test_a_check_is_accessible_and_fits(visit, language, theme, width):
    page = visit(f"{language}/update.html{hash_of(SETTINGS)}", theme=theme, width=width).page
    wait_for_state(page, SETTINGS)
    check(page)
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 375:
        assert page.locator("#check-run").bounding_box()["height"] >= 44
    assert violations(page, "#check") == []


def test_a_check_prints_without_its_button(visit):
    page = visit(f"en/update.html{hash_of(SETTINGS)}").page
    wait_for_state(page, SETTINGS)
    page.emulate_media(media="print")
    assert not page.locator("#check").is_visible()  # nothing was checked
    page.emulate_media(media="screen")
    check(page)
    page.emulate_media(media="print")
    assert (
        page.locator("#check-view table").first.is_visible() and not page.locator("#check-run").is_visible()
    )


def test_without_scripts_there_is_no_check(visit):
    assert not visit("en/update.html", javascript=False).page.locator("#check").is_visible()
