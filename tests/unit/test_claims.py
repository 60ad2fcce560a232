"""Claims: which do not hold, how they are reported with file and line, and ids that name nothing."""

import copy
import dataclasses
import re

import pytest

from publish import site
from publish.claims.verdicts import Claim, Verdicts, claims_of, places, stale
from publish.reading.files import os_name
from publish.reading.problems import Problems
from publish.words.conditions import read_condition
from tests.content_tools import (
    CONFIG,
    CONTENT,
    KL,
    KL_CONFIG,
    changed,
    content_with,
    line_of,
    problems_of,
    shipped_content,
    shipped_material,
)


def verdicts(results=None):
    shipped = shipped_material().verdicts
    return Verdicts(
        shipped.results if results is None else results, shipped.registry, shipped.declared, shipped.ignored
    )


def claim(text):
    return Claim("pages/a.en.md", 7, "claim", "words", read_condition(text))


def test_places():
    results = {"a": [{"b": 1}, {"b": None}, {}], "c": {"x-y": {"b": 2}}}
    assert list(places(results, ("a", "*", "b"))) == [(("a", "0", "b"), 1), (("a", "1", "b"), None)]
    assert list(places(results, ("c", "*", "b"))) == [(("c", "x-y", "b"), 2)]
    assert list(places(results, ("a", "3"))) == list(places(results, ("a", "0", "b", "c"))) == []


def test_verdicts_and_their_values():
    found = verdicts()(read_condition(f"{KL}.kl > {KL}.reverse_kl"))
    registry = shipped_material().registry
    assert found.holds is False
    assert found.values == [
        (f"{KL}.{name}", [registry[f"{KL}.{name}"].text]) for name in ("kl", "reverse_kl")
    ]
    found = verdicts()(
        read_condition(
            'settings.path = "x" and any(positions.*.ratio > 1) and evidence.checks.gradient.holds'
        )
    )
    assert dict(found.values) == {
        "settings.path": ["correct"],
        "positions.*.ratio": ["—", "1.0000", "1.0000", "1.0000", "…"],
        "evidence.checks.gradient.holds": ["true"],
    }
    assert verdicts()(read_condition("loss < 0")).holds is True
    assert verdicts()(read_condition("positions.99.ratio > 0")).values == [("positions.99.ratio", ["—"])]


# Ids that name nothing, and the hint.
UNKNOWN = [
    ("loss < los", "position 8 of the condition: no result has the id los", '"loss"'),
    (f"{KL}.reverse-kl > 0", f"position 1 of the condition: no result has the id {KL}.reverse-kl", f"{KL}.reverse_kl"),
    ("any(positions.*.ration > 1)", "position 5 of the condition: no result has the id", "positions.*.ratio"),
    ("loss > 0 and faults.paths.own-grup.first = 0", "no result has the id faults.paths.own-grup.first", "own-group"),
    ("loss", "position 1 of the condition: a number is no condition", None),
    ("settings.path", "position 1 of the condition: a number is no condition", None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "said", "hint"), UNKNOWN)
def test_ids_that_name_nothing(text, said, hint):
    (problem,) = verdicts().unknown(claim(text))
    message = str(Problems([problem]))
    assert message.startswith("pages/a.en.md:7: claim: ") and said in message
    assert (hint in message) if hint else ("did you mean" not in message)


@pytest.mark.parametrize(
    "text",
    [
        "positions.99.ratio > 1",  # another configuration has as many positions
        "evidence.checks.gradient.holds",
        "digits.run.facts.by_beta.11.both",  # a truth value, so without an entry among the numbers
        "any(faults.paths.*.checks.*.caught)",
        'faults.evidence.3 = "shipped"',
        "history.3.loss > 0",  # there is none before the first update
        "setup.second_per_action.0 != 0",
    ],
)
def test_ids_that_other_configurations_have_are_known(text):
    assert list(verdicts().unknown(claim(text))) == []


def test_where_claims_stand():
    found = {(c.file, c.key): c for c in claims_of(shipped_content())}
    terms = (CONTENT / "terms.toml").read_text(encoding="utf-8")
    line = line_of(terms, 'positions = { zh = "表 1')
    assert found[os_name(CONTENT / "terms.toml"), "table.positions"].line == line
    faults = (CONTENT / "faults.toml").read_text(encoding="utf-8").splitlines()
    told = found[os_name(CONTENT / "faults.toml"), "old-is-reference.what"]
    assert faults[told.line - 1].startswith("what = ") and told.words in faults[told.line - 1]
    for prose in shipped_content().prose.values():
        lines = (CONTENT / "pages" / prose.name.rsplit("/")[-1]).read_text(encoding="utf-8").splitlines()
        assert all(f"{{{{claim {bound.condition}}}}}" in lines[bound.line - 1] for bound in prose.claims)


