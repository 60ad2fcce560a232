"""The experiment's config: the shipped file, and every mistake with its line, all at once."""

import re
from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from publish.digits.config import DIGITS_CONFIG, load_digits_config
from publish.reading.problems import Problems, report
from tests.content_tools import CONTENT, changed, line_of, problems_of
from tests.mistakes import assert_named

SHIPPED = (CONTENT / DIGITS_CONFIG).read_text(encoding="utf-8")

# (in the shipped file, instead, key, part of the message)
MISTAKES = [
    ('operation = "sum"', 'operation = "sums"', "task.operation", 'did you mean "sum"?'),
    ('operation = "sum"', "operation = 1", "task.operation", 'allowed: "sum" or "product"'),
    ("training_fraction = 0.6", "training_fraction = 1.0", "task.training_fraction", "above 0 and below 1"),
    ("training_fraction = 0.6", "training_fraction = 0.001", "task.training_fraction", "that is 0 of 100"),
    ("training_fraction = 0.6", "training_fraction = 0.999", "task.training_fraction", "that is 100 of 100"),
    ("training_fraction = 0.6", "training_fraction = 0.19", "reinforce.inputs", "allowed: 1 to 19"),
    ("split_seed = 0", "split_seed = -1", "task.split_seed", "0 to 4294967295"),
    ("hidden = 32", "hiden = 32", "network.hiden", 'did you mean "hidden"?'),
    ("hidden = 32", "hidden = 257", "network.hidden", "1 to 256"),
    ("hidden = 32", "hidden = 32.0", "network.hidden", "whole number"),
    ("initial_deviation = 0.3", "initial_deviation = nan", "network.initial_deviation", "found nan"),
    ("steps = 150", "steps = 5001", "supervised.steps", "0 to 5000"),
    ("rate = 0.01", "rate = 2", "supervised.rate", "at most 1"),
    ("rate = 1.0", "rate = 0", "reinforce.rate", "above 0"),
    ("rate = 1.0", 'rate = "1.0"', "reinforce.rate", "without quotation marks"),
    ("samples = 8 ", "samples = 1 ", "reinforce.samples", "leave-one-out needs two"),
    ("inputs = 20 ", "inputs = 61 ", "reinforce.inputs", "allowed: 1 to 60"),
    ("evaluate_every = 10", "evaluate_every = 30", "reinforce.evaluate_every", "that divides 400"),
    ("seeds = [0, 1, 2, 3, 4, 5, 6, 7]", "seeds = [0, 1, 2, 3, 3]", "runs.seeds.4", "found 3 twice"),
    ("betas = [0.0, 0.1, 0.3, 1.0, 3.0]", "betas = [0, 0.0, 3]", "runs.betas.1", "found 0.0 twice"),
    ("betas = [0.0, 0.1, 0.3, 1.0, 3.0]", "betas = [0.5]", "shown.beta", "one of runs.betas: 0.5"),
    ("betas = [0.0, 0.1, 0.3, 1.0, 3.0]", "betas = []", "runs.betas", "1 to 12 different numbers"),
    ("betas = [0.0, 0.1, 0.3, 1.0, 3.0]", "betas = [0.0, -1.0]", "runs.betas.1", "found -1.0"),
    ("rates = [1.0, 0.5, 0.3]", "rates = [1.0, 1.0]", "rates.rates.1", "twice"),
    ("seeds = [0, 1, 2, 3] ", "seeds = [0, 8] ", "rates.seeds.1", "found 8; allowed: one of runs.seeds"),
    ("seed = 0\nupdate", "seed = 9\nupdate", "shown.seed", "one of runs.seeds: 0, 1"),
    ("update = 400", "update = 405", "shown.update", "a multiple of 10"),
    ("update = 400", "update = 410", "shown.update", "0 to 400"),
    ("input = [7, 6]", "input = [7, 10]", "shown.input.1", "found 10"),
    ("input = [7, 6]", "input = [7]", "shown.input", "two digits"),
    ("checkpoint_seeds = [0, 1]", "checkpoint_seeds = [0, 0]", "shown.checkpoint_seeds.1", "twice"),
    ("checkpoint_seeds = [0, 1]", "checkpoint_seeds = [11]", "shown.checkpoint_seeds.0", "found 11"),
    ("[0, 50, 100,", "[0, 55, 100,", "shown.checkpoint_updates.1", "a multiple of 10"),
    ("[0, 50, 100,", "[50, 0, 100,", "shown.checkpoint_updates.1", "rising order"),
    ("350, 400]", "350, 450]", "shown.checkpoint_updates.8", "0 to 400"),
    ("[network]", "[net]", "net", "unknown key"),
]  # fmt: skip


