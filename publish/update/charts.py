"""The charts of the main page: the clip plateaus, and loss, KL and clipped count at every step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..page.charts import DASHES, MARKS, Figure, Results, Word, bound_line, drawable, figure, quantity
from ..words.formatting import setting_text

SIGNS = {1: ("positive", "triangle-up"), -1: ("negative", "triangle-down")}


def place_name(position: dict[str, Any], word: Callable[..., str]) -> str:
    """Return the name of a position: "response 1, position 2", "the prompt of response 1"."""
    key = "place.prompt" if position["position"] < 0 else "place.position"
    return word(key, response=position["response"] + 1, position=position["position"] + 1)


def plateaus_figure(results: Results, word: Word) -> Figure:
    """Return both clip curves, the clip interval, and this batch's positions as points."""
    data = results["plateaus"]
    low, high = bound_line(data["low"], "1 − ε"), bound_line(data["high"], "1 + ε")
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
                "text": [place_name(results["positions"][point["index"]], word) for point in points],
                "customdata": [point["index"] for point in points],
                "mode": "markers",
                "marker": {
                    "color": color,
                    "size": 11,
                    "symbol": mark,
                    "line": {"color": "var(--page)", "width": 1},
                },
                "hovertemplate": "%{text}<br>ρ = %{x}<br>u / |A| = %{y}<extra></extra>",
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
                "mode": "lines+markers",
                "line": {
                    "color": color if main else "var(--soft)",
                    "width": 3 if main else 1.5,
                    "dash": "solid" if main else DASHES[index % len(DASHES)],
                    "shape": "hv" if name == "clipped" else "linear",
                },
                # Of lines alike in colour a few points have a mark each, which the legend shows too.
                "marker": {"size": 5, "symbol": "circle"}
                if main
                else {"size": 8, "symbol": MARKS[index % len(MARKS)], "maxdisplayed": 7},
                "zorder": int(main),
                "name": label,
                "hovertemplate": f"{label}<br>%{{x}}: %{{y}}<extra></extra>",
            }
        )
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
    yaxis = {"rangemode": "tozero", "tickformat": "d"} if name == "clipped" else {}
    titles = word("chart.step_x"), word(f"chart.{name}_y")
    return figure(traces, *titles, showlegend=True, legend=legend, yaxis=yaxis)


UPDATE_FIGURES: dict[str, Callable[[Results, Word], Figure]] = {
    "plateaus": plateaus_figure,
    "kl": lambda results, word: curve_figure(results, word, "kl", quantity("kl")),
    "loss": lambda results, word: curve_figure(results, word, "loss", quantity("grad")),
    "clipped": lambda results, word: curve_figure(results, word, "clipped", quantity("clip")),
}
