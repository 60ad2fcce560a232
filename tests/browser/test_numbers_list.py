"""The search on the numbers page: what it finds, how it can be linked and left, and where its numbers lead."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from urllib.parse import quote

import pytest

from tests.browser.test_pages import AXE, COLOURS, RULES, violations
from tests.content_tools import NUMBERED, shipped_content, shipped_material, shipped_word

pytestmark = pytest.mark.browser

LANGUAGES = ("zh", "en")
FEW = 200  # hits, up to which groups are opened

# Which numbers are to be seen: neither their row nor what is around it is hidden.
SEEN = """() => [...document.querySelectorAll("#all-numbers data.number")]
    .filter((number) => !number.closest("[hidden]")).map((number) => number.dataset.number)"""
OPEN = "() => [...document.querySelectorAll('details.numbers[open]:not([hidden])')].map((group) => group.id)"
# The number that is marked and seen; a setting stands in its control.
POINTED = """() => {
    const found = document.querySelector(".pointed");
    if (!found || !found.getClientRects().length) return null;
    const control = found.querySelector("[name], [data-list-key]");
    return found.dataset.number || control.name || control.dataset.listKey;
}"""


def encoded(text):
    """Return a text as encodeURIComponent writes it."""
    return quote(text, safe="!'()*-._~")


def state(find="", page="all", kind="all"):
    return f"v=1&find={encoded(find)}&page={page}&kind={kind}"


class Search:
    """The page in one language, and what a search finds in it."""

    def __init__(self, visit, language):
        self.visit, self.page, self.language = visit, visit.page, language

    def wait(self, **settings):
        self.page.wait_for_selector(f'html[data-state="{state(**settings)}"]', state="attached")
        return self.page.evaluate(SEEN)

    def __call__(self, find="", page="all", kind="all"):
        self.page.select_option("#find-page", page)
        self.page.select_option("#find-kind", kind)
        self.page.fill("#find", find)
        return self.wait(find=find, page=page, kind=kind)

    def said(self):
        return self.page.locator("#live-status").inner_text()

    def word(self, key, **values):
        return shipped_word(key, self.language, **values)


@pytest.fixture(scope="module", params=LANGUAGES)
def search(request, visiting):
    """Return the page in one language; tests leave it with any search."""
    with visiting(f"{request.param}/numbers.html", width=375) as visit:
        yield Search(visit, request.param)
        assert visit.complaints == []
        assert {url.partition(":")[0] for url in visit.requests} == {"file"}


# --- the second route: the registry searched in Python ---


def plain(text):
    text = unicodedata.normalize("NFKC", text).lower().replace("−", "-")
    return re.sub(r"\s*([\u3400-\u9fff])\s*", r"\1", text)


@cache
def fields(language):
    """Return id → the texts in which each word of a search may stand."""
    content = shipped_content()
    other = "en" if language == "zh" else "zh"
    found = {}
    for number in shipped_material().registry.values():
        entry = content.declarations[number.shape]
        outline = re.sub(r"\s*\{\w+\}\s*", " ", entry.zh if other == "zh" else entry.en).strip()
        how = f"{content.formulas[number.formula].text} {number.source}"
        text = shipped_word("number.undefined", language) if number.value == "nan" else number.text
        value = repr(number.value) if isinstance(number.value, (int, float)) else ""
        found[number.id] = [*map(plain, (number.label[language], text, value, number.id, outline, how))]
    return found


def expected(language, find):
    words = [plain(word) for word in find.split()]
    return {
        id
        for id, texts in fields(language).items()
        if all(any(word in text for text in texts) for word in words)
    }


QUERIES = ("ratio", "RATIO  gradient.0", "比率 回答1", "回答１　比率", "gradient.0.2", "-0.05937", "−0.05937",
           "compute.update:evaluate", "3 × 10⁻¹⁷", "positions.3. kl", "损失", "p(u)", "zzz", "%", "a&b=c")  # fmt: skip


@pytest.mark.parametrize("find", QUERIES)
def test_a_search_finds_what_has_every_word(search, find):
    found, wanted = search(find), expected(search.language, find)
    assert set(found) == wanted and len(found) == len(wanted)
    total = len(shipped_material().registry)
    assert search.said() == search.word("find.found", hits=len(found), total=total)
    assert search.page.locator("#find-nothing").is_visible() == (not found)
    # Few hits are shown at once; with many, groups say how many they have.
    groups = search.page.locator("details.numbers:not([hidden])").count()
    assert len(search.page.evaluate(OPEN)) == (groups if len(found) <= FEW else 0)
    counts = [
        text.split(" / ")[0]
        for text in search.page.locator("details.numbers:not([hidden]) .count").all_inner_texts()
    ]
    assert sum(map(int, counts)) == len(found)


def test_the_queries_are_of_all_kinds():
    sizes = {find: len(expected("zh", find)) for find in QUERIES}
    assert sizes["zzz"] == 0 and 0 < sizes["gradient.0.2"] <= FEW < sizes["ratio"]
    assert sizes["比率 回答1"] == sizes["回答１　比率"] > 3 and sizes["-0.05937"] == sizes["−0.05937"] > 0


def test_pages_and_kinds_are_filtered(search):
    registry, declared = shipped_material().registry, shipped_content().declarations
    for page in NUMBERED:
        assert set(search("", page)) == {n.id for n in registry.values() if n.page == page}
    chosen = {n.id for n in registry.values() if declared[n.shape].style == "setting"}
    assert set(search("", "all", "setting")) == chosen
    assert set(search("", "all", "result")) == set(registry) - chosen
    unshown = set(search("", "all", "unshown"))
    assert "beside.right.loss" in unshown and "loss" not in unshown and len(unshown) > 500
    both = {id for id in unshown if registry[id].page == "digits"} & expected(search.language, "1")
    assert set(search("1", "digits", "unshown")) == both
    assert len(search()) == len(registry)
    assert search.said() == search.word("find.none_chosen", total=len(registry))
    assert search.page.evaluate(OPEN) == [], "what the search opened is folded again"


def test_escape_clears_the_words_and_enter_goes_to_the_first_hit(search):
    page = search.page
    search("gradient.0.2")
    page.press("#find", "Escape")
    assert len(search.wait()) == len(shipped_material().registry)
    assert page.input_value("#find") == "" and page.evaluate("document.activeElement.id") == "find"
    first = search("gradient.0.2")[0]
    page.press("#find", "Enter")
    assert page.evaluate("document.activeElement.hash") == f"#v=1&show={first}"


def test_the_readers_own_groups_stay_open(search):
    page = search.page
    search()
    page.locator("#of-update-W > summary").click()
    search("loss_next")
    search()
    assert page.evaluate(OPEN) == ["of-update-W"]
    page.locator("#of-update-W > summary").click()


def test_a_search_can_be_linked_and_undone_and_keeps_the_language(search, visit):
    link = state("ratio positions", "update", "result")
    seen = visit(f"{search.language}/numbers.html#{link}", width=375).page
    other = Search(visit(f"{search.language}/numbers.html#find=ratio&kind=wrong"), search.language)
    seen.wait_for_selector(f'html[data-state="{link}"]', state="attached")
    assert seen.input_value("#find") == "ratio positions" and seen.input_value("#find-page") == "update"
    assert (
        set(seen.evaluate(SEEN))
        == {
            id
            for id in expected(search.language, "ratio positions")
            if shipped_material().registry[id].page == "update"
        }
        & set(seen.evaluate(SEEN))
        != set()
    )
    seen.click("#language")
    seen.wait_for_url("**/numbers.html#*")
    seen.wait_for_selector("html[data-state]", state="attached")
    assert seen.input_value("#find") == "ratio positions"
    assert set(other.wait(find="ratio")) == expected(search.language, "ratio")
    assert "kind" in other.page.locator("#hash-problems").inner_text()
    other.page.fill("#find", "loss")
    other.wait(find="loss")
    other.page.go_back()
    other.wait(find="ratio")
    assert other.page.input_value("#find") == "ratio"


def test_letters_that_compose_a_chinese_word_are_not_searched(search):
    search("比率")
    page = search.page
    event = """text => {
        const field = document.getElementById("find");
        field.value = text;
        field.dispatchEvent(new %s);
    }"""
    page.evaluate(event % "InputEvent('input', {bubbles: true, isComposing: true})", "比率 sunshi")
    page.wait_for_timeout(100)
    assert page.evaluate("document.documentElement.dataset.state") == state("比率")
    page.evaluate(event % "CompositionEvent('compositionend', {bubbles: true})", "损失")
    assert set(search.wait(find="损失")) == expected(search.language, "损失")


def test_the_card_of_a_number_leads_to_its_own_page(search):
    page = search.page
    search("gradient.0.2", "update")
    page.locator("#of-update-gradient data[data-number='gradient.0.2']").click()
    card = page.locator("#card")
    number = shipped_material().registry["gradient.0.2"]
    assert card.locator(".card-title").inner_text() == number.label[search.language]
    assert card.locator(".card-value").inner_text() == number.machine
    assert (
        card.locator(".card-formula").inner_text().replace("\u00a0", " ")
        == shipped_content().formulas[number.formula].text
    )
    link = card.locator(".card-link").get_attribute("href")
    settings = shipped_material().subjects["update"].settings
    pairs = "".join(f"&{key}={value}" for key, value in settings.items())
    assert link == f"update.html#v=1{pairs}&show=gradient.0.2"
    page.keyboard.press("Escape")
    search("beside.right.loss")  # which stands in this list alone
    page.locator("data[data-number='beside.right.loss']").click()
    link = card.locator(".card-link").get_attribute("href")
    assert link == f"#{state('beside.right.loss')}&show=beside.right.loss"
    page.keyboard.press("Escape")


@pytest.mark.parametrize("name", NUMBERED)
def test_links_lead_to_the_number_marked(site, visit, name):
    """One of each group: it is to be seen on its page, and marked."""
    html = (site / "en" / "numbers.html").read_text("utf-8")
    page = visit(f"en/{name}.html").page
    groups = [text for text in html.split("<details")[1:] if f'href="{name}.html#v=1' in text]
    links = [re.findall(rf'href="{name}\.html#v=1&amp;show=([^"]+)"', text)[-1] for text in groups]
    assert len(links) > 2
    for number_id in links:
        page.evaluate("id => { location.hash = 'v=1&show=' + id; }", number_id)
        hash_of = f"show={number_id}"
        page.wait_for_selector(f'html[data-state$="{hash_of}"]', state="attached")
        key = next(part for part in reversed(number_id.split(".")) if not part.isdigit())
        assert page.evaluate(POINTED) in (number_id, key), number_id


def test_without_scripts_every_number_can_be_read(visit):
    page = visit("zh/numbers.html", javascript=False, width=375).page
    assert not page.locator("#find").is_visible()
    group = page.locator("#of-update-gradient")
    number = group.locator("data[data-number='gradient.0.2']")
    assert not number.is_visible()
    group.locator("summary").click()
    assert number.is_visible() and page.locator("details.numbers:visible").count() > 30


@pytest.mark.parametrize(("language", "theme", "width"), [("zh", "light", 375), ("en", "dark", 1440)])
def test_it_is_accessible_and_in_its_column(visit, language, theme, width):
    seen = visit(f"{language}/numbers.html#{state('gradient', 'update')}", theme=theme, width=width)
    page = seen.page
    page.wait_for_selector("html[data-state]", state="attached")
    page.locator(".section-files details summary").first.click()
    seen.read_through()  # what was never in view has no size of its own yet
    page.evaluate(AXE.read_text(encoding="utf-8"))
    # In the dark only the colours are others.
    assert violations(page, rules=RULES if theme == "light" else COLOURS) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    low = page.evaluate(
        """() => [...document.querySelectorAll(":is(.bar, .contents) a, main :is(button, input, select, summary)")]
            .filter((element) => element.getClientRects().length)
            .filter((element) => element.getBoundingClientRect().height < 44).map((element) => element.outerHTML)"""
    )
    assert width > 375 or low == []
    covered = page.locator(".find").bounding_box()["height"] + page.locator(".bar").bounding_box()["height"]
    assert covered < page.viewport_size["height"] / 3


@pytest.mark.parametrize("width", [375, 1440])
def test_what_is_found_begins_below_the_search(visit, width):
    page = visit("zh/numbers.html#v=1", width=width).page
    page.wait_for_selector("html[data-state]", state="attached")
    first = {"zzz": "#find-nothing", "beside": ".numbers-of:not([hidden]) h3", "": ".numbers-of h3"}
    for text, selector in first.items():
        page.locator("#find").focus()
        page.evaluate("scrollBy({top: 1500, behavior: 'instant'})")
        page.locator("#find").fill(text)
        page.wait_for_selector(f"html[data-state='{state(find=text)}']", state="attached")
        page.wait_for_timeout(100)
        search, found = page.locator(".find").bounding_box(), page.locator(selector).first.bounding_box()
        assert 0 <= found["y"] - search["y"] - search["height"] < 100, text
