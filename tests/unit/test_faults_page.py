"""The fault atlas: its numbers, data files, table of checks, an entry for every path, links into the main page."""

import re
from functools import cache
from urllib.parse import parse_qsl

import pytest

from compute.atlas.fault_atlas import fault_atlas
from compute.atlas.path_checks import CHECKS, path_checks
from compute.path_difference import path_difference
from compute.paths import PATHS
from publish.content import load_content
from publish.faults.notes import PARTS
from publish.faults.sparkline import sparkline
from publish.numbers.registry import leaves
from publish.site import gather
from publish.words.language import LANGUAGES
from tests import documents
from tests.content_tools import (
    CONFIG,
    content_with,
    rollout_text,
    rows_of,
    shipped_config,
    shipped_content,
    shipped_material,
    shipped_subject,
    shipped_word,
)
from tests.documents import Document, rendered

WRONG = [name for name in PATHS if name != "correct"]
CURVES = ("loss", "kl", "clipped")
# What the smallest numbers of a part are; of the others: the surrogate u, or the ratio alone.
KINDS = {"kl": "kl", "advantages": "advantage", "weights": "mean", "sign": "loss"}
FINITE_DIFFERENCES = ("differences", "differences-held")

both = pytest.mark.parametrize("language", LANGUAGES)


def page():
    return shipped_subject("faults")


@cache
def atlas():
    config = shipped_config()
    return fault_atlas(config.setup, config.settings)


@cache
def checks():
    """What every check says of every path, asked for again."""
    config = shipped_config()
    return path_checks(config.setup, config.settings, [], [])


def document(language):
    return documents.document("faults", language)


@cache
def sections(language):
    """Return name → (section, the elements inside) of every path, in the order of the page."""
    found = document(language)
    return {
        e.attributes["aria-labelledby"]: (e, found.under(e)) for e in found.all("section", class_="fault")
    }


def numbers_in(elements):
    return [e.attributes["data-number"] for e in elements if e.tag == "data"]


def plain(text):
    return " ".join(text.split())


def test_the_page_has_nothing_to_choose():
    subject = page()
    assert (subject.name, subject.core, subject.keys, subject.settings, subject.setup) == (
        "faults",
        None,
        (),
        {},
        {},
    )
    assert (dict(subject.findings), dict(subject.figures), subject.positions) == ({}, {}, [])
    assert subject.file.format(lang="en") == "faults-en" and "chapter" in subject.scripts
    assert subject.command.startswith("python build.py state"), "a state of the main page, with a path"


def test_results_are_the_atlas_without_its_curves():
    """Each number of it is registered under the page's name, with its value."""
    found, made = page().results, atlas()
    assert list(found) == ["faults"] and found["faults"]["steps"] == made["steps"]
    assert found["faults"]["notes"] == made["notes"] and found["faults"]["lesson"] == made["lesson"]
    assert list(found["faults"]["paths"]) == WRONG
    for name, entry in found["faults"]["paths"].items():
        assert entry == {key: value for key, value in made["paths"][name].items() if key != "curves"}
    expected = {".".join(path): value for path, value in leaves(found)}
    registry = {n.id: n.value for n in shipped_material().registry.values() if n.page == "faults"}
    assert registry == expected and len(expected) > 600
    assert {number_id.split(".")[1] for number_id in expected} == {"paths", "notes", "steps", "lesson"}


def test_curves_file():
    header, *rows = rows_of(page().files["faults-curves.csv"])
    assert header == ["path", "updates_done", "loss", "kl_logged", "clipped"]
    curves = {"correct": atlas()["right"]} | {name: e["curves"] for name, e in atlas()["paths"].items()}
    assert len(rows) == len(PATHS) * (atlas()["steps"] + 1)
    found = {}
    for name, step, *values in rows:
        found.setdefault(name, []).append((int(step), *(float(value) for value in values)))
    assert list(found) == ["correct", *WRONG]
    for name, curve in curves.items():
        assert found[name] == list(
            zip(range(atlas()["steps"] + 1), *(curve[quantity] for quantity in CURVES))
        )


