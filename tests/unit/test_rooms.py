"""The parts of publish/ use each other in one direction: each only what stands above it in CONTRIBUTING.md's table."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PUBLISH = ROOT / "publish"


def rows() -> list[list[str]]:
    """Return the parts as the table lists them, those of one row together."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    _, _, table = text.partition("| folder of `publish/` |")
    lines = table.partition("\n\n")[0].splitlines()[2:]
    return [re.findall(r"`(\w+)(?:/|\.py)`", line.split("|")[1]) for line in lines]


FLOORS = {part: floor for floor, parts in enumerate(rows()) for part in parts}


def part_of(path: Path) -> str:
    """Return the folder of a module, or its own name where it stands in publish/ itself."""
    return path.relative_to(PUBLISH).parts[0].removesuffix(".py")


def imports(tree: ast.AST) -> Iterator[ast.ImportFrom]:
    """Yield what a module imports when it runs, at whatever time; not what only the type checker reads."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.ImportFrom):
            yield node
        yield from imports(node)


def used_parts(path: Path) -> set[str]:
    """Return the parts of publish/ that a module imports from."""
    found = set()
    for node in imports(ast.parse(path.read_text(encoding="utf-8"))):
        if node.level:
            folder = path.parents[node.level - 1]
            for name in [node.module] if node.module else [alias.name for alias in node.names]:
                found.add(part_of(folder.joinpath(*name.split("."))))
    return found


MODULES = [path for path in sorted(PUBLISH.rglob("*.py")) if path != PUBLISH / "__init__.py"]


def test_the_table_names_every_part():
    assert set(FLOORS) == {part_of(path) for path in MODULES}


def test_imports_are_found():
    assert {"claims", "numbers", "page", "words"} <= used_parts(PUBLISH / "rendering" / "pages.py")
    assert "digits" in used_parts(PUBLISH / "commands" / "state.py")  # inside a function
    assert "rendering" not in used_parts(PUBLISH / "page" / "subject.py")  # for types only


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(PUBLISH).as_posix())
def test_a_module_uses_what_stands_above_it(path):
    own = FLOORS[part_of(path)]
    assert {part for part in used_parts(path) if FLOORS[part] > own} == set()
