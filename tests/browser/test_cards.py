"""Cards of numbers: by mouse, keyboard and finger; what they say, before and after a change; what they copy."""

from __future__ import annotations

import math
import re

import pytest

from compute.paths import PATHS
from tests.browser.driving import LANGUAGES, read
from tests.browser.seen import in_the_other_theme
from tests.browser.test_pages import violations
from tests.live_states import known_state

pytestmark = pytest.mark.browser
CARD = "#card"
GRADIENT = "#table-parameters data[data-number='gradient.0.0']"
RATIO = "#table-positions data[data-number='positions.3.ratio']"


def part(page, name):
    """Return the text of a part of the card."""
    return page.locator(f"{CARD} .card-{name}").inner_text().replace("\u00a0", " ")


def start(live):
    """Return the tab of a live page, its ratios in view, once everything follows its state."""
    live.page.locator(RATIO).scroll_into_view_if_needed()
    live.page.wait_for_timeout(500)  # sentences and curves come last
    return live.page


def focused(page):
    """Return the id of the number that has the focus, or None."""
    return page.evaluate("document.activeElement.dataset.number ?? null")


def clipboard(context):
    context.grant_permissions(["clipboard-read", "clipboard-write"])


def test_pointing_opens_a_card_after_a_moment_and_the_pointer_may_enter_it(live):
    page = start(live())
    page.locator(RATIO).hover()
    assert not page.locator(CARD).is_visible()
    page.locator(CARD).wait_for(state="visible")
    assert focused(page) is None
    page.locator(f"{CARD} .card-id").hover()
    page.wait_for_timeout(600)
    assert page.locator(CARD).is_visible()
    page.mouse.move(5, 400)
    page.locator(CARD).wait_for(state="hidden")


def test_escape_dismisses_a_card_that_is_pointed_at(live):
    page = start(live())
    page.locator(RATIO).hover()
    page.locator(CARD).wait_for(state="visible")
    page.keyboard.press("Escape")
    assert not page.locator(CARD).is_visible()


def test_a_passing_pointer_opens_nothing(live):
    page = start(live())
    page.locator(RATIO).hover()
    page.mouse.move(5, 400)
    page.wait_for_timeout(600)
    assert not page.locator(CARD).is_visible()


def test_a_click_opens_a_card_that_stays_and_a_click_elsewhere_closes_it(live):
    page = start(live())
    page.locator(RATIO).click()
    page.mouse.move(5, 400)
    page.wait_for_timeout(600)
    assert page.locator(CARD).is_visible()
    page.mouse.click(5, 400)
    assert not page.locator(CARD).is_visible()


def test_before_the_engine_a_card_has_the_facts_of_the_build(visit):
    page = visit().page
    number = page.locator("main data[data-number=loss]").first
    markup = number.evaluate("element => element.outerHTML")
    number.click()
    assert part(page, "title") == "loss L"
    assert part(page, "value") == number.get_attribute("value") in markup
    assert "build machine" in part(page, "origin")
    assert part(page, "formula").startswith("L = Σ_it w_it")
    assert not page.locator(f"{CARD} .card-with").is_visible()
    assert part(page, "id") == "loss"


@pytest.mark.parametrize(
    ("language", "title", "origin"),
    [
        ("zh", "回答 1 第 3 个位置的比率 ρ", "由此浏览器算出"),
        ("en", "ratio ρ at response 1, position 3", "computed in this browser"),
    ],
)
def test_a_card_says_what_its_number_is(live, language, title, origin):
    page = start(live("step=3", language=language))
    page.locator(RATIO).click()
    position = known_state(("step=3",))["positions"][3]
    assert part(page, "title") == title
    assert origin in part(page, "origin")
    assert float(part(page, "value")) == pytest.approx(position["ratio"], rel=1e-12)
    old, now, ratio = (
        f"{position[name]:.4f}".replace("-", "−") for name in ("logprob_old", "logprob", "ratio")
    )
    assert part(page, "filled") == f"ρ = exp( {now} − ({old}) ) = {ratio}"


def test_every_number_has_a_card_without_gaps(live):
    said = read(
        start(live("step=3")),
        """() => {
            const said = {}, card = document.getElementById("card");
            for (const number of document.querySelectorAll("main data.number")) {
                number.click();
                if (card.hidden) number.click();  // pointed to another place of the same number
                said[number.dataset.number] = card.hidden ? "closed" : card.innerText;
                document.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));
            }
            return said;
        }""",
    )
    assert len(said) > 500
    wrong = {key for key, text in said.items() if re.search(r"closed|[{}]|undefined|NaN|null", text)}
    assert wrong == set()
    for number in (
        "W_next.0.1",
        "gradient.1.2",
        "positions.3.dlogits.1",
        "positions.3.surrogate",
        "loss",
        "kl",
    ):
        assert "With the current numbers" in said[number], number


def test_filled_formulas_use_the_numbers_of_the_state(live):
    """The page puts texts together; here the numbers in them are computed with."""
    page = start(live("step=3", "beta=0.2"))
    for number in (
        "W_next.0.1",
        "gradient.1.2",
        "positions.3.kl",
        "positions.6.logits.1",
        "advantages.1",
        "loss",
        "kl",
    ):
        found = page.locator(f"main data[data-number='{number}']").first
        found.evaluate("element => element.click()")
        text = part(page, "filled").replace("\n", " ").replace("−", "-").replace("×", "*")
        _, *sides = text.split(" = ") if not text[0].isdigit() else ["", *text.split(" = ")]
        left, right = sides
        left = left.replace("[", "(").replace("]", ")")
        value = eval(left, {"log": math.log})
        assert value == pytest.approx(float(right), abs=2e-3), (number, text)
        page.keyboard.press("Escape")


