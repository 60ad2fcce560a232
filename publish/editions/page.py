"""The page of editions: what each edition changed; no numbers of its own, and nothing to choose."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..numbers.export import csv_text
from ..page.subject import Subject, static_subject
from .compare import by_page
from .log import Log

if TYPE_CHECKING:
    from ..rendering.pages import Page

NAME = "editions"
MOST_ROWS = 100  # of one table; the file has all


def editions_page(logs: list[Log]) -> Subject:
    """Return the page of editions."""
    files = {file_of(log): changes_csv(log) for log in logs if log.changes}
    return static_subject(NAME, "python build.py compare OLD NEW", context_of(logs), {}, files)


def context_of(logs: list[Log]) -> Callable[[Page], dict[str, Any]]:
    """Return the function that gives what the page's block may name."""

    def context(page: Page) -> dict[str, Any]:
        material = page.material
        current = next((log for log in logs if log.version == material.edition.version), None)
        return {
            "logs": logs,
            "edited": current is not None and current.config != material.digest,
            "edition": material.edition,
            "digest": material.digest,
            "groups": lambda log: list(by_page(list(log.changes))),
            "title_of": lambda name: page.word(f"page.{name}.title") if name in material.subjects else name,
            "file_of": file_of,
            "most": MOST_ROWS,
        }

    return context


def file_of(log: Log) -> str:
    """Return the name of the file with an edition's changes."""
    return f"edition-{log.version}.csv"


def changes_csv(log: Log) -> str:
    """Return every change of an edition."""
    rows = (
        (item.id, item.kind, item.old, item.new, item.label["zh"], item.label["en"], item.page)
        for item in log.changes
    )
    return csv_text(("id", "kind", "old", "new", "label_zh", "label_en", "page"), rows)
