"""Positions, advantages and weights of compute/rollout.py."""

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute.rollout import declared_weights, group_advantages, group_statistics, lay_out, linear_features
from tests.configurations import cases, rewards

groups = st.integers(1, 16).flatmap(rewards)


def kinds(setup, keep):
    return [(p.response, p.position, p.kind) for p in lay_out(setup, keep)]


def test_linear_features_of_the_default_configuration():
    # x = [1 + 0.1 i, 0.2 + 0.35 t - 0.1 i]; at i = 2, t = 1: [1.2, 0.35].
    assert linear_features([1, 0.2], [0.1, -0.1], [0, 0.35], 2, 1) == pytest.approx([1.2, 0.35], abs=1e-15)


def test_positions_come_response_by_response_each_with_its_prompt_first(default_setup):
    # Lengths 4, 2, 3, 1, padded to 4: one prompt and four positions each.
    positions = lay_out(default_setup, 4)
    assert [(p.response, p.position) for p in positions] == [(i, t) for i in range(4) for t in range(-1, 4)]
    assert [p.kind for p in positions[5:10]] == ["prompt", "token", "token", "padding", "padding"]
    assert [p.action for p in positions[5:10]] == [None, 1, 2, None, None]
    assert positions[5].features == [1.0, -0.5] and positions[8].features == [0.0, 1.0]
    assert sum(p.kind == "token" for p in positions) == 10


def test_keep_counts_positions_by_index_and_never_changes_the_width(default_setup):
    # Keep 2: positions 0 and 1 of every response, as far as it has them: 2 + 2 + 2 + 1.
    assert len(lay_out(default_setup, 2)) == 20
    first = [kind for _, _, kind in kinds(default_setup, 2)[:5]]
    assert first == ["prompt", "token", "token", "truncated", "truncated"]
    counts = [sum(kind == "token" for _, _, kind in kinds(default_setup, keep)) for keep in range(6)]
    assert counts == [0, 4, 7, 9, 10, 10]


def test_the_kind_is_the_first_that_applies(default_setup):
    # prompt, padding, truncated, masked, token: a masked position beyond `keep` is truncated.
    default_setup["responses"][0]["mask"] = [0, 1, 1, 0]
    assert [k for _, _, k in kinds(default_setup, 3)[1:5]] == ["masked", "token", "token", "truncated"]
    # Keep goes by index, not by the number of positions that count: position 0 is masked, 1 and 2 stay.
    assert [k for _, _, k in kinds(default_setup, 2)[1:5]] == ["masked", "token", "truncated", "truncated"]


def test_statistics_of_the_mixed_rewards():
    # Mean 2.5 / 4; squared deviations (9 + 25 + 1 + 9) / 64 = 11 / 16; / 4 = 11 / 64: deviation sqrt(11) / 8.
    assert group_statistics([1, 0, 0.5, 1]) == pytest.approx((0.625, sqrt(11) / 8), rel=1e-15)


@pytest.mark.parametrize(
    ("given_rewards", "expected"),
    [
        # (3/8, -5/8, -1/8, 3/8) over sqrt(11)/8.
        ([1, 0, 0.5, 1], [3 / sqrt(11), -5 / sqrt(11), -1 / sqrt(11), 3 / sqrt(11)]),
        # Mean 1/4, deviation sqrt(3)/4.
        ([1, 0, 0, 0], [sqrt(3), -1 / sqrt(3), -1 / sqrt(3), -1 / sqrt(3)]),
        # Mean 1/2, deviation sqrt(1/8).
        ([1, 0, 0.5, 0.5], [sqrt(2), -sqrt(2), 0.0, 0.0]),
        # Two different rewards: one deviation up, one down, whatever they are.
        ([7, 3], [1.0, -1.0]),
    ],
)
def test_advantages_by_hand(given_rewards, expected):
    assert group_advantages(given_rewards) == pytest.approx(expected, rel=1e-15, abs=0)


@pytest.mark.parametrize("reward", [0, 1, 0.1, 1 / 3, -0.7, 1e-300, 1e300, 123456.789])
@pytest.mark.parametrize("count", [1, 2, 3, 5, 7, 8, 16])
def test_equal_rewards_have_advantage_exactly_zero(reward, count):
    # The mean of equal rewards need not be exact: (0.1 + 0.1 + 0.1) / 3 is not 0.1.
    assert group_advantages([reward] * count) == [0.0] * count
    assert group_statistics([reward] * count) == (reward, 0.0)