def test_checks_file():
    header, *rows = rows_of(page().files["faults-checks.csv"])
    assert header == ["path", "check", "caught", "error"]
    assert [(name, check) for name, check, _, _ in rows] == [
        (name, check) for name in WRONG for check in CHECKS
    ]
    for name, check, caught, error in rows:
        assert caught in ("0", "1") and bool(int(caught)) == checks()[name][check]["caught"]
        assert float(error) == checks()[name][check]["error"]
    assert list(page().files) == ["faults-curves.csv", "faults-checks.csv"]


def test_words_in_the_curves_stay_words_in_the_file(tmp_path):
    text = re.sub(r"initial = .*", "initial = [[900, -900, 0], [900, -900, 0]]", rollout_text(behaviour=True))
    content, material = gather(load_content(content_with(tmp_path / "content", {CONFIG: text})))
    cells = {
        cell
        for row in rows_of(material.subjects["faults"].files["faults-curves.csv"])[1:]
        for cell in row[2:]
    }
    assert cells & {"inf", "-inf", "nan"} and "" not in cells
    assert document_of(content, material).faults == []


def document_of(content, material, language="en"):
    return Document(rendered("faults", language, content, material))


@both
def test_the_marks_of_the_table_are_the_verdicts(language):
    found = document(language)
    (figure,) = [e for e in found.elements if e.attributes.get("id") == "table-checks-paths"]
    inside = found.under(figure)
    heads = [e for e in inside if e.tag == "th" and e.attributes["scope"] == "col"]
    titles = [shipped_word(f"faults.check_{check}", language) for check in CHECKS]
    assert [head.text for head in heads] == [shipped_word("faults.path", language), *titles]
    assert [head.attributes["title"] for head in heads[1:]] == [
        shipped_word(f"faults.what_{check}", language) for check in CHECKS
    ]
    correct, *rows, last = [found.under(e) for e in inside if e.tag == "tr"][1:]
    assert [e.text for e in correct if e.tag == "th"] == [shipped_word("faults.correct", language)]
    assert [e.text for e in correct if e.tag == "td"] == [""] * len(CHECKS), "no check finds the correct path"
    marks, parts = {}, {}
    for cells in rows:
        (head,) = [e for e in cells if e.tag == "th"]
        (link,) = [e for e in cells if e.tag == "a"]
        target = link.attributes["href"].removeprefix("#")
        assert found.ids().count(target) == 1
        if head.attributes["scope"] == "rowgroup":
            assert link.text == shipped_word(f"faults.part_{target}", language)
            assert head.attributes["colspan"] == str(len(CHECKS) + 1)
            parts[target] = []
        else:
            assert link.text == target
            marks[target] = [e for e in cells if e.tag == "td"]
            parts[list(parts)[-1]].append(target)
    faults = shipped_content().faults
    assert list(parts) == list(PARTS) and sorted(marks) == sorted(WRONG)
    assert parts == {part: [name for name in WRONG if faults[name].part == part] for part in PARTS}
    # The last row counts the marks above.
    assert all(e.inside("tfoot") for e in last) and numbers_in(last) == [
        "faults.lesson.paths",
        *(f"faults.lesson.found.{check}" for check in CHECKS),
    ]
    counts = [sum(bool(cells[k].text) for cells in marks.values()) for k in range(len(CHECKS))]
    assert [e.text for e in last if e.tag == "td"] == [str(count) for count in counts]
    assert [e.text for e in last if e.tag == "th"] == [
        shipped_word("faults.found_of", language, paths=len(WRONG))
    ]
    for name, cells in marks.items():
        caught = {check for check, cell in zip(CHECKS, cells, strict=True) if cell.text}
        assert caught == {check for check, said in checks()[name].items() if said["caught"]} != set()
        assert {cell.text for cell in cells} == {"", f"●{shipped_word('faults.caught', language)}"}


@both
def test_every_check_is_explained_below_the_table(language):
    found = document(language)
    (terms,) = found.all("dl", class_="what-checks")
    told = [(e.tag, e.text) for e in found.under(terms) if e.tag in ("dt", "dd")]
    assert told == [
        pair
        for check in CHECKS
        for pair in (
            ("dt", shipped_word(f"faults.check_{check}", language)),
            ("dd", shipped_word(f"faults.what_{check}", language)),
        )
    ]


