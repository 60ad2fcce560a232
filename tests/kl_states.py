"""States of the chapter on KL and clipping: which to try, and everything that Python says of them."""

from __future__ import annotations

import dataclasses
import html
import re
from functools import cache
from random import Random
from urllib.parse import quote

from markupsafe import Markup

from compute.chain_rule import LARGEST_BINARY_KL
from compute.kl_chapter import PAGE, chapter
from publish.kl.config import LARGEST_RATIO, LARGEST_VOCABULARY, LONGEST
from publish.kl.settings import KEYS
from publish.numbers.registry import register
from publish.page.keys import SCHEMA, chosen_settings
from publish.page.sentences import Sentences
from tests.content_tools import shipped_content, shipped_material
from tests.live_states import same, written

# Each is a state at an edge of what is allowed, or where a result is infinite or undefined.
EDGES = (
    [],
    ["q=0"],
    ["q=1", "p=0.3"],
    ["p=0"],
    ["p=1"],
    ["p=0", "q=0", "n=3"],
    ["p=1", "q=0"],
    ["beta=0", "rewards=0.5,0.5"],
    ["beta=1e6"],
    ["n=1", "p=0.3"],
    [f"n={LONGEST}", "q=1e-12", "rewards=-1000000,1000000"],
    ["token_ratio=1e-300", f"length={LONGEST}"],
    [f"token_ratio={LARGEST_RATIO}", f"length={LONGEST}", "ratio=100", "clip_epsilon=0.999999"],
    ["token_ratio=1.2", "length=1", "vocabulary=2"],
    ["tree_q=0", f"tree_kl={LARGEST_BINARY_KL!r},0"],
    ["tree_q=1", "tree_p=1", "tree_kl=0,0"],
    ["advantage=0", "ratio=0"],
    ["ratio=1.2", "advantage=2"],
    ["ratio=0.8", "advantage=-2", f"vocabulary={LARGEST_VOCABULARY}"],
)


def random_choice(rng: Random) -> list[str]:
    """Return KEY=VALUE texts: some keys, drawn from what the controls and links reach."""
    share = lambda: rng.choice([0.5, round(rng.random(), 2), rng.random()])  # noqa: E731
    values = {
        "p": share(),
        "q": share(),
        "rewards": f"{round(rng.uniform(-2, 2), 3)},{rng.randrange(-2, 3)}",
        "beta": rng.choice([0.01, 0.3, 1, round(rng.uniform(0, 3), 3)]),
        "n": rng.randrange(1, LONGEST + 1),
        "ratio": rng.choice([0.9, 1, 1.1, round(rng.uniform(0, 3), 2)]),
        "advantage": round(rng.uniform(-3, 3), 1),
        "clip_epsilon": rng.choice([0.1, 0.5, rng.uniform(0.01, 0.99)]),
        "token_ratio": rng.choice([0.9, 1, 1.01, rng.uniform(0.5, 1.5)]),
        "length": rng.randrange(1, LONGEST + 1),
        "tree_p": share(),
        "tree_q": share(),
        "tree_kl": f"{rng.uniform(0, 0.69)},{round(rng.uniform(0, 0.69), 2)}",
        "vocabulary": rng.randrange(2, 101),
    }
    return [f"{name}={value}" for name, value in values.items() if rng.random() < 0.7]


def some_choices(count: int, seed: int) -> list[list[str]]:
    """Return so many random states."""
    rng = Random(seed)
    return [random_choice(rng) for _ in range(count)]


def settings_of(*assignments: str) -> dict:
    """Return the settings that KEY=VALUE texts choose."""
    return chosen_settings(KEYS, shipped_material().subjects[PAGE].settings, assignments, None)


def canonical(settings: dict, **others: str) -> str:
    """Return the canonical hash of settings."""
    pairs = [f"v={SCHEMA}", *(f"{key.name}={written(settings[key.name])}" for key in KEYS)]
    return "&".join([*pairs, *(f"{name}={quote(value)}" for name, value in others.items())])


class Known:
    """What Python says of one state: results, registered numbers, sentences, figures."""

    def __init__(self, *assignments: str) -> None:
        content = shipped_content()
        shipped = shipped_material().subjects[PAGE]
        settings = settings_of(*assignments)
        self.subject = dataclasses.replace(
            shipped, settings=settings, results=chapter(shipped.setup, settings)
        )
        self.found = self.subject.results[PAGE]
        self.registry = register(self.subject, content.declarations, content.ignored, content.terms)

    def text(self, number_id: str, language: str) -> str:
        """Return how a number is written in the page."""
        number = self.registry[number_id]
        return word("number.undefined", language) if number.value == "nan" else number.text

    def wrong_numbers(self, numbers: list[dict], language: str) -> list[str]:
        """Return what is wrong with the page's numbers: an unknown id, another value, another text."""
        wrong = []
        for shown in numbers:
            name = shown["id"]
            if name not in self.registry:
                wrong.append(f"{name}: shown, but no result of this state")
            elif not same(shown["value"], value := self.registry[name].value):
                wrong.append(f"{name}: {shown['value']!r}, not {value!r}")
            elif shown["text"] != (text := self.text(name, language)):
                wrong.append(f"{name}: written {shown['text']!r}, not {text!r}")
        return wrong

    def sentences(self, language: str) -> dict[str, str]:
        """Return every computed sentence as text."""
        terms = shipped_content().terms
        say = Sentences(self.subject, terms, language, lambda name: Markup(self.text(name, language)))
        return {name: html.unescape(re.sub("<[^>]+>", "", str(say(name)))) for name in self.subject.findings}

    def drawn(self, chart: str, language: str) -> dict:
        """Return what a chart draws of the results: path in the figure → value."""
        figure = self.subject.figures[chart](self.subject.results, lambda key: word(key, language))
        return {path: inside(figure, path) for path, _ in figure["bind"]}


def inside(value: dict, path: str):
    """Return what a dotted path leads to in a figure."""
    for part in path.split("."):
        value = value[int(part)] if isinstance(value, list) else value[part]
    return value


def word(key: str, language: str, **values: object) -> str:
    """Return words of the page."""
    return shipped_content().terms.text(key, language, **values)


@cache
def known(*assignments: str) -> Known:
    """Return what Python says of a state; computed once."""
    return Known(*assignments)
