"""Colours and files that pages load."""

import re
import tomllib
from functools import cache

import pytest

from publish.rendering.assets import palette_css, write_assets
from publish.site import TEMPLATES
from publish.words.formulas import MARKS
from tests.content_tools import files_of

SOURCES = [*(TEMPLATES / "assets" / "css").glob("*.css"), *(TEMPLATES / "assets" / "js").glob("*.js")]
PUBLISH = TEMPLATES.parent / "publish"
CHARTS = sorted(PUBLISH.rglob("charts.py"))  # figures name colours too
THEMES = ("light", "dark")


@cache
def palette():
    return tomllib.loads((TEMPLATES / "palette.toml").read_text(encoding="utf-8"))


def luminance(colour):
    """Return the relative luminance of #rrggbb (WCAG 2.2, "relative luminance")."""
    channels = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    """Return the contrast ratio of two colours (WCAG 2.2, "contrast ratio")."""
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_itself():
    # From the definition: black on white is 21; #767676 is the well-known darkest grey's neighbour at 4.54 on white.
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.005)


@pytest.mark.parametrize("theme", [0, 1], ids=THEMES)
@pytest.mark.parametrize("ground", palette()["ground"])
def test_text_and_quantities_can_be_read_on_every_ground(ground, theme):
    colours = {**palette()["text"], **palette()["quantity"]}
    ratios = {
        name: contrast(pair[theme], palette()["ground"][ground][theme]) for name, pair in colours.items()
    }
    assert {name: round(ratio, 2) for name, ratio in ratios.items() if ratio < 4.5} == {}


@pytest.mark.parametrize("theme", [0, 1], ids=THEMES)
def test_lines_of_charts_and_controls_can_be_seen(theme):
    # WCAG 2.2, 1.4.11: graphics need 3 : 1.
    assert contrast(palette()["line"]["strong-line"][theme], palette()["ground"]["page"][theme]) >= 3


def test_every_quantity_has_its_own_colour():
    # The mark "fault" is no quantity: it says where a wrong formula differs, by a ground and a line below.
    assert set(palette()["quantity"]) == set(MARKS) - {"fault"} and "fault" in MARKS
    css = (TEMPLATES / "assets" / "css" / "faults.css").read_text(encoding="utf-8")
    (rule,) = re.findall(r"^\.q-fault \{(.*)\}$", css, re.MULTILINE)
    assert {"background", "border-bottom"} <= set(re.findall(r"([\w-]+):", rule))
    assert not re.search(r"(^|[ ;])color:", rule), "the quantities inside keep their colours"
    for theme in (0, 1):
        colours = [pair[theme] for pair in palette()["quantity"].values()]
        assert len(set(colours)) == len(colours)
    for group in palette().values():
        for pair in group.values():
            assert len(pair) == 2 and all(re.fullmatch("#[0-9a-f]{6}", colour) for colour in pair)


def defined_names():
    css = palette_css(TEMPLATES / "palette.toml") + "".join(
        path.read_text(encoding="utf-8") for path in SOURCES
    )
    return set(re.findall(r"(--[\w-]+)\s*:", css))


@pytest.mark.parametrize("path", [*SOURCES, *TEMPLATES.rglob("*.html"), *CHARTS])
def test_every_custom_property_is_defined(path):
    text = path.read_text(encoding="utf-8")
    used = set(re.findall(r"var\((--[\w-]+)\)", text)) - {"--name"}  # --name stands for any, in comments
    assert used - defined_names() == set()


def test_the_charts_are_found():
    assert {path.parent.name for path in CHARTS} == {"page", "update", "kl", "digits"}


def test_figures_name_quantities_that_there_are():
    text = "".join(path.read_text(encoding="utf-8") for path in CHARTS)
    assert set(re.findall(r'quantity\("(\w+)"\)', text)) <= set(palette()["quantity"])


def test_every_colour_is_used():
    text = "".join(path.read_text(encoding="utf-8") for path in [*SOURCES, *CHARTS])
    for group, colours in palette().items():
        if group != "quantity":  # those are used by quantity, in charts and classes
            assert [name for name in colours if f"var(--{name})" not in text] == []
    for quantity in palette()["quantity"]:
        assert f".q-{quantity}" in text, "formulas and tables use the class"


def test_palette_gives_light_and_dark_for_system_reader_and_paper():
    css = palette_css(TEMPLATES / "palette.toml")
    light, dark = palette()["ground"]["page"]
    blocks = re.split(r"(?=^:root|^@media)", css, flags=re.MULTILINE)[1:]
    shown = [re.search(r"--page: (#\w+);", block)[1] for block in blocks if "--page" in block]
    assert shown == [light, dark, dark, light]
    assert css.count("{") == css.count("}")
    assert "prefers-color-scheme: dark" in css and "@media print" in css


def test_assets_name_no_other_host(tmp_path):
    write_assets(TEMPLATES, tmp_path)
    for name, content in files_of(tmp_path / "assets").items():
        if name.endswith((".css", ".svg")) or name.startswith("js/"):
            text = content.decode("utf-8").replace("http://www.w3.org/2000/svg", "")
            assert not re.search(r"https?:|//\w+\.\w|@import", text), name


def test_every_file_that_a_style_sheet_names_is_there(tmp_path):
    write_assets(TEMPLATES, tmp_path)
    names = re.findall(r'url\("([^"]+)"\)', (tmp_path / "assets" / "style.css").read_text(encoding="utf-8"))
    assert names != []
    assert [name for name in names if not (tmp_path / "assets" / name).is_file()] == []
    assert {"icon.svg", "style.css", "js/page.js", "js/charts.js"} <= set(files_of(tmp_path / "assets"))


def test_licences_are_shipped(tmp_path):
    write_assets(TEMPLATES, tmp_path)
    for folder in (tmp_path / "assets" / "vendor").iterdir():
        assert [path.name for path in folder.iterdir() if "LICENSE" in path.name] != [], folder.name
