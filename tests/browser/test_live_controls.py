"""Every control of the live page drives its state."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.driving import CONTROLS, eventually, word
from tests.browser.seen import scroll_to
from tests.live_states import (
    KEYS,
    canonical,
    known_state,
    settings_of,
)

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("normalization", "response"),
        ("keep", "2"),
        ("keep", "0"),
        ("beta", "0.37"),
        ("beta", "0"),
        ("rewards", "one-right"),
        ("path", "correct"),
        ("step", "7"),
        ("step", "20"),
        ("clip_epsilon", "0.05"),
        ("learning_rate", "1.5"),
        ("at", "2.1"),
    ],
)
def test_each_control_drives_the_state(live, name, value):
    page = live("step=1")
    control = page.page.locator(f"#controls [name={name}]")
    if control.evaluate("control => control.localName") == "select":
        control.select_option(value)
    else:
        control.fill(value)
    changed = [f"{name}={value}"] if name == "step" else ["step=1", f"{name}={value}"]
    page.shows(*changed)
    assert page.page.url.endswith("#" + canonical(settings_of(*changed)))
    assert page.visit.complaints == []


def test_every_key_has_a_control_with_a_name_for_it(live):
    page = live().page
    assert {key.name for key in KEYS} == set(page.evaluate(CONTROLS))
    nameless = page.evaluate(
        """() => [...document.querySelectorAll("#controls :is(input, select, button)")].filter((item) =>
            !(item.labels?.length || item.getAttribute("aria-label") || item.textContent.trim())).length"""
    )
    assert nameless == 0


def test_the_beta_slider_drives_the_state(live):
    page = live()
    page.page.locator("#beta-slider").fill("0.25")
    page.shows("beta=0.25")


def test_buttons_go_step_by_step(live):
    page = live()
    for step in (1, 2):
        page.page.click("#step-apply")
        page.shows(f"step={step}")
    page.page.click("#step-back")
    page.shows("step=1")
    page.page.click("#step-reset")
    page.shows()
    page.go("step=20")
    page.page.locator("#step-apply").click(force=True)
    page.shows("step=20")


def test_play_goes_on_until_it_is_stopped_or_done(newly_live):
    page = newly_live("step=18")
    play = page.page.locator("#step-play")
    play.click()
    assert play.get_attribute("aria-pressed") == "true"
    page.wait("step=19")
    page.shows("step=20")
    expect(play).to_have_attribute("aria-pressed", "false")
    play.click()  # from the last: begins anew
    page.wait("step=1")
    play.click()
    assert play.get_attribute("aria-pressed") == "false"


def test_the_default_state_comes_back(live):
    page = live("step=4", "rewards=0,0,1,2", "beta=0.5")
    page.page.click("#controls-default")
    page.shows()


def test_free_rewards(live):
    page = live()
    page.page.locator("[name=rewards]").select_option("free")
    page.shows("rewards=1,0,0.5,1")
    page.page.locator("[data-list-key=rewards]:nth-child(2)").fill("-2.25")
    page.shows("rewards=1,-2.25,0.5,1")
    page.page.locator("[name=rewards]").focus()
    page.page.locator("[name=rewards]").select_option("equal")
    page.shows("rewards=equal")
    assert (
        page.page.locator("[data-list-key=rewards]").evaluate_all("all => all.map((item) => item.value)")
        == ["1"] * 4
    )


@pytest.mark.parametrize(
    ("selector", "text", "key"),
    [
        ("[name=beta]", "-1", "beta"),
        ("[name=beta]", "", "beta"),
        ("[name=clip_epsilon]", "1", "clip_epsilon"),
        ("[name=clip_epsilon]", "0", "clip_epsilon"),
        ("[name=learning_rate]", "0", "learning_rate"),
        ("[data-list-key=rewards]:nth-child(1)", "2000000", "rewards"),
        ("[data-list-key=rewards]:nth-child(4)", "", "rewards"),
    ],
)
def test_wrong_input_is_told_and_changes_nothing(live, selector, text, key):
    page = live("step=2")
    page.page.locator(selector).fill(text)
    expect(page.page.locator("#live-status")).to_contain_text(key)
    assert page.page.locator(f"{selector}:invalid").count() == 1
    page.wait("step=2")
    assert page.wrong("step=2") == []
    page.page.locator(selector).fill("0.75")
    expect(page.page.locator("#live-status")).not_to_contain_text("allowed")
    assert page.page.locator(f"{selector}:invalid").count() == 0


@pytest.mark.parametrize("width", [375, 1440])
def test_every_mistake_is_said_where_the_reader_is_and_covers_no_control(newly_live, width):
    main = newly_live(width=width)
    page, status = main.page, main.page.locator("#live-status")
    page.evaluate("document.getElementById('controls-panel').open = true")
    scroll_to(page, "#table-positions")
    page.locator("[name=beta]").fill("-1")
    page.locator("[name=clip_epsilon]").fill("7")
    page.locator("[data-list-key=rewards]:nth-child(2)").fill("2000000")
    lines = status.inner_text().splitlines()
    assert ["(beta)" in lines[0], "“2000000”" in lines[1], "(clip_epsilon)" in lines[2]] == [True] * 3
    assert page.locator("[data-list-key=rewards]:invalid").count() == 1
    box, controls = status.bounding_box(), page.locator("#controls-panel").bounding_box()
    assert controls["y"] + controls["height"] <= box["y"]
    assert box["y"] + box["height"] <= page.viewport_size["height"]


def test_what_changed_is_said_in_view_and_goes_away(visit):
    seen = visit("en/update.html#v=1")
    page, status = seen.page, seen.page.locator("#live-status")
    page.wait_for_selector("html[data-state]", state="attached")
    scroll_to(page, "#chart-loss")
    page.clock.install()
    page.click("#step-apply")
    page.clock.run_for(500)
    expect(status).to_contain_text("Updates done: 1.")
    assert 0 < status.bounding_box()["y"] < page.viewport_size["height"]
    page.clock.run_for(10_000)
    expect(status).to_be_hidden()


def test_what_changed_is_said(newly_live):
    page = newly_live()
    page.page.click("#step-apply")
    expect(page.page.locator("#live-status")).to_contain_text("Updates done: 1.")
    page.go("keep=0")
    expect(page.page.locator("#live-status")).to_have_text(word("live.now_skipped"))
    assert page.page.locator("#live-status").get_attribute("role") == "status"


@pytest.mark.parametrize(
    ("language", "assignments", "summary"),
    [
        ("zh", ("step=5",), "更新 5 / 20 · 正确"),
        ("en", ("beta=0.5", "step=5"), "β = 0.5 · update 5 of 20 · correct"),
        ("zh", ("path=clip-then-multiply", "beta=0.5"), "clip-then-multiply · β = 0.5 · 更新 0 / 20"),
        ("zh", ("normalization=response", "keep=2"), "k = 2 · 声明的归一化 = 按回答 · 更新 0 / 20 · 正确"),
        ("en", ("rewards=1,-2,0.5,1",), "reward set = 1, −2, 0.5, 1 · update 0 of 20 · correct"),
        ("en", ("learning_rate=1e-7",), "η = 1e−7 · update 0 of 20 · correct"),
    ],
)
def test_the_line_that_folds_the_controls_says_first_what_is_changed(live, language, assignments, summary):
    page = live(*assignments, language=language).page
    assert page.locator("#controls-summary").inner_text() == summary


def test_while_the_page_is_busy_only_the_newest_change_counts(live):
    page = live()
    page.page.evaluate(
        """() => {
            const slider = document.querySelector("[name=step]");
            for (let step = 1; step <= 20; step++) {
                slider.value = String(step);
                slider.dispatchEvent(new Event("input", {bubbles: true}));
            }
        }"""
    )
    page.shows("step=20")


def test_a_token_is_selected_from_a_row_head_a_chart_or_the_list(live):
    page = live()
    page.page.click("#table-positions tr[data-at='1.1'] button.pick")
    page.shows("at=1.1")
    page.page.click("#table-details tr[data-at='2.0'] button.pick")
    page.shows("at=2.0")
    page.page.locator("[name=at]").select_option("0.3")
    page.shows("at=0.3")
    page.visit.read_through()
    at = page.page.evaluate(
        """() => {
            const plot = document.querySelector("#chart-plateaus .plot");
            const trace = plot.data.findLast((candidate) => candidate.customdata?.length);
            const index = trace.customdata[trace.customdata.length - 1];
            plot.emit("plotly_click", {points: [{customdata: index}]});
            return document.querySelector(`tr[data-row="${index}"]`).dataset.at;
        }"""
    )
    page.shows(f"at={at}")
    assert page.visit.complaints == []


def test_a_real_click_on_a_chart_point_selects_it(live):
    page = live()
    page.visit.read_through()
    plot = page.page.locator("#chart-plateaus .plot")
    plot.scroll_into_view_if_needed()
    place = page.page.evaluate(
        """() => {
            const plot = document.querySelector("#chart-plateaus .plot");
            plot.scrollIntoView({block: "center", behavior: "instant"});
            const trace = plot.data.findLast((candidate) => candidate.customdata?.length);
            const box = plot.getBoundingClientRect(), {xaxis, yaxis} = plot._fullLayout;
            return {x: box.left + xaxis._offset + xaxis.l2p(trace.x[0]),
                y: box.top + yaxis._offset + yaxis.l2p(trace.y[0]), ids: trace.customdata,
                near: trace.x.map((x) => xaxis.l2p(x) - xaxis.l2p(trace.x[0]))};
        }"""
    )
    near = [index for index, far in zip(place["ids"], place["near"]) if abs(far) < 12]
    page.page.mouse.move(place["x"], place["y"])
    page.page.mouse.click(place["x"], place["y"])
    page.page.wait_for_selector("html[data-state]", state="attached")
    positions = known_state(())["positions"]
    wanted = {f"{positions[index]['response']}.{positions[index]['position']}" for index in near}
    assert not eventually(lambda: page.page.evaluate("RLPU.live.settings().at") not in wanted)
