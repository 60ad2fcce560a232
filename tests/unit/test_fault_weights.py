"""Wrong weights, of compute/fault_weights.py: by hand on the shipped batch (lengths 4, 2, 3, 1, padded to 4)."""

import pytest
from hypothesis import given

from compute import fault_weights
from compute.rollout import declared_weights, lay_out
from tests.closeness import close
from tests.configurations import cases, shipped_setup

NORMALIZATIONS = ("token", "response")


def weights(rule, keep=4, normalization="token", setup=None):
    """The weights of the positions that are tokens, the others' being checked to be 0."""
    positions = lay_out(setup or shipped_setup(), keep)
    found = rule(positions, normalization)
    assert len(found) == len(positions)
    assert all(w == 0 for w, position in zip(found, positions) if position.kind != "token")
    return [w for w, position in zip(found, positions) if position.kind == "token"]


@pytest.mark.parametrize("normalization", NORMALIZATIONS)
def test_masked_positions_in_the_denominator(normalization):
    # 10 tokens over 4 responses padded to 4: 1/16 each; keep 2 leaves 7 of them.
    assert weights(fault_weights.over_padded_width, 4, normalization) == [1 / 16] * 10
    assert weights(fault_weights.over_padded_width, 2, normalization) == [1 / 16] * 7
    assert weights(fault_weights.over_padded_width, 0, normalization) == []


@pytest.mark.parametrize("normalization", NORMALIZATIONS)
@pytest.mark.parametrize("keep", range(5))
def test_an_ignored_mask(normalization, keep):
    # Four rows of a prompt and four positions.
    positions = fault_weights.act_everywhere(shipped_setup(), keep)
    assert fault_weights.over_everything(positions, normalization) == [1 / 20] * 20
    for position, declared in zip(positions, lay_out(shipped_setup(), keep)):
        assert position.action == (declared.action or 0) and position[:4] == declared[:4]


def test_the_mean_of_micro_batches():
    # Responses 0 and 1: 6 tokens; 2 and 3: 4 tokens; each micro-batch is half.
    assert weights(fault_weights.mean_of_micro_batches) == close([1 / 12] * 6 + [1 / 8] * 4)
    per_response = weights(fault_weights.mean_of_micro_batches, normalization="response")
    assert per_response == close([1 / 16] * 4 + [1 / 8] * 2 + [1 / 12] * 3 + [1 / 4])


def test_an_empty_micro_batch_counts_as_nothing():
    setup = shipped_setup()
    for response in setup["responses"][2:]:
        response["mask"] = [0] * len(response["mask"])
    assert weights(fault_weights.mean_of_micro_batches, setup=setup) == close([1 / 12] * 6)


def test_a_micro_batch_may_hold_one_response():
    setup = shipped_setup()
    setup["responses"] = setup["responses"][:3]
    assert weights(fault_weights.mean_of_micro_batches, setup=setup) == close([1 / 12] * 6 + [1 / 6] * 3)


@given(cases(most_steps=0))
def test_the_other_normalization(case):
    setup, settings = case
    positions = lay_out(setup, settings["keep"])
    for one, other in (NORMALIZATIONS, NORMALIZATIONS[::-1]):
        assert fault_weights.other_normalization(positions, one) == declared_weights(positions, other)
