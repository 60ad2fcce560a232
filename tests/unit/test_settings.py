"""The keys of a state on the command line: what each accepts, and one message for each that it does not."""

from math import copysign

import pytest
from hypothesis import given
from hypothesis import strategies as st

from publish.page.keys import Bounds, Key, canonical_hash, chosen_settings, page_schema
from publish.reading.problems import Problems
from publish.update.config import ORDER
from publish.update.settings import update_keys
from tests.content_tools import config_from, problems_of, rollout_text, shipped_config
from tests.live_states import EDGES, canonical, settings_of, some_choices

KEYS = update_keys(shipped_config())


def chosen(*assignments, step=None):
    return chosen_settings(KEYS, shipped_config().settings, assignments, step)


def problems_with(*assignments, step=None):
    return problems_of(chosen_settings, KEYS, shipped_config().settings, assignments, step)


def message(*assignments, step=None):
    problems = problems_with(*assignments, step=step)
    return str(Problems(problems)) if problems else ""


def test_the_keys_are_those_of_the_url():
    assert [key.name for key in KEYS] == list(ORDER) == list(chosen())


def test_nothing_given_means_the_config():
    assert chosen() == shipped_config().settings


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("normalization=response", "response"),
        ("keep=0", 0),
        ("keep=1000000000", 10**9),
        ("keep=007", 7),
        ("beta=0", 0.0),
        ("beta=1e-300", 1e-300),
        ("beta= .5 ", 0.5),
        ("clip_epsilon=0.999", 0.999),
        ("learning_rate=1e308", 1e308),
        ("rewards=one-right", "one-right"),
        ("rewards=1,0, -0.5 ,1e6", [1.0, 0.0, -0.5, 1e6]),
        ("path=correct", "correct"),
        ("step=20", 20),
        ("at=2.2", "2.2"),
        ("at=03.000", "3.0"),
    ],
)
def test_accepted(text, value):
    name = text.partition("=")[0]
    settings = chosen(text)
    assert settings == {**chosen(), name: value}
    assert type(settings[name]) is type(value)


