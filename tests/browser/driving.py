"""How tests drive the live page: change its state, wait for it, read what it shows."""

from __future__ import annotations

import time

from tests.content_tools import shipped_content
from tests.live_states import (
    LONGEST,
    READ,
    canonical,
    expected,
    known_state,
    settings_of,
    wrong_numbers,
)

LANGUAGES = ("zh", "en")

PATIENCE = 5.0  # seconds

CONTROLS = """() => Object.fromEntries([...document.querySelectorAll("#controls [name]")].map((item) =>
    [item.name, item.value]))"""


class Live:
    """A page that is open and live."""

    def __init__(self, visit, language="en"):
        self.visit = visit
        self.page = visit.page
        self.language = language

    def go(self, *assignments, **others):
        """Open a state by the hash."""
        pairs = [*assignments, *(f"{name}={value}" for name, value in others.items())]
        self.page.evaluate("hash => { location.hash = hash; }", "&".join(["v=1", *pairs]))
        return self.wait(*assignments, **others)

    def wait(self, *assignments, **others):
        """Wait until a state is shown."""
        wanted = canonical(settings_of(*assignments), **others)
        self.page.wait_for_selector(f"html[data-state={wanted!r}]", state="attached")
        return self

    def wrong(self, *assignments):
        """Return what is wrong with the numbers of a state."""
        return wrong_numbers(self.page.evaluate(READ), expected(assignments))

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

    @property
    def status(self):
        return self.page.locator("#live-status").inner_text()

    def problems(self):
        """Return the lines that name what is wrong in the address."""
        box = self.page.locator("#hash-problems")
        return box.locator("li").all_inner_texts() if box.is_visible() else []


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
