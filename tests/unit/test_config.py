"""content/config/rollout.toml: every mistake is named with file, line, key, what was found and what is allowed.

CASES is a table: what is changed in the shipped file, and what has to be said of it. Add a line for a new case.
"""

import pytest

from compute.rollout import linear_features
from publish.reading.problems import Problems
from publish.update.config import CONFIGS
from tests.content_tools import (
    CONFIG,
    CONTENT,
    SHIPPED,
    changed,
    config_from,
    content_with,
    line_of,
    load_config,
    problems_of,
    rollout_text,
    shipped_config,
)
from tests.mistakes import assert_named, each_of, spoiled

SECOND = "actions = [1, 2]"  # the second response, responses.1
TOP = SHIPPED.splitlines()[0]

CASES = [
    # shapes
    ("short row of initial", "[-0.1, 0.4, -0.3],", "[-0.1, 0.4],", "policy.initial.1", "found 2 | allowed: 3"),
    ("short row of reference", "[0.05, 0.2, -0.2]", "[0.05, 0.2]", "policy.reference.1", "found 2 | allowed: 3"),
    ("long row of reference", "[0.05, 0.2, -0.2]", "[0.05, 0.2, -0.2, 1]", "policy.reference.1", "found 4"),
    ("reference of one row", "    [0.05, 0.2, -0.2],\n", "@ reference =", "policy.reference", "found 1 | allowed: 2"),
    ("reference of three rows", "[0.05, 0.2, -0.2],", "[0.05, 0.2, -0.2], [0, 0, 0]@ reference =", "policy.reference",
     "found 3 | allowed: 2"),
    ("behaviour of other shape", "[update]", "behaviour = [[1, 2, 3]]\n[update]", "policy.behaviour",
     "found 1 | allowed: 2 | policy.initial"),
    ("unequal rows of behaviour", "[update]", "behaviour = [[1, 2, 3], [1, 2]]\n[update]", "policy.behaviour.1",
     "found 2 | allowed: 3"),
    ("one action only", "[0.3, -0.2, 0.1],", "[0.3],", "policy.initial.0", "[0.3] | 2 to 12"),
    ("thirteen actions", "[0.3, -0.2, 0.1],", f"[{', '.join('0' * 13)}],", "policy.initial.0", "2 to 12"),
    ("nine features", "initial = [", f"initial = [{'[1, 1, 1], ' * 7}", "policy.initial", "1 to 8 rows"),
    ("a number for a row", "[0.05, 0.2, -0.2]", "0.05@ 0.05,\n]", "policy.reference.1", "found 0.05 | rows"),
    ("too few rewards", "mixed = [1, 0, 0.5, 1]", "mixed = [1, 0, 0.5]", "rewards.mixed", "found 3 | allowed: 4"),
    ("too many rewards", "mixed = [1, 0, 0.5, 1]", "mixed = [1, 0, 0, 0, 0]", "rewards.mixed", "found 5 | allowed: 4"),
    ("two rows of expected rewards", "    [0.3, 0.6, 0],\n", "@ rewards = [ ", "expectation.rewards",
     "found 2 | allowed: 3"),
    ("short row of expected rewards", "[0.3, 0.6, 0],", "[0.3, 0.6],", "expectation.rewards.2",
     "found 2 | allowed: 3"),
    ("short base", "base = [1.0, 0.2]", "base = [1.0]", "features.base", "found 1 | allowed: 2"),
    ("long per_response", "per_response = [0.1, -0.1]", "per_response = [0, 0, 0]", "features.per_response",
     "found 3"),
    ("short per_position", "per_position = [0.0, 0.35]", "per_position = [0.0]", "features.per_position", "found 1"),
    ("empty prompt", "prompt = [1.0, -0.5]", "prompt = []", "features.prompt", "found [] | per feature"),
    ("long padding", "padding = [0.0, 1.0]", "padding = [0.0, 1.0, 0]", "features.padding", "found 3"),
    ("short first", "first = [1.0, -0.5]", "first = [1.0]", "expectation.first", "found 1 | allowed: 2"),
    ("outright features of one row", SECOND, f"{SECOND}\nfeatures = [[1, 2]]@ features = [[1", "responses.1.features",
     "found 1 | allowed: 2, one per action"),
    ("outright short rows", SECOND, f"{SECOND}\nfeatures = [[1, 2], [1]]@ features = [[1", "responses.1.features.1",
     "found 1 | allowed: 2, one per feature"),
    ("short mask", SECOND, f"{SECOND}\nmask = [1]@ mask = [1]", "responses.1.mask", "found 1 | allowed: 2"),
    ("mask of other numbers", SECOND, f"{SECOND}\nmask = [1, 2]@ mask = [1, 2]", "responses.1.mask.1",
     "found 2 | 0 or 1"),
    ("action that there is not", SECOND, "actions = [1, 3]", "responses.1.actions.1", "found 3 | 0 to 2"),
    ("negative action", SECOND, "actions = [-1, 2]", "responses.1.actions.0", "found -1 | from 0"),
    ("fractional action", SECOND, "actions = [1.5, 2]", "responses.1.actions.0", "found 1.5 | whole numbers"),
    ("no action", SECOND, "actions = []", "responses.1.actions", "found [] | 1 to 32"),
    ("33 actions", SECOND, f"actions = [{', '.join('0' * 33)}]", "responses.1.actions", "[0, 0, 0 | 1 to 32"),
    # numbers
    ("nan", "beta = 0.1", "beta = nan", "controls.beta", "found nan | 0 to 1e6"),
    ("inf", "learning_rate = 0.3", "learning_rate = inf", "update.learning_rate", "found inf | above 0"),
    ("-inf", "base = [1.0, 0.2]", "base = [1.0, -inf]", "features.base.1", "found -inf | -1e6 to 1e6"),
    ("too large", "base = [1.0, 0.2]", "base = [1.0, 1000001]", "features.base.1", "found 1000001 | 1e6"),
    ("float64 cannot hold it", "beta = 0.1", f"beta = 1{'0' * 400}", "controls.beta", "bits | 0 to 1e6"),
    ("zero learning rate", "learning_rate = 0.3", "learning_rate = 0", "update.learning_rate", "found 0 | above 0"),
    ("negative learning rate", "learning_rate = 0.3", "learning_rate = -0.3", "update.learning_rate", "found -0.3"),
    ("clip_epsilon 0", "clip_epsilon = 0.2", "clip_epsilon = 0", "update.clip_epsilon",
     "found 0 | above 0 and below 1"),
    ("clip_epsilon 1", "clip_epsilon = 0.2", "clip_epsilon = 1", "update.clip_epsilon", "found 1 | below 1"),
    ("negative clip_epsilon", "clip_epsilon = 0.2", "clip_epsilon = -0.2", "update.clip_epsilon", "found -0.2"),
    ("negative beta", "beta = 0.1", "beta = -0.1", "controls.beta", "found -0.1 | 0 to 1e6"),
    ("negative keep", "keep = 4", "keep = -4", "controls.keep", "found -4 | 0 or more"),
    ("201 steps", "steps = 20", "steps = 201", "update.steps", "found 201 | 0 to 200"),
    ("step beyond steps", "step = 0", "step = 21", "controls.step", "found 21 | 0 to 20 | update.steps"),
    # kinds of values
    ("number in quotes", "beta = 0.1", 'beta = "0.1"', "controls.beta", 'found "0.1" | without quotation marks'),
    ("number in a list in quotes", "base = [1.0, 0.2]", 'base = [1.0, "0.2"]', "features.base.1", "quotation marks"),
    ("true for a number", "beta = 0.1", "beta = true", "controls.beta", "found true | a number"),
    ("true in a vector", "base = [1.0, 0.2]", "base = [1.0, true]", "features.base.1", "found true"),
    ("true for an action", SECOND, "actions = [true, 2]", "responses.1.actions.0", "found true"),
    ("true in a mask", SECOND, f"{SECOND}\nmask = [1, true]@ mask = [1, true]", "responses.1.mask.1",
     "found true | 0 or 1"),
    ("false for steps", "steps = 20", "steps = false", "update.steps", "found false | whole number"),
    ("20.0 steps", "steps = 20", "steps = 20.0", "update.steps", "found 20.0 | whole number"),
    ("a date", "beta = 0.1", "beta = 2026-11-30", "controls.beta", "found 2026-11-30 | a number"),
    ("a time", "beta = 0.1", "beta = 07:32:00", "controls.beta", "found 07:32:00"),
    ("a number for a word", 'normalization = "token"', "normalization = 1", "controls.normalization", "found 1"),
    ("a list for a number", "beta = 0.1", "beta = [0.1]", "controls.beta", "found [0.1] | a number"),
    ("a table for a number", "beta = 0.1", "beta = { a = 1 }", "controls.beta", "a number from 0"),
    ("a dotted key for a number", "beta = 0.1", "beta.a = 1", "controls.beta", "a number from 0"),
    ("deep brackets", "base = [1.0, 0.2]", f"base = [{'[' * 90}{']' * 90}, 0.2]", "features.base.0", "found [[[[ | …"),
    ("huge number in a list", "beta = 0.1", f"beta = [0x{'f' * 5000}]", "controls.beta", "a number from 0"),
    # names
    ("tokem", 'normalization = "token"', 'normalization = "tokem"', "controls.normalization",
     'found "tokem" | "token" or "response" | did you mean "token"?'),
    ("unknown reward set", 'rewards = "mixed"', 'rewards = "mixd"', "controls.rewards",
     '"mixd" | "mixed", "equal", "one-right", "two-neutral" | did you mean "mixed"?'),
    ("unknown path", 'path = "correct"', 'path = "corect"', "controls.path", '"corect" | did you mean "correct"?'),
    ("selected token after the end", 'at = "0.0"', 'at = "0.4"', "controls.at", 'found "0.4" | response.position'),
    ("selected response after the end", 'at = "0.0"', 'at = "4.0"', "controls.at", 'found "4.0"'),
    ("selected prompt", 'at = "0.0"', 'at = "0.-1"', "controls.at", 'found "0.-1"'),
    ("selected token as a number", 'at = "0.0"', "at = 0.0", "controls.at", 'found 0.0 | "response.position"'),
    ("capitals in a reward set", "equal = [", "Equal = [", "rewards.Equal", "a-z"),
    ("line break in a reward set", "equal = [", '"a\\nb" = [', "rewards.a\nb", "a-z"),
    ("the same beta twice", "0.2, 0.5]", "0.2, 0.05]@ beta_choices", "controls.beta_choices.4", "0.05 | twice"),
    ("no beta", "[0.0, 0.05, 0.1, 0.2, 0.5]", "[]@ beta_choices", "controls.beta_choices", "found [] | 1 to 8"),
    # schema
    ("schema 2", "schema = 1", "schema = 2", "schema", "found 2 | allowed: 1"),
    ("schema in quotes", "schema = 1", 'schema = "1"', "schema", 'found "1" | without quotation marks'),
    ("schema 1.0", "schema = 1", "schema = 1.0", "schema", "found 1.0 | allowed: 1"),
    ("schema true", "schema = 1", "schema = true", "schema", "found true | allowed: 1"),
    ("no schema", "schema = 1\n", f"@ {TOP}", "schema", "missing | allowed: 1"),
    # keys
    ("unknown at the top", "schema = 1", "schema = 1\nshema = 1@ shema", "shema",
     'unknown key | did you mean "schema"?'),
    ("unknown table", "[controls]", "[control]\nx = 1\n[controls]", "control",
     'unknown key | did you mean "controls"?'),
    ("unknown in policy", "[policy]", "[policy]\ninitail = 1@ initail", "policy.initail", 'did you mean "initial"?'),
    ("unknown in update", "[update]", "[update]\nsteeps = 1@ steeps", "update.steeps", 'did you mean "steps"?'),
    ("unknown in features", "[features]", "[features]\npading = 1@ pading", "features.pading",
     'did you mean "padding"?'),
    ("unknown in a response", SECOND, f"{SECOND}\nmaks = [1, 1]@ maks", "responses.1.maks", 'did you mean "mask"?'),
    ("unknown in controls", "[controls]", "[controls]\nBeta = 1@ Beta", "controls.Beta", 'did you mean "beta"?'),
    ("unknown in expectation", "[expectation]", "[expectation]\nfrist = 1@ frist", "expectation.frist",
     'allowed here: first, second_base | did you mean "first"?'),
    ("nothing near", "schema = 1", "schema = 1\nzzzzzz = 1@ zzzzzz", "zzzzzz", "allowed here: schema, policy"),
    ("missing number", "beta = 0.1 ", "@ [controls]", "controls.beta", "missing | 0 to 1e6"),
    ("missing vector", "padding = [0.0, 1.0]", "@ [features]", "features.padding", "missing | per feature"),
    ("missing actions", SECOND, "mask = [1]\n@ [[responses]]\nmask", "responses.1.actions", "missing | 1 to 32"),
    ("rewards without a set", "[rewards]\n", "[[rewards]]\n", "rewards", "name = [...]"),
]  # fmt: skip


