"""The chapter on KL and clipping shows what Python computes, in every state, and its controls lead there."""

from __future__ import annotations

import pytest

from compute.kl_chapter import PAGE
from publish.kl.page import KL_FIGURES
from publish.kl.settings import KEYS
from tests.browser.chapter import CONTROLS, FILE, Chapter
from tests.browser.driving import LANGUAGES, eventually, in_both_languages
from tests.browser.seen import in_view
from tests.content_tools import shipped_content
from tests.drawn import cases
from tests.kl_states import EDGES, canonical, known, settings_of, some_choices, word

pytestmark = pytest.mark.browser

SEED = 1406
CHOICES = [*EDGES, *some_choices(cases(4, 150), SEED)]
LISTS = ("group.outcomes", "tokens.by_length")  # tables with as many rows as the state has
NAMES = [key.name for key in KEYS]
ALLOWED = {key.name: key.allowed for key in KEYS}


@pytest.fixture(scope="module")
def chapters(visiting):
    """Return the chapter in both languages, for tests that leave it in any state."""
    with in_both_languages(visiting, Chapter) as pages:
        yield pages


@pytest.fixture
def chapter(chapters):
    """Return the English chapter at its default state."""
    return chapters["en"].go()


@pytest.fixture
def drawn(live):
    """Return the English chapter with its charts drawn: to draw them anew in each state takes most of the time."""
    page = live(kind=Chapter)
    page.visit.read_through()
    return page


def test_the_states_reach_every_key_and_every_sentence():
    assert {pair.partition("=")[0] for choice in CHOICES for pair in choice} == set(NAMES)
    said = {key for choice in CHOICES for key in keys_said(choice)}
    assert len(said) >= 35, sorted(said)
    assert {"inf", "-inf", "nan"} <= {n.value for choice in CHOICES for n in known(*choice).registry.values()}


def keys_said(choice):
    """Return the keys of the words of every sentence of a state."""
    subject = known(*choice).subject
    return [key for finding in subject.findings.values() for key, _ in finding(subject.results)]


# --- what it shows ---


@pytest.mark.parametrize("choice", CHOICES, ids="&".join)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_state_shows_what_python_says(chapters, language, choice):
    page = chapters[language].go(*choice)
    assert page.state == canonical(settings_of(*choice))
    assert page.wrong(*choice) == []
    assert page.wrong_sentences(*choice) == []
    for name in LISTS:
        first, last = name.split(".")
        rows = page.page.locator(f"[data-list='{PAGE}.{name}'] > tr").count()
        assert rows == len(known(*choice).found[first][last]), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_state_opens_by_its_address(visit, language):
    """At once, not after another state; and nearly every result is somewhere on the page."""
    choice = ["q=0", "n=7", "length=3", "tree_q=0"]
    page = Chapter(visit(f"{language}/{FILE}#{'&'.join(choice)}"), language).shows(*choice)
    assert page.wrong_sentences(*choice) == []
    assert len({number["id"] for number in page.numbers()}) > 350
    assert word("number.undefined", language) in page.page.locator("#table-derivatives").inner_text()
    assert page.visit.complaints == []


@pytest.mark.parametrize(
    "choice",
    [
        ["n=64", "length=64", "vocabulary=3"],
        ["n=1", "length=1"],
        ["q=0", "tree_q=0", "ratio=9"],
        *CHOICES[-2:],
    ],
    ids="&".join,
)
def test_charts_draw_the_results(drawn, choice):
    drawn.go(*choice)
    for chart in KL_FIGURES:
        assert eventually(lambda chart=chart: drawn.wrong_drawing(chart, *choice)) == [], chart


def test_a_number_in_a_chart_has_a_real_minus(drawn):
    page = drawn.go("ratio=1.4", "advantage=-2").page
    labels = page.locator(".plot[data-chart=kl-clip] .textpoint")
    assert eventually(lambda: [text for text in labels.all_text_contents() if text not in ("", "−2.8")]) == []
    assert "−2.8" in labels.all_text_contents()


def test_the_name_of_a_chart_says_what_its_sentence_says(drawn):
    """Screen readers read the name; it must not keep the numbers of another state."""
    page = drawn.go("q=0.9", "n=9", "ratio=0.5", "token_ratio=0.7", "vocabulary=4").page
    page.wait_for_timeout(200)
    for chart in KL_FIGURES:
        name, said = page.evaluate(
            """name => {
                const figure = document.getElementById("chart-" + name);
                const plot = figure.querySelector(".plot");
                return [document.getElementById(plot.getAttribute("aria-labelledby")).textContent,
                    figure.querySelector("[data-sentence]").textContent];
            }""",
            chart,
        )
        assert said in name, chart


# --- the controls ---

