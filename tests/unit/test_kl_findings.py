"""Which sentence of the chapter on KL and clipping is true of which results, of compute/kl_findings.py."""

import re
from pathlib import Path

import pytest
from hypothesis import given

from compute import kl_findings
from compute.kl_chapter import PAGE, chapter
from compute.kl_findings import CHAPTER_FINDINGS, above, findings, same
from tests.configurations import kl_cases, kl_settings, kl_setup

# Each key once, with a state in which it is true and why.
CASES = [
    ("directions", {}, "directions_smaller"),  # 0.1927 against 0.2231
    ("directions", {"p": 0.5, "q": 0.8}, "directions_larger"),
    ("directions", {"p": 0.8, "q": 0.2}, "directions_same"),  # exchanged paths
    ("directions", {"q": 0.0}, "directions_larger"),  # infinite against log 5
    ("directions", {"p": 1.0}, "directions_smaller"),  # log 2 against infinite
    ("directions", {"p": 1.0, "q": 0.0}, "directions_same"),  # both infinite
    ("support", {}, "support_shared"),
    ("support", {"q": 0.0}, "support_infinite_1"),
    ("support", {"q": 1.0}, "support_infinite_2"),
    ("support", {"p": 0.0}, "support_unused_1"),
    ("support", {"p": 1.0}, "support_unused_2"),
    ("support", {"p": 0.0, "q": 0.0}, "support_neither_1"),
    ("support", {"p": 1.0, "q": 1.0}, "support_neither_2"),
    ("single-sample", {"p": 0.3}, "single_negative_1"),  # log 0.6
    ("single-sample", {}, "single_negative_2"),  # log 0.4
    ("single-sample", {"p": 0.5}, "single_none"),
    ("single-sample", {"p": 1.0}, "single_none"),  # path 2, negative, is never sampled
    ("single-sample", {"q": 0.0}, "single_negative_2"),  # log 0.2, though the KL is infinite
    ("comparison", {}, "p_better"),  # 0.7807 against 0.5
    ("comparison", {"p": 0.2}, "p_worse"),
    ("comparison", {"p": 0.5}, "p_same"),
    ("comparison", {"q": 0.0}, "p_worse"),  # -infinite
    ("optimum", {"beta": 0.0}, "optimum_free"),
    ("optimum", {}, "optimum_tilted"),
    ("optimum", {}, "end_below"),  # 0.93069 at the end, and 0.93069 + 4.5e-6 at the optimum
    ("optimum", {"q": 1.0}, "end_is_optimum"),
    ("optimum", {"q": 0.0}, "end_below"),  # -infinite at the end
    ("optimum", {"rewards": [0, 1]}, "end_below"),
    ("negatives", {}, "negatives_rise"),  # 0.2 to 0.36
    ("negatives", {"p": 0.8, "q": 0.2}, "negatives_fall"),  # 0.2, 0.04, 0.0272, 0.0104, ...
    ("negatives", {"p": 0.5}, "negatives_never"),
    ("negatives", {"p": 1.0}, "negatives_never"),
    (
        "negatives",
        {"q": 1.0},
        "negatives_fall",
    ),  # 0.8, 0.64, ...: only path 1 alone is finite, and negative
    ("group", {}, "group"),
    ("group", {"q": 0.0}, "group_infinite"),
    ("vanishing", {}, "vanishing"),
    ("vanishing", {"beta": 0.0}, "vanishing_trivial"),
    ("vanishing", {"p": 1.0}, "vanishing_trivial"),
    ("derivatives", {}, "derivatives"),
    ("derivatives", {"q": 0.0}, "derivatives_infinite"),
    ("derivatives", {"beta": 0.0}, "derivatives_agree"),
    ("derivatives", {"p": 0.5}, "derivatives_agree"),  # p = q, and both scores weigh log p alike
    ("derivatives", {"p": 0.5, "q": 0.8}, "derivatives"),  # only the one by value is off
    ("clip-point", {"advantage": 0.0}, "clip_neutral"),
    ("clip-point", {}, "clip_limits_raising"),
    ("clip-point", {"ratio": 0.6, "advantage": -2.0}, "clip_limits_lowering"),
    ("clip-point", {"ratio": 1.1}, "clip_inside"),
    ("clip-point", {"ratio": 1.2}, "clip_inside"),  # on the bound
    ("clip-point", {"ratio": 1.4, "advantage": -2.0}, "clip_outside"),
    ("clip-point", {"ratio": 0.6}, "clip_outside"),
    ("twin", {"advantage": -2.0}, "twin_differs"),
    ("twin", {}, "twin_same"),
    ("twin", {"ratio": 0.6, "advantage": 0.0}, "twin_same"),
    ("clip-regions", {}, "clip_regions"),
    ("tokens", {}, "tokens_leave"),
    ("tokens", {"length": 1}, "tokens_stay"),
    ("tokens", {"token_ratio": 1.0}, "tokens_stay"),
    ("tokens", {"token_ratio": 1.3}, "tokens_outside"),
    ("weightings", {}, "weightings_differ"),
    ("weightings", {"tree_p": 0.5}, "weightings_same"),
    ("weightings", {"tree_kl": [0.3, 0.3]}, "weightings_same"),  # equal numbers weigh alike
    ("weightings", {"tree_q": 0.0}, "weightings_infinite"),
    ("cost", {}, "cost"),
]
KEYS = {key for _, _, key in CASES}  # each without the chapter's name before it


def short(key):
    """A key without the chapter's name, which it must begin with."""
    assert key.startswith(PAGE + "."), key
    return key[len(PAGE) + 1 :]


