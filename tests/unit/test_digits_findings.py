"""Which sentence of the experiment is said: every branch from made-up results, and its words in both languages."""

import copy
import html
import json
import re
from dataclasses import replace
from functools import cache
from string import Formatter

import pytest
from markupsafe import Markup

from compute.digits_findings import FINDINGS, OF_A_STATE, said_of_a_state
from compute.digits_live import PAGE
from publish.numbers.registry import register
from publish.page.charts import at_path
from publish.page.sentences import Sentences
from publish.site import TEMPLATES
from publish.words.language import LANGUAGES
from tests.content_tools import CONTENT, shipped_content
from tests.digits_states import known, subject

PREFIX = f"sentence.{PAGE}."
BY_BETA = ("run.facts.by_beta.{}.both", "run.facts.by_beta.{}.kl_held_out_grows")
ROW = "run.rates.rows.{}.{}.kl_held_out.mean"


def rates(*pairs):
    """Return the changes that give the step sizes these held-out KLs, sampled and exact."""
    return {
        ROW.format(k, kind): kl
        for k, pair in enumerate(pairs)
        for kind, kl in zip(("sampled", "exact"), pair)
    }


def stable(*flags):
    return {f"run.sensitivity.by_beta.{k}.stable": flag for k, flag in enumerate(flags)}


MOVED = "run.sensitivity.by_beta.0.kl_training.mean"  # how far rounding moves it
KL = "run.final.0.kl_{}.mean"  # of the beta chosen by default


def ends(training_start, training, held_start, held):
    """Return the changes that give the default beta these expected rewards, before and after."""
    return {
        "run.start.mean_reward_training": training_start,
        "run.final.0.reward_training.mean": training,
        "run.start.mean_reward_held_out": held_start,
        "run.final.0.reward_held_out.mean": held,
    }


CALM = ((2.0, 1.5), (0.3, 0.2), (1.0, 1.0))
# finding, made-up results in the shipped ones' place, key said
STATES = [
    ("main-result", {BY_BETA[0].format(0): True, BY_BETA[1].format(0): True}, "main"),
    ("main-result", {BY_BETA[0].format(0): False, BY_BETA[1].format(0): True}, "main_fails"),
    ("main-result", {BY_BETA[0].format(0): True, BY_BETA[1].format(0): False}, "main_fails"),
    ("curve-reward", ends(0.5, 0.9, 0.5, 0.4), "reward_apart"),
    ("curve-reward", ends(0.5, 0.9, 0.5, 0.6), "reward_rises"),
    ("curve-reward", ends(0.5, 0.4, 0.5, 0.3), "reward_falls"),
    ("curve-reward", ends(0.5, 0.4, 0.5, 0.6), "reward_goes"),
    ("curve-reward", ends(0.5, 0.5, 0.5, 0.5), "reward_goes"),
    ("curve-reward", ends(0.5, 0.9, 0.5, "nan"), "reward_goes"),
    ("curve-kl", {KL.format("training"): 0.2, KL.format("held_out"): 1.0}, "kl_above"),
    ("curve-kl", {KL.format("training"): 1.0, KL.format("held_out"): 0.2}, "kl_below"),
    ("curve-kl", {KL.format("training"): 1.0, KL.format("held_out"): 1.0}, "kl_beside"),
    ("curve-kl", {KL.format("training"): 1.0, KL.format("held_out"): "inf"}, "kl_beside"),
    ("curve-kl", {KL.format("held_out"): 1.0, MOVED: 0.3}, "kl_beside"),
    ("curve-kl", {KL.format("held_out"): 1.0, MOVED: "nan"}, "kl_beside"),
    ("spread", {"run.facts.betas_with_both": 4}, "spread"),
    ("spread", {"run.facts.betas_with_both": 1}, "spread"),
    ("spread", {"run.facts.betas_with_both": 0}, "spread_fails"),
    ("best", {"run.facts.best_reward_held_out": 0.3}, "best"),
    ("best", {"run.facts.best_reward_held_out": None}, "best_unknown"),
    ("trend", {"run.facts.trend.kl_held_out": "neither", "run.facts.highest_kl_held_out": 3.0}, "trend"),
    ("trend", {"run.facts.trend.kl_held_out": "rising", "run.facts.highest_kl_held_out": 3.0}, "trend"),
    ("trend", {"run.facts.trend.kl_held_out": "neither", "run.facts.highest_kl_held_out": 0.0}, "trend_mixed"),
    ("trend", {"run.facts.trend.kl_held_out": "falling", "run.facts.highest_kl_held_out": 0.0}, "trend_fails"),
    ("stability", stable(True, True, True, True, False), "unstable"),
    ("stability", stable(True, False, True, True, True), "unstable"),
    ("stability", stable(True, True, True, True, True), "stable"),
    ("rates", rates((6.0, 3.0), (0.9, 0.03), (0.004, 0.004)), "rates"),
    ("rates", rates(*CALM), "rates_fails"),
    ("rates", rates((1.0, 0.0), *CALM[1:]), "rates_fails"),
    ("rates", rates(("nan", 1.0), *CALM[1:]), "rates_undefined"),
    ("rates", rates(*CALM[1:], (1.0, "inf")), "rates_undefined"),
    ("run-checks", {"run.checks.sum_error": 1e-15}, "checks"),
    ("run-checks", {"run.checks.sum_error": 1e-6}, "checks_fails"),
    ("run-checks", {"run.checks.kl_error": 1e-6}, "checks_fails"),
    ("run-checks", {"run.checks.kl_error": 1.1e-12}, "checks_fails"),
    ("run-checks", {"run.checks.kl_error": "nan"}, "checks_fails"),
    ("run-checks", {"run.checks.gradient.identity": 1e-6}, "checks_fails"),
    ("digest", {"run.digests.all_same": True, "run.digests.reference_is_read_only": True}, "digest"),
    ("digest", {"run.digests.all_same": False}, "digest_fails"),
    ("digest", {"run.digests.reference_is_read_only": False}, "digest_fails"),
    ("picked", {"shipped": True, "is_training": True}, "picked_training"),
    ("picked", {"shipped": True, "is_training": False}, "picked_held_out"),
    ("picked", {"shipped": False}, "not_shipped"),
]  # fmt: skip


