"""Every number of the chapter on KL and clipping at one state, of compute/kl_chapter.py."""

import json
from math import inf, log

import pytest
from hypothesis import given

from compute.clip_map import clip_point
from compute.enumeration import enumeration
from compute.kl_chapter import CURVE_STEPS, PAGE, chapter, part
from compute.return_gradient import return_gradient
from compute.sampled_kl import group_mean
from compute.token_ratios import equal_ratios
from tests.closeness import close
from tests.configurations import kl_cases, kl_settings, kl_setup

KL = 0.19274475702175743  # of [0.8, 0.2] to [0.5, 0.5], by mpmath with thirty digits


def shown(**changes):
    """The chapter's numbers at the worked example, with changes."""
    return chapter(kl_setup(), kl_settings(**changes))[PAGE]


def numbers(value):
    """Every value inside."""
    if isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from numbers(item)
    else:
        yield value


def test_the_page_is_all_there_is():
    assert list(chapter(kl_setup(), kl_settings())) == [PAGE] == ["kl-and-clipping"]


def test_the_two_paths():
    found = shown()
    first, second = found["paths"]
    # The specification's table; the reverse shares are 0.5 log 0.625 and 0.5 log 2.5.
    assert [first["log_ratio"], second["log_ratio"]] == close([0.47000362924573555, -0.91629073187415506])
    assert [first["share"], second["share"]] == close([0.8 * log(1.6), 0.2 * log(0.4)])
    assert [first["reverse_share"], second["reverse_share"]] == close([0.5 * log(0.625), 0.5 * log(2.5)])
    assert [first["reward"], second["reward"], found["reward"]] == [1, 0, 0.8]
    assert [(path["p"], path["q"]) for path in found["paths"]] == [(0.8, 0.5), (close(0.2), 0.5)]
    assert found["kl"] == close(KL)
    assert found["reverse_kl"] == close(-log(0.64) / 2)
    assert found["penalty"] == close(KL / 10)
    assert found["objective"] == close(0.78072552429782426)
    assert found["reference_objective"] == 0.5


def test_the_optimum():
    # e^10 / (1 + e^10), and 0.1 log((1 + e^10) / 2), by mpmath; its KL is 10 (E[R] - that objective).
    found = shown()
    best = found["optimum"]
    assert [path["optimum"] for path in found["paths"]] == close(
        [0.99995460213129757, 4.5397868702434394e-05], 2e-15
    )
    assert best["reward"] == close(0.99995460213129757)
    assert best["objective"] == close(0.93068982183392716)
    assert best["kl"] == close(10 * (0.99995460213129757 - 0.93068982183392716), 2e-15)


def test_the_curve():
    found = shown()["curve"]
    assert found["p"] == close([k / 50 for k in range(51)]) and len(found["p"]) == CURVE_STEPS + 1
    assert found["reward"] == close(found["p"])  # rewards 1 and 0
    # At p = 0 and p = 1 the KL is log 2; p = 0.8 is the worked example.
    assert found["objective"][0] == close(-0.1 * log(2))
    assert found["objective"][40] == close(0.78072552429782426)
    assert found["objective"][50] == close(1 - 0.1 * log(2))


def test_the_worked_tree():
    # 0.8 and 0.2 times the second KL of 0 and 0.5, against 0.5 of both.
    found = shown()["tree"]
    assert found["first"] == close(KL)
    assert found["chain"] == close(KL + 0.1, 2e-15)
    assert found["direct"] == close(KL + 0.1, 2e-15)
    assert found["wrong"] == close(KL + 0.25, 2e-15)
    assert found["wrong_error"] == close(0.15, 5e-15)
    assert [step["kl"] for step in found["steps"]] == [0.0, close(0.5, 2e-15)]
    assert [step["weighted"] for step in found["steps"]] == [0.0, close(0.1, 2e-15)]
    assert [step["wrongly_weighted"] for step in found["steps"]] == [0.0, close(0.25, 2e-15)]
    assert [step["share"] for step in found["steps"]] == close([0.8 * log(1.6), 0.2 * log(0.4)])
    assert [step["log_ratio"] for step in found["steps"]] == close([log(1.6), log(0.4)])
    assert [step["second_q"] for step in found["steps"]] == [[0.5, 0.5]] * 2
    assert len(found["trajectories"]) == 4 and "second" not in found


def test_the_clip_map():
    found = shown()["clip"]
    assert (found["low"], found["high"]) == (0.8, 1.2)
    # 1.2 * 2, 0.8 * -2 and 1.4 * -2: two of the three saturate.
    assert [case["surrogate"] for case in found["cases"]] == close([2.4, -1.6, -2.8])
    assert [case["saturates"] for case in found["cases"]] == [True, True, False]
    assert found["point"] == found["cases"][0]
    assert (found["count"], found["cut"], found["twin_cut"], len(found["regions"])) == (6, 2, 4, 6)


def test_the_rest_of_the_table():
    found = shown()
    assert found["tokens"]["ratio"] == close(2.5937424601)
    assert [row["trajectories"] for row in found["cost"]] == [10.0, 100.0, 1000.0, 1e4, 1e5, 1e6]
    assert found["batch"] == 64 and found["cost"][1]["sampled"] == 128.0
    assert [group["n"] for group in found["groups"]] == [1, 2, 4, 8, 16, 64]
    # The specification's chances of a negative mean, here to four digits.
    negative = [round(group["negative"], 4) for group in found["groups"]]
    assert negative == [0.2, 0.36, 0.1808, 0.2031, 0.0817, 0.0051]
    assert not any("outcomes" in group for group in found["groups"])
    assert found["group"]["n"] == 8 and len(found["group"]["outcomes"]) == 9
    assert found["gradient"]["gradient"] == close(0.13781929022208175)  # by mpmath


