"""The experiment's page shows what Python computes, loads its parts when they are needed, and its controls lead on."""

from __future__ import annotations

import contextlib
import json
import re
import shutil
from collections import Counter

import pytest

from compute.digits_live import PAGE
from tests import digits_states
from tests.browser import test_pages
from tests.browser.driving import LANGUAGES, Driven, eventually, in_both_languages, read, until, word
from tests.browser.printing import printed, prints
from tests.browser.seen import in_the_other_theme, wait_for_chart
from tests.digits_states import CHOICES, U, V, canonical, known, settings_of, subject, trained

pytestmark = pytest.mark.browser

FILE = f"{PAGE}.html"
NAMES = [key.name for key in subject().keys]
ALLOWED = {key.name: key.allowed for key in subject().keys}
CURVES = ("digits-reward", "digits-kl")

# What a state's cells, curves and sentences are, read at once.
LOOK = """() => {
    const classes = (selector, ...keys) => Object.fromEntries([...document.querySelectorAll(selector)].map((cell) =>
        [keys.map((key) => cell.dataset[key]).join(""), [...cell.classList].sort()]));
    return {
        grid: classes("#digits-grid button[data-a]", "a", "b"),
        paths: Object.fromEntries(["p", "q", "share"].map((name) => [name, classes(`#table-${name} td`, "u", "v")])),
        sentences: Object.fromEntries([...document.querySelectorAll("main [data-sentence]")].map((sentence) =>
            [sentence.dataset.sentence, sentence.textContent])),
        controls: Object.fromEntries([...document.querySelectorAll("form[data-controls] [name]")].map((item) =>
            [item.name, Number(item.value)])),
        command: document.getElementById("command").textContent,
    };
}"""
DRAWN = """name => {
    const plot = document.querySelector(`.plot[data-chart="${name}"]`);
    const {x0, x1} = plot.layout.shapes[0];
    const curves = plot.data.map((trace) => [trace.meta, [...trace.y]]);
    return {line: [x0, x1], x: plot.layout.xaxis.title.text, curves};
}"""


class Experiment(Driven):
    """The experiment's page."""

    file = FILE
    states = digits_states

    def wait(self, *assignments):
        """Wait until a state is painted with the parts that it needs."""
        wanted, found = canonical(settings_of(*assignments)), known(*assignments).found
        until(
            self.page,
            """([state, shipped]) => document.documentElement.dataset.state === state && RLPU.live.state().digits.grid
                && RLPU.live.state().digits.shipped === shipped""",
            arg=[wanted, found["shipped"]],
        )
        return self

    def wrong(self, *assignments):
        """Return what of a state is shown otherwise than Python says."""
        python, look = known(*assignments), read(self.page, LOOK)
        wanted = {
            "grid": python.grid_cells(),
            "paths": {name: python.path_cells(name) for name in ("p", "q", "share")},
            "sentences": python.sentences(self.language),
            "controls": python.settings,
        }
        wrong = python.wrong_numbers(self.numbers())
        for part, items in wanted.items():
            assert look[part].keys() == items.keys(), part
            wrong += [f"{part} {k}: {look[part][k]}, not {v}" for k, v in items.items() if look[part][k] != v]
        changed = {name: value for name, value in python.settings.items() if value != settings_of()[name]}
        flags = "".join(f" --set {name}={value:g}" for name, value in changed.items())
        return wrong + [look["command"]] * (look["command"] != subject().command + flags)

    def wrong_chart(self, name, *assignments):
        """Return what a chart draws otherwise than Python."""
        drawn, settings = read(self.page, DRAWN, name), settings_of(*assignments)
        update, beta = settings["update"], f"{settings['beta']:g}"
        wanted = known(*assignments).curves(name)
        wrong = [meta for (meta, y), pair in zip(wanted, drawn["curves"], strict=True) if pair != [meta, y]]
        axis = word("digits.update_at", self.language, beta=beta)
        wrong += [drawn["x"]] * (drawn["x"] != axis)
        return wrong + ["line"] * (drawn["line"] != [update, update])

    def parts(self):
        """Return how often each part was asked for."""
        names = (url.rpartition("/data/")[2] for url in self.visit.requests if "/data/" in url)
        return Counter(name for name in names if name.endswith(".js"))


@pytest.fixture(scope="module")
def experiments(visiting):
    """Return the page in both languages, for tests that leave it in any state."""
    with in_both_languages(visiting, Experiment) as pages:
        yield pages
        for page in pages.values():
            assert set(page.parts().values()) == {1}, "a part is loaded once"


