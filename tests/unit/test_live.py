"""The page's conversation with the core: the same numbers as the state, curves, facts and checks; JSON in and out."""

import json

import pytest

from compute import live
from compute.evidence import evidence
from compute.facts import facts
from compute.findings import FINDINGS, OF_A_RUN, OF_A_STATE
from compute.path_difference import path_difference
from compute.plateaus import plateaus
from compute.state import curves, state
from tests.configurations import one_token_setup, random_setup, shipped_settings, shipped_setup

SETTINGS = [
    shipped_settings(),
    shipped_settings(step=20),
    shipped_settings(step=7, at="2.1"),
    shipped_settings(normalization="response", beta=0.5, step=7),
    shipped_settings(normalization="response", beta=0.5, step=2, at="1.1"),
    shipped_settings(keep=0),
    shipped_settings(keep=1, rewards=[0.25, -1, 3, 0.5], step=3),
    shipped_settings(clip_epsilon=0.05, learning_rate=1.5, rewards="equal", step=5),
    shipped_settings(),
]


def never(name):
    raise AssertionError(f"{name} is not JSON")


def answer(function, *values):
    """Call as the page does: JSON texts in, a JSON text out."""
    text = function(*[json.dumps(value) for value in values])
    assert isinstance(text, str)
    return json.loads(text, parse_constant=never)


def as_json(value):
    return json.loads(json.dumps(value, allow_nan=False))


def leaves(value, path=()):
    """Yield (path, leaf) for everything in a JSON document."""
    if isinstance(value, (dict, list)):
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(item, (*path, key))
    else:
        yield path, value


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@pytest.fixture(autouse=True)
def setup():
    """Begin with the shipped setup; nothing is kept from another test."""
    live.kept.update(setup=None, key=None, batch=None, run=[])
    assert live.begin(json.dumps(shipped_setup())) is None
    return shipped_setup()


@pytest.fixture
def prepared(monkeypatch):
    """Return the settings of every batch that is prepared."""
    seen = []
    prepare = live.prepare
    monkeypatch.setattr(
        live, "prepare", lambda setup, settings: seen.append(settings) or prepare(setup, settings)
    )
    return seen


def test_show_is_the_state_with_its_clip_chart_and_its_sentences(setup):
    for settings in SETTINGS:
        expected = state(setup, settings)
        expected["plateaus"] = plateaus(expected["positions"], settings["clip_epsilon"])
        expected["sentences"] = {name: FINDINGS[name](expected) for name in OF_A_STATE}
        assert answer(live.show, settings) == as_json(expected)


def test_any_shape():
    other = random_setup(5, d=3, actions=4, lengths=[3, 1, 2])
    live.begin(json.dumps(other))
    settings = shipped_settings(rewards="given", step=3, at="2.1")
    shown = answer(live.show, settings)
    assert {name: shown[name] for name in state(other, settings)} == as_json(state(other, settings))


def test_a_run_is_kept_while_only_step_and_token_change(prepared):
    for change in ({"step": 4}, {"step": 2}, {"at": "3.0"}, {"step": 6, "at": "0.3"}):
        answer(live.show, shipped_settings(**change))
    assert len(prepared) == 1 and len(live.kept["run"]) == 8


@pytest.mark.parametrize(
    "change",
    [
        {"normalization": "response"},
        {"keep": 2},
        {"beta": 0.2},
        {"clip_epsilon": 0.1},
        {"learning_rate": 0.1},
        {"rewards": "one-right"},
        {"rewards": [1, 0, 0, 0.5]},
    ],
)
def test_every_other_setting_makes_a_new_run(prepared, setup, change):
    answer(live.show, shipped_settings(step=4))
    shown = answer(live.show, shipped_settings(step=4, **change))
    assert len(prepared) == 2
    assert shown["W"] == state(setup, shipped_settings(step=4, **change))["W"]
    assert shown["W"] != state(setup, shipped_settings(step=4))["W"]


def test_a_curve_is_a_slice_of_the_charts(setup):
    for beta in (0.0, 0.1, 0.37):
        settings = shipped_settings(normalization="response", step=3)
        assert answer(live.curve, settings, beta) == as_json(curves(setup, settings, [beta])[0])


def test_a_story_has_the_facts_of_the_run_and_its_sentences(setup):
    for settings in SETTINGS:
        curve = curves(setup, settings, [settings["beta"]])[0]
        told = answer(live.story, settings, curve)
        assert told["facts"] == as_json(facts(setup, state(setup, settings), curve))
        expected = {name: FINDINGS[name]({"settings": settings, "facts": told["facts"]}) for name in OF_A_RUN}
        assert told["sentences"] == as_json(expected)


