"""The live page in Firefox, from file://: another engine for scripts and WebAssembly, the same numbers."""

from __future__ import annotations

import json

import pytest

from publish.content import PAGES
from tests import kl_states
from tests.browser.chapter import FILE, SAID
from tests.browser.conftest import READ_THROUGH
from tests.browser.firefox import firefox
from tests.content_tools import shipped_content
from tests.live_states import READ, canonical, expected, settings_of, some_choices, wrong_numbers
from tests.loopback import serving

pytestmark = pytest.mark.browser

SHOWN = """new Promise((done) => {
    const wanted = %s, started = performance.now();
    const look = () => {
        const now = document.documentElement.dataset.state;
        if (now === wanted || performance.now() - started > 20000) done(now);
        else setTimeout(look, 20);
    };
    look();
})"""


@pytest.fixture(scope="module")
def window():
    """Return a Firefox for the tests that need no setting of its own."""
    with firefox() as opened:
        yield opened


@pytest.mark.parametrize("language", ["zh", "en"])
def test_numbers_of_random_states(window, site, language):
    window.logged.clear()
    window.open(f"{(site / language / 'update.html').as_uri()}#v=1")
    for choice in [["keep=0"], ["beta=1e6"], ["rewards=equal", "step=20"], *some_choices(8, 41)]:
        window.evaluate(f"location.hash = {json.dumps('&'.join(['v=1', *choice]))}")
        wanted = canonical(settings_of(*choice))
        assert window.evaluate(SHOWN % json.dumps(wanted)) == wanted
        numbers = window.evaluate(f"({READ})()")
        assert wrong_numbers(numbers, expected(choice)) == [], choice
        assert len({number["id"] for number in numbers} & set(expected(choice))) > 380
    assert window.logged == []


def test_controls_drive_the_state(window, site):
    window.logged.clear()
    window.open(f"{(site / 'en' / 'update.html').as_uri()}#v=1")
    window.evaluate(SHOWN % json.dumps(canonical(settings_of())))
    window.evaluate("document.getElementById('step-apply').click()")
    wanted = canonical(settings_of("step=1"))
    assert window.evaluate(SHOWN % json.dumps(wanted)) == wanted
    window.evaluate(
        """(() => {
            const slider = document.querySelector("[name=keep]");
            slider.value = "2";
            slider.dispatchEvent(new Event("input", {bubbles: true}));
        })()"""
    )
    wanted = canonical(settings_of("step=1", "keep=2"))
    assert window.evaluate(SHOWN % json.dumps(wanted)) == wanted
    assert wrong_numbers(window.evaluate(f"({READ})()"), expected(["step=1", "keep=2"])) == []
    assert window.logged == []


def test_the_chapter_shows_its_states_and_runs_its_program(window, site):
    window.logged.clear()
    window.open(f"{(site / 'zh' / FILE).as_uri()}#v=1")
    for choice in [[], ["q=0"], ["p=0", "q=0", "n=64", "length=3"], *kl_states.some_choices(3, 41)]:
        window.evaluate(f"location.hash = {json.dumps('&'.join(['v=1', *choice]))}")
        wanted = kl_states.canonical(kl_states.settings_of(*choice))
        assert window.evaluate(SHOWN % json.dumps(wanted)) == wanted
        known = kl_states.known(*choice)
        assert known.wrong_numbers(window.evaluate(f"({READ})()"), "zh") == [], choice
        assert dict(window.evaluate(f"({SAID})()")) == known.sentences("zh")
    window.evaluate(
        """(() => {
            const box = document.querySelector("[name=p]");
            box.value = "0.25";
            box.dispatchEvent(new Event("input", {bubbles: true}));
            document.getElementById("example-run").click();
        })()"""
    )
    wanted = kl_states.canonical(kl_states.settings_of("p=0.25", *choice_without(choice, "p")))
    assert window.evaluate(SHOWN % json.dumps(wanted)) == wanted
    printed = window.evaluate(
        """new Promise((done) => {
            const look = () => document.getElementById("example-stop").hidden
                ? done(document.getElementById("example-output").textContent) : setTimeout(look, 20);
            look();
        })"""
    )
    assert "KL(p || q) = 0.192745" in printed and "all assertions hold" in printed
    assert window.logged == []


WATCH = """() => {
    globalThis.violations = [];
    document.addEventListener("securitypolicyviolation", (event) =>
        violations.push([event.effectiveDirective, event.blockedURI]));
}"""
SLIP_IN = """document.body.append(
    Object.assign(document.createElement("script"), {textContent: "var slipped = 1"}),
    Object.assign(document.createElement("img"), {src: "https://example.invalid/a.png"}))"""


@pytest.mark.parametrize("scheme", ["file", "http"])
def test_the_policy_forbids_nothing_that_pages_do_and_what_is_slipped_in(window, site, scheme):
    window.logged.clear()
    watching = window.send("script.addPreloadScript", functionDeclaration=WATCH)["script"]
    with serving(site) as host:
        for page in PAGES:
            address = (
                (site / "zh" / f"{page}.html").as_uri() if scheme == "file" else f"{host}/zh/{page}.html"
            )
            window.open(address)
            window.evaluate(f"({READ_THROUGH})()")
            assert window.evaluate("violations") == [], page
        assert window.logged == []
        window.evaluate(SLIP_IN)
        window.evaluate("new Promise((done) => setTimeout(done, 300))")
        assert window.evaluate("[typeof slipped, violations.map(([name]) => name).sort()]") == [
            "undefined",
            ["img-src", "script-src-elem"],
        ]
    window.send("script.removePreloadScript", script=watching)


def choice_without(choice, name):
    """Return KEY=VALUE texts without those of a key."""
    return [pair for pair in choice if not pair.startswith(f"{name}=")]


def test_without_webassembly_the_default_numbers_stay(site):
    with firefox(**{"javascript.options.wasm": False}) as window:
        window.open(f"{(site / 'en' / 'update.html').as_uri()}#beta=0.5")
        assert window.evaluate("typeof WebAssembly") == "undefined"
        said = window.evaluate(
            """new Promise((done) => setTimeout(() => done(document.getElementById("live-status").textContent), 500))"""
        )
        assert said == shipped_content().terms.text("live.failed", "en")
        numbers = window.evaluate(f"({READ})()")
        assert len(numbers) > 800 and wrong_numbers(numbers, expected(())) == []
        assert window.logged == []
