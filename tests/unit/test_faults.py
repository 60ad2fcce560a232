"""What content/faults.toml says of each wrong path: every entry, every mistake in one, addresses, names, formulas."""

import re
import tomllib

import pytest

from compute.paths import PATHS
from publish.faults.notes import PARTS, Report, load_faults, name_paths, report
from publish.reading.problems import Problems
from publish.reading.toml_text import TomlText
from publish.words.language import LANGUAGES, Text
from publish.words.terms import Terms
from tests.content_tools import (
    CONTENT,
    as_bytes,
    changed,
    line_of,
    problems_of,
    shipped_content,
    shipped_subject,
    shipped_word,
)
from tests.documents import document
from tests.mistakes import assert_named, each_of, spoiled

WRONG = [name for name in PATHS if name != "correct"]
SHIPPED = (CONTENT / "faults.toml").read_text(encoding="utf-8")
FORMULAS = tomllib.loads((CONTENT / "formulas.toml").read_text(encoding="utf-8"))
# The specification's verdict: those not named shipped, and a public fix was read.
EVIDENCE = {
    "reported": {"unclipped-averaged", "ratio-always-one"},
    "by-design": {"product-ratio"},
    "constructed": {"clip-then-multiply", "old-not-detached", "old-is-reference", "kl-reversed"},
}
# One path alone, and what stands in its entry.
ONE = """[own-group]
part = "advantages"
evidence = "shipped"
reports = ["a/b#12"]
title = { zh = "题", en = "title" }
what = { zh = "文", en = "text" }
"""


def load(text):
    return load_faults(TomlText("faults.toml", as_bytes(text)))


def of_one(text):
    """Return the problems of an entry that stands alone, but those of the entries that are missing."""
    source = TomlText("faults.toml", as_bytes(text))
    return [p for p in problems_of(load_faults, source) if p.line is not None or p.key not in WRONG]


def test_every_wrong_path_has_an_entry_and_only_those():
    faults = shipped_content().faults
    assert list(faults) == WRONG and "correct" not in faults
    assert {entry.part for entry in faults.values()} == set(PARTS)
    assert all(name == entry.name for name, entry in faults.items())
    assert load(SHIPPED) == faults


def test_evidence_is_what_the_specification_says():
    told = {name: kind for kind, names in EVIDENCE.items() for name in names}
    assert {name: entry.evidence for name, entry in shipped_content().faults.items()} == {
        name: told.get(name, "shipped") for name in WRONG
    }
    for entry in shipped_content().faults.values():
        assert entry.reports or entry.evidence == "constructed", "who says so names where"


def test_texts_are_in_both_languages_and_no_two_titles_are_the_same():
    faults = shipped_content().faults.values()
    for entry in faults:
        for text in (entry.title, entry.what):
            assert text.zh.strip() == text.zh != "" and text.en.strip() == text.en != ""
            assert re.search("[一-鿿]", text.zh) and not re.search("[一-鿿]", text.en)
        assert not re.search(r"(?<![a-z])[0-9]", entry.title.zh + entry.title.en), "k1 and k3 are names"
    for language in LANGUAGES:
        assert len({entry.title[language] for entry in faults}) == len(WRONG)


def test_the_order_of_the_file_does_not_matter():
    blocks = re.split(r"(?m)^(?=\[)", SHIPPED)
    assert list(load(blocks[0] + "".join(reversed(blocks[1:])))) == WRONG


