"""One update of leave-one-out REINFORCE: batches, samples, returns, advantages, the gradient that is climbed."""

import numpy as np
import pytest

from compute.digits.evaluation import enumerated, trajectory_log_probs
from compute.digits.policy import first_step, flat, named, one_hot, second_step
from compute.digits.reinforce import (
    climb,
    draw,
    inverse_cdf,
    leave_one_out,
    log_ratios,
    policy_gradient,
    returns_of,
    sampled,
)
from compute.digits.task import DIGIT_A, DIGIT_B, targets
from tests.configurations import digits_parameters

STEP = 1e-6


def generators(*seeds):
    return [np.random.default_rng(seed) for seed in seeds]


def test_a_batch_has_each_input_once_and_training_inputs_only():
    training = np.array([3, 50, 51, 99, 7])
    inputs, uniforms = draw(generators(1, 2), training, 4, 3)
    assert inputs.shape == (2, 4) and uniforms.shape == (2, 4, 3, 2)
    for row in inputs:
        assert len(set(row)) == 4 and set(row) <= set(training)
    assert uniforms.min() >= 0 and uniforms.max() < 1


def test_a_seed_draws_the_same_beside_others():
    training = np.arange(60)
    both, alone = draw(generators(1, 2), training, 20, 8), draw(generators(2), training, 20, 8)
    assert all(np.array_equal(many[1], one[0]) for many, one in zip(both, alone))


def test_the_inverse_cdf_by_hand():
    # Slices of 0.5, 0, 0.25, 0.25 and nothing more: [0, 0.5) is action 0, [0.5, 0.75) action 2, the rest action 3.
    log_probs = np.log(np.array([0.5, 1e-300, 0.25, 0.25] + [1e-300] * 6))
    found = inverse_cdf(log_probs, np.array([0.0, 0.49, 0.5, 0.74, 0.75, 0.99]))
    assert found.tolist() == [0, 0, 2, 2, 3, 3]


def test_rounding_gives_no_eleventh_action():
    log_probs = np.log(np.full(10, 0.0999))  # as if the probabilities summed to 0.999
    assert inverse_cdf(log_probs, np.array([1 - 2**-53])).tolist() == [9]


def test_samples_come_as_often_as_the_policy_says():
    parameters = digits_parameters(1, runs=(1,))
    uniforms = np.random.default_rng(0).random((1, 1, 40_000, 2))
    batch = sampled(parameters, np.array([[76]]), uniforms)
    counts = np.zeros((10, 10))
    np.add.at(counts, (batch.u.ravel(), batch.v.ravel()), 1)
    expected = np.exp(trajectory_log_probs(enumerated(parameters)))[0, 76]
    assert np.abs(counts / 40_000 - expected).max() < 5 * np.sqrt(0.25 / 40_000)  # five standard deviations
    log_p = trajectory_log_probs(enumerated(parameters))
    assert batch.log_p == pytest.approx(log_p[0, 76][batch.u, batch.v], abs=1e-13)


def test_leave_one_out_by_hand():
    # Returns 1, 0, 0.5, 0.5: the means of the others are 1/3, 2/3, 1/2, 1/2.
    found = leave_one_out(np.array([[1.0, 0.0, 0.5, 0.5], [1.0, 1.0, 1.0, 1.0]]))
    assert found[0] == pytest.approx([2 / 3, -2 / 3, 0.0, 0.0], abs=1e-15)
    assert not found[1].any()
    assert leave_one_out(np.array([3.0, 1.0])).tolist() == [2.0, -2.0]


def test_returns_by_hand():
    # Input 76 is 7 + 6 = 13. A hit is R = 1; beta 2 takes twice the log-ratio of both.
    inputs, uniforms = np.array([[76]]), np.zeros((1, 1, 2, 2))
    batch = sampled(digits_parameters(0, runs=(1,)), inputs, uniforms)
    batch.u, batch.v = np.array([[[1, 1]]]), np.array([[[3, 4]]])
    ratios = np.array([[[0.25, -0.5]]])
    assert returns_of(batch, inputs, ratios, targets("sum"), np.array([2.0])).tolist() == [[[0.5, 1.0]]]
    assert returns_of(batch, inputs, ratios, targets("sum"), np.array([0.0])).tolist() == [[[1.0, 0.0]]]


def test_log_ratios_look_up_each_run_in_its_own_reference():
    current, reference = digits_parameters(0, runs=(2,)), digits_parameters(1, runs=(2,))
    inputs = np.array([[5, 76, 30], [76, 9, 0]])
    batch = sampled(current, inputs, np.random.default_rng(0).random((2, 3, 4, 2)))
    log_p, log_q = (trajectory_log_probs(enumerated(policy)) for policy in (current, reference))
    found = log_ratios(batch, inputs, log_q)
    for r, i, k in np.ndindex(2, 3, 4):
        path = (r, inputs[r, i], batch.u[r, i, k], batch.v[r, i, k])
        assert found[r, i, k] == pytest.approx(log_p[path] - log_q[path], abs=1e-13)


def test_the_gradient_is_of_the_mean_of_advantage_times_log_p():
    runs, hidden = 2, 3
    row = flat(digits_parameters(6, hidden, (runs,)))
    generator = np.random.default_rng(3)
    inputs, advantages = np.array([[5, 76], [12, 99]]), generator.normal(size=(runs, 2, 3))
    batch = sampled(named(row, hidden), inputs, generator.random((runs, 2, 3, 2)))
    found = flat(policy_gradient(named(row, hidden), batch, advantages))

    def surrogate(row):
        parameters = named(row, hidden)
        first = first_step(parameters, one_hot(DIGIT_A[inputs]), one_hot(DIGIT_B[inputs]))
        log_v = second_step(parameters, first, one_hot(batch.u).reshape(runs, 6, 10)).log_v.reshape(
            runs, 2, 3, 10
        )
        log_p = np.take_along_axis(first.log_u, batch.u, -1)
        log_p = log_p + np.take_along_axis(log_v, batch.v[..., None], -1)[..., 0]
        return (advantages * log_p).mean(axis=(1, 2))

    for n in range(row.shape[1]):
        nudge = np.zeros_like(row)
        nudge[:, n] = STEP
        expected = (surrogate(row + nudge) - surrogate(row - nudge)) / (2 * STEP)
        assert found[:, n] == pytest.approx(expected, abs=1e-8), n


def test_climbing_is_one_plain_step_per_run():
    parameters = {"x": np.array([[1.0, 2.0], [3.0, 4.0]])}
    climb(parameters, {"x": np.array([[1.0, 1.0], [1.0, -1.0]])}, np.array([0.5, 2.0]))
    assert parameters["x"].tolist() == [[1.5, 2.5], [5.0, 2.0]]
