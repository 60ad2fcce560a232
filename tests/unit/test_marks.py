"""How pages mark words that do not apply: visible, with a note, in a list, and nowhere inside an attribute."""

import dataclasses
import re
from functools import cache

import pytest

from publish.claims.verdicts import Verdict
from publish.content import PAGES
from publish.words.language import LANGUAGES
from tests.content_tools import NUMBERED, shipped_content, shipped_material, shipped_word
from tests.documents import Document, document, rendered


class Nothing:
    """Verdicts under which no claim holds."""

    def __call__(self, condition):
        return Verdict(False, [("some.id", ["0.5", "<b>"])])


CONTRARY = {
    "main-result": "main",
    "spread": "spread",
    "trend": "trend",
    "rates": "rates",
    "run-checks": "checks",
    "digest": "digest",
}
NAMES = "beta training_start training held_start held kl count both sums identity"


def digits_gone_wrong():
    """Return the experiment's page with findings that all say the contrary."""
    page = shipped_material().subjects["digits"]
    numbers = dict.fromkeys(NAMES.split(), "digits.kl")
    said = {name: [(f"digits.{key}_fails", numbers)] for name, key in CONTRARY.items()}
    assert {f"sentence.{key}" for ((key, _),) in said.values()} == {
        key for key in shipped_content().terms.contrary if key.startswith("sentence.digits.")
    }
    findings = {name: lambda results, found=found: found for name, found in said.items()}
    return dataclasses.replace(page, findings={**page.findings, **findings})


@cache
def html(page, language):
    material = shipped_material()
    subjects = material.subjects | {"digits": digits_gone_wrong()}
    return rendered(
        page,
        language,
        shipped_content(),
        dataclasses.replace(material, verdicts=Nothing(), subjects=subjects),
    )


@cache
def stale(page, language):
    return Document(html(page, language))


every = pytest.mark.parametrize("page", PAGES)
both = pytest.mark.parametrize("language", LANGUAGES)


def words(text):
    return " ".join(text.split())


def in_prose(found, tag):
    """Return the claims of the prose, in its order: those that are no caption and no text of a wrong path."""
    other = {condition.text for condition in shipped_content().terms.claims.values()}
    return [
        e
        for e in found.all(tag)
        if "data-claim" in e.attributes
        and e.attributes["data-claim"] not in other
        and not e.inside("section", **{"class": "fault"})
        and not e.inside("section", id="path-beside")
    ]


@every
@both
def test_what_holds_reads_as_plain_words(page, language):
    found = document(page, language)
    conditions = [bound.condition for bound in shipped_content().prose[page, language].claims]
    assert [e.attributes["data-claim"] for e in in_prose(found, "span")] == conditions
    assert found.all("mark") == [] == [e for e in found.elements if "stale" in e.attributes.get("class", "")]
    assert "stale-list" not in found.ids()


@every
@both
def test_every_claim_of_the_prose_is_marked_with_its_words(page, language):
    found = stale(page, language)
    bound = shipped_content().prose[page, language].claims
    for claim, mark in zip(bound, in_prose(found, "mark"), strict=True):
        assert mark.attributes["data-claim"] == claim.condition and "id" in mark.attributes
        for part in claim.words.split("…"):
            assert words(part) in words(mark.text)
    assert found.faults == []


def test_two_claims_with_one_condition_keep_their_own_words():
    found = stale("faults", "en")
    same = [e for e in found.all("mark") if e.attributes["data-claim"] == "settings.clip_epsilon < 0.5"]
    entries = [
        next(e for e in found.all("li", id=mark.attributes["id"].replace("stale-", "stale-entry-"))).text
        for mark in same
    ]
    assert len(entries) == 2 and "the default clip range" in entries[1] and "clip range”" not in entries[0]


@pytest.mark.parametrize("page", sorted(set(PAGES) - set(NUMBERED)))
@both
def test_pages_about_no_result_have_no_marks(page, language):
    assert stale(page, language).all("div", class_="stale-box") == []


@pytest.mark.parametrize("page", NUMBERED)
@both
def test_each_mark_has_a_note_and_an_entry_of_the_list(page, language):
    found = stale(page, language)
    ids = found.ids()
    assert len(ids) == len(set(ids))
    marked = [e for e in found.elements if re.fullmatch(r"stale-\d+", e.attributes.get("id", ""))]
    entries = [e for e in found.all("li") if e.attributes.get("id", "").startswith("stale-entry-")]
    notes = found.all("a", class_="stale-note")
    assert len(marked) == len(entries) == len(notes) > 0
    assert [e.attributes["id"] for e in marked] == [f"stale-{n + 1}" for n in range(len(marked))]
    for number, (mark, entry, note) in enumerate(zip(marked, entries, notes), 1):
        assert (
            note.attributes["href"] == f"#stale-entry-{number}"
            and entry.attributes["id"] == f"stale-entry-{number}"
        )
        (back,) = [e for e in found.under(entry) if e.tag == "a"]
        assert back.attributes["href"] == f"#stale-{number}"
        assert words(mark.text).startswith(
            words(back.text).strip("“”").removesuffix("…").split("…")[0].strip()
        )
        if mark.tag == "mark":
            assert note.text == shipped_word("claim.note", language)
            assert mark.attributes["data-claim"] in entry.text and "some.id = 0.5, <b>" in entry.text
        else:
            assert note.text == shipped_word("claim.contrary", language)
            assert shipped_word("claim.sentence", language) in entry.text
    (box,) = found.all("div", class_="stale-box")
    assert str(len(marked)) in box.text and box.attributes["role"] == "note"


@both
def test_sentences_that_came_out_contrary_are_noted(language):
    found = stale("digits", language)
    contrary = found.all("span", class_="contrary")
    assert len(contrary) == 6  # each is said once
    assert all(e.inside("span") and e.parent.attributes.get("data-sentence") for e in contrary)


def test_every_claim_of_a_term_shows_somewhere():
    shown = set()
    for page in PAGES:
        for language in LANGUAGES:
            for mark in stale(page, language).all("mark", class_="stale"):
                shown.add((language, words(mark.text)))
    terms = shipped_content().terms
    assert terms.claims
    for key in terms.claims:
        for language in LANGUAGES:
            assert (language, words(terms.text(key, language))) in shown, key
    for fault in shipped_content().faults.values():
        assert all(
            ((language, words(fault.what[language])) in shown) == bool(fault.claim) for language in LANGUAGES
        )


@every
@both
def test_no_mark_stands_inside_an_attribute(page, language):
    for element in stale(page, language).elements:
        for value in element.attributes.values():
            assert "<mark" not in (value or "") and "stale-note" not in (value or "").replace(
                "stale-note", "", 1
            )


@both
def test_words_that_only_some_states_show_are_marked_but_not_listed(language):
    found = stale("update", language)
    hidden = [e for e in found.all("mark", class_="stale") if e.inside("section", id="path-beside")]
    assert hidden and all("id" not in e.attributes for e in hidden)
    notes = [e for e in found.all("span", class_="stale-note") if e.inside("section", id="path-beside")]
    assert len(notes) == len(hidden)
