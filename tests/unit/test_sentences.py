"""Computed sentences: which one is said follows from the results."""

import copy
import html
import re
from dataclasses import replace

import pytest
from markupsafe import Markup

from compute.findings import FINDINGS
from compute.path_difference import COMPARED
from compute.path_reasons import REASONS
from publish.page.sentences import Sentences
from publish.words.language import LANGUAGES
from tests.content_tools import KL, shipped_content, shipped_material, shipped_subject


def show(number_id):
    return Markup("<b>{}</b>").format(number_id)


def said(name, language="en", **changes):
    """Return a sentence, its numbers as <b>id</b>, of the shipped results with changes such as facts__rises=0."""
    results = copy.deepcopy(shipped_subject().results)
    for path, value in changes.items():
        *parents, last = path.split("__")
        place = results
        for part in parents:
            place = place[int(part)] if isinstance(place, list) else place[part]
        place[last] = value
    subject = replace(shipped_subject(), results=results)
    marked = Sentences(subject, shipped_content().terms, language, show)(name)
    return Markup(re.fullmatch(f'<span data-sentence="{name}">(.*)</span>', marked)[1])


def key_of(sentence):
    """Return the term, of content/terms.toml, whose fixed words a sentence has."""
    plain = html.unescape(str(sentence))
    found = []
    for key, text in shipped_content().terms.texts.items():
        parts = re.split(r"\{\w+\}", text["en"])
        if key.startswith("sentence.") and re.fullmatch("<b>[^<]*</b>".join(map(re.escape, parts)), plain):
            found.append(key.removeprefix("sentence."))
    return found


K = shipped_subject().results["selected"]["index"]
# A wrong path that does not differ; "same-path" and "agrees" stand for no condition: see path_difference.py.
WRONG = {"beside__path": "product-ratio", "beside__differs": False, "beside__first": None}
DIFFERS = {**WRONG, "beside__differs": True, "beside__first": 0}
NEVER = [*dict.fromkeys(key for key, _, _ in REASONS), "same-path", "agrees"]
BRANCHES = [
    ("loss", {"facts__rises": 0}, "loss_falls"),
    ("loss", {"facts__rises": 3}, "loss_rises"),
    ("clipped", {"facts__first_clipped": None}, "clipped_never"),
    ("clipped", {"facts__first_clipped": 0}, "clipped_from"),
    ("clipped", {"facts__first_clipped": 5}, "clipped_from"),
    ("first-clip", {"facts__first_clipped": None}, "first_clip_never"),
    ("first-clip", {"facts__first_clipped": 0}, "first_clip"),
    ("evidence", {}, "evidence_holds"),
    ("evidence", {"evidence__checks__shares__holds": False}, "evidence_fails"),
    ("prediction", {f"positions__{K}__prob": 0.2, f"positions__{K}__prob_next": 0.3}, "prediction_up"),
    ("prediction", {f"positions__{K}__prob": 0.3, f"positions__{K}__prob_next": 0.2}, "prediction_down"),
    ("prediction", {f"positions__{K}__prob": 0.3, f"positions__{K}__prob_next": 0.3}, "prediction_same"),
    ("prediction", {f"positions__{K}__prob": 0.3, f"positions__{K}__prob_next": "nan"}, "prediction_beyond"),
    ("plateaus", {"plateaus__counts__beyond": 0}, "plateaus"),
    ("kl", {}, "kl"),
    ("clip-default", {}, "clip_default"),
    ("routes-agree", {}, "routes_agree"),
    *(("beside", {**DIFFERS, "beside__what": [name]}, f"path_differs_in_{name}") for name in COMPARED),
    ("beside", {**DIFFERS, "beside__what": ["kl"], "beside__first": 3}, "path_differs_in_kl"),
    ("beside", {**WRONG, "beside__first": 3}, "path_differs_later"),
    ("beside", {**WRONG, "beside__first": 0}, "path_differs_later"),
    *(("beside", {**WRONG, "beside__never": key}, f"path_never_{key}") for key in NEVER),
]  # fmt: skip


@pytest.mark.parametrize(("name", "changes", "key"), BRANCHES)
def test_branch(name, changes, key):
    assert key_of(said(name, **changes)) == [key]
    assert said(name, "zh", **changes) != said(name, "en", **changes)


def test_a_ratio_beyond_floating_point_is_added():
    alone, more = said("plateaus"), said("plateaus", plateaus__counts__beyond=2)
    assert more.startswith(alone) and "plateaus.counts.beyond" in more.removeprefix(alone)


def test_each_difference_of_a_path_is_added_in_its_order():
    for language, gap in (("zh", ""), ("en", " ")):
        alone = [said("beside", language, **DIFFERS, beside__what=[name]) for name in COMPARED]
        assert len(set(alone)) == len(COMPARED)
        assert said("beside", language, **DIFFERS, beside__what=list(COMPARED)) == gap.join(alone)


def test_of_the_correct_path_nothing_is_said():
    for language in LANGUAGES:
        assert said("beside", language) == ""
        assert said("beside", language, beside__differs=True) == ""


def test_every_sentence_has_its_branches():
    assert {name for name, _, _ in BRANCHES} == set(FINDINGS)
    terms = {
        key.removeprefix("sentence.")
        for key in shipped_content().terms.texts
        # other pages' own: see test_kl_sentences.py and test_digits_findings.py
        if key.startswith("sentence.") and not key.startswith((f"sentence.{KL}.", "sentence.digits."))
    }
    assert {key for _, _, key in BRANCHES} | {"plateaus_beyond"} == terms


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FINDINGS)
def test_every_number_of_a_sentence_is_registered(name, language):
    sentence = said(name, language)
    ids = re.findall("<b>(.*?)</b>", sentence)
    assert [number_id for number_id in ids if number_id not in shipped_material().registry] == []
    assert not re.search("[1-9]", re.sub("<b>.*?</b>", "", sentence)), "no typed number but the constant 0"
    assert "{" not in sentence and "}" not in sentence


def test_both_languages_name_the_same_numbers():
    for name, changes, _ in BRANCHES:
        chinese, english = (
            set(re.findall("<b>(.*?)</b>", said(name, lang, **changes))) for lang in LANGUAGES
        )
        assert chinese == english, name


def test_unknown_sentence():
    with pytest.raises(KeyError):
        said("nothing")