@each_of(CASES)
def test_mistake(tmp_path, old, new, key, says):
    text, line = spoiled(SHIPPED, old, new)
    (problem,) = problems_of(config_from, tmp_path, text)
    assert_named(problem, line, key, says)
    assert problem.file == str(tmp_path / CONFIG)


def test_seventeen_responses_with_rewards_for_each(tmp_path):
    text = rollout_text(lengths=[1] * 17)
    (problem,) = problems_of(config_from, tmp_path, text)
    assert (problem.line, problem.key) == (text[: text.index("[[responses]]")].count("\n") + 1, "responses")
    assert "1 to 16" in problem.what[0]


def test_all_mistakes_are_reported_at_once_by_line(tmp_path):
    text = SHIPPED
    mistakes = [
        ("schema = 1", "schema = 3"),
        ("[0.05, 0.2, -0.2]", "[0.05, nan, -0.2]"),
        ("steps = 20", "stepz = 20"),
        (SECOND, "actions = [1, 7]"),
        ("equal = [1, 1, 1, 1]", "equal = [1, 1]"),
        ('normalization = "token"', 'normalization = "tokem"'),
        ("beta = 0.1", "beta = “0.1”"),
        ('path = "correct"', 'path = "incorrect"'),
        ("[0.3, 0.6, 0]", "[0.3, 0.6]"),
    ]
    for old, new in mistakes:
        text = changed(text, old, new)
    problems = problems_of(config_from, tmp_path, text)
    found = {problem.line for problem in problems}
    assert {line_of(text, new) for _, new in mistakes if new != "equal = [1, 1]"} <= found
    assert [problem.line for problem in problems] == sorted(problem.line for problem in problems)


