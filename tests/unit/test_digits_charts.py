"""The experiment's charts: what they draw is what the runs did, and another beta's curves fit into the same places."""

import json
from functools import cache

import pytest
from plotly.graph_objects import Figure

from publish.digits.charts import DIGITS_FIGURES, rates_figure, reward_figure, tradeoff_figure
from publish.page.charts import at_path, drawable, figure_json
from publish.words.language import LANGUAGES
from tests.content_tools import shipped_word
from tests.digits_states import config, subject, trained

CURVES = ("digits-reward", "digits-kl")
BETAS = config().setup["betas"]
every = pytest.mark.parametrize("name", DIGITS_FIGURES)


def results(**changes):
    """Return what a chart is made of, at changed settings."""
    return {"digits": {"settings": {**config().settings, **changes}}}


@cache
def drawn(name, language="en", beta=0.0, update=400):
    def word(key, **values):
        return shipped_word(key, language, **values)

    made = DIGITS_FIGURES[name](trained(), results(beta=beta, update=update), word)
    return json.loads(figure_json(made))


def curve_of(beta):
    return next(curve for curve in trained()["curves"] if curve["beta"] == beta)


@every
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("beta", BETAS)
def test_plotly_accepts_the_figure(name, language, beta):
    made = drawn(name, language, beta)
    Figure({"data": made["data"], "layout": made["layout"]})  # raises ValueError for a wrong name or value
    json.dumps(made, allow_nan=False)
    assert "{" not in json.dumps([axis["title"] for axis in axes(made)]).replace('{"text"', "")


def axes(made):
    return [made["layout"][axis] for axis in ("xaxis", "yaxis")]


def test_the_page_has_them():
    assert subject().figures.keys() == DIGITS_FIGURES.keys()
    for name, figure in subject().figures.items():
        assert json.loads(figure_json(figure(subject().results, shipped_word))) == drawn(name)


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("beta", BETAS)
def test_the_meta_of_every_trace_leads_to_what_it_draws_in_every_betas_curve(name, beta):
    for trace in drawn(name)["data"]:
        values = at_path(curve_of(beta), trace["meta"])  # raises where there is no such place
        assert len(values) == len(trace["x"]) == len(trained()["updates"])
    for trace in drawn(name, beta=beta)["data"]:
        assert trace["y"] == drawable(at_path(curve_of(beta), trace["meta"]))
        assert trace["x"] == trained()["updates"]


@pytest.mark.parametrize("name", CURVES)
def test_another_beta_and_update_put_in_are_the_figure_of_that_state(name):
    """As digits.js does: y by meta, the line of the update, and the name of beta."""
    made = json.loads(json.dumps(drawn(name)))
    for trace in made["data"]:
        trace["y"] = drawable(at_path(curve_of(0.3), trace["meta"]))
    made["layout"]["shapes"][0] |= {"x0": 150, "x1": 150}
    made["layout"]["xaxis"]["title"]["text"] = shipped_word("digits.update_at", beta="0.3")
    assert made == drawn(name, beta=0.3, update=150) != drawn(name)


@pytest.mark.parametrize("beta", BETAS)
@pytest.mark.parametrize("quantity", ["reward_training", "reward_held_out", "kl_training", "kl_held_out"])
def test_the_band_holds_every_seed_and_the_mean(beta, quantity):
    name = "digits-reward" if quantity.startswith("reward") else "digits-kl"
    y = {trace["meta"]: trace["y"] for trace in drawn(name, beta=beta)["data"]}
    seeds = [y[f"{quantity}.seeds.{s}"] for s in range(len(config().setup["seeds"]))]
    assert f"{quantity}.seeds.{len(seeds)}" not in y
    low, high, mean = (y[f"{quantity}.{end}"] for end in ("lowest", "highest", "mean"))
    for k, values in enumerate(zip(*seeds, strict=True)):
        assert (low[k], high[k]) == (min(values), max(values))
        assert low[k] <= mean[k] <= high[k]
        assert mean[k] == pytest.approx(sum(values) / len(values), rel=1e-5)


