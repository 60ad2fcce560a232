"""Charts of every page: labelled, in the palette's colours, valid for Plotly; and results put in by their paths."""

import json
import re
from copy import deepcopy

import pytest
from plotly.graph_objects import Figure

from publish.page.charts import at_path, bound, drawable, figure, figure_json, label_text
from publish.words.formatting import machine_text, number_text
from publish.words.language import LANGUAGES
from tests.content_tools import shipped_material, shipped_subject, shipped_word

CHARTS = [(page, name) for page, subject in shipped_material().subjects.items() for name in subject.figures]
UNNAMED = (
    "kl-clip",
    "kl-twin",
)  # the points of these stand under their axes; the sentence names the chosen one


def drawn(page, name, language="en"):
    subject = shipped_subject(page)
    made = subject.figures[name](subject.results, lambda key, **v: shipped_word(key, language, **v))
    return json.loads(figure_json(made))


def plotly(made):
    """Return a figure as plotly.py has it; it raises ValueError for a wrong name or value."""
    return Figure({part: made[part] for part in ("data", "layout")})


every = pytest.mark.parametrize(("page", "name"), CHARTS)
both = pytest.mark.parametrize("language", LANGUAGES)


@every
@both
def test_plotly_accepts_the_figure(page, name, language):
    made = drawn(page, name, language)
    assert len(plotly(made).data) == len(made["data"]) > 0


def test_plotly_does_not_accept_just_anything():
    for wrong in ({"data": [{"type": "scater"}]}, {"data": [], "layout": {"xaxis": {"titel": "x"}}}):
        with pytest.raises(ValueError):
            plotly({"layout": {}, **wrong})


@every
@both
def test_both_axes_are_labelled(page, name, language):
    layout = drawn(page, name, language)["layout"]
    # Curves over the updates share the label of their x axis, both clip maps share both.
    shared = {"kl": ("step", "kl"), "loss": ("step", "loss"), "clipped": ("step", "clipped")}
    x, y = shared.get(name, (name, name)) if name != "kl-twin" else ("kl-clip", "kl-clip")
    # The experiment's axes have the words of its tables.
    own = {
        "digits-reward": ("digits.update_at", "digits.expected_reward"),
        "digits-kl": ("digits.update_at", "digits.kl_axis"),
        "digits-tradeoff": ("digits.training_reward", "digits.held_out_reward"),
        "digits-rates": ("digits.update", "digits.kl_axis"),
    }
    keys = own.get(name, (f"chart.{x}_x", f"chart.{y}_y"))
    beta = machine_text(shipped_subject(page).settings.get("beta", 0.0))
    assert layout["xaxis"]["title"]["text"] == shipped_word(keys[0], language, beta=beta) != ""
    assert layout["yaxis"]["title"]["text"] == shipped_word(keys[1], language) != ""


@every
def test_colours_are_names_of_the_palette(page, name):
    def colours(value, key=""):
        if isinstance(value, dict):
            return [c for k, v in value.items() for c in colours(v, k)]
        if isinstance(value, list):
            return [c for v in value for c in colours(v, key)]
        return [value] if isinstance(value, str) and key.endswith("color") else []

    found = colours(drawn(page, name))
    assert found and [c for c in found if not c.startswith("var(--") and c != "rgba(0,0,0,0)"] == []


@every
def test_what_is_drawn_differs_by_more_than_colour(page, name):
    """Lines by dash, width or mode, points by mark: see a chart on paper, or without a sense of colour."""
    # All seeds of the experiment look alike, as their mean does but for its width; a band is told by its mean.
    traces = [trace for trace in drawn(page, name)["data"] if trace.get("showlegend") is not False]
    looks = [
        (
            trace["type"],
            trace.get("mode"),
            trace.get("marker", {}).get("symbol"),
            trace.get("line", {}).get("dash"),
        )
        for trace in traces
    ]
    assert len(looks) > 0 and len(set(looks)) == len(looks)


@every
def test_curves_have_names(page, name):
    for trace in drawn(page, name)["data"]:
        unlisted = trace.get("showlegend") is False  # bands and single seeds
        assert unlisted or trace.get("name") or name in UNNAMED, trace["type"]


def test_a_figure_may_stand_in_a_script_element():
    for page, name in CHARTS:
        subject = shipped_subject(page)
        made = subject.figures[name](subject.results, lambda key, **values: "</script><!--")
        text = figure_json(made)
        assert "<" not in text and "</script><!--" in json.dumps(json.loads(text))


def test_words_have_no_place_in_a_chart():
    assert drawable([1.5, "inf", 0, "-inf", "nan", None]) == [1.5, None, 0, None, None, None]


RESULTS = {"a": {"b": [{"c": 1.5}, {"c": "inf"}]}, "d": [[1, 2], [3, 4]], "e": "nan"}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("e", "nan"),
        ("a.b.0.c", 1.5),
        ("a.b.*.c", [1.5, "inf"]),
        ("d.1", [3, 4]),
        ("d.*.0", [1, 3]),
        ("d.*", [[1, 2], [3, 4]]),
        ("", RESULTS),
    ],
)
def test_at_path(path, value):
    assert at_path(RESULTS, path) == value


@pytest.mark.parametrize("path", ["f", "a.c", "a.b.2", "a.b.x", "d.0.0.0"])
def test_a_path_that_leads_nowhere_is_a_mistake(path):
    with pytest.raises((KeyError, IndexError, ValueError, TypeError)):
        at_path(RESULTS, path)


def test_results_are_put_in_and_their_places_are_said():
    empty = figure([{"type": "scatter", "x": [], "y": [None]}], "x", "y", shapes=[{"x0": 0}])
    bindings = {"data.0.x": "a.b.*.c", "data.0.y.0": "d.1.0", "layout.shapes.0.x0": "e"}
    made = bound(empty, RESULTS, bindings)
    assert made["data"] == [{"type": "scatter", "x": [1.5, None], "y": [3]}]
    assert made["layout"]["shapes"] == [{"x0": None}]
    assert made["bind"] == list(bindings.items())
    assert json.loads(figure_json(made))["bind"][0] == ["data.0.x", "a.b.*.c"]


def test_a_number_put_in_as_text_is_written_as_everywhere():
    empty = figure([{"type": "scatter", "text": [""]}], "x", "y")
    assert bound(empty, {"a": -2.8}, {"data.0.text.0": "a"})["data"][0]["text"] == ["−2.8"]


@every
def test_no_template_formats_a_number_itself(page, name):
    """Plotly would write a minus as a hyphen; its axes do not."""
    made = drawn(page, name)
    templates = [v for trace in made["data"] for k, v in trace.items() if k.endswith("template")]
    assert [text for text in templates if re.search(r"%\{[^}]*:", text)] == []
    assert all(made["layout"][axis]["hoverformat"] for axis in ("xaxis", "yaxis"))


def test_two_figures_share_nothing():
    first = figure([], "x", "y", yaxis={"rangemode": "tozero"})
    before = deepcopy(first)
    second = figure([], "a", "b")
    second["layout"]["xaxis"]["title"]["text"] = "c"
    assert first == before and "rangemode" not in second["layout"]["yaxis"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-2.8, "−2.8"),
        (0.0, "0"),
        (-2250.0, "−2250"),
        (100.0, "100"),
        (1 / 3, "0.3333"),
        (1e-9, number_text(1e-9, 4)),
    ],
)
def test_a_number_in_a_chart_has_no_zeros_at_its_end(value, text):
    assert label_text(value) == text
