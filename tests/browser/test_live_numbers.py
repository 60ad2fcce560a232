"""The live page shows the numbers of `build.py state`, in every state, and what is said of them."""

from __future__ import annotations

import dataclasses
import html
import re
from contextlib import ExitStack

import pytest

from publish.numbers.registry import register
from publish.page.sentences import Sentences
from publish.update.page import update_results
from tests.browser.driving import LANGUAGES, eventually, read, settings_index, word
from tests.content_tools import shipped_config, shipped_content, shipped_subject
from tests.drawn import cases
from tests.live_states import (
    EDGES,
    READ,
    TOKENS,
    canonical,
    expected,
    known_state,
    settings_of,
    some_choices,
    wrong_numbers,
)
from tests.loopback import serving

pytestmark = pytest.mark.browser

SEED = 20260

SENTENCES = ("plateaus", "prediction", "clip-default", "kl", "loss", "clipped", "first-clip")

# What follows the state beside the numbers.
LOOK = """() => {
    const texts = (selector) => [...document.querySelectorAll(selector)].map((item) => item.textContent);
    const shown = (element) => element && !element.closest("[hidden]") ? element.textContent : null;
    return {
        rows: [...document.querySelectorAll("tr[data-row]")].map((row) => ({
            table: row.closest("figure").id, index: Number(row.dataset.row), marks: row.className,
            kind: shown(row.querySelector("[data-kind]")), clip: shown(row.querySelector("[data-clip]")) !== null,
            pressed: row.querySelector("button.pick")?.getAttribute("aria-pressed") ?? null})),
        history: [...document.querySelectorAll("#history-rows tr")].map((row) => row.cells[0].textContent),
        empty: shown(document.querySelector("[data-history=empty]")) !== null,
        head: shown(document.querySelector("[data-history=rows]")) !== null,
        skipped: shown(document.getElementById("skipped")) !== null,
        places: texts("[data-place]"), actions: texts("[data-action]"), clipWords: texts("[data-clip-word]"),
        taken: [...document.querySelectorAll(".by-action")].map((list) =>
            [...list.children].flatMap((item, index) => item.classList.contains("taken") ? [index] : [])),
        indicators: [...document.querySelectorAll("[data-indicator]")].map((item) =>
            [Number(item.dataset.indicator), item.textContent]),
        settings: [...document.querySelectorAll("[data-setting]")].map((item) =>
            [item.dataset.setting, item.textContent]),
        command: document.getElementById("command").textContent,
    };
}"""


@pytest.mark.parametrize("choice", EDGES, ids=" ".join)
def test_numbers_of_a_state_at_the_edge(live, choice):
    assert live(*choice).wrong(*choice) == []


@pytest.mark.parametrize(("language", "count"), [("en", cases(20, 600)), ("zh", cases(12, 400))])
def test_numbers_of_random_states(live, language, count):
    page = live(language=language)
    for choice in some_choices(count, SEED):
        page.go(*choice)
        assert page.wrong(*choice) == [], choice
        shown = {number["id"] for number in page.numbers()}
        known = known_state(tuple(choice))
        assert {name for name in shown if name.startswith("history.")} == {
            f"history.{n}.{field}"
            for n in range(known["step"])
            for field in ["loss", "kl", "clipped", *(f"W.{j}.{v}" for j in range(2) for v in range(3))]
        }
        assert len(shown & set(expected(choice))) > 380
    assert page.visit.complaints == []
    assert all(url.startswith("file:") for url in page.visit.requests)


def test_numbers_over_http(browser, site):
    with serving(site) as address, ExitStack() as stack:
        context = browser.new_context()
        stack.callback(context.close)
        page = context.new_page()
        requests, complaints = [], []
        page.on("request", lambda request: requests.append(request.url))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text))
        for choice in some_choices(4, SEED + 1):
            page.goto(f"{address}/en/update.html#{'&'.join(choice)}")
            page.wait_for_selector(f"html[data-state={canonical(settings_of(*choice))!r}]", state="attached")
            assert wrong_numbers(read(page, READ), expected(choice)) == [], choice
        assert all(url.startswith(address) for url in requests)
        assert complaints == []


def everything(*assignments):
    """Return all results of the page at a state."""
    config = dataclasses.replace(shipped_config(), settings=settings_of(*assignments))
    return update_results(config)