def test_each_control_reaches_its_part():
    settings = kl_settings(
        p=0.3, q=0.6, rewards=[0.5, -1.0], beta=0.7, n=3, ratio=0.5, advantage=-1.5, clip_epsilon=0.3,
        token_ratio=0.9, length=4, tree_p=0.4, tree_q=0.7, tree_kl=[0.2, 0.1], vocabulary=7,
    )  # fmt: skip
    found = chapter(kl_setup(), settings)[PAGE]
    p, q = [0.3, 0.7], [0.6, 0.4]
    assert found["settings"] == settings
    assert found["gradient"] == return_gradient(p, q, [0.5, -1.0], 0.7)
    assert found["group"] == group_mean(p, q, 3)
    assert found["clip"]["point"] == clip_point(0.5, -1.5, 0.3)
    assert found["clip"]["cases"][2] == clip_point(1.4, -2.0, 0.3)
    assert found["tokens"] == equal_ratios(0.9, 4, 0.3)
    assert found["cost"] == enumeration(7, [1, 2, 3, 4, 5, 6], 64)
    first = 0.4 * log(0.4 / 0.7) + 0.6 * log(0.6 / 0.3)
    assert found["tree"]["chain"] == close(first + 0.4 * 0.2 + 0.6 * 0.1, 1e-14)
    assert found["tree"]["wrong"] == close(first + 0.7 * 0.2 + 0.3 * 0.1, 1e-14)


def test_a_reference_of_zero_is_infinite_in_words():
    found = shown(q=0.0)
    assert found["paths"][0]["log_ratio"] == found["kl"] == "inf"
    assert found["reverse_kl"] == close(-log(0.2), 2e-15)  # 1 log(1 / 0.2)
    assert (found["penalty"], found["objective"], found["reference_objective"]) == ("inf", "-inf", 0.0)
    assert (found["group"]["mean"], found["group"]["deviation"]) == ("inf", "nan")
    # Only p = 0 keeps to the reference's path.
    assert found["curve"]["objective"] == [0.0] + ["-inf"] * 50
    assert found["optimum"] == {"reward": 0.0, "kl": 0.0, "objective": 0.0}


def test_a_reference_of_zero_without_penalty():
    found = shown(q=0.0, beta=0.0)
    assert (found["kl"], found["penalty"], found["objective"]) == ("inf", 0.0, 0.8)
    assert found["optimum"] == {"reward": 1.0, "kl": "inf", "objective": 1.0}
    assert found["gradient"]["gradient"] == close(0.16)


def test_trees_with_zeros():
    # A first action that only the reference takes weighs 0; one that only p takes makes all infinite.
    found = shown(tree_p=0.0, tree_kl=[0.5, 0.25])["tree"]
    assert found["chain"] == close(log(2) + 0.25, 2e-15)
    assert [step["weighted"] for step in found["steps"]] == [0.0, close(0.25, 2e-15)]
    found = shown(tree_q=0.0)["tree"]
    assert (found["first"], found["chain"], found["direct"], found["wrong"]) == ("inf",) * 4


def test_a_part_of_weight_zero_takes_nothing():
    assert (part(0.0, inf), part(0.25, 2.0), part(0.5, inf)) == (0.0, 0.5, inf)


@given(kl_cases())
def test_any_state_is_json_and_agrees_with_itself(settings):
    found = chapter(kl_setup(), settings)
    json.dumps(found, allow_nan=False)
    found = found[PAGE]
    for share, total in (("share", "kl"), ("reverse_share", "reverse_kl")):
        shares = [path[share] for path in found["paths"]]
        assert found[total] == ("inf" if "inf" in shares else pytest.approx(sum(shares), abs=1e-15))
    if found["kl"] != "inf" or settings["beta"] == 0:
        assert found["objective"] == pytest.approx(found["reward"] - found["penalty"], abs=1e-15)
        assert found["objective"] <= found["optimum"]["objective"] + 1e-14
    best = found["optimum"]["objective"]
    assert all(value == "-inf" or value <= best + 1e-14 for value in found["curve"]["objective"])
    tree = found["tree"]
    assert tree["chain"] == (
        tree["direct"] if tree["chain"] == "inf" else pytest.approx(tree["direct"], abs=3e-15)
    )
    assert found["gradient"]["bracket_sum"] == 0.0


@given(kl_cases())
def test_undefined_is_only_what_has_no_meaning(settings):
    # "nan": the log-ratio and return of a path that nobody takes, and what an infinite KL leaves of
    # differences.
    found = chapter(kl_setup(), settings)[PAGE]
    if 0 < settings["q"] < 1 and 0 < settings["tree_q"] < 1:
        assert "nan" not in list(numbers(found))
    for name in ("kl", "reverse_kl", "objective", "reference_objective", "optimum", "curve", "tree", "clip"):
        assert "nan" not in list(numbers(found[name])) or (name == "tree" and settings["tree_q"] in (0, 1))
