"""The number registry: every result has an id, a value, a text, a label in both languages, a formula and a source."""

import json
import re
from dataclasses import replace
from functools import cache
from importlib import import_module

import pytest

from publish.commands.state import PAGES as WITH_STATES
from publish.content import PAGES
from publish.numbers.registry import leaves, load_declarations, register, shape_of
from publish.reading.problems import Problems
from publish.reading.toml_text import TomlText
from publish.words.formatting import number_text
from publish.words.language import LANGUAGES
from tests.content_tools import (
    CONTENT,
    KL,
    NUMBERED,
    ROOT,
    as_bytes,
    line_of,
    problems_of,
    run_build,
    shipped_content,
    shipped_material,
    shipped_subject,
)
from tests.mistakes import assert_named, each_of, spoiled

FILES = {page: (CONTENT / "numbers" / f"{page}.toml").read_text(encoding="utf-8") for page in PAGES}
DECLARED = FILES["update"]
HAN = re.compile("[一-鿿（）]")  # full-width brackets are Chinese too: KL(p ‖ q)（nat）
BESIDE_THE_STATE = ("setup", "curves", "plateaus", "expectation", "evidence", "beside", "facts")
RUNS = "digits.run."  # of no single state: every seed's training, in CSV, not in the printed state


@cache
def printed_state(page="update"):
    return json.loads(run_build("state", "--page", page).stdout)


def all_leaves():
    """Yield (path, value) of every number of every page's results."""
    for subject in shipped_material().subjects.values():
        yield from leaves(subject.results)


def at(results, number_id):
    for part in number_id.split("."):
        results = results[int(part)] if isinstance(results, list) else results[part]
    return results


def is_ignored(path):
    plain = ".".join("*" if part.isdigit() else part for part in path)
    return plain in shipped_content().ignored


def test_every_number_of_the_results_is_registered_in_order():
    material = shipped_material()
    expected = [".".join(path) for path, _ in all_leaves() if not is_ignored(path)]
    assert list(material.registry) == expected and len(expected) > 1400
    for number_id, number in material.registry.items():
        assert number.id == number_id
        assert number.value == at(material.subjects[number.page].results, number_id)


def test_numbers_belong_to_one_page():
    results = [subject.results for subject in shipped_material().subjects.values()]
    assert len({name for found in results for name in found}) == sum(map(len, results))
    assert all(list(shipped_subject(page).results) == [page] for page in NUMBERED if page != "update")


# The atlas has one state, which the site holds and nothing prints: see test_faults_page.py for its numbers.
@pytest.mark.parametrize("page", WITH_STATES)
def test_ids_are_paths_into_the_printed_state(page):
    registry = shipped_material().registry
    of_state = [
        number.id
        for number in registry.values()
        if number.page == page
        and number.id.split(".")[0] not in BESIDE_THE_STATE
        and not number.id.startswith(RUNS)
    ]
    assert {number_id: at(printed_state(page), number_id) for number_id in of_state} == {
        number_id: registry[number_id].value for number_id in of_state
    }
    expected = {".".join(path) for path, _ in leaves(printed_state(page)) if not is_ignored(path)}
    assert expected == set(of_state) != set()


def test_what_is_no_number_is_an_index_or_a_place_in_a_drawing():
    found = {}
    for path, value in all_leaves():
        if is_ignored(path):
            found.setdefault(".".join("*" if part.isdigit() else part for part in path), set()).add(
                type(value)
            )
    drawing = {shape for shape in found if shape.startswith(f"{KL}.clip.map.")}
    assert found.keys() <= shipped_content().ignored and len(drawing) == 8
    assert all(found[shape] == {float} for shape in drawing)
    signs = f"{KL}.clip.regions.*.sign"
    # A row's beta is there to find the row by: it is that of the row's registered final values.
    betas = {f"{RUNS}{rows}.by_beta.*.beta" for rows in ("facts", "sensitivity")}
    given = {"setup.second_per_action.*"}  # of the config, for a claim to name
    assert {shape for shape in found if found[shape] != {int}} == drawing | {signs} | betas | given
    run = shipped_subject("digits").results["digits"]["run"]
    registered = [
        shipped_material().registry[f"{RUNS}final.{k}.beta"].value for k in range(len(run["final"]))
    ]
    for rows in ("facts", "sensitivity"):
        assert [row["beta"] for row in run[rows]["by_beta"]] == registered
    assert {region["sign"] for region in shipped_subject(KL).results[KL]["clip"]["regions"]} == {1.0, -1.0}


