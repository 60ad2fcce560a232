"""One ratio per response, of compute/fault_ratio.py."""

from math import prod

import pytest
from hypothesis import assume, given

from compute.state import state
from tests.configurations import cases, shipped_settings, shipped_setup


def by_response(found):
    """The positions with a weight, response by response."""
    groups = {}
    for position in found["positions"]:
        if position["weight"]:
            groups.setdefault(position["response"], []).append(position)
    return groups


@given(cases(most_steps=1))
def test_the_ratio_is_the_product_over_valid_positions(case):
    setup, settings = case
    settings["step"] = 0  # the same parameters on both paths
    token = state(setup, settings)
    whole = state(setup, {**settings, "path": "product-ratio"})
    assume(all(p["ratio"] is None or 1e-9 < p["ratio"] < 1e9 for p in token["positions"]))
    parts = {i: prod(p["ratio"] for p in group) for i, group in by_response(token).items()}
    for position in whole["positions"]:
        if position["action"] is not None:
            # Truncated and masked tokens show their response's ratio, but are no factor of it.
            assert position["ratio"] == pytest.approx(parts.get(position["response"], 1.0), rel=1e-11)


def test_before_any_update_the_gradient_is_that_of_the_tokens_times_their_number():
    # Every ratio is 1; each of T positions pulls at the logits of all T.
    settings = shipped_settings(beta=0.0, keep=3)
    token = state(shipped_setup(), settings)
    whole = state(shipped_setup(), {**settings, "path": "product-ratio"})
    assert whole["loss"] == token["loss"]
    for right, wrong in zip(token["positions"], whole["positions"]):
        count = {0: 3, 1: 2, 2: 3, 3: 1}[right["response"]]
        assert wrong["dlogits"] == pytest.approx([count * g for g in right["dlogits"]], rel=1e-14)


def test_a_truncated_token_is_not_part_of_the_product():
    found = state(shipped_setup(), shipped_settings(path="product-ratio", keep=1, step=3, at="0.2"))
    assert found["positions"][3]["kind"] == "truncated"
    assert found["positions"][3]["ratio"] == found["positions"][1]["ratio"] != 1
    assert found["selected"]["policy_gradient"] == [0, 0, 0] == found["positions"][3]["dlogits"]
