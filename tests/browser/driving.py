"""How tests drive the live pages: change their state, wait for it, read what they show."""

from __future__ import annotations

import json
import time
from contextlib import ExitStack, contextmanager
from types import ModuleType

from tests import live_states
from tests.content_tools import shipped_content
from tests.live_states import LONGEST, READ, expected, known_state, settings_of, wrong_numbers

LANGUAGES = ("zh", "en")

PATIENCE = 5.0  # seconds

# Closes cards and boxes, in a page that other tests have used.
AFRESH = """() => {
    window.openAtFirst ||= new Map([...document.querySelectorAll("details")].map((box) => [box, box.open]));
    for (const [box, open] of openAtFirst) box.open = open;
    document.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape"}));
    document.activeElement.blur();
    scrollTo({top: 0, behavior: "instant"});
}"""

CONTROLS = """() => Object.fromEntries([...document.querySelectorAll("#controls [name]")].map((item) =>
    [item.name, item.value]))"""


class Driven:
    """A page with settings that is open in a browser. Its class says which file it is, and which states it has."""

    file: str
    states: ModuleType  # has canonical and settings_of
    start_hash = "#v=1"  # opens the default state at once

    def __init__(self, visit, language="en"):
        self.visit = visit
        self.page = visit.page
        self.language = language

    @classmethod
    def open_in(cls, visiting, language, **how):
        """Open the page for the time of a with block."""
        return visiting(f"{language}/{cls.file}{cls.start_hash}", **how)

    def go(self, *assignments, **others):
        """Open a state by the hash, as a link does: no control has the focus."""
        pairs = [*assignments, *(f"{name}={value}" for name, value in others.items())]
        self.page.evaluate(
            "hash => { document.activeElement.blur(); location.hash = hash; }", "&".join(["v=1", *pairs])
        )
        return self.wait(*assignments, **others)

    def wait(self, *assignments, **others):
        """Wait until a state is shown."""
        wanted = self.states.canonical(self.states.settings_of(*assignments), **others)
        self.page.wait_for_selector(f"html[data-state={wanted!r}]", state="attached")
        return self

    def afresh(self):
        """Leave nothing open, focused or scrolled of what another test did."""
        if self.page.url.partition("#")[0] != self.visit.address:
            self.page.goto(f"{self.visit.address}#v=1")
        self.page.evaluate(AFRESH)
        self.page.mouse.move(0, 0)
        return self

    def numbers(self):
        """Return the numbers shown: id, value, text."""
        return read(self.page, READ)

    @property
    def state(self):
        return self.page.evaluate("document.documentElement.dataset.state")

    @property
    def status(self):
        return self.page.locator("#live-status").inner_text()

    def problems(self):
        """Return the lines that name what is wrong in the address."""
        box = self.page.locator("#hash-problems")
        return box.locator("li").all_inner_texts() if box.is_visible() else []


class Live(Driven):
    """The main page."""

    file = "update.html"
    states = live_states

    def wrong(self, *assignments):
        """Return what is wrong with the numbers of a state."""
        return wrong_numbers(self.numbers(), expected(assignments))

    def shows(self, *assignments, **others):
        """Check that a state is shown: by its hash, its numbers and its controls."""
        self.wait(*assignments, **others)
        assert self.wrong(*assignments) == []
        settings = settings_of(*assignments)
        controls = self.page.evaluate(CONTROLS)
        for name, value in settings.items():
            if name == "rewards" and isinstance(value, list):
                value = "free"
            if name == "keep":
                value = min(value, LONGEST)
            if isinstance(value, str):
                assert controls[name] == value, name
            else:
                assert float(controls[name]) == value, name


@contextmanager
def in_both_languages(visiting, kind, prepare=lambda page: page.wait()):
    """Open a page in both languages, for tests that leave it in any state. Nothing may complain, or leave the site.

    kind: a class of pages, as Live. prepare: what to do with each first.
    """
    with ExitStack() as stack:
        pages = {}
        for language in LANGUAGES:
            pages[language] = kind(stack.enter_context(kind.open_in(visiting, language)), language)
            prepare(pages[language])
        yield pages
        for page in pages.values():
            assert page.visit.complaints == []
            assert {url.partition(":")[0] for url in page.visit.requests} <= {"file", "data", "blob"}


def read(page, script, argument=None):
    """Return what a function of a page gives, as JSON has it.

    It comes as one text. Playwright hands over objects piece by piece: for all numbers of a page, that takes longer
    than to compute and to draw them.
    """
    return json.loads(page.evaluate(f"async (given) => JSON.stringify(await ({script})(given))", argument))


def eventually(look):
    """Return what look() returns once it is empty, or at last."""
    started = time.monotonic()
    while (found := look()) and time.monotonic() - started < PATIENCE:
        time.sleep(0.05)
    return found


def until(page, expression, arg=None, seconds=30.0):
    """Wait until an expression is true in a page.

    Playwright's own wait_for_function makes code of a text inside the page, which the page's policy forbids.
    """
    started = time.monotonic()
    while not page.evaluate(expression, arg):
        assert time.monotonic() - started < seconds, f"waited in vain for {expression}"
        time.sleep(0.02)


def word(key, language="en", **values):
    """Return words of the page."""
    return shipped_content().terms.text(key, language, **values)


def settings_index(at):
    return known_state((f"at={at}",))["selected"]["index"]
