"""Wrong policies in the place of the old one, of compute/fault_policies.py."""

import json
from math import exp
from pathlib import Path

import pytest

from compute import fault_policies
from compute.policy import behaviour_policy, reference_policy

RECORD = json.loads((Path(__file__).parents[1] / "data" / "fault-numbers.json").read_text(encoding="utf-8"))[
    "temperature"
]
SETUP = {"behaviour": [RECORD["logits"]], "reference": [[0.0, 0.0, 0.0]]}


def test_the_current_policy_is_nobody_elses():
    assert fault_policies.current_policy(SETUP, [1.0]) is None


def test_a_cooler_sampler(monkeypatch):
    assert fault_policies.SAMPLER_TEMPERATURE == 0.7
    monkeypatch.setattr(fault_policies, "SAMPLER_TEMPERATURE", RECORD["T"])
    sampler = fault_policies.cooler_sampler(SETUP, [1.0])
    trainer = behaviour_policy(SETUP, [1.0])
    assert [exp(value) for value in sampler] == pytest.approx(RECORD["sampler"], rel=1e-14)
    ratios = [exp(now - old) for now, old in zip(trainer, sampler)]
    assert ratios == pytest.approx(RECORD["ratio_at_step_0"], rel=1e-14)


def test_the_reference_is_the_configured_one():
    assert [exp(value) for value in reference_policy(SETUP, [2.0])] == pytest.approx([1 / 3] * 3, rel=1e-15)