@pytest.fixture
def experiment(experiments):
    """Return the English page at its default state."""
    return experiments["en"].go()


@pytest.fixture
def drawn(live):
    """Return the English page with its charts drawn, at its default state."""
    page = live(kind=Experiment)
    page.visit.read_through()
    return page


def test_the_states_reach_every_beta_and_both_kinds_of_seed():
    assert {settings_of(*choice)["beta"] for choice in CHOICES} == set(map(float, subject().keys[0].words))
    shipped = Counter(known(*choice).found["shipped"] for choice in CHOICES)
    assert shipped[True] >= 8 and shipped[False] >= 3
    said = {
        known(*choice).subject.findings["picked"](known(*choice).subject.results)[0][0] for choice in CHOICES
    }
    assert said == {"digits.picked_training", "digits.picked_held_out", "digits.not_shipped"}


# --- what it shows ---


@pytest.mark.parametrize("choice", CHOICES, ids="&".join)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_state_shows_what_python_says(experiments, language, choice):
    page = experiments[language].go(*choice)
    assert page.wrong(*choice) == []
    assert page.status == ""


@pytest.mark.parametrize(
    "choice", [["beta=3", "update=50"], ["beta=0.1", "update=0", "seed=4"], []], ids="&".join
)
def test_charts_take_the_curves_and_the_update_of_the_state(drawn, choice):
    drawn.go(*choice)
    for chart in CURVES:
        assert eventually(lambda chart=chart: drawn.wrong_chart(chart, *choice)) == [], chart
    assert set(drawn.parts().values()) == {1}, "a part is loaded once"


def test_a_state_opens_by_its_address(visit):
    choice = ["beta=0.3", "seed=1", "update=200", "a=2", "b=9", f"{U}=1", f"{V}=0"]
    page = Experiment(visit(f"zh/{FILE}#{'&'.join(choice)}"), "zh").wait(*choice)
    assert page.wrong(*choice) == [] and page.visit.complaints == []


# --- parts are loaded when they are needed ---


def checkpoint(seed, beta):
    return f"digits-checkpoint-{seed}-{beta}.js"


def test_parts_are_loaded_when_they_are_needed_and_once(visit):
    page = Experiment(visit(f"en/{FILE}"))
    page.page.wait_for_timeout(300)
    assert page.parts() == {}
    page.page.locator("#curves").scroll_into_view_if_needed()
    page.wait()
    first = {"digits-grid-0.js", checkpoint(0, "reference"), checkpoint(0, "0")}
    assert set(page.parts()) - {"digits-curves.js"} == first
    for choice, more in (
        (["beta=0.1"], {"digits-grid-0.1.js", checkpoint(0, "0.1")}),
        (["beta=0.1", "update=50", "a=3"], set()),
        (["beta=0.1", "seed=1", "update=0"], {checkpoint(1, "reference")}),
        (["beta=0.1", "seed=6"], set()),
        ([], set()),
    ):
        before = set(page.parts())
        page.go(*choice)
        assert set(page.parts()) - before - {"digits-curves.js"} == more, choice
    page.page.wait_for_timeout(150)  # curves come once changes pause
    assert page.parts()["digits-curves.js"] == 1 and set(page.parts().values()) == {1}
    assert page.visit.complaints == []


def broken_site(site, folder, *missing):
    """Return a copy of the site without some parts."""
    shutil.copytree(site, folder / "site")
    for name in missing:
        (folder / "site" / "data" / name).unlink()
    return folder / "site"


@pytest.mark.parametrize(
    ("language", "missing"), [("zh", "digits-grid-0.1.js"), ("en", checkpoint(0, "0.1"))]
)
def test_a_part_that_cannot_be_loaded_is_told_and_the_page_goes_on(site, tmp_path, visit, language, missing):
    page = Experiment(visit(f"{language}/{FILE}#v=1", site=broken_site(site, tmp_path, missing)), language)
    page.wait().page.locator("[name=beta]").select_option("0.1")
    until(page.page, "() => document.getElementById('live-status').textContent")
    assert page.status == word("digits.failed", language)
    page.go("seed=1")
    assert page.wrong("seed=1") == [] and page.visit.errors == []
    assert all("ERR_FILE_NOT_FOUND" in text for text in page.visit.complaints)


