"""A pinned run, A, beside the page's own, B: the values of both states as the command line prints them, and B − A."""

from __future__ import annotations

import math

import pytest

from tests.browser.driving import LANGUAGES
from tests.browser.test_numbers import says
from tests.browser.test_pages import violations
from tests.live_states import expected

pytestmark = pytest.mark.browser

A = {"step": 3}
B = {"normalization": "response", "beta": 0.5, "rewards": "one-right", "step": 9}
READOUTS = ["step", "loss", "loss_next", "kl", "clipped", "counted"]
PARAMETERS = [f"{name}.{j}.{v}" for name in ("W", "gradient", "W_next") for j in range(2) for v in range(3)]
SHOWN = """() => Object.fromEntries([...document.querySelectorAll("#pin-view data.number")].map((number) =>
    [number.dataset.number, {value: number.value, text: number.textContent}]))"""


def state(settings):
    """Return path → value of a state, as Python computes it."""
    return expected(pairs(settings))


def pairs(settings):
    """Return settings as KEY=VALUE texts."""
    return [f"{key}={value}" for key, value in settings.items()]


def hash_of(settings):
    return "#" + "&".join(pairs(settings))


def wait_for_state(page, settings):
    """Wait until the page shows these settings. `at` is the last key of the canonical hash."""
    ends = (pair + "&" * (not pair.startswith("at=")) for pair in pairs(settings))
    marks = "".join(f'[data-state*="{pair}"]' for pair in ends)
    page.locator(f"html{marks}").wait_for()


def go(page, settings):
    """Let the page show these settings, all else at the defaults."""
    page.evaluate("hash => { location.hash = hash; }", hash_of(settings))
    wait_for_state(page, settings)


def pin(page):
    page.click("#pin-set")
    page.locator("#pin-view table").first.wait_for()


@pytest.fixture
def pinned(live):
    """Return a function that brings the page to A, and pins that."""

    def pinned_page(language="en", **how):
        page = live("step=1", language=language, **how)
        if page.page.locator("#pin-clear").is_visible():
            page.page.click("#pin-clear")
        page.go(*pairs(A))
        pin(page.page)
        return page.visit

    return pinned_page


def is_close(written, value):
    return math.isclose(float(written), value, rel_tol=0, abs_tol=1e-9)


def assert_compares(shown, a, b):
    """Assert that the numbers shown are those of two states, and their differences."""
    for path in READOUTS + PARAMETERS:
        triple = [shown[prefix + path] for prefix in ("a.", "", "difference.")]
        for number, value in zip(triple, (a[path], b[path], b[path] - a[path])):
            assert is_close(number["value"], value), (path, number)
            assert says(number["text"], float(number["value"])), (path, number)


@pytest.mark.parametrize("language", LANGUAGES)
def test_both_runs_and_their_difference(pinned, language):
    seen = pinned(language)
    page = seen.page
    go(page, B)
    a, b = state(A), state(B)
    assert_compares(page.evaluate(SHOWN), a, b)
    # A stays, B follows, the difference too.
    further = B | {"step": 20}
    page.locator("#c-step").focus()
    page.keyboard.press("End")
    wait_for_state(page, further)
    assert_compares(page.evaluate(SHOWN), a, state(further))
    assert seen.complaints == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_settings_that_differ_are_listed_with_both_values(pinned, language):
    page = pinned(language).page
    go(page, B | {"at": "2.1"})
    rows = page.locator("[data-pin=settings] tr")
    texts = [[cell.inner_text() for cell in row.locator("th, td").all()] for row in rows.all()]
    names = {
        "en": ["declared normalization", "KL coefficient", "reward set", "updates done", "selected token"],
        "zh": ["声明的归一化", "KL 系数", "奖励组", "已完成的更新次数", "选中的 token"],
    }
    assert [row[0] for row in texts] == names[language]
    assert texts[1][1:] == ["0.1", "0.5"] and texts[2][1:] == ["mixed", "one-right"]
    assert texts[3][1:] == ["3", "9"] and texts[0][1] != texts[0][2] and texts[4][1] != texts[4][2]


