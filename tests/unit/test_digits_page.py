"""The experiment's page: its results, the parts that its scripts load, the tables of data, and what it weighs."""

import base64
import json
import math
import re

import numpy as np
import pytest

from compute.digits.experiment import experiment
from compute.digits.packing import unpacked_parameters, unpacked_rewards
from compute.digits_findings import FINDINGS
from compute.digits_live import PAGE
from compute.digits_twin import at_input, log_probs, parameter_count, right_answer, tables
from publish.digits import page as digits_page
from publish.digits.page import ENDS, QUANTITIES, summary
from publish.numbers.export import csv_text
from publish.numbers.registry import leaves, shape_of
from publish.page.charts import at_path
from publish.site import TEMPLATES, gather
from publish.words.language import LANGUAGES
from tests.content_tools import (
    CONTENT,
    changed,
    content_with,
    load_content,
    rows_of,
    shipped_content,
    shipped_material,
)
from tests.digits_states import U, V, config, settings_of, subject, trained
from tests.documents import Document, rendered

MOST_BYTES = 1_500_000  # of all files of the experiment in site/data
SCRIPT = re.compile(
    r"\(globalThis\.RLPU_PARTS_OF_DIGITS=globalThis\.RLPU_PARTS_OF_DIGITS\|\|\{\}\)\[(\".+?\")\]=(.+);\n"
)
BLOCKS = {
    path.stem: path.read_text(encoding="utf-8") for path in (TEMPLATES / "blocks").glob("digits-*.html")
}


def found():
    return subject().results[PAGE]


def part(name):
    """Return what a part's script puts under its name."""
    key, value = SCRIPT.fullmatch(subject().files[name]).groups()
    assert json.loads(key) == name
    return json.loads(value)


def checkpoints():
    return subject().live["parts"]["checkpoints"]


def test_the_page():
    page, setup = subject(), trained()["live"]
    assert (page.name, page.core) == (PAGE, "compute.digits_live")
    assert (page.setup, page.settings) == (setup, config().settings)
    assert page.command == f"python build.py state --page {PAGE}"
    assert page.file.format(lang="en") == f"{PAGE}-en" and list(page.results) == [PAGE]
    assert page.findings.keys() == FINDINGS.keys()
    assert [name for name in page.scripts if not (TEMPLATES / f"assets/js/{name}.js").is_file()] == []


def test_the_default_state_is_that_of_the_twin():
    """Parameters out of the part's bytes, through the twin: without the page's core in between."""
    s, hidden = config().settings, trained()["live"]["hidden"]
    count = parameter_count(hidden)
    by_key = {(p["seed"], p["beta"]): p for p in trained()["checkpoints"]["parts"]}
    part = by_key[s["seed"], s["beta"]]
    rows = unpacked_parameters(part["parameters"], count)
    current = tables([float(x) for x in rows[part["updates"].index(s["update"])]], hidden)
    start = tables(
        [float(x) for x in unpacked_parameters(by_key[s["seed"], None]["parameters"], count)[0]], hidden
    )
    right = right_answer("sum", s["a"], s["b"])
    wanted = at_input(log_probs(current, s["a"], s["b"]), log_probs(start, s["a"], s["b"]), right)
    assert {name: found()[name] for name in wanted} == wanted
    assert found()["shipped"] and found()["settings"] == s
    assert (found()["right"]["u"], found()["right"]["v"]) == (s[U], s[V]) == tuple(right)


def test_the_grid_of_the_default_state_is_the_runs():
    s, setup = config().settings, trained()["live"]
    grid = next(grid for grid in trained()["grids"]["betas"] if grid["beta"] == s["beta"])
    shape = (len(setup["seeds"]), len(setup["updates"]), 10, 10)
    rewards = unpacked_rewards(grid["rewards"]).reshape(shape)
    place = setup["seeds"].index(s["seed"]), setup["updates"].index(s["update"])
    assert np.array_equal(found()["grid"], rewards[place])
    assert found()["grid"][s["a"]][s["b"]] == pytest.approx(found()["reward"], abs=1e-4)


def test_every_number_is_declared_and_registered():
    content, registry = shipped_content(), shipped_material().registry
    for path, value in leaves(subject().results):
        shape = shape_of(path, content.declarations, content.ignored)
        assert shape is not None, path
        if shape not in content.ignored:
            number = registry[".".join(path)]
            assert number.value == value and number.page == PAGE
            assert all(number.label[language] for language in LANGUAGES)
    declared = {shape for shape in content.declarations if shape.startswith(f"{PAGE}.")}
    reached = {
        shape_of(tuple(name.split(".")), content.declarations, content.ignored)
        for name in registry
        if name.startswith(f"{PAGE}.")
    }
    assert declared == reached, "an entry that no result answers to"


