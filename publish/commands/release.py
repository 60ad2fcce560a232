"""The command `release`: writes the log and the addresses of a new edition, and names it in edition.toml."""

from __future__ import annotations

import datetime
import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

from ..content import load_content
from ..editions import anchors
from ..editions import log as editions
from ..editions.compare import compare, read_numbers
from ..numbers.export import numbers_json
from ..reading.files import os_name
from ..reading.folder import Folder, own_folder
from ..reading.problems import Problem, Problems, found_and_allowed
from ..site import gather, rendered_pages
from ..words.language import Text


@dataclass(frozen=True)
class Release:
    """An edition to be made. old: the numbers.json of the edition before it, None for the first; again: write anew."""

    version: str
    date: str
    note: Text
    old: Path | None = None
    again: bool = False


def release(content: Folder, wish: Release) -> list[Path]:
    """Write an edition's files and return their paths. Raises Problems; then nothing is written."""
    loaded = load_content(content)
    problems = list(mistakes(wish, loaded.edition.version, [log.version for log in loaded.logs]))
    old = None
    if wish.old:
        try:
            old = read_numbers(wish.old)
        except Problems as found:
            problems += found.problems
    if problems:
        raise Problems(problems)
    edition = replace(loaded.edition, version=wish.version, date=wish.date)
    loaded, material = gather(replace(loaded, edition=edition))
    new = json.loads(numbers_json(material.registry, material.formulas, material.digest))["numbers"]
    changes = tuple(compare(old, new)) if old is not None else ()
    log = editions.Log(wish.version, wish.date, material.digest, wish.note, changes)
    pages = {
        name: anchors.anchors_of(markup, (key.name for key in material.subjects[name].keys))
        for (name, language), markup in rendered_pages(loaded, material).items()
        if language == "en"
    }
    now, own = (content / "edition.toml").read_text(encoding="utf-8"), own_folder(content)
    files = {
        own / editions.FOLDER / f"{wish.version}.toml": editions.log_text(log),
        own / anchors.FOLDER / f"{wish.version}.toml": anchors.record(pages),
        own / "edition.toml": renamed(now, wish),
    }
    for target, text in files.items():
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(text.encode("utf-8"))
    return list(files)


def mistakes(wish: Release, current: str, logged: list[str]) -> list[Problem]:
    """Return what is wrong with the wish. current: the version of edition.toml; logged: those of the log."""
    problems = []
    others = [version for version in logged if version != wish.version]
    newest = max(map(editions.order, others), default=(0, 0, 0))
    if not re.fullmatch(editions.VERSION, wish.version):
        what = found_and_allowed(wish.version, ('a version such as "1.2.0"', '版本号，例如 "1.2.0"'))
        problems.append(Problem("release", None, "VERSION", what))
    elif wish.version in logged and not wish.again:
        what = (
            f"edition {wish.version} is in the log already; with --again it is written anew",
            f"日志中已有版次 {wish.version}；加 --again 可重写",
        )
        problems.append(Problem("release", None, "VERSION", what))
    elif editions.order(wish.version) <= newest:
        after = ".".join(map(str, newest))
        what = found_and_allowed(wish.version, (f"a version after {after}", f"{after} 之后的版本号"))
        problems.append(Problem("release", None, "VERSION", what))
    try:
        datetime.date.fromisoformat(wish.date)
    except ValueError:
        what = found_and_allowed(wish.date, ("a date such as 2026-11-30", "日期，例如 2026-11-30"))
        problems.append(Problem("release", None, "--date", what))
    if others and wish.old is None:
        what = (
            "missing; name the data/numbers.json of the site as it was published last",
            "缺少此项；请指定上一次发布的站点中的 data/numbers.json",
        )
        problems.append(Problem("release", None, "--old", what))
    for option, text in (("--zh", wish.note["zh"]), ("--en", wish.note["en"])):
        if not text.strip():
            what = ("missing; say in a sentence what this edition is about", "缺少此项；请用一句话说明此版次")
            problems.append(Problem("release", None, option, what))
    return problems


def renamed(text: str, wish: Release) -> str:
    """Return edition.toml with another version and date, its comments as they are."""
    text = re.sub(r'(?m)^(version\s*=\s*)(".*?"|\'.*?\')', rf'\g<1>"{wish.version}"', text, count=1)
    return re.sub(r"(?m)^(date\s*=\s*)[0-9-]+", rf"\g<1>{wish.date}", text, count=1)


def named(paths: list[Path]) -> str:
    """Return the written files, one a line."""
    return "\n".join(os_name(path) for path in paths)