def test_when_no_part_can_be_loaded_the_numbers_that_are_there_stay(site, tmp_path, visit):
    """So says the page in `digits.failed`."""
    broken = broken_site(site, tmp_path, "digits-grid-0.js", checkpoint(0, "0"), checkpoint(0, "reference"))
    page = Experiment(visit(f"en/{FILE}#v=1", site=broken))
    until(page.page, "() => document.getElementById('live-status').textContent")
    assert page.status == word("digits.failed")
    assert page.wrong() == []


def failing(visit, broken, beta):
    """Open the page where parts of this beta are missing, and choose it."""
    page = Experiment(visit(f"en/{FILE}#v=1", site=broken)).wait()
    page.page.locator("[name=beta]").select_option(beta)
    until(page.page, "() => document.getElementById('live-status').textContent")
    return page


def test_a_part_that_failed_is_not_called_one_that_is_not_shipped(site, tmp_path, visit):
    page = failing(visit, broken_site(site, tmp_path, checkpoint(0, "0.1")), "0.1")
    look = read(page.page, LOOK)
    assert "not shipped" in known("seed=5").sentences("en")["picked"]
    assert "not shipped" not in look["sentences"]["picked"]
    assert not any("level-none" in cell for cell in look["grid"].values()), "no grid, though its part came"


def test_a_part_that_failed_once_is_asked_for_again(site, tmp_path, visit):
    name = checkpoint(0, "0.1")
    broken = broken_site(site, tmp_path, name)
    page = failing(visit, broken, "0.1")
    shutil.copy(site / "data" / name, broken / "data" / name)
    page.go().go("beta=0.1")
    assert page.wrong("beta=0.1") == [] and page.status == ""


# --- the controls ---


@pytest.mark.parametrize(("a", "b"), [(0, 0), (9, 9), (3, 8)])
def test_a_cell_of_the_grid_chooses_the_input(experiment, a, b):
    experiment.page.locator(f"#digits-grid button[data-a='{a}'][data-b='{b}']").click()
    choice = [f"a={a}", f"b={b}"]
    assert experiment.wait(*choice).wrong(*choice) == []
    assert experiment.page.url.endswith("#" + canonical(settings_of(*choice)))


MOVES = {"beta": "0.3", "seed": "5", "update": "150", "a": "1", "b": "0", U: "9", V: "0"}


@pytest.mark.parametrize("name", NAMES)
def test_a_select_chooses(experiment, name):
    select = experiment.page.locator(f"select[name={name}]")
    wanted = (
        list(range(10))
        if name in ("a", "b", U, V)
        else list(map(float, subject().keys[NAMES.index(name)].words))
    )
    assert [float(text) for text in select.locator("option").all_inner_texts()] == wanted
    assert experiment.page.locator(f"label[for=c-{name}]").inner_text()
    select.select_option(MOVES[name])
    assert experiment.wait(f"{name}={MOVES[name]}").wrong(f"{name}={MOVES[name]}") == []
    experiment.page.go_back()
    experiment.wait()


def test_a_point_of_the_trade_off_chooses_its_beta(drawn):
    wait_for_chart(drawn.page, "digits-tradeoff")
    drawn.page.locator(".plot[data-chart=digits-tradeoff]").scroll_into_view_if_needed()
    points = drawn.page.locator(".plot[data-chart=digits-tradeoff] .scatterlayer .points path.point")
    box = points.nth(4).bounding_box()
    drawn.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert drawn.wait("beta=3").wrong("beta=3") == []


def test_what_a_move_led_to_is_said_for_screen_readers(experiment):
    experiment.page.locator("[name=a]").focus()
    experiment.page.locator("[name=a]").select_option("2")
    experiment.wait("a=2")
    assert experiment.page.locator("#live-said").inner_text() == known("a=2").sentences("en")["picked"]


def test_fast_moves_end_at_the_last_state(experiment):
    """Parts that are on their way when the next state is chosen are shown too."""
    for beta in ("0.1", "0.3", "1", "3", "0.3"):
        experiment.page.locator("[name=beta]").select_option(beta)
    assert experiment.wait("beta=0.3").wrong("beta=0.3") == []


# --- the address, the other language ---


