"""The main page, "RL parameter update": its results, keys, charts, and what its blocks name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from compute.findings import FINDINGS
from compute.paths import PATHS
from compute.update_chapter import update_chapter, update_state

from ..faults.notes import Fault
from ..page.subject import Subject
from . import data as update_data
from .charts import UPDATE_FIGURES, place_name
from .config import Config
from .settings import update_keys

if TYPE_CHECKING:
    from ..rendering.pages import Page

NAME = "update"
SCRIPTS = ("update-charts", "update-paint", "update", "update-path", "update-cards")
WORDS = ("place", "kind", "chain", "sentence", "check", "pin", "readout", "path")


def update_page(config: Config, faults: dict[str, Fault]) -> Subject:
    """Return the main page at its default state."""
    results = update_results(config)
    return Subject(
        name=NAME,
        core="compute.live",
        command="python build.py state",
        file="rl-parameter-update-{lang}-step-{step}",
        setup=config.setup,
        settings=config.settings,
        keys=update_keys(config),
        results=results,
        findings=FINDINGS,
        figures=UPDATE_FIGURES,
        context=context_of(config, faults),
        scripts=SCRIPTS,
        words=WORDS,
        files=update_data.files(config, results),
        live={"betas": config.beta_choices},
        positions=results["positions"],
    )


def update_results(config: Config) -> dict[str, Any]:
    """Return every number of the page at the config's default settings, see compute/update_chapter.py."""
    results: dict[str, Any] = update_chapter(
        config.setup, config.settings, config.beta_choices, config.expectation
    )
    return results


def state_results(config: Config, settings: dict[str, Any]) -> dict[str, Any]:
    """Return every number that the page computes anew for a state."""
    results: dict[str, Any] = update_state(config.setup, settings, config.beta_choices)
    return results


def context_of(config: Config, faults: dict[str, Fault]) -> Callable[[Page], dict[str, Any]]:
    """Return the function that gives what the main page's blocks may name."""

    def context(page: Page) -> dict[str, Any]:
        results = page.subject.results
        return {
            "place": lambda index: place_name(results["positions"][index], page.word),
            "state": results,
            "acted": [(k, p) for k, p in enumerate(results["positions"]) if p["action"] is not None],
            "features": len(results["W"]),
            "actions": len(results["W"][0]),
            "curves": results["curves"],
            "plateaus": results["plateaus"],
            "expectation": results["expectation"],
            "evidence": results["evidence"],
            "state_steps": config.setup["steps"],
            "longest": results["facts"]["longest"],
            "betas": config.beta_choices,
            "beta_most": max(1.0, *config.beta_choices),
            "reward_sets": list(config.setup["rewards"]),
            "paths": list(PATHS),
            "faults": faults,
        }

    return context
