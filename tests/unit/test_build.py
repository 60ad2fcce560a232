"""The command line, each command in a process of its own."""

import json
import re
from functools import cache

import pytest

import build
from tests.content_tools import (
    CONFIG,
    CONTENT,
    ROOT,
    SHIPPED,
    changed,
    content_with,
    files_of,
    line_of,
    rollout_text,
    run_build,
)

# The fields of a state, in their order; "rewards", "group" and "selected" stand beside the promised ones.
STATE = (
    "settings step loss loss_next kl kl_exact clipped outside counted skipped rewards group advantages "
    "W gradient W_next W_old W_ref positions selected history"
)
POSITION = (
    "response position kind features action weight advantage logprob_old logprob ratio unclipped clipped_term "
    "surrogate is_clipped prob prob_next logits probs ref_probs kl dlogits"
)
OF_AN_ACTION = {"action", "prob", "prob_next", "surrogate", "ratio"}
OF_AN_ACTION |= {"logprob_old", "logprob", "unclipped", "clipped_term"}
SETTINGS = "normalization keep beta clip_epsilon learning_rate rewards path step at"
EXTREME = rollout_text(8, 12, [32] * 16, behaviour=True, outright=True, mask=True)
SMALL = rollout_text(3, 5, [4, 1, 3], behaviour=True, mask=True)


@cache
def state(*arguments):
    run = run_build("state", *arguments)
    assert (run.returncode, run.stderr) == (0, "")
    return json.loads(run.stdout)


def of_config(folder, text, *arguments):
    """Return the state of a content folder that has only a config: `state` needs no more."""
    (folder / "config").mkdir(parents=True)
    (folder / CONFIG).write_text(text, encoding="utf-8")
    return state("--content", folder, *arguments)


def failed(*arguments, code=2, **environment):
    """Return the message of a command that fails, after checking that it is one: no output, no traceback."""
    run = run_build(*arguments, **environment)
    assert (run.returncode, run.stdout) == (code, "")
    assert run.stderr.strip() and "Traceback" not in run.stderr
    return run.stderr


def check_state(result, d, actions, lengths, steps_done):
    """Check fields, order, shapes and types of a state."""
    assert " ".join(result) == STATE
    assert " ".join(result["settings"]) == SETTINGS
    for name in ("loss", "loss_next", "kl", "kl_exact"):
        assert type(result[name]) is float, name
    for name in ("step", "clipped", "outside", "counted"):
        assert type(result[name]) is int, name
    assert type(result["skipped"]) is bool and result["skipped"] == (result["counted"] == 0)
    assert [type(value) for value in result["advantages"]] == [float] * len(lengths)
    for name in ("W", "gradient", "W_next", "W_old", "W_ref"):
        assert [[type(value) for value in row] for row in result[name]] == [[float] * actions] * d, name
    check_positions(result, d, actions, lengths)
    assert result["step"] == result["settings"]["step"] == steps_done
    assert [list(entry) for entry in result["history"]] == [
        ["step", "loss", "kl", "clipped", "W"]
    ] * steps_done
    assert [entry["step"] for entry in result["history"]] == list(range(1, steps_done + 1))


def check_positions(result, d, actions, lengths):
    """Check that each response's prompt and padded positions come in order, with the right kinds and nulls."""
    width, keep = max(lengths), result["settings"]["keep"]
    places = [(p["response"], p["position"]) for p in result["positions"]]
    assert places == [(i, t) for i in range(len(lengths)) for t in range(-1, width)]
    for p in result["positions"]:
        assert " ".join(p) == POSITION
        t, length = p["position"], lengths[p["response"]]
        if p["kind"] not in ("token", "masked"):
            assert p["kind"] == ("prompt" if t < 0 else "padding" if t >= length else "truncated")
        assert (t >= keep) == (p["kind"] == "truncated") or t < 0 or t >= length
        acted = 0 <= t < length
        assert [name for name in OF_AN_ACTION if (p[name] is None) == acted] == []
        assert acted is False or type(p["action"]) is int
        assert type(p["is_clipped"]) is bool and type(p["weight"]) is float
        assert (p["weight"] > 0) == (p["kind"] == "token")
        assert len(p["features"]) == d
        assert [len(p[name]) for name in ("logits", "probs", "ref_probs", "dlogits")] == [actions] * 4
        if p["kind"] != "token":
            assert set(p["dlogits"]) == {0}