def results(changes):
    """Return the default state's results with some made up. changes: path → value."""
    found = copy.deepcopy(subject().results)
    for path, value in changes.items():
        place, _, last = path.rpartition(".")
        target = at_path(found[PAGE], place)
        assert last in target, path
        target[last] = value
    return found


def said(name, changes):
    """Return (key, {placeholder: id}) of what a finding says."""
    (entry,) = FINDINGS[name](results(changes)[PAGE])
    assert entry[0].startswith(f"{PAGE}.")
    return entry[0].removeprefix(f"{PAGE}."), entry[1]


@cache
def texts():
    found = shipped_content().terms.texts
    return {key.removeprefix(PREFIX): text for key, text in found.items() if key.startswith(PREFIX)}


def placeholders(text):
    return [name for _, name, _, _ in Formatter().parse(text) if name is not None]


each = pytest.mark.parametrize(("name", "changes", "key"), STATES)


@each
def test_what_is_said(name, changes, key):
    assert said(name, changes)[0] == key


def test_every_finding_is_tried_and_every_text_is_said():
    assert {name for name, _, _ in STATES} == FINDINGS.keys() == subject().findings.keys()
    assert {key for _, _, key in STATES} == texts().keys()


@each
def test_texts_have_exactly_the_placeholders_that_are_given(name, changes, key):
    ids = said(name, changes)[1]
    for language in LANGUAGES:
        asked = placeholders(texts()[key][language])
        assert sorted(asked) == sorted(ids), language


@each
def test_every_id_is_a_result(name, changes, key):
    found = results(changes)
    for number_id in said(name, changes)[1].values():
        value = at_path(found, number_id)
        assert isinstance(value, int | float) or value in ("inf", "-inf", "nan")


@each
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_shows_registered_numbers_and_types_none(name, changes, key, language):
    content = shipped_content()
    there = replace(subject(), results=results(changes))
    registry = register(there, content.declarations, content.ignored, content.terms)
    shown = []

    def show(number_id):
        shown.append(registry[number_id])
        return Markup("<b></b>")

    sentence = Sentences(there, content.terms, language, show)(name)
    inner = re.fullmatch(f'<span data-sentence="{name}">(.+)</span>', sentence)[1]
    words = html.unescape(inner.replace("<b></b>", ""))
    assert not re.search("[0-9０-９{}]", words), words
    assert len(shown) == inner.count("<b></b>") == len(placeholders(texts()[key][language]))


# finding, made-up results, a key that would say more than they do
OVERCLAIMS = {
    "a KL is undefined: nothing falls throughout": (
        "trend",
        {"run.facts.trend.kl_held_out": "neither", "run.facts.highest_kl_held_out": None},
        "trend_fails",
    ),
    "the smallest beta ends farthest away: no larger one does": (
        "trend",
        {"run.facts.trend.kl_held_out": "neither", "run.facts.highest_kl_held_out": 0.0},
        "trend",
    ),
    "sampled gradients end beyond floating point": ("rates", rates(("nan", 1.0), *CALM[1:]), "rates_fails"),
    "a check is undefined": ("run-checks", {"run.checks.kl_error": "nan"}, "checks"),
}


@pytest.mark.parametrize("case", OVERCLAIMS)
def test_nothing_is_said_that_the_results_do_not_say(case):
    name, changes, key = OVERCLAIMS[case]
    assert said(name, changes)[0] != key


# --- the numbers that a sentence names are those that it means ---