# name, text of the one entry, what stands there instead, key within the entry (after = the whole key), what the
# message says; the line is that of the new text
ALLOWED_TITLE, ALLOWED_WHAT = (
    "allowed: the title, { zh = …, en = … }",
    "allowed: what is computed instead, { zh",
)
ALLOWED_REPORTS = "allowed: a list of owner/repository#issue, owner/repository!pull, owner/repository@commit"
CASES = [
    ("part", '"advantages"', '"advantage"', "part", "kl, advantages, weights, sign; did you mean \"advantages\"?"),
    ("part in capitals", '"advantages"', '"KL"', "part", 'found "KL"; allowed: surrogate, old-policy'),
    ("part a number", '"advantages"', "3", "part", "found 3; allowed: surrogate"),
    ("no part", 'part = "advantages"\n', "@ [own-group]", "part", "missing; allowed: surrogate, old-policy"),
    ("evidence", '"shipped"', '"shiped"', "evidence", 'by-design or constructed; did you mean "shipped"?'),
    ("evidence a list", '"shipped"', '["shipped"]', "evidence", "allowed: shipped, reported, by-design or constructed"),
    ("no evidence", 'evidence = "shipped"\n', "@ [own-group]", "evidence", "missing; allowed: shipped, reported"),
    ("claim", '"shipped"', '"shipped"\nclaim = "a >"@ claim =', "claim", "position 4 of the condition: it ends"),
    ("claim a number", '"shipped"', '"shipped"\nclaim = 5@ claim =', "claim", "allowed: the condition under which"),
    ("no title", 'title = { zh = "题", en = "title" }\n', "@ [own-group]", "title", f"missing; {ALLOWED_TITLE}"),
    ("title in one language", '{ zh = "题", en = "title" }', '{ en = "title" }', "title.zh", "missing"),
    ("title a text", '{ zh = "题", en = "title" }', '"title"', "title", f'found "title"; {ALLOWED_TITLE}'),
    ("title with more", 'en = "title" }', 'en = "title", fr = "titre" }', "title.fr", "allowed here: zh, en"),
    ("title a number", 'en = "title"', "en = 7", "title.en", "found 7"),
    ("no text", 'what = { zh = "文", en = "text" }\n', "@ [own-group]", "what", f"missing; {ALLOWED_WHAT}"),
    ("text in one language", '{ zh = "文", en = "text" }', '{ zh = "文" }', "what.en", "missing"),
    ("unknown key", '[own-group]', "[own-group]\nreport = 1@ report = 1", "report", "allowed here: part, ev"),
    ("no reports", 'reports = ["a/b#12"]\n', "@ [own-group]", "reports", f"missing; {ALLOWED_REPORTS}"),
    ("reports a text", '["a/b#12"]', '"a/b#12"', "reports", f'found "a/b#12"; {ALLOWED_REPORTS}'),
    ("a report a number", '["a/b#12"]', "[12]", "reports.0", f"found 12; {ALLOWED_REPORTS}"),
    ("the second report", '["a/b#12"]', '["a/b#12", "a/b"]', "reports.1", f'found "a/b"; {ALLOWED_REPORTS}'),
    ("a spelling", '[own-group]', "[own-gruop]", "=own-gruop", 'there is no such path; did you mean "own-group"?'),
    ("the correct path", "[own-group]", "[correct]", "=correct", "there is no such path"),
    ("a number for an entry", ONE, "own-group = 5\n", "=own-group", "found 5"),
    ("not TOML", "[own-group]", "［own-group］", "=", "［ → ["),
]  # fmt: skip


@each_of(CASES)
def test_mistake(old, new, key, says):
    text, line = spoiled(ONE, old, new)
    (problem,) = of_one(text)
    assert_named(problem, line, key[1:] if key.startswith("=") else f"own-group.{key}", says)
    assert problem.file == "faults.toml"


# "#" and "!" are followed by a number in decimals, "@" by 7 to 40 hexadecimals of a commit.
BAD_REPORTS = [
    *("", "12", "#12", "b#12", "/b#12", "a/#12", "a/b", "a/b#", "a/b$12", "a/b#12x", "a/b#12#13", "a/b/c#12"),
    *("a b/c#12", " a/b#12", "a/b#12 ", "a/b #12", "a/b#-1", "a/b@", "a/b@9EC2FA9", "a/b@xyz", "a/b＃12"),
    *("https://github.com/a/b/issues/12", "a/b#7dc0baef", "a/b!21ff"),
    *("a/b#0", "a/b!012", "a/b@9ec2fa", "a/b@" + "0" * 41),
]


@pytest.mark.parametrize("text", BAD_REPORTS)
def test_a_report_that_names_nothing(text):
    (problem,) = of_one(changed(ONE, "a/b#12", text))
    assert (problem.line, problem.key) == (4, "own-group.reports.0")
    assert f'found "{text}"; {ALLOWED_REPORTS}' in str(Problems([problem]))


def test_paths_without_an_entry_are_all_named():
    problems = problems_of(load, ONE)
    assert {problem.key for problem in problems} == set(WRONG) - {"own-group"} and len(problems) == len(
        WRONG
    ) - 1
    for problem in problems:
        assert problem.line is None and problem.what == (
            "missing; every path has an entry",
            "缺少此项；每条路径都要有一项",
        )


def test_mistakes_of_several_entries_at_once():
    text = changed(SHIPPED, 'evidence = "constructed"', 'evidence = "made up"')
    text = changed(text, 'part = "sign"', 'part = "signs"')
    text = changed(text, '["rllm-org/rllm#81"]', '["rllm-org/rllm"]')
    text = changed(text, "[kl-reversed]", "[kl-revresed]")
    found = [(problem.line, problem.key) for problem in problems_of(load, text)]
    assert found == [
        (None, "kl-reversed"),
        (line_of(text, '"made up"'), "clip-then-multiply.evidence"),
        (line_of(text, '["rllm-org/rllm"]'), "unclipped-averaged.reports.0"),
        (line_of(text, "[kl-revresed]"), "kl-revresed"),
        (line_of(text, '"signs"'), "double-negation.part"),
    ]


