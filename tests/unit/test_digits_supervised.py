"""The supervised start, Adam, and the frozen reference with its digest."""

import hashlib
import struct
from math import log

import numpy as np
import pytest

from compute.digits.policy import flat, named
from compute.digits.supervised import adam, digests, frozen, loss_and_gradient, supervised_start
from compute.digits.task import targets
from tests.configurations import digits_parameters, digits_setup

STEP = 1e-6


def test_the_loss_of_a_policy_that_knows_nothing():
    # All parameters 0: each of ten digits has probability 1/10, twice.
    loss, gradient = loss_and_gradient(named(np.zeros(122), 2), *targets("sum"))
    assert loss == pytest.approx(2 * log(10), abs=1e-15)
    # Bias of step 1: p - share of right answers; 45 of the 100 sums are 10 or more.
    assert gradient["first_bias"] == pytest.approx([0.1 - 0.55, 0.1 - 0.45] + [0.1] * 8, abs=1e-15)
    assert gradient["second_bias"] == pytest.approx(np.zeros(10), abs=1e-15)  # every last digit ten times


def test_the_gradient_by_central_differences():
    row = flat(digits_parameters(2, hidden=2))
    found = flat(loss_and_gradient(named(row, 2), *targets("product"))[1])
    for n in range(len(row)):
        nudge = np.zeros_like(row)
        nudge[n] = STEP
        above, below = (
            loss_and_gradient(named(row + sign * nudge, 2), *targets("product"))[0] for sign in (1, -1)
        )
        assert found[n] == pytest.approx((above - below) / (2 * STEP), abs=1e-8)


def test_two_steps_of_adam_by_hand():
    # First step: both moments unbiased are g and g^2, so the step is the rate times the sign, but for 1e-8.
    # Second, gradient 1 after 3: mean (0.9 * 0.3 + 0.1) / 0.19, square (0.999 * 0.009 + 0.001) / 0.001999.
    parameters, moments = {"x": np.array([1.0])}, {"x": (np.zeros(1), np.zeros(1))}
    adam(parameters, {"x": np.array([3.0])}, moments, 1, 0.01)
    assert parameters["x"][0] == pytest.approx(0.99, abs=1e-10)
    adam(parameters, {"x": np.array([1.0])}, moments, 2, 0.01)
    mean, square = (0.9 * 0.3 + 0.1) / 0.19, (0.999 * 0.009 + 0.001) / 0.001999
    assert parameters["x"][0] == pytest.approx(0.99 - 0.01 * mean / square**0.5, abs=1e-9)


def test_the_start_learns_and_each_seed_its_own():
    setup = digits_setup(supervised={"steps": 60, "rate": 0.03}, hidden=16)
    parameters, losses = supervised_start(setup)
    assert (losses < 0.5 * 2 * log(10)).all() and losses[0] != losses[1]
    alone, loss = supervised_start(setup | {"seeds": [5]})
    assert np.array_equal(flat(alone)[0], flat(parameters)[1]) and loss[0] == losses[1]


def test_the_reference_shares_nothing_and_cannot_be_written_to():
    parameters = digits_parameters(0, runs=(2,))
    reference = frozen(parameters)
    for name, value in reference.items():
        assert not np.shares_memory(value, parameters[name]) and not value.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            value += 1.0
    before = digests(reference)
    for value in parameters.values():
        value += 1.0
    assert digests(reference) == before and digests(parameters)[0] != before[0]


def test_the_digest_is_of_little_endian_float64_in_stored_order():
    parameters = digits_parameters(4, runs=(2,))
    bytes_of_second = struct.pack("<224d", *flat(parameters)[1].tolist())  # 51 * 4 + 20
    assert digests(parameters)[1] == hashlib.sha256(bytes_of_second).hexdigest()


def test_one_bit_changes_the_digest():
    parameters = digits_parameters(4, runs=(1,))
    before = digests(parameters)
    parameters["second_bias"][0, 9] = np.nextafter(parameters["second_bias"][0, 9], 9.0)
    assert digests(parameters) != before