def said(**changes):
    """What the chapter says at the worked example, with changes."""
    return findings(chapter(kl_setup(), kl_settings(**changes)))


def number(results, path):
    """The value that an id names; KeyError, IndexError or ValueError if there is none."""
    for part in path.split("."):
        results = results[int(part)] if isinstance(results, list) else results[part]
    return results


@pytest.mark.parametrize(("name", "changes", "key"), CASES)
def test_what_is_said(name, changes, key):
    assert key in [short(found) for found, _ in said(**changes)[name]]


def test_every_key_has_a_case():
    # A key is written whole, or as a beginning that ends in "_" with what follows it.
    source = Path(kl_findings.__file__).read_text(encoding="utf-8")
    written = set(re.findall(r'"' + PAGE + r'\.([a-z_]+)"', source))
    whole, beginnings = {key for key in written if key[-1] != "_"}, {key for key in written if key[-1] == "_"}
    assert whole <= KEYS
    assert beginnings and all(any(key.startswith(beginning) for key in KEYS) for beginning in beginnings)
    assert {name for name, _, _ in CASES} == set(CHAPTER_FINDINGS)


@given(kl_cases())
def test_in_any_state_the_sentences_are_known_and_their_numbers_exist(settings):
    results = chapter(kl_setup(), settings)
    found = findings(results)
    assert list(found) == list(CHAPTER_FINDINGS)
    for name, parts in found.items():
        assert parts, name
        for key, named in parts:
            assert short(key) in KEYS
            for place, path in named.items():
                value = number(results, path)
                empty = (
                    place == "first" and short(key) == "tokens_stay"
                )  # never outside: there is no first time
                assert value is None if empty else isinstance(value, (int, float, str)), (key, place)


def test_the_sentence_on_rising_chances_names_the_first_rise():
    ((_, named),) = said()["negatives"]
    results = chapter(kl_setup(), kl_settings())
    values = {place: number(results, path) for place, path in named.items()}
    # 0.2 for one sample, 1 - 0.8^2 for two.
    assert (values["n_before"], values["n"]) == (1, 2)
    assert values["before"] == pytest.approx(0.2, abs=1e-15)
    assert values["chance"] == pytest.approx(0.36, abs=1e-15)


def test_chances_that_fall_with_the_size_do_not_rise_because_larger_groups_are_listed_first():
    # p = 0.8, q = 0.2: 0.0272, 0.04 and 0.2 for groups of 4, 2 and 1.
    results = chapter({**kl_setup(), "group_sizes": [4, 2, 1]}, kl_settings(q=0.2))
    ((key, _),) = findings(results)["negatives"]
    assert short(key) == "negatives_fall"


def test_a_sentence_names_its_own_path():
    ((_, named),) = said(p=0.3)["single-sample"]
    assert named["log_ratio"] == PAGE + ".paths.0.log_ratio"
    ((_, named),) = said()["single-sample"]
    assert named["log_ratio"] == PAGE + ".paths.1.log_ratio"
    ((_, named),) = said(q=1.0)["support"]
    assert named == {"p": PAGE + ".paths.1.p", "q": PAGE + ".paths.1.q"}


@given(kl_cases())
def test_the_sentences_are_true(settings):
    # Each condition once more, from the settings alone.
    p, q, beta = settings["p"], settings["q"], settings["beta"]
    found = {
        name: [short(key) for key, _ in parts]
        for name, parts in findings(chapter(kl_setup(), settings)).items()
    }
    infinite = (q == 0 and p > 0) or (q == 1 and p < 1)
    assert (found["group"] == ["group_infinite"]) == infinite
    assert any("support_infinite" in key for key in found["support"]) == infinite
    assert (found["single-sample"] == ["single_negative_1"]) == (0 < p < q)
    assert (found["single-sample"] == ["single_negative_2"]) == (q < p < 1)
    assert (found["vanishing"] == ["vanishing"]) == (beta > 0 and 0 < p < 1)
    assert (found["optimum"] == ["optimum_free"]) == (beta == 0)
    tree_p, tree_q = settings["tree_p"], settings["tree_q"]
    first, second = settings["tree_kl"]
    if (tree_q > 0 or tree_p == 0) and (tree_q < 1 or tree_p == 1):
        assert (found["weightings"] == ["weightings_same"]) == (tree_p == tree_q or first == second)
    else:
        assert found["weightings"] == ["weightings_infinite"]
    ratio, advantage = settings["ratio"], settings["advantage"]
    above_it, below_it = ratio > 1 + settings["clip_epsilon"], ratio < 1 - settings["clip_epsilon"]
    expected = (
        "neutral" if advantage == 0
        else "limits_raising" if above_it and advantage > 0
        else "limits_lowering" if below_it and advantage < 0
        else "outside" if above_it or below_it
        else "inside"
    )  # fmt: skip
    assert found["clip-point"] == ["clip_" + expected]
    assert (found["twin"] == ["twin_differs"]) == (expected == "outside")


def test_same_and_above_with_words():
    assert same("inf", "inf") and not same("inf", 1.0) and not same("inf", "-inf")
    assert same(1.0, 1.0 + 1e-13) and not same(1.0, 1.0 + 1e-11)
    assert same(1e6, 1e6 + 1e-7) and same(0.0, 1e-13) and not same(0.0, 1e-11)
    assert above("inf", 1e300) and above(-1e300, "-inf") and above("inf", "-inf") and above(2.0, 1.0)
    assert (
        not above("inf", "inf")
        and not above("-inf", "-inf")
        and not above(1.0, 1.0)
        and not above(1.0, "inf")
    )
