"""The experiment "ten actions, two steps": its page, at the state shown first, and the parts that the page loads."""

from __future__ import annotations

import json
from functools import partial
from typing import TYPE_CHECKING, Any

from compute import digits_live
from compute.digits_findings import FINDINGS

from ..numbers.export import csv_text
from ..page.charts import Results
from ..page.subject import Said, Subject
from ..words.formatting import machine_text
from .cache import digits_results
from .charts import DIGITS_FIGURES
from .config import DigitsConfig
from .settings import digits_keys
from .uncertainty import uncertainties

if TYPE_CHECKING:
    from ..rendering.pages import Page

NAME = "digits"
QUANTITIES = ("reward_training", "reward_held_out", "kl_training", "kl_held_out", "sampled_kl")
ENDS = ("mean", "lowest", "highest")


def digits_page(config: DigitsConfig) -> Subject:
    """Return the experiment's page. Trains where nothing is cached. Raises Problems."""
    trained = digits_results(config.setup)
    state = state_of(trained, config.settings)
    run = summary(trained) | {"supervised_steps": config.setup["supervised"]["steps"]}
    results = {NAME: state | {"run": run}}
    return Subject(
        name=NAME,
        core="compute.digits_live",
        command="python build.py state --page digits",
        file="digits-{lang}",
        setup=trained["live"],
        settings=config.settings,
        keys=digits_keys(config.setup),
        results=results,
        findings={name: partial(said, finding) for name, finding in FINDINGS.items()},
        figures={name: partial(figure, trained) for name, figure in DIGITS_FIGURES.items()},
        context=partial(context, trained),
        scripts=("digits",),
        words=("sentence.digits", "digits"),
        files=files(trained),
        live={"parts": part_names(trained)},
        uncertainty=uncertainties(trained),
    )


def state_of(trained: Results, settings: dict[str, Any]) -> Results:
    """Return one state as the page's core gives it, with every part that is shipped, without what is of all states."""
    digits_live.begin(json.dumps(trained["live"]))
    for part in trained["checkpoints"]["parts"] + trained["grids"]["betas"]:
        digits_live.load(json.dumps(part))
    state: Results = json.loads(digits_live.show(json.dumps(settings)))[NAME]
    del state["run"]
    return state


def said(finding: Any, results: Results) -> Said:
    """Return what a finding says of the page's results."""
    found: Said = finding(results[NAME])
    return found


def summary(trained: Results) -> Results:
    """Return what is registered of the runs: means of the curves, and of the rest all but single seeds' curves."""
    return {
        "operation": trained["live"]["operation"],
        "parameters": trained["parameters"],
        "updates": trained["updates"],
        "inputs": {key: trained["inputs"][key] for key in ("training_count", "held_out_count")},
        "start": {key: value for key, value in trained["start"].items() if key.startswith("mean_")},
        "curves": [{name: curve[name]["mean"] for name in QUANTITIES} for curve in trained["curves"]],
        "final": trained["final"],
        "facts": trained["facts"],
        "checks": trained["checks"],
        "sensitivity": trained["sensitivity"],
        "digests": {key: trained["digests"][key] for key in ("all_same", "reference_is_read_only")},
        "rates": {
            "beta": trained["rates"]["beta"],
            "rows": [ends_of(row) for row in trained["rates"]["rows"]],
        },
    }


def ends_of(row: Results) -> Results:
    """Return a row of the step sizes without its curves and single seeds."""
    return {
        key: {name: {end: found[end] for end in ENDS} for name, found in value.items()}
        if isinstance(value, dict)
        else value
        for key, value in row.items()
    }


def context(trained: Results, page: Page) -> dict[str, Any]:
    """Return what the blocks may name."""
    found = page.subject.results[NAME]
    return {
        "digits": found,
        "at": f"{NAME}.",
        "chosen": page.subject.settings,
        "keys": {key.name: key.words for key in page.subject.keys},
        "training": trained["inputs"]["training"],
        "digests": trained["digests"]["seeds"],
        "sign": "+" if trained["live"]["operation"] == "sum" else "×",
    }


def part_names(trained: Results) -> dict[str, Any]:
    """Return which parts there are: file names by what the page has to know to ask for them."""
    return {
        "grids": {machine_text(grid["beta"]): grid_file(grid) for grid in trained["grids"]["betas"]},
        "checkpoints": [
            {
                "seed": part["seed"],
                "beta": part["beta"],
                "updates": part["updates"],
                "file": checkpoint_file(part),
            }
            for part in trained["checkpoints"]["parts"]
        ],
        "curves": "digits-curves.js",
    }


def grid_file(grid: Results) -> str:
    """Return the file name of a beta's grids."""
    return f"digits-grid-{machine_text(grid['beta'])}.js"


def checkpoint_file(part: Results) -> str:
    """Return the file name of a checkpoint part."""
    beta = "reference" if part["beta"] is None else machine_text(part["beta"])
    return f"digits-checkpoint-{part['seed']}-{beta}.js"


def script(name: str, part: Any) -> str:
    """Return a script that puts a part under its name; a page opened from disk may read nothing else."""
    text = json.dumps(part, separators=(",", ":"))
    return f"(globalThis.RLPU_PARTS_OF_DIGITS=globalThis.RLPU_PARTS_OF_DIGITS||{{}})[{json.dumps(name)}]={text};\n"


def files(trained: Results) -> dict[str, str]:
    """Return the parts as scripts, and every curve, final value and step size as CSV."""
    parts: dict[str, Any] = {grid_file(grid): grid for grid in trained["grids"]["betas"]}
    parts |= {checkpoint_file(part): part for part in trained["checkpoints"]["parts"]}
    parts["digits-curves.js"] = trained["curves"]
    return {name: script(name, part) for name, part in parts.items()} | {
        "digits-curves.csv": curves_csv(trained),
        "digits-final.csv": final_csv(trained),
        "digits-rates.csv": rates_csv(trained),
    }


def curves_csv(trained: Results) -> str:
    """Return every curve of every seed."""
    seeds = trained["live"]["seeds"]
    rows = (
        (curve["beta"], seed, update, *(curve[name]["seeds"][s][k] for name in QUANTITIES))
        for curve in trained["curves"]
        for s, seed in enumerate(seeds)
        for k, update in enumerate(trained["updates"])
    )
    return csv_text(("beta", "seed", "update", *QUANTITIES), rows)


def final_csv(trained: Results) -> str:
    """Return mean, lowest and highest final value for each beta."""
    rows = (
        (row["beta"], name, *(row[name][end] for end in ENDS))
        for row in trained["final"]
        for name in QUANTITIES
    )
    return csv_text(("beta", "quantity", *ENDS), rows)


def rates_csv(trained: Results) -> str:
    """Return final values of sampled and exact gradients for each step size."""
    rows = (
        (row["rate"], kind, name, *(row[kind][name][end] for end in ENDS))
        for row in trained["rates"]["rows"]
        for kind in ("sampled", "exact")
        for name in QUANTITIES[:4]
    )
    return csv_text(("rate", "gradient", "quantity", *ENDS), rows)