@pytest.mark.parametrize("language", LANGUAGES)
def test_mistakes_in_the_address_are_named_and_the_rest_is_taken(experiments, language):
    page = experiments[language].go()
    page.page.evaluate(
        "hash => { location.hash = hash; }", f"beta=0.2&seed=8&update=55&a=10&b=3&{U}=%EF%BC%91&foo=1&{V}=5"
    )
    page.wait("b=3", f"{V}=5")
    lines = page.page.locator("#hash-problems li").all_inner_texts()
    names = [line.partition(":" if language == "en" else "：")[0] for line in lines[:-1]]
    assert names == ["beta", "seed", "update", "a", U] and "“foo”" in lines[-1]
    for line, name in zip(lines, names, strict=False):
        assert ALLOWED[name][language == "zh"] in line
    assert page.wrong("b=3", f"{V}=5") == []
    assert page.go("beta=0.10").page.locator("#hash-problems").is_hidden()


def test_the_other_language_has_the_same_state(visit):
    choice = ["beta=1", "seed=1", "a=4", f"{U}=2"]
    page = Experiment(visit(f"en/{FILE}#{'&'.join(choice)}")).wait(*choice)
    page.page.click("#language")
    page.page.wait_for_url(f"**/zh/{FILE}*")
    assert Experiment(page.visit, "zh").wait(*choice).wrong(*choice) == []
    assert page.visit.complaints == []


def test_a_saved_page_opens_from_disk_and_keeps_its_numbers(visit, tmp_path):
    choice = ["beta=0.3", "update=50", "a=1"]
    page = Experiment(visit(f"zh/{FILE}#{'&'.join(choice)}"), "zh").wait(*choice)
    with page.page.expect_download() as download:
        page.page.click("#save-page")
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    saved = Experiment(visit(path.name, site=tmp_path), "zh")
    saved.page.wait_for_selector("html[data-state*='beta=0.3']")
    saved.page.wait_for_timeout(300)
    assert saved.wrong(*choice) == [] and saved.visit.errors == []


# --- without scripts, small, dark, on paper ---


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_scripts_the_default_state_is_there(visit, language):
    page = visit(f"{language}/{FILE}", javascript=False).page
    text = page.locator("main").inner_text()
    assert known().sentences(language)["picked"] in text
    numbers = page.locator("#digits-grid button[data-a] data").all_inner_texts()
    assert numbers == [known().registry[f"digits.grid.{a}.{b}"].text for a in range(10) for b in range(10)]
    assert page.locator("form[data-controls]:visible").count() == 0
    assert not re.search(r"\b(None|null|undefined|NaN)\b", text)


@pytest.mark.parametrize(
    ("theme", "width", "choice"), [("dark", 375, ["seed=5", "beta=3"]), ("light", 1440, ["beta=1"])]
)
def test_axe_finds_no_violation_and_nothing_is_wider_than_the_window(visit, theme, width, choice):
    """On a phone in a state that is not shipped (cells without a value), on a desktop in one that is."""
    page = Experiment(visit(f"en/{FILE}#beta=0.1", theme=theme, width=width)).wait("beta=0.1")
    page.visit.read_through()
    page.go(*choice)
    page.page.wait_for_selector("html:not(.busy)", state="attached")
    assert page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert test_pages.violations(page.page) == []
    in_the_other_theme(page.page, theme)
    assert test_pages.violations(page.page, rules=test_pages.COLOURS) == []
    assert page.visit.complaints == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_view_is_light(site, language):
    test_pages.test_the_first_view_is_light(site, language, PAGE)


def test_on_paper_every_cell_has_its_number(experiment):
    experiment.go("beta=0.1")
    experiment.page.emulate_media(media="print")
    with contextlib.ExitStack() as after:
        after.callback(experiment.page.emulate_media, media="screen")
        for selector in ("#digits-grid", "#table-p", "#table-q", "#table-share", "#table-final"):
            assert experiment.page.locator(selector).is_visible(), selector
        assert experiment.page.locator("#digits-grid button[data-a]:visible").count() == 100
        assert experiment.page.locator("form[data-controls]:visible").count() == 0
        shown = experiment.page.locator("dl.settings:visible").first.inner_text()
        assert "0.1" in shown and word("digits.beta") in shown
        assert experiment.wrong("beta=0.1") == []


@prints
def test_it_can_be_printed(visit):
    page = Experiment(visit(f"en/{FILE}#v=1&beta=0.1")).wait("beta=0.1").page
    assert len(printed(page)) > 10_000


def test_live_data_names_every_part(experiment):
    parts = experiment.page.evaluate("RLPU.live.data.parts")
    assert parts == json.loads(json.dumps(subject().live["parts"]))
    assert parts["curves"] and len(parts["grids"]) == len(trained()["grids"]["betas"])