@pytest.mark.parametrize("scale", [1e-300, 1e-160, 1.0, 1e160, 1e300])
def test_advantages_do_not_depend_on_the_scale(scale):
    # Squares of 1e-300 vanish and squares of 1e300 overflow; their quotient is the same for every scale.
    expected = [3 / sqrt(11), -5 / sqrt(11), -1 / sqrt(11), 3 / sqrt(11)]
    assert group_advantages([scale, 0, scale / 2, scale]) == pytest.approx(expected, rel=1e-14)


@given(groups)
def test_advantages_have_mean_0_and_mean_square_1_unless_the_rewards_are_equal(given_rewards):
    advantages = group_advantages(given_rewards)
    if len(set(given_rewards)) == 1:
        assert advantages == [0.0] * len(given_rewards)
        return
    assert sum(advantages) == pytest.approx(0.0, abs=1e-9)
    assert sum(a * a for a in advantages) / len(advantages) == pytest.approx(1.0, rel=1e-12)
    mean = sum(given_rewards) / len(given_rewards)
    assert all(a * (r - mean) >= 0 for a, r in zip(advantages, given_rewards))


def weights_of_responses(setup, keep, normalization):
    positions = lay_out(setup, keep)
    totals = [[] for _ in setup["responses"]]
    for position, weight in zip(positions, declared_weights(positions, normalization)):
        if position.kind == "token":
            totals[position.response].append(weight)
        else:
            assert weight == 0.0
    return totals


@pytest.mark.parametrize(
    ("keep", "token", "response"),
    [
        # Lengths 4, 2, 3, 1: 1/10 each; or 1/4 shared by each response's tokens.
        (4, [0.1] * 4, [1 / 16, 1 / 8, 1 / 12, 1 / 4]),
        # Lengths 2, 2, 2, 1.
        (2, [1 / 7] * 4, [1 / 8, 1 / 8, 1 / 8, 1 / 4]),
        (1, [1 / 4] * 4, [1 / 4] * 4),
    ],
)
def test_weights_of_the_default_configuration(default_setup, keep, token, response):
    for normalization, expected in (("token", token), ("response", response)):
        for weights, one in zip(weights_of_responses(default_setup, keep, normalization), expected):
            assert weights == pytest.approx([one] * len(weights), rel=1e-15)


def test_an_empty_response_does_not_count_among_the_responses(default_setup):
    # Response 2 wholly masked: three non-empty ones, 1/3 each.
    default_setup["responses"][2]["mask"] = [0, 0, 0]
    totals = [sum(weights) for weights in weights_of_responses(default_setup, 4, "response")]
    assert totals == pytest.approx([1 / 3, 1 / 3, 0.0, 1 / 3], rel=1e-15)


def test_without_a_valid_position_every_weight_is_zero(default_setup):
    for normalization in ("token", "response"):
        assert weights_of_responses(default_setup, 0, normalization) == [[]] * 4


def test_another_normalization_is_an_error(default_setup):
    with pytest.raises(ValueError, match="token or response, not 'sum'"):
        declared_weights(lay_out(default_setup, 4), "sum")


@given(cases())
def test_weights_sum_to_one_and_share_out_as_declared(case):
    setup, settings = case
    totals = weights_of_responses(setup, settings["keep"], settings["normalization"])
    tokens = [weight for weights in totals for weight in weights]
    if not tokens:
        return
    assert sum(tokens) == pytest.approx(1.0, abs=1e-12)
    if settings["normalization"] == "token":
        assert len(set(tokens)) == 1
    else:
        non_empty = [weights for weights in totals if weights]
        for weights in non_empty:
            assert len(set(weights)) == 1
            assert sum(weights) == pytest.approx(1 / len(non_empty), rel=1e-12)


@given(cases())
def test_layout_of_any_setup(case):
    setup, settings = case
    positions = lay_out(setup, settings["keep"])
    width = max(len(response["actions"]) for response in setup["responses"])
    assert len(positions) == len(setup["responses"]) * (width + 1)
    for p in positions:
        response = setup["responses"][p.response]
        inside = 0 <= p.position < len(response["actions"])
        counts = inside and p.position < settings["keep"] and bool(response["mask"][p.position])
        assert (p.kind == "token") == counts
        assert (p.action is not None) == inside