def test_a_file_that_cannot_be_read_whole_names_no_path_as_missing():
    text = changed(SHIPPED, 'part = "sign"', "part = ＂sign＂")
    assert [problem.line for problem in problems_of(load, text)] == [line_of(text, "part = ＂sign＂")]
    # What could not be read may have been the other entries.
    assert [problem.line for problem in problems_of(load, ONE + "x = = 1\n")] == [7]


def test_mistakes_of_one_entry_at_once():
    text = changed(changed(ONE, '"shipped"', "5"), 'en = "text"', "en = 5")
    assert [(p.line, p.key) for p in of_one(text)] == [(3, "own-group.evidence"), (6, "own-group.what.en")]


@pytest.mark.parametrize(
    ("text", "name", "address"),
    [
        ("takuseno/ppo#3", "takuseno/ppo #3", "https://github.com/takuseno/ppo/issues/3"),
        ("NVIDIA-NeMo/RL!2506", "NVIDIA-NeMo/RL PR #2506", "https://github.com/NVIDIA-NeMo/RL/pull/2506"),
        (
            "a.b/c_d-e.f@7dc0baef",
            "a.b/c_d-e.f commit 7dc0baef",
            "https://github.com/a.b/c_d-e.f/commit/7dc0baef",
        ),
    ],
)
def test_addresses_of_issue_pull_request_and_commit(text, name, address):
    assert report(text) == Report(name, address)


def test_reports_are_those_of_the_file_each_once():
    data = tomllib.loads(SHIPPED)
    for name, entry in shipped_content().faults.items():
        assert entry.reports == [report(text) for text in data[name]["reports"]]
        assert len({found.address for found in entry.reports}) == len(entry.reports)
        kinds = {text: re.search("[#!@]", text)[0] for text in data[name]["reports"]}
        for text, found in zip(kinds, entry.reports):
            owner, _, number = text.partition(kinds[text])
            page = {"#": "issues", "!": "pull", "@": "commit"}[kinds[text]]
            assert found.address == f"https://github.com/{owner}/{page}/{number}"


@pytest.mark.parametrize("name", WRONG)
def test_both_formulas_and_the_term_that_differs(name):
    right, wrong = (FORMULAS[f"fault.{name}.{side}"] for side in ("right", "wrong"))
    assert wrong["tex"].count(r"\qfault{") >= 1 and r"\qfault" not in right["tex"]
    assert right["text"] != wrong["text"] and "qfault" not in right["text"] + wrong["text"]
    made = shipped_content().formulas
    for markup in ("inline", "display"):
        assert 'class="q-fault"' in getattr(made[f"fault.{name}.wrong"], markup)
        assert "q-fault" not in getattr(made[f"fault.{name}.right"], markup)


def test_no_formula_belongs_to_no_path():
    named = {key for key in FORMULAS if key.startswith("fault.")}
    assert named == {f"fault.{name}.{side}" for name in WRONG for side in ("right", "wrong")}
    assert [key for key, entry in FORMULAS.items() if "qfault" in str(entry) and key not in named] == []


def update(language):
    return document("update", language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_paths_are_named_in_the_control_that_chooses_one(language):
    (select,) = update(language).all("select", name="path")
    options = {e.attributes["value"]: e.text for e in update(language).under(select) if e.tag == "option"}
    assert list(options) == list(PATHS)
    assert options["correct"] == shipped_word("setting.path_correct", language)
    for name, entry in shipped_content().faults.items():
        assert options[name].startswith(name) and entry.title[language] in options[name]
        assert options[name] == shipped_word(f"setting.path_{name}", language)
    (key,) = [key for key in shipped_subject().keys if key.name == "path"]
    assert list(key.words) == list(options)


def test_names_are_made_of_the_entries():
    terms = Terms(TomlText("terms.toml", as_bytes('[a]\nzh = "一"\nen = "one"\n')))
    faults = {"own-group": shipped_content().faults["own-group"]}
    name_paths(terms, faults)
    title = faults["own-group"].title
    assert terms.texts == {
        "a": Text("一", "one"),
        "setting.path_own-group": Text(f"own-group（{title.zh}）", f"own-group: {title.en}"),
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_main_page_tells_of_every_path_and_shows_the_chosen_one(language):
    page = update(language)
    blocks = {e.attributes["data-path"]: e for e in page.elements if "data-path" in e.attributes}
    assert list(blocks) == WRONG
    assert all("hidden" in block.attributes for block in blocks.values()), (
        "the default path is the correct one"
    )
    for name, block in blocks.items():
        entry = shipped_content().faults[name]
        assert entry.title[language] in block.text and entry.what[language] in block.text
        links = [e.attributes["href"] for e in page.under(block) if e.tag == "a"]
        assert links == [f"faults.html#{name}"]
