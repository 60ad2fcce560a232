"""The fault atlas: every wrong path with formulas, numbers, curves and the checks that find it; no controls."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from compute.atlas.fault_atlas import fault_atlas

from ..numbers.export import csv_text
from ..page.subject import Subject, static_subject
from ..update.config import Config
from ..writing.cache import kept, key_of
from .notes import PARTS, Fault
from .sparkline import sparkline

if TYPE_CHECKING:
    from ..rendering.pages import Page

NAME = "faults"
CORE = Path(__file__).resolve().parents[2] / "compute"
CURVES = ("loss", "kl", "clipped")


def faults_page(config: Config, faults: dict[str, Fault]) -> Subject:
    """Return the atlas for the main page's default settings."""
    code = sorted([*CORE.glob("*.py"), *CORE.glob("atlas/*.py")])
    key = key_of([config.setup, config.settings], code)
    atlas = kept("atlas", key, lambda: fault_atlas(config.setup, config.settings))
    results = registered(atlas) | {"evidence": [fault.evidence for fault in faults.values()]}
    files = {"faults-curves.csv": curves_csv(atlas), "faults-checks.csv": checks_csv(atlas)}
    command = "python build.py state --set path=…"
    return static_subject(NAME, command, context_of(atlas, faults), results, files)


def registered(atlas: dict[str, Any]) -> dict[str, Any]:
    """Return what is registered of the atlas: all but the curves."""
    paths = {
        name: {key: value for key, value in entry.items() if key != "curves"}
        for name, entry in atlas["paths"].items()
    }
    return {"paths": paths} | {name: atlas[name] for name in ("notes", "steps", "lesson")}


def context_of(atlas: dict[str, Any], faults: dict[str, Fault]) -> Callable[[Page], dict[str, Any]]:
    """Return the function that gives what the atlas's blocks may name."""

    def context(page: Page) -> dict[str, Any]:
        def curve(name: str, quantity: str) -> Any:
            label = page.word("faults.sparkline", quantity=page.word(f"faults.{quantity}"))
            return sparkline(atlas["right"][quantity], atlas["paths"][name]["curves"][quantity], label)

        return {
            "atlas": atlas,
            "faults": dict(sorted(faults.items(), key=lambda item: PARTS.index(item[1].part))),
            "parts": PARTS,
            "at": f"{NAME}.",
            "checks": list(next(iter(atlas["paths"].values()))["checks"]),
            "curve": curve,
        }

    return context


def curves_csv(atlas: dict[str, Any]) -> str:
    """Return loss, KL figure and clipped count of every path at every step."""
    curves = {"correct": atlas["right"]} | {name: entry["curves"] for name, entry in atlas["paths"].items()}
    rows = (
        (name, step, *(curve[quantity][step] for quantity in CURVES))
        for name, curve in curves.items()
        for step in range(atlas["steps"] + 1)
    )
    return csv_text(("path", "updates_done", "loss", "kl_logged", "clipped"), rows)


def checks_csv(atlas: dict[str, Any]) -> str:
    """Return which check finds which path, and the number that shows it."""
    rows = (
        (name, check, int(found["caught"]), found["error"])
        for name, entry in atlas["paths"].items()
        for check, found in entry["checks"].items()
    )
    return csv_text(("path", "check", "caught", "error"), rows)
