"""Plotly figures of results. A colour is var(--name); the page puts in the value that its theme gives the name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from plotly.graph_objects import Figure

from .formatting import setting_text

Word = Callable[[str], str]  # key of content/terms.toml → text in the page's language
Results = dict[str, Any]

MARGIN = {"l": 8, "r": 16, "t": 16, "b": 8}
CLEAR = "rgba(0,0,0,0)"
# Dashes and marks tell things apart where colours do not.
DASHES = ("dot", "dash", "dashdot", "longdash", "longdashdot")
SIGNS = {1: ("positive", "triangle-up"), -1: ("negative", "triangle-down")}


def quantity(name: str) -> str:
    """Return the colour of a quantity."""
    return f"var(--q-{name})"


def empty_figure(x_title: str, y_title: str) -> Figure:
    """Return a figure with labelled axes and nothing in it."""
    axis = {
        "gridcolor": "var(--line)",
        "linecolor": "var(--strong-line)",
        "zerolinecolor": "var(--line)",
        "automargin": True,
        "fixedrange": True,
    }
    return Figure(
        layout={
            "xaxis": {**axis, "title": {"text": x_title}},
            "yaxis": {**axis, "title": {"text": y_title}},
            "font": {"color": "var(--text)", "size": 13},
            "paper_bgcolor": CLEAR,
            "plot_bgcolor": CLEAR,
            "margin": MARGIN,
            "hovermode": "closest",
            "showlegend": False,
            "template": None,
        }
    )


def plateaus_figure(results: Results, word: Word) -> Figure:
    """Return both clip curves, the clip interval, and this batch's positions as points."""
    data = results["plateaus"]
    figure = empty_figure(word("chart.plateaus_x"), word("chart.plateaus_y"))
    figure.add_vrect(data["low"], data["high"], fillcolor="var(--panel)", line_width=0, layer="below")
    for bound, text in ((data["low"], "1 − ε"), (data["high"], "1 + ε")):
        figure.add_vline(
            bound, line={"color": quantity("clip"), "width": 1, "dash": "dash"}, annotation_text=text
        )
    for sign, (name, mark) in SIGNS.items():
        curve = data[name]
        color = quantity("adv" if sign > 0 else "ratio")
        figure.add_scatter(
            x=data["corners"],
            y=curve,
            mode="lines",
            line={"color": color},
            hoverinfo="skip",
            name=word(f"chart.{name}"),
        )
        figure.add_annotation(
            x=data["corners"][0],
            y=curve[0],
            text=word(f"chart.{name}"),
            showarrow=False,
            xanchor="left",
            yanchor="bottom",
            font={"color": color},
        )
        points = [point for point in data["points"] if point["sign"] == sign]
        figure.add_scatter(
            x=[point["ratio"] for point in points],
            y=[point["height"] for point in points],
            text=[results["places"][point["index"]] for point in points],
            mode="markers",
            marker={"color": color, "size": 11, "symbol": mark, "line": {"color": "var(--page)", "width": 1}},
            hovertemplate="%{text}<br>ρ = %{x:.4f}<br>u / |A| = %{y:.4f}<extra></extra>",
            name=word(f"chart.{name}"),
        )
    return figure


def curve_figure(results: Results, word: Word, name: str, color: str) -> Figure:
    """Return one quantity against updates done, a curve for each beta, the current one stressed."""
    figure = empty_figure(word("chart.step_x"), word(f"chart.{name}_y"))
    current = results["settings"]["beta"]
    for index, curve in enumerate(results["curves"]):
        main = curve["beta"] == current
        values = curve[name]
        label = f"β = {setting_text(curve['beta'])}"
        figure.add_scatter(
            x=list(range(len(values))),
            y=values,
            mode="lines+markers" if main else "lines",
            line={
                "color": color if main else "var(--soft)",
                "width": 3 if main else 1.5,
                "dash": "solid" if main else DASHES[index % len(DASHES)],
                "shape": "hv" if name == "clipped" else "linear",
            },
            marker={"size": 5},
            zorder=int(main),
            name=label,
            hovertemplate=f"{label}<br>%{{x}}: %{{y:.6~g}}<extra></extra>",
        )
    figure.update_layout(showlegend=True, legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0})
    if name == "clipped":
        figure.update_yaxes(rangemode="tozero", tickformat="d")
    return figure


FIGURES: dict[str, Callable[[Results, Word], Figure]] = {
    "plateaus": plateaus_figure,
    "kl": lambda results, word: curve_figure(results, word, "kl", quantity("kl")),
    "loss": lambda results, word: curve_figure(results, word, "loss", quantity("grad")),
    "clipped": lambda results, word: curve_figure(results, word, "clipped", quantity("clip")),
}


def figure_json(name: str, results: Results, word: Word) -> str:
    """Return a figure as JSON that may stand in a script element."""
    return str(FIGURES[name](results, word).to_json()).replace("<", "\\u003c")