@both
def test_every_path_stands_once_in_its_part_with_its_name_as_anchor(language):
    found = document(language)
    assert sorted(sections(language)) == sorted(WRONG) and len(found.all("section", class_="fault")) == len(
        WRONG
    )
    faults = shipped_content().faults
    assert list(sections(language)) == [name for part in PARTS for name in WRONG if faults[name].part == part]
    for name, (section, inside) in sections(language).items():
        assert found.ids().count(name) == 1
        (heading,) = [e for e in inside if e.tag == "h3"]
        assert heading.attributes["id"] == name and faults[name].title[language] in heading.text
        (code,) = [e for e in inside if e.tag == "code"]
        assert code.text == name and faults[name].what[language] in section.text
        assert section.inside("section", **{"class": f"section-{faults[name].part}"})


@both
def test_both_formulas_of_a_path_are_beside_each_other(language):
    formulas = shipped_content().formulas
    for name, (_, inside) in sections(language).items():
        texts = [e.text for e in inside if e.attributes.get("class") == "formula-text"]
        assert texts == [formulas[f"fault.{name}.{side}"].text for side in ("right", "wrong")]
        marked = [e for e in inside if "q-fault" in e.attributes.get("class", "")]
        assert marked and all(e.inside("math") for e in marked)


@both
def test_the_lesson_is_said_exactly_where_no_finite_difference_finds_the_path(language):
    lesson = shipped_word("faults.passes", language)
    said = {name for name, (section, _) in sections(language).items() if lesson in section.text}
    unseen = {n for n in WRONG if not any(checks()[n][check]["caught"] for check in FINITE_DIFFERENCES)}
    assert said == unseen and len(unseen) == 19
    assert document(language).all("html")[0].text.count(lesson) == 19


@both
def test_checks_that_find_a_path_are_named_with_their_numbers(language):
    for name, (section, inside) in sections(language).items():
        caught = [check for check, said in checks()[name].items() if said["caught"]]
        ids = [n for n in numbers_in(inside) if ".checks." in n]
        assert ids == [f"faults.paths.{name}.checks.{check}.error" for check in caught]
        comma, opened, closed = (shipped_word(f"site.{key}", language) for key in ("comma", "open", "close"))
        texts = []
        for check, number in zip(caught, ids, strict=True):
            error = shipped_material().registry[number].text
            if check in ("ratio-moves", "pull", "ascent"):  # 0 says that nothing moves where something should
                error = shipped_word(f"faults.seen_{check}", language, error=error)
            texts.append(f"{shipped_word(f'faults.check_{check}', language)}{opened}{error}{closed}")
        assert shipped_word("faults.found_by", language) + comma.join(texts) in section.text
        assert ("（" in opened) == (language == "zh"), "full-width brackets in Chinese only"


@both
def test_smallest_numbers_are_all_shown(language):
    found = document(language)
    for name, (_, inside) in sections(language).items():
        small = atlas()["paths"][name]["smallest"]
        caption = next(e.text for e in inside if e.tag == "figcaption")
        assert re.match(r"Smallest example, with [a-z]|最小算例。", caption)
        expected = {f"faults.paths.{name}.smallest.{'.'.join(path)}" for path, _ in leaves(small)}
        shown = [number for number in numbers_in(inside) if ".smallest." in number]
        assert set(shown) == expected and len(shown) == len(expected)
        rows = [found.under(e) for e in inside if e.tag == "tr" and e.inside("tbody")]
        kind = KINDS.get(shipped_content().faults[name].part)
        kind = kind or ("u" if "right_gradient" in small else "ratio")
        told = ["value", "gradient"] if "right_gradient" in small else ["value"]
        for row, what in zip(rows, told, strict=True):
            (head,) = [e.text for e in row if e.tag == "th"]
            assert head == shipped_word(f"faults.{what}_{kind}", language)
            suffix = "" if what == "value" else "_gradient"
            pair = [found.under(e) for e in row if e.tag == "td"]
            for cell, side in zip(pair, ("right", "wrong"), strict=True):
                begin = f"faults.paths.{name}.smallest.{side}{suffix}"
                assert numbers_in(cell), f"{begin} is shown"
                assert all(n == begin or n.startswith(f"{begin}.") for n in numbers_in(cell))


