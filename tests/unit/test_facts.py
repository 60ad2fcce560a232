"""Counts and findings that sentences name, of compute/facts.py."""

import pytest

from compute.facts import facts, rose
from compute.state import curves, state
from tests.configurations import shipped_settings, shipped_setup


def found_facts(**changes):
    setup, settings = shipped_setup(), shipped_settings(**changes)
    (curve,) = curves(setup, settings, [settings["beta"]])
    return facts(setup, state(setup, settings), curve), curve


def test_counts_of_the_default_configuration():
    # Answers of 4, 2, 3 and 1 tokens, each with a prompt and padded to 4; two features, three actions.
    found, _ = found_facts()
    expected = {
        "responses": 4,
        "tokens": 10,
        "positions": 20,
        "longest": 4,
        "features": 2,
        "actions": 3,
        "parameters": 6,
        "trajectories": 9,
        "steps": 20,
        "reward_sets": 4,
    }
    assert {name: found[name] for name in expected} == expected


def test_findings_of_the_default_configuration():
    # The loss is up again at update 11; the bound first cuts after three updates (see test_update).
    found, curve = found_facts()
    assert (found["first_rise"], found["first_clipped"]) == (11, 3)
    assert found["most_clipped"] == max(curve["clipped"]) == 6
    assert (found["loss_start"], found["loss_end"]) == (curve["loss"][0], curve["loss"][20])
    assert (found["kl_start"], found["kl_end"]) == (curve["kl"][0], curve["kl"][20])


@pytest.mark.parametrize("changes", [{"rewards": "equal"}, {"keep": 0}])
def test_what_never_happens_is_absent(changes):
    # Equal rewards: nothing to clip, and the KL falls; nothing kept: the update is skipped.
    found, _ = found_facts(**changes)
    assert (found["first_rise"], found["first_clipped"], found["rises"]) == (None, None, 0)


def test_words_are_not_compared():
    assert rose(1.0, 2.0) and not rose(2.0, 1.0) and not rose("inf", 1.0) and not rose(1.0, "inf")
