"""Citing in the cards: the same text as `build.py cite`, for every number of a state; by keyboard, on a phone."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from functools import cache

import pytest

from publish.citing.citation import FORMATS, Cited, citation
from publish.commands.cite import registry_of
from publish.numbers.registry import shape_of, text_of
from publish.page.keys import canonical_hash, chosen_settings
from publish.words.formatting import full_text
from tests.browser.test_pages import AXE, violations
from tests.content_tools import (
    KL,
    run_build,
    shipped_content,
    shipped_material,
    shipped_subject,
    shipped_word,
)

pytestmark = pytest.mark.browser
CARD = "#card"
RATIO = "#table-positions data[data-number='positions.3.ratio']"

# Page, states and languages: every number that these show is cited, in every format.
STATES = [
    ("update", "en", ()),
    ("update", "zh", ("normalization=response", "beta=0.2", "step=7", "rewards=1,0,-0.5,2")),
    ("update", "en", ("path=kl-reversed", "step=3", "at=2.1")),
    ("update", "en", ("keep=0", "beta=1e-7")),
    (KL, "en", ()),
    (KL, "zh", ("p=0.3", "q=0", "rewards=1,-2", "length=5")),
    ("digits", "zh", ("beta=1", "update=200", "a=3")),
    ("faults", "en", ()),
    ("faults", "zh", ()),
]

# Every number in sight, with its citations; nothing that is hidden, which may be of another state.
READ = """(forms) => Object.fromEntries([...document.querySelectorAll("main data.number")]
    .filter((number) => !number.closest("[hidden]"))
    .map((number) => [number.dataset.number, {value: number.value,
        cited: Object.fromEntries(forms.map((form) => [form, RLPU.cite.citation(number, form)]))}]))"""


def open_state(visit, page, language, assignments, **how):
    """Open a state, and wait for what follows it: sentences, curves."""
    opened = visit(f"{language}/{page}.html#" + "&".join(["v=1", *assignments]), **how).page
    subject = shipped_subject(page)
    settings = chosen_settings(subject.keys, subject.settings, assignments, None)
    opened.wait_for_selector(f"html[data-state={canonical_hash(subject.keys, settings)!r}]", state="attached")
    opened.wait_for_timeout(700)
    return opened


@cache
def numbers_of(page, assignments):
    """Return the settings of a state, and the numbers that its page computes for it."""
    subject = shipped_subject(page)
    settings = chosen_settings(subject.keys, subject.settings, assignments, None)
    if not subject.keys:
        return settings, {}
    return settings, registry_of(shipped_content(), shipped_material(), subject, settings)


def expected(page, assignments, number_id, value, form, language):
    """Return Python's citation of a number that the page says to have this value; the last bits may be its own."""
    material, subject = shipped_material(), shipped_subject(page)
    settings, numbers = numbers_of(page, assignments)
    if number_id in numbers:
        number = numbers[number_id]
    else:  # no state changes it
        number, settings = material.registry[number_id], subject.settings
    own = full_text(number.value)
    if own not in ("", "inf", "-inf", "nan") and float(own) != float(value):
        assert math.isclose(float(own), float(value), rel_tol=1e-9, abs_tol=1e-9), number_id
        shape = shape_of(tuple(number_id.split(".")), material.declarations, shipped_content().ignored)
        text = text_of(float(value), material.declarations[shape])
        number = replace(number, value=float(value), text=text)
    formula = material.formulas[number.formula].text
    cited = Cited(number, formula, subject.keys, settings, subject.settings)
    return citation(cited, form, language, material.edition, material.digest, material.terms)


@pytest.mark.parametrize(("page", "language", "assignments"), STATES)
def test_every_card_cites_as_the_command_line_does(visit, page, language, assignments):
    opened = open_state(visit, page, language, assignments)
    opened.evaluate("RLPU.cardCopy.cite()")
    shown = opened.evaluate(READ, list(FORMATS))
    assert len(shown) > 60
    wrong = []
    for number_id, item in shown.items():
        for form, text in item["cited"].items():
            wanted = expected(page, assignments, number_id, item["value"], form, language)
            if text != wanted:
                wrong.append((number_id, form, text, wanted))
    assert wrong[:3] == []