@both
def test_what_is_said_of_masked_positions_is_true_of_the_example(language):
    for name, (section, _) in sections(language).items():
        kinds = atlas()["paths"][name]["smallest"].get("kinds", [])
        count = kinds.count("token")
        assert kinds == ["token"] * count + kinds[count:] and "token" not in kinds[count:], (
            "the valid ones come first"
        )
        said = shipped_word("faults.kinds", language, count=count)
        assert (said in section.text) == (count < len(kinds)), name


@both
def test_three_curves_with_their_last_numbers(language):
    for name, (section, inside) in sections(language).items():
        drawings = [e for e in inside if e.tag == "svg"]
        for drawing, quantity in zip(drawings, CURVES, strict=True):
            word = shipped_word(f"faults.{quantity}", language)
            label = shipped_word("faults.sparkline", language, quantity=word)
            assert drawing.attributes["aria-label"] == label
            drawn = sparkline(atlas()["right"][quantity], atlas()["paths"][name]["curves"][quantity], label)
            paths = [e.attributes["d"] for e in Document(drawn).all("path")]
            assert [e.attributes["d"] for e in document(language).under(drawing) if e.tag == "path"] == paths
        last = [n for n in numbers_in(inside) if ".last." in n]
        assert last == [f"faults.paths.{name}.last.{q}.{side}" for q in CURVES for side in ("right", "wrong")]
        assert numbers_in(inside).count("faults.steps") == 3
        assert shipped_word("faults.legend", language) in section.text


@both
def test_since_when_a_path_differs_is_said(language):
    zero, never = (shipped_word(f"faults.{key}", language) for key in ("first_zero", "never"))
    for name, (section, inside) in sections(language).items():
        first = atlas()["paths"][name]["first"]
        assert (zero in section.text) == (first == 0) and never not in section.text
        assert (f"faults.paths.{name}.first" in numbers_in(inside)) == (first > 0)
        if first:
            assert plain(shipped_word("faults.first", language, first=first)) in plain(section.text)


def test_a_path_that_never_differs_is_said_to(tmp_path):
    text = re.sub(r"given = .*", "given = [1, 1]", rollout_text())
    content, material = gather(load_content(content_with(tmp_path / "content", {CONFIG: text})))
    entries = material.subjects["faults"].results["faults"]["paths"]
    never = {name for name, entry in entries.items() if entry["first"] is None}
    assert "double-negation" in never and "kl-subtracted" not in never
    for language in LANGUAGES:
        found = document_of(content, material, language)
        sentence = content.terms.text("faults.never", language)
        said = {
            e.attributes["aria-labelledby"]
            for e in found.all("section", class_="fault")
            if sentence in e.text
        }
        assert said == never


@both
def test_evidence_and_public_reports(language):
    for name, (section, inside) in sections(language).items():
        entry = shipped_content().faults[name]
        assert shipped_word(f"faults.evidence_{entry.evidence}", language) in section.text
        links = [
            (e.text, e.attributes["href"])
            for e in inside
            if e.attributes.get("href", "").startswith("https:")
        ]
        assert links == [(report.name, report.address) for report in entry.reports]
        assert (shipped_word("faults.no_report", language).strip() in section.text) == (links == [])


@both
def test_links_to_the_main_page_choose_the_path_where_it_first_differs(language):
    config = shipped_config()
    for name, (_, inside) in sections(language).items():
        (link,) = [e for e in inside if e.attributes.get("href", "").startswith("update.html")]
        assert link.text == shipped_word("faults.try", language)
        chosen = dict(parse_qsl(link.attributes["href"].partition("#")[2], strict_parsing=True))
        assert chosen.pop("v") == "1" and chosen.pop("show") == "path-beside" and chosen.pop("path") == name
        step = int(chosen.pop("step", 0))
        assert chosen == {} and 0 <= step <= config.setup["steps"]
        settings = {**config.settings, "path": name}
        assert path_difference(config.setup, {**settings, "step": step})["differs"]
        assert step == 0 or not path_difference(config.setup, {**settings, "step": step - 1})["differs"]
