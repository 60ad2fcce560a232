"""What the scripts offer to any page: lists, words, flags, bound charts, formulas from a text, kinds of keys."""

from __future__ import annotations

import re

import pytest

from publish.page.keys import Bounds, Key, page_schema
from publish.page.subject import AFTER, BEFORE
from tests.browser.driving import Live, until

pytestmark = pytest.mark.browser

# A part of a page, as a build writes it, with a painter of its own.
PART = """() => {
    const part = document.createElement("section");
    part.id = "part";
    part.innerHTML = `<p data-word="other.verdict" data-words="side">at first</p>
        <p data-when="other.is_high">high</p><p data-unless="other.is_high" hidden>low</p>
        <table><tbody data-list="other.rows"><tr><td><data class="number" data-number="other.rows.0.p"
            value="0.5">0.5000</data></td></tr><template data-row><tr id="row-@"><td><data class="number"
            data-number="other.rows.@.p" value="">—</data></td></tr></template></tbody></table>`;
    document.getElementById("main").append(part);
    window.painter = RLPU.Painter({keys: [], settings: {}, numbers: {"other.rows.*.p": [2, "p", "p", ""]},
        words: {"side.forward": "forward", "number.undefined": "not defined"}});
}"""
LOOK = """() => ({
    rows: [...document.querySelectorAll("#part tr")].map((row) => row.textContent),
    shown: [...document.querySelectorAll("#part p")].filter((p) => !p.hidden).map((p) => p.textContent)})"""


@pytest.fixture(scope="module")
def page(visiting):
    """Return a page whose scripts are used one by one."""
    with visiting("en/update.html") as seen:
        yield seen.page


@pytest.fixture
def part(page):
    """Return a function that paints results into a new part of the page, which has its own painter."""
    page.evaluate("document.getElementById('part')?.remove()")
    page.evaluate(PART)

    def paint(results):
        page.evaluate("results => painter.results({other: results})", results)
        return page.evaluate(LOOK)

    return paint


def test_a_list_has_as_many_rows_as_the_results(part):
    assert part({"rows": [{"p": 0.25}, {"p": -1}, {"p": "nan"}]})["rows"] == ["0.25", "−1.00", "not defined"]
    assert part({"rows": [{"p": 0.125}]})["rows"] == ["0.13"]
    assert part({"rows": []})["rows"] == []
    assert part({"rows": [{"p": 1}, {"p": 2}]})["rows"] == ["1.00", "2.00"]
    assert part({})["rows"] == ["1.00", "2.00"]


def test_words_and_flags_follow_the_results(part):
    assert part({})["shown"] == ["at first", "high"]
    assert part({"verdict": "forward", "is_high": False})["shown"] == ["forward", "low"]
    assert part({"verdict": "unheard", "is_high": [1]})["shown"] == ["unheard", "high"]
    assert part({"is_high": []})["shown"] == ["unheard", "low"]


FILL = """([template, captured]) => {
    const values = {"a.0.p": 0.5, "a.0.q": -0.25, "a.kl": -1, none: null};
    const painter = {value: (id) => values[id], text: (id, value) => RLPU.format.text(value, 2)};
    try {
        return new RLPU.formulas.Writer(painter).lines(template, captured);
    } catch (error) {
        return error instanceof RLPU.formulas.Absent ? [] : String(error);
    }
}"""


@pytest.mark.parametrize(
    ("template", "lines"),
    [
        ("KL = {a.*.p} × {a.*.q}\n= {a.kl}", ["KL = 0.50 × (−0.25)", "= −1.00"]),
        ("{a.*.p} − {a.kl} + {a.kl} / {a.kl}", ["0.50 − (−1.00) + (−1.00) / (−1.00)"]),
        ("log( {a.0.q} )", ["log( −0.25 )"]),
        ("{a.*.p} + {none}", []),
        ("{a.1.p}", []),
    ],
)
def test_a_formula_from_a_text(page, template, lines):
    assert page.evaluate(FILL, [template, ["0"]]) == lines


def test_a_chart_shows_results_where_it_says_so(visit):
    page = visit("en/update.html").page
    page.locator("#chart-kl").scroll_into_view_if_needed()
    page.locator("html[data-state]").wait_for(state="attached")
    page.evaluate(
        """() => {
            const { update } = RLPU.charts;
            RLPU.charts.update = () => {}; // the page's own curves come late, and would replace these
            delete RLPU.charts.renew.kl;
            const source = document.getElementById("chart-kl-data");
            const figure = JSON.parse(source.textContent);
            figure.bind = [["data.0.y", "other.curve"], ["layout.xaxis.title.text", "other.title"],
                ["data.0.x", "other.no"]];
            source.textContent = JSON.stringify(figure);
            update({other: {curve: [1, "inf", 3, "nan"], title: "betas"}});
            document.getElementById("chart-kl").scrollIntoView();
        }"""
    )
    until(page, "() => document.querySelector('#chart-kl .plot').layout?.xaxis.title.text === 'betas'")
    drawn = page.evaluate(
        """() => {
            const {data, layout} = document.querySelector("#chart-kl .plot");
            return [[...data[0].y], layout.xaxis.title.text, data[0].x.length];
        }"""
    )
    assert drawn == [[1, None, 3, None], "betas", 21]


