"""The charts of the experiment: curves over the updates with every seed, the trade-off over beta, the step sizes.

A trace's meta names the values of a curve that it shows; the page's script puts another beta's in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..page.charts import DASHES, Figure, Results, Word, at_path, drawable, figure, quantity
from ..words.formatting import machine_text

LEGEND = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
CLEAR_LINE = {"width": 0}
# Training and held-out inputs, in every chart: no quantity's colours.
TRAINING, HELD_OUT = ("var(--text)", "solid"), ("var(--soft)", "dash")


def trace(meta: str, curve: Results, updates: list[int], **more: Any) -> dict[str, Any]:
    """Return one curve of the chosen beta. meta: its path in the curve."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": updates,
        "y": drawable(at_path(curve, meta)),
        "meta": meta,
        "hoverinfo": "skip",
        "showlegend": False,
        **more,
    }


def bands(curve: Results, updates: list[int], *names: str) -> list[dict[str, Any]]:
    """Return the bands from lowest to highest; to be drawn before any line, which they would hide."""
    return [
        trace(f"{name}.{end}", curve, updates, line=CLEAR_LINE, **fill)
        for name in names
        for end, fill in (("lowest", {}), ("highest", {"fill": "tonexty", "fillcolor": "var(--panel)"}))
    ]


def lines(
    name: str, curve: Results, updates: list[int], label: str, color: str, dash: str
) -> list[dict[str, Any]]:
    """Return a quantity: every seed, and the mean."""
    seeds = [
        trace(
            f"{name}.seeds.{s}",
            curve,
            updates,
            line={"color": color, "width": 0.7, "dash": dash},
            opacity=0.45,
        )
        for s in range(len(curve[name]["seeds"]))
    ]
    mean = trace(
        f"{name}.mean",
        curve,
        updates,
        line={"color": color, "width": 3, "dash": dash},
        name=label,
        showlegend=True,
        hoverinfo="all",
        hovertemplate=f"{label}<br>%{{x}}: %{{y}}<extra></extra>",
        customdata=[{"update": update} for update in updates],
    )
    return [*seeds, mean]


def marked(results: Results) -> dict[str, Any]:
    """Return the line at the chosen update."""
    update = results["digits"]["settings"]["update"]
    span = {"type": "line", "xref": "x", "yref": "paper", "x0": update, "x1": update, "y0": 0, "y1": 1}
    return {**span, "line": {"color": "var(--strong-line)", "width": 1.5}}


def chosen_curve(trained: Results, results: Results) -> Results:
    """Return the curves of the chosen beta."""
    beta = results["digits"]["settings"]["beta"]
    found: Results = next(curve for curve in trained["curves"] if curve["beta"] == beta)
    return found


def drawn_at(results: Results, word: Word) -> str:
    """Return the title of the updates' axis, which names the beta whose curves are drawn."""
    return word("digits.update_at", beta=machine_text(results["digits"]["settings"]["beta"]))


def reward_figure(trained: Results, results: Results, word: Word) -> Figure:
    """Return expected reward on training and on held-out inputs."""
    curve, updates = chosen_curve(trained, results), trained["updates"]
    traces = [
        *bands(curve, updates, "reward_held_out", "reward_training"),
        *lines("reward_held_out", curve, updates, word("digits.held_out"), *HELD_OUT),
        *lines("reward_training", curve, updates, word("digits.training"), *TRAINING),
    ]
    titles = drawn_at(results, word), word("digits.expected_reward")
    return figure(
        traces, *titles, showlegend=True, legend=LEGEND, shapes=[marked(results)], yaxis={"range": [0, 1]}
    )


def kl_figure(trained: Results, results: Results, word: Word) -> Figure:
    """Return the KL to the reference on both sets, and the sampled estimate on the training inputs."""
    curve, updates = chosen_curve(trained, results), trained["updates"]
    sampled = trace(
        "sampled_kl.mean",
        curve,
        updates,
        mode="markers",
        marker={"color": quantity("kl"), "size": 6, "symbol": "x"},
        name=word("digits.sampled"),
        showlegend=True,
        hoverinfo="all",
    )
    traces = [
        *bands(curve, updates, "kl_held_out", "kl_training"),
        *lines("kl_held_out", curve, updates, word("digits.held_out"), *HELD_OUT),
        *lines("kl_training", curve, updates, word("digits.training"), *TRAINING),
        sampled,
    ]
    titles = drawn_at(results, word), word("digits.kl_axis")
    return figure(traces, *titles, showlegend=True, legend=LEGEND, shapes=[marked(results)])


def tradeoff_figure(trained: Results, results: Results, word: Word) -> Figure:
    """Return final held-out reward against final training reward, a point for each beta."""
    final = trained["final"]
    points = {
        "type": "scatter",
        "mode": "markers+text",
        "x": drawable([row["reward_training"]["mean"] for row in final]),
        "y": drawable([row["reward_held_out"]["mean"] for row in final]),
        "text": [f"β = {machine_text(row['beta'])}" for row in final],
        "textposition": [("middle right", "middle left")[k % 2] for k in range(len(final))],
        "cliponaxis": False,
        "name": word("digits.ends"),
        "marker": {"size": 11, "color": quantity("kl"), "symbol": "diamond"},
        "customdata": [{"beta": row["beta"]} for row in final],
        "hovertemplate": "%{text}<br>%{x}, %{y}<extra></extra>",
    }
    start = {
        **points,
        "x": [trained["start"]["mean_reward_training"]],
        "y": [trained["start"]["mean_reward_held_out"]],
        "name": word("digits.start"),
        "text": [word("digits.start")],
        "textposition": "top center",
        "marker": {"size": 11, "color": "var(--text)", "symbol": "square"},
    }
    start.pop("customdata")
    titles = word("digits.training_reward"), word("digits.held_out_reward")
    return figure(
        [points, start], *titles, yaxis={"range": [0, 1]}, margin={"l": 8, "r": 40, "t": 24, "b": 8}
    )


def rates_figure(trained: Results, results: Results, word: Word) -> Figure:
    """Return held-out KL over the updates for each step size, sampled beside exact gradient."""
    traces = []
    for k, row in enumerate(trained["rates"]["rows"]):
        for kind, color, mode in (
            ("sampled", "var(--text)", "lines"),
            ("exact", quantity("kl"), "lines+markers"),
        ):
            label = word(f"digits.rate_{kind}", rate=machine_text(row["rate"]))
            # a logarithm has no place for 0, the reference itself
            values = [None if isinstance(v, str) or v <= 0 else v for v in row[kind]["kl_held_out"]["curve"]]
            line = {"color": color, "dash": ("solid", *DASHES)[k % 6], "width": 2}
            traces.append(
                {
                    "type": "scatter",
                    "mode": mode,
                    "x": trained["updates"],
                    "y": values,
                    "name": label,
                    "line": line,
                    "marker": {"size": 5, "symbol": "circle"},
                    "hovertemplate": f"{label}<br>%{{x}}: %{{y}}<extra></extra>",
                }
            )
    titles = word("digits.update"), word("digits.kl_axis")
    return figure(
        traces, *titles, showlegend=True, legend=LEGEND, yaxis={"type": "log", "exponentformat": "power"}
    )


DIGITS_FIGURES: dict[str, Callable[[Results, Results, Word], Figure]] = {
    "digits-reward": reward_figure,
    "digits-kl": kl_figure,
    "digits-tradeoff": tradeoff_figure,
    "digits-rates": rates_figure,
}
