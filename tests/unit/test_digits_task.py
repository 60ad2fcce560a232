"""The task of the experiment: right answers, the split, the random streams."""

import numpy as np
import pytest

from compute.digits.task import DIGIT_A, DIGIT_B, split, streams, targets, training_count
from publish.digits.config import training_inputs


def test_right_answers():
    # Input 10 a + b. 7 + 6 = 13, 0 + 0 = 00, 9 + 9 = 18; 7 * 6 = 42, 9 * 9 = 81, 3 * 3 = 09.
    assert (DIGIT_A[76], DIGIT_B[76]) == (7, 6)
    known = {
        "sum": {76: (1, 3), 0: (0, 0), 99: (1, 8)},
        "product": {76: (4, 2), 99: (8, 1), 33: (0, 9)},
    }
    for operation, pairs in known.items():
        u, v = targets(operation)
        assert {n: (u[n], v[n]) for n in pairs} == pairs


@pytest.mark.parametrize("fraction, count", [(0.6, 60), (0.01, 1), (0.99, 99), (0.125, 12), (0.255, 26)])
def test_the_split_has_its_size_and_the_config_counts_the_same(fraction, count):
    assert split(fraction, 3).sum() == training_count(fraction) == training_inputs(fraction) == count


def test_the_split_depends_on_its_seed_only():
    assert np.array_equal(split(0.6, 1), split(0.6, 1))
    assert not np.array_equal(split(0.6, 1), split(0.6, 2))
    assert not (split(0.3, 1) & ~split(0.6, 1)).any()  # a larger fraction keeps what a smaller one has


def test_a_seed_has_two_streams_of_its_own():
    draws = [generator.random(4).tolist() for seed in (0, 1) for generator in streams(seed)]
    assert len({tuple(draw) for draw in draws}) == 4
    assert [generator.random(4).tolist() for generator in streams(1)] == draws[2:]
