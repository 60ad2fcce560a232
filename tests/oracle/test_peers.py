"""Public libraries' own loss functions on random rollouts: ours must return the same loss and six gradients.

tests/data/peer-losses.json records what they returned in float64, with repository, commit and version of each; see
compute/checks/peers.py.
"""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from compute.checks.peers import compared, ours, setting_of, settings_of, setup_of
from compute.state import state

RECORD = json.loads((Path(__file__).parents[1] / "data" / "peer-losses.json").read_text(encoding="utf-8"))

# Nine rollouts; per library: its matching settings (times four values of beta for verl+torch).
COMPARED = {
    "verl": 18,
    "verl_2026_01": 18,
    "verl+torch": 72,
    "trl": 27,
    "openrlhf": 18,
    "spinningup": 9,
    "cleanrl": 9,
    "rlhfbook": 18,
}

# Which of the two clip counts a library logs, as a fraction of the counted positions, in float32.
CLIP_FRACTIONS = {
    "actor/pg_clipfrac": "clipped",
    "clip_ratio": "clipped",
    "cf": "outside",
    "clipfrac": "outside",
}


@pytest.mark.parametrize("peer", COMPARED)
def test_loss_and_gradient_of_a_peer(peer):
    count = 0
    for case in RECORD["cases"]:
        for output in case["outputs"]:
            if output["peer"] != peer or setting_of(output) is None:
                continue
            found, factor = ours(case, output)
            assert factor * found["loss"] == pytest.approx(output["loss"], rel=0, abs=1e-12)
            np.testing.assert_allclose(
                factor * np.array(found["gradient"]), output["grad_W"], rtol=0, atol=1e-12
            )
            params, epsilon = output["params"], case["inputs"]["eps"]
            assert params["clip_low"] == params["clip_high"] == epsilon
            count += 1
    assert count == COMPARED[peer]


def test_the_table_of_all_peers():
    table = compared(RECORD)
    assert {peer: row["count"] for peer, row in table.items()} == COMPARED
    assert max(row["largest"] for row in table.values()) < 1e-12
    assert sum(row["others"] for row in table.values()) == 54
    wrong = json.loads(json.dumps(RECORD))
    wrong["cases"][0]["outputs"][0]["grad_W"][1][2] += 1e-3
    peer = wrong["cases"][0]["outputs"][0]["peer"]
    assert compared(wrong)[peer]["largest"] > 0.9e-3


def test_every_record_is_compared_or_of_a_named_other_objective():
    counts = Counter(output["peer"] for case in RECORD["cases"] for output in case["outputs"])
    assert set(counts) == set(COMPARED)
    others = sum(setting_of(output) is None for case in RECORD["cases"] for output in case["outputs"])
    assert others + sum(COMPARED.values()) == sum(counts.values()) == 243


def test_the_rollouts_contain_what_matters():
    empty = [case["id"] for case in RECORD["cases"] if not all(any(mask) for mask in case["inputs"]["mask"])]
    assert empty == ["s_one_response_masked_out"]
    assert any(len(set(case["inputs"]["rewards"])) == 1 for case in RECORD["cases"])
    clipped = [ours(case, case["outputs"][0])[0]["clipped"] for case in RECORD["cases"]]
    assert max(clipped) > 3 and min(clipped) == 0


def test_advantages_are_the_recorded_ones():
    for case in RECORD["cases"]:
        found, _ = ours(case, case["outputs"][0])
        assert found["advantages"] == pytest.approx(case["inputs"]["advantages"], rel=0, abs=1e-15)


def test_clip_fractions_are_one_of_the_two_counts():
    fractions = Counter()
    for case in RECORD["cases"]:
        for output in case["outputs"]:
            for metric, count in CLIP_FRACTIONS.items():
                if metric in output["metrics"] and setting_of(output):
                    found, _ = ours(case, output)
                    fraction = found[count] / found["counted"]
                    assert output["metrics"][metric] == pytest.approx(fraction, abs=1e-6)
                    fractions[metric] += 1
    assert fractions == {"actor/pg_clipfrac": 108, "clip_ratio": 18, "cf": 9, "clipfrac": 9}


@pytest.mark.parametrize("recorded", RECORD["trajectories"], ids=lambda recorded: f"beta={recorded['beta']}")
def test_consecutive_updates_of_a_peer(recorded):
    # verl's loss and PyTorch's own SGD, eight updates from W = W_old.
    assert (recorded["loss_agg_mode"], recorded["starts_at"]) == ("token-mean", "W = W_old")
    (inputs,) = [case["inputs"] for case in RECORD["cases"] if case["id"] == recorded["case"]]
    settings = settings_of(inputs, "token", recorded["beta"], recorded["lr"])
    assert len(recorded["steps"]) == 9
    for entry in recorded["steps"]:
        found = state(setup_of(inputs, inputs["W_old"]), {**settings, "step": entry["step"]})
        for name, theirs in (("W", "W"), ("gradient", "grad_W"), ("loss", "loss"), ("kl", "kl_exact")):
            np.testing.assert_allclose(found[name], entry[theirs], rtol=0, atol=1e-12)
        assert found["clipped"] / found["counted"] == pytest.approx(entry["clip_fraction"], abs=1e-6)
