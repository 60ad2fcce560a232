"""The network of the experiment: its count of parameters, its forward pass by loops, its gradient by differences."""

from math import exp, log, tanh

import numpy as np
import pytest

from compute.digits.policy import (
    backward,
    first_step,
    flat,
    initial,
    log_softmax,
    named,
    one_hot,
    parameter_count,
    second_step,
    shapes,
    stacked,
)
from tests.configurations import digits_parameters

STEP = 1e-6  # of central differences: their error is about STEP ** 2, and 1e-16 / STEP from rounding


def test_the_shipped_network_has_1652_parameters():
    # 10 * 32 twice, 32; 32 * 10 + 10; 10 * 32; 32 * 10 + 10.
    assert parameter_count(32) == 320 + 320 + 32 + 330 + 320 + 330 == 1652
    assert list(shapes(32)) == [
        "digit_a", "digit_b", "bias", "first", "first_bias", "embedding", "second", "second_bias",
    ]  # fmt: skip


@pytest.mark.parametrize("runs", [(), (3,), (2, 3)])
def test_a_row_holds_every_parameter_once(runs):
    row = np.arange(np.prod((*runs, 224), dtype=int), dtype=float).reshape(*runs, 224)  # 51 * 4 + 20
    parameters = named(row, 4)
    assert {name: value.shape for name, value in parameters.items()} == {
        name: (*runs, *shape) for name, shape in shapes(4).items()
    }
    assert np.array_equal(flat(parameters), row)


def test_initial_weights_have_their_deviation_and_biases_are_0():
    parameters = initial(np.random.default_rng(0), 200, 0.3)
    for name, value in parameters.items():
        if value.ndim == 1:
            assert not value.any(), name
        else:
            assert abs(value.std() - 0.3) < 0.02 and abs(value.mean()) < 0.02, name  # of 2000 draws


def test_stacked_runs_keep_their_own_numbers():
    one, other = digits_parameters(0), digits_parameters(1)
    both = stacked([one, other])
    assert all(np.array_equal(both[name][1], other[name]) for name in both)


def test_log_softmax_by_hand_and_without_overflow():
    # softmax of log 1, log 2, log 5 is 1/8, 2/8, 5/8, wherever the logits lie.
    z = np.log([1.0, 2.0, 5.0])
    for shift in (0.0, 700.0, -1e5):
        assert log_softmax(z + shift) == pytest.approx(np.log([0.125, 0.25, 0.625]), abs=1e-10)
    assert log_softmax(np.array([0.0, 1e4])) == pytest.approx([-1e4, 0.0])


def by_loops(parameters, a, b, u):
    """The log-probabilities of the first step, and of the second after u, one number at a time."""
    p = {name: value.tolist() for name, value in parameters.items()}
    hidden = range(len(p["bias"]))
    z = [p["digit_a"][a][h] + p["digit_b"][b][h] + p["bias"][h] for h in hidden]
    after = [z[h] + p["embedding"][u][h] for h in hidden]
    found = []
    for pre, weights, bias in ((z, "first", "first_bias"), (after, "second", "second_bias")):
        logits = [sum(tanh(pre[h]) * p[weights][h][k] for h in hidden) + p[bias][k] for k in range(10)]
        total = log(sum(exp(value) for value in logits))
        found.append([value - total for value in logits])
    return found


def test_the_forward_pass_by_loops():
    parameters = digits_parameters(3)
    a, b, u = np.array([0, 7, 9]), np.array([4, 6, 9]), np.array([[1, 3], [0, 9], [5, 5]])
    first = first_step(parameters, one_hot(a), one_hot(b))
    second = second_step(parameters, first, one_hot(u).reshape(6, 10))
    for i in range(3):
        for k in range(2):
            log_u, log_v = by_loops(parameters, a[i], b[i], u[i, k])
            assert first.log_u[i] == pytest.approx(log_u, abs=1e-13)
            assert second.log_v[2 * i + k] == pytest.approx(log_v, abs=1e-13)


def test_the_gradient_by_central_differences():
    # Any fixed linear function of the log-probabilities, of two runs, three inputs and two first digits each.
    runs, hidden = 2, 3
    generator = np.random.default_rng(1)
    row = generator.normal(0.0, 1.0, (runs, 51 * hidden + 20))
    a, b = one_hot(generator.integers(10, size=(runs, 3))), one_hot(generator.integers(10, size=(runs, 3)))
    taken = one_hot(generator.integers(10, size=(runs, 6)))
    weight_u, weight_v = generator.normal(size=(runs, 3, 10)), generator.normal(size=(runs, 6, 10))

    def value(row):
        first = first_step(named(row, hidden), a, b)
        second = second_step(named(row, hidden), first, taken)
        return (weight_u * first.log_u).sum((1, 2)) + (weight_v * second.log_v).sum((1, 2)), first, second

    _, first, second = value(row)
    # d of weight . log softmax(z) is weight - softmax(z) * sum of weights.
    d_u = weight_u - np.exp(first.log_u) * weight_u.sum(-1, keepdims=True)
    d_v = weight_v - np.exp(second.log_v) * weight_v.sum(-1, keepdims=True)
    found = flat(backward(named(row, hidden), first, second, d_u, d_v))
    for n in range(row.shape[1]):
        nudge = np.zeros_like(row)
        nudge[:, n] = STEP
        expected = (value(row + nudge)[0] - value(row - nudge)[0]) / (2 * STEP)
        assert found[:, n] == pytest.approx(expected, abs=2e-8), n
