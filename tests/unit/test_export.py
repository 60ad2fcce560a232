"""The data files: JSON with the promised fields, CSV that spreadsheets read, TeX macros that match."""

import hashlib
import json
import re
import shutil
import subprocess
from dataclasses import replace
from functools import cache

import pytest

from publish.numbers import export
from publish.numbers.registry import Number, Registry
from publish.words.language import Text
from tests.content_tools import (
    CONFIG,
    CONTENT,
    KL,
    KL_CONFIG,
    NUMBERED,
    rows_of,
    shipped_config,
    shipped_content,
    shipped_material,
)


@cache
def registry():
    return shipped_material().registry


@cache
def formulas():
    return shipped_content().formulas


def number(value, text, number_id="a.0"):
    return Number(number_id, value, text, Text("甲", "a"), "L", "compute.update:evaluate", "update")


def test_json_has_the_promised_fields():
    document = json.loads(export.numbers_json(registry(), formulas(), "digest"))
    assert list(document) == ["schema", "config", "numbers"]
    assert (document["schema"], document["config"]) == (1, "digest")
    assert list(document["numbers"]) == list(registry())
    for number_id, entry in document["numbers"].items():
        expected = registry()[number_id]
        assert list(entry) == ["value", "text", "label", "formula", "page", "source"]
        assert list(entry["label"]) == ["zh", "en"]
        assert (entry["value"], entry["text"]) == (expected.value, expected.text)
        assert (entry["label"]["zh"], entry["label"]["en"]) == (expected.label["zh"], expected.label["en"])
        assert entry["formula"] == formulas()[expected.formula].text
        page = next((name for name in (KL, "digits", "faults") if number_id.startswith(f"{name}.")), "update")
        assert (entry["page"], entry["source"]) == (page, expected.source)
    assert {entry["page"] for entry in document["numbers"].values()} == set(NUMBERED)


def test_digest_is_the_sha256_of_the_config():
    # The definition: name, NUL, bytes, NUL of every config file in the order of names.
    files = {name: (CONTENT / name).read_bytes() for name in ("config/digits.toml", KL_CONFIG, CONFIG)}
    named = [(name.removeprefix("config/").encode(), raw) for name, raw in files.items()]
    assert [name for name, _ in named] == [b"digits.toml", b"kl_and_clipping.toml", b"rollout.toml"]
    whole = b"".join(name + b"\0" + raw + b"\0" for name, raw in named)
    assert shipped_config().digest == hashlib.sha256(whole).hexdigest()


def test_csv_parses_back():
    header, *rows = rows_of(export.numbers_csv(registry(), formulas()))
    assert header == ["id", "value", "text", "label_zh", "label_en", "formula", "page", "source"]
    assert [row[0] for row in rows] == list(registry())
    for row, expected in zip(rows, registry().values()):
        value = None if row[1] == "" else row[1] if row[1] in ("inf", "-inf", "nan") else json.loads(row[1])
        assert (value, row[2]) == (expected.value, expected.text)
        assert row[3:] == [
            *(expected.label["zh"], expected.label["en"], formulas()[expected.formula].text),
            *(expected.page, expected.source),
        ]


def tables():
    """Return name → text of every CSV file of the site."""
    files = {
        name: text for subject in shipped_material().subjects.values() for name, text in subject.files.items()
    }
    csvs = {name: text for name, text in files.items() if name.endswith(".csv")}
    return {"numbers.csv": export.numbers_csv(registry(), formulas()), **csvs}


@pytest.mark.parametrize("name", tables())
def test_no_cell_is_a_spreadsheet_formula(name):
    header, *rows = rows_of(tables()[name])
    assert rows and len(set(header)) == len(header)
    for row in rows:
        for cell in row:
            is_number = re.fullmatch(r"-?[0-9.]+(e[+-]?[0-9]+)?", cell)
            assert is_number or not cell.startswith(("=", "+", "-", "@", "\t", "\r")), cell


DIGITS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
MACRO = re.compile(r"\\expandafter\\def\\csname rl@(?P<id>[^\\]+)\\endcsname\{\\ensuremath\{(?P<tex>.*)\}\}")