def test_state_of_the_shipped_config():
    result = state()
    check_state(result, 2, 3, [4, 2, 3, 1], 0)
    assert result["counted"] == 10 and result["history"] == []
    # Behaviour and initial parameters agree at step 0: every ratio is 1, nothing is clipped.
    assert {p["ratio"] for p in result["positions"]} == {1.0, None} and result["clipped"] == 0
    assert result["kl"] == result["kl_exact"] > 0


def test_set_and_step():
    settings = [
        "normalization=response",
        "keep=2",
        "beta=0.5",
        "clip_epsilon=0.05",
        "rewards=1,0,0.25,-1",
        "at=2.1",
    ]
    result = state(*(f"--set={text}" for text in settings), "--set", "learning_rate=1", "--step", "20")
    check_state(result, 2, 3, [4, 2, 3, 1], 20)
    assert list(result["settings"].values()) == [
        "response",
        2,
        0.5,
        0.05,
        1,
        [1, 0, 0.25, -1],
        "correct",
        20,
        "2.1",
    ]
    assert result["rewards"] == [1.0, 0.0, 0.25, -1.0]
    assert result["history"][-1]["W"] == result["W"] and result["counted"] == 7
    assert result == state(*(f"--set={text}" for text in settings), "--set=step=20", "--set=learning_rate=1")


def test_nothing_counts():
    result = state("--set", "keep=0", "--step", "2")
    check_state(result, 2, 3, [4, 2, 3, 1], 2)
    assert result["skipped"] and (result["loss"], result["kl"]) == (0, 0) and result["W"] == result["W_next"]


def test_numbers_have_full_precision_and_no_minus_zero():
    printed = run_build("state", "--set", "rewards=equal", "--set", "beta=-0").stdout
    assert not re.search(r"-0(\.0)?\b(?!\.)[,\n]", printed)
    assert json.dumps(json.loads(printed), indent=1, ensure_ascii=False) + "\n" == printed
    assert len(str(state()["loss"])) > 15


def test_infinite_values_are_words():
    result = state("--set", "beta=1e308", "--set", "learning_rate=1e308", "--step", "2")
    assert set(re.findall(r'"(-?inf|nan)"', json.dumps(result))) & {"inf", "-inf"}


def test_another_config(tmp_path):
    result = of_config(tmp_path / "content", SMALL)
    check_state(result, 3, 5, [4, 1, 3], 1)
    assert result["settings"]["at"] == "2.0" and result["W_old"] != result["W"]
    assert {p["kind"] for p in result["positions"]} == {"prompt", "token", "padding", "masked", "truncated"}


def test_the_largest_config(tmp_path):
    result = of_config(tmp_path / "content", EXTREME, "--set", "keep=32")
    check_state(result, 8, 12, [32] * 16, 1)
    assert len(result["positions"]) == 16 * 33


def test_the_smallest_config(tmp_path):
    check_state(of_config(tmp_path / "content", rollout_text(1, 2, [1])), 1, 2, [1], 1)