def named(name, changes):
    found = results(changes)
    return {place: at_path(found, number_id) for place, number_id in said(name, changes)[1].items()}


@pytest.mark.parametrize("beta", [0.0, 0.1, 0.3, 1.0, 3.0])
def test_best_and_trend_give_the_numbers_of_that_beta(beta):
    run = subject().results[PAGE]["run"]
    (row,) = [row for row in run["final"] if row["beta"] == beta]
    means = {name: row[name]["mean"] for name in ("reward_held_out", "reward_training", "kl_held_out")}
    assert named("best", {"run.facts.best_reward_held_out": beta}) == {
        "beta": beta, "held": means["reward_held_out"], "training": means["reward_training"],
        "kl": means["kl_held_out"],
    }  # fmt: skip
    changes = {"run.facts.trend.kl_held_out": "neither", "run.facts.highest_kl_held_out": beta}
    smallest = beta == 0  # no larger beta ends farther away: there is nothing to name
    assert named("trend", changes) == ({} if smallest else {"beta": beta, "kl": means["kl_held_out"]})


@pytest.mark.parametrize("k", range(5))
def test_instability_gives_the_numbers_of_the_first_unstable_beta(k):
    row = subject().results[PAGE]["run"]["sensitivity"]["by_beta"][k]
    found = named("stability", stable(*(index < k for index in range(5))))
    assert found["beta"] == row["beta"]
    assert (found["reward"], found["kl"]) == (
        row["reward_held_out"]["largest"],
        row["kl_held_out"]["largest"],
    )


@pytest.mark.parametrize("k", range(3))
def test_the_step_size_with_the_largest_quotient_is_named(k):
    pairs = [(2.0, 1.0)] * 3
    pairs[k] = (0.5, 0.1)
    found = named("rates", rates(*pairs))
    run = subject().results[PAGE]["run"]["rates"]
    assert found == {"rate": run["rows"][k]["rate"], "sampled": 0.5, "exact": 0.1, "beta": run["beta"]}


def test_a_step_size_beyond_floating_point_is_no_quotient():
    assert said("rates", rates(("nan", 1.0), (1.0, "inf"), (2.0, 1.0)))[1]["rate"].endswith("rows.2.rate")


def test_the_shipped_results_say_what_the_page_was_written_for():
    keys = [key for name in FINDINGS for key, _ in FINDINGS[name](subject().results[PAGE])]
    assert [key for key in keys if key.endswith("_fails")] == []
    assert keys[0] == "digits.main" and len(keys) == len(FINDINGS)


def test_sentences_that_follow_the_controls():
    """They name of the runs only what the core has."""
    for choice in ([], ["seed=5"], ["beta=3", "a=0", "b=0"]):
        found = known(*choice).found
        assert "run" not in found
        spoken = said_of_a_state(found | {"run": subject().setup["run"]})
        assert spoken.keys() == set(OF_A_STATE)
        for name, entries in spoken.items():
            assert entries == FINDINGS[name](known(*choice).subject.results[PAGE])
        json.dumps(spoken)


def leaves(value):
    if isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return [(f"{key}.{path}".strip("."), leaf) for key, item in items for path, leaf in leaves(item)]
    return [("", value)]


def test_what_the_core_has_of_the_runs_is_theirs():
    for path, value in leaves(subject().setup["run"]):
        assert at_path(subject().results[PAGE]["run"], path) == value, path


@pytest.mark.parametrize("k", range(5))
def test_captions_of_the_curves_speak_of_the_beta_that_is_drawn(k):
    row = subject().results[PAGE]["run"]["final"][k]
    state = known(f"beta={row['beta']:g}").subject.results
    means = {name: row[name]["mean"] for name in ("reward_training", "reward_held_out")}
    for name, wanted in {
        "curve-reward": {"training": means["reward_training"], "held": means["reward_held_out"]},
        "curve-kl": {"training": row["kl_training"]["mean"], "held": row["kl_held_out"]["mean"]},
    }.items():
        ((key, ids),) = FINDINGS[name](state[PAGE])
        found = {place: at_path(state, number_id) for place, number_id in ids.items()}
        assert found.items() >= ({"beta": row["beta"]} | wanted).items()
        for language in LANGUAGES:
            assert texts()[key.removeprefix("digits.")][language].startswith("β = {beta}")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_of_the_runs_is_said_twice_but_the_main_result(language):
    """A caption and the text under it."""
    page = (CONTENT / f"pages/digits.{language}.md").read_text(encoding="utf-8")
    said = re.findall(r"\{\{sentence ([\w-]+)", page)
    for block in re.findall(r"\{\{block (digits-[\w-]+)", page):
        said += re.findall(
            r's\("([\w-]+)"\)', (TEMPLATES / f"blocks/{block}.html").read_text(encoding="utf-8")
        )
    assert sorted(said) == sorted(FINDINGS)


def test_languages_differ():
    for key, text in texts().items():
        assert text["zh"] != text["en"], key
