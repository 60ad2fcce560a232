"""Text for TeX: what the pages write becomes plain LaTeX, which compiles without packages."""

import re
import shutil
import subprocess

import pytest

from publish.words.tex import CHARACTERS, tex_address, tex_number, tex_text
from tests.content_tools import shipped_content, shipped_material


def english():
    """Return every text that an English citation may hold."""
    numbers = shipped_material().registry.values()
    terms = shipped_content().terms.texts
    texts = {number.label["en"] for number in numbers} | {number.text for number in numbers}
    texts |= {text["en"] for key, text in terms.items() if key.startswith("page.") and key.endswith("title")}
    return sorted(texts | {formula.text for formula in shipped_content().formulas.values()})


def test_every_english_text_becomes_ascii():
    rest = {character for text in english() for character in tex_text(text) if not character.isascii()}
    assert rest == set()


def test_nothing_is_left_that_means_something_to_tex():
    special = tex_text("\\{}#$%&_^~")
    assert re.sub(r"\\[#$%&_]|\\text\w+\{\}|\$\\[lr]brace\$", "", special) == ""
    for text in english():
        escaped = tex_text(text)
        assert len(re.findall(r"(?<!\\)\$", escaped)) % 2 == 0
        assert escaped.count("{") == escaped.count("}")


@pytest.mark.parametrize(
    ("text", "tex"),
    [
        ("0.1234", "$0.1234$"),
        ("−10", "$-10$"),
        ("−3.00 × 10⁻⁷", r"$-3.00 \times 10^{-7}$"),
        ("1.00 × 10¹²", r"$1.00 \times 10^{12}$"),
        ("< 10⁻¹¹", r"$< 10^{-11}$"),
        ("≈ −0.2", r"$\approx -0.2$"),
        ("∞", r"$\infty$"),
        ("−∞", r"$-\infty$"),
        ("undefined", "undefined"),
        ("无定义", "无定义"),
        ("—", "---"),
    ],
)
def test_numbers(text, tex):
    assert tex_number(text) == tex


def test_an_address_may_break_and_keeps_its_characters():
    address = "https://example.org/a_b/en/update.html#v=1&rewards=1,0&show=loss"
    tex = tex_address(address)
    assert re.sub(r"\\allowbreak |\\(?=[#&_])", "", tex) == address
    assert tex.count(r"\allowbreak") == address.count("/") + address.count("&") + address.count(",")


@pytest.mark.skipif(not shutil.which("pdflatex"), reason="no TeX on PATH; the escapes are checked above")
def test_every_character_compiles(tmp_path):
    lines = [r"\documentclass{article}\begin{document}", *map(tex_text, english()), *CHARACTERS.values()]
    (tmp_path / "a.tex").write_text("\n\n".join([*lines, r"\end{document}"]), encoding="ascii")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=300)
    assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]