@pytest.mark.parametrize("name", CURVES)
def test_a_band_is_filled_between_its_ends_and_a_mean_has_a_name(name):
    data = drawn(name)["data"]
    filled = [k for k, trace in enumerate(data) if "fill" in trace]
    assert len(filled) == 2
    for k in filled:
        quantity = data[k]["meta"].split(".")[0]
        assert (data[k]["meta"], data[k - 1]["meta"]) == (f"{quantity}.highest", f"{quantity}.lowest")
    named = [trace["meta"] for trace in data if trace["showlegend"]]
    assert named == [trace["meta"] for trace in data if trace["meta"].endswith(".mean")]
    assert len({trace["name"] for trace in data if trace["showlegend"]}) == len(named)
    for trace in data:
        if "customdata" in trace:
            assert trace["customdata"] == [{"update": update} for update in trained()["updates"]]


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("update", [0, 50, 400])
def test_the_line_stands_at_the_update(name, update):
    (line,) = drawn(name, update=update)["layout"]["shapes"]
    assert (line["x0"], line["x1"], line["y0"], line["y1"]) == (update, update, 0, 1)


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("beta", BETAS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_beta_that_is_drawn_is_named(name, beta, language):
    title = drawn(name, language, beta)["layout"]["xaxis"]["title"]["text"]
    assert f"β = {beta:g}" in title and shipped_word("digits.update", language) in title


def test_training_and_held_out_inputs_look_alike_in_every_chart_and_have_no_quantitys_colour():
    looks = [
        {
            trace["meta"].split(".")[0].split("_", 1)[1]: (trace["line"]["color"], trace["line"]["dash"])
            for trace in drawn(name)["data"]
            if "dash" in trace.get("line", {})
        }
        for name in CURVES
    ]
    assert looks[0] == looks[1] and len(set(looks[0].values())) == 2
    assert all("--q-" not in color for color, _ in looks[0].values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_legend_of_the_step_sizes_says_what_its_numbers_are(language):
    names = [trace["name"] for trace in drawn("digits-rates", language)["data"]]
    assert all(shipped_word("digits.rate", language) in name for name in names)


def test_rewards_are_between_0_and_1():
    made = drawn("digits-reward")
    assert made["layout"]["yaxis"]["range"] == [0, 1]
    assert all(0 <= value <= 1 for trace in made["data"] for value in trace["y"])


def test_the_trade_off_has_every_beta_and_the_start():
    points, start = drawn("digits-tradeoff")["data"]
    final = trained()["final"]
    assert points["x"] == [row["reward_training"]["mean"] for row in final]
    assert points["y"] == [row["reward_held_out"]["mean"] for row in final]
    assert points["customdata"] == [{"beta": beta} for beta in BETAS]
    assert points["text"] == [f"β = {beta:g}" for beta in BETAS]
    assert len(points["textposition"]) == len(BETAS)
    assert (start["x"], start["y"]) == (
        [trained()["start"]["mean_reward_training"]],
        [trained()["start"]["mean_reward_held_out"]],
    )
    assert "customdata" not in start, "a click on the start chooses nothing"


def test_step_sizes_sampled_beside_exact():
    traces = drawn("digits-rates")["data"]
    rows = trained()["rates"]["rows"]
    assert len(traces) == 2 * len(rows) == len({trace["name"] for trace in traces})
    for k, trace in enumerate(traces):
        row, kind = rows[k // 2], ("sampled", "exact")[k % 2]
        curve = row[kind]["kl_held_out"]["curve"]
        assert trace["name"] == shipped_word(f"digits.rate_{kind}", rate=f"{row['rate']:g}")
        assert trace["y"][0] is None and curve[0] == 0  # a logarithm has no place for the reference itself
        assert trace["y"][1:] == curve[1:]
        assert traces[k - k % 2]["line"]["dash"] == trace["line"]["dash"]
    assert drawn("digits-rates")["layout"]["yaxis"]["type"] == "log"


def test_what_is_beyond_floating_point_has_no_place():
    broken = json.loads(json.dumps(trained()))
    broken["curves"][0]["reward_training"]["mean"][7] = "nan"
    broken["final"][2]["reward_held_out"]["mean"] = "nan"
    broken["rates"]["rows"][0]["sampled"]["kl_held_out"]["curve"][9] = "inf"
    curves = reward_figure(broken, results(), shipped_word)["data"]
    assert next(trace["y"][7] for trace in curves if trace["meta"] == "reward_training.mean") is None
    assert tradeoff_figure(broken, results(), shipped_word)["data"][0]["y"][2] is None
    assert rates_figure(broken, results(), shipped_word)["data"][0]["y"][9] is None
