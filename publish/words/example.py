"""A short Python program of a page: what is shown is what was run."""

from __future__ import annotations

import io
import traceback
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from ..reading.problems import Problem, Problems


@dataclass(frozen=True)
class Example:
    """A program and what it printed at build time."""

    name: str
    source: str
    output: str


def load_example(path: Path, name: str) -> Example:
    """Run a program and return it with its output. Raises Problems with its line when it fails, OSError."""
    source = path.read_text(encoding="utf-8-sig")
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            exec(compile(source, name, "exec", dont_inherit=True), {"__name__": "example"})
    except SyntaxError as error:
        raise failed(name, error.lineno, error) from None
    except (Exception, SystemExit) as error:
        lines = [
            frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name
        ]
        raise failed(name, lines[-1] if lines else None, error) from None
    return Example(path.name, source, printed.getvalue())


def failed(name: str, line: int | None, error: BaseException) -> Problems:
    """Return the problem of a program that did not run to its end."""
    said = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    what = (
        f"the example does not run: {said}; correct it, or the assertion that no longer holds",
        f"示例无法运行：{said}；请修正程序，或修正不再成立的断言",
    )
    return Problems([Problem(name, line, "", what)])
