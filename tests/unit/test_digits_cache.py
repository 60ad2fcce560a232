"""The experiment's results kept between builds: reused only when nothing has changed, whole or not at all."""

import json
import os
import subprocess
import sys
import time

import pytest

from compute.digits import experiment as module
from publish.digits import cache as digits_cache
from publish.digits.cache import KIND, digits_results, key_of, numpy_version
from publish.reading.problems import Problems
from publish.writing import cache
from publish.writing.cache import KEPT, path_of, read, say_uncached, write
from tests.configurations import digits_setup
from tests.content_tools import ROOT

RESULTS = {"x": [1.5, "inf", None], "名": True}


@pytest.fixture(autouse=True)
def fresh():
    """No test sees what another keeps in memory, or has said once."""
    digits_cache.in_memory.clear()
    say_uncached.cache_clear()


@pytest.fixture
def runs(monkeypatch):
    """The experiment replaced by one that only counts how often it is run."""
    done = []

    def pretended(setup, progress=None):
        done.append(setup)
        progress(1, 1)
        return RESULTS

    monkeypatch.setattr(module, "experiment", pretended)
    return done


def again(folder, setup=None):
    """What a later build gets."""
    digits_cache.in_memory.clear()
    return digits_results(setup or digits_setup(), folder)


def test_the_second_build_trains_nothing(tmp_path, runs):
    folder = tmp_path / "new" / ".cache"
    assert again(folder) == again(folder) == RESULTS
    assert len(runs) == 1
    assert [path.name for path in folder.iterdir()] == [f"digits-{key_of(digits_setup())}.json"]


def test_real_results_are_the_same_from_the_cache(tmp_path):
    first = again(tmp_path)
    assert json.dumps(first) == json.dumps(again(tmp_path))  # the same order too
    assert list(first)[:2] == ["settings", "parameters"]


def test_any_change_trains_anew(tmp_path, runs, monkeypatch):
    again(tmp_path)
    again(tmp_path, digits_setup(split_seed=1))
    assert len(runs) == 2
    monkeypatch.setattr(digits_cache, "numpy_version", lambda: "0.0")
    again(tmp_path)
    assert len(runs) == 3
    code = tmp_path / "compute" / "digits"
    code.mkdir(parents=True)
    (code / "policy.py").write_text("# other code")
    (code.parent / "plain.py").write_text("")
    monkeypatch.setattr(digits_cache, "CODE", code)
    again(tmp_path)
    assert len(runs) == 4
    (code / "policy.py").write_text("# yet other code")
    again(tmp_path)
    assert len(runs) == 5


def test_the_numpy_version_is_the_installed_one():
    import numpy

    assert numpy_version() == numpy.__version__


def test_numpy_is_not_imported_when_results_are_cached(tmp_path):
    write(tmp_path, KIND, key_of(digits_setup()), RESULTS)
    code = f"""
import sys
from pathlib import Path
from publish.digits.cache import digits_results
found = digits_results({digits_setup()!r}, Path({str(tmp_path)!r}))
assert found["x"][0] == 1.5
sys.exit("numpy" in sys.modules)
"""
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: text[: len(text) // 2],
        lambda text: "",
        lambda text: "[]",
        lambda text: '{"key": 1}',
        lambda text: text.replace("1.5", "1.25"),
        lambda text: text.replace('"results":{', '"results":{"y":1,'),
        lambda text: text.replace('"key":"', '"key":"0'),
        lambda text: "[" * 100_000,
        lambda text: "\0" * 50,
    ],
)
def test_a_broken_or_foreign_file_is_trained_anew(tmp_path, runs, spoil):
    again(tmp_path)
    path = path_of(tmp_path, KIND, key_of(digits_setup()))
    whole = path.read_text(encoding="utf-8")
    path.write_text(spoil(whole), encoding="utf-8")
    assert again(tmp_path) == RESULTS and len(runs) == 2
    assert path.read_text(encoding="utf-8") == whole