def test_what_is_registered_of_the_runs_is_theirs():
    run = found()["run"]
    assert run == summary(trained()) | {"supervised_steps": config().setup["supervised"]["steps"]}
    for curve, kept in zip(trained()["curves"], run["curves"], strict=True):
        assert kept == {name: curve[name]["mean"] for name in QUANTITIES}
        for name in QUANTITIES:
            assert len(kept[name]) == len(run["updates"])
    for row, final, curve in zip(run["final"], trained()["final"], trained()["curves"], strict=True):
        assert row == final and row["beta"] == curve["beta"]
        for name in QUANTITIES:
            ends = [seed[-1] for seed in curve[name]["seeds"]]  # curves have six significant digits
            wanted = [sum(ends) / len(ends), min(ends), max(ends)]
            assert [row[name][end] for end in ENDS] == pytest.approx(wanted, rel=1e-5)
            assert curve[name]["mean"][-1] == pytest.approx(row[name]["mean"], rel=1e-5)


def test_every_part_named_is_a_file_and_every_script_is_named():
    parts = subject().live["parts"]
    named = [*parts["grids"].values(), *(entry["file"] for entry in parts["checkpoints"]), parts["curves"]]
    assert len(named) == len(set(named))
    assert set(named) == {name for name in subject().files if name.endswith(".js")}
    assert list(parts["grids"]) == [f"{beta:g}" for beta in config().setup["betas"]]
    shown = config().setup["shown"]
    assert {(entry["seed"], entry["beta"]) for entry in parts["checkpoints"]} == {
        (seed, beta) for seed in shown["checkpoint_seeds"] for beta in (None, *config().setup["betas"])
    }


def test_a_grid_is_named_as_javascript_writes_its_beta():
    """String(0.1) is "0.1"; String(1.0) is "1". See `missing` in digits.js."""
    written = [f"{beta:g}" for beta in config().setup["betas"]]
    assert [float(text) for text in written] == config().setup["betas"]
    assert all(re.fullmatch(r"\d+|\d+\.\d*[1-9]", text) for text in written)


def test_parts_decode_to_the_results():
    for grid in trained()["grids"]["betas"]:
        loaded = part(subject().live["parts"]["grids"][f"{grid['beta']:g}"])
        assert loaded == grid
        packed = base64.b64decode(loaded["rewards"], validate=True)
        assert len(packed) == 2 * 100 * len(config().setup["seeds"]) * len(trained()["updates"])
    count = parameter_count(trained()["live"]["hidden"])
    for entry, shipped in zip(checkpoints(), trained()["checkpoints"]["parts"], strict=True):
        loaded = part(entry["file"])
        assert loaded == shipped
        assert [loaded[key] for key in ("seed", "beta", "updates")] == [
            entry[key] for key in ("seed", "beta", "updates")
        ]
        values = unpacked_parameters(loaded["parameters"], count)
        assert values.shape == (len(entry["updates"]), count) and np.isfinite(values).all()
        if entry["beta"] is not None:
            assert 0 not in entry["updates"] and entry["updates"][-1] == trained()["updates"][-1]
    assert part(subject().live["parts"]["curves"]) == trained()["curves"]


def test_a_part_is_one_line_of_script_that_no_page_could_end():
    for name, text in subject().files.items():
        if name.endswith(".js"):
            assert text.count("\n") == 1 and text.isascii() and "NaN" not in text and "Infinity" not in text


def test_all_files_of_the_experiment_are_light():
    sizes = {name: len(text.encode()) for name, text in subject().files.items()}
    assert all(name.startswith("digits-") for name in sizes)
    assert sum(sizes.values()) <= MOST_BYTES, sizes


def numbers(name):
    header, *rows = rows_of(subject().files[name])
    return header, rows


def test_the_file_of_curves_is_the_results():
    header, rows = numbers("digits-curves.csv")
    assert header == ["beta", "seed", "update", *QUANTITIES]
    found = {(float(beta), int(seed), int(update)): values for beta, seed, update, *values in rows}
    assert len(found) == len(rows) == 5 * 8 * 41
    for curve in trained()["curves"]:
        for s, seed in enumerate(trained()["live"]["seeds"]):
            for k, update in enumerate(trained()["updates"]):
                wanted = [curve[name]["seeds"][s][k] for name in QUANTITIES]
                values = found[curve["beta"], seed, update]
                assert values == [written(value) for value in wanted]


def written(value):
    """Return a value as a data file has it."""
    return rows_of(csv_text(("x",), [(value,)]))[1][0]


def test_the_file_of_final_values_is_the_results():
    header, rows = numbers("digits-final.csv")
    assert header == ["beta", "quantity", *ENDS]
    assert [[float(row[0]), row[1], *map(float, row[2:])] for row in rows] == [
        [final["beta"], name, *(final[name][end] for end in ENDS)]
        for final in trained()["final"]
        for name in QUANTITIES
    ]


