"""The main page's results and what its blocks may name."""

import dataclasses

from compute.evidence import evidence
from compute.expectation import expectation
from compute.facts import facts
from compute.findings import FINDINGS
from compute.path_difference import path_difference
from compute.paths import PATHS
from compute.plateaus import plateaus
from compute.state import curves, state
from publish.content import load_content
from publish.numbers.registry import register
from publish.site import gather
from publish.update.page import update_page, update_results
from publish.update.settings import update_keys
from tests.content_tools import (
    CONFIG,
    CONTENT,
    config_from,
    content_with,
    rollout_text,
    shipped_config,
    shipped_content,
    shipped_subject,
)

BESIDE = ("curves", "plateaus", "beside", "facts", "setup", "expectation", "evidence")


def test_the_results_are_the_state_and_what_stands_beside_it():
    config = shipped_config()
    results, current = update_results(config), state(config.setup, config.settings)
    assert {name: results[name] for name in current} == current
    assert list(results) == [*current, *BESIDE]
    every = curves(config.setup, config.settings, config.beta_choices)
    default = every[config.beta_choices.index(config.settings["beta"])]
    assert results["curves"] == every and results["setup"] == {
        "initial": config.setup["initial"],
        "second_per_action": config.expectation["second_per_action"],
    }
    epsilon, path = config.settings["clip_epsilon"], config.settings["path"]
    assert results["plateaus"] == plateaus(current["positions"], epsilon, path)
    assert results["beside"] == path_difference(config.setup, config.settings)
    assert results["expectation"] == expectation(config.expectation, config.setup["initial"])
    assert results["evidence"] == evidence(config.setup, config.settings)
    assert results["facts"] == facts(config.setup, current, default)


def test_a_default_beta_that_is_no_choice_has_its_curve_too(tmp_path):
    config = config_from(tmp_path, rollout_text())  # beta 0.25, choices 0 and 1
    results = update_results(config)
    assert [curve["beta"] for curve in results["curves"]] == [0, 1, 0.25]
    assert results["facts"]["loss_end"] == results["curves"][2]["loss"][-1]
    chosen = dataclasses.replace(config, settings={**config.settings, "beta": 1.0})
    assert [curve["beta"] for curve in update_results(chosen)["curves"]] == [0, 1]


def test_a_default_path_that_is_wrong_is_shown_as_it_is():
    config = shipped_config()
    for path in ("clip-to-epsilon", "mask-ignored"):
        chosen = {**config.settings, "path": path, "step": 5}
        results = update_results(dataclasses.replace(config, settings=chosen))
        assert results["beside"] == path_difference(config.setup, chosen) and results["beside"]["differs"]
        assert results["plateaus"] == plateaus(results["positions"], chosen["clip_epsilon"], path)
        assert results["loss"] == results["beside"]["wrong"]["loss"] != results["beside"]["right"]["loss"]


def test_the_page():
    config, page = shipped_config(), shipped_subject()
    assert page.name == "update" and page.keys == update_keys(config) and page.findings is FINDINGS
    assert (page.setup, page.settings) == (config.setup, config.settings)
    assert page.positions == page.results["positions"] and page.live == {"betas": config.beta_choices}
    assert {part for part in ("{lang}", "{step}") if part in page.file} == {"{lang}", "{step}"}
    assert update_page(config, shipped_content().faults).results == page.results


def test_every_path_may_be_chosen_and_is_explained():
    page = shipped_subject()
    (words,) = [key.words for key in page.keys if key.name == "path"]
    assert tuple(words) == tuple(PATHS) and words[0] == "correct"
    assert list(shipped_content().faults) == [name for name in words if name != "correct"]
    assert "update-path" in page.scripts and "path" in page.words


def test_a_config_may_begin_with_a_path_that_never_differs_or_not_yet(tmp_path):
    text = (CONTENT / CONFIG).read_text(encoding="utf-8")
    for path, never in (("kl-subtracted", True), ("clip-to-epsilon", False)):
        chosen = text.replace('path = "correct"', f'path = "{path}"').replace("\nbeta = 0.1 ", "\nbeta = 0 ")
        content, material = gather(load_content(content_with(tmp_path / path, {CONFIG: chosen})))
        page = material.subjects["update"]
        assert page.results["beside"]["path"] == path and bool(page.results["beside"]["never"]) == never
        assert "beside.step" not in register(page, content.declarations, content.ignored, content.terms)