def test_the_outcomes_called_contrary_are_those_that_findings_call_so():
    terms = shipped_content().terms
    named = {key for key in terms.texts if key.startswith("sentence.") and key.endswith("_fails")}
    assert terms.contrary == named and len(named) == 7


def test_nothing_is_stale_as_shipped():
    material = shipped_material()
    assert stale(shipped_content(), material.subjects, material.verdicts) == []


def test_what_does_not_hold_is_named_in_both_languages_with_its_numbers():
    results = copy.deepcopy(shipped_material().verdicts.results)
    results[KL]["settings"]["tree_q"] = 0.25
    material = shipped_material()
    problems = stale(shipped_content(), material.subjects, verdicts(results))
    assert len(problems) == 2
    for problem, language in zip(sorted(problems, key=lambda p: p.file), ("en", "zh")):
        path = CONTENT / "pages" / f"{KL}.{language}.md"
        text = path.read_text(encoding="utf-8")
        assert (problem.file, problem.key) == (os_name(path), "claim")
        assert problem.line == line_of(text, f"{{{{claim {KL}.settings.tree_q = 0.5}}}}")
        english, chinese = problem.what
        condition, value = (
            f"{KL}.settings.tree_q = 0.5",
            f"{KL}.settings.tree_q = {material.registry[f'{KL}.settings.tree_q'].text}",
        )
        assert english.endswith(f"does not apply to this one; it needs {condition}; here {value}")
        assert chinese.endswith(f"不适用于当前配置；需要 {condition}；当前 {value}")


def test_contrary_sentences_are_on_the_same_list():
    material = shipped_material()
    page = material.subjects["digits"]
    results = copy.deepcopy(page.results)
    results["digits"]["run"]["digests"]["all_same"] = False
    subjects = material.subjects | {"digits": dataclasses.replace(page, results=results)}
    merged = (
        material.verdicts.results
        | results
        | {"settings": material.verdicts.results["settings"] | {"path": "x"}}
    )
    problems = stale(shipped_content(), subjects, verdicts(merged))
    assert sorted(p.key for p in problems) == ["claim", "claim", "sentence digest", "sentence digest"]


EDITS = {
    CONFIG: ("second_per_action = [0.0, 0.4]", "second_per_action = [0.0, 0.0]"),
    KL_CONFIG: ("beta = 0.1 ", "beta = 0.2 "),
}


def test_an_edit_builds_with_a_list_and_strict_refuses_it(tmp_path, capsys):
    files = {
        name: changed((CONTENT / name).read_text(encoding="utf-8"), *edit) for name, edit in EDITS.items()
    }
    content = content_with(tmp_path / "content", files)
    site.build_site(content, tmp_path / "out")
    said = capsys.readouterr().err.splitlines()
    places = [
        re.match(r".*/([\w.-]+\.md):(\d+): claim: “.+” was written for the default configuration", line)[1]
        for line in said
    ]
    assert places == ["kl-and-clipping.en.md", "kl-and-clipping.zh.md", "update.en.md", "update.zh.md"]
    # The pages mark them, and only them.
    for name, marks in (("update", 1), (KL, 1), ("digits", 0), ("faults", 0)):
        for language in ("zh", "en"):
            html = (tmp_path / "out" / language / f"{name}.html").read_text(encoding="utf-8")
            assert html.count('<mark class="stale"') == marks == html.count('id="stale-list"')
    strict = problems_of(site.build_site, content, tmp_path / "strict", True)
    assert [str(Problems([problem])) for problem in strict] == said and not (tmp_path / "strict").exists()


def test_a_mistake_in_a_claim_stops_the_build(tmp_path):
    name = f"pages/{KL}.en.md"
    text = changed(
        (CONTENT / name).read_text(encoding="utf-8"),
        f"{KL}.settings.tree_q = 0.5",
        f"{KL}.settings.tree_k = 0.5",
    )
    chinese = changed(
        (CONTENT / f"pages/{KL}.zh.md").read_text(encoding="utf-8"),
        f"{KL}.settings.tree_q = 0.5",
        f"{KL}.settings.tree_k = 0.5",
    )
    content = content_with(tmp_path / "content", {name: text, f"pages/{KL}.zh.md": chinese})
    problems = problems_of(site.build_site, content, tmp_path / "out")
    assert len(problems) == 2 and not (tmp_path / "out").exists()
    assert all(f"no result has the id {KL}.settings.tree_k" in str(Problems([p])) for p in problems)
