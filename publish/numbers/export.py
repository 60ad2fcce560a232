"""The data files of all pages: every number as JSON, CSV and LaTeX macros."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable
from typing import Any

from ..words.formatting import INFINITE
from ..words.formulas import Formula
from ..words.tex import tex_math
from .registry import Number, Registry

SCHEMA = 1


def numbers_json(registry: Registry, formulas: dict[str, Formula], digest: str) -> str:
    """Return every number with its label, formula and source."""
    entries = (
        json.dumps(number.id)
        + ": "
        + dumps(
            {
                "value": number.value,
                "text": number.text,
                "label": {"zh": number.label["zh"], "en": number.label["en"]},
                "formula": formulas[number.formula].text,
                "page": number.page,
                "source": number.source,
            }
        )
        for number in registry.values()
    )
    # One number a line: easy to read, to search and to compare between editions.
    lines = ",\n".join(entries)
    return f'{{"schema": {SCHEMA}, "config": "{digest}", "numbers": {{\n{lines}\n}}}}\n'


dumps = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


FORMULA = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")  # how a formula of a spreadsheet begins
PLAIN_NUMBER = re.compile(r"-?[0-9.]+(e[+-]?[0-9]+)?")


def harmless(cell: Any) -> Any:
    """Return a cell that no spreadsheet takes for a formula: a text that begins like one gets an apostrophe."""
    text = str(cell)
    return f"'{text}" if text.startswith(FORMULA) and not PLAIN_NUMBER.fullmatch(text) else cell


def csv_text(header: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return a CSV table with a byte-order mark, by which spreadsheet programs recognise UTF-8."""
    target = io.StringIO()
    target.write("\ufeff")
    writer = csv.writer(target, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows(map(harmless, row) for row in rows)
    return target.getvalue()


def numbers_csv(registry: Registry, formulas: dict[str, Formula]) -> str:
    """Return every number as a row."""
    header = ("id", "value", "text", "label_zh", "label_en", "formula", "page", "source")
    return csv_text(
        header,
        (
            (
                n.id,
                n.machine,
                n.text,
                n.label["zh"],
                n.label["en"],
                formulas[n.formula].text,
                n.page,
                n.source,
            )
            for n in registry.values()
        ),
    )


TEX_UNDEFINED = r"\text{undefined}"


def tex_value(number: Number) -> str:
    """Return a number's text as LaTeX math."""
    if number.text == INFINITE["nan"]:
        return TEX_UNDEFINED
    return tex_math(number.text) or r"\text{--}"


def numbers_tex(registry: Registry, digest: str) -> str:
    r"""Return a macro \rlnumber{id} that gives each number's text in math mode."""
    lines = [
        "% Numbers of RL Parameter Update; config " + digest,
        r"% Use: \input{numbers.tex}, then $\rlnumber{loss}$. An unknown id is an error.",
        r"\makeatletter",
        r"\newcommand{\rlnumber}[1]{\ifcsname rl@#1\endcsname\csname rl@#1\endcsname\else",
        r"  \PackageError{numbers}{no number has the id #1}{See numbers.csv for all ids.}\fi}",
    ]
    lines += [
        rf"\expandafter\def\csname rl@{number.id}\endcsname{{\ensuremath{{{tex_value(number)}}}}}"
        for number in registry.values()
    ]
    return "\n".join([*lines, r"\makeatother", ""])