MOVES = {
    "p": ("0.3", "0.45"), "q": ("0", "0.99"), "beta": ("250", "0.33"), "n": ("64", "5"),
    "ratio": ("7.5", "0.61"), "advantage": ("-1e6", "2.5"), "clip_epsilon": ("0.999", "0.35"),
    "token_ratio": ("1e-9", "0.75"), "length": ("64", "2"), "tree_p": ("1", "0.05"), "tree_q": ("0", "0.5"),
    "vocabulary": ("200000", "27"),
}  # fmt: skip
PAIRS = {"rewards": ("-2.25", "1e6"), "tree_kl": ("0.25", "0.6931")}


@pytest.mark.parametrize("name", MOVES)
def test_a_box_and_its_slider_drive_the_state(chapter, name):
    box, slider = (
        chapter.page.locator(f"main [{attribute}='{name}']:not(tr)") for attribute in ("name", "data-for")
    )
    by_box, by_slider = MOVES[name]
    box.fill(by_box)
    chapter.wait(f"{name}={by_box}")
    assert chapter.page.url.endswith("#" + chapter.state)
    assert chapter.wrong(f"{name}={by_box}") == [] and chapter.wrong_sentences(f"{name}={by_box}") == []
    low, high = (float(slider.get_attribute(end)) for end in ("min", "max"))
    assert float(slider.input_value()) == pytest.approx(min(max(float(by_box), low), high))
    slider.fill(by_slider)
    chapter.shows(f"{name}={by_slider}")
    assert box.input_value() == by_slider


@pytest.mark.parametrize("name", PAIRS)
def test_the_boxes_of_a_pair_drive_the_state(chapter, name):
    values = list(map(str, settings_of()[name]))
    for index, text in enumerate(PAIRS[name]):
        values[index] = text
        chapter.page.locator(f"[data-list-key={name}]").nth(index).fill(text)
        chapter.shows(f"{name}={','.join(values)}")


def test_every_key_has_a_control_with_a_label(chapter):
    boxes = {name.removesuffix(" slider") for name in chapter.page.evaluate(CONTROLS)}
    assert boxes | set(PAIRS) == set(NAMES)
    nameless = chapter.page.evaluate(
        """() => [...document.querySelectorAll("form[data-controls] input")].filter((item) =>
            !(item.labels?.length || item.getAttribute("aria-label"))).length"""
    )
    assert nameless == 0


TYPED = {"abc": None, "7": "7", "": "", "1e999": None, "-0.5": "-0.5"}  # typed → as the browser passes it on


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("text", TYPED)
def test_wrong_input_is_named_in_words_and_changes_nothing(chapters, language, text):
    page = chapters[language].go("p=0.25")
    box = page.page.locator("[name=p]")
    box.fill("")
    page.page.keyboard.insert_text(text)
    page.page.wait_for_timeout(100)
    found, allowed = (TYPED[text], ALLOWED["p"][language == "zh"])
    if found is not None:
        told = shipped_content().terms.texts["live.wrong"][language]
        label = box.evaluate("box => box.labels[0].textContent")
        key = shipped_content().terms.texts["live.field"][language].format(label=label, key="p")
        assert page.status == told.format(key=key, found=found, allowed=allowed)
    assert allowed in page.status and page.page.locator("[name=p]:invalid").count() == 1
    assert page.state == canonical(settings_of("p=0.25")) and page.wrong("p=0.25") == []
    box.fill("0.75")
    page.shows("p=0.75")
    assert page.status == "" and page.page.locator("[name=p]:invalid").count() == 0


@pytest.mark.parametrize(("text", "value"), [("−0.5", -0.5), ("－０.５", -0.5), ("０.５", 0.5)])
def test_other_ways_to_write_a_number_are_never_taken_as_another_number(chapter, text, value):
    """The page itself writes −2 with a minus sign: who copies it must get −2 or a refusal, not 2."""
    box = chapter.page.locator("[name=advantage]")
    box.fill("")
    chapter.page.keyboard.insert_text(text)
    chapter.page.wait_for_timeout(100)
    shown = chapter.page.evaluate("() => RLPU.live.settings().advantage")
    assert shown in (value, settings_of()["advantage"]), (box.input_value(), shown)


@pytest.mark.parametrize("name", PAIRS)
def test_a_wrong_number_of_a_pair_is_told(chapter, name):
    box = chapter.page.locator(f"[data-list-key={name}]").first
    box.fill("-9999999")
    assert ALLOWED[name][0] in chapter.status and name in chapter.status
    chapter.wait()
    box.fill("0.125")
    assert chapter.status == ""


def test_the_default_state_comes_back(chapter):
    chapter.go("p=0.1", "rewards=3,4", "tree_kl=0.1,0.1", "vocabulary=3")
    chapter.page.locator("[name=q]").fill("9")
    chapter.page.locator("#state [data-defaults]").click()
    chapter.shows()
    assert chapter.page.locator(":invalid").count() == 0


