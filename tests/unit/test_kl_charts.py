"""The chapter's charts: what they draw is what the results say, and stays so when the page puts in others."""

import copy
import json
from functools import cache

import pytest
from plotly.graph_objects import Figure

from compute.kl_chapter import chapter
from publish.kl.charts import KL_FIGURES
from publish.page.charts import at_path, figure_json, label_text
from tests.content_tools import KL, shipped_kl_config, shipped_word

# Settings at which something of a chart is infinite, undefined, at an edge, or of another length.
STATES = {
    "shipped": {},
    "no shared support": {"q": 0.0},
    "current never takes it": {"p": 0.0},
    "neither takes it": {"p": 0.0, "q": 0.0},
    "no price": {"beta": 0.0},
    "large rewards": {"rewards": [1e6, -1e6]},
    "one sample": {"n": 1},
    "large group": {"n": 64, "p": 0.6},
    "far point": {"ratio": 100.0, "advantage": 1e6},
    "wide interval": {"clip_epsilon": 0.99},
    "one token": {"length": 1},
    "many tokens": {"length": 64, "token_ratio": 100.0},
    "many actions": {"vocabulary": 200000},
}


@cache
def results(state):
    config = shipped_kl_config()
    return chapter(config.setup, config.settings | STATES[state])


def drawn(name, state="shipped"):
    return json.loads(figure_json(KL_FIGURES[name](results(state), shipped_word)))


def here(state="shipped"):
    return results(state)[KL]


def rebound(figure, found):
    """Put other results into a figure, as the page does with its bindings."""
    figure = copy.deepcopy(figure)
    for path, source in figure["bind"]:
        value = at_path(found, source)
        *parents, last = path.split(".")
        place = at_path(figure, ".".join(parents))
        values = [None if isinstance(v, str) else v for v in (value if isinstance(value, list) else [value])]
        if parents[-1] == "text":
            values = [label_text(value)]
        place[int(last) if isinstance(place, list) else last] = (
            values if isinstance(value, list) else values[0]
        )
    return figure


every = pytest.mark.parametrize("name", KL_FIGURES)


@every
@pytest.mark.parametrize("state", STATES)
def test_plotly_accepts_the_figure_at_every_state(name, state):
    made = drawn(name, state)
    Figure({"data": made["data"], "layout": made["layout"]})  # raises ValueError for a wrong name or value
    json.dumps(made, allow_nan=False)


@every
def test_both_paths_of_a_binding_are_there(name):
    made = drawn(name)
    assert made["bind"] and len({path for path, _ in made["bind"]}) == len(made["bind"])
    for path, source in made["bind"]:
        value = at_path(results("shipped"), source)  # raises where there is no such place
        wanted = label_text(value) if ".text." in path else value
        assert source.startswith(f"{KL}.") and at_path(made, path) == wanted
        numbers = value if isinstance(value, list) else [value]
        assert numbers and all(isinstance(number, (int, float)) for number in numbers)


@every
def test_nothing_is_left_without_results(name):
    """Every x, y and range of a figure is a number: what is empty before results come has a binding."""
    made = drawn(name)
    for trace in made["data"]:
        assert len(trace["x"]) == len(trace["y"]) > 0
        assert None not in [*trace["x"], *trace["y"], *trace.get("meta", [])]
    for shape in made["layout"].get("shapes", []):
        assert None not in (shape["x0"], shape["x1"], shape["y0"], shape["y1"])
    for note in made["layout"].get("annotations", []):
        assert note["x"] is not None and note["y"] is not None
    for axis in ("xaxis", "yaxis"):
        assert None not in made["layout"][axis].get("range", [0])


@every
@pytest.mark.parametrize("state", STATES)
def test_other_results_put_in_are_the_figure_of_those_results(name, state):
    assert rebound(drawn(name), results(state)) == drawn(name, state)
    assert rebound(drawn(name, state), results("shipped")) == drawn(name)


@pytest.mark.parametrize("name", [name for name in KL_FIGURES if name != "kl-cost"])
def test_other_results_change_the_figure(name):
    others = [drawn(name, state) for state in STATES]
    assert any(other != drawn(name) for other in others)


def test_infinite_values_have_no_place():
    made = drawn("kl-objective", "no shared support")
    # The reference never takes path 1: the objective is finite at p = 0 only.
    assert made["data"][1]["y"] == [0.0] + [None] * 50
    assert made["data"][2]["y"] == [None] and here("no shared support")["objective"] == "-inf"
    group = drawn("kl-group", "no shared support")
    assert group["layout"]["shapes"][1]["x0"] is None and here("no shared support")["kl"] == "inf"
    assert "inf" not in json.dumps([made, group]).replace("infinite", "")


def test_the_objective_is_the_results():
    curve, made = here()["curve"], drawn("kl-objective")["data"]
    assert (made[0]["x"], made[0]["y"]) == (curve["p"], curve["reward"])
    assert (made[1]["x"], made[1]["y"]) == (curve["p"], curve["objective"])
    points = {trace["name"]: (trace["x"], trace["y"]) for trace in made[2:]}
    assert points == {
        "p": ([here()["settings"]["p"]], [here()["objective"]]),
        "q": ([here()["settings"]["q"]], [here()["reference_objective"]]),
        "p*": ([here()["paths"][0]["optimum"]], [here()["optimum"]["objective"]]),
    }
    assert max(curve["objective"]) <= here()["optimum"]["objective"]


