"""What every page has: scripts, words, names that its own address and files are made of."""

import json
import re

import pytest

from publish.content import PAGES
from publish.page.subject import AFTER, BEFORE, ON_DEMAND, WORDS
from publish.site import TEMPLATES
from tests.content_tools import ROOT, STATIC, shipped_content, shipped_material, shipped_subject

every = pytest.mark.parametrize("name", PAGES)


@every
def test_scripts_come_in_their_order(name):
    subject = shipped_subject(name)
    assert subject.all_scripts() == (*BEFORE, *subject.scripts, *AFTER)
    assert len(set(subject.all_scripts())) == len(subject.all_scripts())
    files = {path.stem for path in (TEMPLATES / "assets" / "js").glob("*.js")}
    assert set(subject.all_scripts()) <= files


def test_every_script_is_loaded_by_a_page():
    files = {path.stem for path in (TEMPLATES / "assets" / "js").glob("*.js")}
    loaded = {script for subject in shipped_material().subjects.values() for script in subject.all_scripts()}
    assert files - loaded == {"early", "choose", "moved", "cite", "lost", *ON_DEMAND}, (
        "those are named elsewhere"
    )
    scripts = {
        name: (TEMPLATES / "assets" / "js" / f"{name}.js").read_text(encoding="utf-8") for name in files
    }
    blocks = [path.read_text(encoding="utf-8") for path in (TEMPLATES / "blocks").glob("*.html")]
    for name in ON_DEMAND:
        calls = (f'need("{name}"', f'new URL("{name}.js"', f'data-needs="{name}"')
        assert sum(call in text for text in [*scripts.values(), *blocks] for call in calls) == 1, name
    kept = re.search(r"const ON_DEMAND = (\[.*?\]);", scripts["save"])[1]
    assert tuple(json.loads(kept)) == ON_DEMAND, "a saved page has them inside"


@every
def test_the_core_is_a_module_of_the_engine(name):
    core = shipped_subject(name).core
    if core is None:  # nothing to choose, so nothing to compute in the reader's browser
        subject = shipped_subject(name)
        assert not subject.setup and not subject.findings and not subject.figures
        assert name in STATIC
        return
    assert (ROOT / (core.replace(".", "/") + ".py")).is_file() and core.startswith("compute.")


@every
def test_keys_and_settings_are_the_same(name):
    subject = shipped_subject(name)
    assert [key.name for key in subject.keys] == list(subject.settings)
    assert len({key.name for key in subject.keys}) == len(subject.keys)
    shown = subject.results.get("settings", subject.results.get(name, {}).get("settings"))
    # A page with nothing to choose has one state, and no settings that tell it from another.
    assert shown == (subject.settings if subject.core else None)


@every
def test_a_saved_page_has_a_name_that_every_system_takes(name):
    subject = shipped_subject(name)
    asked = set(re.findall(r"\{(\w+)\}", subject.file))
    assert "lang" in asked and asked - {"lang"} <= set(subject.settings)
    assert re.fullmatch(r"[a-z0-9-]+", re.sub(r"\{\w+\}", "1", subject.file))


def test_two_pages_are_told_apart():
    subjects = shipped_material().subjects.values()
    cores = [subject.core for subject in subjects if subject.core]
    assert len(set(cores)) == len(cores) == len(subjects) - len(STATIC)
    for part in ("name", "command", "file"):
        assert len({getattr(subject, part) for subject in subjects}) == len(subjects)
    figures = [name for subject in subjects for name in subject.figures]
    assert len(set(figures)) == len(figures), (
        "figures are found by name in a page, words by name in terms.toml"
    )


def test_groups_of_words_are_there():
    keys = shipped_content().terms.texts
    groups = {*WORDS, *(group for subject in shipped_material().subjects.values() for group in subject.words)}
    assert [group for group in groups if not any(key.startswith(f"{group}.") for key in keys)] == []
