"""A wrong formula in compute/: routes that repeat the code repeat it, routes that were written anew find it."""

from __future__ import annotations

import json
import shutil
import sys
from importlib import import_module

import numpy as np
import pytest
import torch
from mpmath import workdps

from compute.checks import fifty_core
from compute.checks.atlas_checks import checks_by_autograd
from compute.checks.atlas_examples import atlas_by_definition
from compute.checks.autograd_results import one_thread
from compute.checks.chapter_definitions import chapter_by_definition
from compute.checks.digits_results import state_by_numpy
from compute.checks.digits_training_results import runs_by_autograd
from compute.checks.fifty_core import exact
from compute.checks.fifty_digits import DIGITS as MANY
from compute.checks.vectorised_results import update_by_numpy
from publish.digits.page import summary
from publish.verifying.routes import digits_state, update_arguments
from publish.verifying.verification import difference, leaves
from tests.configurations import digits_setup, shipped_settings, shipped_setup
from tests.content_tools import shipped_content

COPY = "compute_with_a_mistake"
SAME, OTHER = 1e-9, 1e-6


@pytest.fixture
def with_mistake(tmp_path, monkeypatch):
    """A copy of compute/ with a mistake, and two ways to load its modules: as they are, and with fifty digits."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def made(file, right, wrong):
        folder = tmp_path / COPY
        shutil.copytree(fifty_core.COMPUTE, folder, ignore=shutil.ignore_patterns("__pycache__"))
        text = (folder / file).read_text(encoding="utf-8")
        assert text.count(right) == 1
        (folder / file).write_text(text.replace(right, wrong), encoding="utf-8")
        monkeypatch.setattr(fifty_core, "COMPUTE", folder)
        monkeypatch.setattr(fifty_core, "PACKAGE", f"fifty_{COPY}")
        return lambda name: import_module(f"{COPY}.{name}"), fifty_core.with_fifty_digits

    yield made
    for name in [name for name in sys.modules if name.split(".")[0].endswith(COPY)]:
        del sys.modules[name]


def examples(load, given):
    smallest = load("atlas.fault_notes").fault_notes()["smallest"]
    return {"paths": {name: {"smallest": example} for name, example in smallest.items()}}


def notes(load, given):
    return {"notes": load("atlas.fault_notes").fault_notes()}


def checks(load, given):
    settings = shipped_settings(path="own-group")
    found = load("atlas.path_checks").checks_of(given(shipped_setup()), given(settings), [])
    return {"paths": {"own-group": {"checks": found}}}


def plateaus(load, given):
    setup, settings = given(shipped_setup()), given(shipped_settings())
    positions = load("state").state(setup, settings)["positions"]
    return {"plateaus": load("plateaus").plateaus(positions, settings["clip_epsilon"])}


def chapter(load, given):
    config = shipped_content().kl_config
    return load("kl_chapter").chapter(given(config.setup), given(config.settings))["kl-and-clipping"]


def digits(load, given):
    live, parts, settings = digits_state(shipped_content())
    core = load("digits_live")
    core.begin(json.dumps(live))
    for part in parts:
        core.load(json.dumps(part))
    return core.results_of(given(settings))


def kl_chapter_again():
    config = shipped_content().kl_config
    return chapter_by_definition(config.setup, config.settings)


# file, right, wrong, what shows it, its tree, the route that finds it
MISTAKES = [
    (
        "fault_clips.py",
        "value = min(rho, bounded) * advantage",
        "value = max(rho, bounded) * advantage",
        "paths.min-before-advantage.smallest.wrong",
        examples,
        atlas_by_definition,
    ),
    (
        "fault_kl.py",
        "d = log_probs[action] - reference_log_probs[action]",
        "d = 2 * (log_probs[action] - reference_log_probs[action])",
        "paths.kl-k3-upside-down.smallest.wrong_gradient.0",
        examples,
        atlas_by_definition,
    ),
    (
        "atlas/fault_notes.py",
        "square += (reward - mean) ** 2 / len(others)",
        "square += (reward - mean) ** 2 / len(rewards)",
        "notes.leave_one_out.deviations.1",
        notes,
        atlas_by_definition,
    ),
    (
        "atlas/path_checks.py",
        "return any(meter.advantages) and not sums[1] > sums[0], (sums[1] - sums[0]) / SMALL_STEP",
        "return any(meter.advantages) and not sums[1] > sums[0], (sums[0] - sums[1]) / SMALL_STEP",
        "paths.own-group.checks.ascent.error",
        checks,
        lambda: checks_by_autograd(shipped_setup(), shipped_settings(), ["own-group"]),
    ),
    (
        "plateaus.py",
        'position["surrogate"] / abs(position["advantage"])',
        'position["surrogate"] / position["advantage"]',
        "plateaus.points.4.height",
        plateaus,
        lambda: update_by_numpy(*update_arguments(shipped_content())),
    ),
    (
        "chain_rule.py",
        '"log_ratio": log_ratio(p, q), "share": kl_share(p, q)',
        '"log_ratio": log_ratio(p, q), "share": kl_share(q, p)',
        "tree.trajectories.0.share",
        chapter,
        kl_chapter_again,
    ),
    (
        "clip_map.py",
        'flows, twin_flows = point["slope"] != 0, point["twin_slope"] != 0',
        'flows, twin_flows = point["slope"] != 0, point["slope"] != 0',
        "clip.twin_cut",
        chapter,
        kl_chapter_again,
    ),
    (
        "digits_twin.py",
        'item["weighted"] = item["p"] * item["second_kl"]',
        'item["weighted"] = item["q"] * item["second_kl"]',
        "second_kl",
        digits,
        lambda: state_by_numpy(*digits_state(shipped_content())),
    ),
]


@pytest.mark.parametrize(("file", "right", "wrong", "shown", "tree", "route"), MISTAKES)
def test_fifty_digits_repeat_a_wrong_formula_and_a_second_writing_finds_it(
    with_mistake, file, right, wrong, shown, tree, route
):
    plain, fifty = with_mistake(file, right, wrong)
    found = dict(leaves(tree(plain, lambda value: value)))
    with workdps(MANY), one_thread():
        repeated = dict(leaves(tree(fifty, exact)))
        again = dict(leaves(route()))
    assert max(difference(value, repeated[name]) for name, value in found.items()) < SAME
    differing = [name for name in found if name in again and difference(found[name], again[name]) > OTHER]
    assert shown in differing


TRAINED = [
    ("reinforce.py", "others / (returns.shape[-1] - 1)", "others / returns.shape[-1]"),
    ("supervised.py", "unbiased = square / (1.0 - SECOND_MOMENT**step)", "unbiased = square"),
    ("gradients.py", '"right": p * returns,', '"right": p * (returns + beta * log_p),'),
]


@pytest.mark.parametrize(("file", "right", "wrong"), TRAINED)
def test_longer_floats_repeat_a_wrong_training_and_autograd_finds_it(with_mistake, file, right, wrong):
    setup = digits_setup()
    plain, _ = with_mistake(f"digits/{file}", right, wrong)
    trained, longer = [
        dict(leaves(summary(plain("digits.experiment").experiment(setup, number=number, disturbed=False))))
        for number in (float, np.longdouble)
    ]
    with one_thread():
        again = dict(leaves(runs_by_autograd(setup)))
    measured = [name for name in trained if name in again]
    assert len(measured) > 50
    assert max(difference(trained[name], longer[name]) for name in measured) < SAME
    assert max(difference(trained[name], again[name]) for name in measured) > OTHER


def test_autograd_repeats_the_training_as_it_is():
    from compute.digits.experiment import experiment

    setup = digits_setup()
    before = torch.get_num_threads()
    with one_thread():
        again = dict(leaves(runs_by_autograd(setup)))
    assert torch.get_num_threads() == before
    trained = dict(leaves(summary(experiment(setup, disturbed=False))))
    assert set(again) <= set(trained)
    assert max(difference(trained[name], value) for name, value in again.items()) < SAME
