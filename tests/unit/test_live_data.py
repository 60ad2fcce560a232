"""What a page's scripts are given: the core's inputs, the keys, the formats of its numbers, its words."""

import json
import re

import pytest

from publish.content import PAGES
from publish.numbers.registry import shape_of
from publish.page.keys import SCHEMA, page_schema
from publish.rendering.live import is_word, live_json, owner
from publish.site import TEMPLATES
from publish.words.language import LANGUAGES
from tests.content_tools import KL, STATIC, shipped_content, shipped_material, shipped_subject
from tests.documents import Document, rendered

SCRIPTS = TEMPLATES / "assets" / "js"
WORD = re.compile(r'\bwords\("([\w.-]+)"\s*[,)]')  # words("live.failed"), in scripts
SAY = re.compile(r'\bsay\("(\w+)"')  # say("saved"), in those that put their own group before it

every = pytest.mark.parametrize("page", PAGES)
both = pytest.mark.parametrize("language", LANGUAGES)


def page_of(name):
    """Return the page whose name an id or a word's group begins with; the main page's begin with none."""
    return next((page for page in PAGES if name.startswith(f"{page}.")), "update")


def live(page, language="en"):
    return json.loads(live_json(shipped_subject(page), shipped_material(), language))


@every
@both
def test_inputs_and_keys(page, language):
    data, subject = live(page, language), shipped_subject(page)
    assert data["schema"] == SCHEMA and data["core"] == subject.core
    assert (data["setup"], data["settings"]) == (subject.setup, subject.settings)
    assert data["keys"] == json.loads(json.dumps(page_schema(subject.keys, language)))
    assert (data["command"], data["file"]) == (subject.command, subject.file)
    assert {name: data[name] for name in subject.live} == subject.live


@every
def test_numbers_that_rounding_moves_are_written_as_the_page_writes_them(page):
    written, registry = live(page)["uncertain"], shipped_material().registry
    assert written == {
        name: registry[name].text
        for name in shipped_subject(page).uncertainty
        if registry[name].text.startswith("≈")
    }
    assert bool(written) == (page == "digits")


@every
@both
def test_formats_are_those_of_the_pages_numbers(page, language):
    content, data = shipped_content(), live(page, language)
    lists_all = page == "numbers"  # their labels stand in its list, where its cards find them
    shapes = {shape for shape in content.declarations if lists_all or page_of(shape) == page}
    assert data["numbers"].keys() == shapes and bool(shapes) == (page not in ("verify", "editions"))
    for shape, (decimals, label, formula, filled) in data["numbers"].items():
        entry = content.declarations[shape]
        # "2f": two decimals even where they are all 0; None: as it was chosen.
        # "6e": of an error only the size may be certain.
        written = {"setting": None, "fixed": f"{entry.decimals}f", "error": f"{entry.decimals}e"}
        assert decimals == written.get(entry.style, entry.decimals)
        assert formula == content.formulas[entry.formula].text
        said = (entry.zh if language == "zh" else entry.en, entry.filled)
        assert (label, filled) == (("", "") if lists_all else said)
    shown = [
        e.attributes["data-number"]
        for e in Document(rendered(page, language, content, shipped_material())).numbers()
    ]
    used = {
        shape_of(tuple(number_id.split(".")), content.declarations, content.ignored) for number_id in shown
    }
    assert used <= data["numbers"].keys()


@every
@both
def test_words_of_its_sentences_are_there_and_no_other_pages(page, language):
    terms, words = shipped_content().terms.texts, live(page, language)["words"]
    sentences = {key for key in terms if key.startswith("sentence.")}
    own = {key for key in sentences if page_of(key.removeprefix("sentence.")) == page}
    assert {key for key in words if key.startswith("sentence.")} == own
    # The atlas says the same whatever the reader does: it has no findings, and needs no words for them.
    assert bool(own) == bool(shipped_subject(page).findings) == (page not in STATIC)
    assert all(words[key] == terms[key][language] for key in words)
    assert "number.undefined" in words


@every
def test_words_that_its_scripts_ask_for_are_there(page):
    words, asked = live(page)["words"], set()
    for script in shipped_subject(page).all_scripts():
        text = (SCRIPTS / f"{script}.js").read_text(encoding="utf-8")
        asked |= set(WORD.findall(text)) | {f"{script}.{key}" for key in SAY.findall(text)}
    assert len(asked) > 10 and {"tools.saved", "live.failed"} <= asked
    assert sorted(asked - words.keys()) == []


def test_owner():
    material = shipped_material()
    assert owner(f"{KL}.paths.*.p", material) == KL
    assert [owner(shape, material) for shape in ("faults.steps", "faults.paths.*.first")] == ["faults"] * 2
    assert owner("digits.run.final.*.beta", material) == "digits"
    assert owner("beside.first", material) == "update"
    assert [owner(shape, material) for shape in ("loss", "positions.*.kl", "settings.beta")] == ["update"] * 3


def test_a_group_that_another_page_names_more_closely_is_that_pages():
    material = shipped_material()
    update, chapter, atlas = (shipped_subject(page) for page in ("update", KL, "faults"))
    assert is_word("sentence.loss_falls", update, material) and not is_word(
        "sentence.loss_falls", chapter, material
    )
    close = f"sentence.{KL}.group"
    assert is_word(close, chapter, material) and not is_word(close, update, material)
    assert not any(is_word(key, atlas, material) for key in ("sentence.loss_falls", close, "path.go"))
    assert is_word("path.go", update, material) and not is_word("path.go", chapter, material)
    assert all(is_word("live.failed", subject, material) for subject in (update, chapter, atlas))
    assert not any(is_word("table.kl-paths", subject, material) for subject in (update, chapter, atlas))
    assert not is_word("sentences.x", update, material), "a group is a whole name"


@every
def test_it_may_stand_in_a_script_element(page):
    text = live_json(shipped_subject(page), shipped_material(), "en")
    assert "<" not in text and "NaN" not in text and "Infinity" not in text