def test_messages_are_chinese_where_the_environment_is(tmp_path, monkeypatch):
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    text = changed(SHIPPED, '"token"', '"tokem"')
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    chinese = str(Problems(problems_of(config_from, tmp_path, text)))
    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    english = str(Problems(problems_of(config_from, tmp_path, text)))
    place = f"{tmp_path / CONFIG}:{line_of(text, 'tokem')}: controls.normalization: "
    assert english == place + 'found "tokem"; allowed: "token" or "response"; did you mean "token"?'
    assert chinese.startswith(place + "写的是") and "允许" in chinese and "found" not in chinese
    assert [word for word in ("tokem", "token", "response") if f'"{word}"' not in chinese] == []


@pytest.mark.parametrize("change", ["no file", "no folder", "a folder in its place"])
def test_file_that_cannot_be_read(tmp_path, change):
    if change != "no folder":
        (tmp_path / "config").mkdir()
    if change == "a folder in its place":
        (tmp_path / CONFIG).mkdir()
    (problem,) = problems_of(load_config, tmp_path)
    assert problem.file == str(tmp_path / CONFIG)
    assert problem.what[0].startswith("cannot be read (")


@pytest.mark.parametrize(
    "encode", [lambda text: text.encode("utf-8-sig"), lambda text: text.replace("\n", "\r\n")]
)
def test_windows_files_mean_the_same(tmp_path, encode):
    config = config_from(tmp_path, encode(SHIPPED))
    assert (config.setup, config.settings) == (shipped_config().setup, shipped_config().settings)
    text = changed(SHIPPED, "beta = 0.1", "beta = 9e9")
    (problem,) = problems_of(config_from, tmp_path, encode(text))
    assert problem.line == line_of(text, "9e9")


