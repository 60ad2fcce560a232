"""The state object of compute/state.py: its fields, its history, and what it does at the edges of float64."""

import json
from math import copysign, log

import numpy as np
import pytest
from hypothesis import assume, given

from compute.rollout import lay_out
from compute.state import curves, find, state, state_json
from tests.configurations import BETAS, cases, one_token_setup, random_setup, shipped_settings, shipped_setup

FIELDS = [
    "settings",
    "step",
    "loss",
    "loss_next",
    "kl",
    "kl_exact",
    "clipped",
    "outside",
    "counted",
    "skipped",
    "rewards",
    "group",
    "advantages",
    "W",
    "gradient",
    "W_next",
    "W_old",
    "W_ref",
    "positions",
    "selected",
    "history",
]
POSITION_FIELDS = [
    "response",
    "position",
    "kind",
    "features",
    "action",
    "weight",
    "advantage",
    "logprob_old",
    "logprob",
    "ratio",
    "unclipped",
    "clipped_term",
    "surrogate",
    "is_clipped",
    "prob",
    "prob_next",
    "logits",
    "probs",
    "ref_probs",
    "kl",
    "dlogits",
]
ABSENT_WITHOUT_ACTION = [
    "action",
    "logprob_old",
    "logprob",
    "ratio",
    "unclipped",
    "clipped_term",
    "surrogate",
    "prob",
    "prob_next",
]


