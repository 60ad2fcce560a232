"""The charts of the chapter on KL and clipping. Every figure says which results stand where, see page/charts.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..page.charts import Figure, Results, Word, bound, figure, quantity

AT = "kl-and-clipping."
LOG = {"type": "log", "dtick": 1, "exponentformat": "power"}


def line(name: str, color: str, **more: Any) -> dict[str, Any]:
    """Return a curve; its values come with the bindings."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [],
        "y": [],
        "name": name,
        "line": {"color": color},
        **more,
    }


def mark(text: str, color: str, symbol: str, position: str = "top center") -> dict[str, Any]:
    """Return one labelled point; its place comes with the bindings."""
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [None],
        "y": [None],
        "text": [text],
        "textposition": position,
        "textfont": {"color": color},
        "cliponaxis": False,
        "marker": {
            "color": color,
            "size": 11,
            "symbol": symbol,
            "line": {"color": "var(--page)", "width": 1},
        },
        "name": text,
        "hovertemplate": f"{text}<br>%{{x}}: %{{y}}<extra></extra>",
    }


def objective_figure(results: Results, word: Word) -> Figure:
    """Return expected reward and objective along p, with the current policy, the reference and the optimum."""
    reward, objective = word("chart.kl-objective_reward"), word("chart.kl-objective_objective")
    traces = [
        line(reward, "var(--soft)", hovertemplate=f"{reward}<br>%{{x}}: %{{y}}<extra></extra>"),
        line(objective, quantity("kl"), hovertemplate=f"{objective}<br>%{{x}}: %{{y}}<extra></extra>"),
        mark("p", quantity("par"), "circle", "bottom center"),
        mark("q", "var(--text)", "square", "bottom center"),
        mark("p*", quantity("grad"), "star", "bottom center"),
    ]
    traces[0]["line"] |= {"dash": "dash", "width": 1.5}
    bindings = {
        "data.0.x": AT + "curve.p",
        "data.0.y": AT + "curve.reward",
        "data.1.x": AT + "curve.p",
        "data.1.y": AT + "curve.objective",
        "data.2.x.0": AT + "settings.p",
        "data.2.y.0": AT + "objective",
        "data.3.x.0": AT + "settings.q",
        "data.3.y.0": AT + "reference_objective",
        "data.4.x.0": AT + "paths.0.optimum",
        "data.4.y.0": AT + "optimum.objective",
    }
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
    titles = word("chart.kl-objective_x"), word("chart.kl-objective_y")
    made = figure(traces, *titles, showlegend=True, legend=legend)
    for trace in made["data"][2:]:
        trace["showlegend"] = False
    return bound(made, results, bindings)


def group_figure(results: Results, word: Word) -> Figure:
    """Return the distribution of the mean log-ratio, with 0 and the KL as lines.

    A stem for each value, of the same width whatever the scale; those of negative values have the colour of the KL.
    """
    colors = [
        [0, quantity("kl")],
        [0.25, quantity("kl")],
        [0.25, "var(--strong-line)"],
        [1, "var(--strong-line)"],
    ]
    by_sign = {
        "color": [],
        "colorscale": colors,
        "cmin": -1,
        "cmax": 1,
    }
    stems = {
        "type": "bar",
        "x": [],
        "y": [],
        "width": 1e-9,  # so that only the outline is seen
        "marker": {**by_sign, "showscale": False, "line": {**by_sign, "width": 3}},
        "hovertemplate": "%{x}: %{y}<extra></extra>",
        "name": word("chart.kl-group_y"),
    }
    zero, mean = vertical("var(--text)", "solid"), vertical(quantity("kl"), "dash")
    mean["line"]["width"] = 3
    label = {"y": 1, "yref": "paper", "showarrow": False, "yanchor": "bottom"}
    annotations = [
        {**label, "x": 0, "text": "0", "xanchor": "right"},
        {**label, "x": None, "text": "KL", "xanchor": "left", "font": {"color": quantity("kl")}},
    ]
    made = figure(
        [stems],
        word("chart.kl-group_x"),
        word("chart.kl-group_y"),
        shapes=[zero, mean],
        annotations=annotations,
        yaxis={"rangemode": "tozero"},
        margin={"l": 8, "r": 16, "t": 28, "b": 8},
    )
    bindings = {
        "data.0.x": AT + "group.outcomes.*.mean",
        "data.0.y": AT + "group.outcomes.*.probability",
        "data.0.marker.color": AT + "group.outcomes.*.sign",
        "data.0.marker.line.color": AT + "group.outcomes.*.sign",
        "layout.shapes.1.x0": AT + "kl",
        "layout.shapes.1.x1": AT + "kl",
        "layout.annotations.1.x": AT + "kl",
        "layout.shapes.1.visible": AT + "is_finite",  # an infinite KL has no place in the chart
        "layout.annotations.1.visible": AT + "is_finite",
    }
    return bound(made, results, bindings)


def vertical(color: str, dash: str) -> dict[str, Any]:
    """Return a line over the whole height; at 0 unless a binding moves it."""
    span = {"type": "line", "xref": "x", "yref": "paper", "x0": 0, "x1": 0, "y0": 0, "y1": 1}
    return {**span, "line": {"color": color, "width": 1.5, "dash": dash}}


