"""What the cards need to cite: the same words, sources and characters as Python has."""

import json

from publish.citing.data import cite_data
from publish.words.tex import CHARACTERS
from tests.content_tools import shipped_content, shipped_material


def data():
    text = cite_data(shipped_material())
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
        assert found["sources"][found["shapes"][shape]] == entry.source
    for language, words in found["words"].items():
        assert words == {
            key: text[language]
            for key, text in shipped_content().terms.texts.items()
            if key.startswith("cite.")
        }
    assert list(found["titles"]) == list(material.subjects)


def test_no_page_carries_these_words_in_its_first_view():
    from publish.rendering.live import live_json

    for subject in shipped_material().subjects.values():
        words = json.loads(live_json(subject, shipped_material(), "en"))["words"]
        assert not any(key.startswith("cite.") for key in words)