def leaves(value, path=""):
    """Yield (path, value) for everything inside."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, f"{path}.{index}")
    else:
        yield path, value


def words(found):
    """The paths where a state has a word instead of a number."""
    return {path: value for path, value in leaves(found) if value in ("inf", "-inf", "nan")}


def test_the_fields_of_a_state(default_setup, default_settings):
    found = state(default_setup, default_settings)
    assert list(found) == FIELDS
    assert all(list(position) == POSITION_FIELDS for position in found["positions"])
    assert found["settings"] == default_settings
    assert found["W"] == found["W_old"] == default_setup["initial"]
    assert found["W_ref"] == default_setup["reference"]
    assert (found["counted"], found["skipped"], found["history"]) == (10, False, [])
    assert found["kl_exact"] == found["kl"]


def test_the_first_position_of_the_default_configuration_by_hand(default_setup, default_settings):
    # x = [1, 0.2]; z = [0.3 - 0.02, -0.2 + 0.08, 0.1 - 0.06] = [0.28, -0.12, 0.04]; action 0, weight 1/10,
    # A = 3/sqrt(11); before any update the ratio is 1 and both surrogate terms are A.
    first = state(default_setup, default_settings)["positions"][1]
    assert first["logits"] == pytest.approx([0.28, -0.12, 0.04], rel=1e-14)
    assert first["logprob"] == pytest.approx(0.28 - log(sum(np.exp([0.28, -0.12, 0.04]))), rel=1e-14)
    assert first["advantage"] == pytest.approx(3 / 11**0.5, rel=1e-15)
    assert (first["ratio"], first["weight"], first["is_clipped"]) == (1.0, 0.1, False)
    assert first["unclipped"] == first["clipped_term"] == first["surrogate"] == first["advantage"]


def test_only_positions_without_an_action_lack_values(default_setup):
    for position in state(default_setup, shipped_settings(keep=2, step=2))["positions"]:
        acted = position["kind"] not in ("prompt", "padding")
        for name, value in position.items():
            assert (value is None) == (name in ABSENT_WITHOUT_ACTION and not acted), name


def test_every_token_of_the_batch_can_be_selected(default_setup):
    found = state(default_setup, shipped_settings(step=5))
    for k, position in enumerate(found["positions"]):
        at = f"{position['response']}.{position['position']}"
        selected = state(default_setup, shipped_settings(step=5, at=at))["selected"]
        assert selected["index"] == k
        shown = position["surrogate"] or 0.0
        assert selected["loss_share"] == pytest.approx(
            position["weight"] * (0.1 * position["kl"] - shown), rel=1e-14
        )


@pytest.mark.parametrize("at", ["4.0", "0.4", "0.-2"])
def test_a_position_that_does_not_exist_is_an_error(default_setup, at):
    with pytest.raises(ValueError, match="no position"):
        find(lay_out(default_setup, 4), at)


@given(cases(most_responses=3, longest=4))
def test_the_shares_of_all_selections_sum_to_gradient_and_loss(case):
    setup, settings = case
    found = state(setup, settings)
    selections = [
        state(setup, {**settings, "at": f"{p['response']}.{p['position']}"})["selected"]
        for p in found["positions"]
    ]
    size = max([1.0] + [abs(g) for row in found["gradient"] for g in row])
    shares = np.sum([selected["share"] for selected in selections], axis=0)
    np.testing.assert_allclose(shares, found["gradient"], rtol=0, atol=1e-12 * size)
    losses = [selected["loss_share"] for selected in selections]
    assert sum(losses) == pytest.approx(found["loss"], abs=1e-12 * max(1.0, sum(map(abs, losses))))


@given(cases())
def test_a_selection_explains_its_logit_gradient(case):
    setup, settings = case
    found = state(setup, settings)
    selected, position = found["selected"], found["positions"][found["selected"]["index"]]
    parts = zip(selected["policy_gradient"], selected["kl_gradient"])
    expected = [position["weight"] * (g + settings["beta"] * h) for g, h in parts]
    assert position["dlogits"] == pytest.approx(expected, rel=1e-14, abs=1e-300)


@given(cases())
def test_a_state_is_json_without_minus_zero(case):
    found = state(*case)
    assert not words(found)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    for path, value in leaves(found):
        assert not (isinstance(value, float) and value == 0 and copysign(1, value) < 0), path


@given(cases())
def test_state_json_is_the_state(case):
    setup, settings = case
    assert json.loads(state_json(json.dumps({"setup": setup, "settings": settings}))) == state(
        setup, settings
    )


@given(cases())
def test_probabilities_of_every_position_sum_to_one(case):
    for position in state(*case)["positions"]:
        for name in ("probs", "ref_probs"):
            assert sum(position[name]) == pytest.approx(1.0, abs=1e-13)
        if position["action"] is not None:
            assert position["prob"] == position["probs"][position["action"]]


@given(cases(most_steps=5))
def test_the_history_holds_the_states_on_the_way(case):
    setup, settings = case
    found = state(setup, settings)
    assert [entry["step"] for entry in found["history"]] == list(range(1, settings["step"] + 1))
    for entry in found["history"]:
        before = state(setup, {**settings, "step": entry["step"] - 1})
        assert entry["W"] == before["W_next"]
        assert entry["W"] == state(setup, {**settings, "step": entry["step"]})["W"]
        for name in ("loss", "kl", "clipped"):
            assert entry[name] == before[name]
    after = state(setup, {**settings, "step": settings["step"] + 1})
    assert found["loss_next"] == after["loss"]
    assert [p["prob_next"] for p in found["positions"]] == [p["prob"] for p in after["positions"]]


@given(cases())
def test_keep_above_the_longest_means_all(case):
    setup, settings = case
    longest = max(len(response["actions"]) for response in setup["responses"])
    states = [state(setup, {**settings, "keep": keep}) for keep in (longest, longest + 1, 10**9)]
    for found in states:
        del found["settings"]
    assert states[0] == states[1] == states[2]


def test_a_skipped_update_is_a_step_that_changes_nothing(default_setup):
    found = state(default_setup, shipped_settings(keep=0, step=3))
    assert found["skipped"] is True and found["counted"] == 0
    assert [found[name] for name in ("loss", "loss_next", "kl", "clipped", "outside")] == [0, 0, 0, 0, 0]
    assert found["W"] == found["W_next"] == default_setup["initial"]
    assert [entry["step"] for entry in found["history"]] == [1, 2, 3]
    kinds = {position["kind"] for position in found["positions"]}
    assert kinds == {"prompt", "truncated", "padding"}
    # Truncated positions are still run forward and shown.
    assert all(p["ratio"] == 1.0 for p in found["positions"] if p["kind"] == "truncated")


def test_group_statistics_are_shown(default_setup):
    # Mean 5/8 and deviation sqrt(11)/8; equal rewards: exactly 0.
    group = state(default_setup, shipped_settings())["group"]
    assert (group["mean"], group["deviation"]) == pytest.approx((0.625, 11**0.5 / 8), rel=1e-15)
    equal = state(default_setup, shipped_settings(rewards=[0.1] * 4))["group"]
    assert equal == {"mean": 0.1, "deviation": 0.0}


def test_curves_are_the_states_of_every_step(default_setup):
    drawn = curves(default_setup, shipped_settings(), BETAS)
    assert [entry["beta"] for entry in drawn] == BETAS
    for entry in drawn:
        assert all(len(entry[name]) == 21 for name in ("loss", "kl", "clipped"))
        for step in (0, 1, 20):
            found = state(default_setup, shipped_settings(beta=entry["beta"], step=step))
            assert [entry[name][step] for name in ("loss", "kl", "clipped")] == [
                found[name] for name in ("loss", "kl", "clipped")
            ]


def test_logits_of_700_are_ordinary():
    setup = one_token_setup([700.0, -700.0, 0.0], [700.0, -700.0, 0.0], actions=(1, 1))
    found = state(setup, shipped_settings(rewards="given"))
    assert not words(found)
    token = found["positions"][1]
    # p_1 = e^-1400 is below float64, its logarithm is not; the ratio to itself is 1.
    assert (token["prob"], token["logprob"], token["ratio"]) == (0.0, -1400.0, 1.0)
    # p = [1, 0, 0]: KL to the uniform reference is log 3.
    assert token["kl"] == pytest.approx(log(3), rel=1e-15)


def test_a_ratio_beyond_float64_is_the_word_inf():
    # log rho = 1400. With A > 0 it is clipped at 1.2, with A < 0 minus rho itself counts.
    setup = one_token_setup([700.0, -700.0], [-700.0, 700.0])
    found = state(setup, shipped_settings(rewards="given", beta=0.0))
    up, down = found["positions"][1], found["positions"][3]
    assert up["ratio"] == "inf" and up["surrogate"] == pytest.approx(1.2) and up["is_clipped"]
    assert up["dlogits"] == [0.0, 0.0]
    assert down["surrogate"] == "-inf" and not down["is_clipped"]
    assert (found["loss"], found["outside"], found["clipped"]) == ("inf", 2, 1)
    json.dumps(found, allow_nan=False)


def test_the_gradient_of_an_infinite_ratio_is_a_number_where_float64_has_one():
    # log rho = 1400, p = [1 - 2 e^-700 ..., e^-1400, e^-700]: rho p = [-, 1, e^700], all within float64.
    setup = one_token_setup([700.0, -700.0, 0.0], [-700.0, 700.0, -2000.0])
    found = state(setup, shipped_settings(rewards="given", beta=0.0))
    assert "nan" not in words(found).values()


def test_a_ratio_of_zero_is_ordinary():
    setup = one_token_setup([-700.0, 700.0], [700.0, -700.0])
    found = state(setup, shipped_settings(rewards="given", beta=0.0))
    assert [found["positions"][k]["ratio"] for k in (1, 3)] == [0.0, 0.0]
    # A = 1: u = 0 * 1. A = -1: clipped, u = -0.8.
    assert found["loss"] == pytest.approx(0.4, rel=1e-15) and not words(found)


@pytest.mark.parametrize("learning_rate", [1e3, 1e12, 1e300])
def test_parameters_that_leave_float64_are_words_not_exceptions(default_setup, learning_rate):
    for rewards in ("mixed", "one-right"):
        found = state(default_setup, shipped_settings(learning_rate=learning_rate, rewards=rewards, step=20))
        json.dumps(found, allow_nan=False)


@given(cases(most_steps=2, size=300.0))
def test_large_parameters_raise_nothing(case):
    json.dumps(state(*case), allow_nan=False)


@pytest.mark.parametrize("normalization", ["token", "response"])
def test_the_largest_shape_works(normalization):
    setup = random_setup(1, d=8, actions=12, lengths=[32] * 16)
    settings = shipped_settings(normalization=normalization, keep=32, rewards="given", step=2, at="15.31")
    found = state(setup, settings)
    assert len(found["positions"]) == 16 * 33 and found["selected"]["index"] == 16 * 33 - 1
    assert not words(found)


@given(cases(most_steps=0))
def test_a_first_state_does_not_depend_on_the_learning_rate_but_its_next_one_does(case):
    setup, settings = case
    first, second = (state(setup, {**settings, "learning_rate": rate}) for rate in (0.1, 0.2))
    assert first["loss"] == second["loss"] and first["gradient"] == second["gradient"]
    assume(any(abs(g) > 1e-6 for row in first["gradient"] for g in row))
    assert first["W_next"] != second["W_next"]


def test_the_setup_is_never_changed():
    setup = shipped_setup()
    state(setup, shipped_settings(step=20))
    curves(setup, shipped_settings(), [0.0])
    assert setup == shipped_setup()
