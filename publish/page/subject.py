"""What a page is about: its results, the keys that choose a state of it, its charts, and what its scripts need."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .charts import Figure, Results, Word
from .keys import Key

if TYPE_CHECKING:
    from ..rendering.pages import Page

Said = list[tuple[str, dict[str, str]]]  # see compute/findings.py

# Scripts of every page, in the order of loading; a page's own come after `live`.
BEFORE = (
    "page",
    "charts",
    "format",
    "hash",
    "engine",
    "paint",
    "view",
    "controls",
    "reveal",
    "live",
    "formulas",
)
AFTER = ("tools", "card-text", "card-copy", "cards", "need", "figures")
# Scripts that a page loads when they are used, or once all else is there; a saved page has them inside.
ON_DEMAND = ("only", "figure-menu", "picture", "pin", "check", "edges", "save")
# Groups of content/terms.toml whose words every page's scripts may put into the page.
WORDS = ("live", "tools", "card", "number", "setting")


@dataclass(frozen=True)
class Subject:
    """One page, before any language: everything that differs from page to page."""

    name: str
    core: str | None  # the module that answers the page's scripts; None: there is nothing to choose
    command: str  # prints a state of the page
    file: str  # name of a saved page without its ending; {lang} and the names of keys stand for their values
    setup: dict[str, Any]
    settings: dict[str, Any]
    keys: tuple[Key, ...]
    results: Results
    findings: Mapping[str, Callable[[Results], Said]]
    figures: Mapping[str, Callable[[Results, Word], Figure]]
    context: Callable[[Page], dict[str, Any]]  # what its blocks may name, beside what all may
    scripts: tuple[str, ...]
    words: tuple[str, ...]
    files: Mapping[str, str] = field(default_factory=dict)  # of site/data: name → text
    live: Mapping[str, Any] = field(default_factory=dict)  # what else its scripts need
    uncertainty: Mapping[str, float] = field(
        default_factory=dict
    )  # of numbers that float64 does not settle, by id
    positions: list[dict[str, Any]] = field(default_factory=list)  # that labels of numbers name

    def all_scripts(self) -> tuple[str, ...]:
        """Return the names of the page's scripts in the order of loading."""
        return (*BEFORE, *self.scripts, *AFTER)


def static_subject(
    name: str,
    command: str,
    context: Callable[[Page], dict[str, Any]],
    results: Results,
    files: Mapping[str, str] | None = None,
) -> Subject:
    """Return a page on which there is nothing to choose: no core, no settings, no charts. Arguments: see Subject."""
    return Subject(
        name=name,
        core=None,
        command=command,
        file=name + "-{lang}",
        setup={},
        settings={},
        keys=(),
        results={name: results},
        findings={},
        figures={},
        context=context,
        scripts=("chapter",),
        words=(),
        files=files or {},
    )
