"""What addresses of an edition lead to, written down: content/anchors/VERSION.toml; and what of it is gone."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..numbers.registry import WILD
from ..reading.files import read_config
from ..reading.folder import Folder
from ..reading.problems import Phrase, Problem, Problems
from ..reading.validation import Strict, allowed, check
from .redirects import Redirects

FOLDER = "anchors"
# Elements whose id is an address; ids of controls and of what scripts write into are none.
PLACES = {
    *(f"h{level}" for level in range(1, 7)),
    "figure",
    "section",
    "details",
    "table",
    "li",
    "ol",
    "main",
}
LIST: Phrase = ("a list of texts", "文字的列表")


class AnchorsOfPage(Strict):
    """One page in a record."""

    anchors: list[str] = allowed(*LIST)
    numbers: list[str] = allowed(*LIST)
    keys: list[str] = allowed(*LIST)


@dataclass(frozen=True)
class Anchors:
    """The addresses of a page: ids of places, shapes of the numbers it shows (* for an index), keys of its state."""

    anchors: tuple[str, ...]
    numbers: tuple[str, ...]
    keys: tuple[str, ...]


# Our own pages write attributes in one way; a parser would take ten times as long at every build.
ID = re.compile(r'<(\w+)\b[^<>]*?\sid="([^"]+)"')
NUMBER = re.compile(r'\sdata-number="([^"]+)"')


def ids_of(markup: str) -> dict[str, str]:
    """Return id → tag of every element of a page that has one."""
    return {name: tag for tag, name in ID.findall(markup)}


def shape(number_id: str) -> str:
    """Return an id with every index as a star."""
    return ".".join(WILD if part.isdigit() or part == "@" else part for part in number_id.split("."))


def anchors_of(markup: str, keys: Iterable[str]) -> Anchors:
    """Return the addresses of a page."""
    places = sorted(name for name, tag in ids_of(markup).items() if tag in PLACES)
    return Anchors(tuple(places), tuple(sorted({*map(shape, NUMBER.findall(markup))})), tuple(keys))


def record(pages: dict[str, Anchors]) -> str:
    """Return the addresses of all pages as the file that keeps them."""

    def listed(names: Iterable[str]) -> str:
        rows = "".join(f"  {json.dumps(name, ensure_ascii=False)},\n" for name in names)
        return f"[\n{rows}]" if rows else "[]"

    parts = [
        f"[{name}]\nanchors = {listed(page.anchors)}\nnumbers = {listed(page.numbers)}\nkeys = {listed(page.keys)}\n"
        for name, page in pages.items()
    ]
    head = (
        "# Written by `python build.py release`: the addresses that this edition had, which later ones keep\n"
        "# or redirect (redirects.toml). 由 build.py release 写成：此版次已有的地址；以后的版次须保留，\n"
        "# 或在 redirects.toml 中指明去处。\n"
    )
    return "\n".join([head, *parts])


def load_anchors(content: Folder) -> dict[str, dict[str, Anchors]]:
    """Return version → page → addresses. Raises Problems."""
    found: dict[str, dict[str, Anchors]] = {}
    problems = []
    for path in sorted((content / FOLDER).glob("*.toml")):
        try:
            source = read_config(path)
        except Problems as unread:
            problems += unread.problems
            continue
        problems += source.problems
        for name in source.data:
            problems += check(AnchorsOfPage, source, (name,))
        if not problems:
            found[path.stem] = {
                name: Anchors(tuple(page["anchors"]), tuple(page["numbers"]), tuple(page["keys"]))
                for name, page in source.data.items()
            }
    if problems:
        raise Problems(problems)
    return found


def gone(
    records: dict[str, dict[str, Anchors]],
    now: dict[str, Anchors],
    numbers: set[str],
    redirects: Redirects,
) -> Iterator[Problem]:
    """Yield what an earlier edition had, and neither the site nor a redirect has. numbers: all shapes there are."""
    told: set[tuple[str, str, str]] = set()
    for version, pages in records.items():
        for name, old in pages.items():
            page = now.get(redirects.pages.get(name, name))
            if page is None:
                yield missing(version, f"{name}.html", "[pages]")
                continue
            lost = [
                (
                    "#",
                    set(old.anchors) - set(page.anchors) - redirects.anchors.get(name, {}).keys(),
                    f"[anchors.{name}]",
                ),
                ("show=", set(old.numbers) - numbers - redirects.numbers.keys(), "[numbers]"),
                (
                    "key ",
                    set(old.keys) - set(page.keys) - redirects.keys.get(name, {}).keys(),
                    f"[keys.{name}]",
                ),
            ]
            for kind, names, table in lost:
                for item in sorted(names):
                    if (name, kind, item) not in told:
                        told.add((name, kind, item))
                        yield missing(version, f"{name}.html {kind}{item}", table)


def missing(version: str, what: str, table: str) -> Problem:
    """Return one address that leads nowhere."""
    return Problem(
        f"{FOLDER}/{version}.toml",
        None,
        what,
        (f"edition {version} had it, and now it leads nowhere", f"版次 {version} 曾有此地址，现在无处可去"),
        (f"say under {table} of redirects.toml where it went", f"请在 redirects.toml 的 {table} 下写明去处"),
    )
