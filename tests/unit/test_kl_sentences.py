"""The chapter's computed sentences: each can be said, in both languages, with the numbers that its finding names.

STATES has states at which, together, every finding says everything that it can say.
"""

import html
import re
from dataclasses import replace
from functools import cache
from string import Formatter

import pytest
from markupsafe import Markup

from compute.kl_chapter import chapter
from compute.kl_findings import CHAPTER_FINDINGS
from publish.numbers.registry import register
from publish.page.sentences import Sentences
from publish.words.language import LANGUAGES
from tests.content_tools import KL, shipped_content, shipped_kl_config, shipped_subject

PREFIX = f"sentence.{KL}."
# finding, settings changed, keys said. Probabilities 0 and 1 leave the other policy's support.
STATES = [
    ("directions", {}, ["directions_smaller"]),
    ("directions", {"p": 0.5, "q": 0.8}, ["directions_larger"]),
    ("directions", {"p": 0.3, "q": 0.7}, ["directions_same"]),
    ("directions", {"p": 0.5, "q": 0.0}, ["directions_larger"]),
    ("support", {}, ["support_shared"]),
    ("support", {"q": 0.0}, ["support_infinite_1"]),
    ("support", {"q": 1.0}, ["support_infinite_2"]),
    ("support", {"p": 0.0}, ["support_unused_1"]),
    ("support", {"p": 1.0}, ["support_unused_2"]),
    ("support", {"p": 0.0, "q": 0.0}, ["support_neither_1"]),
    ("support", {"p": 1.0, "q": 1.0}, ["support_neither_2"]),
    ("support", {"p": 1.0, "q": 0.0}, ["support_infinite_1", "support_unused_2"]),
    ("single-sample", {}, ["single_negative_2"]),
    ("single-sample", {"p": 0.2}, ["single_negative_1"]),
    ("single-sample", {"p": 0.5}, ["single_none"]),
    ("comparison", {}, ["p_better"]),
    ("comparison", {"p": 0.2}, ["p_worse"]),
    ("comparison", {"p": 0.5}, ["p_same"]),
    ("optimum", {}, ["optimum_tilted", "end_below"]),
    ("optimum", {"beta": 0.0}, ["optimum_free"]),
    ("optimum", {"q": 1.0}, ["optimum_tilted", "end_is_optimum"]),
    ("negatives", {}, ["negatives_rise"]),
    ("negatives", {"p": 1.0}, ["negatives_never"]),
    ("negatives", {"p": 0.2}, ["negatives_rise"]),
    ("group", {}, ["group"]),
    ("group", {"q": 0.0}, ["group_infinite"]),
    ("vanishing", {}, ["vanishing"]),
    ("vanishing", {"beta": 0.0}, ["vanishing_trivial"]),
    ("derivatives", {}, ["derivatives"]),
    ("derivatives", {"beta": 0.0}, ["derivatives_agree"]),
    ("derivatives", {"q": 0.0}, ["derivatives_infinite"]),
    ("clip-point", {}, ["clip_outside"]),
    ("clip-point", {"advantage": 2.0}, ["clip_limits_raising"]),
    ("clip-point", {"ratio": 0.6}, ["clip_limits_lowering"]),
    ("clip-point", {"ratio": 1.0}, ["clip_inside"]),
    ("clip-point", {"advantage": 0.0}, ["clip_neutral"]),
    ("twin", {}, ["twin_differs"]),
    ("twin", {"ratio": 1.0}, ["twin_same"]),
    ("clip-regions", {}, ["clip_regions"]),
    ("tokens", {}, ["tokens_leave"]),
    ("tokens", {"length": 1}, ["tokens_stay"]),
    ("tokens", {"token_ratio": 1.5}, ["tokens_outside"]),
    ("weightings", {}, ["weightings_differ"]),
    ("weightings", {"tree_p": 0.5}, ["weightings_same"]),
    ("weightings", {"tree_q": 0.0}, ["weightings_infinite"]),
    ("cost", {}, ["cost"]),
]


def results(**changes):
    config = shipped_kl_config()
    return chapter(config.setup, config.settings | changes)


def results_of_groups(sizes, **changes):
    config = shipped_kl_config()
    return chapter({**config.setup, "group_sizes": sizes}, config.settings | changes)


def said(name, found):
    """Return (key, {placeholder: id}) of what a finding says."""
    return [(key.removeprefix(f"{KL}."), ids) for key, ids in CHAPTER_FINDINGS[name](found[KL])]


@cache
def everything_said():
    """Return finding → all that it says at STATES: (key, {placeholder: id})."""
    found = {}
    for name, changes, _ in STATES:
        found.setdefault(name, []).extend(said(name, results(**changes)))
    # Groups of one size only: no larger one, in which it could rise.
    found["negatives"] += said("negatives", results_of_groups([2, 4]))
    return found


def texts():
    terms = shipped_content().terms.texts
    return {key.removeprefix(PREFIX): text for key, text in terms.items() if key.startswith(PREFIX)}


def placeholders(text):
    return [name for _, name, _, _ in Formatter().parse(text) if name is not None]


@pytest.mark.parametrize(("name", "changes", "keys"), STATES)
def test_what_is_said(name, changes, keys):
    assert [key for key, _ in said(name, results(**changes))] == keys


def test_groups_in_which_it_falls():
    # With p = 0.8 and q = 0.5 the chances are 0.36 in groups of two and 0.1808 in groups of four (spec table).
    assert [key for key, _ in said("negatives", results_of_groups([2, 4]))] == ["negatives_fall"]
    assert said("negatives", results_of_groups([4])) == []  # one group compares with nothing


def test_every_finding_is_tried_and_every_text_is_said():
    assert everything_said().keys() == CHAPTER_FINDINGS.keys() == shipped_subject(KL).findings.keys()
    assert {key for parts in everything_said().values() for key, _ in parts} == texts().keys()


@pytest.mark.parametrize("name", CHAPTER_FINDINGS)
def test_texts_have_the_placeholders_that_the_finding_gives(name):
    """No text asks for more, and a finding gives no number that none of its texts shows."""
    given, used = set(), set()
    for key, ids in everything_said()[name]:
        for language in LANGUAGES:
            asked = set(placeholders(texts()[key][language]))
            assert asked <= ids.keys(), (key, language)
            used |= asked
        given |= ids.keys()
    assert given == used


@pytest.mark.parametrize("key", texts())
def test_both_languages_show_the_same_numbers_in_the_same_order(key):
    """As in prose: see bilingual.py. Other words around them, and readers may compare the two."""
    chinese, english = (placeholders(texts()[key][language]) for language in LANGUAGES)
    assert chinese == english


@pytest.mark.parametrize(("name", "changes", "keys"), STATES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_shows_registered_numbers_and_types_none(name, changes, keys, language):
    content = shipped_content()
    subject = replace(shipped_subject(KL), results=results(**changes))
    registry = register(subject, content.declarations, content.ignored, content.terms)
    shown = []

    def show(number_id):
        shown.append(number_id)
        assert number_id in registry
        return Markup("<b></b>")

    sentence = Sentences(subject, content.terms, language, show)(name)
    inner = re.fullmatch(f'<span data-sentence="{name}">(.+)</span>', sentence)[1]
    words = html.unescape(re.sub("<b></b>", "", inner))
    assert not re.search("[0-9０-９{}]", words), words
    assert inner.count("<b></b>") == sum(len(placeholders(texts()[key][language])) for key in keys)


def test_languages_differ():
    for key, text in texts().items():
        assert text["zh"] != text["en"], key