def test_the_group_is_the_results():
    outcomes, made = here()["group"]["outcomes"], drawn("kl-group")
    (stems,) = made["data"]
    assert stems["x"] == [item["mean"] for item in outcomes]
    assert stems["y"] == [item["probability"] for item in outcomes]
    zero, mean = made["layout"]["shapes"]
    assert (zero["x0"], zero["x1"]) == (0, 0) and mean["x0"] == mean["x1"] == here()["kl"]
    texts = {note["text"]: note["x"] for note in made["layout"]["annotations"]}
    assert texts == {"0": 0, "KL": here()["kl"]}


@pytest.mark.parametrize("state", STATES)
def test_a_stem_reaches_over_no_other_value_and_has_the_colour_of_its_sign(state):
    (stems,) = drawn("kl-group", state)["data"]
    assert 0 < stems["width"] < 1e-6
    outcomes = here(state)["group"]["outcomes"]
    for marker in (stems["marker"], stems["marker"]["line"]):
        for sign, outcome in zip(marker["color"], outcomes, strict=True):
            assert (sign < 0) == (float(outcome["mean"]) < 0)
        assert (marker["cmin"], marker["cmax"]) == (-1, 1)
        below, above = "var(--q-kl)", "var(--strong-line)"
        assert marker["colorscale"] == [[0, below], [0.25, below], [0.25, above], [1, above]]


@pytest.mark.parametrize(("name", "value"), [("kl-clip", "surrogate"), ("kl-twin", "twin")])
def test_the_clip_maps_are_the_results(name, value):
    clip, (cases, point) = here()["clip"], drawn(name)["data"]
    assert list(zip(cases["x"], cases["y"], strict=True)) == [
        (c["ratio"], c["advantage"]) for c in clip["cases"]
    ]
    assert cases["customdata"] == [{"ratio": c["ratio"], "advantage": c["advantage"]} for c in clip["cases"]]
    chosen = clip["point"]
    assert (point["x"], point["y"], point["text"]) == (
        [chosen["ratio"]],
        [chosen["advantage"]],
        [label_text(chosen[value])],
    )


@pytest.mark.parametrize("state", ["shipped", "far point", "wide interval"])
@pytest.mark.parametrize(("name", "flows"), [("kl-clip", "flows"), ("kl-twin", "twin_flows")])
def test_shaded_are_the_regions_in_which_the_gradient_is_cut(name, flows, state):
    clip, layout = here(state)["clip"], drawn(name, state)["layout"]
    boxes = [shape for shape in layout["shapes"] if shape["type"] == "rect"]
    ratios = {"below": clip["low"] / 2, "inside": 1.0, "above": (clip["high"] + clip["map"]["right"]) / 2}
    for region in clip["regions"]:
        x, y = ratios[region["where"]], region["sign"] * clip["map"]["top"] / 2
        inside = [b for b in boxes if b["x0"] < x < b["x1"] and b["y0"] < y < b["y1"]]
        assert len(inside) == (0 if region[flows] else 1), region
    assert len(boxes) == len([region for region in clip["regions"] if not region[flows]])
    # Every shaded region bears its word, and the word stands inside.
    notes = layout["annotations"]
    assert len(notes) == len(boxes) and {note["text"] for note in notes} == {
        shipped_word("chart.kl-clip_cut")
    }
    for box, note in zip(boxes, notes, strict=True):
        assert box["x0"] < note["x"] < box["x1"] and box["y0"] < note["y"] < box["y1"]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("name", ["kl-clip", "kl-twin"])
def test_every_point_is_on_the_map(name, state):
    made = drawn(name, state)
    (left, right), (bottom, top) = (made["layout"][axis]["range"] for axis in ("xaxis", "yaxis"))
    for trace in made["data"]:
        assert all(left <= x < right for x in trace["x"]) and all(bottom < y < top for y in trace["y"])
    lines = [shape["x0"] for shape in made["layout"]["shapes"] if shape["type"] == "line"]
    assert lines == [here(state)["clip"]["low"], here(state)["clip"]["high"]] and max(lines) < right


def test_tokens_are_the_results():
    by_length, made = here()["tokens"]["by_length"], drawn("kl-tokens")
    (curve,) = made["data"]
    assert curve["x"] == [item["length"] for item in by_length]
    assert curve["y"] == [item["ratio"] for item in by_length]
    low, high = made["layout"]["shapes"]
    assert (low["y0"], low["y1"], high["y0"], high["y1"]) == (0.8, 0.8, 1.2, 1.2)  # clip_epsilon = 0.2
    assert {note["text"]: note["y"] for note in made["layout"]["annotations"]} == {"1 − ε": 0.8, "1 + ε": 1.2}


def test_costs_are_the_results():
    made = drawn("kl-cost")
    assert made["layout"]["yaxis"]["type"] == "log"
    for trace, name in zip(made["data"], ("trajectories", "enumerated", "sampled"), strict=True):
        assert trace["x"] == [item["length"] for item in here()["cost"]]
        assert trace["y"] == [item[name] for item in here()["cost"]]
        assert trace["name"] == shipped_word(f"chart.kl-cost_{name}")
    assert drawn("kl-cost", "many actions")["data"][0]["y"][-1] == pytest.approx(200000.0**8)