def test_the_file_of_step_sizes_is_the_results():
    header, rows = numbers("digits-rates.csv")
    assert header == ["rate", "gradient", "quantity", *ENDS]
    assert len(rows) == 3 * 2 * 4
    for rate, kind, name, *values in rows:
        (row,) = [row for row in trained()["rates"]["rows"] if row["rate"] == float(rate)]
        assert list(map(float, values)) == [row[kind][name][end] for end in ENDS]
        curve_end = at_path(row, f"{kind}.{name}.curve")[-1]
        assert math.isclose(float(values[0]), curve_end, rel_tol=1e-5), "mean, and the end of its curve"


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_named_anywhere_are_findings_and_every_finding_is_said(language):
    prose = shipped_content().prose[PAGE, language]
    named = {reference.name for reference in prose.references() if reference.kind == "sentence"}
    named |= {name for text in BLOCKS.values() for name in re.findall(r'\bs\("([\w-]+)"\)', text)}
    assert named == FINDINGS.keys()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_whole_and_its_cells_are_shaded(language):
    document = Document(rendered(PAGE, language, shipped_content(), shipped_material()))
    assert document.faults == []
    shown = {element.attributes["data-number"] for element in document.numbers()}
    assert shown <= shipped_material().registry.keys()
    assert {f"{PAGE}.grid.{a}.{b}" for a in range(10) for b in range(10)} <= shown
    paths = {f"{PAGE}.trajectories.{k}.{name}" for k in range(100) for name in ("p", "q", "share")}
    assert paths <= shown
    for element in document.elements:
        if element.tag not in ("script", "code", "mo", "data"):
            words = " ".join([element.own, *(value or "" for value in element.attributes.values())])
            assert not re.search(r"[{}]|\b(None|nan|inf|Undefined)\b", words), words


def test_marks_of_the_default_state():
    document = Document(rendered(PAGE, "en", shipped_content(), shipped_material()))
    classes = lambda element: (element.attributes.get("class") or "").split()  # noqa: E731
    buttons = [element for element in document.elements if "data-a" in element.attributes]
    s = settings_of()
    for mark, wanted in (("chosen", [(s["a"], s["b"])]), ("training", training_inputs())):
        places = [
            (int(element.attributes["data-a"]), int(element.attributes["data-b"]))
            for element in buttons
            if mark in classes(element)
        ]
        assert places == wanted, mark
    assert len(buttons) == 100 and len(training_inputs()) == trained()["inputs"]["training_count"] == 60
    cells = [element for element in document.elements if "data-u" in element.attributes]
    right = {
        (element.attributes["data-u"], element.attributes["data-v"])
        for element in cells
        if "right" in classes(element)
    }
    assert len(cells) == 300 and right == {("1", "3")}  # 7 + 6, in all three tables


def training_inputs():
    flags = trained()["inputs"]["training"]
    return [(a, b) for a in range(10) for b in range(10) if flags[a][b]]


CONFIG = "config/digits.toml"
QUICK = [("hidden = 32", "hidden = 6"), ("steps = 150", "steps = 20"), ("updates = 400", "updates = 20"),
         ("seeds = [0, 1, 2, 3, 4, 5, 6, 7]", "seeds = [0, 1]"), ("seeds = [0, 1, 2, 3]", "seeds = [0]"),
         ("checkpoint_updates = [0, 50, 100, 150, 200, 250, 300, 350, 400]", "checkpoint_updates = [0, 20]"),
         ("\nupdate = 400", "\nupdate = 20")]  # fmt: skip
BETAS = "betas = [0.0, 0.1, 0.3, 1.0, 3.0]"
OTHER = {
    "a product": [('operation = "sum"', 'operation = "product"')],
    "one beta, one seed": [(BETAS, "betas = [3.0]"), ("\nbeta = 0.0", "\nbeta = 3.0"),
                           ("seeds = [0, 1]\n", "seeds = [0]\n"),
                           ("checkpoint_seeds = [0, 1]", "checkpoint_seeds = [0]")],
    "betas with many digits": [(BETAS, "betas = [1e-7, 0.1234567, 3.0]"), ("\nbeta = 0.0", "\nbeta = 0.1234567")],
    "a seed first shown that is not shipped": [("checkpoint_seeds = [0, 1]", "checkpoint_seeds = [1]")],
    "an update first shown that is not shipped": [("\nupdate = 20", "\nupdate = 10")],
    "a huge step": [("rate = 1.0", "rate = 100.0"), ("initial_deviation = 0.3", "initial_deviation = 10.0")],
}  # fmt: skip


@pytest.mark.parametrize("name", OTHER)
def test_pages_of_other_configs(tmp_path, monkeypatch, name):
    monkeypatch.setattr(digits_page, "digits_results", experiment)  # the cache keeps the shipped results
    text = (CONTENT / CONFIG).read_text(encoding="utf-8")
    for old, new in QUICK + OTHER[name]:
        text = changed(text, old, new)
    content, material = gather(load_content(content_with(tmp_path / "content", {CONFIG: text})))
    page = material.subjects[PAGE]
    for key in page.keys:
        assert key.check(repr(page.settings[key.name])) == page.settings[key.name], key.name
    assert {float(beta) for beta in page.live["parts"]["grids"]} == set(content.digits_config.setup["betas"])
    for language in LANGUAGES:
        assert Document(rendered(PAGE, language, content, material)).faults == []
