"""How tests drive the chapter on KL and clipping: open a state, wait for it, say what is wrong with what it shows."""

from __future__ import annotations

import math

from compute.kl_chapter import PAGE
from tests import kl_states
from tests.browser.driving import Driven, read
from tests.kl_states import known, settings_of

FILE = f"{PAGE}.html"

SAID = """() => [...document.querySelectorAll("main [data-sentence]")].map((sentence) =>
    [sentence.dataset.sentence, sentence.textContent])"""

DRAWN = """([name, paths]) => {
    const plot = document.querySelector(`.plot[data-chart="${name}"]`);
    return paths.map((path) => RLPU.at(plot, path.split(".")) ?? null);
}"""

CONTROLS = """() => Object.fromEntries([...document.querySelectorAll("form[data-controls] :is([name], [data-for])")]
    .map((item) => [item.name || item.dataset.for + " slider", item.value]))"""

BOXES = (
    """key => [...document.querySelectorAll(`[data-list-key="${key}"]`)].map((box) => Number(box.value))"""
)


class Chapter(Driven):
    """The chapter, open in a browser."""

    file = FILE
    states = kl_states

    def wrong(self, *assignments):
        """Return what is wrong with the numbers shown."""
        return known(*assignments).wrong_numbers(self.numbers(), self.language)

    def wrong_sentences(self, *assignments):
        """Return the sentences that say something else than Python."""
        wanted = known(*assignments).sentences(self.language)
        said = read(self.page, SAID)
        assert {name for name, _ in said} == set(wanted)
        return [(name, text, wanted[name]) for name, text in said if text != wanted[name]]

    def wrong_drawing(self, chart, *assignments):
        """Return the places of a chart that draw something else than the results."""
        wanted = known(*assignments).drawn(chart, self.language)
        found = read(self.page, DRAWN, [chart, list(wanted)])
        return [
            (path, shown, value)
            for (path, value), shown in zip(wanted.items(), found, strict=True)
            if not alike(shown, value)
        ]

    def shows(self, *assignments, **others):
        """Check that a state is shown: by its hash, in the address too, its numbers and its controls."""
        self.wait(*assignments, **others)
        assert self.wrong(*assignments) == []
        controls = self.page.evaluate(CONTROLS)
        for name, value in settings_of(*assignments).items():
            if isinstance(value, list):
                assert self.page.evaluate(BOXES, name) == value, name
            else:
                assert float(controls[name]) == value, name
        return self

    def sections(self):
        """Return the ids that links of the contents lead to."""
        return self.page.locator(".contents a").evaluate_all(
            "links => links.map((link) => link.hash.slice(1))"
        )


def alike(shown, value):
    """Tell whether a chart's value is that of the results, to 1e-9."""
    if isinstance(value, list):
        return isinstance(shown, list) and len(shown) == len(value) and all(map(alike, shown, value))
    if value is None or shown is None:
        return shown is value
    if isinstance(value, str):
        return bool(shown == value)
    return math.isclose(shown, value, rel_tol=1e-9, abs_tol=1e-9)
