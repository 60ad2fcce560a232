"""The wrong KL terms of compute/fault_kl.py, at one position: p = [.5, .3, .2], reference [.2, .5, .3]."""

import json
from math import log
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compute import fault_kl
from compute.objective import exact_kl
from compute.policy import log_softmax, probabilities
from tests.closeness import close

RECORD = json.loads((Path(__file__).parents[1] / "data" / "fault-numbers.json").read_text(encoding="utf-8"))[
    "kl_estimators"
]
P, Q = RECORD["p"], RECORD["ref"]
LOG_P, LOG_Q = [log(p) for p in P], [log(q) for q in Q]
TERMS = (fault_kl.reversed_kl, fault_kl.k1, fault_kl.k3, fault_kl.k3_upside_down)
logits = st.lists(st.floats(-3, 3), min_size=3, max_size=3)


def each(term):
    return [term(LOG_P, LOG_Q, P, action) for action in range(3)]


def expected_gradient(term):
    return [sum(p * found.gradient[v] for p, found in zip(P, each(term))) for v in range(3)]


@pytest.mark.parametrize(
    "term, name", [(fault_kl.k1, "k1"), (fault_kl.k3, "k3"), (fault_kl.k3_upside_down, "k3_flipped")]
)
def test_each_action_and_the_mean(term, name):
    values = [found.value for found in each(term)]
    assert values == close(RECORD[f"per_action_{name}"], 1e-14)
    mean = sum(p * value for p, value in zip(P, values))
    assert mean == pytest.approx(RECORD[f"E_{name}"], rel=1e-14)
    wanted = RECORD[f"Egrad_{name}_in_loss"]
    assert expected_gradient(term) == pytest.approx(wanted, rel=1e-13, abs=1e-16)


def test_the_other_direction():
    found = fault_kl.reversed_kl(LOG_P, LOG_Q, P)
    assert found.value == close(RECORD["KL_ref_p"], 1e-14)
    assert found.gradient == close(RECORD["grad_forward_KL_ref_p"], 1e-14)
    assert expected_gradient(fault_kl.k3) == pytest.approx(found.gradient, rel=1e-14)


def test_the_detached_term_has_the_value_and_no_gradient():
    found = fault_kl.detached_kl(LOG_P, LOG_Q, P)
    assert (found.value, found.gradient) == (exact_kl(LOG_P, LOG_Q, P).value, [0.0] * 3)


@pytest.mark.parametrize("term", TERMS)
@given(logits, logits, st.integers(0, 2))
def test_the_gradient_is_the_derivative(term, z, other, action):
    reference = log_softmax(other)

    def value(moved):
        log_probs = log_softmax(moved)
        return term(log_probs, reference, probabilities(log_probs), action).value

    step = 1e-5
    slopes = [
        (
            value([x + step * (v == w) for w, x in enumerate(z)])
            - value([x - step * (v == w) for w, x in enumerate(z)])
        )
        / (2 * step)
        for v in range(3)
    ]
    log_probs = log_softmax(z)
    found = term(log_probs, reference, probabilities(log_probs), action).gradient
    size = max(1.0, *map(abs, found))
    assert found == pytest.approx(slopes, abs=1e-7 * size)
    assert sum(found) == pytest.approx(0.0, abs=1e-13 * size)


@pytest.mark.parametrize("term", TERMS[1:])
def test_an_estimate_needs_an_action(term):
    assert term(LOG_P, LOG_Q, P, None) == (None, [0.0] * 3)
