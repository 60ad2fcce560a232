"""States of the experiment's page: which to try, and everything that Python says of them."""

from __future__ import annotations

import dataclasses
import html
import re
from functools import cache

from markupsafe import Markup

from compute.digits_live import PAGE
from publish.digits.cache import digits_results
from publish.digits.config import load_digits_config
from publish.digits.page import state_of
from publish.numbers.registry import register, shape_of, text_of
from publish.page.charts import drawable
from publish.page.keys import SCHEMA, chosen_settings
from publish.page.sentences import Sentences
from publish.words.formatting import round_half_up
from tests.content_tools import CONTENT, shipped_content, shipped_material
from tests.live_states import same, written


@cache
def config():
    """Return the shipped configuration of the experiment."""
    return load_digits_config(CONTENT)


*_, U, V = config().settings  # the keys of both digits of the answer

# Every beta, checkpoints shipped and not, the reference, training and held-out inputs, answers right and wrong.
CHOICES = (
    [],
    ["update=0"],
    ["beta=0.1", "a=0", "b=0", f"{U}=0", f"{V}=0"],
    ["beta=0.1", "seed=1", "update=50", "a=9", "b=9", f"{U}=1", f"{V}=8"],
    ["beta=0.3", "update=200", "a=2", "b=5", f"{U}=9", f"{V}=9"],
    ["beta=0.3", "seed=7", "update=390", "a=3", "b=4"],
    ["beta=1", "seed=1", "a=5", "b=5"],
    ["beta=1", "update=10"],
    ["beta=3", "update=350", "a=8", "b=1", f"{U}=0", f"{V}=9"],
    ["beta=3", "seed=1", "update=100", "a=1", "b=8"],
    ["beta=3", "seed=5", "update=0", "a=6", "b=6"],
    ["seed=1", "update=300", "a=4", "b=0", f"{U}=7", f"{V}=7"],
    ["seed=1", "update=0", "a=9", "b=0"],
    ["seed=6"],
    ["update=150", "a=0", "b=9", f"{U}=0", f"{V}=9"],
)


@cache
def trained():
    """Return the shipped experiment's results."""
    return digits_results(config().setup)


def subject():
    """Return the page at its default state."""
    return shipped_material().subjects[PAGE]


def settings_of(*assignments: str) -> dict:
    """Return the settings that KEY=VALUE texts choose."""
    return chosen_settings(subject().keys, subject().settings, assignments, None)


def canonical(settings: dict) -> str:
    """Return the canonical hash of settings."""
    return "&".join([f"v={SCHEMA}", *(f"{key.name}={written(settings[key.name])}" for key in subject().keys)])


class Known:
    """What Python says of one state: results, registered numbers, sentences, classes of cells, curves."""

    def __init__(self, *assignments: str) -> None:
        content, shipped = shipped_content(), subject()
        self.settings = settings_of(*assignments)
        self.found = state_of(trained(), self.settings)
        results = {PAGE: self.found | {"run": shipped.results[PAGE]["run"]}}
        self.subject = dataclasses.replace(shipped, settings=self.settings, results=results)
        self.registry = register(self.subject, content.declarations, content.ignored, content.terms)
        self.uncertainty = shipped.uncertainty

    def wrong_numbers(self, numbers: list[dict]) -> list[str]:
        """Return what is wrong with the page's numbers: an unknown id, another value, a text that is not the value's.

        What rounding leaves of a difference is compared to 1e-9 only; its text is that of the page's own value.
        """
        wrong = []
        for shown in numbers:
            name, value = shown["id"], shown["value"]
            if name not in self.registry:
                wrong.append(f"{name}: shown, but no result of this state")
            elif not same(value, wanted := self.registry[name].value):
                wrong.append(f"{name}: {value!r}, not {wanted!r}")
            elif shown["text"] != (text := text_at(name, value, wanted, self.uncertainty.get(name))):
                wrong.append(f"{name}: written {shown['text']!r}, not {text!r}")
        return wrong

    def sentences(self, language: str) -> dict[str, str]:
        """Return every computed sentence as text."""
        show = lambda name: Markup.escape(self.registry[name].text)  # noqa: E731
        say = Sentences(self.subject, shipped_content().terms, language, show)
        return {name: html.unescape(re.sub("<[^>]+>", "", str(say(name)))) for name in self.subject.findings}

    def grid_cells(self) -> dict[str, list[str]]:
        """Return the classes of each cell of the grid of inputs."""
        grid, training = self.found["grid"], trained()["inputs"]["training"]
        chosen = (self.settings["a"], self.settings["b"])
        return {
            f"{a}{b}": sorted(
                [level(grid[a][b]), *["training"] * training[a][b], *["chosen"] * ((a, b) == chosen)]
            )
            for a in range(10)
            for b in range(10)
        }

    def path_cells(self, field: str) -> dict[str, list[str]]:
        """Return the classes of each cell of a table of trajectories. field: p, q, share."""
        right, chosen = self.found["right"], (self.settings[U], self.settings[V])
        cells = {}
        for k, path in enumerate(self.found["trajectories"]):
            place = divmod(k, 10)
            shade = "q-kl" if field == "share" else level(path[field])
            marks = [
                *["chosen"] * (place == chosen),
                *["right"] * (place == (right["u"], right["v"])),
            ]
            cells[f"{place[0]}{place[1]}"] = sorted([shade, *marks])
        return cells

    def curves(self, chart: str) -> list[tuple[str, list]]:
        """Return what a chart's traces draw: name of the values, values."""
        figure = self.subject.figures[chart](self.subject.results, lambda key, **_: key)
        return [(trace["meta"], drawable(trace["y"])) for trace in figure["data"]]


def text_at(number_id: str, machine: str, wanted: object, uncertainty: float | None) -> str:
    """Return how a value that a page shows is written."""
    content = shipped_content()
    shape = shape_of(tuple(number_id.split(".")), content.declarations, content.ignored)
    is_float = isinstance(wanted, float)
    value = float(machine) if is_float else wanted
    return text_of(value, content.declarations[shape], uncertainty)


def level(value: object) -> str:
    """Return the class that shades a cell: ten steps, halves up, as the page's script rounds."""
    if not isinstance(value, float):
        return "level-none"
    return f"level-{round_half_up(value, 1)}".replace(".", "")


@cache
def known(*assignments: str) -> Known:
    """Return what Python says of a state; computed once."""
    return Known(*assignments)
