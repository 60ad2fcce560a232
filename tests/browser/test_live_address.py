"""The state of the live page in its address: read, written, refused, kept."""

from __future__ import annotations

import pytest

from tests.browser.conftest import HEIGHTS
from tests.browser.driving import LANGUAGES, Live, read
from tests.content_tools import shipped_content
from tests.live_states import (
    READ,
    canonical,
    expected,
    settings_of,
    wrong_numbers,
)

pytestmark = pytest.mark.browser


def unknown(key, language):
    """Return how a line about a key that the page does not have begins."""
    return shipped_content().terms.texts["live.unknown"][language].format(key=key, allowed="")


@pytest.mark.parametrize(
    ("pair", "name"),
    [
        ("beta=-1", "beta"),
        ("beta=many", "beta"),
        ("beta=１", "beta"),
        ("keep=1.5", "keep"),
        ("step=21", "step"),
        ("normalization=tokens", "normalization"),
        ("rewards=1,2", "rewards"),
        ("at=9.9", "at"),
        ("clip_epsilon=1", "clip_epsilon"),
        ("learning_rate=0", "learning_rate"),
        ("path=wrong", "path"),
        ("bta=0.2", "bta"),
        ("v=2", "v"),
        ("beta=0.2&beta=0.5", "beta"),
        ("beta=%E0%A4%A", "beta"),
        ("rewards=<b>x</b>", "rewards"),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_value_in_the_address_is_named_and_ignored(live, language, pair, name):
    page = live("beta=0.7", "step=9", language=language)
    rest = [] if name == "step" else ["step=3"]
    page.page.evaluate("hash => { location.hash = hash; }", "&".join([pair, *rest]))
    page.shows(*rest)
    problems = page.problems()
    assert len(problems) == 1
    assert problems[0].startswith(unknown("bta", language) if name == "bta" else name)
    assert page.page.locator("#hash-problems").evaluate("box => box.closest('[role=alert]') !== null")
    page.go("step=1")
    assert page.problems() == []
    assert page.visit.complaints == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_wrong_values_are_named_at_once(visit, language):
    """In the address with which a page is opened, too."""
    page = Live(visit(f"{language}/update.html#beta=x&keep=-1&foo=1&step=2"), language)
    page.shows("step=2")
    assert [line[:3] for line in page.problems()[:2]] == ["bet", "kee"]
    assert page.problems()[2].startswith(unknown("foo", language))
    box = page.page.locator("#hash-problems").bounding_box()
    assert box["y"] > 0 and box["y"] + box["height"] < HEIGHTS[1440]  # on the first screen
    assert page.visit.complaints == []


def test_an_anchor_is_no_state(visit):
    page = visit("en/update.html#derivatives").page
    page.wait_for_timeout(300)
    assert page.locator("#hash-problems").is_hidden()
    assert wrong_numbers(read(page, READ), expected(())) == []


def test_an_anchor_keeps_the_state(live):
    page = live("step=3", "beta=0.5")
    page.page.click(".contents a[href='#derivatives']")
    page.page.wait_for_timeout(200)
    assert page.wrong("step=3", "beta=0.5") == []


def test_back_and_forward(newly_live):
    page = newly_live()
    page.page.click("#step-apply")
    page.shows("step=1")
    page.page.locator("[name=beta]").fill("0.5")
    page.page.locator("[name=beta]").blur()
    page.shows("step=1", "beta=0.5")
    page.page.locator("[name=at]").select_option("1.0")
    page.shows("step=1", "beta=0.5", "at=1.0")
    page.page.go_back()
    page.shows("step=1", "beta=0.5")
    page.page.go_back()
    page.shows("step=1")
    page.page.go_back()
    page.shows()
    page.page.go_forward()
    page.shows("step=1")
    page.page.reload()
    page.shows("step=1")


def test_one_move_of_a_slider_is_one_entry_of_the_history(live):
    page = live()
    page.page.evaluate(
        """() => {
            const slider = document.querySelector("[name=keep]");
            for (const keep of ["3", "2", "1"]) {
                slider.value = keep;
                slider.dispatchEvent(new Event("input", {bubbles: true}));
            }
            slider.dispatchEvent(new Event("change", {bubbles: true}));
        }"""
    )
    page.shows("keep=1")
    page.page.go_back()
    page.shows()


@pytest.mark.parametrize("refusal", ["throw new DOMException('too often', 'SecurityError');", "return;"])
def test_an_address_that_the_browser_refuses_is_written_later(newly_live, refusal):
    """Browsers limit how often the address may change; a slider moves more often."""
    page = newly_live()
    entries = page.page.evaluate("history.length")
    page.page.evaluate(
        """() => {
            const write = history.replaceState;
            let calls = 0;
            history.replaceState = function (...values) {
                if (++calls > 2 && calls < 6) { REFUSAL }
                return write.apply(history, values);
            };
            const slider = document.querySelector("#beta-slider");
            for (const beta of ["0.11", "0.12", "0.13", "0.14", "0.15"]) {
                slider.value = beta;
                slider.dispatchEvent(new Event("input", {bubbles: true}));
            }
            slider.dispatchEvent(new Event("change", {bubbles: true}));
        }""".replace("REFUSAL", refusal)
    )
    page.shows("beta=0.15")
    assert "beta=0.13&" in page.page.url
    page.page.wait_for_url("**beta=0.15&*")
    assert page.page.evaluate("history.length") == entries + 1
    page.page.locator("#step-apply").click()
    page.shows("beta=0.15", "step=1")
    page.page.go_back()
    page.shows("beta=0.15")
    page.page.go_back()
    page.shows()


@pytest.mark.parametrize(("here", "there"), [("zh", "en"), ("en", "zh")])
def test_the_language_switch_keeps_the_state(newly_live, here, there):
    page = newly_live("step=3", "at=2.1", "rewards=0,1,1,0", language=here)
    page.page.click("#language")
    page.page.wait_for_url(f"**/{there}/update.html*")
    page.shows("step=3", "at=2.1", "rewards=0,1,1,0")


@pytest.mark.parametrize(("here", "there"), [("zh", "en"), ("en", "zh")])
def test_the_language_switch_keeps_state_and_place(newly_live, here, there):
    page = newly_live("step=3", "at=2.1", language=here)
    page.page.evaluate("document.querySelector('#derivatives').scrollIntoView({behavior: 'instant'})")
    box = page.page.locator("#language").bounding_box()
    page.page.mouse.click(box["x"] + 5, box["y"] + 5)
    page.page.wait_for_url(f"**/{there}/update.html*")
    wanted = canonical(settings_of("step=3", "at=2.1"))  # followed by the place, as show=…
    page.page.wait_for_selector(f"html[data-state^={wanted!r}]", state="attached")
    assert page.wrong("step=3", "at=2.1") == []
    top = "document.querySelector('#derivatives').getBoundingClientRect().top"
    assert 0 <= page.page.evaluate(top) < HEIGHTS[1440] / 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_teachers_link_hides_and_locks_controls(live, language):
    page = live(language=language)
    page.go("step=2", hide="beta,path", lock="step,rewards")
    page.shows("step=2", hide="beta,path", lock="step,rewards")


def test_hidden_controls_are_gone_and_locked_ones_cannot_be_used(live):
    page = live()
    page.page.evaluate("location.hash = 'step=2&hide=beta,path&lock=step,rewards,at'")
    page.page.wait_for_selector("html[data-state*='lock=']", state="attached")
    look = page.page.locator
    for selector in ("[name=beta]", "#beta-slider", "[name=path]"):
        assert look(selector).is_hidden(), selector
    locked = [
        "[name=step]",
        "#step-apply",
        "#step-back",
        "#step-reset",
        "#step-play",
        "[name=rewards]",
        "[name=at]",
    ]
    locked += ["[data-list-key=rewards]:nth-child(1)"]
    assert [selector for selector in locked if look(selector).is_enabled()] == []
    look("[name=keep]").fill("2")
    page.page.wait_for_selector("html[data-state*='keep=2']", state="attached")
    assert [selector for selector in locked if look(selector).is_enabled()] == []
    assert "hide=" in page.page.url and "lock=" in page.page.url
    assert page.wrong("step=2", "keep=2") == []


def test_a_link_to_a_number_shows_it(live):
    page = live()
    page.page.evaluate("location.hash = 'step=2&show=evidence.gradient.0.1'")
    number = page.page.locator("data.pointed")
    number.wait_for()
    assert number.get_attribute("data-number") == "evidence.gradient.0.1"
    box = number.bounding_box()
    assert 0 < box["y"] < HEIGHTS[1440]
    page.page.evaluate("location.hash = 'step=2&show=no.such[number]'")
    page.page.wait_for_timeout(200)
    assert page.visit.complaints == []


def test_what_is_locked_stays_whatever_else_offers_it(live):
    page = live().go("beta=0.2", "at=2.1", lock="beta,at")
    page.page.click("#table-positions tr[data-at='0.1'] .pick")
    page.page.click("#step-apply")
    page.wait("beta=0.2", "at=2.1", "step=1", lock="beta,at")
    page.page.click("#controls-default")
    page.wait("beta=0.2", "at=2.1", lock="beta,at")