def test_labels_are_whole_in_both_languages():
    for number in shipped_material().registry.values():
        for language in LANGUAGES:
            label = number.label[language]
            assert label.strip() == label != "", number.id
            assert not set("{}*") & set(label.replace("p*", "")), number.id  # p* is the name of the optimum
        assert HAN.search(number.label["zh"]) and not HAN.search(number.label["en"]), number.id


def test_two_numbers_of_one_shape_have_different_labels():
    seen, same = {}, set()
    for number in shipped_material().registry.values():
        shape = ".".join("*" if part.isdigit() else part for part in number.id.split("."))
        for language in LANGUAGES:
            if seen.setdefault((shape, language, number.label[language]), number.id) != number.id:
                same.add(shape)
    assert same == set()


def test_every_formula_exists():
    assert {d.formula for d in shipped_content().declarations.values()} <= set(shipped_content().formulas)


@pytest.mark.parametrize("source", sorted({d.source for d in shipped_content().declarations.values()}))
def test_every_source_exists(source):
    if source.endswith(".toml"):
        assert (ROOT / source).is_file()
    else:
        module, _, function = source.partition(":")
        assert callable(getattr(import_module(module), function)) and module.startswith("compute.")


def test_every_declaration_is_used():
    """A shape that no result of the shipped pages has is dead, unless a state with history has it."""
    declared, ignored = shipped_content().declarations, shipped_content().ignored
    later = json.loads(run_build("state", "--step", 2).stdout)
    used = {shape_of(path, declared, ignored) for path, _ in [*all_leaves(), *leaves(later)]}
    # Positions with A = 0, or with a ratio beyond floating point, are in other states only.
    assert used == (set(declared) | ignored) - {"plateaus.neutral.*", "plateaus.beyond.*"}


def test_texts_follow_the_declaration():
    # 0.2 is the shipped clip_epsilon; the loss has 6 decimals, advantages 4, counts none.
    registry = shipped_material().registry
    # So are those of the chapter: settings as they are written, KL with 6 decimals, ratios with 4.
    assert registry[f"{KL}.settings.clip_epsilon"].text == "0.2"
    assert registry[f"{KL}.kl"].text == number_text(printed_state(KL)[KL]["kl"], 6)
    assert len(registry[f"{KL}.tokens.ratio"].text.split(".")[1]) == 4
    assert registry["settings.clip_epsilon"].text == "0.2"
    assert registry["loss"].text == number_text(printed_state()["loss"], 6)
    assert (
        len(registry["loss"].text.split(".")[1]) == 6
        and len(registry["advantages.0"].text.split(".")[1]) == 4
    )
    assert registry["counted"].text == "10" and registry["clipped"].text == "0"


def test_full_precision():
    registry = shipped_material().registry
    for number in registry.values():
        if number.value is not None and not isinstance(number.value, str):
            assert json.loads(number.machine) == number.value
    assert registry["positions.0.ratio"].machine == "" and registry["positions.0.ratio"].text == "—"