def map_figure(
    results: Results, word: Word, cuts: tuple[tuple[str, str, str, str], ...], value: str
) -> Figure:
    """Return the plane of ratio and advantage, shaded where the gradient is cut, with the cases and the chosen point.

    cuts: left, right, bottom, top of each shaded region, as names of clip.map. value: the rule's value at a point.
    """
    here = AT + "clip."
    cases = mark("", quantity("adv"), "circle-open")
    cases |= {"mode": "markers", "hovertemplate": "w = %{x}, A = %{y}<extra></extra>"}
    point = mark("", quantity("ratio"), "diamond", "middle right")
    point |= {
        "text": [""],
        "hovertemplate": "w = %{x}, A = %{y}: %{text}<extra></extra>",
    }
    bindings = {
        "data.0.x": here + "cases.*.ratio",
        "data.0.y": here + "cases.*.advantage",
        "data.1.x.0": here + "point.ratio",
        "data.1.y.0": here + "point.advantage",
        "data.1.text.0": here + f"point.{value}",
        "layout.xaxis.range.1": here + "map.right",
        "layout.yaxis.range.0": here + "map.bottom",
        "layout.yaxis.range.1": here + "map.top",
    }
    shapes: list[dict[str, Any]] = []
    for region in cuts:
        shapes.append({"type": "rect", "layer": "below", "line": {"width": 0}, "fillcolor": "var(--marked)"})
        for side, name in zip(("x0", "x1", "y0", "y1"), region, strict=True):
            bindings[f"layout.shapes.{len(shapes) - 1}.{side}"] = here + name
    for side in ("low", "high"):
        bindings[f"layout.shapes.{len(shapes)}.x0"] = bindings[f"layout.shapes.{len(shapes)}.x1"] = (
            here + side
        )
        shapes.append(vertical(quantity("clip"), "dash"))
    annotations = [
        {"text": word("chart.kl-clip_cut"), "showarrow": False, "font": {"size": 12}} for _ in cuts
    ]
    for index, region in enumerate(cuts):
        middle = "left" if region[1] == "low" else "right"
        bindings[f"layout.annotations.{index}.x"] = here + f"map.middle_{middle}"
        bindings[f"layout.annotations.{index}.y"] = here + (
            "map.upper" if region[3] == "map.top" else "map.lower"
        )
    made = figure(
        [cases, point],
        word("chart.kl-clip_x"),
        word("chart.kl-clip_y"),
        shapes=shapes,
        annotations=annotations,
        yaxis={"range": [None, None], "tickformat": "~g"},
    )
    made["layout"]["xaxis"] |= {"range": [0, None]}
    made["data"][0]["customdata"] = [
        {"ratio": case["ratio"], "advantage": case["advantage"]}
        for case in results["kl-and-clipping"]["clip"]["cases"]
    ]
    return bound(made, results, bindings)


ABOVE = ("high", "map.right", "map.zero", "map.top")  # A > 0 and w above the interval
BELOW = ("map.zero", "low", "map.bottom", "map.zero")  # A < 0 and w below it
LOST_BELOW = ("map.zero", "low", "map.zero", "map.top")
LOST_ABOVE = ("high", "map.right", "map.bottom", "map.zero")


def tokens_figure(results: Results, word: Word) -> Figure:
    """Return the trajectory ratio against the number of tokens, with the clip interval."""
    text = "%{x}: %{y}<extra></extra>"
    curve = line(word("chart.kl-tokens_y"), quantity("ratio"), hovertemplate=text)
    curve |= {"mode": "lines+markers"}
    sides = [{**vertical(quantity("clip"), "dash"), "xref": "paper", "yref": "y", "x1": 1} for _ in range(2)]
    label = {
        "x": 1,
        "xref": "paper",
        "xanchor": "right",
        "showarrow": False,
        "font": {"color": quantity("clip")},
    }
    annotations = [
        {**label, "text": "1 − ε", "yanchor": "top"},
        {**label, "text": "1 + ε", "yanchor": "bottom"},
    ]
    made = figure(
        [curve], word("chart.kl-tokens_x"), word("chart.kl-tokens_y"), shapes=sides, annotations=annotations
    )
    bindings = {"data.0.x": AT + "tokens.by_length.*.length", "data.0.y": AT + "tokens.by_length.*.ratio"}
    for index, side in enumerate(("low", "high")):
        for place in (f"shapes.{index}.y0", f"shapes.{index}.y1", f"annotations.{index}.y"):
            bindings[f"layout.{place}"] = AT + "clip." + side
    return bound(made, results, bindings)


def cost_figure(results: Results, word: Word) -> Figure:
    """Return trajectories, and the forward passes of both ways, against the length; both axes of counts are powers."""
    names = [word(f"chart.kl-cost_{name}") for name in ("trajectories", "enumerated", "sampled")]
    colors = ["var(--text)", quantity("clip"), quantity("grad")]
    traces = [
        line(name, color, hovertemplate=f"{name}<br>%{{x}}: %{{y}}<extra></extra>")
        for name, color in zip(names, colors, strict=True)
    ]
    for trace, dash in zip(traces, ("solid", "dash", "dot"), strict=True):
        trace["line"]["dash"] = dash
        trace["mode"] = "lines+markers"
    bindings = {}
    for index, name in enumerate(("trajectories", "enumerated", "sampled")):
        bindings[f"data.{index}.x"] = AT + "cost.*.length"
        bindings[f"data.{index}.y"] = AT + f"cost.*.{name}"
    legend = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
    titles = word("chart.kl-cost_x"), word("chart.kl-cost_y")
    made = figure(
        traces, *titles, showlegend=True, legend=legend, yaxis={"type": "log", "exponentformat": "power"}
    )
    return bound(made, results, bindings)


KL_FIGURES: dict[str, Callable[[Results, Word], Figure]] = {
    "kl-objective": objective_figure,
    "kl-group": group_figure,
    "kl-clip": lambda results, word: map_figure(results, word, (ABOVE, BELOW), "surrogate"),
    "kl-twin": lambda results, word: map_figure(
        results, word, (ABOVE, BELOW, LOST_BELOW, LOST_ABOVE), "twin"
    ),
    "kl-tokens": tokens_figure,
    "kl-cost": cost_figure,
}
