"""All results of the main page at its default state, computed once for pages, registry and data files."""

from __future__ import annotations

from typing import Any

from compute.evidence import evidence
from compute.expectation import expectation
from compute.facts import facts
from compute.plateaus import plateaus
from compute.state import curves, state

from .config import Config


def main_page_results(config: Config) -> dict[str, Any]:
    """Return the state's fields, and setup, curves, plateaus, expectation, evidence and facts beside them.

    The curves are those of the config's beta choices, and of the default beta if it is not among them.
    """
    setup, settings = config.setup, config.settings
    current: dict[str, Any] = state(setup, settings)
    betas = config.beta_choices + [settings["beta"]] * (settings["beta"] not in config.beta_choices)
    all_curves = curves(setup, settings, betas)
    default_curve = all_curves[betas.index(settings["beta"])]
    return current | {
        "setup": {"initial": setup["initial"]},
        "curves": all_curves,
        "plateaus": plateaus(current["positions"], settings["clip_epsilon"]),
        "expectation": expectation(config.expectation, setup["initial"]),
        "evidence": evidence(setup, settings),
        "facts": facts(setup, current, default_curve),
    }
