"""publish/verifying/routes.py: every route on the shipped config: what it reaches, and that it agrees."""

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from publish.numbers.registry import Registry
from publish.verifying.routes import ROUTES
from publish.verifying.verification import difference, leaves, record_of
from tests.content_tools import shipped_content, shipped_material

BY_NAME = {route.name: route for route in ROUTES}
# At least so many numbers of the shipped pages; a route that loses its way reaches fewer.
REACHED = {"fifty": 2800, "definition": 860, "numpy": 1300, "autograd": 2700, "differences": 30}
ANEW = (
    "definition",
    "numpy",
    "autograd",
    "differences",
)  # written a second time, and not the core's code again
# What rounding leaves, in whatever arithmetic: no other can confirm it.
OF_ROUNDING = (
    "evidence.checks.*.error",
    "expectation.difference",
    "digits.kl_difference",
    "digits.sum_error",
    "digits.run.checks.sum_error",
    "digits.run.checks.kl_error",
    "digits.run.checks.gradient.identity",
    "digits.run.sensitivity.",
)
# These also differ by what a difference in float64 leaves.
ROUGHER = ("fifty", "definition", "autograd", "differences")
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
def trees(name):
    return list(BY_NAME[name].trees(shipped_content()))


@cache
def record(name):
    again = replace(BY_NAME[name], trees=lambda content: iter(trees(name)))
    return record_of(shipped_content(), shipped_material(), [again])


@pytest.mark.parametrize("name", REACHED)
def test_a_route_agrees_with_the_site(name):
    found = record(name)
    assert found["mismatched"] == 0 and found["shown"]["wrong"] == []
    assert found["routes"][name]["count"] >= REACHED[name]
    assert found["routes"][name]["largest"] <= (1e-10 if name in ROUGHER else 1e-13)


@pytest.mark.parametrize("name", ["definition", "numpy", "autograd", "differences"])
def test_what_a_route_gives_is_registered_or_known_to_be_more(name):
    registry = shipped_material().registry
    for tree in trees(name):
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


@cache
def alone():
    """The kinds of number of which a route that was written anew leaves one out: kind -> how many of them."""
    registry = shipped_material().registry
    reached = set().union(*(record(name)["numbers"] for name in ANEW))
    missed = [
        number.shape
        for number in registry.values()
        if number.id not in reached and not number.source.startswith("content/")
    ]
    return Counter(shape for shape in missed if not shape.startswith(OF_ROUNDING))


def test_every_number_but_what_rounding_leaves_has_a_route_of_its_own():
    # Where float32 may not decide about a reward's last decimal, it is left out.
    few = {"digits.grid.*.*": 10}
    assert {shape: count for shape, count in alone().items() if count > few.get(shape, 0)} == {}


@pytest.mark.parametrize(
    "number",
    [
        "faults.paths.own-group.checks.reward-shift.error",
        "faults.paths.kl-k3-in-loss.first",
        "faults.lesson.found.gradient",
        "beside.difference.gradient.0.1",
        "evidence.finite_differences.1.2",
        "faults.paths.kl-reversed.smallest.wrong_gradient.2",
        "faults.notes.equal_rewards_float32.residue",
        "plateaus.points.4.height",
        "facts.first_clipped",
        "kl-and-clipping.tokens.first_outside",
        "digits.picked.return",
    ],
)
def test_kinds_that_have_two_routes(number):
    routes = [name for name in ("fifty", *ANEW) if number in record(name)["numbers"]]
    assert routes[0] == "fifty" and len(routes) > 1


def test_the_training_is_repeated_by_autograd():
    trained = [number for number in record("autograd")["numbers"] if number.startswith("digits.run.")]
    assert len(trained) > 1200


def test_a_wrong_number_is_seen_by_every_route():
    registry = shipped_material().registry
    for name, number_id in (
        ("definition", "kl-and-clipping.gradient.gradient"),
        ("numpy", "digits.kl"),
        ("autograd", "positions.5.dlogits.1"),
        ("differences", "expectation.gradient.0.1"),
        ("fifty", "plateaus.corners.3"),
    ):
        value = next(value for tree in trees(name) for found, value in leaves(tree) if found == number_id)
        assert difference(registry[number_id].value, value) < 1e-9
        assert difference(registry[number_id].value * (1 + 1e-6) + 1e-6, value) > 5e-7
    assert isinstance(registry, Registry)
