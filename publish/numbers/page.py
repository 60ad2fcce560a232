"""The numbers page: every registered number with where it stands, and examples that take numbers elsewhere."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..page.keys import SCHEMA, Key
from ..page.subject import Subject
from ..reading.problems import one_of
from ..words.formulas import Formula
from ..words.language import LANGUAGES
from .registry import Declaration, Number, decimals_of

if TYPE_CHECKING:
    from ..rendering.pages import Material, Page

NAME = "numbers"
ALL = "all"
KINDS = ("result", "setting", "unshown")  # by which numbers are filtered
EXAMPLES = Path(__file__).resolve().parents[2] / "templates" / "examples"
LONGEST_SEARCH = 100  # characters

HIDDEN_PART = re.compile(r"<section\b[^>]* hidden>.*?</section>", re.DOTALL)
SHOWN = re.compile(r'data-number="([^"]+)"')
PLACEHOLDER = re.compile(r"\s*\{\w+\}\s*")


@dataclass
class Shape:
    """The numbers of one declaration: what they share, and each of them."""

    formula: str
    source: str
    kind: str  # result or setting
    also: str  # the label in the other languages, without what differs from number to number: for the search
    numbers: list[Number] = field(default_factory=list)


@dataclass
class Group:
    """The numbers of one page whose ids begin alike; name: how, "" for ids that name no list or table."""

    page: str
    name: str
    shapes: dict[str, Shape] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """Return how many numbers there are."""
        return sum(len(shape.numbers) for shape in self.shapes.values())

    @property
    def anchor(self) -> str:
        """Return the group's place in the page."""
        return f"of-{self.page}" + (f"-{self.name}" if self.name else "")


def numbers_page(
    pages: Collection[Subject], declarations: dict[str, Declaration], formulas: dict[str, Formula]
) -> Subject:
    """Return the page of all numbers of these pages. What can be chosen is a search; it has no numbers of its own."""
    return Subject(
        name=NAME,
        core=None,
        command="python build.py cite ID",
        file=NAME + "-{lang}",
        setup={},
        settings={"find": "", "page": ALL, "kind": ALL},
        keys=search_keys(page.name for page in pages),
        results={},
        findings={},
        figures={},
        context=context,
        scripts=("numbers",),
        words=("find",),
        files=examples(),
        # What the cards need; the labels stand in the page.
        live={
            "numbers": {
                shape: [decimals_of(entry), "", formulas[entry.formula].text, ""]
                for shape, entry in declarations.items()
            },
            "homes": {page.name: home_of(page) for page in pages},
        },
    )


def home_of(page: Subject) -> dict[str, Any]:
    """Return what the address of a number on this page is made of, in its default state."""
    keys = [{"name": key.name, "kind": key.kind} for key in page.keys]
    return {"page": page.name, "schema": SCHEMA, "keys": keys, "settings": page.settings}


def search_keys(pages: Iterable[str]) -> tuple[Key, ...]:
    """Return the keys of a search: words, a page, a kind of number."""
    pages, kinds = (ALL, *pages), (ALL, *KINDS)
    words = (f"at most {LONGEST_SEARCH} characters", f"至多 {LONGEST_SEARCH} 个字符")
    return (
        Key("find", "text", words, most=LONGEST_SEARCH),
        Key("page", "choice", one_of(pages), words=pages),
        Key("kind", "choice", one_of(kinds), words=kinds),
    )


def examples() -> dict[str, str]:
    """Return name → text of the files that show how numbers get into slides and documents."""
    paths = sorted(EXAMPLES.iterdir())
    return {path.name: path.read_text(encoding="utf-8") for path in paths if path.is_file()}


def shown_numbers(html: str) -> frozenset[str]:
    """Return the ids of the numbers that a page shows in its default state; parts of it may be hidden."""
    ids = SHOWN.findall(HIDDEN_PART.sub("", html))
    return frozenset(number_id for number_id in ids if "@" not in number_id)  # @: rows that scripts fill


def groups_of(material: Material, language: str) -> list[Group]:
    """Return all numbers in groups, page by page, in the order of the registry."""
    groups: dict[tuple[str, str], Group] = {}
    for number in material.registry.values():
        name = kind_of(number)
        group = groups.setdefault((number.page, name), Group(number.page, name))
        if number.shape not in group.shapes:
            group.shapes[number.shape] = shape_of(number, material, language)
        group.shapes[number.shape].numbers.append(number)
    return list(groups.values())


def kind_of(number: Number) -> str:
    """Return how the ids of a group begin: the first part, without the page's name, of an id of several parts."""
    parts = number.id.removeprefix(f"{number.page}.").split(".")
    return parts[0] if len(parts) > 1 else ""


def shape_of(number: Number, material: Material, language: str) -> Shape:
    """Return what a number shares with those of its declaration."""
    entry = material.declarations[number.shape]
    labels = {"zh": entry.zh, "en": entry.en}
    others = (PLACEHOLDER.sub(" ", labels[other]).strip() for other in LANGUAGES if other != language)
    kind = "setting" if entry.style == "setting" else "result"
    return Shape(material.formulas[number.formula].text, number.source, kind, " ".join(others))


def context(page: Page) -> dict[str, Any]:
    """Return what the blocks of the page may name."""
    material, terms = page.material, page.material.terms.texts
    groups = groups_of(material, page.language)

    def group_title(group: Group) -> str:
        key = f"numbers.of.{group.page}.{group.name}" if group.name else "numbers.single"
        return page.word(key) if key in terms else ""

    def full_value(number: Number) -> str:
        """The value at full precision, "" where the shown text says as much."""
        said = (
            number.value is None
            or isinstance(number.value, str)
            or number.text.replace("−", "-") == number.machine
        )
        return "" if said else number.machine

    return {
        "pages_of_numbers": list(dict.fromkeys(group.page for group in groups)),
        "groups": groups,
        "group_title": group_title,
        "full_value": full_value,
        "shown": material.shown,
        "total": len(material.registry),
        "version": SCHEMA,
        "kinds": KINDS,
        "longest": LONGEST_SEARCH,
        "files": page.subject.files,
    }
