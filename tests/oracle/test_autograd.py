"""Every number of the states against PyTorch's automatic differentiation (compute/checks/autograd.py)."""

import copy
import json
import subprocess
import sys
from itertools import product
from random import Random

import pytest
import torch

from compute.checks import autograd
from compute.state import state
from tests.configurations import BETAS, REWARDS, random_setup, shipped_settings, shipped_setup

STEPS = (0, 1, 3, 20)


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """The tensors are tiny: more threads only cost time."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def document(setup, settings):
    # Through JSON, as a reader's file goes.
    return json.loads(json.dumps({"setup": setup, "settings": settings, "state": state(setup, settings)}))


def disagreeing(document):
    return {
        field: found
        for field, found in autograd.compare(document).items()
        if not found[1] <= autograd.ALLOWED
    }


@pytest.mark.parametrize("rewards", REWARDS)
@pytest.mark.parametrize("normalization", ["token", "response"])
def test_the_shipped_configuration_under_all_its_controls(normalization, rewards):
    rng = Random(0)
    for keep, beta, step in product(range(5), BETAS, STEPS):
        settings = shipped_settings(
            normalization=normalization, rewards=rewards, keep=keep, beta=beta, step=step
        )
        settings["at"] = f"{rng.randrange(4)}.{rng.randrange(-1, 4)}"
        assert disagreeing(document(shipped_setup(), settings)) == {}, settings


@pytest.mark.parametrize("seed", range(60))
def test_random_shapes(seed):
    rng = Random(seed)
    d, actions = rng.randint(1, 8), rng.randint(2, 12)
    lengths = [rng.randint(1, 8) for _ in range(rng.randint(1, 6))]
    setup = random_setup(seed, d, actions, lengths, size=0.7, masked=rng.choice([0, 0.2, 0.6, 1]))
    if rng.random() < 0.5:
        setup["behaviour"] = setup["initial"]
    settings = shipped_settings(
        normalization=rng.choice(["token", "response"]),
        keep=rng.randint(0, 9),
        beta=rng.choice(BETAS),
        clip_epsilon=rng.uniform(0.02, 0.9),
        learning_rate=rng.uniform(0.01, 0.5),
        rewards="given",
        step=rng.randint(0, 6),
        at=f"{rng.randrange(len(lengths))}.{rng.randint(-1, max(lengths) - 1)}",
    )
    assert disagreeing(document(setup, settings)) == {}


def test_the_largest_shape():
    setup = random_setup(5, 8, 12, [32] * 16, size=0.5)
    settings = shipped_settings(keep=32, rewards="given", step=1, at="15.31")
    assert disagreeing(document(setup, settings)) == {}


def test_every_field_of_the_state_is_compared():
    given = document(shipped_setup(), shipped_settings(step=2))
    table = autograd.compare(given)
    for name in given["state"]:
        assert name == "settings" or any(field.split(".")[0] == name for field in table), name
    numbers = sum(1 for _ in autograd.leaves({k: v for k, v in given["state"].items() if k != "settings"}))
    assert numbers == sum(count for count, _ in table.values()) == 689


def paths(value, prefix=()):
    """Every path to a value inside."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from paths(item, (*prefix, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from paths(item, (*prefix, index))
    else:
        yield prefix


def test_a_change_of_any_single_number_is_noticed():
    given = document(shipped_setup(), shipped_settings(step=1, keep=2))
    expected = autograd.recompute(given["setup"], given["settings"])
    ours = {path: value for path, _, value in autograd.leaves(expected)}
    for path, _, value in autograd.leaves({k: v for k, v in given["state"].items() if k != "settings"}):
        if isinstance(value, str):
            wrong = value + "x"
        else:
            wrong = 0.0 if value is None else value + 2e-12 * max(1.0, abs(value))
        assert autograd.difference(value, ours[path]) <= autograd.ALLOWED
        assert autograd.difference(wrong, ours[path]) > autograd.ALLOWED, path


def test_a_missing_or_an_additional_value_is_noticed():
    given = document(shipped_setup(), shipped_settings(step=1))
    for change in (
        lambda state: state.pop("kl"),
        lambda state: state.update(extra=1.0),
        lambda state: state["positions"].pop(),
        lambda state: state["history"].append(state["history"][0]),
        lambda state: state["gradient"][0].append(0.0),
        lambda state: state.update(loss="nan"),
    ):
        changed = copy.deepcopy(given)
        change(changed["state"])
        assert disagreeing(changed)


def test_the_downloaded_script_runs_alone(tmp_path):
    script = tmp_path / "autograd.py"
    with open(autograd.__file__, encoding="utf-8") as file:
        script.write_text(file.read(), encoding="utf-8")
    given = document(shipped_setup(), shipped_settings(step=3))
    (tmp_path / "update.json").write_text(json.dumps(given), encoding="utf-8")
    given["state"]["gradient"][1][2] += 1e-9
    (tmp_path / "wrong.json").write_text(json.dumps(given), encoding="utf-8")
    for name, status, words in (("update.json", 0, "all agree"), ("wrong.json", 1, "1 fields differ")):
        # -I: neither this directory nor the environment can lend it the project's modules.
        run = subprocess.run(
            [sys.executable, "-I", "autograd.py", name],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (run.returncode, run.stderr) == (status, "")
        assert run.stdout.splitlines()[-1].endswith(words)