@pytest.mark.parametrize(
    ("page", "language", "form", "number_id", "assignments"),
    [
        ("update", "en", "bibtex", "gradient.0.2", ("normalization=response", "step=7")),
        (KL, "zh", "gbt7714", f"{KL}.kl", ("p=0.3", "q=0")),
    ],
)
def test_the_command_prints_what_the_card_says_and_its_link_marks_the_number(
    visit, page, language, form, number_id, assignments
):
    opened = open_state(visit, page, language, assignments)
    number = opened.locator(f"main data[data-number='{number_id}']:visible").first
    number.evaluate("number => number.click()")
    opened.locator(f"{CARD} .card-cites").click()
    opened.locator("#cite-format").select_option(form)
    text = opened.locator("#cite-text").input_value()
    flags = [flag for pair in assignments for flag in ("--set", pair)]
    run = run_build("cite", number_id, *flags, "--as", form, "--lang", language)
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == text + "\n"
    link = re.search(rf"{language}/{page}\.html#v=1&\S*&show={re.escape(number_id)}", text)[0]
    again = visit(link).page
    again.wait_for_selector("html[data-state]", state="attached")
    marked = again.locator("main data.pointed")
    assert marked.get_attribute("data-number") == number_id
    assert marked.inner_text() in text.replace("$-$", "−")
    state = again.evaluate("document.documentElement.dataset.state")
    assert state == link.partition("#")[2]


def test_the_permalink_has_the_public_address_of_the_site(visit, site, tmp_path):
    """The page writes it before the path, as `cite --address` does."""
    opened = open_state(visit, "update", "en", ("step=2",))
    opened.evaluate("RLPU.cardCopy.cite()")
    opened.evaluate("RLPU.citeData.edition.address = 'https://example.org/course/'")
    text = opened.evaluate(
        "RLPU.cite.citation(document.querySelector('main data[data-number=loss]'), 'text')"
    )
    run = run_build("cite", "loss", "--step", "2", "--address", "https://example.org/course/")
    assert run.stdout == text + "\n"
    assert "https://example.org/course/en/update.html#v=1&" in text


def test_a_number_that_no_state_changes_is_cited_at_the_default_state(visit):
    opened = open_state(visit, "update", "en", ("step=5", "beta=0.5"))
    opened.evaluate("RLPU.cardCopy.cite()")
    said = opened.evaluate(
        """() => ["expectation.reward", "loss", "facts.loss_end"].map((id) =>
            RLPU.cite.citation(document.querySelector(`main data[data-number="${id}"]`), "text"))"""
    )
    assert ["default state" in text for text in said] == [True, False, False]


def clipboard(context):
    context.grant_permissions(["clipboard-read", "clipboard-write"])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_by_keyboard_the_part_opens_says_what_it_is_and_copies(visit, language):
    opened = open_state(visit, "update", language, ("step=3",), prepare=clipboard)
    assert not opened.evaluate("'cite' in RLPU")  # nothing is loaded before it is asked for
    number = opened.locator(RATIO)
    number.click()
    button = opened.locator(f"{CARD} .card-cites")
    assert button.inner_text() == shipped_word("card.cite", language)
    button.focus()
    opened.keyboard.press("Enter")
    opened.wait_for_selector("#cite-text")
    assert button.get_attribute("aria-expanded") == "true"
    assert button.inner_text() == shipped_word("card.uncite", language)  # it leads back now
    assert opened.get_by_role("group", name=shipped_word("cite.title", language)).is_visible()
    choice = opened.get_by_label(shipped_word("cite.format", language), exact=True)
    choice.focus()
    for form in FORMATS[1:]:
        opened.keyboard.press("ArrowDown")
        assert choice.input_value() == form
        text = opened.get_by_label(shipped_word("cite.written", language), exact=True).input_value()
        assert text == expected(
            "update", ("step=3",), "positions.3.ratio", number.get_attribute("value"), form, language
        )
    opened.get_by_role("button", name=shipped_word("cite.copy", language)).focus()
    opened.keyboard.press("Enter")
    status = opened.locator(f"{CARD} .card-status", has_text=shipped_word("cite.copied", language))
    status.wait_for()
    assert opened.evaluate("navigator.clipboard.readText()") == text
    opened.keyboard.press("Escape")
    assert not opened.locator(CARD).is_visible()
    number.click()
    assert not opened.locator("#cite-text").is_visible() and button.get_attribute("aria-expanded") == "false"
    assert button.inner_text() == shipped_word("card.cite", language)


def test_an_open_citation_follows_the_state(visit):
    opened = open_state(visit, "update", "en", ())
    opened.locator(RATIO).click()
    opened.locator(f"{CARD} .card-cites").click()
    opened.locator("#cite-text").wait_for()
    assert "default state" in opened.locator("#cite-text").input_value()
    opened.locator("#step-apply").click()
    opened.wait_for_selector("html[data-state*='step=1']")
    assert "state (step = 1)" in opened.locator("#cite-text").input_value()


