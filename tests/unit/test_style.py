"""The repository's own rules: linting, formatting, types, short files, and nothing of anybody's machine."""

import ast
import re
import subprocess
import sys
from functools import cache

import pytest

from tests.content_tools import ROOT

VENDORED = ("templates/assets/vendor/", "tests/browser/vendor/")
MADE = re.compile(r"(^|/)(\.\w|__pycache__|node_modules)|^site/")
LONGEST_FILE = 400  # lines
SHORT = (".py", ".js", ".css", ".html", ".sh")
# Put together here, so that this file does not contain what it looks for.
MACHINE_PATHS = ["/" + name + "/" for name in ("home", "root", "work", "Users", "tmp")] + [":" + "\\Users\\"]


@cache
def files():
    """Return every file that is, or may become, part of the repository; without git, all but what is made."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    try:
        run = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8", check=True)
        names = [name for name in run.stdout.split("\0") if name]
    except (OSError, subprocess.CalledProcessError):
        names = [path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*")]
        names = [name for name in names if not MADE.search(name)]
    names = [name for name in names if not name.startswith(VENDORED)]
    return [ROOT / name for name in sorted(set(names)) if (ROOT / name).is_file()]


@cache
def text_of(path):
    """Return a text file's text, None of a binary one."""
    raw = path.read_bytes()
    return None if b"\0" in raw else raw.decode("utf-8")


@pytest.mark.parametrize(
    "command",
    [["ruff", "check", "--no-cache", "."], ["ruff", "format", "--check", "--no-cache", "."], ["mypy"]],
    ids=["ruff check", "ruff format", "mypy"],
)
def test_tool_has_nothing_to_say(command):
    run = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, encoding="utf-8")
    assert run.returncode == 0, f"\n{run.stdout}{run.stderr}"


def test_the_files_are_found():
    names = {path.relative_to(ROOT).as_posix() for path in files()}
    assert {"build.py", "content/config/rollout.toml", "tests/unit/test_style.py"} <= names and len(
        names
    ) > 60


def test_files_are_short():
    long = {
        path.relative_to(ROOT).as_posix(): text.count("\n")
        for path in files()
        if path.suffix in SHORT and (text := text_of(path)) and text.count("\n") > LONGEST_FILE
    }
    assert long == {}


@pytest.mark.parametrize(
    "path", sorted((ROOT / "compute").rglob("*.py")) + sorted((ROOT / "publish").rglob("*.py"))
)
def test_module_says_what_it_is(path):
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_nothing_names_a_place_on_somebodys_machine():
    found = [
        f"{path.relative_to(ROOT)}:{number}: {place}"
        for path in files()
        for number, line in enumerate((text_of(path) or "").splitlines(), 1)
        for place in MACHINE_PATHS
        if place in line
    ]
    assert found == []


def test_text_files_have_one_kind_of_line_end():
    for path in files():
        if text := text_of(path):
            assert text.endswith("\n") and "\r" not in text, path.relative_to(ROOT)
