"""The fault atlas as readers use it: its places, its numbers and their cards, its links to the main page."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest

from compute.atlas.fault_atlas import fault_atlas
from compute.paths import PATHS
from publish.faults.notes import PARTS
from tests.browser.conftest import READ_THROUGH
from tests.browser.driving import LANGUAGES, Live, eventually, read, word
from tests.browser.keyboard import wrong_stops
from tests.browser.seen import in_view, point_and_click, scroll_to
from tests.browser.test_cards import CARD, part
from tests.content_tools import shipped_config, shipped_content
from tests.live_states import READ, same, settings_of

pytestmark = pytest.mark.browser

FILE = "faults.html"
WRONG = [name for name in PATHS if name != "correct"]
BY_PART = sorted(WRONG, key=lambda name: PARTS.index(shipped_content().faults[name].part))
CARDS = """() => {
    const said = {}, card = document.getElementById("card");
    const line = (name) => card.querySelector(".card-" + name).innerText;
    for (const number of document.querySelectorAll("main data.number")) {
        number.click();
        if (card.hidden) number.click();
        said[number.dataset.number] = card.hidden ? null : {text: card.innerText, title: line("title"),
            value: line("value"), id: line("id"), href: card.querySelector(".card-link").getAttribute("href")};
        document.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));
    }
    return said;
}"""
MARKS = """() => Object.fromEntries([...document.querySelectorAll("#table-checks-paths tbody tr")].filter((row) =>
    row.cells.length > 1).map((row) =>
    [row.cells[0].textContent, [...row.cells].slice(1).map((cell) => cell.textContent.trim() !== "")]))"""
ENTRIES = """() => [...document.querySelectorAll("section.fault")].map((entry) => ({
    name: entry.querySelector("h3").id, title: entry.querySelector("h3").firstChild.textContent.trim(),
    part: entry.parentElement.querySelector("h2").id || entry.closest("[class^=section-]").className,
    marks: entry.querySelectorAll(".formulas > div:last-child math .q-fault").length,
    formulas: entry.querySelectorAll(".formulas math").length, curves: entry.querySelectorAll("svg.sparkline").length,
    reports: [...entry.querySelectorAll("a[href^=https]")].map((link) => [link.href, link.target]),
    found: entry.innerText,
    way: entry.querySelector("a[href^='update.html']").getAttribute("href")}))"""


@pytest.fixture(scope="module")
def atlas():
    """Return what Python computes of the paths."""
    config = shipped_config()
    return fault_atlas(config.setup, config.settings)


@pytest.fixture(scope="module")
def known(site):
    """Return every number of the site by its id."""
    return json.loads((site / "data" / "numbers.json").read_text("utf-8"))["numbers"]


@pytest.fixture(scope="module")
def pages(visiting):
    """Return the atlas in both languages, read through."""
    with visiting(f"zh/{FILE}") as chinese, visiting(f"en/{FILE}") as english:
        found = {"zh": chinese, "en": english}
        for visit in found.values():
            visit.page.evaluate(READ_THROUGH)
        yield found
        for visit in found.values():
            assert visit.complaints == []
            assert not any(re.search(r"engine/|wasm|plotly", url) for url in visit.requests), visit.requests


# --- what it says ---


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_an_entry_for_every_path_in_the_order_of_the_parts(pages, language):
    faults = shipped_content().faults
    entries = read(pages[language].page, ENTRIES)
    names = [entry["name"] for entry in entries]
    assert names == BY_PART
    for entry in entries:
        fault = faults[entry["name"]]
        assert entry["title"] == fault.title[language]
        assert entry["marks"] >= 1 and entry["formulas"] >= 2 and entry["curves"] == 3, entry["name"]
        assert entry["reports"] == [[report.address, ""] for report in fault.reports], entry["name"]
        assert word(f"faults.evidence_{fault.evidence}", language) in entry["found"], entry["name"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_and_the_entries_name_the_checks_that_find_a_path(pages, atlas, language):
    page = pages[language].page
    marks = page.evaluate(MARKS)
    checks = list(atlas["paths"][WRONG[0]]["checks"])
    correct = marks.pop(word("faults.correct", language))
    assert list(marks) == BY_PART and correct == [False] * len(checks)
    entries = {entry["name"]: entry for entry in read(page, ENTRIES)}
    unseen = 0
    for name in WRONG:
        caught = [atlas["paths"][name]["checks"][check]["caught"] for check in checks]
        assert marks[name] == caught and any(caught), name
        for check, found in zip(checks, caught, strict=True):
            said = re.escape(word(f"faults.check_{check}", language)) + r"\s*[（(][^）)]*\d"
            assert bool(re.search(said, entries[name]["found"])) == found, (name, check)
        passes = not caught[checks.index("differences")] and not caught[checks.index("differences-held")]
        assert (word("faults.passes", language) in entries[name]["found"]) == passes, name
        unseen += passes
    assert unseen > len(WRONG) / 2  # the lesson of the page
    heads = page.locator("#table-checks-paths thead th").all_inner_texts()[1:]
    assert heads == [word(f"faults.check_{check}", language) for check in checks]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_numbers_are_those_of_the_data_files(pages, known, language):
    numbers = read(pages[language].page, READ)
    shown = {number["id"] for number in numbers}
    assert {name for name in shown if not name.startswith("faults.")} == set()
    assert len(shown) > 350 and shown <= set(known)
    undefined = word("number.undefined", language)
    for number in numbers:
        value, text = (known[number["id"]][name] for name in ("value", "text"))
        assert same(number["value"], value), number
        assert number["text"] == (undefined if value == "nan" else text), number


def test_the_files_hold_every_path_at_every_step(site, atlas):
    rows = {}
    for name in ("curves", "checks"):
        text = (site / "data" / f"faults-{name}.csv").read_text("utf-8-sig")
        rows[name] = list(csv.DictReader(io.StringIO(text)))
    assert len(rows["curves"]) == 23 * (atlas["steps"] + 1)
    for row in rows["curves"]:
        curve = atlas["right"] if row["path"] == "correct" else atlas["paths"][row["path"]]["curves"]
        assert float(row["loss"]) == pytest.approx(curve["loss"][int(row["updates_done"])], rel=1e-12)
    assert {row["path"] for row in rows["checks"]} == set(WRONG)


@pytest.mark.parametrize("name", ["faults-checks.csv", "faults-curves.csv"])
def test_the_page_links_its_data_files(pages, name):
    for visit in pages.values():
        link = visit.page.locator(f"main a[href$='data/{name}'][download]")
        assert link.count() == 1


# --- cards ---


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_has_a_card_without_gaps(visit, known, language):
    seen = visit(f"{language}/{FILE}")
    said = read(seen.page, CARDS)
    assert len(said) > 350
    assert [name for name, card in said.items() if card is None] == []
    for name, card in said.items():
        assert not re.search(r"[{}]|undefined|NaN|null", card["text"]), (name, card["text"])
        assert card["id"] == name and card["title"] == known[name]["label"][language], name
        assert same(card["value"], known[name]["value"]), name
        assert card["href"].endswith(f"show={name}"), card["href"]
    assert seen.complaints == []
    assert not any("engine/" in url for url in seen.requests)


@pytest.mark.parametrize(
    "name", ["faults.paths.kl-k3-in-loss.smallest.wrong_gradient.1", "faults.notes.clip_counts.binding"]
)
def test_the_link_of_a_card_marks_the_number_on_a_page_without_a_core(visit, known, name):
    page = visit(f"en/{FILE}").page
    number = page.locator(f"main data[data-number='{name}']").first
    number.scroll_into_view_if_needed()
    number.click()
    assert part(page, "title") == known[name]["label"]["en"]
    href = page.locator(f"{CARD} .card-link").get_attribute("href")
    other = visit(f"zh/{FILE}{href}")
    marked = other.page.locator("main data.pointed")
    marked.wait_for()
    assert marked.count() == 1 and marked.get_attribute("data-number") == name
    assert 0 < marked.bounding_box()["y"] < 900
    assert not other.page.locator("#hash-problems").is_visible()
    assert other.complaints == [] and not any("engine/" in url for url in other.requests)


def test_a_setting_of_the_main_page_is_named_and_does_no_harm(visit):
    seen = visit(f"en/{FILE}#beta=0.2&path=own-group")
    seen.page.wait_for_selector("#hash-problems li")
    assert seen.page.locator("#hash-problems li").count() == 2
    assert seen.complaints == []


# --- places ---


def test_every_path_has_an_anchor_that_the_table_leads_to(pages):
    page = pages["en"].page
    links = page.locator("#table-checks-paths tbody th[scope=row] a")
    parts = page.locator("#table-checks-paths th[scope=rowgroup] a")
    for href in parts.evaluate_all("all => all.map((link) => link.getAttribute('href'))"):
        assert page.locator(href).count() == 1, href
    hrefs = links.evaluate_all("all => all.map((link) => link.getAttribute('href'))")
    assert hrefs == [f"#{name}" for name in BY_PART]
    for index in (0, 7, 21):
        scroll_to(page, "#table-checks-paths")
        links.nth(index).evaluate("link => link.click()")
        page.wait_for_timeout(50)
        assert in_view(page, f"#{BY_PART[index]}"), BY_PART[index]
        assert page.url.endswith(f"#{BY_PART[index]}")


@pytest.mark.parametrize(
    ("here", "there", "name"), [("zh", "en", "mask-ignored"), ("en", "zh", "false-alarms")]
)
def test_the_language_switch_keeps_the_place(visit, here, there, name):
    seen = visit(f"{here}/{FILE}#{name}")
    scroll_to(seen.page, f"#{name}")
    point_and_click(seen.page, "#language")
    seen.page.wait_for_url(f"**/{there}/{FILE}*")
    assert eventually(lambda: not in_view(seen.page, f"#{name}")) is False
    assert seen.complaints == []


def test_the_way_to_the_main_page_and_back_keeps_both(visit):
    seen = visit(f"en/{FILE}")
    page = seen.page
    scroll_to(page, "#own-group")
    page.locator(".pages a[href*='update']").evaluate("link => link.click()")
    page.wait_for_url("**/update.html*")
    page.evaluate("() => { location.hash = 'v=1&path=own-group&step=2'; }")
    Live(seen).wait("path=own-group", "step=2")
    page.locator(f".pages a[href*='{FILE}']").evaluate("link => link.click()")
    page.wait_for_url(f"**/{FILE}*")
    assert eventually(lambda: not in_view(page, "#own-group")) is False
    page.locator(".pages a[href*='update']").evaluate("link => link.click()")
    Live(seen).wait("path=own-group", "step=2")
    assert seen.complaints == []


# --- links to the main page ---


def said_to_differ(text):
    """Tell whether a sentence names something that differs at the state shown."""
    return any(
        word(f"sentence.path_differs_in_{what}", "en") in text
        for what in ("loss", "gradient", "W_next", "kl")
    )


def test_every_link_opens_the_state_at_which_its_path_first_differs(live, pages, atlas):
    ways = {entry["name"]: entry["way"] for entry in read(pages["en"].page, ENTRIES)}
    assert ways == {entry["name"]: entry["way"] for entry in read(pages["zh"].page, ENTRIES)}
    main = live().page
    for name, way in ways.items():
        pairs = [pair for pair in way.partition("#")[2].split("&") if not pair.startswith(("v=", "show="))]
        settings = settings_of(*pairs)
        assert (settings["path"], settings["step"]) == (name, atlas["paths"][name]["first"] or 0)
        main.evaluate("hash => { location.hash = hash; }", way.partition("#")[2])
        main.wait_for_selector(f"html[data-state*='path={name}&']", state="attached")
        beside = main.locator("[data-sentence=beside]")
        assert eventually(lambda beside=beside: not said_to_differ(beside.inner_text())) is False, name
        assert main.locator(f"[data-path='{name}']").is_visible()


@pytest.mark.parametrize(("language", "name"), [("zh", "clip-to-epsilon"), ("en", "mask-ignored")])
def test_a_link_arrives_at_the_banner(visit, language, name):
    seen = visit(f"{language}/{FILE}")
    seen.page.locator(f"section.fault:has(#{name}) a[href^='update.html']").click()
    seen.page.wait_for_url("**/update.html#*")
    seen.page.wait_for_selector("html[data-state]", state="attached")
    expected = shipped_content().faults[name].title[language]
    assert (
        eventually(lambda: seen.page.locator(".wrong-path:visible strong").all_inner_texts() != [expected])
        is False
    )
    assert eventually(lambda: not in_view(seen.page, "#path-beside")) is False
    assert seen.complaints == []


# --- keyboard, without scripts ---


def test_the_wide_table_is_read_by_keyboard(visit):
    page = visit(f"en/{FILE}", width=375).page
    box = page.locator("#table-checks-paths .scroll")
    assert box.get_attribute("role") == "region" and box.get_attribute("aria-label")
    assert wrong_stops(page, most=60) == []
    box.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_timeout(300)
    assert box.evaluate("box => box.scrollLeft") > 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_there_without_scripts(visit, known, language):
    seen = visit(f"{language}/{FILE}", javascript=False)
    page = seen.page
    numbers = read(page, READ)
    assert len({number["id"] for number in numbers}) > 350
    assert [n for n in numbers if not same(n["value"], known[n["id"]]["value"])] == []
    hidden = "all => all.filter((item) => !item.getClientRects().length).map((item) => item.outerHTML.slice(0, 80))"
    assert page.locator("main :is(table, svg.sparkline, math, h3)").evaluate_all(hidden) == []
    assert page.locator("main table").count() >= 25
    assert [item for item in page.locator("button").all() if item.is_visible()] == []


def test_it_prints_black_on_white_within_the_sheet(visit):
    page = visit(f"en/{FILE}", theme="dark").page
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1000})
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    wide = page.evaluate(
        """() => [...document.querySelectorAll("main :is(table, math, p, svg)")]
            .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
            .map((element) => element.closest("[id]").id)"""
    )
    assert sorted(set(wide)) == []