def test_a_point_with_settings_chooses_them(live):
    page = live()
    page.visit.read_through()
    page.page.evaluate(
        """() => document.querySelector("#chart-kl .plot").emit("plotly_click",
            {points: [{customdata: {beta: 0.5, step: 3}}]})"""
    )
    page.shows("beta=0.5", "step=3")
    page.page.evaluate(
        "() => document.querySelector('#chart-kl .plot').emit('plotly_click', {points: [{customdata: null}]})"
    )
    assert page.visit.complaints == []


def test_another_interpreter_can_be_made(page):
    made = page.evaluate(
        """async () => {
            const {micropython, wasm, core} = await RLPU.engine.parts();
            return [typeof micropython, WebAssembly.validate(wasm), "compute/live.py" in core];
        }"""
    )
    assert made == ["function", True, True]


KEYS = (
    Key("count", "whole", ("1 to 64", ""), most=64, bounds=Bounds(least=1)),
    Key("share", "number", ("0 to 1", ""), bounds=Bounds(least=0, most=1)),
    Key("shares", "numbers", ("3 numbers", ""), bounds=Bounds(least=0, most=1), count=3),
    Key("words", "text", ("at most 9 characters", ""), most=9),
)
TEXTS = ("", "0", "1", "64", "65", "007", "1.0", "-1", "-0", ".5", "1e-9", "1.0000001", "nan", "1e400", "1_0", "１",
         "0,1", "0,1,.5", " 1 , 0,1e-3 ", "0,1,0,1", "0,1,", "0,1,2", "-0.1,0,0", "0,0,inf", "0;0;0",
         "__proto__", "比率 ρ", "一二三四五六七八九", "一二三四五六七八九十")  # fmt: skip


@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
def test_other_kinds_of_keys_are_read_as_in_python(page, key):
    schema = page_schema([key], "en")
    for text in TEXTS:
        try:
            wanted = key.check(text.strip())
        except ValueError:
            wanted = None
        read = page.evaluate(
            "([keys, hash]) => RLPU.hash.read(hash, {keys, schema: 1})", [schema, f"{key.name}={text}"]
        )
        assert read["settings"].get(key.name) == wanted, text
        assert bool(read["wrong"]) == (wanted is None), text


# A page with two forms and a few numbers, and nothing else that the main page has.
SMALL = """<!doctype html><html lang="en" class="no-js"><meta charset="utf-8"><title>small</title>
<script src="../assets/js/early.js"></script><body><main id="main">
<form data-controls hidden><div class="control"><label>β <input name="beta" type="number"
step="any" value="0.1"></label>
<input type="range" data-for="beta" aria-label="β" min="0" max="1" step="0.001" value="0.1"></div></form>
<p data-live><data class="number" data-number="loss" value="">—</data></p>
<form data-controls hidden><div class="control"><label>k <input name="step" type="range" min="0" max="20"
value="0"></label>
<output data-of="step">0</output><input data-list-key="rewards"><input data-list-key="rewards"><input
data-list-key="rewards"><input data-list-key="rewards"></div><button type="button" data-defaults>default</button></form>
</main><script type="application/json" id="live-data">DATA</script>SCRIPTS
<script>RLPU.live = RLPU.Live({status: (state) => "step " + state.step});</script>LAST</body></html>"""


@pytest.fixture
def small(visit, site, tmp_path):
    """Return a live page of its own that has only what every page may have."""
    data = re.search(r'id="live-data">(.*?)</script>', (site / "en" / "update.html").read_text("utf-8"))[1]
    scripts, last = (
        "".join(f'<script src="../assets/js/{name}.js"></script>' for name in names)
        for names in (BEFORE, AFTER)
    )
    (tmp_path / "en").mkdir()
    (tmp_path / "assets").symlink_to(site / "assets", target_is_directory=True)
    text = SMALL.replace("DATA", data).replace("SCRIPTS", scripts).replace("LAST", last)
    (tmp_path / "en" / "small.html").write_text(text, encoding="utf-8")
    return Live(visit("en/small.html", site=tmp_path))


def test_a_page_without_much_of_the_main_page_is_live(small):
    page = small.wait().page
    page.locator("[name=beta]").fill("0.5")
    small.wait("beta=0.5")
    assert page.locator("[data-for=beta]").input_value() == "0.5"
    page.locator("[data-for=beta]").fill("0.25")
    small.wait("beta=0.25")
    page.locator("[name=step]").fill("3")
    small.wait("beta=0.25", "step=3")
    assert page.locator("output").inner_text() == "3"
    assert small.wrong("beta=0.25", "step=3") == []
    small.go("rewards=1,2,3,4")
    boxes = page.locator("[data-list-key=rewards]")
    assert boxes.evaluate_all("all => all.map((box) => box.value)") == ["1", "2", "3", "4"]
    boxes.nth(2).fill("x")
    assert boxes.nth(2).evaluate("box => box.validationMessage").startswith("rewards")
    boxes.nth(2).fill("-1")
    small.wait("rewards=1,2,-1,4")
    page.locator("data.number").click()
    assert page.locator(".card-value").inner_text() == page.locator("data.number").get_attribute("value")
    page.keyboard.press("Escape")
    page.evaluate("location.hash = 'beta=0.3&lock=beta&bta=1'")
    small.wait("beta=0.3", lock="beta")
    assert page.locator("[name=beta]").is_disabled() and page.locator("[data-for=beta]").is_disabled()
    page.locator("[data-defaults]").click()
    small.wait("beta=0.3", lock="beta")
    assert small.visit.complaints == []
