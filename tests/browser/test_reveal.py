"""What an address asks to be shown: a number where it stands, at the top of its page, or in the list of all numbers."""

from __future__ import annotations

import random
import re

import pytest

from publish.numbers.page import shown_numbers
from tests.browser.chapter import Chapter
from tests.browser.driving import LANGUAGES, Live, word
from tests.content_tools import NUMBERED, shipped_material
from tests.drawn import cases
from tests.live_states import expected

pytestmark = pytest.mark.browser

UNSEEN = "kl_exact"  # of the main page; computed for every state, and shown nowhere
FIXED = "beside.first"  # of the main page; computed for wrong paths only
MARKED = """() => [...document.querySelectorAll(".pointed")].map((number) => number.dataset.number)"""
IN_WINDOW = """() => {
    const [box, bar] = [".pointed", ".bar"].map((name) => document.querySelector(name).getBoundingClientRect());
    return box.top >= bar.bottom && box.bottom <= innerHeight;
}"""


def marked(page):
    return page.evaluate(MARKED)


def await_mark(page, number_id):
    """Wait until a number is marked, on whatever page."""
    page.wait_for_selector(f'.pointed[data-number="{number_id}"]')


def text_of(element):
    return re.sub(r"\s+", " ", element.inner_text()).strip()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_that_stands_nowhere_is_said_at_the_top_with_its_card(live, language):
    page = live(language=language).go(show=UNSEEN).page
    number = shipped_material().registry[UNSEEN]
    line = page.locator("#cited")
    said = word("live.cited", language, label=number.label[language], number=number.text)
    assert text_of(line) == said and marked(page) == [UNSEEN] and page.evaluate(IN_WINDOW)
    line.locator("data").click()
    assert page.locator("#card .card-value").inner_text() == number.machine
    assert page.locator("#card .card-link").get_attribute("href").endswith(f"&show={UNSEEN}")


def test_it_follows_the_state_and_goes_with_the_address(live):
    main = live().go("step=3", show=UNSEEN)
    shown = main.page.locator("#cited data")
    for step in (3, 4):
        if step == 4:
            main.page.click("#step-apply")
            main.wait("step=4", show=UNSEEN)
        assert float(shown.get_attribute("value")) == pytest.approx(
            expected([f"step={step}"])[UNSEEN], abs=1e-9
        )
    main.go("step=4", show="loss")
    assert main.page.locator("#cited").count() == 0 and marked(main.page) == ["loss"]
    main.go("step=4", show="positions.0.weight").go()
    assert main.page.locator("#cited").count() == 0 and marked(main.page) == []


@pytest.mark.parametrize("kind", [Live, Chapter])
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_id_that_nothing_has_is_named(live, kind, language):
    page = live(language=language, kind=kind).go(show="no.such")
    page.page.wait_for_selector("#hash-problems li")
    (problem,) = page.problems()
    assert "no.such" in problem and word("live.can_show", language) in problem
    assert page.go().problems() == []


def test_what_no_state_has_is_marked_in_the_list_of_all(visit):
    page = visit(f"en/update.html#v=1&show={FIXED}").page
    await_mark(page, FIXED)
    assert page.url.endswith(f"en/numbers.html#v=1&show={FIXED}") and page.evaluate(IN_WINDOW)
    page.evaluate("location.hash = 'v=1&show=beside.nothing'")
    assert "beside.nothing" in page.locator("#hash-problems li").inner_text() and marked(page) == []


def test_a_state_is_not_left_for_a_number_of_the_default_one(live):
    main = live().go("step=2", show=FIXED)
    main.page.wait_for_selector("#hash-problems li")
    assert FIXED in main.problems()[0] and "/update.html#" in main.page.url and marked(main.page) == []


@pytest.mark.parametrize(
    "number_id", ["digits.trajectories.57.log_ratio", "faults.paths.own-group.checks.rest.error"]
)
def test_far_down_the_list_the_marked_number_is_in_the_window(visit, number_id):
    """A smooth scroll would miss it: the heights of parts out of view are guessed."""
    page = visit(f"zh/numbers.html#v=1&show={number_id}", motion=True).page
    await_mark(page, number_id)
    page.wait_for_timeout(300)
    assert page.evaluate(IN_WINDOW)


def unseen(site, name):
    """Return the numbers of a page that it does not show."""
    seen = shown_numbers((site / "en" / f"{name}.html").read_text("utf-8"))
    return [
        number.id
        for number in shipped_material().registry.values()
        if number.page == name and number.id not in seen
    ]


@pytest.mark.parametrize("name", [name for name in NUMBERED if shipped_material().subjects[name].core])
def test_every_link_of_a_number_marks_it_somewhere(site, visit, name):
    page, address = visit(f"en/{name}.html").page, (site / "en" / f"{name}.html").as_uri()
    drawn = random.Random(5).sample(unseen(site, name), cases(5, 60))
    for number_id in drawn:
        page.goto("about:blank")
        page.goto(f"{address}#v=1&show={number_id}")
        await_mark(page, number_id)