def test_an_open_card_follows_the_state(live):
    page = start(live())
    page.locator(GRADIENT).click()
    before = part(page, "value")
    page.locator("#step-apply").click()
    page.wait_for_selector("html[data-state*='step=1']")
    after = known_state(("step=1",))["gradient"][0][0]
    assert page.locator(CARD).is_visible()
    assert part(page, "value") != before
    assert float(part(page, "value")) == pytest.approx(after, rel=1e-9)
    assert part(page, "filled").endswith(page.locator(GRADIENT).inner_text())


def test_a_wrong_path_gets_no_formula_with_numbers(live):
    wrong = next(name for name in PATHS if name != "correct")
    page = start(live(f"path={wrong}"))
    page.locator(RATIO).click()
    assert (
        part(page, "filled")
        == f"The implementation path {wrong} departs from the formulas, so no numbers are put in."
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_on_a_phone_a_tap_opens_a_sheet(live, language):
    page = start(live("step=3", language=language, width=375))
    page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true; })")
    for number in ("positions.3.ratio", "loss", "gradient.0.1", "positions.6.dlogits.2", "group.deviation"):
        found = page.locator(f"main data[data-number='{number}']:visible").first
        found.scroll_into_view_if_needed()
        found.click()
        sheet, box = page.locator(CARD).bounding_box(), found.bounding_box()
        assert sheet["x"] == 0 and sheet["width"] == 375
        assert sheet["y"] + sheet["height"] == pytest.approx(812, abs=1) and sheet["height"] <= 0.61 * 812
        assert box["y"] + box["height"] <= sheet["y"] + 1
        small = page.evaluate(
            """() => [...document.querySelectorAll("#card button, #card a")].filter((item) => {
                const box = item.getBoundingClientRect();
                return box.width < 44 || box.height < 44 || box.right > 375;
            }).map((item) => item.textContent)"""
        )
        assert small == []
        assert page.evaluate("document.documentElement.scrollWidth") == 375
        page.locator(f"{CARD} .card-close").click()
        assert not page.locator(CARD).is_visible()


def test_the_permalink_opens_the_state_with_the_number_marked(live, visit):
    page = start(live("step=3", "beta=0.2"))
    page.locator(RATIO).click()
    link = page.locator(f"{CARD} .card-link").get_attribute("href")
    assert link.startswith("#v=1&") and "beta=0.2" in link and "step=3" in link
    assert link.endswith("&show=positions.3.ratio")
    value = part(page, "value")
    other = visit(f"en/update.html{link}").page
    other.wait_for_selector("html[data-state*='step=3']")
    marked = other.locator("main data.pointed")
    assert marked.get_attribute("data-number") == "positions.3.ratio"
    assert float(marked.get_attribute("value")) == pytest.approx(float(value), rel=1e-12)


def test_value_link_and_id_are_copied(newly_live):
    page = start(newly_live("step=3", prepare=clipboard))
    page.locator(RATIO).click()
    expected = {
        "value": part(page, "value"),
        "link": page.locator(f"{CARD} .card-link").evaluate("link => link.href"),
        "id": "positions.3.ratio",
    }
    for kind, text in expected.items():
        page.locator(f"{CARD} [data-copy={kind}]").click()
        page.locator(f"{CARD} .card-status", has_text=f"Copied: {text}").wait_for()
        assert page.evaluate("navigator.clipboard.readText()") == text
        assert part(page, "status") == f"Copied: {text}"
    assert page.locator(f"{CARD} .card-status").get_attribute("role") == "status"


@pytest.mark.parametrize("field_works", [True, False])
def test_copying_without_a_clipboard_for_scripts(newly_live, field_works):
    def prepare(context):
        context.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined});")
        if not field_works:
            context.add_init_script("document.execCommand = () => false;")

    live = newly_live(prepare=prepare)
    page = start(live)
    page.locator(RATIO).click()
    page.locator(f"{CARD} [data-copy=id]").click()
    if field_works:
        page.locator(f"{CARD} .card-status", has_text="Copied: positions.3.ratio").wait_for()
        assert not page.locator(f"{CARD} input").is_visible()
        assert page.evaluate("document.activeElement.dataset.copy") == "id"
    else:
        page.locator(f"{CARD} .card-status", has_text="by keyboard").wait_for()
        assert page.locator(f"{CARD} input").input_value() == "positions.3.ratio"
        assert page.evaluate("getSelection().toString()") == "positions.3.ratio"
    assert live.visit.errors == []


@pytest.mark.parametrize(("language", "theme", "width"), [("zh", "dark", 375), ("en", "light", 1440)])
def test_axe_finds_no_violation_with_a_card_open(newly_live, language, theme, width):
    page = start(newly_live("step=3", language=language, theme=theme, width=width))
    page.locator(RATIO).click()
    page.locator(f"{CARD} [data-copy=id]").click()
    page.wait_for_timeout(200)
    assert violations(page) == []
    in_the_other_theme(page, theme)
    assert page.locator(CARD).is_visible()
    assert violations(page, CARD) == []


def test_a_card_is_not_printed(newly_live):
    page = start(newly_live())
    page.locator(RATIO).click()
    assert page.locator(CARD).is_visible()
    page.emulate_media(media="print")
    assert not page.locator(CARD).is_visible()


def test_the_markup_of_the_build_is_as_tests_from_outside_expect(site):
    text = (site / "en" / "update.html").read_text(encoding="utf-8")
    assert len(
        re.findall(r'<data class="number" data-number="[\w.-]+" value="[^"]*">[^<]+</data>', text)
    ) == (text.count("<data "))
