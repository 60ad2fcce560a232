"""The core against fifty digits, the gradient by differences of the loss (compute/checks/fifty_digits.py)."""

from itertools import product

import pytest
from hypothesis import given, settings
from mpmath import mpf, workdps

from compute.checks.fifty_digits import fifty_digits
from compute.state import state
from tests.configurations import (
    REWARDS,
    cases,
    one_token_setup,
    random_setup,
    shipped_settings,
    shipped_setup,
)


def error(value, exact):
    """The distance of a float64 number from the exact one, relative above 1."""
    with workdps(50):
        return float(abs(mpf(value) - exact) / max(mpf(1), abs(exact)))


def errors(found, exact):
    """The largest error of each kind of number in a state."""
    at = {(p["response"], p["position"]): p for p in found["positions"]}
    tables = {
        "gradient": (found["gradient"], exact["gradient"]),
        "probs": ([at[key]["probs"] for key in exact["probs"]], list(exact["probs"].values())),
    }
    largest = {name: max_error(zip(*pair)) for name, pair in tables.items()}
    largest["loss"] = error(found["loss"], exact["loss"])
    largest["kl"] = error(found["kl"], exact["kl"])
    largest["ratios"] = max([0.0] + [error(at[key]["ratio"], rho) for key, rho in exact["ratios"].items()])
    largest["advantages"] = max_error([(found["advantages"], exact["advantages"])])
    return largest


def max_error(rows):
    return max([0.0] + [error(a, b) for row, other in rows for a, b in zip(row, other)])


@pytest.mark.parametrize("rewards", REWARDS)
@pytest.mark.parametrize("normalization", ["token", "response"])
def test_the_shipped_configuration(normalization, rewards):
    for keep, beta, step in product((4, 2), (0.0, 0.1), (0, 7)):
        chosen = shipped_settings(
            normalization=normalization, rewards=rewards, keep=keep, beta=beta, step=step
        )
        found = state(shipped_setup(), chosen)
        largest = errors(found, fifty_digits(shipped_setup(), chosen, found["W"]))
        assert all(value < 2e-15 for value in largest.values()), (chosen, largest)


@pytest.mark.parametrize("normalization", ["token", "response"])
def test_twenty_updates_drift_by_rounding_only(normalization):
    # The second route goes all twenty updates with fifty digits, by its own difference gradients.
    chosen = shipped_settings(normalization=normalization, step=20)
    found, exact = state(shipped_setup(), chosen), fifty_digits(shipped_setup(), chosen)
    assert max_error(zip(found["W"], exact["W"])) < 1e-14
    assert all(value < 1e-14 for value in errors(found, exact).values())


@settings(max_examples=25)
@given(cases(most_steps=2, largest_d=3, most_actions=5, most_responses=4, longest=4))
def test_random_shapes(case):
    setup, chosen = case
    found = state(setup, chosen)
    largest = errors(found, fifty_digits(setup, chosen, found["W"]))
    # The ratio's size carries into loss and gradient: rho (1 - p) A is inexact by rho times 1e-16.
    size = max([1.0] + [p["ratio"] for p in found["positions"] if p["weight"]])
    assert all(value < 1e-14 * size for value in largest.values()), largest


def test_a_wide_policy():
    setup = random_setup(3, 8, 12, [3, 2], size=0.5, masked=0.0)
    chosen = shipped_settings(rewards="given", keep=9)
    setup["rewards"]["given"] = [1, 0]
    found = state(setup, chosen)
    assert all(value < 2e-14 for value in errors(found, fifty_digits(setup, chosen, found["W"])).values())


def test_logits_of_700():
    # p = [1 - ..., e^-1400, e^-700] against a uniform reference, and the ratios to itself.
    setup = one_token_setup([700.0, -700.0, 0.0], [700.0, -700.0, 0.0], actions=(1, 2))
    chosen = shipped_settings(rewards="given")
    found = state(setup, chosen)
    assert all(value < 1e-15 for value in errors(found, fifty_digits(setup, chosen, found["W"])).values())