def test_ways_to_write_the_same_table(tmp_path):
    table = "[update]\nclip_epsilon = 0.2\nlearning_rate = 0.3\nsteps = 20 "
    inline = "schema = 1\nupdate = { clip_epsilon = 0.2, learning_rate = 0.3, steps = 20 }"
    dotted = "schema = 1\nupdate.clip_epsilon = 0.2\nupdate.learning_rate = 0.3\nupdate.steps = 20"
    for way in (inline, dotted):
        text = changed(changed(SHIPPED, table, ""), "schema = 1", way)
        assert config_from(tmp_path, text).setup == shipped_config().setup
        text = changed(text, "0.3", "0")
        (problem,) = problems_of(config_from, tmp_path, text)
        assert (problem.line, problem.key) == (line_of(text, "learning_rate"), "update.learning_rate")


def test_features_follow_the_rule():
    # Response 2, position 1 of the shipped rule: [1, 0.2] + [0.1, -0.1] 2 + [0, 0.35] 1, by hand.
    features = shipped_config().setup["responses"][2]["features"]
    assert features[1] == pytest.approx([1.2, 0.35])
    assert features[1] == linear_features([1.0, 0.2], [0.1, -0.1], [0.0, 0.35], 2, 1)


def test_what_may_be_left_out(tmp_path):
    setup = shipped_config().setup
    assert setup["behaviour"] == setup["initial"]
    assert [response["mask"] for response in setup["responses"]] == [[1] * 4, [1] * 2, [1] * 3, [1]]
    text = changed(SHIPPED, 'at = "0.0"', "")
    assert config_from(tmp_path, text).settings["at"] == "0.0"


