"""The atlas's small numbers of compute/fault_notes.py, against a record made by others."""

import json
from pathlib import Path

import pytest

from compute.atlas.fault_notes import fault_notes, temperature
from compute.paths import PATHS

RECORD = json.loads((Path(__file__).parents[1] / "data" / "fault-numbers.json").read_text(encoding="utf-8"))


def near(expected):
    return pytest.approx(expected, rel=1e-14, abs=1e-16)


@pytest.fixture(scope="module")
def notes():
    return fault_notes()


@pytest.fixture
def smallest(notes):
    return notes["smallest"]


def test_every_wrong_path_has_a_smallest_example(smallest):
    assert list(smallest) == [name for name in PATHS if name != "correct"]
    same_value = {"kl-without-gradient", "kl-k1-in-loss", "kl-k3-in-loss"}
    for name, found in smallest.items():
        if name in same_value:  # the value is right, or right on average: the gradient is what is wrong
            assert found["wrong"] == near(found["right"])
            assert max(abs(a - b) for a, b in zip(found["wrong_gradient"], found["right_gradient"])) > 0.01
        else:
            assert found["wrong"] != near(found["right"]), name
    json.dumps(smallest, allow_nan=False)


@pytest.mark.parametrize(
    "path, name",
    [
        ("clip-then-multiply", "clip_without_min"),
        ("min-before-advantage", "min_before_advantage"),
        ("unclipped-averaged", "unclipped_term_averaged"),
        ("clip-to-epsilon", "clip_range_eps"),
    ],
)
def test_surrogates(smallest, path, name):
    found, record = smallest[path], RECORD[name]
    assert (found["ratio"], found["advantage"]) == (record["rho"], record["A"])
    assert (found["right"], found["wrong"]) == (near(record["right"]), near(record["wrong"]))
    gradients = [float(str(record[side]).split()[0]) for side in ("right_gradient", "wrong_gradient")]
    assert [found["right_gradient"], found["wrong_gradient"]] == near(gradients)


def test_ratios_that_cannot_move(smallest):
    found, record = smallest["ratio-always-one"], RECORD["stale_ratio_one"]
    assert found["ratios"] == record["true_rho"] and found["right"] == near(record["objective_right"])
    assert found["right_gradient"] == near(record["gradient_right"])
    assert found["wrong_gradient"] == near(record["gradient_when_old_is_recomputed"])
    assert smallest["old-not-detached"]["wrong_gradient"] == [0, 0, 0]


def test_kl_terms(smallest):
    record = RECORD["kl_estimators"]
    for path, name in (
        ("kl-k1-in-loss", "k1"),
        ("kl-k3-in-loss", "k3"),
        ("kl-k3-upside-down", "k3_flipped"),
    ):
        assert smallest[path]["right"] == near(record["KL_p_ref"])
        assert smallest[path]["wrong"] == near(record[f"E_{name}"])
        assert smallest[path]["each_action"] == near(record[f"per_action_{name}"])
        assert smallest[path]["right_gradient"] == near(record["grad_exact_KL"])
        assert smallest[path]["wrong_gradient"] == pytest.approx(record[f"Egrad_{name}_in_loss"], abs=1e-15)
    assert smallest["kl-reversed"]["wrong"] == near(record["KL_ref_p"])
    assert smallest["kl-reversed"]["wrong_gradient"] == near(record["grad_forward_KL_ref_p"])
    assert smallest["kl-k1-in-loss"]["wrong_gradient"] == [0, 0, 0]
    assert smallest["reference-follows"]["wrong"] == 0
    assert smallest["kl-subtracted"]["wrong"] == near(-0.1 * record["KL_p_ref"])


def test_means(smallest):
    assert smallest["mask-ignored"]["right"] == near(RECORD["masked_mean"]["right"])
    assert smallest["mask-ignored"]["wrong"] == near(RECORD["masked_mean"]["mean_of_all"])
    for path, name, right, wrong in (
        ("masked-in-denominator", "truncated_in_denominator", "right", "wrong"),
        ("mean-of-micro-batches", "mean_of_means", "full_token_mean", "mean_of_micro_means"),
        ("other-normalization", "normalisation", "token_mean", "seq_mean"),
    ):
        assert smallest[path]["right"] == near(RECORD[name][right])
        assert smallest[path]["wrong"] == near(RECORD[name][wrong])
    own = RECORD["own_group_each"]
    assert smallest["own-group"]["right"] == near(own["right"])
    assert smallest["own-group"]["wrong"] == own["wrong_each_response_its_own_group_mean0_std1"]


def test_product_and_temperature(smallest):
    found, record = smallest["product-ratio"], RECORD["product_ratio"]
    assert found["ratios"] == record["token_ratios"] and found["right"] == near(record["clipped_token"])
    assert (found["product"], found["wrong"]) == (near(record["product"]), near(record["clipped_product"]))
    assert found["geometric_mean"] == near(record["geometric_mean"])
    record = RECORD["temperature"]
    found = temperature(record["logits"], record["T"])
    assert (found["sampler"], found["trainer"]) == (near(record["sampler"]), near(record["trainer"]))
    assert found["wrong"] == near(record["ratio_at_step_0"])
    assert smallest["temperature-mismatch"]["temperature"] == 0.7


def test_clip_counts(notes):
    found, record = notes["clip_counts"], RECORD["clip_fraction"]
    assert [list(pair) for pair in zip(found["ratios"], found["advantages"])] == record["tokens_rho_A"]
    assert (found["binding"], found["outside"]) == (record["binding"], record["outside_interval"])
    assert found["wrong_side"] == record["trl_2899_loss1_lt_loss2"]


def test_equal_rewards_in_float32(notes):
    # To the last bit what PyTorch gave.
    found, record = notes["equal_rewards_float32"], RECORD["float32_residue"]
    assert (found["residue"], found["deviation"]) == (record["mean_minus_reward"], record["std"])
    advantages = {entry["epsilon"]: entry["advantage"] for entry in found["advantages"]}
    assert [advantages[eps] for eps in (1e-9, 1e-6, 1e-4)] == [
        record[name] for name in ("adv_eps_1e9", "adv_eps_1e6", "adv_eps_1e4")
    ]
    assert [round(abs(a), digits) for a, digits in zip(advantages.values(), (2, 2, 4, 5))] == [
        0.83,
        0.41,
        0.0074,
        0.00007,
    ]


def test_leave_one_out(notes):
    found, record = notes["leave_one_out"], RECORD["loo_plus_std"]
    assert found["rewards"] == record["rewards"]
    assert found["baselines"] == near(record["baseline"]) and found["deviations"] == near(record["std"])
    assert found["advantages"] == near(record["advantage"])


def test_nothing_valid_and_equal_rewards(notes):
    found, record = notes["nothing_valid"], RECORD["all_masked"]
    assert (found["plain"], found["small_number"], found["at_least_one"]) == (
        record["plain"],
        record["eps_1e8"],
        record["clamp_min_1"],
    )
    found, record = notes["equal_rewards_kl"], RECORD["zero_std_group_kl"]
    assert (found["advantages"], found["beta"]) == (record["advantages"], record["beta"])
    assert found["kl_gradient"] == near(record["kl_gradient"])


def test_false_alarms(notes):
    found = notes["false_alarms"]
    assert found["maximum_of_negatives"] == found["minus_minimum"] == -1.2
    assert (found["large_ratio"], found["loss_of_large_ratio"]) == (5.0, 5.0)
    assert (found["loss_at_start"], found["slopes_at_start"]) == (0.0, [-0.5, 0.5])
    assert min(found["sampled_kl"]) < 0 < found["exact_kl"]
