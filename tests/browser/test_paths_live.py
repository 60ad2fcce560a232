"""A wrong path on the main page: its numbers and those beside it, what is said of them, and the ways in and out."""

from __future__ import annotations

import dataclasses
import html
import re
from functools import cache
from random import Random

import pytest
from markupsafe import Markup
from playwright.sync_api import expect

from compute.findings import beside as finding
from compute.path_difference import path_difference
from compute.path_reasons import REASONS
from compute.paths import PATHS
from publish.numbers.registry import leaves
from publish.page.sentences import Sentences
from tests.browser.driving import LANGUAGES, Live, eventually, in_both_languages, read, until, word
from tests.browser.seen import in_view, point_and_click
from tests.browser.test_cards import CARD
from tests.browser.test_pages import violations
from tests.content_tools import shipped_config, shipped_content, shipped_subject
from tests.drawn import cases
from tests.live_states import expected, random_choice, settings_of, text_of, wrong_numbers

pytestmark = pytest.mark.browser

SEED = 2214
WRONG = [name for name in PATHS if name != "correct"]
LATER = ["path=clip-to-epsilon", "step=1"]  # a state at which the paths do not differ yet
SETTINGS = (  # each path is tried with two of them, and with drawn ones
    ["step=20"],
    ["keep=0", "step=2"],
    ["beta=0", "step=6", "normalization=response"],
    ["rewards=equal", "step=1"],
    ["keep=2", "normalization=response", "rewards=two-neutral"],
    ["learning_rate=1e-9", "keep=1"],
)

EXTRA = (  # further reasons why paths never differ
    ["path=other-normalization", "keep=1"],
    ["path=clip-to-epsilon", "clip_epsilon=0.5"],
    ["path=own-group", "rewards=1,-1,1,-1"],
    ["path=clip-then-multiply", "keep=1"],
)

LOOK = """() => {
    const block = document.getElementById("path-beside"), button = document.getElementById("path-first");
    const shown = (element) => element.checkVisibility();
    return {
        banner: shown(block), paths: [...document.querySelectorAll("[data-path]")].filter((part) => !part.hidden)
            .map((part) => part.dataset.path),
        title: [...block.querySelectorAll(".wrong-path strong")].filter(shown).map((item) => item.textContent),
        more: [...block.querySelectorAll(".wrong-path a")].filter(shown).map((item) => item.getAttribute("href")),
        marks: [...block.querySelectorAll(".wrong-path")].filter(shown)
            .map((part) => part.querySelectorAll(".formulas > div:last-child math .q-fault").length),
        said: block.querySelector("[data-sentence=beside]").textContent,
        button: shown(button) ? button.textContent : null,
    };
}"""

SHAPES = (  # of the numbers in the two tables
    *(f"{side}.{name}" for side in ("right", "wrong", "difference") for name in
      ("loss", "kl", "clipped", "outside", "counted", "gradient.0.0", "gradient.1.2", "W_next.0.2", "W_next.1.0")),
)  # fmt: skip


def choices_of(path):
    """Return KEY=VALUE texts of the states at which a path is tried."""
    place = WRONG.index(path)
    some = [SETTINGS[(place + turn) % len(SETTINGS)] for turn in (0, 2)]
    rng = Random(f"{SEED} {path}")
    for _ in range(cases(1, 20)):
        some.append([pair for pair in random_choice(rng) if not pair.startswith("path=")])
    return [[f"path={path}", *choice] for choice in some]


@cache
def compared(*assignments):
    """Return what Python says of a path beside the correct one."""
    return path_difference(shipped_config().setup, settings_of(*assignments))


def values_beside(*assignments):
    """Return id → value of the numbers of both paths and their differences."""
    return {".".join(path): value for path, value in leaves({"beside": compared(*assignments)})}


def sentence(language, *assignments):
    """Return what FINDINGS says of two paths, as text."""
    known = values_beside(*assignments)
    subject = dataclasses.replace(shipped_subject(), results={"beside": compared(*assignments)})
    say = Sentences(
        subject, shipped_content().terms, language, lambda name: Markup(text_of(name, known[name]))
    )
    return html.unescape(re.sub("<[^>]+>", "", str(say("beside"))))


