"""publish/verifying/verification.py: comparing, judging, keeping and finding again what was verified."""

import dataclasses
import json

import pytest

from publish.verifying import verification
from publish.verifying.routes import Route, nothing
from publish.verifying.verification import (
    code_digest,
    confirmed,
    difference,
    kept_record,
    key_of,
    leaves,
    record_of,
    verify,
)
from tests.content_tools import shipped_content, shipped_material

INFINITE = float("inf")


def route(trees, name="numpy", allowed=1e-9, lacks=nothing):
    """A route that gives these trees."""
    return Route(name, allowed, lacks, lambda content: iter(trees))


def of_registry(*ids, off=0.0):
    """A tree of registered values, each moved a little."""
    return {number: shipped_material().registry[number].value + off for number in ids}


def recorded(*routes):
    return record_of(shipped_content(), shipped_material(), routes)


@pytest.mark.parametrize(
    ("value", "other", "gap"),
    [
        (1.0, 1.0, 0.0),
        (0.5, 0.25, 0.25),
        (200.0, 100.0, 1.0),
        (None, None, 0.0),
        (None, 0.0, INFINITE),
        ("inf", INFINITE, 0.0),
        ("inf", "inf", 0.0),
        ("inf", 1e300, INFINITE),
        ("nan", "nan", 0.0),
        ("nan", 0.0, INFINITE),
        (3, 3, 0.0),
    ],
)
def test_difference(value, other, gap):
    assert difference(value, other) == gap


def test_leaves_are_numbers_by_id():
    tree = {"a": [1, {"b": 2.5}], "c": "word", "d": True, "e": "inf", "f": None}
    assert list(leaves(tree)) == [("a.0", 1), ("a.1.b", 2.5), ("e", "inf"), ("f", None)]


def test_what_agrees_is_counted_and_the_largest_difference_named():
    found = recorded(route([of_registry("loss"), of_registry("kl", off=1e-12)]))
    assert found["routes"]["numpy"] | {"largest": 0} == {
        "count": 2,
        "largest": 0,
        "at": "kl",
        "allowed": 1e-9,
    }
    assert found["routes"]["numpy"]["largest"] == pytest.approx(1e-12, rel=1e-3)
    assert set(found["numbers"]) == {"loss", "kl"} and confirmed(found)
    registered = len(shipped_material().registry)
    assert found["registered"] == registered
    assert len(found["unreached"]) == registered - found["given"] - 2


def test_what_differs_is_a_mismatch():
    found = recorded(route([of_registry("loss", off=1e-6)]))
    assert [(item["id"], item["route"]) for item in found["mismatches"]] == [("loss", "numpy")]
    assert found["mismatched"] == 1 and not confirmed(found)


def test_an_uncertain_number_may_differ_by_its_uncertainty():
    number = "digits.run.final.4.kl_held_out.mean"
    assert confirmed(recorded(route([of_registry(number, off=0.05)])))
    assert not confirmed(recorded(route([of_registry(number, off=50.0)])))


def test_settings_are_not_compared():
    assert recorded(route([of_registry("settings.beta")]))["routes"]["numpy"]["count"] == 0


def test_digits_shown_are_judged_by_routes_with_more_of_them():
    # 0.001 is a wrong digit, though the route allows it.
    near, far = of_registry("loss", off=1e-10), of_registry("kl", off=1e-3)
    found = recorded(route([near, far], name="fifty", allowed=1.0))
    assert found["shown"] == {"count": 2, "wrong": ["kl"]} and not confirmed(found)
    assert recorded(route([far], allowed=1.0))["shown"]["count"] == 0


def test_a_route_that_lacks_something_is_skipped_with_its_reason():
    found = recorded(route([{}], name="autograd", lacks=lambda content: ("no PyTorch", "没有 PyTorch")))
    assert found["routes"]["autograd"] == {"count": 0, "lacks": ["no PyTorch", "没有 PyTorch"]}
    assert confirmed(found)


def test_a_record_is_found_again_for_the_same_config_code_and_decimals_only(tmp_path, monkeypatch):
    material = shipped_material()
    assert kept_record(material, tmp_path) is None
    record = verify(shipped_content(), material, [route([of_registry("loss")])], tmp_path)
    assert kept_record(material, tmp_path) == record == json.loads(json.dumps(record))
    assert kept_record(dataclasses.replace(material, digest="another"), tmp_path) is None
    shape, entry = next(iter(material.declarations.items()))
    fewer = material.declarations | {shape: entry.model_copy(update={"decimals": (entry.decimals + 1) % 7})}
    assert kept_record(dataclasses.replace(material, declarations=fewer), tmp_path) is None
    monkeypatch.setattr(verification, "code_digest", lambda: "another")
    assert kept_record(material, tmp_path) is None


def test_the_key_names_the_code(monkeypatch, tmp_path):
    before = key_of(shipped_material())
    (tmp_path / "compute").mkdir()
    (tmp_path / "publish").mkdir()
    (tmp_path / "compute" / "policy.py").write_text("changed = 1\n")
    digest = code_digest()
    monkeypatch.setattr(verification, "ROOT", tmp_path)
    assert (moved := code_digest()) != digest and key_of(shipped_material()) != before
    (tmp_path / "publish" / "words").mkdir()
    (tmp_path / "publish" / "words" / "formatting.py").write_text("changed = 1\n")
    assert code_digest() != moved  # of every folder


def test_routes_are_announced():
    heard = []
    routes = list(verification.announced([route([]), route([], name="fifty")], heard.append))
    assert heard == ["numpy", "fifty"] and len(routes) == 2


def test_without_the_libraries_figures(monkeypatch, tmp_path):
    monkeypatch.setattr(verification, "PEERS", tmp_path / "nothing.json")
    assert verification.peers() is None


def test_libraries_that_differ_contradict():
    found = recorded(route([of_registry("loss")]))
    assert confirmed(found) and found["peers"]["trl"]["count"] == 27
    found["peers"]["trl"]["largest"] = 1e-9
    assert not confirmed(found)
