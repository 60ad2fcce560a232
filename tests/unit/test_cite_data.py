"""What the cards need to cite: the same words, sources and characters as Python has."""

import json
from dataclasses import replace

from publish.citing.data import cite_data
from publish.words.tex import CHARACTERS
from tests.content_tools import shipped_content, shipped_material


def data(**changes):
    text = cite_data(replace(shipped_material(), **changes))
    assert text.startswith("RLPU.citeData=") and text.endswith(";\n")
    return json.loads(text.removeprefix("RLPU.citeData=").removesuffix(";\n"))


def test_the_script_holds_what_python_uses():
    found, material = data(), shipped_material()
    assert found["tex"] == CHARACTERS
    assert found["edition"] == {
        "version": material.edition.version,
        "date": material.edition.date,
        "address": material.edition.address,
        "config": material.digest,
    }
    for shape, entry in material.declarations.items():
        assert found["sources"][found["shapes"][shape][0]] == entry.source
    for language, words in found["words"].items():
        assert words == {
            key: text[language]
            for key, text in shipped_content().terms.texts.items()
            if key.startswith("cite.")
        }
    assert list(found["titles"]) == list(material.subjects)


def test_what_was_verified_is_said_by_kind():
    said = {"en": "Computed again.", "zh": "已复算。"}
    found = data(verified={"loss": said, "gradient.*.*": dict(said), "kl": {"en": "Twice.", "zh": "两次。"}})
    assert found["verified"] == [said, {"en": "Twice.", "zh": "两次。"}]
    assert [found["shapes"][shape][1:] for shape in ("loss", "gradient.*.*", "kl")] == [[0], [0], [1]]
    assert found["shapes"]["loss_next"] == found["shapes"]["loss"][:1]


def test_without_a_record_nothing_is_said():
    found = data(verified={})
    assert found["verified"] == [] and all(len(places) == 1 for places in found["shapes"].values())


def test_no_page_carries_these_words_in_its_first_view():
    from publish.rendering.live import live_json

    for subject in shipped_material().subjects.values():
        words = json.loads(live_json(subject, shipped_material(), "en"))["words"]
        assert not any(key.startswith("cite.") for key in words)
