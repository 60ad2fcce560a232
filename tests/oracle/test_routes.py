"""publish/verifying/routes.py: every route on the shipped config: what it reaches, and that it agrees."""

from functools import cache

import pytest

from publish.numbers.registry import Registry
from publish.verifying.routes import ROUTES
from publish.verifying.verification import difference, leaves, record_of
from tests.content_tools import shipped_content, shipped_material

BY_NAME = {route.name: route for route in ROUTES}
# At least so many numbers of the shipped pages; a route that loses its way reaches fewer.
REACHED = {"fifty": 2800, "definition": 480, "numpy": 1100, "autograd": 1000, "differences": 30}
# What routes give beyond what is registered.
BESIDES = (
    "features",
    "action",
    "response",
    "position",
    "weight",
    "count",
    "index",
    "step",
    "ref_probs",
    "length",
)


@cache
def record(name):
    return record_of(shipped_content(), shipped_material(), [BY_NAME[name]])


@pytest.mark.parametrize("name", REACHED)
def test_a_route_agrees_with_the_site(name):
    found = record(name)
    assert found["mismatched"] == 0 and found["shown"]["wrong"] == []
    assert found["routes"][name]["count"] >= REACHED[name]
    assert found["routes"][name]["largest"] <= (1e-10 if name in ("fifty", "differences") else 1e-13)


@pytest.mark.parametrize("name", ["definition", "numpy", "autograd", "differences"])
def test_what_a_route_gives_is_registered_or_known_to_be_more(name):
    registry = shipped_material().registry
    for tree in BY_NAME[name].trees(shipped_content()):
        for number_id, value in leaves(tree):
            last = [part for part in number_id.split(".") if not part.isdigit()][-1]
            assert number_id in registry or last in BESIDES or value is None, number_id


def test_every_number_of_the_plain_core_is_reached():
    reached = record("fifty")["numbers"]
    missed = [number for number in shipped_material().registry if number not in reached]
    given = shipped_material().registry
    assert [
        number
        for number in missed
        if not number.startswith("digits.run.") and not given[number].source.startswith("content/")
    ] == []


def test_a_wrong_number_is_seen_by_every_route():
    registry = shipped_material().registry
    for name, number_id in (
        ("definition", "kl-and-clipping.gradient.gradient"),
        ("numpy", "digits.kl"),
        ("autograd", "positions.5.dlogits.1"),
        ("differences", "expectation.gradient.0.1"),
        ("fifty", "plateaus.corners.3"),
    ):
        value = next(
            value
            for tree in BY_NAME[name].trees(shipped_content())
            for found, value in leaves(tree)
            if found == number_id
        )
        assert difference(registry[number_id].value, value) < 1e-9
        assert difference(registry[number_id].value * (1 + 1e-6) + 1e-6, value) > 5e-7
    assert isinstance(registry, Registry)
