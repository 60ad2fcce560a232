"""Number cards by keyboard: one stop in each group, arrows inside it, and the focus comes back."""

from __future__ import annotations

import pytest

from tests.browser.test_cards import CARD, focused, start

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_the_keyboard_opens_a_card_and_escape_gives_the_focus_back(live, key):
    page = start(live())
    page.locator("#table-parameters data[tabindex='0']").focus()
    number = focused(page)
    page.keyboard.press(key)
    assert page.locator(CARD).is_visible()
    assert page.evaluate("document.activeElement.id") == "card"
    stops = []
    for _ in range(6):
        page.keyboard.press("Tab")
        stops.append(page.evaluate("document.activeElement.textContent"))
    assert stops == ["×", "Copy value", "Copy link", "Copy id", "Cite", "Permalink"]
    page.keyboard.press("Escape")
    assert not page.locator(CARD).is_visible()
    assert focused(page) == number


def test_tab_leaves_a_card_where_the_reader_was(live):
    page = start(live())
    stop = page.locator("#table-positions data[tabindex='0']")
    stop.focus()
    number = focused(page)
    page.keyboard.press("Tab")
    following = page.evaluate("document.activeElement.outerHTML")
    stop.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Shift+Tab")
    assert not page.locator(CARD).is_visible() and focused(page) == number
    page.keyboard.press("Enter")
    page.locator(f"{CARD} .card-link").focus()
    page.keyboard.press("Tab")
    assert not page.locator(CARD).is_visible()
    assert page.evaluate("document.activeElement.outerHTML") == following


def test_arrow_keys_move_among_the_numbers_of_a_table(live):
    page = start(live())
    page.locator("#table-positions data[tabindex='0']").focus()
    seen = [focused(page)]
    for key in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowUp", "End", "Home"):
        page.keyboard.press(key)
        seen.append(focused(page))
    first = "positions.1.action"
    assert seen[:6] == [first, "positions.1.weight", "positions.2.weight", "positions.2.action", first, first]
    assert seen[6] == page.locator("#table-positions data").last.get_attribute("data-number")
    assert seen[7] == first
    assert page.locator("#table-positions data[tabindex]").count() == 1


def test_one_number_of_each_group_is_a_tab_stop_whatever_happens(live):
    page = start(live())
    assert page.locator("main data.number").count() > 700
    assert page.locator("main data[tabindex]").count() < 100
    for choice in (["step=4"], ["step=2", "at=1.0"], ["keep=0"], ["step=9", "beta=0.5"]):
        start(live(*choice))
        bad = page.evaluate(
            """() => [...document.querySelectorAll("main table, main .follow > ol > li")].filter((group) => {
                const own = [...group.querySelectorAll("data.number")].filter((number) =>
                    !number.closest("[hidden]") && (group.matches("table") || !number.closest("table")));
                return own.length && own.filter((number) => number.tabIndex === 0).length !== 1;
            }).map((group) => group.outerHTML.slice(0, 100))"""
        )
        assert bad == [], choice


def test_a_sentence_that_is_written_anew_keeps_the_focus(live):
    page = start(live())
    page.locator("#chart-loss figcaption data[tabindex='0']").focus()
    number = focused(page)
    page.evaluate(
        """() => {
            const number = document.activeElement, again = RLPU.live.painter.number(number.dataset.number, 1);
            number.replaceWith(RLPU.live.painter.number("facts.steps", 20), again);
        }"""
    )
    page.wait_for_timeout(50)
    assert focused(page) == number