@pytest.mark.parametrize("page", PAGES)
def test_a_result_that_is_not_declared_is_named(page):
    content, subject = shipped_content(), shipped_subject(page)
    changed = replace(subject, results={**subject.results, "new_thing": {"part": [1.5, 2.5]}})
    (problem,) = problems_of(register, changed, content.declarations, content.ignored, content.terms)
    assert (problem.file, problem.key) == (f"content/numbers/{page}.toml", "new_thing.part.0")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("los", "loss"),
        ("gradint.1.2", "gradient.1.2"),
        ("positions.1.ratios", "positions.1.ratio"),
        (f"{KL}.kll", f"{KL}.kl"),
    ],
)
def test_unknown_id(typed, meant):
    (problem,) = problems_of(shipped_material().registry.find, typed)
    assert typed in problem.file and f'"{meant}"' in problem.hint[0]


# name, text of update.toml, what stands there instead, key, what the message says; the line is that of the new text.
CASES = [
    ("no label", 'en = "loss L"\n', "@ [loss]", "loss.en", "missing"),
    ("unknown key", "[loss]", "[loss]\ndecimal = 6@ decimal = 6", "loss.decimal", 'did you mean "decimals"?'),
    ("too many decimals", "decimals = 6", "decimals = 16", "loss.decimals", "found 16; allowed: a whole"),
    ("unknown style", 'style = "setting"', 'style = "seting"', "rewards.*.style", 'did you mean "setting"?'),
    ("unknown formula", 'formula = "objective"', 'formula = "objektive"', "loss.formula", 'did you mean "objective"?'),
    ("unknown placeholder", 'en = "loss L"', 'en = "loss {L}"', "loss.en", "allowed: the placeholders {place}"),
    ("open placeholder", 'en = "loss L"', 'en = "loss {"', "loss.en", "placeholders"),
    ("star too many", 'en = "loss L"', 'en = "loss {0}"', "loss.en", "placeholders"),
    ("a number for an entry", "[loss]", "x = 5\n[loss]", "not_numbers.x", "unknown key"),
    ("a number for the list", "[not_numbers]", "not_numbers = 5\n[x.y]", "not_numbers", "found 5"),
    ("not TOML", "[loss]", "［loss］", "", "［ → ["),
]  # fmt: skip


@each_of(CASES)
def test_mistake_in_a_declaration(old, new, key, says):
    text, line = spoiled(DECLARED, old, new)
    source = TomlText("numbers/update.toml", as_bytes(text))
    problems = problems_of(load_declarations, source, shipped_content().formulas)
    assert_named(next(problem for problem in problems if problem.key == key), line, key, says)
    assert "\n" not in str(Problems(problems)) or key == "not_numbers"


def test_entries_at_the_top_may_be_anything():
    for text in ("x = 5", 'x = "zh"', "x = [1]", "[[x]]\nzh = 1", "not_numbers = []", "x.y.z = 1"):
        source = TomlText("numbers/update.toml", as_bytes(text))
        assert {problem.line for problem in problems_of(load_declarations, source)} == {1}


def test_the_shipped_files_have_no_mistake():
    declared, ignored, counts = {}, set(), {}
    for page, text in FILES.items():
        source = TomlText(f"numbers/{page}.toml", as_bytes(text))
        found, skipped = load_declarations(source, shipped_content().formulas)
        assert not declared.keys() & found.keys() and not ignored & skipped
        owners = {shape.split(".")[0] for shape in [*found, *skipped]}
        if page not in NUMBERED:  # it is about the numbers of the others
            assert not owners
            continue
        assert owners == {page} if page != "update" else not owners & set(PAGES)
        assert line_of(text, "[not_numbers]") == source.line(("not_numbers",))
        counts[page] = len(skipped)
        declared |= found
        ignored |= skipped
    assert (declared, ignored) == (shipped_content().declarations, shipped_content().ignored)
    assert counts == {"update": 12, KL: 12, "digits": 9, "faults": 0}


def test_every_file_of_numbers_is_a_pages():
    assert {path.name for path in (CONTENT / "numbers").iterdir()} == {f"{page}.toml" for page in PAGES}
