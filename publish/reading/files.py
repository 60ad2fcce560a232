"""Files as a user names them, and config files read with a problem instead of an exception."""

from __future__ import annotations

from pathlib import Path

from .problems import Problem, Problems
from .toml_text import TomlText, read_toml


def read_config(path: Path) -> TomlText:
    """Return a config file's text and data. Raises Problems when it cannot be read."""
    name = os_name(path)
    try:
        return read_toml(path, name)
    except OSError as error:
        reason = error.strerror or "unreadable"
        what = (f"cannot be read ({reason})", f"无法读取（{reason}）")
        raise Problems([Problem(name, None, "", what)]) from None


def os_name(path: Path) -> str:
    """Return a path as the user would type it: relative to the working directory where that is shorter."""
    try:
        return str(path.resolve().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