@pytest.mark.parametrize("language", LANGUAGES)
def test_facts_curves_and_sentences_follow(live, language):
    """They are computed after the state's numbers, in slices."""
    page = live(language=language)
    content = shipped_content()
    for choice in [
        ["rewards=equal"],
        ["keep=0"],
        ["learning_rate=2", "beta=0"],
        *some_choices(cases(3, 30), SEED + 2),
    ]:
        page.go(*choice)
        results = everything(*choice)
        results["curves"] = results["curves"][: len(shipped_config().beta_choices)]
        subject = dataclasses.replace(shipped_subject(), results=results, positions=results["positions"])
        registry = register(subject, content.declarations, content.ignored, content.terms)
        values = {
            name: number.value
            for name, number in registry.items()
            if name.startswith(("curves.", "facts.")) or name in expected(choice)
        }
        assert eventually(lambda values=values: wrong_numbers(page.numbers(), values)) == [], choice
        say = Sentences(
            subject, content.terms, language, lambda name, known=registry: html_number(known, name)
        )
        wanted = {name: plain(say(name)) for name in SENTENCES}
        assert eventually(lambda wanted=wanted: wrong_sentences(page.page, wanted)) == [], choice
    assert page.visit.complaints == []


def html_number(registry, name):
    from markupsafe import Markup

    return Markup.escape(registry[name].text)


def plain(markup):
    """Return the text of markup."""
    return html.unescape(re.sub("<[^>]+>", "", str(markup)))


def wrong_sentences(page, wanted):
    """Return the sentences that are not as wanted."""
    said = page.evaluate(
        "() => [...document.querySelectorAll('[data-sentence]')].map((s) => [s.dataset.sentence, s.textContent])"
    )
    assert {name for name, _ in said} >= set(wanted) - {"clip-default"}
    return [(name, text, wanted[name]) for name, text in said if name in wanted and text != wanted[name]]


def test_the_table_of_the_clip_chart_follows(live):
    """Its rows are those of the state: no row stays that the state does not have."""
    page = live()
    for choice in [["keep=2"], ["rewards=two-neutral"], ["step=5"]]:
        page.go(*choice)
        points = known_state(tuple(choice))["plateaus"]["points"]
        rows = page.page.evaluate(
            """() => [...document.querySelectorAll("#chart-plateaus tbody tr")].map((row) =>
                [...row.querySelectorAll("data")].map((number) => number.dataset.number))"""
        )
        with_ratio = [ids for ids in rows if ids[1].startswith("plateaus.points.")]
        assert [ids[0] for ids in with_ratio] == [
            f"positions.{point['index']}.advantage" for point in points
        ], choice


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_and_marks_follow(live, language):
    page = live(language=language)
    choices = [
        ["keep=0"],
        ["keep=2", "step=5"],
        ["rewards=two-neutral", "at=2.1"],
        *some_choices(cases(5, 100), SEED + 3),
    ]
    for choice in choices:
        page.go(*choice)
        state = known_state(tuple(choice))
        look = read(page.page, LOOK)
        chosen = state["positions"][state["selected"]["index"]]
        for row in look["rows"]:
            position = state["positions"][row["index"]]
            selected = row["index"] == state["selected"]["index"]
            assert row["marks"].split() == [position["kind"], *["selected"] * selected], row
            always = row["table"] == "table-details"
            kind = word(f"kind.{position['kind']}", language)
            assert row["kind"] == (kind if always or position["kind"] != "token" else None), row
            if not always:
                assert row["clip"] == position["is_clipped"], row
            if position["action"] is not None:
                assert row["pressed"] == str(selected).lower(), row
        assert look["history"] == [str(n + 1) for n in range(state["step"])]
        assert (look["empty"], look["head"]) == (state["step"] == 0, state["step"] > 0)
        assert look["skipped"] == state["skipped"]
        names = {"response": chosen["response"] + 1, "position": chosen["position"] + 1}
        assert set(look["places"]) == {word("place.position", language, **names)}
        assert set(look["actions"]) == {str(chosen["action"])}
        assert len(look["taken"]) >= 3 and all(taken == [chosen["action"]] for taken in look["taken"])
        assert all(text == str(int(v == chosen["action"])) for v, text in look["indicators"])
        said = (
            "neutral" if chosen["advantage"] == 0 else "is_clipped" if chosen["is_clipped"] else "not_clipped"
        )
        assert set(look["clipWords"]) == {word(f"chain.{said}", language)}
        assert settings_of(*command_assignments(look["command"])) == state["settings"], look["command"]


def command_assignments(command):
    """Return the KEY=VALUE texts of a command shown."""
    start = "python build.py state"
    assert command.startswith(start)
    return [part for part in command.removeprefix(start).split(" ") if part and part != "--set"]


def test_followed_numbers_are_the_selected_tokens(live):
    page = live()
    index = {at: settings_index(at) for at in TOKENS}
    for at in TOKENS:
        page.go(f"at={at}")
        ids = page.page.evaluate(
            """() => [...document.querySelectorAll("#chain data, #follow data")].map((n) => n.dataset.number)"""
        )
        positions = {name.split(".")[1] for name in ids if name.startswith("positions.")}
        groups = {name.split(".")[1] for name in ids if name.startswith(("rewards.", "advantages."))}
        assert (positions, groups) == ({str(index[at])}, {at.split(".")[0]})
        assert len(ids) > 60
        assert page.wrong(f"at={at}") == []