def wrong_look(page, *assignments):
    """Return what the page says of its path otherwise than Python does: name → (shown, wanted)."""
    settings, found = settings_of(*assignments), compared(*assignments)
    look, path = read(page.page, LOOK), settings["path"]
    if path == "correct":
        return {
            name: (look[name], wanted)
            for name, wanted in [("banner", False), ("paths", [])]
            if look[name] != wanted
        }
    later = not found["differs"] and found["first"] is not None
    wanted = {
        "banner": True,
        "paths": [path],
        "title": [shipped_content().faults[path].title[page.language]],
        "more": [f"faults.html#{path}"],
        "said": sentence(page.language, *assignments),
        "button": word("path.go", page.language, first=found["first"]) if later else None,
    }
    wrong = {name: (look[name], value) for name, value in wanted.items() if look[name] != value}
    return wrong if look["marks"] and look["marks"][0] > 0 else wrong | {"marks": look["marks"]}


def wrong_beside(page, *assignments):
    """Return what is wrong with the numbers of the state and with those beside, or missing."""
    values = {**expected(assignments), **values_beside(*assignments)}
    numbers = page.numbers()
    shown = {number["id"] for number in numbers}
    missing = [f"beside.{name} is not shown" for name in SHAPES if f"beside.{name}" not in shown]
    return missing + wrong_numbers(numbers, values)


def wrong(page, *assignments):
    """Return everything that is wrong with what the page shows of a path, at last."""
    return eventually(lambda: [*wrong_look(page, *assignments).items(), *wrong_beside(page, *assignments)])


@pytest.fixture(scope="module")
def pages(visiting):
    """Return the main page in both languages, for tests that leave it in any state."""
    with in_both_languages(visiting, Live) as pages:
        yield pages


@pytest.fixture
def page(pages):
    """Return the English page at its default state."""
    return pages["en"].go()


def test_the_states_tried_reach_what_can_be_said():
    assert len(WRONG) == 22
    choices = [choice for path in WRONG for choice in choices_of(path)] + [*EXTRA]
    found = [finding({"beside": compared(*choice)})[0][0] for choice in choices]
    places = {key.removeprefix("path_differs_in_") for key in found if key.startswith("path_differs_in_")}
    assert places == {"loss", "gradient", "kl"} and "path_differs_later" in found
    reasons = {key.removeprefix("path_never_") for key in found if key.startswith("path_never_")}
    assert len(reasons) >= 9 and reasons <= {key for key, *_ in REASONS} | {"agrees"}, reasons
    for key, *_ in [*REASONS, ("agrees",)]:
        for language in LANGUAGES:
            assert word(f"sentence.path_never_{key}", language)


@pytest.mark.parametrize("path", WRONG)
def test_a_wrong_path_and_the_right_one_beside_it_show_what_python_says(pages, path):
    for index, choice in enumerate(choices_of(path)):
        page = pages[LANGUAGES[index % 2]].go(*choice)
        assert wrong(page, *choice) == [], choice


@pytest.mark.parametrize("choice", EXTRA, ids=" ".join)
def test_a_path_that_never_differs_says_why(pages, choice):
    assert compared(*choice)["first"] is None
    for page in pages.values():
        assert wrong(page.go(*choice), *choice) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_correct_path_has_no_banner(pages, language):
    page = pages[language].go("path=own-group")
    assert wrong(page, "path=own-group") == []
    for choice in ([], ["step=20", "rewards=equal"]):
        page.go(*choice)
        assert eventually(lambda choice=choice: wrong_look(page, *choice)) == {}
        assert page.wrong(*choice) == []


def test_the_select_chooses_every_path_and_back_to_the_correct_one(page):
    select = page.page.locator("[name=path]")
    for path in ("own-group", "kl-k3-in-loss", "correct", "double-negation", "correct"):
        select.select_option(path)
        page.wait(f"path={path}")
        assert eventually(lambda path=path: wrong_look(page, f"path={path}")) == {}
        assert f"path={path}" in page.page.url
    options = select.locator("option").evaluate_all("items => items.map((item) => item.value)")
    assert options == list(PATHS)


