"""Plotly figures of results, as the JSON that plotly.js draws; plotly.py checks them in the tests.

A colour is var(--name); the page puts in the value that its theme gives the name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

from ..words.formatting import number_text

Word = Callable[..., str]  # key of content/terms.toml → text in the page's language
Results = dict[str, Any]
Figure = dict[str, Any]

MARGIN = {"l": 8, "r": 16, "t": 16, "b": 8}
DECIMALS = 4  # of a number that stands in a chart
CLEAR = "rgba(0,0,0,0)"
# Dashes and marks tell things apart where colours do not.
DASHES = ("dot", "dash", "dashdot", "longdash", "longdashdot")
MARKS = ("triangle-up-open", "square-open", "diamond-open", "cross-open", "triangle-down-open")


def quantity(name: str) -> str:
    """Return the colour of a quantity."""
    return f"var(--q-{name})"


def label_text(value: Any) -> str:
    """Return a number as it stands in a chart, where there is little room: without zeros at its end."""
    text = number_text(value, DECIMALS)
    return text.rstrip("0").removesuffix(".") if re.fullmatch(r"−?\d+\.\d+", text) else text


def drawable(values: list[Any]) -> list[float | None]:
    """Return values without those that are words (infinite, undefined): they have no place in a chart."""
    return [None if isinstance(value, str) else value for value in values]


def figure(traces: list[Any], x_title: str, y_title: str, **layout: Any) -> Figure:
    """Return a figure with labelled axes."""
    axis = {
        "gridcolor": "var(--line)",
        "linecolor": "var(--strong-line)",
        "zerolinecolor": "var(--line)",
        "automargin": True,
        "fixedrange": True,
    }
    return {
        "data": traces,
        "layout": {
            # A number in a template is written by its axis: a format in the template has a hyphen for a minus.
            "xaxis": {**axis, "title": {"text": x_title}, "hoverformat": ".4~g"},
            "yaxis": {**axis, "title": {"text": y_title}, "hoverformat": ".6~g", **layout.pop("yaxis", {})},
            "font": {"color": "var(--text)", "size": 13},
            "paper_bgcolor": CLEAR,
            "plot_bgcolor": CLEAR,
            "margin": MARGIN,
            "hovermode": "closest",
            "showlegend": False,
            **layout,
        },
    }


def bound_line(position: float, text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the line of a clip bound over the whole height, and its label."""
    span = {"xref": "x", "yref": "paper", "x0": position, "x1": position, "y0": 0, "y1": 1}
    line = {"type": "line", **span, "line": {"color": quantity("clip"), "width": 1, "dash": "dash"}}
    label = {"x": position, "y": 0.5, "yref": "paper", "text": text, "showarrow": False, "xanchor": "left"}
    return line, {**label, "xshift": 3, "font": {"color": quantity("clip")}}


def figure_json(figure: Figure) -> str:
    """Return a figure as JSON that may stand in a script element."""
    return json.dumps(figure, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def at_path(value: Any, path: str) -> Any:
    """Return what a dotted path leads to in results; a * collects over a list."""
    first, _, rest = path.partition(".")
    if not first:
        return value
    if first == "*":
        return [at_path(item, rest) for item in value]
    return at_path(value[int(first)] if isinstance(value, list) else value[first], rest)


def bound(figure: Figure, results: Results, bindings: dict[str, str]) -> Figure:
    """Return a figure with results put in, and the bindings by which the page puts in new ones.

    bindings: path in the figure → path in the results; a place called "text" takes the number as it is written.
    """
    for path, source in bindings.items():
        place, _, last = path.rpartition(".")
        value = at_path(results, source)
        target = at_path(figure, place)
        found: Any = drawable(value) if isinstance(value, list) else drawable([value])[0]
        if place.endswith(".text"):
            found = label_text(value)
        target[int(last) if isinstance(target, list) else last] = found
    return {**figure, "bind": list(bindings.items())}
