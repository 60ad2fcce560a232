"""The page that says what was verified, for exactly this config and code, or that nothing was."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from ..numbers.registry import WILD, Declaration, Registry, shape_of
from ..page.subject import Subject, static_subject
from ..words.formatting import error_text, number_text, setting_text
from .routes import ROUTES
from .verification import PEERS_ALLOWED, Record, confirmed

if TYPE_CHECKING:
    from ..rendering.pages import Page

NAME = "verify"
FILE = "verification.json"  # the whole record, number by number
OPEN = dict.fromkeys(("place", "response", "nth", "check"), "…")  # a label of many numbers leaves these open


def verify_page(record: Record | None, registry: Registry, declared: dict[str, Declaration]) -> Subject:
    """Return the page. record: of a verification of the same config and code, None if there was none."""
    files = {FILE: json.dumps(record, ensure_ascii=False, indent=1) + "\n"} if record else {}
    return static_subject(NAME, "python build.py verify", context_of(record, registry, declared), {}, files)


def context_of(
    record: Record | None, registry: Registry, declared: dict[str, Declaration]
) -> Callable[[Page], dict[str, Any]]:
    """Return the function that gives what the page's blocks may name."""

    def context(page: Page) -> dict[str, Any]:
        if record is None:
            return {"record": None}
        return {
            "record": record,
            "file": FILE,
            "confirmed": confirmed(record),
            "reached": reached(record),
            "routes": [route.name for route in ROUTES],
            "kinds": kinds(record, registry, declared, page.language),
            "size": size,
            "allowed": setting_text,
            "number_of": lambda count: number_text(count, 0),
            "agrees": lambda row: row["largest"] <= PEERS_ALLOWED,
        }

    return context


def size(gap: float) -> Markup:
    """Return a difference, of which only the size may be certain, on one line."""
    text = error_text(gap, 6) if gap else "0"
    return Markup('<span class="number">{}</span>').format(text)


def reached(record: Record) -> dict[str, int]:
    """Return how many numbers at least one route, and at least two, computed again."""
    routes = [len(found) for found in record["numbers"].values()]
    return {"one": len(routes), "two": len([1 for count in routes if count > 1])}


def kinds(
    record: Record, registry: Registry, declared: dict[str, Declaration], language: str
) -> dict[str, list[dict[str, Any]]]:
    """Return page → its kinds of number: shape, label, how many, given, and the largest difference by each route."""
    rows: dict[str, dict[str, dict[str, Any]]] = {}
    for number in registry.values():
        shape = shape_of(tuple(number.id.split(".")), declared, set()) or number.id
        row = rows.setdefault(number.page, {}).setdefault(shape, new_row(shape, declared[shape], language))
        row["count"] += 1
        for route, gap in record["numbers"].get(number.id, {}).items():
            row["routes"][route] = max(gap, row["routes"].get(route, 0.0))
    return {page: list(shapes.values()) for page, shapes in rows.items()}


def new_row(shape: str, declaration: Declaration, language: str) -> dict[str, Any]:
    """Return the row of a kind of number, before any of it was counted."""
    label = declaration.zh if language == "zh" else declaration.en
    stars = ["…"] * shape.split(".").count(WILD)
    return {
        "shape": shape,
        "label": label.format(*stars, **OPEN),
        "count": 0,
        "given": declaration.source.startswith("content/"),
        "routes": {},
    }
