"""The log of editions: content/editions/VERSION.toml says what each edition changed."""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass
from pathlib import Path

from ..reading.files import read_config
from ..reading.folder import Folder
from ..reading.problems import Problem, Problems, found_and_allowed
from ..reading.toml_text import TomlText
from ..reading.validation import Strict, allowed, check
from ..words.language import Text
from .compare import Change

FOLDER = "editions"
VERSION = r"^\d+\.\d+\.\d+$"
ROW = (
    "a list of six texts: id, page, label in Chinese, label in English, old, new",
    "六段文字的列表：编号、页面、中文名称、英文名称、旧值、新值",
)


class Note(Strict):
    """What an edition is about, in both languages."""

    zh: str = allowed("the note in Chinese", "中文说明")
    en: str = allowed("the note in English", "英文说明")


class LogFile(Strict):
    """One file of the log."""

    version: str = allowed('a version such as "1.2.0"', '版本号，例如 "1.2.0"', pattern=VERSION)
    date: datetime.date = allowed("a date such as 2026-11-30", "日期，例如 2026-11-30")
    config: str = allowed("a SHA-256 digest", "SHA-256 摘要", pattern="^[0-9a-f]{64}$")
    note: Note = allowed('{ zh = "…", en = "…" }', '{ zh = "…", en = "…" }')
    changed: list[list[str]] = allowed(*ROW)


@dataclass(frozen=True)
class Log:
    """One edition: version, date (YYYY-MM-DD), config digest, note, and the numbers that it changed."""

    version: str
    date: str
    config: str
    note: Text
    changes: tuple[Change, ...] = ()


def order(version: str) -> tuple[int, ...]:
    """Return a version as numbers, by which versions are put in order."""
    return tuple(int(part) for part in version.split("."))


def load_log(source: TomlText) -> Log:
    """Return one edition. Raises Problems."""
    if problems := source.problems + check(LogFile, source):
        raise Problems(problems)
    data = source.data
    name = Path(source.name).stem
    problems = []
    if data["version"] != name:
        what = found_and_allowed(
            data["version"], (f'"{name}", as the file is named', f'"{name}"，与文件名一致')
        )
        problems.append(Problem(source.name, source.line(("version",)), "version", what))
    for index, row in enumerate(data["changed"]):
        if len(row) != 6 or not (row[4] or row[5]):
            what = found_and_allowed(row, ROW)
            problems.append(Problem(source.name, source.line(("changed", index)), f"changed.{index}", what))
    if problems:
        raise Problems(problems)
    changes = tuple(Change(row[0], row[1], Text(row[2], row[3]), row[4], row[5]) for row in data["changed"])
    return Log(data["version"], data["date"].isoformat(), data["config"], Text(**data["note"]), changes)


def load_logs(content: Folder) -> list[Log]:
    """Return the log of a content folder, the newest edition first. Raises Problems with every mistake."""
    logs, problems = [], []
    for path in sorted((content / FOLDER).glob("*.toml")):
        try:
            logs.append(load_log(read_config(path)))
        except Problems as found:
            problems += found.problems
    if problems:
        raise Problems(problems)
    return sorted(logs, key=lambda log: order(log.version), reverse=True)


def log_text(log: Log) -> str:
    """Return an edition as the file that says it."""

    def quoted(text: str) -> str:
        return json.dumps(text, ensure_ascii=False)

    rows = [
        ", ".join(map(quoted, (item.id, item.page, item.label["zh"], item.label["en"], item.old, item.new)))
        for item in log.changes
    ]
    changed = "[\n" + "".join(f"  [{row}],\n" for row in rows) + "]" if rows else "[]"
    return (
        "# Written by `python build.py release`; the note may be edited. 由 build.py release 写成；说明可以修改。\n"
        f'version = "{log.version}"\n'
        f"date = {log.date}\n"
        f'config = "{log.config}"\n'
        f"note = {{ zh = {quoted(log.note['zh'])}, en = {quoted(log.note['en'])} }}\n"
        '# id, page, label in Chinese and English, old text, new text; "" where there was none, or is none.\n'
        f"changed = {changed}\n"
    )
