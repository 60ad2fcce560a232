"""The experiment's keys: on the command line, `state --page digits`, and what they refuse."""

import json
import re

import pytest

from compute.digits_live import PAGE
from publish.digits.page import state_of
from publish.digits.settings import digits_keys, listed
from publish.page.keys import chosen_settings, page_schema
from publish.site import TEMPLATES
from tests.content_tools import problems_of, run_build
from tests.digits_states import U, V, config, subject, trained

KEYS = digits_keys(config().setup)
BY_NAME = {key.name: key for key in KEYS}
# Values of each key, as they are typed and as they are.
TYPED = {
    "beta": [("0.1", 0.1), ("3", 3), ("0", 0), ("0.30", 0.3), ("1.0", 1), ("1e-1", 0.1), ("+.3", 0.3)],
    "seed": [("5", 5), ("0", 0), ("7.0", 7)],
    "update": [("0", 0), ("10", 10), ("390", 390), ("4e2", 400)],
    "a": [("0", 0), ("9", 9), ("07", 7)],
    "b": [("3", 3)],
    U: [("9", 9)],
    V: [("0", 0)],
}
WRONG = {
    "beta": ["", "0.2", "-0.1", "0.1000001", "nan", "inf", "0,1", "０.１", "x"],
    "seed": ["", "8", "-1", "0.5", "five"],
    "update": ["", "5", "401", "410", "-10", "1_0"],
    "a": ["", "10", "-1", "1.0", "１"],
    "b": ["10"],
    U: ["10", "1.5"],
    V: ["10", "²"],
}


def run(*arguments):
    return run_build("state", "--page", PAGE, *arguments)


def refused(name, text):
    return problems_of(chosen_settings, KEYS, config().settings, [f"{name}={text}"], None)


def test_the_keys_are_the_pages_and_each_has_a_value():
    assert subject().keys == KEYS
    assert [key.name for key in KEYS] == list(TYPED) == list(WRONG) == list(config().settings)
    for key in KEYS:
        assert key.check(f"{config().settings[key.name]:g}") == config().settings[key.name]


def test_no_key_is_one_that_every_address_has():
    """Such as v, the version: the canonical hash would name it twice."""
    others = {"v", "show", "hide", "lock", "only", "theme"}
    script = (TEMPLATES / "assets/js/hash.js").read_text(encoding="utf-8")
    assert others == set(json.loads(re.search(r"const OTHERS = (\[.+?\]);", script)[1]))
    assert not others & {key.name for key in KEYS}


def test_listed_keys_list_what_there_is():
    assert [float(word) for word in BY_NAME["beta"].words] == config().setup["betas"]
    assert [int(word) for word in BY_NAME["seed"].words] == config().setup["seeds"]
    assert [int(word) for word in BY_NAME["update"].words] == trained()["updates"]


@pytest.mark.parametrize(
    ("name", "text", "value"), [(name, *pair) for name, pairs in TYPED.items() for pair in pairs]
)
def test_accepted(name, text, value):
    chosen = chosen_settings(KEYS, config().settings, [f"{name}={text}"], None)
    assert chosen == {**config().settings, name: value}
    whole = isinstance(value, int)
    assert isinstance(chosen[name], int) == whole, "a hash has 1, not 1.0"


@pytest.mark.parametrize(("name", "text"), [(name, text) for name, texts in WRONG.items() for text in texts])
def test_refused(name, text):
    (problem,) = refused(name, text)
    assert (problem.file, problem.line, problem.key) == (f"--set {name}={text}", None, name)
    assert problem.what[0].startswith(f'found "{text}"; allowed: {BY_NAME[name].allowed[0]}')
    assert problem.what[1].startswith(f'写的是 "{text}"；允许：{BY_NAME[name].allowed[1]}')


def test_what_is_allowed_is_said_in_both_languages():
    assert BY_NAME["beta"].allowed == ("one of 0, 0.1, 0.3, 1, 3", "以下之一：0, 0.1, 0.3, 1, 3")
    assert BY_NAME["seed"].allowed == (
        "one of 0, 1, 2, 3, 4, 5, 6, 7",
        "以下之一：0, 1, 2, 3, 4, 5, 6, 7",
    )
    assert BY_NAME["update"].allowed == ("one of 0, 10, 20, …, 400", "以下之一：0, 10, 20, …, 400")
    assert BY_NAME[V].allowed == ("a digit, 0 to 9", "0 到 9 的数字")


def test_a_list_of_twelve_is_said_whole():
    assert (
        listed("x", range(12)).allowed[0].endswith(" 9, 10, 11")
        and "…" not in listed("x", range(12)).allowed[0]
    )
    assert listed("x", range(13)).allowed[0] == "one of 0, 1, 2, …, 12"


def test_the_schema_says_what_the_pages_own_check_needs():
    for language in ("zh", "en"):
        for key, entry in zip(KEYS, page_schema(KEYS, language), strict=True):
            assert (entry["name"], entry["kind"], entry["words"]) == (key.name, key.kind, key.words)
            assert entry["allowed"] == key.allowed[language == "zh"]
            json.dumps(entry, allow_nan=False)
    assert [key.kind for key in KEYS] == ["listed"] * 3 + ["whole"] * 4


def test_the_state_on_the_command_line_is_the_pages():
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    shown = json.loads(done.stdout)[PAGE]
    assert shown == {name: value for name, value in subject().results[PAGE].items() if name != "run"}


def test_another_state_on_the_command_line():
    done = run("--set", "beta=0.1", "--set", "seed=5")
    assert (done.returncode, done.stderr) == (0, "")
    shown = json.loads(done.stdout)[PAGE]
    assert shown["settings"] == {**config().settings, "beta": 0.1, "seed": 5}
    assert shown == state_of(trained(), shown["settings"])
    assert not shown["shipped"] and shown["reward"] is None and shown["grid"][7][6] is not None


def test_mistakes_on_the_command_line_are_all_told():
    done = run("--set", "beta=0.2", "--set", "sed=3", "--set", "update=5", "--set", "a=10", "--set", V)
    assert (done.returncode, done.stdout) == (2, "")
    lines = {line.split(": ")[0]: line for line in done.stderr.splitlines()}
    assert set(lines) == {"--set beta=0.2", "--set sed=3", "--set update=5", "--set a=10", f"--set {V}"}
    assert "one of 0, 0.1, 0.3, 1, 3" in lines["--set beta=0.2"]
    assert 'did you mean "seed"?' in lines["--set sed=3"]
    assert "one of 0, 10, 20, …, 400" in lines["--set update=5"]
    assert "a digit, 0 to 9" in lines["--set a=10"] and "not KEY=VALUE" in lines[f"--set {V}"]


def test_the_experiment_has_no_steps():
    done = run("--step", "3")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("--step 3: no such key; allowed: beta, seed, update, a")