@pytest.mark.parametrize("field_works", [True, False])
def test_copying_without_a_clipboard_for_scripts(visit, field_works):
    def prepare(context):
        context.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined});")
        if not field_works:
            context.add_init_script("document.execCommand = () => false;")

    opened = open_state(visit, "update", "en", (), prepare=prepare)
    opened.locator(RATIO).click()
    opened.locator(f"{CARD} .card-cites").click()
    opened.locator("#cite-format").select_option("bibtex")
    opened.locator("#cite-copy").click()
    if field_works:
        opened.locator(f"{CARD} .card-status", has_text="Citation copied.").wait_for()
        assert opened.evaluate("document.activeElement.id") == "cite-copy"
    else:
        opened.locator(f"{CARD} .card-status", has_text="by keyboard").wait_for()
        assert opened.evaluate("[document.activeElement.id, getSelection().toString()][0]") == "cite-text"
    assert not opened.locator(f"{CARD} .card-field").is_visible()


def test_numbers_of_a_pinned_run_have_no_citation(visit):
    opened = open_state(visit, "update", "en", ("step=2",))
    opened.locator("#pin-set").click()
    pinned = opened.locator("#pin-view data[data-number^='a.']:visible").first
    pinned.click()
    assert opened.locator(CARD).is_visible()
    assert not opened.locator(f"{CARD} .card-cites").is_visible()


@pytest.mark.parametrize(("language", "theme", "width"), [("zh", "light", 375), ("en", "dark", 1440)])
def test_the_part_is_accessible_and_fits(visit, language, theme, width):
    opened = open_state(visit, "update", language, ("step=3",), theme=theme, width=width)
    opened.locator(RATIO).scroll_into_view_if_needed()
    opened.locator(RATIO).click()
    opened.locator(f"{CARD} .card-cites").click()
    opened.locator("#cite-format").select_option("bibtex")
    opened.evaluate(AXE.read_text(encoding="utf-8"))
    assert violations(opened, CARD) == []
    assert opened.evaluate("document.documentElement.scrollWidth") == width
    small = opened.evaluate(
        """() => [...document.querySelectorAll("#card :is(button, a, select)")]
            .filter((item) => item.getClientRects().length).map((item) => item.getBoundingClientRect())
            .filter((box) => box.width < 44 || box.height < 44 || box.right > innerWidth).length"""
    )
    assert small == 0
    card = opened.locator(CARD).bounding_box()
    assert width > 375 or card["height"] <= 0.61 * 812


def test_a_saved_page_cites_from_what_it_holds(visit, tmp_path):
    opened = open_state(visit, "update", "en", ("step=7",))
    with opened.expect_download() as download:
        opened.click("#save-page")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    seen = visit(path.name, site=tmp_path)
    saved = seen.page
    saved.wait_for_selector("html[data-state*='step=7']")
    saved.locator("main data[data-number=loss]:visible").first.click()
    saved.locator(f"{CARD} .card-cites").click()
    value = saved.locator("main data[data-number=loss]").first.get_attribute("value")
    text = saved.locator("#cite-text").input_value()
    assert text == expected("update", ("step=7",), "loss", value, "text", "en")
    assert seen.requests == [path.as_uri()] and seen.complaints == []


# Puts a record's sentences into what was loaded, as a build does after `build.py verify`.
VERIFIED = """(sentence) => {
    const data = RLPU.citeData;
    data.verified = [sentence];
    data.shapes = Object.fromEntries(Object.entries(data.shapes).map(([shape, [source]]) => [shape, [source]]));
    data.shapes["positions.*.ratio"].push(0);
}"""


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_card_says_by_which_routes_a_kind_was_computed_again(visit, language):
    opened = open_state(visit, "update", language, ("step=3",), width=375)
    opened.evaluate("RLPU.cardCopy.cite()")
    sentence = {"zh": "这类数已由 2 条途径重新计算。", "en": "Computed again by 2 routes."}
    opened.evaluate(VERIFIED, sentence)
    opened.locator(RATIO).click()
    opened.locator(f"{CARD} .card-cites").click()
    line = opened.locator("#cite-verified")
    assert line.is_visible() and line.inner_text() == sentence[language]
    opened.keyboard.press("Escape")
    opened.locator("main data[data-number=loss]:visible").first.click()
    opened.locator(f"{CARD} .card-cites").click()
    opened.locator("#cite-text").wait_for()
    assert not line.is_visible()  # nothing is said where nothing was verified
