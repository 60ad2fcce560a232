"""Public libraries' own loss functions on random rollouts: ours must return the same loss and six gradients.

tests/data/peer-losses.json records what they returned in float64, with repository, commit and version of each.
Each library's setting below is one of this project's two normalizations; settings not listed (sums, constant
divisors) are other objectives.
"""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from compute.state import state
from tests.configurations import shipped_settings

RECORD = json.loads((Path(__file__).parents[1] / "data" / "peer-losses.json").read_text(encoding="utf-8"))

# (parameter, its value) -> (normalization, whether the mean goes over the non-empty responses or over all)
SETTINGS = {
    ("loss_agg_mode", "token-mean"): ("token", "non-empty"),
    ("loss_agg_mode", "seq-mean-token-mean"): ("response", "non-empty"),
    ("loss_type", "bnpo"): ("token", "non-empty"),
    ("loss_type", "dapo"): ("token", "non-empty"),
    ("loss_type", "grpo"): ("response", "all"),
    ("token_level_loss", True): ("token", "non-empty"),
    ("token_level_loss", False): ("response", "non-empty"),
    ("aggregation", "token-mean"): ("token", "non-empty"),
    ("aggregation", "token-mean over the valid positions"): ("token", "non-empty"),
    ("aggregation", "seq-mean-token-mean"): ("response", "all"),
}
OTHER_OBJECTIVES = {"seq-mean-token-sum", "seq-mean-token-sum-norm", "token-sum", "dr_grpo"}

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


def setup_of(inputs, initial):
    """The rollout as a setup, from these parameters; the peers have no prompt, and padding goes by the mask."""
    nothing = [0.0] * len(initial)
    return {
        "initial": initial,
        "behaviour": inputs["W_old"],
        "reference": inputs["W_ref"],
        "steps": 8,
        "prompt": nothing,
        "padding": nothing,
        "responses": [
            {"features": features, "actions": actions, "mask": mask}
            for features, actions, mask in zip(inputs["features_x"], inputs["actions"], inputs["mask"])
        ],
        "rewards": {"given": inputs["rewards"]},
    }


def setting_of(output):
    """The normalization of a record and its divisor, or None for another objective."""
    named = [item for item in output["params"].items() if item in SETTINGS]
    if not named:
        (aggregation,) = {"loss_agg_mode", "loss_type", "token_level_loss", "aggregation"} & set(
            output["params"]
        )
        assert output["params"][aggregation] in OTHER_OBJECTIVES
        return None
    return SETTINGS[named[0]]


def ours(case, output):
    """Our state at the record's parameters, and the factor by which its divisor differs from ours."""
    normalization, responses = setting_of(output)
    inputs, params = case["inputs"], output["params"]
    assert params["clip_low"] == params["clip_high"] == inputs["eps"]
    settings = shipped_settings(
        normalization=normalization, keep=99, beta=params["beta"], clip_epsilon=inputs["eps"], rewards="given"
    )
    non_empty = sum(any(mask) for mask in inputs["mask"])
    factor = non_empty / len(inputs["mask"]) if responses == "all" else 1.0
    return state(setup_of(inputs, inputs["W"]), settings), factor


@pytest.mark.parametrize("peer", COMPARED)
def test_loss_and_gradient_of_a_peer(peer):
    compared = 0
    for case in RECORD["cases"]:
        for output in case["outputs"]:
            if output["peer"] != peer or setting_of(output) is None:
                continue
            found, factor = ours(case, output)
            assert factor * found["loss"] == pytest.approx(output["loss"], rel=0, abs=1e-12)
            np.testing.assert_allclose(
                factor * np.array(found["gradient"]), output["grad_W"], rtol=0, atol=1e-12
            )
            compared += 1
    assert compared == COMPARED[peer]


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
    compared = Counter()
    for case in RECORD["cases"]:
        for output in case["outputs"]:
            for metric, count in CLIP_FRACTIONS.items():
                if metric in output["metrics"] and setting_of(output):
                    found, _ = ours(case, output)
                    fraction = found[count] / found["counted"]
                    assert output["metrics"][metric] == pytest.approx(fraction, abs=1e-6)
                    compared[metric] += 1
    assert compared == {"actor/pg_clipfrac": 108, "clip_ratio": 18, "cf": 9, "clipfrac": 9}


@pytest.mark.parametrize("recorded", RECORD["trajectories"], ids=lambda recorded: f"beta={recorded['beta']}")
def test_consecutive_updates_of_a_peer(recorded):
    # verl's loss and PyTorch's own SGD, eight updates from W = W_old.
    assert (recorded["loss_agg_mode"], recorded["starts_at"]) == ("token-mean", "W = W_old")
    (inputs,) = [case["inputs"] for case in RECORD["cases"] if case["id"] == recorded["case"]]
    settings = shipped_settings(
        beta=recorded["beta"],
        learning_rate=recorded["lr"],
        clip_epsilon=inputs["eps"],
        rewards="given",
        keep=99,
    )
    assert len(recorded["steps"]) == 9
    for entry in recorded["steps"]:
        found = state(setup_of(inputs, inputs["W_old"]), {**settings, "step": entry["step"]})
        for name, theirs in (("W", "W"), ("gradient", "grad_W"), ("loss", "loss"), ("kl", "kl_exact")):
            np.testing.assert_allclose(found[name], entry[theirs], rtol=0, atol=1e-12)
        assert found["clipped"] / found["counted"] == pytest.approx(entry["clip_fraction"], abs=1e-6)
