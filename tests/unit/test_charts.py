"""Charts: what a figure draws is what the results say, labelled, and valid for Plotly."""

import json

import pytest
from plotly.graph_objects import Figure

from publish.charts import FIGURES, figure_json
from publish.formatting import setting_text
from publish.language import LANGUAGES
from tests.content_tools import shipped_content, shipped_material

RESULTS = {
    **shipped_material().results,
    "places": [f"place {k}" for k in range(len(shipped_material().results["positions"]))],
}
CURVES = [name for name in FIGURES if name != "plateaus"]


def drawn(name, language="en", results=RESULTS):
    return json.loads(figure_json(name, results, lambda key: shipped_content().terms.text(key, language)))


def word(key, language="en"):
    return shipped_content().terms.text(key, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FIGURES)
def test_plotly_accepts_the_figure(name, language):
    Figure(drawn(name, language))  # raises ValueError for a wrong name or value


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FIGURES)
def test_both_axes_are_labelled(name, language):
    layout = drawn(name, language)["layout"]
    x = "chart.plateaus_x" if name == "plateaus" else "chart.step_x"
    assert layout["xaxis"]["title"]["text"] == word(x, language) != ""
    assert layout["yaxis"]["title"]["text"] == word(f"chart.{name}_y", language) != ""


@pytest.mark.parametrize("name", CURVES)
def test_curves_are_the_results(name):
    traces = drawn(name)["data"]
    assert [trace["y"] for trace in traces] == [curve[name] for curve in RESULTS["curves"]]
    assert {tuple(trace["x"]) for trace in traces} == {tuple(range(21))}  # 20 updates are kept, and step 0
    assert [trace["name"] for trace in traces] == [
        f"β = {setting_text(curve['beta'])}" for curve in RESULTS["curves"]
    ]
    assert drawn(name)["layout"]["showlegend"] is True


@pytest.mark.parametrize("name", CURVES)
def test_the_current_curve_is_stressed_and_not_by_colour_alone(name):
    traces = drawn(name)["data"]
    (main,) = [
        trace for trace in traces if trace["name"] == f"β = {setting_text(RESULTS['settings']['beta'])}"
    ]
    assert main["mode"] == "lines+markers" and main["line"]["dash"] == "solid" and main["zorder"] == 1
    others = [trace for trace in traces if trace is not main]
    assert {trace["line"]["dash"] for trace in others} & {"solid"} == set()
    assert all(main["line"]["width"] > trace["line"]["width"] for trace in others)


def test_counts_are_steps_from_zero():
    figure = drawn("clipped")
    assert figure["layout"]["yaxis"]["rangemode"] == "tozero"
    assert {trace["line"]["shape"] for trace in figure["data"]} == {"hv"}


def test_plateaus_are_the_results():
    data, figure = RESULTS["plateaus"], drawn("plateaus")
    curves = [trace for trace in figure["data"] if trace["mode"] == "lines"]
    assert [(trace["x"], trace["y"]) for trace in curves] == [
        (data["corners"], data["positive"]),
        (data["corners"], data["negative"]),
    ]
    points = [trace for trace in figure["data"] if trace["mode"] == "markers"]
    drawn_points = {
        (place, x, y) for trace in points for place, x, y in zip(trace["text"], trace["x"], trace["y"])
    }
    assert drawn_points == {(f"place {p['index']}", p["ratio"], p["height"]) for p in data["points"]}
    assert (
        sum(len(trace["x"]) for trace in points) == len(data["points"]) == 10
    )  # ten tokens, none with A = 0
    assert points[0]["marker"]["symbol"] != points[1]["marker"]["symbol"], (
        "signs differ by mark, not by colour alone"
    )


def test_plateaus_show_the_interval_and_name_everything():
    data, layout = RESULTS["plateaus"], drawn("plateaus")["layout"]
    assert {shape["x0"] for shape in layout["shapes"]} == {data["low"], data["high"]}
    texts = {note["text"]: note["x"] for note in layout["annotations"]}
    assert texts["1 − ε"] == data["low"] and texts["1 + ε"] == data["high"]
    assert {word("chart.positive"), word("chart.negative")} <= set(texts)


@pytest.mark.parametrize("name", FIGURES)
def test_colours_are_names_of_the_palette(name):
    def colours(value, key=""):
        if isinstance(value, dict):
            return [c for k, v in value.items() for c in colours(v, k)]
        if isinstance(value, list):
            return [c for v in value for c in colours(v, key)]
        return [value] if isinstance(value, str) and key.endswith("color") else []

    assert [c for c in colours(drawn(name)) if not c.startswith("var(--") and c != "rgba(0,0,0,0)"] == []


def test_a_figure_may_stand_in_a_script_element():
    results = {**RESULTS, "places": ["</script><!--"] * len(RESULTS["places"])}
    text = figure_json("plateaus", results, lambda key: "<b>")
    assert "<" not in text and "</script><!--" in json.dumps(json.loads(text))
