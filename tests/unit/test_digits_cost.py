"""What an experiment costs: its size against real results, and how it grows."""

import json

from compute.digits.experiment import experiment
from compute.digits.policy import parameter_count
from compute.digits.training import BLOCK
from publish.digits.config import load_digits_config
from publish.digits.cost import CHECKPOINTS, SAMPLED, UNITS_AT_ONCE, estimate
from tests.configurations import digits_setup
from tests.content_tools import CONTENT

SHIPPED = load_digits_config(CONTENT).setup


def test_the_shipped_experiment_is_not_large():
    # Measured: 5 s and 1.29 MB.
    cost = estimate(SHIPPED)
    assert 1.1 < cost.megabytes < 1.4 and 3 < cost.seconds < 10
    assert (cost.most_megabytes, cost.most_seconds) == (CHECKPOINTS, SAMPLED)
    assert not cost.large() and not cost.too_large()


def test_megabytes_are_those_of_real_results():
    plan = digits_setup()["reinforce"] | {"updates": 40, "evaluate_every": 2}
    setup = digits_setup(hidden=24, reinforce=plan, seeds=[0, 5, 6, 7])
    real = len(json.dumps(experiment(setup), separators=(",", ":"))) / 1e6
    assert 0.8 < estimate(setup).megabytes / real < 1.2


def test_cost_grows_with_each_size():
    base = estimate(SHIPPED)
    for changes in (
        {"hidden": 64},
        {"seeds": list(range(16))},
        {"betas": [0, 1, 2, 3, 4, 5]},
        {"reinforce": SHIPPED["reinforce"] | {"evaluate_every": 5}},
    ):
        more = estimate(SHIPPED | changes)
        assert more.seconds > base.seconds and more.megabytes > base.megabytes, changes
    assert (
        estimate(SHIPPED | {"reinforce": SHIPPED["reinforce"] | {"samples": 16}}).seconds > 1.2 * base.seconds
    )


def test_what_is_large_is_named():
    cost = estimate(SHIPPED | {"reinforce": SHIPPED["reinforce"] | {"samples": 256}})
    assert cost.large() and not cost.too_large()
    assert "most for sampled updates" in cost.phrase()[0] and "采样更新" in cost.phrase()[1]


def test_it_knows_what_the_experiment_knows():
    assert UNITS_AT_ONCE == BLOCK
    assert parameter_count(32) == 51 * 32 + 20
