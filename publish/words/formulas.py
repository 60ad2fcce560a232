"""Formulas: TeX from content/formulas.toml to MathML whose quantities carry their colour class."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass
from functools import cache

import math_core

from ..reading.problems import Problem, Problems, nearest
from ..reading.toml_text import TomlText

# math-core colours by name; the names only mark the spans, which become classes.
MARKS = {
    "ratio": ("Red", "#FF2E17"),
    "adv": ("Blue", "#102694"),
    "weight": ("ForestGreen", "#129F57"),
    "kl": ("Purple", "#8F45A3"),
    "clip": ("Orange", "#FF7C37"),
    "grad": ("Magenta", "#FB3199"),
    "par": ("Brown", "#772206"),
    "fault": ("Sepia", "#5D1601"),  # no quantity: the term in which a wrong formula differs
}
QUANTITY = {color: quantity for quantity, (_, color) in MARKS.items()}
STYLE = re.compile(r' style="([^"]*)"')
# Safari spaces an operator that stands alone as a script as if it stood between two terms: G⁺ would be G ⁺.
SCRIPT = re.compile(r"<mo>(?=[^<]*</mo></m(?:sub|sup|subsup)>)")
UNSPACED = '<mo lspace="0" rspace="0">'
# Safari puts a bar that may not stretch a line too high; over one letter it has the same width if it may.
BAR = ('<mo stretchy="false">¯</mo></mover>', "<mo>¯</mo></mover>")


@dataclass(frozen=True)
class Formula:
    """One formula: its linear text, and its MathML in line and as a display."""

    id: str
    text: str
    inline: str
    display: str


@cache
def converter() -> math_core.LatexToMathML:
    r"""Return the one converter, with a macro \q… for each quantity."""
    macros = {f"q{quantity}": rf"\textcolor{{{name}}}{{#1}}" for quantity, (name, _) in MARKS.items()}
    return math_core.LatexToMathML(macros=macros, fancy_error=False)


def classed(match: re.Match[str]) -> str:
    """Replace a style attribute by a class: a quantity's colour, or the alignment of a column."""
    style = match[1]
    if style.startswith("color:"):
        return f' class="q-{QUANTITY[style.removeprefix("color:").rstrip(";")]}"'
    names = [name for name in ("right", "left", "center") if f"text-align: {name}" in style]
    if "padding-left:1em" in style:
        names.append("gap")
    return f' class="{" ".join(names)}"' if names else ""


@cache
def mathml(tex: str, text: str, display: bool) -> str:
    """Return MathML with an alternative text and without style attributes. Raises LatexError."""
    markup = converter().convert_with_local_state(tex, displaystyle=display)
    markup = SCRIPT.sub(UNSPACED, markup).replace(*BAR)
    name = html.escape(text)  # browsers expose aria-label as the name, other readers the alttext
    return STYLE.sub(classed, markup).replace("<math", f'<math alttext="{name}" aria-label="{name}"', 1)


class Formulas(dict[str, Formula]):
    """name → formula, and the name of the file that has them."""

    file = "content/formulas.toml"


def load_formulas(source: TomlText) -> dict[str, Formula]:
    """Return id → Formula. Raises Problems for TeX that cannot be set, and for a formula without a text."""
    problems = list(source.problems)
    formulas = Formulas()
    formulas.file = source.name
    for name, entry in source.data.items():
        line = source.line((name,))
        if (
            not isinstance(entry, dict)
            or set(entry) != {"tex", "text"}
            or not all(isinstance(item, str) for item in entry.values())
        ):
            problems.append(Problem(source.name, line, name, ("needs tex and text", "需要 tex 与 text")))
            continue
        tex, text = entry["tex"], entry["text"]
        try:
            formulas[name] = Formula(name, text, mathml(tex, text, False), mathml(tex, text, True))
        except math_core.LatexError as error:
            problems.append(Problem(source.name, line, name, (f"TeX: {error}", f"TeX：{error}")))
    if problems:
        raise Problems(problems)
    return formulas


def find_formula(formulas: dict[str, Formula], name: str) -> Formula:
    """Return a formula. Raises Problems if there is none."""
    if name not in formulas:
        what = ("no such formula", "没有这个公式")
        file = getattr(formulas, "file", Formulas.file)
        raise Problems([Problem(file, None, name, what, nearest(name, formulas))])
    return formulas[name]
