"""Every wrong path against naive PyTorch that makes that very mistake (WRONG in compute/checks/autograd.py).

Loss, gradient, three consecutive updates and every field of the state, by autograd, to 1e-12.
"""

import json
from itertools import product
from pathlib import Path
from random import Random

import pytest
import torch

from compute.checks import autograd
from compute.paths import PATHS
from compute.state import state
from tests.configurations import REWARDS, random_setup, shipped_settings, shipped_setup

WRONG = [name for name in PATHS if name != "correct"]
RECORD = json.loads((Path(__file__).parents[1] / "data" / "correct-path.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """The tensors are tiny: more threads only cost time."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def disagreeing(setup, settings):
    document = json.loads(json.dumps({"setup": setup, "settings": settings, "state": state(setup, settings)}))
    table = autograd.compare(document)
    assert sum(count for count, _ in table.values()) > 100
    return {field: found for field, found in table.items() if not found[1] <= autograd.ALLOWED}


def test_every_path_has_its_naive_twin():
    assert list(autograd.WRONG) == list(PATHS) and len(WRONG) == 22


@pytest.mark.parametrize("path", WRONG)
def test_three_updates_of_the_shipped_configuration(path):
    # Every state holds the loss, KL, clip count and parameters of the updates before it.
    rng = Random(path)
    controls = list(product(("token", "response"), (0, 1, 2, 4), (0.0, 0.1, 0.5)))
    rewards = sorted(REWARDS) * (len(controls) // len(REWARDS))
    rng.shuffle(rewards)
    for n, (normalization, keep, beta) in enumerate(controls):
        settings = shipped_settings(
            path=path, normalization=normalization, keep=keep, beta=beta, rewards=rewards[n], step=3
        )
        settings["at"] = f"{rng.randrange(4)}.{rng.randrange(-1, 4)}"
        assert disagreeing(shipped_setup(), settings) == {}, settings


@pytest.mark.parametrize("path", WRONG)
def test_where_bounds_cut(path):
    for step, normalization in ((0, "token"), (12, "token"), (20, "response")):
        settings = shipped_settings(
            path=path, step=step, normalization=normalization, clip_epsilon=0.1, at="0.2"
        )
        assert disagreeing(shipped_setup(), settings) == {}, settings


@pytest.mark.parametrize("path", WRONG)
def test_random_shapes_with_masks_and_padding(path):
    for seed in range(8):
        rng = Random(f"{path} {seed}")
        lengths = [rng.randint(1, 6) for _ in range(rng.randint(1, 5))]
        masked = rng.choice([0, 0.2, 0.6, 1])
        setup = random_setup(seed, rng.randint(1, 5), rng.randint(2, 6), lengths, size=0.5, masked=masked)
        if rng.random() < 0.5:
            setup["behaviour"] = setup["initial"]
        settings = shipped_settings(
            path=path,
            normalization=rng.choice(["token", "response"]),
            keep=rng.randint(1, 6),
            beta=rng.choice([0.0, 0.1, 0.5]),
            clip_epsilon=rng.uniform(0.05, 0.8),
            learning_rate=rng.uniform(0.01, 0.3),
            rewards="given",
            step=rng.randint(0, 3),
            at=f"{rng.randrange(len(lengths))}.{rng.randint(-1, max(lengths) - 1)}",
        )
        assert disagreeing(setup, settings) == {}, (seed, settings)


@pytest.mark.parametrize("path", WRONG)
def test_a_twin_of_another_path_disagrees(path):
    # The comparison sees each mistake: the correct path's own numbers do not pass for it.
    document = {"setup": shipped_setup(), "settings": shipped_settings(path=path, step=6)}
    right = state(shipped_setup(), shipped_settings(step=6))
    table = autograd.compare({**document, "state": json.loads(json.dumps(right))})
    assert any(found[1] > 1e-6 for found in table.values())


@pytest.mark.parametrize("case", RECORD["cases"], ids=lambda case: case["settings"]["normalization"])
def test_the_correct_path_is_what_it_was(case):
    setup = random_setup(*case["setup"]) if case["setup"] else shipped_setup()
    found = state(setup, case["settings"])
    found["dlogits"] = [position["dlogits"] for position in found["positions"]][1:4]
    found["history"] = [[entry["loss"], entry["kl"], entry["clipped"]] for entry in found["history"]]
    for name, expected in {**case["state"], "dlogits": case["dlogits"], "history": case["history"]}.items():
        assert flat(found[name]) == pytest.approx(flat(expected), rel=1e-13, abs=1e-16), name


def flat(value):
    """The numbers inside, in order."""
    return [number for item in value for number in flat(item)] if isinstance(value, list) else [value]
