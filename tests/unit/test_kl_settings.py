"""The chapter's keys: on the command line, `state --page kl-and-clipping`, and what they refuse."""

import json
import re

import pytest

from compute.chain_rule import LARGEST_BINARY_KL
from compute.kl_chapter import chapter
from publish.kl.settings import KEYS
from publish.page.keys import chosen_settings, page_schema
from tests.content_tools import KL, problems_of, run_build, shipped_kl_config

BY_NAME = {key.name: key for key in KEYS}
# A value for each key, other than the default one, as it is typed and as it is.
TYPED = {
    "p": ("0.25", 0.25),
    "q": ("1", 1.0),
    "rewards": ("-1, 2.5", [-1.0, 2.5]),
    "beta": ("1e-3", 0.001),
    "n": ("64", 64),
    "ratio": (".5", 0.5),
    "advantage": ("-1e6", -1e6),
    "clip_epsilon": ("0.3", 0.3),
    "token_ratio": ("0.9", 0.9),
    "length": ("7", 7),
    "tree_p": ("0.5", 0.5),
    "tree_q": ("0.125", 0.125),
    "tree_kl": ("0.1,0.2", [0.1, 0.2]),
    "vocabulary": ("200000", 200000),
}
WRONG = {
    "p": ["", "-0.1", "1.001", "nan", "inf", "0,5", "x", "１"],
    "q": ["", "-1e-9", "2"],
    "rewards": ["", "1", "1,0,0", "1;0", "1,", "1000001,0", "mixed", "1,nan"],
    "beta": ["", "-1e-9", "1000001", "inf"],
    "n": ["", "0", "65", "1.0", "-1", "1e1"],
    "ratio": ["", "-0.1", "100.1"],
    "advantage": ["", "1000001", "-1000001", "good"],
    "clip_epsilon": ["", "0", "1", "-0.2"],
    "token_ratio": ["", "0", "100.1", "-1"],
    "length": ["", "0", "65", "2.5"],
    "tree_p": ["", "-0.1", "1.1"],
    "tree_q": ["", "-0.1", "1.1"],
    "tree_kl": ["", "0.1", "0,0.7", "-0.1,0", "0,0,0"],
    "vocabulary": ["", "1", "200001", "10.0"],
}


def run(*arguments):
    return run_build("state", "--page", KL, *arguments)


def test_every_key_is_tried():
    assert list(TYPED) == list(WRONG) == [key.name for key in KEYS]


def test_without_changes_the_state_is_the_shipped_one():
    done, config = run(), shipped_kl_config()
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == chapter(config.setup, config.settings)
    assert json.dumps(json.loads(done.stdout), indent=1, ensure_ascii=False) + "\n" == done.stdout


def test_set_of_every_key():
    done = run(*(f"--set={name}={text}" for name, (text, _) in TYPED.items()))
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found[KL]["settings"] == {name: value for name, (_, value) in TYPED.items()}
    assert found == chapter(shipped_kl_config().setup, {name: value for name, (_, value) in TYPED.items()})


@pytest.mark.parametrize("name", TYPED)
def test_one_key_changes_only_itself(name):
    settings = shipped_kl_config().settings
    text, value = TYPED[name]
    assert value != settings[name]
    assert chosen_settings(KEYS, settings, [f"{name}={text}"], None) == {**settings, name: value}


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in WRONG.items() for text in texts])
def test_refused(name, text):
    (problem,) = problems_of(chosen_settings, KEYS, shipped_kl_config().settings, [f"{name}={text}"], None)
    assert (problem.file, problem.line, problem.key) == (f"--set {name}={text}", None, name)
    assert problem.what[0] == f'found "{text}"; allowed: {BY_NAME[name].allowed[0]}'
    assert problem.what[1] == f'写的是 "{text}"；允许：{BY_NAME[name].allowed[1]}'


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        *(("p", "0", 0.0), ("p", "1", 1.0), ("q", "-0", 0.0), ("beta", "0", 0.0), ("beta", "1e6", 1e6)),
        *(("n", "1", 1), ("length", "64", 64), ("ratio", "0", 0.0), ("ratio", "100", 100.0)),
        *(("rewards", "-1e6,1e6", [-1e6, 1e6]), ("vocabulary", "2", 2), ("token_ratio", "100", 100.0)),
        ("tree_kl", f"0,{LARGEST_BINARY_KL!r}", [0.0, LARGEST_BINARY_KL]),
    ],
)
def test_what_is_just_allowed(name, text, value):
    assert BY_NAME[name].check(text) == value


def test_mistakes_on_the_command_line_are_all_told():
    done = run("--set", "p=2", "--set", "lenght=3", "--set", "n=65", "--set", "q")
    assert (done.returncode, done.stdout) == (2, "")
    lines = sorted(done.stderr.splitlines())
    assert [line.split(": ")[0] for line in lines] == [
        "--set lenght=3",
        "--set n=65",
        "--set p=2",
        "--set q",
    ]
    assert 'did you mean "length"?' in lines[0] and "not KEY=VALUE" in lines[3]


def test_the_chapter_has_no_steps():
    done = run("--step", "3")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("--step 3: no such key; allowed: p, q, rewards, beta")


@pytest.mark.parametrize("key", ["normalization", "keep", "learning_rate", "at", "path"])
def test_keys_of_the_main_page_are_not_its(key):
    assert len(problems_of(chosen_settings, KEYS, shipped_kl_config().settings, [f"{key}=1"], None)) == 1


def test_an_unknown_page_is_told_with_the_nearest():
    done = run_build("state", "--page", "kl-and-cliping")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f'--page kl-and-cliping: found "kl-and-cliping"; allowed: update, {KL}, digits; did you mean "{KL}"?\n'
    )


def test_the_schema_says_what_the_pages_own_check_needs():
    for language in ("zh", "en"):
        for key, entry in zip(KEYS, page_schema(KEYS, language), strict=True):
            assert (entry["name"], entry["kind"]) == (key.name, key.kind)
            assert entry["allowed"] == key.allowed[language == "zh"] != ""
            assert entry["count"] == (2 if key.kind == "numbers" else 0)
            assert bool(entry["bounds"]) and json.dumps(entry, allow_nan=False)
    assert {key.kind for key in KEYS} == {"number", "numbers", "whole"}


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_what_is_said_to_be_allowed_is_what_is(key):
    """The largest and smallest number of the phrase are the bounds."""
    numbers = [float(text) for text in re.findall(r"-?\d+(?:\.\d+)?(?:e\d+)?", key.allowed[0])]
    bounds = key.bounds
    least = bounds.least if bounds.least is not None else bounds.above
    most = bounds.most if bounds.most is not None else bounds.below
    if key.kind == "whole":
        most = key.most
    if key.name == "tree_kl":
        numbers.remove(2.0)  # of "log 2"
    assert (min(numbers), max(numbers)) == (least, pytest.approx(most, abs=1e-6))
