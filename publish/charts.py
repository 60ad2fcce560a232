"""Plotly figures of results, as the JSON that plotly.js draws; plotly.py checks them in the tests.

A colour is var(--name); the page puts in the value that its theme gives the name.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from .formatting import setting_text

Word = Callable[[str], str]  # key of content/terms.toml → text in the page's language
Results = dict[str, Any]
Figure = dict[str, Any]

MARGIN = {"l": 8, "r": 16, "t": 16, "b": 8}
CLEAR = "rgba(0,0,0,0)"
# Dashes and marks tell things apart where colours do not.
DASHES = ("dot", "dash", "dashdot", "longdash", "longdashdot")
SIGNS = {1: ("positive", "triangle-up"), -1: ("negative", "triangle-down")}


def quantity(name: str) -> str:
    """Return the colour of a quantity."""
    return f"var(--q-{name})"


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
            "xaxis": {**axis, "title": {"text": x_title}},
            "yaxis": {**axis, "title": {"text": y_title}, **layout.pop("yaxis", {})},
            "font": {"color": "var(--text)", "size": 13},
            "paper_bgcolor": CLEAR,
            "plot_bgcolor": CLEAR,
            "margin": MARGIN,
            "hovermode": "closest",
            "showlegend": False,
            **layout,
        },
    }


def bound(position: float, text: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the line of a clip bound over the whole height, and its label."""
    span = {"xref": "x", "yref": "paper", "x0": position, "x1": position, "y0": 0, "y1": 1}
    line = {"type": "line", **span, "line": {"color": quantity("clip"), "width": 1, "dash": "dash"}}
    label = {"x": position, "y": 0.5, "yref": "paper", "text": text, "showarrow": False, "xanchor": "left"}
    return line, {**label, "xshift": 3, "font": {"color": quantity("clip")}}


def plateaus_figure(results: Results, word: Word) -> Figure:
    """Return both clip curves, the clip interval, and this batch's positions as points."""
    data = results["plateaus"]
    low, high = bound(data["low"], "1 − ε"), bound(data["high"], "1 + ε")
    inside = {
        "type": "rect",
        "xref": "x",
        "yref": "paper",
        "x0": data["low"],
        "x1": data["high"],
        "y0": 0,
        "y1": 1,
    }
    shapes = [
        {**inside, "fillcolor": "var(--panel)", "line": {"width": 0}, "layer": "below"},
        low[0],
        high[0],
    ]
    annotations = [low[1], high[1]]
    traces = []
    for sign, (name, mark) in SIGNS.items():
        color, label = quantity("adv"), word(f"chart.{name}")
        points = [point for point in data["points"] if point["sign"] == sign]
        traces += [
            {
                "type": "scatter",
                "x": data["corners"],
                "y": data[name],
                "mode": "lines",
                "line": {"color": color, "dash": "solid" if sign > 0 else "dash"},
                "hoverinfo": "skip",
                "name": label,
            },
            {
                "type": "scatter",
                "x": [point["ratio"] for point in points],
                "y": [point["height"] for point in points],
                "text": [results["places"][point["index"]] for point in points],
                "customdata": [point["index"] for point in points],
                "mode": "markers",
                "marker": {
                    "color": color,
                    "size": 11,
                    "symbol": mark,
                    "line": {"color": "var(--page)", "width": 1},
                },
                "hovertemplate": "%{text}<br>ρ = %{x:.4f}<br>u / |A| = %{y:.4f}<extra></extra>",
                "name": label,
            },
        ]
        side = "top" if sign > 0 else "bottom"  # of the text: inside, between the two curves
        start = {"x": data["corners"][0], "y": data[name][0], "xanchor": "left", "yanchor": side}
        annotations.append(
            {**start, "text": label, "showarrow": False, "yshift": -8 * sign, "font": {"color": color}}
        )
    titles = word("chart.plateaus_x"), word("chart.plateaus_y")
    return figure(traces, *titles, shapes=shapes, annotations=annotations)


def curve_figure(results: Results, word: Word, name: str, color: str) -> Figure:
    """Return one quantity against updates done, a curve for each beta, the current one stressed."""
    traces = []
    for index, curve in enumerate(results["curves"]):
        main = curve["beta"] == results["settings"]["beta"]
        label = f"β = {setting_text(curve['beta'])}"
        traces.append(
            {
                "type": "scatter",
                "x": list(range(len(curve[name]))),
                "y": drawable(curve[name]),
                "mode": "lines+markers" if main else "lines",
                "opacity": 1 if main else 0.6,
                "line": {
                    "color": color if main else "var(--soft)",
                    "width": 3 if main else 1.5,
                    "dash": "solid" if main else DASHES[index % len(DASHES)],
                    "shape": "hv" if name == "clipped" else "linear",
                },
                "marker": {"size": 5},
                "zorder": int(main),
                "name": label,
                "hovertemplate": f"{label}<br>%{{x}}: %{{y:.6~g}}<extra></extra>",
            }
        )
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
    yaxis = {"rangemode": "tozero", "tickformat": "d"} if name == "clipped" else {}
    titles = word("chart.step_x"), word(f"chart.{name}_y")
    return figure(traces, *titles, showlegend=True, legend=legend, yaxis=yaxis)


FIGURES: dict[str, Callable[[Results, Word], Figure]] = {
    "plateaus": plateaus_figure,
    "kl": lambda results, word: curve_figure(results, word, "kl", quantity("kl")),
    "loss": lambda results, word: curve_figure(results, word, "loss", quantity("grad")),
    "clipped": lambda results, word: curve_figure(results, word, "clipped", quantity("clip")),
}


def figure_json(name: str, results: Results, word: Word) -> str:
    """Return a figure as JSON that may stand in a script element."""
    return json.dumps(FIGURES[name](results, word), ensure_ascii=False, separators=(",", ":")).replace(
        "<", "\\u003c"
    )