def test_what_a_move_led_to_is_said_for_screen_readers(chapter):
    chapter.page.locator("[name=q]").fill("0")
    chapter.wait("q=0")
    said = chapter.page.locator("#live-said").inner_text()
    for name in ("directions", "support", "single-sample"):
        assert known("q=0").sentences("en")[name] in said
    assert known("q=0").sentences("en")["comparison"] not in said


# --- the address ---


def test_back_and_forward(visit):
    page = Chapter(visit(f"en/{FILE}#v=1")).wait()
    for name, text in (("p", "0.3"), ("n", "9")):
        page.page.locator(f"[name={name}]").fill(text)
        page.page.locator(f"[name={name}]").blur()
    page.page.locator("[data-list-key=tree_kl]").first.fill("0.2")
    page.page.locator("[data-list-key=tree_kl]").first.blur()
    page.shows("p=0.3", "n=9", "tree_kl=0.2,0.5")
    for step in (["p=0.3", "n=9"], ["p=0.3"], []):
        page.page.go_back()
        page.wait(*step)
    page.page.go_forward()
    page.shows("p=0.3")
    page.page.reload()
    page.shows("p=0.3")
    assert page.visit.complaints == []


def test_going_back_fills_the_box_that_has_the_focus(chapter):
    box = chapter.page.locator("[name=p]")
    box.fill("0.3")
    chapter.wait("p=0.3")
    chapter.page.go_back()
    chapter.wait()
    assert box.input_value() == "0.8"


def test_a_teachers_link_locks_and_hides_controls(chapter):
    chapter.go("p=0.6", hide="beta,tree_kl", lock="p,rewards")
    look = chapter.page.locator
    for selector in ("[name=p]", "[data-for=p]", "[data-list-key=rewards] >> nth=0"):
        assert look(selector).is_disabled(), selector
    for selector in ("[name=beta]", "[data-for=beta]", "[data-list-key=tree_kl] >> nth=0"):
        assert look(selector).is_hidden(), selector
    look("[name=q]").fill("0.3")
    chapter.wait("p=0.6", "q=0.3", hide="beta,tree_kl", lock="p,rewards")
    look("#state [data-defaults]").click()
    chapter.wait("p=0.6", hide="beta,tree_kl", lock="p,rewards")
    chapter.go()
    assert look("[name=p]").is_enabled() and look("[name=beta]").is_visible()


@pytest.mark.parametrize("name", ["tree.chain", "curve.objective.50"])
def test_a_link_to_a_number_shows_it(chapter, name):
    """One of them stands in a folded table."""
    chapter.page.evaluate("name => { location.hash = `q=0.4&show=kl-and-clipping.${name}`; }", name)
    chapter.wait("q=0.4", show=f"{PAGE}.{name}")
    marked = chapter.page.locator("data.pointed")
    assert marked.count() == 1 and marked.get_attribute("data-number") == f"{PAGE}.{name}"
    assert marked.is_visible() and 0 < marked.bounding_box()["y"] < 900


@pytest.mark.parametrize("place", ["table-cases", "part-tokens", "example"])
def test_a_link_to_a_place_goes_there(chapter, place):
    chapter.page.evaluate("scrollTo(0, 0)")
    chapter.page.evaluate("place => { location.hash = 'q=0.4&show=' + place; }", place)
    chapter.wait("q=0.4")
    assert in_view(chapter.page, f"#{place}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_mistakes_in_the_address_are_named_and_the_rest_is_taken(chapters, language):
    page = chapters[language].go()
    page.page.evaluate("location.hash = 'p=0.3&q=%EF%BC%91&beta=-1&n=1.5&tree_kl=0,0.7&foo=1&advantage=-2.5'")
    page.shows("p=0.3", "advantage=-2.5")
    problems = page.problems()
    names = [line.partition(":" if language == "en" else "：")[0] for line in problems[:-1]]
    assert names == ["q", "beta", "n", "tree_kl"] and "“foo”" in problems[-1]
    for line, name in zip(problems, ("q", "beta", "n", "tree_kl"), strict=False):
        assert ALLOWED[name][language == "zh"] in line
    assert page.go("p=0.5").problems() == []


def test_a_plain_anchor_scrolls_and_keeps_the_state(chapter):
    chapter.go("q=0.4")
    for anchor in chapter.sections():
        chapter.page.evaluate("anchor => { location.hash = anchor; }", anchor)
        chapter.page.wait_for_timeout(30)
        assert in_view(chapter.page, f"#{anchor}"), anchor
    assert chapter.state == canonical(settings_of("q=0.4")) and chapter.wrong("q=0.4") == []
    assert chapter.problems() == []
