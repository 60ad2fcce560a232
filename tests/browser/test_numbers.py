"""Every number in the pages is the core's: the state's as `build.py state` prints it, all as in the data file."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from tests.browser.driving import read
from tests.live_states import READ

pytestmark = pytest.mark.browser

ROOT = Path(__file__).resolve().parents[2]
SUPERSCRIPT = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


@pytest.fixture(scope="module")
def state():
    """Return what the command line prints for the default state."""
    command = [sys.executable, "build.py", "state"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, encoding="utf-8")
    return dict(leaves(json.loads(done.stdout)))


@pytest.fixture
def registered(site):
    """Return the numbers of the data file."""
    return json.loads((site / "data" / "numbers.json").read_text(encoding="utf-8"))["numbers"]


def leaves(value, path=""):
    """Yield (dotted path, leaf) for everything in a JSON document."""
    if isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, f"{path}.{key}" if path else str(key))
    else:
        yield path, value


def same(written, value):
    """Tell whether an element's value attribute says the value, to 1e-12."""
    if value is None or isinstance(value, str):
        return written == (value or "")
    return math.isclose(float(written), value, rel_tol=1e-12, abs_tol=1e-12)


def says(text, value):
    """Tell whether a displayed text is the value, rounded to as many digits as the text has."""
    if value is None or isinstance(value, str):
        return text == {None: "—", "inf": "∞", "-inf": "−∞"}.get(value)
    if bound := re.fullmatch(r"< 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", text):  # an error, of which only the size is certain
        return abs(Decimal(value)) < Decimal(1).scaleb(int(bound[1].translate(SUPERSCRIPT)))
    match = re.fullmatch(r"(−?)(\d+)(\.\d+)?(?: × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?", text)
    if not match:
        return False
    sign, whole, fraction, power = match.groups()
    exponent = int((power or "0").translate(SUPERSCRIPT))
    shown = Decimal(whole + (fraction or "")).scaleb(exponent)
    unit = Decimal(1).scaleb(exponent - len(fraction or ".") + 1)
    return abs((-shown if sign else shown) - Decimal(value)) <= unit / 2


@pytest.mark.parametrize("javascript", [False, True])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_page_shows_the_state(visit, state, registered, language, javascript):
    page = visit(f"{language}/update.html", javascript=javascript).page
    numbers = read(page, READ)
    assert len(numbers) > 800
    of_state = [number for number in numbers if number["id"] in state]
    assert len(of_state) > 400
    for number in of_state:
        assert same(number["value"], state[number["id"]]), number
    for number in numbers:
        expected = registered[number["id"]]
        assert same(number["value"], expected["value"]), number
        assert number["text"] == expected["text"], number
        assert says(number["text"], expected["value"]), number


def test_the_whole_state_is_on_the_page(visit, state):
    """Each result stands somewhere on the page, except indices, and the weight of what is never counted."""
    shown = {number["id"] for number in read(visit().page, READ)}
    beside = re.compile(r"positions\.\d+\.(response|position)|selected\.index|settings\.(at|step)|kl_exact")
    uncounted = {
        path for path, kind in state.items() if path.endswith(".kind") and kind in ("prompt", "padding")
    }
    beside_uncounted = {path.replace("kind", name) for path in uncounted for name in ("weight", "advantage")}
    missing = {
        re.sub(r"\d+", "*", path)
        for path, value in state.items()
        if isinstance(value, (int, float)) and not isinstance(value, bool)
        if path not in shown and not beside.fullmatch(path) and path not in beside_uncounted
    }
    assert missing == set()


def test_both_languages_show_the_same_numbers(visit):
    chinese, english = (read(visit(f"{language}/update.html").page, READ) for language in ("zh", "en"))

    def pairs(numbers):
        return sorted((number["id"], number["text"]) for number in numbers)

    assert pairs(chinese) == pairs(english)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("−0.0594", -0.05944),
        ("1.39 × 10⁻¹⁷", 1.3877e-17),
        ("10", 10),
        ("—", None),
        ("∞", "inf"),
        ("0.5", 0.5),
        ("0.000000", 0.0),
    ],
)
def test_a_right_text_is_recognised(text, value):
    assert says(text, value)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("−0.0594", 0.0594),
        ("0.0594", 0.05946),
        ("1.39 × 10⁻¹⁶", 1.39e-17),
        ("-1", -1),
        ("0", None),
        ("1", "inf"),
    ],
)
def test_a_wrong_text_is_noticed(text, value):
    assert not says(text, value)
