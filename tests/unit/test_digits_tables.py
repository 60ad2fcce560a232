"""Records as tables, from records whose numbers say where they belong."""

from types import SimpleNamespace

import numpy as np
import pytest

from compute.digits.tables import (
    changes,
    curves,
    final_table,
    rate_changes,
    rate_results,
    rounded,
    sensitivity,
    series_of,
    summary,
)
from tests.configurations import digits_setup

SETUP = digits_setup()  # seeds 0 and 5, betas 0 and 0.5
CHOSEN = np.arange(100) < 60


def coded_record(evaluations=3, runs=4):
    """A record: reward = 100 E + 10 R, 1 more on held-out inputs; kl the same plus 1000."""
    coded = 100.0 * np.arange(evaluations)[:, None] + 10 * np.arange(runs)
    reward = coded[..., None] + ~CHOSEN
    return SimpleNamespace(reward=reward, kl=reward + 1000, sampled_kl=-coded)


def test_series_know_beta_seed_and_evaluation():
    series = series_of(SETUP, coded_record(runs=6), CHOSEN, 4)  # runs beyond the main ones are left out
    for b, s, e in np.ndindex(2, 2, 3):
        coded = 100 * e + 10 * (2 * b + s)  # runs beta by beta, seed by seed
        found = [
            series[name][b, s, e]
            for name in ("reward_training", "reward_held_out", "kl_training", "kl_held_out")
        ]
        assert found == [coded, coded + 1, coded + 1000, coded + 1001]
        assert series["sampled_kl"][b, s, e] == -coded


def test_curves_and_the_final_table():
    series = series_of(SETUP, coded_record(), CHOSEN, 4)
    found = curves(SETUP, series)[1]
    assert found["beta"] == 0.5
    assert found["reward_held_out"]["seeds"] == [[21, 121, 221], [31, 131, 231]]
    assert found["reward_held_out"]["mean"] == [26, 126, 226]
    assert (found["kl_training"]["lowest"], found["kl_training"]["highest"]) == (
        [1020, 1120, 1220],
        [1030, 1130, 1230],
    )
    final = final_table(SETUP, {name: values[..., -1] for name, values in series.items()})
    assert final[0]["reward_training"] == {"mean": 205, "lowest": 200, "highest": 210}


def test_summary_and_rounding_by_hand():
    assert summary(np.array([1.0, 2.0, 6.0])) == {"mean": 3, "lowest": 1, "highest": 6}
    assert rounded({"a": [0.12345678, 1234567.0, 1.5e-7], "b": [[float("inf")]]}) == {
        "a": [0.123457, 1234570.0, 1.5e-7],
        "b": [[float("inf")]],
    }


def test_step_sizes():
    setup = digits_setup(rates={"beta": 2.0, "rates": [1.0, 0.25], "seeds": [5, 0]})
    record = coded_record()
    exact = SimpleNamespace(reward=record.reward + 0.5, kl=record.kl)
    found = rate_results(setup, record, exact, CHOSEN)
    assert (found["beta"], found["seeds"]) == (2.0, [5, 0])
    row = found["rows"][1]  # runs 2 and 3
    assert (row["rate"], row["beta_times_rate"]) == (0.25, 0.5)
    assert row["sampled"]["reward_held_out"]["seeds"] == [221, 231]
    assert row["exact"]["reward_training"]["mean"] == 225.5
    assert row["sampled"]["kl_training"]["curve"] == [1025, 1125, 1225]


def test_changes_of_step_sizes_are_those_of_their_last_values():
    setup = digits_setup(rates={"beta": 2.0, "rates": [1.0, 0.25], "seeds": [5, 0]})
    record, again = coded_record(), coded_record()
    again.reward[-1, 3] += 0.5  # the second seed of the second step size, at the end
    again.kl[1, 0] -= 0.25  # the first seed of the first, in the middle: what is once uncertain stays so
    first, second = rate_changes(setup, CHOSEN, [(record, again), (record, record)])
    still = {"mean": 0.0, "largest": 0.0}
    assert (
        first["sampled"]["kl_training"] == first["sampled"]["kl_held_out"] == {"mean": 0.125, "largest": 0.25}
    )
    assert second["sampled"]["reward_held_out"] == {"mean": 0.25, "largest": 0.5}
    assert first["sampled"]["reward_training"] == second["sampled"]["kl_training"] == still
    assert set(map(str, first["exact"].values())) == set(map(str, second["exact"].values())) == {str(still)}


def test_changes_by_hand():
    series, again = (
        np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0]]),
        np.array([[1.0, 2.5, 3.0], [1.0, 0.0, 1.25]]),
    )
    # After 0, 0.75 and 0.125 on average: each stands one earlier, and stays.
    assert changes(series, again) == {"mean": [0.75, 0.75, 0.75], "largest": [1.0, 1.0, 1.0]}
    assert changes(series[:, :1], again[:, 1:2]) == {"mean": [1.25], "largest": [1.5]}


def test_sensitivity_by_hand():
    names = ("reward_training", "reward_held_out", "kl_training", "kl_held_out")
    final = {name: np.array([[1.0, 2.0], [3.0, 4.0]]) for name in names}
    disturbed = {name: np.stack([values, values], axis=-1) for name, values in final.items()}
    disturbed["kl_held_out"] = disturbed["kl_held_out"] + np.array(
        [[[0, 0], [0, 1e-9]], [[9, 0.25], [9, -0.5]]]
    )
    calm, wild = sensitivity(digits_setup(), final, disturbed)["by_beta"]
    assert (calm["stable"], calm["seeds_stable"]) == (True, 2)
    assert calm["kl_held_out"]["largest"] == pytest.approx(1e-9, rel=1e-6)
    assert (wild["stable"], wild["seeds_stable"]) == (False, 0)
    assert wild["kl_held_out"] == {"largest": 0.5, "mean": 0.125}
    assert wild["reward_training"] == {"largest": 0.0, "mean": 0.0}