def load(folder, text):
    (folder / "config").mkdir(exist_ok=True)
    (folder / DIGITS_CONFIG).write_text(text, encoding="utf-8")
    return load_digits_config(folder)


def line_of_key(text, key):
    """The number of the line that begins with a key's name, in its table."""
    table, _, name = re.sub(r"\.\d+$", "", key).partition(".")
    rows = text.splitlines()
    start = rows.index(f"[{table}]")
    return next(
        n for n, row in enumerate(rows[start:], start + 1) if row.startswith((f"{name} =", f"[{key}]"))
    )


def test_the_shipped_config():
    # The specification's sizes.
    config = load_digits_config(CONTENT)
    assert config.setup == {
        "operation": "sum",
        "training_fraction": 0.6,
        "split_seed": 0,
        "hidden": 32,
        "initial_deviation": 0.3,
        "supervised": {"steps": 150, "rate": 0.01},
        "reinforce": {"updates": 400, "rate": 1.0, "inputs": 20, "samples": 8, "evaluate_every": 10},
        "seeds": [0, 1, 2, 3, 4, 5, 6, 7],
        "betas": [0.0, 0.1, 0.3, 1.0, 3.0],
        "rates": {"beta": 3.0, "rates": [1.0, 0.5, 0.3], "seeds": [0, 1, 2, 3]},
        "shown": {
            "checkpoint_seeds": [0, 1],
            "checkpoint_updates": [0, 50, 100, 150, 200, 250, 300, 350, 400],
        },
    }
    assert config.settings == {"beta": 0.0, "seed": 0, "update": 400, "a": 7, "b": 6, "first": 1, "second": 3}


def test_the_trajectory_shown_first_is_the_right_answer(tmp_path):
    config = load(tmp_path, changed(SHIPPED, 'operation = "sum"', 'operation = "product"'))
    assert (config.settings["first"], config.settings["second"]) == (4, 2)  # 7 * 6


@pytest.mark.parametrize("old, new, key, said", MISTAKES)
def test_a_mistake_is_said_with_its_line(tmp_path, old, new, key, said):
    text = changed(SHIPPED, old, new)
    problems = problems_of(load, tmp_path, text)
    found = [problem for problem in problems if problem.key == key]
    assert found, report(problems)
    assert_named(found[0], line_of_key(text, key), key, said)
    assert [problem for problem in problems if re.search("[一-鿿]", problem.what[0])] == []


def test_all_mistakes_at_once(tmp_path):
    text = changed(SHIPPED, "hidden = 32", "hidden = 0")
    text = changed(text, "samples = 8 ", "samples = 1 ")
    text = changed(text, "update = 400", "update = 401")
    problems = problems_of(load, tmp_path, text)
    assert [problem.key for problem in problems] == ["network.hidden", "reinforce.samples", "shown.update"]
    assert [problem.line for problem in problems] == [
        line_of(text, "hidden = 0"), line_of(text, "samples = 1 "), line_of(text, "update = 401"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "changes",
    [
        [
            ("hidden = 32", "hidden = 256"),
            ("samples = 8 ", "samples = 256 "),
            ("updates = 400", "updates = 5000"),
        ],
        [("evaluate_every = 10", "evaluate_every = 1"), ("updates = 400", "updates = 5000")],
    ],
    ids=["too slow", "too many results"],
)
def test_what_is_too_large_is_refused(tmp_path, changes):
    text = SHIPPED
    for old, new in changes:
        text = changed(text, old, new)
    (problem,) = problems_of(load, tmp_path, text)
    assert "too large: about" in problem.what[0] and "3600 s and 25 MB" in problem.what[0]


def test_a_missing_file_is_a_problem(tmp_path):
    (problem,) = problems_of(load_digits_config, tmp_path)
    assert "cannot be read" in problem.what[0]


@given(st.data())
def test_any_spoiled_file_gives_a_config_or_problems(tmp_path_factory, data):
    values = ["0", "-1", "1e9", "nan", "true", '"x"', "[]", "{}", "[[1]]", "2", "0.5", "[0, 0]", "9" * 30, ""]
    spans = [match.span(1) for match in re.finditer(r"^\w+ = ([^#\n]*[^#\s])", SHIPPED, re.M)]
    text = SHIPPED
    chosen = data.draw(st.sets(st.sampled_from(spans), min_size=1, max_size=4))
    for start, end in sorted(chosen, reverse=True):
        text = text[:start] + data.draw(st.sampled_from(values)) + text[end:]
    try:
        config = load(tmp_path_factory.mktemp("content"), text)
    except Problems as found:
        assert found.problems and all(problem.what[0] for problem in found.problems)
    else:
        assert deepcopy(config.setup) == config.setup