def test_no_difference_is_said_in_words(pinned):
    page = pinned().page
    status = page.locator("#pin-status")
    assert status.get_attribute("role") == "status"
    assert status.inner_text().startswith("A and B are the same")
    assert not page.locator("[data-pin=settings]").is_visible()
    page.select_option("#c-at", "2.1")
    wait_for_state(page, A | {"normalization": "token"})
    page.locator("[data-pin=settings] tr").wait_for()
    assert "in no number below" in status.inner_text()
    go(page, B)
    assert status.inner_text().startswith("A stays")


def test_swap(pinned):
    page = pinned().page
    go(page, B)
    page.click("#pin-swap")
    wait_for_state(page, A)
    a, b = state(B), state(A)
    assert_compares(page.evaluate(SHOWN), a, b)
    page.click("#pin-swap")
    wait_for_state(page, B)
    assert_compares(page.evaluate(SHOWN), b, a)


def test_unpinned_it_takes_no_room_but_the_button(visit):
    seen = visit(f"en/update.html{hash_of(A)}")
    page = seen.page
    wait_for_state(page, A)
    before = page.locator("#pin").bounding_box()["height"]
    assert before < 70
    assert not page.locator("#pin-swap").is_visible() and not page.locator("#pin-clear").is_visible()
    pin(page)
    seen.read_through()
    assert page.locator("#chart-loss td:has(data[data-number^='a.'])").count() == 21
    page.focus("#pin-clear")
    page.keyboard.press("Enter")
    assert page.locator("#pin").bounding_box()["height"] == before
    assert page.locator("[data-number^='a.'], [data-number^='difference.']").count() == 0
    assert page.evaluate("document.activeElement.id") == "pin-set"
    assert page.locator("#chart-loss .legendtext", has_text="A").count() == 0
    go(page, B)  # nothing is compared any more
    assert page.locator("#pin-view table").count() == 0 and seen.complaints == []


def test_the_pin_is_not_in_the_address(pinned):
    page = pinned().page
    assert "pin" not in page.evaluate("location.hash + document.documentElement.dataset.state")
    assert "reloading the page loses it" in page.locator("#pin").inner_text()
    page.reload()
    wait_for_state(page, A)
    assert page.locator("#pin-view table").count() == 0


@pytest.mark.parametrize("quantity", ["loss", "kl", "clipped"])
def test_the_charts_have_the_curve_of_a(pinned, quantity):
    seen = pinned()
    page = seen.page
    go(page, B)
    seen.read_through()
    chart = page.locator(f"#chart-{quantity}")
    chart.locator(".legendtext", has_text="A").first.wait_for()
    names = chart.locator(".legendtext").all_text_contents()
    assert names[-1] == "A" and len(names) == 6
    steps = state(A | {"step": 20})
    for n in (0, 3, 19):
        written = chart.locator(f"[data-number='a.curves.2.{quantity}.{n}']").get_attribute("value")
        assert is_close(written, steps[f"history.{n}.{quantity}"]), n
    colour = page.evaluate("getComputedStyle(document.documentElement).color")
    lines = chart.locator("path.js-line").evaluate_all(
        "all => all.map(getComputedStyle).map(({stroke, strokeDasharray}) => [stroke, strokeDasharray])"
    )
    (dash,) = {dash for stroke, dash in lines if stroke == colour}
    assert "," in dash


@pytest.mark.parametrize(("language", "theme", "width"), [("zh", "dark", 375), ("en", "light", 1440)])
def test_a_pinned_run_is_accessible_and_fits(pinned, language, theme, width):
    seen = pinned(language, theme=theme, width=width)
    page = seen.page
    go(page, B)
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    if width == 375:
        for button in page.locator("#pin button").all():
            assert button.bounding_box()["height"] >= 44
    assert violations(page, "#pin") == []


def test_a_pinned_run_prints_without_its_buttons(pinned):
    page = pinned().page
    go(page, B)
    page.emulate_media(media="print")
    shown = [
        page.locator(where).first.is_visible() for where in ("#pin-view table", "#pin-set", "#pin-clear")
    ]
    page.emulate_media(media="screen")
    assert shown == [True, False, False]


def test_without_scripts_there_is_nothing_to_pin(visit):
    assert not visit("en/update.html", javascript=False).page.locator("#pin").is_visible()
