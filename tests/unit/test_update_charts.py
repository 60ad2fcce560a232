"""The main page's charts: what they draw is what the results say."""

import json
from functools import cache

import pytest

from publish.page.charts import figure_json
from publish.update.charts import UPDATE_FIGURES, place_name
from publish.words.formatting import setting_text
from publish.words.language import LANGUAGES
from tests.content_tools import shipped_subject, shipped_word

RESULTS = shipped_subject().results
CURVES = [name for name in UPDATE_FIGURES if name != "plateaus"]


@cache
def drawn(name):
    return json.loads(figure_json(UPDATE_FIGURES[name](RESULTS, shipped_word)))


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


@pytest.mark.parametrize("name", CURVES)
def test_the_other_curves_are_told_apart_by_marks(name):
    traces = drawn(name)["data"]
    marks = [(trace["marker"]["symbol"], trace["line"]["dash"]) for trace in traces]
    assert all("markers" in trace["mode"] for trace in traces)
    for part in zip(*marks, strict=True):
        assert len(set(part)) == len(traces) == 5


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
        (place, index, x, y)
        for trace in points
        for place, index, x, y in zip(trace["text"], trace["customdata"], trace["x"], trace["y"], strict=True)
    }
    assert drawn_points == {
        (place_name(RESULTS["positions"][p["index"]], shipped_word), p["index"], p["ratio"], p["height"])
        for p in data["points"]
    }
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
    assert {shipped_word("chart.positive"), shipped_word("chart.negative")} <= set(texts)


@pytest.mark.parametrize("language", LANGUAGES)
def test_places_have_different_names(language):
    places = RESULTS["positions"]
    names = {place_name(place, lambda key, **v: shipped_word(key, language, **v)) for place in places}
    assert len(names) == len(places)


def test_places_are_counted_from_one():
    # The texts of place.prompt and place.position in content/terms.toml.
    assert place_name({"response": 0, "position": -1}, shipped_word) == "the prompt of response 1"
    assert place_name({"response": 2, "position": 0}, shipped_word) == "response 3, position 1"