def test_a_check_is_the_evidence_of_that_state(setup):
    for settings in SETTINGS:
        assert answer(live.check, settings) == as_json(evidence(setup, settings))


def test_compare_has_the_other_state_and_every_difference():
    for settings in SETTINGS:
        for other in SETTINGS[:4]:
            shown, of_other = answer(live.show, settings), answer(live.show, other)
            found = answer(live.compare, settings, other)
            assert found["other"] == of_other
            left, right = dict(leaves(shown)), dict(leaves(of_other))
            differences = dict(leaves(found["difference"]))
            compared = 0
            for path, value in left.items():
                if is_number(value) and is_number(right.get(path)):
                    assert differences[path] == value - right[path], path
                    compared += 1
                else:
                    assert differences.get(path) is None, path
            assert compared > 300


def test_equal_runs_differ_by_nothing():
    found = answer(live.compare, shipped_settings(step=5), shipped_settings(step=5))
    assert {value for _, value in leaves(found["difference"])} == {0, None}


def test_the_page_goes_on_after_a_comparison(setup):
    settings = shipped_settings(step=5)
    answer(live.compare, settings, shipped_settings(beta=0.5, step=9))
    assert answer(live.show, settings)["W"] == state(setup, settings)["W"]


def test_what_is_no_number_has_no_difference():
    left = {"a": [2.5, "inf", None, True, 1], "b": (1, 2.0), "c": "token", "d": 3, "e": [1.0, 2.0]}
    right = {"a": [1.0, 1.0, 2, True, "nan"], "b": (3, 1.0), "c": "token", "e": "mixed"}
    expected = {"a": [1.5, None, None, None, None], "b": [-2, 1.0], "c": None, "e": None}
    assert live.difference(left, right) == expected


def test_a_difference_beyond_floating_point_is_a_word():
    # The gradient is [-1, 1] or its opposite, so that the two next parameters are the largest doubles of either sign.
    setup = one_token_setup([0.0, 0.0], [0.0, 0.0], actions=(0, 1))
    for response in setup["responses"]:
        response["features"] = [[2.0]]
    live.begin(json.dumps(setup))
    first, second = (
        shipped_settings(rewards=rewards, beta=0.0, learning_rate=1.7e308) for rewards in ([1, 0], [0, 1])
    )
    assert answer(live.show, first)["W_next"] == [[1.7e308, -1.7e308]]
    assert answer(live.compare, first, second)["difference"]["W_next"] == [["inf", "-inf"]]


def test_a_path_beside_the_correct_one(setup):
    for settings in SETTINGS:
        for path in ("correct", "mask-ignored", "product-ratio"):
            changed = {**settings, "path": path}
            told = answer(live.beside, changed)
            expected = {"beside": path_difference(setup, changed)}
            assert told["beside"] == as_json(expected["beside"])
            assert told == as_json({**expected, "sentences": {"beside": FINDINGS["beside"](expected)}})
            # The page goes on from the same run.
            assert answer(live.show, changed)["W"] == state(setup, changed)["W"]


def test_what_is_said_of_a_path_follows_the_state(setup):
    later = shipped_settings(path="unclipped-averaged")
    first = path_difference(setup, later)["first"]
    never = {**later, "rewards": "equal"}
    said = {
        "before": answer(live.beside, later),
        "then": answer(live.beside, {**later, "step": first}),
        "never": answer(live.beside, never),
        "back": answer(live.beside, later),
    }
    keys = {name: found["sentences"]["beside"] for name, found in said.items()}
    assert first > 0 and keys == {
        "before": [["path_differs_later", {"first": "beside.first"}]],
        "then": [[f"path_differs_in_{name}", {}] for name in ("loss", "gradient", "W_next")],
        "never": [["path_never_equal-rewards", {}]],
        "back": keys["before"],
    }
    # What is said goes with the path: the state itself says nothing of it.
    assert "beside" not in answer(live.show, later)["sentences"]


def test_a_path_asked_first_and_shown_before(setup):
    """The run that the page keeps is the one compared: the answer is the same, whichever comes first."""
    settings = shipped_settings(path="product-ratio", step=7, at="2.1")
    alone = answer(live.beside, settings)
    answer(live.show, shipped_settings(path="product-ratio", step=20))
    assert answer(live.beside, settings) == alone
    assert alone["beside"]["wrong"]["W_next"] == as_json(state(setup, settings)["W_next"])
    right = state(setup, {**settings, "path": "correct"})
    assert alone["beside"]["right"]["W_next"] == as_json(right["W_next"])