# key, texts that are wrong, what the message says is allowed.
WRONG = [
    ("normalization", ["", "Token", "tokens", "token,response", "1"], "token, response"),
    ("keep", ["", "-1", "1.0", "1e3", "+1", "1_0", "１", "²", "four", "9" * 5000, "1000000001"], "0 or more"),
    ("beta", ["", "-0.1", "-1e-300", "nan", "inf", "1e400", "1_0", "０.１", "0,1", "0x1", "true"], "0 or more"),
    ("clip_epsilon", ["0", "1", "-0.2", "1.5", "nan", "inf", "0.2.", "-0"], "above 0 and below 1"),
    ("learning_rate", ["0", "-0", "-0.3", "inf", "nan", "1e400", "1e-400", "0.3e"], "above 0"),
    ("rewards", ["", "mixed2", "1,0,1", "1,0,1,0,1", "1,0,1,", "1;0;1;0", "1,0,1,nan", "1,0,1,inf", "1,0,1,1e7",
                 "1,0,1,１", "1，0，1，0"], "mixed, equal, one-right, two-neutral"),
    ("path", ["", "Correct", "wrong"], "correct"),
    ("step", ["", "21", "-1", "1.0", "1_0", "１", "x"], "0 to 20"),
    ("at", ["", "0", "0.4", "4.0", "0.-1", "-1.0", "1.2", "0.0.0", "0,0", "０.０", "0.0001", " . "],
     "response.position"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("key", "text", "says"), [(k, text, says) for k, texts, says in WRONG for text in texts]
)
def test_refused(key, text, says):
    (problem,) = problems_with(f"{key}={text}")
    assert (problem.file, problem.line, problem.key) == (f"--set {key}={text}", None, key)
    assert f'found "{text[:40]}' in problem.what[0] and says in problem.what[0].split("allowed: ")[1]
    assert "\n" not in message(f"{key}={text}")


def test_every_key_has_wrong_values():
    assert [key for key, _, _ in WRONG] == [key.name for key in KEYS]


@pytest.mark.parametrize(
    ("text", "meant"),
    [("normalization=tokem", "token"), ("rewards=mixd", "mixed"), ("path=corect", "correct"), ("bta=1", "beta"),
     ("Keep=1", "keep"), ("learningrate=1", "learning_rate"), ("ｓｔｅｐ=1", "step")],
)  # fmt: skip
def test_nearest_spelling(text, meant):
    assert message(text).endswith(f'; did you mean "{meant}"?')


@pytest.mark.parametrize("text", ["", "=", "=1", "beta", "beta:1", "beta＝1", "unheard=1", "steps=1"])
def test_what_is_no_assignment_to_a_key(text):
    said = message(text)
    assert said.startswith(f"--set {text}: ") and "allowed: normalization, keep, beta" in said


def test_all_mistakes_at_once():
    said = message("keep=x", "bta=1", "rewards=1,2", "beta=2", step="99").splitlines()
    assert [line.split(": ")[0] for line in said] == [
        "--set bta=1",
        "--set keep=x",
        "--set rewards=1,2",
        "--step 99",
    ]


def test_step():
    assert chosen(step="7") == chosen("step=7")
    assert message(step="7.0").startswith("--step 7.0: step: found")


@pytest.mark.parametrize(
    ("assignments", "step"), [(["step=3"], "3"), (["beta=1", "beta=1"], None), (["beta=1", " beta =2"], None)]
)
def test_twice_is_a_mistake(assignments, step):
    (problem,) = problems_with(*assignments, step=step)
    assert "given twice" in problem.what[0]


def test_what_is_allowed_follows_the_config(tmp_path):
    config = config_from(tmp_path, rollout_text(lengths=[2]))
    keys = update_keys(config)
    settings = chosen_settings(keys, config.settings, ["rewards=-3", "at=0.1", "step=3"], None)
    assert settings["rewards"] == [-3.0]
    for text in ("rewards=1,0", "rewards=mixed", "at=1.0", "step=4"):
        assert problems_of(chosen_settings, keys, config.settings, [text], None) != []


@pytest.mark.parametrize("text", ["-0", "-0.0", "-0e5", "-1e-400"])
def test_minus_zero_does_not_survive(text):
    assert copysign(1, chosen(f"beta={text}")["beta"]) == 1
    assert copysign(1, chosen(f"rewards={text},1,1,1")["rewards"][0]) == 1


@given(st.text(max_size=12) | st.from_regex(r"-?[0-9_.eE,+ ]{1,12}", fullmatch=True), st.sampled_from(ORDER))
def test_any_text_is_a_value_or_a_problem(text, key):
    problems = problems_of(chosen, f"{key}={text}")
    assert len(problems) == 1 or list(chosen(f"{key}={text}")) == list(ORDER)


def test_messages_exist_in_both_languages():
    for key in KEYS:
        english, chinese = key.allowed
        assert english and chinese


FRACTION = Bounds(least=0, most=1)
COUNT = Key("count", "whole", ("1 to 64", "1 到 64"), most=64, bounds=Bounds(least=1))
SHARE = Key("share", "number", ("0 to 1", "0 到 1"), bounds=FRACTION)
SHARES = Key("shares", "numbers", ("3 numbers", "3 个数"), bounds=FRACTION, count=3)


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [(COUNT, "1", 1), (COUNT, "64", 64), (SHARE, "0", 0.0), (SHARE, "1", 1.0), (SHARE, "-0", 0.0),
     (SHARES, "0,1,.5", [0.0, 1.0, 0.5]), (SHARES, " 1e-9 , 0.25,1", [1e-9, 0.25, 1.0])],
)  # fmt: skip
def test_other_kinds_accept(key, text, value):
    assert key.check(text) == value
    assert chosen_settings([key], {key.name: None}, [f"{key.name}={text}"], None) == {key.name: value}


@pytest.mark.parametrize(
    ("key", "texts"),
    [(COUNT, ["", "0", "65", "1.0", "-1"]), (SHARE, ["", "-1e-9", "1.0000001", "nan"]),
     (SHARES, ["", "0,1", "0,1,0,1", "0,1,", "0,1,2", "-0.1,0,0", "0,0,inf", "0;0;0", "mixed"])],
)  # fmt: skip
def test_other_kinds_refuse(key, texts):
    for text in texts:
        (problem,) = problems_of(chosen_settings, [key], {}, [f"{key.name}={text}"], None)
        assert problem.key == key.name and key.allowed[0] in problem.what[0]


def test_a_step_is_for_pages_that_have_one():
    (problem,) = problems_of(chosen_settings, [SHARE], {"share": 0.5}, [], "3")
    assert problem.file == "--step 3" and "allowed: share" in problem.what[0]


def test_the_schema_says_all_that_a_check_needs():
    (entry,) = page_schema([SHARES], "zh")
    assert entry == {
        "name": "shares",
        "kind": "numbers",
        "allowed": "3 个数",
        "words": (),
        "most": 10**9,
        "bounds": {"least": 0, "most": 1},
        "count": 3,
        "lengths": (),
    }


def test_the_canonical_hash_reads_back_and_is_written_as_the_pages_write_it():
    """The second route is tests/live_states.canonical, which the browser tests compare with the pages."""
    for assignments in (*EDGES, *some_choices(40, seed=9)):
        settings = settings_of(*assignments)
        text = canonical_hash(KEYS, settings, "loss")
        assert text == canonical(settings, show="loss")
        pairs = [pair for pair in text.split("&") if pair.partition("=")[0] not in ("v", "show")]
        assert settings_of(*pairs) == settings
    assert canonical_hash(KEYS, settings).endswith("&at=" + settings["at"])
    assert canonical_hash((), {}, "a b&c") == "v=1&show=a%20b%26c"
