"""Vendored files are what vendor.toml says, and the math font can set the pages' formulas."""

from __future__ import annotations

import re
import shutil
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from publish import vendor
from tests.content_tools import shipped_content

FONT = vendor.ROOT / "templates/assets/vendor/latinmodern-math/latinmodern-math.woff2"
BOLD_FONT = FONT.with_stem("latinmodern-math-bold")

ASCII = "".join(map(chr, range(0x20, 0x7F)))
GREEK = "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩαβγδεζηθικλμνξοπρςστυφχψωϑϕϖϱϵ"
# U+1D455 is not assigned: the italic h is U+210E, the sign of Planck's constant.
ITALIC = "".join(chr(c) for c in range(0x1D434, 0x1D468) if c != 0x1D455) + "ℎ"
BOLD = "".join(map(chr, [*range(0x1D400, 0x1D434), *range(0x1D468, 0x1D49C)]))
ITALIC_GREEK = "".join(map(chr, range(0x1D6E2, 0x1D71C)))
BOLD_ITALIC_GREEK = "".join(map(chr, range(0x1D71C, 0x1D756)))
OPERATORS = "−×·±≤≥≠≈∈∑∏∫∇∂√∞→←↦′‖∣|⟨⟩⌊⌋⊤∘≔…⋯"
LETTERS = "ℝ𝔼𝟙ℒℓ"
INVISIBLE = "\u2061\u2062\u2063\u2064"
ACCENTS = "^ˆ\u0302¯\u0304\u0305~˜\u0303"


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a root that holds a copy of the vendor folders only."""
    for folder in vendor.FOLDERS:
        shutil.copytree(vendor.ROOT / folder, tmp_path / folder)
    return tmp_path


@pytest.fixture(scope="module")
def font() -> Any:
    """Return the math font, opened."""
    return import_module("fontTools.ttLib").TTFont(FONT)


def test_checksums_hold() -> None:
    assert vendor.problems(vendor.ROOT) == []


def test_every_folder_holds_a_licence() -> None:
    for entry in vendor.read_manifest(vendor.ROOT):
        assert any("LICENSE" in Path(file.path).name for file in entry.files), entry.name


def test_all_mistakes_are_reported_at_once(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed = copy / "templates/assets/vendor/plotly/plotly-basic.min.js"
    changed.write_bytes(changed.read_bytes() + b"\n")
    (copy / "tests/browser/vendor/axe-core/LICENSE.txt").unlink()
    (copy / "templates/assets/vendor/micropython/extra.js").write_text("", encoding="utf-8")

    assert vendor.main(["check"], copy) == 1

    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("templates/assets/vendor/plotly/plotly-basic.min.js: changed")
    assert lines[1] == "tests/browser/vendor/axe-core/LICENSE.txt: missing"
    assert lines[2].startswith("templates/assets/vendor/micropython/extra.js: not listed")


def test_new_checksums_replace_old_ones_in_place() -> None:
    before = (vendor.ROOT / vendor.MANIFEST).read_text(encoding="utf-8")
    files = [file for entry in vendor.read_manifest(vendor.ROOT) for file in entry.files]
    first, second = files[0], files[-1]
    after = vendor.with_checksums(before, {first.path: "1" * 64, second.path: "2" * 64})
    assert after == before.replace(first.sha256, "1" * 64).replace(second.sha256, "2" * 64)


def test_without_npm_one_line_says_so_and_nothing_is_written(
    copy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(copy))
    assert vendor.main(["renew"], copy) == 1
    error = capsys.readouterr().err
    assert error.startswith("npm is not installed") and error.count("\n") == 1
    assert vendor.problems(copy) == []


@pytest.mark.parametrize(
    "characters",
    [
        *(ASCII, GREEK, ITALIC, ITALIC_GREEK),
        *(OPERATORS, LETTERS, INVISIBLE, ACCENTS),
    ],
)
def test_font_covers(font: Any, characters: str) -> None:
    known = font.getBestCmap()
    assert [f"U+{ord(c):04X} {c}" for c in characters if ord(c) not in known] == []


def test_bold_letters_have_a_file_that_only_their_pages_fetch() -> None:
    known = import_module("fontTools.ttLib").TTFont(BOLD_FONT).getBestCmap()
    assert set(map(chr, known)) == {*BOLD, *BOLD_ITALIC_GREEK}
    style = (vendor.ROOT / "templates/assets/css/style.css").read_text(encoding="utf-8")
    (ranges,) = re.findall("unicode-range: ([^;]+);", style)
    named = [re.fullmatch(r"U\+(\w+)-(\w+)", text) for text in ranges.split(", ")]
    assert {n for m in named if m for n in range(int(m[1], 16), int(m[2], 16) + 1)} == set(known)


class Letters(HTMLParser):
    """The characters of some MathML; a letter alone in <mi> is shown in italics."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self.italic = False
        self.feed(markup)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.italic = tag == "mi" and ("mathvariant", "normal") not in attrs

    def handle_data(self, data: str) -> None:
        self.found |= set(data)
        if self.italic and len(data) == 1 and data.isascii() and data.isalpha():
            self.found.add(
                "ℎ"
                if data == "h"
                else chr(ord(data) - ord("a") + 0x1D44E)
                if data.islower()
                else chr(ord(data) - ord("A") + 0x1D434)
            )


def test_letters_of_mathml() -> None:
    assert Letters("<mi>a</mi><mi>h</mi><mi>Z</mi>").found == set("ahZ𝑎ℎ𝑍")
    assert Letters('<mi>log</mi><mi mathvariant="normal">d</mi><mo>&#8214;</mo>').found == set("logd‖")


@pytest.mark.parametrize("name", shipped_content().formulas)
def test_font_covers_formula(font: Any, name: str) -> None:
    formula = shipped_content().formulas[name]
    shown = Letters(formula.inline).found | Letters(formula.display).found
    known = font.getBestCmap()
    assert shown and [f"U+{ord(c):04X} {c}" for c in shown if ord(c) not in known and not c.isspace()] == []


def test_font_keeps_what_mathml_needs(font: Any) -> None:
    variants = font["MATH"].table.MathVariants
    stretched = dict(zip(variants.VertGlyphCoverage.glyphs, variants.VertGlyphConstruction, strict=True))
    names = font.getBestCmap()
    for bracket in "()[]{}|‖⌊⌋√":
        form = stretched[names[ord(bracket)]]
        assert form.MathGlyphVariantRecord and form.GlyphAssembly, bracket


def test_changed_font_bears_its_own_name(font: Any) -> None:
    """The GUST Font License asks that a changed font be renamed, and its authors stay named."""
    assert {font["name"].getDebugName(name_id) for name_id in (1, 4)} == {"RLPU Math"}
    assert font["CFF "].cff.fontNames == ["RLPUMath-Regular"]
    assert "GUST" in font["name"].getDebugName(0)


def test_the_pages_stay_light() -> None:
    assert 40_000 < FONT.stat().st_size < 75_000
