"""The command `cite`: the number of any state, and every mistake at once."""

import json

import pytest

import build
from publish.citing.citation import FORMATS
from publish.commands.cite import FIXED, Wish, find
from publish.commands.state import states_of
from publish.numbers.registry import leaves
from publish.reading.problems import Problems
from tests.content_tools import CONTENT, KL, problems_of, run_build, shipped_content, shipped_material
from tests.live_states import expected


def found(number_id, *assignments, **wish):
    return find(shipped_content(), shipped_material(), Wish(number_id, assignments, **wish))


def problems(number_id, *assignments, **wish):
    return problems_of(lambda: found(number_id, *assignments, **wish))


def test_the_default_state():
    cited, note = found("gradient.0.2")
    assert cited.number is shipped_material().registry["gradient.0.2"]
    assert note is None and cited.changed() == {}
    assert cited.formula == shipped_content().formulas[cited.number.formula].text


def test_numbers_of_another_state_are_those_of_build_py_state():
    assignments = ("normalization=response", "beta=0.2", "step=7", "rewards=1,0,-0.5,2")
    values = expected(assignments)
    for number_id in ("loss", "gradient.0.2", "positions.3.ratio", "positions.0.ratio", "history.6.W.0.1"):
        if number_id in values and number_id in shipped_material().registry:
            cited, note = found(number_id, *assignments)
            assert (cited.number.value, note) == (values[number_id], None)
            assert list(cited.changed()) == ["normalization", "beta", "rewards", "step"]
    assert found("loss", *assignments)[0].number.value != shipped_material().registry["loss"].value


@pytest.mark.parametrize(
    ("number_id", "page", "assignments"),
    [(f"{KL}.kl", KL, ("p=0.3", "q=0")), ("digits.kl", "digits", ("beta=1", "update=200", "a=3"))],
)
def test_numbers_of_the_other_pages(number_id, page, assignments):
    states = states_of(page, CONTENT)
    settings = found(number_id, *assignments, page=page)[0].settings
    values = {".".join(path): value for path, value in leaves(states.state(settings))}
    assert found(number_id, *assignments)[0].number.value == values[number_id]


def test_what_the_page_computes_beside_the_state_follows_it_too():
    cited, note = found("facts.loss_end", "beta=0.5")
    assert note is None and cited.number.value != shipped_material().registry["facts.loss_end"].value
    assert found("curves.5.loss.0", "beta=0.33")[0].number.label["en"]


@pytest.mark.parametrize(
    "number_id", ["expectation.reward", "evidence.checks.gradient.error", "faults.lesson.paths"]
)
def test_a_number_that_no_state_changes_is_cited_as_it_stands_and_says_so(number_id):
    cited, note = found(number_id, "beta=0.5")
    assert note is FIXED and cited.changed() == {}
    assert cited.number is shipped_material().registry[number_id]
    assert found(number_id)[1] is None


@pytest.mark.parametrize(
    ("typed", "near"),
    [("gradient.0.3", "gradient.0.2"), ("GRADIENT.0.2 ", "gradient.0.2"), ("digits.klx", "digits.kl")],
)
def test_an_unknown_id_is_told_the_nearest(typed, near):
    (problem,) = problems(typed)
    assert (problem.file, problem.what[0]) == (f"number {typed}", "no number has this id")
    assert f'"{near}"' in problem.hint[0] and f'"{near}"' in problem.hint[1]
    assert problem.hint[0].count('"') > 2  # several


def test_nothing_is_near():
    (problem,) = problems("?")
    assert problem.hint is None


def test_all_mistakes_at_once():
    found_ = problems("los", "bete=2", "keep=-1", "beta=0", "beta=1", step="99", page="digits")
    assert {problem.file for problem in found_} == {
        *("number los", "--set bete=2", "--set keep=-1", "--set beta=1", "--step 99", "--page digits")
    }


def test_keys_are_those_of_the_page_of_the_nearest_number():
    """A misspelt id of the experiment does not make its keys wrong."""
    assert [problem.file for problem in problems("digits.klx", "seed=1")] == ["number digits.klx"]


def test_a_state_without_the_number():
    (problem,) = problems(f"{KL}.tokens.by_length.5.ratio", "length=2")
    assert "this state has no such number" in problem.what[0]


def test_the_command_offers_every_format():
    assert build.FORMATS == FORMATS


def test_the_command():
    run = run_build("cite", "loss", "--step", "7", "--as", "json", "--lang", "zh", "--address", "https://a.b")
    assert (run.returncode, run.stderr) == (0, "")
    read = json.loads(run.stdout)
    assert read["value"] == expected(("step=7",))["loss"] and read["label"] == "损失 L"
    assert read["address"].startswith("https://a.b/zh/update.html#v=1&")


@pytest.mark.parametrize("arguments", [("los",), ("loss", "--set", "beta=x"), ("loss", "--address", "a.b")])
def test_mistakes_exit_with_2_and_print_nothing(arguments):
    run = run_build("cite", *arguments)
    assert (run.returncode, run.stdout) == (2, "") and "Traceback" not in run.stderr and run.stderr


@pytest.mark.parametrize(("locale", "said"), [("C.UTF-8", FIXED[0]), ("zh_CN.UTF-8", FIXED[1])])
def test_the_note_stands_on_standard_error(locale, said):
    run = run_build("cite", "faults.lesson.paths", "--set", "beta=0.5", LC_ALL=locale)
    assert (run.returncode, run.stderr) == (0, f"faults.lesson.paths: {said}\n") and run.stdout


def test_a_mistake_in_the_content_is_reported(tmp_path):
    with pytest.raises(Problems):
        from publish.commands.cite import cite

        cite(tmp_path, Wish("loss"))
