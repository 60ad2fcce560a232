"""Which numbers differ between two numbers.json: added, gone, changed, page by page."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from ..numbers.export import SCHEMA
from ..reading.files import os_name
from ..reading.problems import Phrase, Problem, Problems
from ..words.formatting import full_text
from ..words.language import LANGUAGES, Text

RELATIVE = 1e-9  # less is the difference between two machines
ABSOLUTE = 1e-15  # so is this, next to 0
HEADINGS = {
    "changed": Text("改变 {count} 个", "{count} changed"),
    "added": Text("新增 {count} 个", "{count} added"),
    "gone": Text("去除 {count} 个", "{count} gone"),
}
NOTHING = Text("没有改变的数。", "No number changed.")
FIELDS = {"value", "text", "label", "page"}


@dataclass(frozen=True)
class Change:
    """A number before and after, as it is shown; "" where there was none."""

    id: str
    page: str
    label: Text
    old: str
    new: str

    @property
    def kind(self) -> str:
        """Return changed, added or gone."""
        return "added" if not self.old else "changed" if self.new else "gone"


def read_numbers(path: Path) -> dict[str, Any]:
    """Return the numbers of a numbers.json, id → entry. Raises Problems for a file that is none."""
    what: Phrase
    try:
        document = json.loads(path.read_text(encoding="utf-8-sig"), parse_constant=refuse)
    except OSError as error:
        reason = error.strerror or "unreadable"
        what = (f"cannot be read ({reason})", f"无法读取（{reason}）")
    except ValueError:
        what = ("is no JSON", "不是 JSON")
    else:
        if is_numbers(document):
            numbers: dict[str, Any] = document["numbers"]
            return numbers
        what = ("holds no numbers of a site", "不是站点的 numbers.json")
    hint = (
        "name the data/numbers.json of a built site",
        "请指定某个已构建站点的 data/numbers.json",
    )
    raise Problems([Problem(os_name(path), None, "", what, hint)])


def refuse(constant: str) -> None:
    """Raise for NaN and Infinity, which a numbers.json writes as texts."""
    raise ValueError(constant)


def is_numbers(document: Any) -> bool:
    """Tell whether a document is a numbers.json of this schema."""
    if not isinstance(document, dict) or document.get("schema") != SCHEMA:
        return False
    numbers = document.get("numbers")
    return isinstance(numbers, dict) and all(is_entry(entry) for entry in numbers.values())


def is_entry(entry: Any) -> bool:
    """Tell whether an entry has what a comparison needs."""
    if not isinstance(entry, dict) or not entry.keys() >= FIELDS:
        return False
    texts = (entry["text"], entry["page"])
    label, value = entry["label"], entry["value"]
    return (
        all(isinstance(text, str) for text in texts)
        and isinstance(label, dict)
        and all(isinstance(label.get(language), str) for language in LANGUAGES)
        and (value is None or (isinstance(value, (int, float, str)) and not isinstance(value, bool)))
    )


def same(old: Any, new: Any) -> bool:
    """Tell whether two values are one number, but for what differs between machines."""
    if isinstance(old, (int, float)) and isinstance(new, (int, float)):
        return math.isclose(old, new, rel_tol=RELATIVE, abs_tol=ABSOLUTE)
    return bool(old == new)


def compare(old: dict[str, Any], new: dict[str, Any]) -> list[Change]:
    """Return what changed, in the order of the new numbers; what is gone comes last."""
    found = []
    for number_id, entry in new.items():
        before = old.get(number_id)
        if before is None:
            found.append(change(number_id, entry, "", entry["text"]))
        elif not same(before["value"], entry["value"]):
            found.append(change(number_id, entry, *texts(before, entry)))
    return found + [change(key, entry, entry["text"], "") for key, entry in old.items() if key not in new]


def texts(old: dict[str, Any], new: dict[str, Any]) -> tuple[str, str]:
    """Return what two values are shown as, at full precision where their texts are the same."""
    if old["text"] != new["text"]:
        return old["text"], new["text"]
    return full_text(old["value"]), full_text(new["value"])


def change(number_id: str, entry: dict[str, Any], old: str, new: str) -> Change:
    """Return one change, with the page and label of an entry."""
    return Change(number_id, entry["page"], Text(entry["label"]["zh"], entry["label"]["en"]), old, new)


def by_page(changes: list[Change]) -> Iterator[tuple[str, str, list[Change]]]:
    """Yield (page, kind, changes): pages in the order in which they come, changed before added before gone."""
    pages = list(dict.fromkeys(item.page for item in changes))

    def place(item: Change) -> tuple[int, int]:
        return pages.index(item.page), list(HEADINGS).index(item.kind)

    for _, group in groupby(sorted(changes, key=place), key=place):
        items = list(group)
        yield items[0].page, items[0].kind, items


def report(changes: list[Change], language: str) -> str:
    """Return the changes as lines, page by page."""
    lines: list[str] = []
    last = None
    for page, kind, items in by_page(changes):
        if page != last:
            lines += [""] * bool(lines) + [f"{page}.html"]
        last = page
        lines.append("  " + HEADINGS[kind].format(language, count=len(items)))
        lines += [f"    {line(item, language)}" for item in items]
    return "\n".join(lines) if lines else NOTHING[language]


def line(item: Change, language: str) -> str:
    """Return one change in one line."""
    shown = f"{item.old} → {item.new}" if item.kind == "changed" else item.old or item.new
    return f"{item.id}: {shown}  ({item.label[language]})"