def test_build_prints_the_file_to_open(tmp_path):
    content = content_with(tmp_path / "content", {CONFIG: SMALL})
    for arguments in (["build", "--strict"], []):
        run = run_build(*arguments, "--out", tmp_path / "site")
        assert (run.returncode, run.stdout, run.stderr) == (0, f"{tmp_path / 'site' / 'index.html'}\n", "")
    # An edited config builds too; some words do not apply to it, and are named.
    run = run_build("--content", content, "--out", tmp_path / "site")
    assert (run.returncode, run.stdout) == (0, f"{tmp_path / 'site' / 'index.html'}\n")
    assert all(" does not apply to this one; " in line for line in run.stderr.splitlines())
    numbers = json.loads((tmp_path / "site" / "data" / "numbers.json").read_text(encoding="utf-8"))["numbers"]
    assert numbers["loss"]["value"] == state("--content", content)["loss"]


def test_relative_folders_are_those_of_the_working_directory(tmp_path):
    content_with(tmp_path / "content", {})
    run = run_build("--content", "content", "--out", "a/site", cwd=tmp_path)
    assert run.returncode == 0 and (tmp_path / "a" / "site" / "index.html").is_file()


MISTAKES = [
    (["state", "--set", "bta=1", "--set", "keep=x", "--step", "21"], ["--set bta=1: ", "--set keep=x", "--step 21"]),
    (["state", "--step", "3", "--set", "step=3"], ["--step 3: step: given twice"]),
    (["state", "--step", "-1"], ["--step"]),
    (["state", "--set"], ["--set"]),
    (["state", "--content", "nowhere"], ["nowhere: --content: there is no such folder"]),
    (["--content", "nowhere"], ["nowhere: --content: there is no such folder"]),
    (["stat"], ["invalid choice", "build", "serve", "state"]),
    (["state", "more"], ["more"]),
    (["build", "--set", "beta=1"], ["--set"]),
    (["--strict", "--unknown"], ["--unknown"]),
    (["serve", "--port", "x"], ["--port"]),
    (["serve", "--port", "70000"], ["--port: 70000: "]),
]  # fmt: skip


@pytest.mark.parametrize(("arguments", "says"), MISTAKES)
def test_mistake(tmp_path, arguments, says):
    message = failed(*arguments, cwd=tmp_path)
    assert [part for part in says if part not in message] == []
    assert list(tmp_path.iterdir()) == []


def test_a_mistake_in_a_config_is_told_in_the_language_of_the_environment_and_nothing_is_written(tmp_path):
    text = changed(changed(SHIPPED, "beta = 0.1", "beta = nan"), '"token"', '"tokem"')
    content = content_with(tmp_path / "content", {CONFIG: text})
    before = files_of(tmp_path)
    lines = [f"content/{CONFIG}:{line_of(text, part)}: controls." for part in ("tokem", "nan")]
    for command in (["state"], ["build", "--out", "site"]):
        english = failed(*command, "--content", content, cwd=tmp_path, LC_ALL="C.UTF-8")
        chinese = failed(*command, "--content", content, cwd=tmp_path, LC_ALL="", LANG="zh_CN.UTF-8")
        for message, word in ((english, "allowed"), (chinese, "允许")):
            assert [line.startswith(start) for line, start in zip(message.splitlines(), lines)] == [
                True,
                True,
            ]
            assert message.count(word) == 2
    assert files_of(tmp_path) == before


def test_a_folder_that_is_not_a_site_is_left_alone(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    assert "--out" in failed("--out", tmp_path)
    assert files_of(tmp_path) == {"mine.txt": b"mine"}


def test_a_site_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("mine")
    message = failed("--out", tmp_path / "file" / "site", code=1)
    assert message.count("\n") == 1 and "file" in message
    assert files_of(tmp_path) == {"file": b"mine"}


def test_help_names_every_command():
    run = run_build("--help")
    assert run.returncode == 0
    assert [name for name in build.COMMANDS if name not in run.stdout] == []
    assert (ROOT / "build.py").is_file() and CONTENT.is_dir()


def test_a_reader_that_goes_away_is_no_mistake(monkeypatch, capsys):
    def gone(options):
        raise BrokenPipeError

    monkeypatch.setitem(build.COMMANDS, "state", gone)
    assert build.main(["state"]) == 1
    assert capsys.readouterr() == ("", "")