def test_what_is_given_is_kept(tmp_path):
    text = changed(SHIPPED, SECOND, f"{SECOND}\nmask = [1, 0]\nfeatures = [[1, 2], [3, 4]]")
    text = changed(text, "[update]", "behaviour = [[1, 2, 3], [4, 5, 6]]\n[update]")
    setup = config_from(tmp_path, text).setup
    assert setup["responses"][1] == {"actions": [1, 2], "features": [[1, 2], [3, 4]], "mask": [1, 0]}
    assert setup["behaviour"] == [[1, 2, 3], [4, 5, 6]]
    assert {type(x) for row in setup["behaviour"] for x in row} == {float}


def test_minus_zero_and_spellings_of_a_place_do_not_survive(tmp_path):
    text = changed(SHIPPED, "[0.3, -0.2, 0.1]", "[-0.0, -0.2, 0.1]")
    text = changed(changed(text, "beta = 0.1", "beta = -0.0"), "base = [1.0, 0.2]", "base = [-0.0, 0.2]")
    text = changed(changed(text, "[0.0, 0.05", "[-0.0, 0.05"), "first = [1.0", "first = [-0.0")
    config = config_from(tmp_path, changed(text, 'at = "0.0"', 'at = "00.01"'))
    values = (config.setup, config.settings, config.beta_choices, config.expectation)
    assert "-0.0," not in repr(values).replace("]", ",").replace("}", ",")
    assert config.settings["at"] == "0.1"


def test_settings_have_the_keys_of_the_url_in_their_order():
    # The order of design: normalization, keep, beta, clip_epsilon, learning_rate, rewards, path, step, at.
    assert list(shipped_config().settings.items()) == [
        ("normalization", "token"),
        ("keep", 4),
        ("beta", 0.1),
        ("clip_epsilon", 0.2),
        ("learning_rate", 0.3),
        ("rewards", "mixed"),
        ("path", "correct"),
        ("step", 0),
        ("at", "0.0"),
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("step = 0 ", "step = 20 "),
        ("steps = 20 ", "steps = 0 "),
        ("steps = 20 ", "steps = 200 "),
        ("keep = 4", "keep = 0"),
        ("keep = 4", "keep = 1000000000"),
        ("beta = 0.1", "beta = 0"),
        ("beta = 0.1", "beta = 1e6"),
        ("clip_epsilon = 0.2", "clip_epsilon = 1e-12"),
        ("clip_epsilon = 0.2", "clip_epsilon = 0.999"),
        ("learning_rate = 0.3", "learning_rate = 1e-300"),
        ("[0.3, -0.2, 0.1]", "[1e6, -1e6, 0]"),
        ('at = "0.0"', 'at = "3.0"'),
        ("beta_choices = [0.0, 0.05, 0.1, 0.2, 0.5]", "beta_choices = [7]"),
        (SECOND, f"{SECOND}\nmask = [0, 0]"),
        ("equal = [1, 1, 1, 1]", "0-9-a = [-1e6, 1e6, 0.5, 1]"),
    ],
)
def test_what_is_just_allowed(tmp_path, old, new):
    assert problems_of(config_from, tmp_path, changed(SHIPPED, old, new)) == []


@pytest.mark.parametrize("d", range(1, 9))
def test_every_shape_makes_a_config(tmp_path, d):
    for actions in range(2, 13):
        for lengths in ([1], [32] * 16, [1, 32], range(1, 17)):
            text = rollout_text(d, actions, lengths, behaviour=True, outright=d % 2, mask=actions % 2)
            setup = config_from(tmp_path, text).setup
            assert (len(setup["initial"]), len(setup["initial"][0])) == (d, actions)
            assert [len(response["features"]) for response in setup["responses"]] == list(lengths)
            assert {len(x) for response in setup["responses"] for x in response["features"]} == {d}


def test_digest_is_of_every_config_file(tmp_path):
    folder = content_with(tmp_path / "content", {})
    digests = {load_config(folder).digest}
    assert digests == {load_config(CONTENT).digest}
    assert sorted(CONFIGS) == [f"config/{path.name}" for path in sorted((CONTENT / "config").iterdir())]
    for name in CONFIGS:
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write("\n# changed\n")
        digests.add(load_config(folder).digest)
    assert len(digests) == 1 + len(CONFIGS)
