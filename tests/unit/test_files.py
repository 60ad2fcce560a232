"""Files as a user names them, and config files that cannot be read."""

import pytest

from publish.reading.files import os_name, read_config
from tests.content_tools import problems_of


def test_a_name_is_relative_to_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    inside = tmp_path / "content" / "a.toml"
    assert os_name(inside) == "content/a.toml"
    assert os_name(tmp_path.joinpath("content", "..", "b.toml")) == "b.toml"


def test_a_name_elsewhere_is_as_it_was_given(tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    other = tmp_path / "there" / "a.toml"
    assert os_name(other) == str(other)


def test_read_config(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.toml").write_text("x = 1\ny = 2\n", encoding="utf-8")
    source = read_config(tmp_path / "a.toml")
    assert (source.name, source.data, source.line(("y",)), source.problems) == (
        "a.toml",
        {"x": 1, "y": 2},
        2,
        [],
    )


@pytest.mark.parametrize("kind", ["missing", "a folder"])
def test_what_cannot_be_read_is_a_problem(tmp_path, kind):
    path = tmp_path / "a.toml"
    if kind == "a folder":
        path.mkdir()
    (problem,) = problems_of(read_config, path)
    assert (problem.file, problem.line, problem.key) == (str(path), None, "")
    assert problem.what[0].startswith("cannot be read (") and problem.what[1].startswith("无法读取（")


def test_mistakes_of_toml_are_kept_for_the_caller(tmp_path):
    (tmp_path / "a.toml").write_text("x ＝ 1\n", encoding="utf-8")
    source = read_config(tmp_path / "a.toml")
    assert [problem.line for problem in source.problems] == [1]
