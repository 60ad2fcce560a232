"""States of the live page: which to try, what Python says of them, and how the page's numbers differ from that."""

from __future__ import annotations

import math
from decimal import Decimal
from functools import cache
from random import Random
from urllib.parse import quote

from compute.paths import PATHS
from compute.plateaus import plateaus
from compute.state import state
from publish.numbers.registry import leaves, shape_of
from publish.page.keys import SCHEMA, chosen_settings
from publish.update.settings import update_keys
from publish.words.formatting import number_text, setting_text
from tests.content_tools import shipped_config, shipped_content

KEYS = update_keys(shipped_config())
LONGEST = 4  # tokens of the longest response of the shipped batch
TOKENS = ("0.0", "0.1", "0.2", "0.3", "1.0", "1.1", "2.0", "2.1", "2.2", "3.0")

# Each is a state at an edge of what is allowed.
EDGES = (
    ["keep=0"],
    ["keep=0", "step=20", "normalization=response"],
    ["keep=1000000000"],
    ["rewards=equal", "step=3"],
    ["rewards=0,0,0,0"],
    ["rewards=-1000000,1000000,0.1,1e-9", "step=2"],
    ["beta=0", "step=20"],
    ["beta=1e6"],
    ["beta=1e6", "rewards=equal"],
    ["beta=1e-300", "step=7"],
    ["clip_epsilon=1e-9", "step=4"],
    ["clip_epsilon=0.999999999", "step=20"],
    ["learning_rate=1000", "step=2"],
    ["learning_rate=5", "step=20", "rewards=two-neutral"],
    ["learning_rate=1e-12", "step=20"],
    *([f"at={at}", "step=1"] for at in TOKENS),
)

# The page's numbers, and what of a row or word follows the state.
READ = """() => [...document.querySelectorAll("data.number")].map((number) =>
    ({id: number.dataset.number, value: number.value, text: number.textContent}))"""


def random_choice(rng: Random) -> list[str]:
    """Return KEY=VALUE texts: some keys, drawn from what the controls and links reach."""
    values = {
        "normalization": rng.choice(["token", "response"]),
        "keep": rng.randrange(6),
        "beta": rng.choice([0, 0.05, 0.1, 0.2, 0.5, round(rng.uniform(0, 3), 3), rng.uniform(0, 1)]),
        "clip_epsilon": rng.choice([0.01, 0.1, 0.3, 0.99, rng.uniform(0.001, 0.999)]),
        "learning_rate": rng.choice([0.01, 0.3, 1, 2, rng.uniform(0.001, 2)]),
        "rewards": rng.choice(
            [
                *shipped_config().setup["rewards"],
                ",".join(str(round(rng.uniform(-2, 2), 3)) for _ in range(4)),
            ]
        ),
        "path": rng.choice(list(PATHS)),
        "step": rng.choice([0, 1, 20, rng.randrange(21)]),
        "at": rng.choice(TOKENS),
    }
    return [f"{name}={value}" for name, value in values.items() if rng.random() < 0.7]


def some_choices(count: int, seed: int) -> list[list[str]]:
    """Return so many random states."""
    rng = Random(seed)
    return [random_choice(rng) for _ in range(count)]


def settings_of(*assignments: str) -> dict:
    """Return the settings that KEY=VALUE texts choose."""
    return chosen_settings(KEYS, shipped_config().settings, assignments, None)


def written(value) -> str:
    """Return a setting as JavaScript writes it."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return ",".join(map(written, value))
    if value == 0 or 1e-6 <= abs(value) < 1e21:
        text = format(Decimal(repr(value)), "f")
        return text.removesuffix(".0")
    mantissa, _, exponent = repr(value).partition("e")
    return f"{mantissa}e{int(exponent):+d}"


def canonical(settings: dict, **others: str) -> str:
    """Return the canonical hash of settings."""
    pairs = [f"v={SCHEMA}", *(f"{key.name}={written(settings[key.name])}" for key in KEYS)]
    return "&".join([*pairs, *(f"{name}={quote(value)}" for name, value in others.items())])


@cache
def known_state(assignments: tuple[str, ...]) -> dict:
    """Return the state, and the clip chart beside it, of a choice of settings."""
    config = shipped_config()
    settings = settings_of(*assignments)
    found = state(config.setup, settings)
    return found | {"plateaus": plateaus(found["positions"], settings["clip_epsilon"], settings["path"])}


def expected(assignments) -> dict:
    """Return id → value for every number of a state."""
    return {".".join(path): value for path, value in leaves(known_state(tuple(assignments)))}


def text_of(number_id: str, value) -> str:
    """Return how a number is written in the page."""
    content = shipped_content()
    shape = shape_of(tuple(number_id.split(".")), content.declarations, content.ignored)
    entry = content.declarations[shape]
    return setting_text(value) if entry.style == "setting" else number_text(value, entry.decimals)


def same(machine: str, value) -> bool:
    """Tell whether a value attribute says the value, to 1e-9."""
    if value is None or isinstance(value, str):
        return machine == (value or "")
    try:
        return math.isclose(float(machine), value, rel_tol=1e-9, abs_tol=1e-9)
    except ValueError:
        return False


def wrong_numbers(numbers: list[dict], values: dict) -> list[str]:
    """Return what is wrong with the page's numbers; those that `values` does not have are left out."""
    wrong = []
    for number in numbers:
        number_id, text = number["id"], number["text"]
        if number_id not in values:
            continue
        value = values[number_id]
        if not same(number["value"], value):
            wrong.append(f"{number_id}: {number['value']!r}, not {value!r}")
        elif text != text_of(number_id, value):
            wrong.append(f"{number_id}: written {text!r}, not {text_of(number_id, value)!r}")
    return wrong
