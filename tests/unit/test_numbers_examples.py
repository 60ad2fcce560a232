"""The examples of the numbers page: slides compile, cells run, the script fills in what it is asked for."""

import re
import shutil
import subprocess
import sys

import pytest

from publish.numbers import export
from tests.content_tools import shipped_content, shipped_material, shipped_subject

# What a document needs of a TeX: beamer's sets a hyperlink font under xelatex, ctex a Chinese one.
NEEDED = {
    ("pdflatex", "numbers-beamer.tex"): ["beamer.cls"],
    ("xelatex", "numbers-beamer.tex"): ["beamer.cls", "pzdr.tfm"],
    ("lualatex", "numbers-beamer.tex"): ["beamer.cls"],
    ("tectonic", "numbers-beamer.tex"): [],
    ("xelatex", "numbers-beamer-zh.tex"): ["ctexbeamer.cls", "pzdr.tfm", "FandolSong-Regular.otf"],
}


def texts():
    return {number.id: number.text for number in shipped_material().registry.values()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the data files beside the examples, as readers download them."""
    folder = tmp_path_factory.mktemp("downloads")
    material = shipped_material()
    files = {
        "numbers.json": export.numbers_json(material.registry, material.formulas, material.digest),
        "numbers.tex": export.numbers_tex(material.registry, material.digest),
        **shipped_subject("numbers").files,
    }
    for name, text in files.items():
        (folder / name).write_bytes(text.encode("utf-8"))
    return folder


def refuse_incomplete(program, needed):
    """Skip a test, with a word, where TeX or a part of it is missing."""
    if not shutil.which(program):
        pytest.skip(f"no {program} here")
    for name in needed:
        found = subprocess.run(["kpsewhich", name], capture_output=True)
        if found.returncode:
            pytest.skip(f"{program} is here, but not {name}")


def compiled(program, name, folder):
    """Run a TeX program; return its exit code and what it said."""
    options = [] if program == "tectonic" else ["-interaction=nonstopmode", "-halt-on-error"]
    run = subprocess.run([program, *options, name], cwd=folder, capture_output=True, timeout=300)
    return run.returncode, run.stdout.decode(errors="replace")


@pytest.mark.parametrize(("program", "name"), NEEDED)
def test_slides_compile(folder, program, name):
    refuse_incomplete(program, NEEDED[program, name])
    code, said = compiled(program, name, folder)
    assert code == 0, said[-2000:]
    assert (folder / name).with_suffix(".pdf").read_bytes().startswith(b"%PDF")


def test_an_unknown_id_does_not_compile(folder):
    refuse_incomplete("pdflatex", ["beamer.cls"])
    text = (folder / "numbers-beamer.tex").read_text("utf-8").replace("{loss}", "{lost}")
    (folder / "wrong.tex").write_text(text, "utf-8")
    code, said = compiled("pdflatex", "wrong.tex", folder)
    assert code != 0 and "no number has the id lost" in said


@pytest.mark.parametrize("name", ["numbers-beamer.tex", "numbers-beamer-zh.tex"])
def test_slides_are_short_and_name_numbers_that_there_are(folder, name):
    text = (folder / name).read_text("utf-8")
    named = re.findall(r"\\rlnumber\{([^}]+)\}", text)
    assert len(named) >= 4 and set(named) <= texts().keys()
    assert len(text.splitlines()) <= 12


def test_cells_of_the_quarto_document_run(folder, monkeypatch, capsys):
    text = (folder / "numbers-quarto.qmd").read_text("utf-8")
    assert text.startswith("---\n") and "jupyter: python3" in text.split("---")[1]
    monkeypatch.chdir(folder)
    scope = {}
    for cell in re.findall(r"^```\{python\}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        exec(compile(cell, "numbers-quarto.qmd", "exec"), scope)
    inline = [eval(code, scope) for code in re.findall(r"`\{python\} ([^`]+)`", text)]
    assert inline == [texts()[name] for name in ("loss", "loss_next", "gradient.0.0")] * 2
    registry = shipped_material().registry
    change = registry["loss_next"].value - registry["loss"].value
    label = registry["loss"].label
    assert capsys.readouterr().out == f"{label['en']} / {label['zh']}: changes by {change:.3g}\n"


def filled(folder, text):
    (folder / "notes.md").write_text(text, "utf-8")
    arguments = [sys.executable, "numbers-markdown.py", "notes.md", "filled.md"]
    run = subprocess.run(
        arguments, cwd=folder, capture_output=True, encoding="utf-8", env={"PYTHONUTF8": "1"}
    )
    return run.returncode, run.stderr


def test_the_markdown_script_fills_in_numbers(folder):
    said = filled(folder, "损失 [[loss]]，[[kl-and-clipping.kl]] [link](#a) [[loss]].\n")
    assert said == (0, "")
    loss, kl = texts()["loss"], texts()["kl-and-clipping.kl"]
    assert (folder / "filled.md").read_text("utf-8") == f"损失 {loss}，{kl} [link](#a) {loss}.\n"


def test_the_markdown_script_names_unknown_ids_and_writes_nothing(folder):
    (folder / "filled.md").unlink(missing_ok=True)
    code, said = filled(folder, "[[loss]] [[lost]] [[gradient.9.9]]\n")
    assert code == 1 and said.rstrip().endswith("lost, gradient.9.9")
    assert not (folder / "filled.md").exists()


def test_every_file_is_explained_on_the_page():
    terms = shipped_content().terms.texts
    names = ["json", "csv", "tex", *(name.split(".")[0] for name in shipped_subject("numbers").files)]
    assert len(names) == 7 and all(f"numbers.use_{name}" in terms for name in names)