def test_the_last_of_quick_changes_is_what_stands_there(page):
    """A comparison that belongs to an older state must not come in late."""
    page.page.evaluate(
        """() => ["kl-reversed", "mask-ignored", "correct", "own-group"].forEach((path, index) =>
            RLPU.live.change({path, step: 20 - index}))"""
    )
    choice = ["path=own-group", "step=17"]
    page.wait(*choice)
    assert wrong(page, *choice) == []
    page.page.evaluate(
        "() => { RLPU.live.change({path: 'kl-reversed'}); RLPU.live.change({path: 'correct'}); }"
    )
    page.wait("step=17")
    page.page.wait_for_timeout(100)
    assert wrong_look(page, "step=17") == {}


# --- the first update at which they differ ---


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "path", ["clip-then-multiply", "min-before-advantage", "clip-to-epsilon", "ratio-always-one"]
)
def test_the_button_leads_to_the_first_difference(pages, language, path):
    page = pages[language].go(f"path={path}")
    first = compared(f"path={path}")["first"]
    assert first > 0 and not compared(f"path={path}", f"step={first - 1}")["differs"]
    button = page.page.locator("#path-first")
    expect(button).to_have_text(word("path.go", language, first=first))
    button.click()
    choice = [f"path={path}", f"step={first}"]
    page.wait(*choice)
    assert compared(*choice)["differs"]
    assert wrong(page, *choice) == []
    expect(button).to_be_hidden()
    page.page.go_back()
    page.wait(f"path={path}")
    expect(button).to_be_visible()


def test_the_button_works_by_keyboard_and_does_not_lose_the_focus(page):
    page.go(*LATER)
    button = page.page.locator("#path-first")
    expect(button).to_be_visible()
    button.focus()
    page.page.keyboard.press("Enter")
    page.wait(LATER[0], "step=3")
    expect(button).to_be_hidden()
    assert page.page.evaluate("document.activeElement !== document.body")


def test_a_locked_step_is_not_offered(page):
    page.go(*LATER, lock="step")
    page.page.wait_for_timeout(200)
    button = page.page.locator("#path-first")
    assert not button.is_visible() or button.is_disabled()


# --- the page around it ---


@pytest.mark.parametrize("name", ["beside.wrong.loss", "beside.difference.W_next.1.2"])
def test_the_link_of_a_number_beside_brings_it_into_view(live, visit, name):
    choice = ["path=kl-reversed", "step=4"]
    page = live(*choice)
    number = page.page.locator(f"data[data-number='{name}']")
    number.click()
    expect(page.page.locator(f"{CARD} .card-title")).not_to_be_empty()
    href = page.page.locator(f"{CARD} .card-link").get_attribute("href")
    assert href.endswith(f"path=kl-reversed&step=4&at=0.0&show={name}")
    other = Live(visit(f"en/update.html{href}")).wait(*choice, show=name)  # opened in another tab
    marked = other.page.locator("main data.pointed")
    expect(marked).to_be_visible()
    assert marked.get_attribute("data-number") == name
    assert eventually(lambda: not 0 < marked.bounding_box()["y"] < 900) is False


@pytest.mark.parametrize(("here", "there"), [("zh", "en"), ("en", "zh")])
def test_the_language_switch_keeps_the_path_and_the_place(newly_live, here, there):
    choice = ["path=kl-reversed", "step=4", "beta=0.2"]
    page = newly_live(*choice, language=here)
    page.page.evaluate("document.querySelector('#path-beside').scrollIntoView()")
    point_and_click(page.page, "#language")
    page.page.wait_for_url(f"**/{there}/update.html#*")
    other = Live(page.visit, there)
    page.page.wait_for_selector("html[data-state*='path=kl-reversed']", state="attached")
    assert wrong(other, *choice) == []
    assert in_view(page.page, "#path-beside")
    assert page.visit.complaints == []


def test_the_banner_is_accessible_and_keeps_to_the_window(newly_live):
    width = 375
    page = newly_live(*LATER, language="zh", theme="dark", width=width)
    page.page.locator("#path-first").wait_for(state="visible")
    page.page.wait_for_timeout(300)
    until(page.page, "() => !document.querySelector('data.moved')")
    assert page.page.evaluate("document.documentElement.scrollWidth") == width
    assert page.page.locator("#path-first").bounding_box()["height"] >= 44
    assert violations(page.page, "#path-beside") == []


def test_without_scripts_there_is_no_banner(visit):
    page = visit("en/update.html#path=own-group", javascript=False).page
    assert not page.locator("#path-beside").is_visible()
