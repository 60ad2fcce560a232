"""The declared objective once more (compute/declared.py), against the core and by hand."""

import pytest
from hypothesis import assume, given

from compute.atlas.declared import declared_loss, declared_weights_by_place
from compute.update import evaluate_positions, prepare, trajectory
from tests.configurations import cases, one_token_setup, shipped_settings, shipped_setup


def test_a_loss_by_hand():
    # See test_update: after one update the loss is (-1.2 + 0.8) / 2 plus beta KL; with beta 0 it is -0.2.
    setup = one_token_setup([0.0, 0.0], [0.0, 0.0], actions=(0, 1))
    settings = shipped_settings(rewards="given", beta=0.0)
    assert declared_loss(setup, settings, [[0.0, 0.0]]) == 0.0
    assert declared_loss(setup, settings, [[0.5, -0.5]]) == pytest.approx(-0.2, rel=1e-14)


@given(cases())
def test_it_is_the_cores_loss(case):
    setup, settings = case
    batch = prepare(setup, settings)
    now = trajectory(batch, setup["initial"], settings["step"] + 1)[-1]
    terms = evaluate_positions(batch, now.parameters)
    assume(all(term.ratio is None or term.ratio < 100 for term in terms))
    assert declared_loss(setup, settings, now.parameters) == pytest.approx(now.loss, rel=1e-11, abs=1e-12)


@given(cases(most_steps=0))
def test_its_weights_are_the_cores(case):
    setup, settings = case
    batch = prepare(setup, settings)
    found = declared_weights_by_place(setup, settings)
    for position, weight in zip(batch.positions, batch.weights):
        expected = found.get((position.response, position.position), 0.0)
        assert weight == pytest.approx(expected, rel=1e-15)


def test_nothing_kept_is_no_loss():
    assert declared_loss(shipped_setup(), shipped_settings(keep=0), shipped_setup()["initial"]) == 0.0
    assert declared_weights_by_place(shipped_setup(), shipped_settings(keep=0)) == {}
