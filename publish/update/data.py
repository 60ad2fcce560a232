"""The main page's own data files: its charts as CSV, its default state with the inputs, the PyTorch script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from compute.state import state

from ..numbers.export import csv_text, dumps
from .config import Config

AUTOGRAD = Path(__file__).resolve().parents[2] / "compute" / "checks" / "autograd.py"


def files(config: Config, results: dict[str, Any]) -> dict[str, str]:
    """Return name → text of every file."""
    return {
        "curves.csv": curves_csv(results),
        "plateaus.csv": plateaus_csv(results),
        "update.json": state_document(config),
        "autograd.py": AUTOGRAD.read_text(encoding="utf-8"),
    }


def curves_csv(results: dict[str, Any]) -> str:
    """Return loss, KL and clipped count at every step, for every beta."""
    rows = (
        (curve["beta"], step, curve["loss"][step], curve["kl"][step], curve["clipped"][step])
        for curve in results["curves"]
        for step in range(len(curve["loss"]))
    )
    return csv_text(("beta", "updates_done", "loss", "kl_nats", "clipped"), rows)


def plateaus_csv(results: dict[str, Any]) -> str:
    """Return the points of the clip chart."""
    positions = results["positions"]
    rows = (
        (
            positions[point["index"]]["response"],
            positions[point["index"]]["position"],
            positions[point["index"]]["advantage"],
            point["ratio"],
            point["height"],
            int(point["is_clipped"]),
        )
        for point in results["plateaus"]["points"]
    )
    return csv_text(
        ("response", "position", "advantage", "ratio", "surrogate_over_abs_advantage", "clipped"), rows
    )


def state_document(config: Config) -> str:
    """Return the inputs and every result of the default state: what the PyTorch script checks."""
    result = state(config.setup, config.settings)
    document = {"setup": config.setup, "settings": config.settings, "state": result}
    return dumps(document) + "\n"
