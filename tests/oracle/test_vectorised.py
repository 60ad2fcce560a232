"""The core against a second route in numpy with the gradient in matrix form (compute/checks/vectorised.py)."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given

from compute.checks.vectorised import second_route
from compute.state import state
from tests.configurations import BETAS, REWARDS, cases, random_setup, shipped_settings, shipped_setup


def column(found, name):
    """One field of all positions, 0 where no action was taken."""
    return np.array([0.0 if position[name] is None else position[name] for position in found["positions"]])


def assert_equal_routes(setup, settings):
    found, expected = state(setup, settings), second_route(setup, settings)
    size = max(1.0, np.abs(expected["gradient"]).max())

    def close(value, other, scale=1.0):
        np.testing.assert_allclose(value, other, rtol=1e-12, atol=1e-12 * scale)

    for name in ("loss", "kl", "gradient", "W", "W_next", "advantages"):
        close(found[name], expected[name], size)
    assert (found["clipped"], found["outside"]) == (expected["clipped"], expected["outside"])
    count = len(found["positions"])
    close(column(found, "weight"), expected["weights"].ravel())
    close(column(found, "kl"), expected["position_kl"].ravel())
    close(column(found, "ratio"), np.where(expected["acted"], expected["ratios"], 0.0).ravel())
    for name in ("probs", "dlogits"):
        table = [position[name] for position in found["positions"]]
        close(table, expected[name].reshape(count, -1), size)


@pytest.mark.parametrize("rewards", REWARDS)
@pytest.mark.parametrize("normalization", ["token", "response"])
def test_the_shipped_configuration_under_all_its_controls(normalization, rewards):
    for keep, beta, step in product(range(5), BETAS, (0, 1, 3, 20)):
        settings = shipped_settings(
            normalization=normalization, rewards=rewards, keep=keep, beta=beta, step=step
        )
        assert_equal_routes(shipped_setup(), settings)


@given(cases(most_steps=6))
def test_random_shapes(case):
    setup, settings = case
    # A ratio of thousands makes the gradient, and so the next parameters, inexact by as much.
    ratios = column(state(setup, {**settings, "step": 0}), "ratio")
    assume(ratios.max() < 100)
    assert_equal_routes(setup, settings)


def test_the_largest_shape():
    settings = shipped_settings(keep=32, rewards="given", step=2, normalization="response")
    assert_equal_routes(random_setup(9, 8, 12, [32] * 16, size=0.5), settings)
