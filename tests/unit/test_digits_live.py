"""The experiment's conversation with its page, from a small experiment's own results."""

import base64
import json
from functools import cache

import numpy as np
import pytest

from compute import digits_live
from compute.digits.evaluation import direct_kl, enumerated, expected_reward, trajectory_log_probs
from compute.digits.experiment import experiment
from compute.digits.packing import unpacked_parameters, unpacked_rewards
from compute.digits.policy import named
from compute.digits.task import targets
from tests.configurations import digits_setup

AT = {"beta": 0.5, "seed": 5, "update": 20, "a": 7, "b": 6, "first": 1, "second": 3}


@cache
def results():
    return experiment(digits_setup())


def parts():
    return results()["checkpoints"]["parts"], results()["grids"]["betas"]


def show(**changes):
    found = json.loads(digits_live.show(json.dumps({**AT, **changes})))
    assert found["settings"] == {**AT, **changes}
    return found["digits"]


KNOWN = ("shipped", "right", "is_training", "grid", "settings", "run")


def numbers_of(value, key=""):
    """Return all numbers in a value, without the digits u and v, which are places."""
    if isinstance(value, dict):
        return {n for name, item in value.items() for n in numbers_of(item, name)}
    if isinstance(value, list):
        return {n for item in value for n in numbers_of(item)}
    return set() if value is None or key in ("u", "v") else {value}


@pytest.fixture(autouse=True)
def begun():
    digits_live.begin(json.dumps(results()["live"]))


def load_all():
    for group in parts():
        for part in group:
            digits_live.load(json.dumps(part))


def test_nothing_loaded_shows_what_is_known():
    found = show()
    assert (found["shipped"], found["grid"]) == (False, None)
    assert found["right"] == {"u": 1, "v": 3, "value": 13}
    assert numbers_of({key: found[key] for key in found if key not in KNOWN}) == set()
    flags = results()["inputs"]["training"]
    assert [show(a=a)["is_training"] for a in range(10)] == [flags[a][6] == 1 for a in range(10)]


def test_parts_come_one_by_one():
    checkpoints, grids = parts()
    reference, zero, half = checkpoints
    assert digits_live.load(json.dumps(half)) == "1"
    assert not show()["shipped"]  # its reference is still missing
    assert digits_live.load(json.dumps(reference)) == "2"
    assert show()["shipped"] and show(update=0)["shipped"] and not show(beta=0.0)["shipped"]
    assert digits_live.load(json.dumps(zero)) == "3"
    assert show(beta=0)["shipped"]  # as JavaScript writes 0.0
    assert show()["grid"] is None
    digits_live.load(json.dumps(grids[1]))
    assert show()["grid"] and show(beta=0.0)["grid"] is None


def test_what_is_not_shipped_is_said_and_its_grid_is_there():
    load_all()
    for changes in ({"seed": 0}, {"update": 5}):
        found = show(**changes)
        assert not found["shipped"] and found["kl"] is None
        assert show().keys() == found.keys()  # every place on the page has its field, with a value or without
        assert (found["grid"] is not None) == (changes == {"seed": 0})


def test_the_grid_is_that_of_the_run():
    load_all()
    for b, beta in enumerate((0.0, 0.5)):
        rewards = unpacked_rewards(parts()[1][b]["rewards"]).reshape(2, 3, 10, 10)
        for s, seed in enumerate((0, 5)):
            for e, update in enumerate((0, 10, 20)):
                assert np.array_equal(show(beta=beta, seed=seed, update=update)["grid"], rewards[s, e])


def test_the_numbers_are_numpys():
    load_all()
    reference, _, half = parts()[0]
    now = enumerated(named(unpacked_parameters(half["parameters"], 326)[1], 6))
    start = enumerated(named(unpacked_parameters(reference["parameters"], 326)[0], 6))
    found, n = show(first=2, second=9), 76
    assert found["reward"] == pytest.approx(expected_reward(now, *targets("sum"))[n], abs=1e-12)
    assert found["kl"] == pytest.approx(direct_kl(now, start)[n], abs=1e-12)
    probabilities = np.exp(trajectory_log_probs(now)[n]).ravel()
    assert [path["p"] for path in found["trajectories"]] == pytest.approx(probabilities, abs=1e-12)
    assert found["picked"]["p"] == pytest.approx(probabilities[29], abs=1e-12)
    assert [item["p"] for item in found["second"]] == pytest.approx(np.exp(now.log_v[n, 2]), abs=1e-12)
    assert found["picked"]["return"] == pytest.approx(-0.5 * found["picked"]["log_ratio"], abs=1e-15)
    assert found["reward"] == pytest.approx(found["grid"][7][6], abs=1e-4)  # four decimals, and float32


def test_at_update_0_the_policy_is_the_reference():
    load_all()
    found = show(update=0)
    assert found["kl"] == 0.0 and {path["log_ratio"] for path in found["trajectories"]} == {0.0}
    assert found["reward"] == found["reference_reward"] == show(update=0, beta=0.0)["reward"]


def test_beginning_again_forgets_the_parts():
    load_all()
    digits_live.begin(json.dumps(results()["live"]))
    assert not show()["shipped"] and show()["grid"] is None


def test_undefined_numbers_are_words():
    load_all()
    broken = np.full((2, 326), np.nan, dtype="<f4")
    part = {**parts()[0][2], "parameters": base64.b64encode(broken.tobytes()).decode()}
    digits_live.load(json.dumps(part))
    text = digits_live.show(json.dumps(AT))
    assert json.loads(text)["digits"]["kl"] == "nan" and "NaN" not in text


def test_a_checkpoint_stays_unpacked_until_another_comes():
    load_all()
    before = show(a=3)
    assert len(digits_live.kept["tables"]) == 2  # the reference and the current one
    assert show(a=3) == before and len(digits_live.kept["tables"]) == 2
    _, zero, half = parts()[0]
    digits_live.load(json.dumps({**half, "parameters": zero["parameters"]}))  # another in its place
    assert show(a=3)["kl"] == show(a=3, beta=0.0)["kl"] != before["kl"]


def test_not_every_checkpoint_stays_unpacked(monkeypatch):
    monkeypatch.setattr(digits_live, "MOST_TABLES", 3)
    load_all()
    first = {(beta, update): show(beta=beta, update=update) for beta in (0.0, 0.5) for update in (0, 10, 20)}
    for (beta, update), found in first.items():
        assert show(beta=beta, update=update) == found
        assert len(digits_live.kept["tables"]) <= 3
