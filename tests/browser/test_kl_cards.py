"""Cards of the chapter's numbers: labels, formulas with the numbers put in, links that lead back."""

from __future__ import annotations

import math
import re

import pytest

from compute.kl_chapter import PAGE
from tests.browser.chapter import FILE, Chapter
from tests.browser.driving import LANGUAGES, read
from tests.browser.test_cards import CARD, part
from tests.kl_states import known
from tests.live_states import same

pytestmark = pytest.mark.browser

CHOICE = ["p=0.3", "beta=0.2", "ratio=0.7", "tree_q=0.4"]
# Numbers whose formula, filled, is plain arithmetic.
FILLED = [
    "paths.0.log_ratio", "paths.1.share", "paths.0.reverse_share", "kl", "reverse_kl", "reward", "penalty",
    "objective", "optimum.objective", "gradient.paths.0.return", "gradient.paths.1.return_part",
    "gradient.paths.0.bracket_part", "gradient.bracket_sum", "gradient.gradient", "gradient.product_error",
    "gradient.value_only_error", "tree.first", "tree.chain", "tree.wrong", "tree.steps.1.weighted",
]  # fmt: skip
LOOK = """() => {
    const said = {}, card = document.getElementById("card");
    document.querySelectorAll("details").forEach((details) => { details.open = true; });
    for (const number of document.querySelectorAll("main data.number")) {
        number.click();
        if (card.hidden) number.click();
        const line = (name) => card.querySelector(".card-" + name).innerText;
        said[number.dataset.number] = card.hidden ? null : {text: card.innerText, title: line("title"),
            value: line("value"), id: line("id"),
            href: card.querySelector(".card-link").getAttribute("href"),
            filled: card.querySelector(".card-with").hidden ? "" : line("filled")};
        document.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));
    }
    return said;
}"""


@pytest.fixture(scope="module")
def cards(visiting):
    """Return what the card of every number says, in both languages, at one state."""
    found = {}
    for language in LANGUAGES:
        with visiting(f"{language}/{FILE}#{'&'.join(CHOICE)}") as seen:
            Chapter(seen, language).wait(*CHOICE)
            found[language] = read(seen.page, LOOK)
            assert seen.complaints == []
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_has_a_card_without_gaps(cards, language):
    said = cards[language]
    registry = known(*CHOICE).registry
    assert len(said) > 350
    assert [name for name, card in said.items() if card is None] == []
    wrong = {name for name, card in said.items() if re.search(r"[{}]|undefined|NaN|null", card["text"])}
    assert wrong == set()
    for name, card in said.items():
        assert card["id"] == name
        assert same(card["value"], registry[name].value), name
        assert card["href"].endswith(f"&show={name}") and "p=0.3&" in card["href"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_label_is_that_of_the_registry(cards, language):
    registry = known(*CHOICE).registry
    wrong = [
        (name, card["title"], registry[name].label[language])
        for name, card in cards[language].items()
        if card["title"] != registry[name].label[language]
    ]
    assert wrong == []


@pytest.mark.parametrize("name", FILLED)
def test_a_filled_formula_computes_its_number(cards, name):
    """The page puts texts together; here the numbers in them are computed with."""
    for language in LANGUAGES:
        text = cards[language][f"{PAGE}.{name}"]["filled"].replace("\u00a0", " ").replace("\n", " ")
        *_, left, right = text.replace("−", "-").replace("×", "*").split(" = ")
        left = left.replace("[", "(").replace("]", ")")
        assert eval(left, {"log": math.log}) == pytest.approx(float(right), abs=2e-4), (name, text)
        assert float(right) == pytest.approx(known(*CHOICE).registry[f"{PAGE}.{name}"].value, abs=1e-4), text


@pytest.mark.parametrize("name", ["kl", "tree.chain", "curve.objective.50", "clip.point.surrogate"])
def test_the_link_of_a_card_opens_the_state_with_the_number_marked(visit, cards, name):
    card = cards["en"][f"{PAGE}.{name}"]
    page = Chapter(visit(f"zh/{FILE}{card['href']}"), "zh").wait(*CHOICE, show=f"{PAGE}.{name}").page
    marked = page.locator("main data.pointed")
    assert marked.get_attribute("data-number") == f"{PAGE}.{name}" and marked.is_visible()
    assert same(marked.get_attribute("value"), float(card["value"]))


def test_an_open_card_follows_the_state(live):
    chapter = live(kind=Chapter)
    page = chapter.page
    page.locator("#table-paths tfoot data").first.click()
    before = part(page, "value")
    chapter.go("q=0")
    assert page.locator(CARD).is_visible()
    assert same(before, known().found["kl"]) and part(page, "value") == "inf"
    assert part(page, "filled").endswith("∞")


def test_a_card_of_a_row_that_goes_away_closes(live):
    chapter = live("n=9", kind=Chapter)
    page = chapter.page
    page.locator("#chart-kl-group summary").click()
    page.locator(f"data[data-number='{PAGE}.group.outcomes.9.mean']").click()
    assert page.locator(CARD).is_visible()
    chapter.go("n=2")
    page.locator(CARD).wait_for(state="hidden")
    assert chapter.visit.complaints == []
