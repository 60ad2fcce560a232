"""The content folder as a course sees it: its own files first, and the shipped ones for all that it leaves out."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from os.path import lexists
from pathlib import Path
from typing import Protocol

from .files import os_name
from .problems import Phrase, Problem, did_you_mean

SHIPPED = Path(__file__).resolve().parents[2] / "content"
# What editors, systems and version control leave in a folder, and what a course says of itself: nobody's mistakes.
LEFT_ALONE = ("readme", "license", "thumbs.db", "desktop.ini", "__pycache__", "4913")
DROPPINGS = ("~", ".bak", ".orig", ".rej", ".swp", ".tmp", ".pyc")
OPEN = ("editions", "anchors")  # folders that hold a file for each edition, whatever its name
SITE = "data/numbers.json"  # a built site may stand in a course's folder


class Folder(Protocol):
    """Where files of the content are found: a plain folder (a Path), or a course's laid over the shipped one."""

    def __truediv__(self, name: str, /) -> Path:
        """Return the path of a file by its name from the folder, such as "config/rollout.toml"."""


@dataclass(frozen=True)
class Layered:
    """A course's folder laid over the defaults: each file whole, from the course where it has one."""

    course: Path
    defaults: Path = SHIPPED

    def __truediv__(self, name: str) -> Path:
        own = self.course / name
        return own if lexists(own) else self.defaults / name

    def problems(self) -> list[Problem]:
        """Return what is wrong with the course's folder itself: not there, or with files that nothing reads."""
        if not self.course.is_dir():
            there = lexists(self.course)
            what = (
                ("is not a folder", "不是文件夹") if there else ("there is no such folder", "没有这个文件夹")
            )
            return [Problem(os_name(self.course), None, "--content", what)]
        files = {path.relative_to(self.defaults).as_posix() for path in files_below(self.defaults)}
        return list(self.strangers("", files))

    def strangers(self, inside: str, files: set[str]) -> Iterator[Problem]:
        """Yield every file, and every folder as one, to which none of the defaults answers."""
        for path in entries(self.course / inside):
            name = inside + path.name
            if path.is_dir() and name in OPEN:
                continue
            if path.is_dir() and any(file.startswith(f"{name}/") for file in files):
                yield from self.strangers(f"{name}/", files)
            elif path.is_dir() or name not in files:
                yield self.stranger(path, name, files)

    def stranger(self, path: Path, name: str, files: set[str]) -> Problem:
        """Return the problem of a file or folder that nothing reads."""
        default = os_name(self.defaults)
        what: Phrase = (
            f"nothing reads it: {default} has no {name}",
            f"不会被读取：{default} 中没有 {name}",
        )
        folders = {f"{parent.as_posix()}/" for file in files for parent in Path(file).parents[:-1]}
        nearest = nearest_name(f"{name}/", folders) if path.is_dir() else nearest_name(name, files)
        return Problem(os_name(path), None, "", what, did_you_mean(nearest) if nearest else None)


def entries(folder: Path) -> Iterator[Path]:
    """Yield what stands in a folder and is meant for the build, in the order of names."""
    for path in sorted(folder.iterdir()):
        name = path.name.lower()
        if name.startswith((".", "#", "~$", *LEFT_ALONE)) or name.endswith(DROPPINGS):
            continue
        if not (path / SITE).is_file():
            yield path


def files_below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder that are meant for the build."""
    for path in entries(folder):
        if path.is_dir():
            yield from files_below(path)
        else:
            yield path


def nearest_name(name: str, known: set[str]) -> str | None:
    """Return the known name most like another, as a whole and in its last part, which may stand in a wrong folder."""

    def alike(other: str) -> float:
        pairs = ((name, other), (last_part(name), last_part(other)))
        return sum(difflib.SequenceMatcher(None, a.lower(), b.lower()).ratio() for a, b in pairs) / len(pairs)

    best = max(sorted(known), key=alike, default="")
    return best if best and alike(best) >= 0.6 else None


def last_part(name: str) -> str:
    """Return the last part of a path."""
    return name.rstrip("/").rpartition("/")[2]


def content_folder(name: str) -> Folder:
    """Return the content that `--content` names: the shipped folder, or a course's over it."""
    path = Path(name)
    return SHIPPED if path.resolve() == SHIPPED else Layered(path)


def own_folder(folder: Folder) -> Path:
    """Return the folder that an author writes into: the course's, or the shipped one."""
    return folder.course if isinstance(folder, Layered) else folder / "."


def folders(folder: Folder) -> list[Path]:
    """Return every folder whose files may be used, for a server that watches them."""
    return [folder.course, folder.defaults] if isinstance(folder, Layered) else [SHIPPED]


def folder_problems(folder: Folder) -> list[Problem]:
    """Return what is wrong with the folder itself, before any of its files is read."""
    return folder.problems() if isinstance(folder, Layered) else []