def test_tex_macros_are_unique_and_match():
    lines = export.numbers_tex(registry(), "digest").splitlines()
    macros = [match for line in lines if (match := MACRO.fullmatch(line))]
    assert [match["id"] for match in macros] == list(registry())
    assert len({match["id"] for match in macros}) == len(macros)
    for match in macros:
        assert match["tex"] == export.tex_value(registry()[match["id"]])
        assert re.fullmatch(
            r"(\\approx )?-?[0-9.]+|-?[0-9.]+ \\times 10\^\{-?[0-9]+\}|< 10\^\{-[0-9]+\}"
            r"|\\text\{(--|undefined)\}|-?\\infty",
            match["tex"],
        )
        assert (match["tex"] == r"\text{undefined}") == (registry()[match["id"]].value == "nan")
        text = registry()[match["id"]].text.replace("−", "-").translate(DIGITS)
        plain = text.replace(" × 10", r" \times 10^{").replace("< 10", "< 10^{").replace("≈", r"\approx")
        plain += "}" * ("×" in text or "<" in text)
        assert match["tex"] == plain or text in ("—", "undefined")
    others = "\n".join(line for line in lines if not MACRO.fullmatch(line))
    assert others.isascii() and "digest" in lines[0]
    assert others.count("{") == others.count("}")


@pytest.mark.parametrize(
    ("value", "text", "tex"),
    [
        (1.5, "1.50", "1.50"),
        (-1.5, "−1.50", "-1.50"),
        (10, "10", "10"),
        (3e-12, "< 10⁻¹¹", "< 10^{-11}"),
        (-0.2061, "≈ −0.2", r"\approx -0.2"),
        (-3e-7, "−3.00 × 10⁻⁷", r"-3.00 \times 10^{-7}"),
        (1e12, "1.00 × 10¹²", r"1.00 \times 10^{12}"),
        ("inf", "∞", r"\infty"),
        ("-inf", "−∞", r"-\infty"),
        ("nan", "undefined", r"\text{undefined}"),
        (None, "—", r"\text{--}"),
    ],
)
def test_tex_value(value, text, tex):
    assert export.tex_value(number(value, text)) == tex


def tex_program():
    return next((path for name in ("tectonic", "xelatex", "pdflatex") if (path := shutil.which(name))), None)


@pytest.mark.skipif(tex_program() is None, reason="no TeX on PATH; the macros are checked by pattern above")
def test_tex_compiles(tmp_path):
    (tmp_path / "numbers.tex").write_text(export.numbers_tex(registry(), "digest"), encoding="utf-8")
    document = r"\documentclass{article}\usepackage{amsmath}\input{numbers.tex}\begin{document}"
    uses = "\n".join(
        rf"$\rlnumber{{{number_id}}}$ \rlnumber{{{number_id}}}" for number_id in list(registry())[:200]
    )
    (tmp_path / "a.tex").write_text(f"{document}\n{uses}\n\\end{{document}}\n", encoding="utf-8")
    extra = [] if "tectonic" in tex_program() else ["-interaction=nonstopmode", "-halt-on-error"]
    run = subprocess.run([tex_program(), *extra, "a.tex"], cwd=tmp_path, capture_output=True, timeout=300)
    assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]


@pytest.mark.parametrize(("value", "text"), [("inf", "∞"), ("-inf", "−∞"), ("nan", "undefined"), (None, "—")])
def test_values_that_are_no_numbers_survive(value, text):
    one = Registry({"a.0": number(value, text)})
    assert json.loads(export.numbers_json(one, formulas(), "d"))["numbers"]["a.0"]["value"] == value
    written = {None: "", "-inf": "'-inf"}  # a bare -inf would be a formula
    assert rows_of(export.numbers_csv(one, formulas()))[1][1] == written.get(value, value)


@pytest.mark.parametrize(
    ("cell", "written"),
    [("=1+1", "'=1+1"), ("+x", "'+x"), ("-x", "'-x"), ("@SUM(A1)", "'@SUM(A1)"), ("\t=1", "'\t=1"), ("＝1", "'＝1"),
     ("-1.5", "-1.5"), (-1.5e-7, "-1.5e-07"), (float("-inf"), "'-inf"), ("−1", "−1"), ("a=1", "a=1"), ("", "")],
)  # fmt: skip
def test_a_cell_that_begins_like_a_formula_is_a_text(cell, written):
    assert rows_of(export.csv_text(["a", "b"], [[cell, "x"]]))[1] == [written, "x"]


def test_labels_with_quotes_and_commas_survive():
    label = Text('一，"二"', 'a, "b" <c>')
    one = Registry({"a.0": replace(number(1.5, "1.5"), label=label)})
    assert (
        json.loads(export.numbers_json(one, formulas(), "d"))["numbers"]["a.0"]["label"]["zh"] == label["zh"]
    )
    assert rows_of(export.numbers_csv(one, formulas()))[1][3:5] == [label["zh"], label["en"]]