def test_a_file_that_is_not_text_is_trained_anew(tmp_path, runs):
    again(tmp_path)
    path_of(tmp_path, KIND, key_of(digits_setup())).write_bytes(b"\xff\xfe\x00")
    assert again(tmp_path) == RESULTS and len(runs) == 2


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, MemoryError])
def test_an_interrupted_write_leaves_nothing(tmp_path, monkeypatch, error):
    write(tmp_path, KIND, "old", RESULTS)

    def interrupted(*arguments):
        raise error

    monkeypatch.setattr(cache.os, "replace", interrupted)
    if error is OSError:
        write(tmp_path, KIND, "new", RESULTS)
    else:
        with pytest.raises(error):
            write(tmp_path, KIND, "new", RESULTS)
    assert [path.name for path in tmp_path.iterdir()] == ["digits-old.json"]


def test_an_interrupted_training_leaves_nothing(tmp_path, monkeypatch):
    def interrupted(setup, progress):
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "experiment", interrupted)
    with pytest.raises(KeyboardInterrupt):
        again(tmp_path)
    assert list(tmp_path.iterdir()) == [] and digits_cache.in_memory == {}


def test_two_writers_at_once_leave_one_whole_file(tmp_path):
    code = """
import sys
from pathlib import Path
from publish.writing.cache import write
for _ in range(10):
    write(Path(sys.argv[1]), "digits", "key", {"letters": sys.argv[2] * 50_000})
"""
    writers = [
        subprocess.Popen([sys.executable, "-c", code, str(tmp_path), letter], cwd=ROOT) for letter in "ab"
    ]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        if path_of(tmp_path, KIND, "key").exists():
            found = read(tmp_path, KIND, "key")
            assert found is not None and len(set(found["letters"])) == 1
            seen.add(found["letters"][0])
        time.sleep(0.002)
    assert [writer.returncode for writer in writers] == [0, 0] and seen
    assert [path.name for path in tmp_path.iterdir()] == ["digits-key.json"]


def test_a_folder_that_cannot_be_written_is_said_once(tmp_path, runs, capsys):
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert again(blocked) == again(blocked) == RESULTS and len(runs) == 2
    errors = capsys.readouterr().err
    assert errors.count("cannot be written") + errors.count("无法写入") == 1


def test_a_process_keeps_its_last_results(tmp_path, runs):
    blocked = tmp_path / "file"
    blocked.write_text("")
    assert digits_results(digits_setup(), blocked) is digits_results(digits_setup(), blocked)
    assert len(runs) == 1
    digits_results(digits_setup(split_seed=1), blocked)
    assert len(runs) == 2 and len(digits_cache.in_memory) == 1


def test_the_newest_are_kept(tmp_path):
    for n in range(KEPT + 3):
        write(tmp_path, KIND, f"{n}", RESULTS)
        os.utime(path_of(tmp_path, KIND, f"{n}"), (1000 + n, 1000 + n))
    (tmp_path / "else.json").write_text("")
    assert read(tmp_path, KIND, "3") == RESULTS  # in use, so now the newest
    write(tmp_path, KIND, "last", RESULTS)
    kept = sorted(path.stem for path in tmp_path.glob("digits-*.json"))
    assert kept == ["digits-3", "digits-5", "digits-6", "digits-7", "digits-last"] and len(kept) == KEPT
    assert (tmp_path / "else.json").exists()


def test_what_a_killed_build_left_is_removed_later(tmp_path):
    old, young = tmp_path / ".digits-old.tmp", tmp_path / ".digits-young.tmp"
    for path in (old, young):
        path.write_text("half")
    os.utime(old, (time.time() - 7200, time.time() - 7200))
    write(tmp_path, KIND, "key", RESULTS)
    assert not old.exists() and young.exists()


def test_without_numpy_it_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "compute.digits.experiment", None)
    with pytest.raises(ImportError):  # any other module that is missing is an error of ours
        again(tmp_path)

    class Missing:
        def find_spec(self, name, path=None, target=None):
            if name == "compute.digits.experiment":
                raise ModuleNotFoundError("No module named 'numpy'", name="numpy")

    monkeypatch.delitem(sys.modules, "compute.digits.experiment")
    monkeypatch.delattr(sys.modules["compute.digits"], "experiment")
    monkeypatch.setattr(sys, "meta_path", [Missing(), *sys.meta_path])
    with pytest.raises(Problems, match=r"numpy: is not installed|numpy: 尚未安装"):
        again(tmp_path)
