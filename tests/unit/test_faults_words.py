"""The words of the fault atlas: each that a block names exists in content/terms.toml, each that exists is used."""

import re

import pytest

from publish.faults.notes import PARTS
from publish.rendering.pages import Page, environment
from publish.site import TEMPLATES
from publish.words.language import LANGUAGES
from tests.content_tools import shipped_content, shipped_material, shipped_subject


def words_asked_for(monkeypatch):
    """Return every key of content/terms.toml that the pages ask for while they are made, in both languages."""
    asked, word, fill = set(), Page.word, Page.context

    def noted(self, key, **values):
        asked.add(key)
        return word(self, key, **values)

    def context(self):
        made = fill(self)
        told = made["s"].fill
        made["s"].fill = lambda term, **ids: (asked.add(term), told(term, **ids))[1]
        return made

    monkeypatch.setattr(Page, "word", noted)
    monkeypatch.setattr(Page, "context", context)
    for name in ("update", "faults"):
        for language in LANGUAGES:
            prose = shipped_content().prose[name, language]
            Page(shipped_subject(name), language, shipped_material(), environment(TEMPLATES), prose).render()
    return asked


def test_no_word_of_the_atlas_is_unused(monkeypatch):
    asked = words_asked_for(monkeypatch)
    asked.add("faults.never")  # of a configuration in which a path never differs: see test_faults_page.py
    terms = {key for key in shipped_content().terms.texts if key.split(".")[0] in ("faults", "path")}
    assert sorted(terms - asked) == []
    assert {key for key in asked if key.split(".")[0] in ("faults", "path")} <= terms


BLOCKS = [*(TEMPLATES / "blocks").glob("fault-*.html"), TEMPLATES / "blocks" / "path.html"]


@pytest.mark.parametrize("block", BLOCKS, ids=lambda path: path.stem)
def test_every_word_that_a_block_names_exists(block):
    text = block.read_text(encoding="utf-8")
    terms = shipped_content().terms.texts
    whole = re.findall(r"""\bt\(["']([\w.-]+)["'](?=[,)])""", text) + re.findall(
        r"""\bs\.fill\(["']([\w.-]+)["'],""", text
    )
    # one word or another: t("a" if … else "b")
    either = re.findall(r"""\bt\(["']([\w.-]+)["'] if [^()]+ else ["']([\w.-]+)["']\)""", text)
    begun = re.findall(r"""\b(?:t|s\.fill)\(["']([\w.-]+)["'] ~""", text)
    assert [key for key in [*whole, *sum(either, ())] if key not in terms] == []
    assert [key for key in begun if not any(name.startswith(key) for name in terms)] == []
    assert len(whole) + len(either) + len(begun) == len(re.findall(r"\b(?:t|s\.fill)\(", text))


def test_blocks_are_all_used():
    parts = {f"fault-{part}" for part in PARTS}
    assert {path.stem for path in BLOCKS} == parts | {"fault-table", "fault-notes", "fault-part", "path"}
    for name, used in (("faults", parts | {"fault-table", "fault-notes"}), ("update", {"path"})):
        for language in LANGUAGES:
            named = [
                r.name for r in shipped_content().prose[name, language].references() if r.kind == "block"
            ]
            assert all(named.count(block) == 1 for block in used), name
