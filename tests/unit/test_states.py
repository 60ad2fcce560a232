"""Which pages have states, and how one is computed without the rest of the content."""

import pytest

from compute.kl_chapter import chapter
from compute.state import state
from publish.commands.state import PAGES, states_of
from publish.content import PAGES as CONTENT_PAGES
from publish.kl.settings import KEYS
from publish.reading.problems import Problems
from publish.update.settings import update_keys
from tests.content_tools import (
    CONFIG,
    CONTENT,
    KL,
    KL_CONFIG,
    SHIPPED,
    STATIC,
    changed,
    content_with,
    problems_of,
    shipped_config,
    shipped_kl_config,
    shipped_subject,
)


def test_every_page_with_something_to_choose_has_states():
    static = tuple(page for page in CONTENT_PAGES if shipped_subject(page).core is None)
    assert static == STATIC
    # What can be chosen on the page of all numbers is a search, not a state: it changes no number.
    assert [key.name for key in shipped_subject("numbers").keys] == ["find", "page", "kind"]
    assert tuple(PAGES) == tuple(page for page in CONTENT_PAGES if page not in static)


def test_the_main_page():
    page, config = states_of("update", CONTENT), shipped_config()
    assert (page.keys, page.settings) == (update_keys(config), config.settings)
    settings = {**page.settings, "step": 3}
    assert page.state(settings) == state(config.setup, settings)


def test_the_chapter():
    page, config = states_of(KL, CONTENT), shipped_kl_config()
    assert (page.keys, page.settings) == (KEYS, config.settings)
    settings = {**page.settings, "p": 0.25}
    assert page.state(settings) == chapter(config.setup, settings)


@pytest.mark.parametrize("name", PAGES)
def test_the_default_state_is_the_pages(name):
    page, subject = states_of(name, CONTENT), shipped_subject(name)
    found = page.state(page.settings)
    results = subject.results
    if name == "digits":  # the runs are of no single state: the page holds them beside the one it shows
        assert "run" not in found[name] and results[name]["run"]
        results = {name: {key: value for key, value in results[name].items() if key != "run"}}
    if name == "update":  # what the page says of the setup and of other states stands beside the state
        results = {key: results[key] for key in found}
    assert results == found != {}
    assert (page.keys, page.settings) == (subject.keys, subject.settings)


@pytest.mark.parametrize(
    ("page", "needed"),
    [("update", CONFIG), (KL, KL_CONFIG), ("digits", "config/digits.toml")],
    ids=lambda value: value,
)
def test_a_state_needs_only_its_own_config(tmp_path, page, needed):
    (tmp_path / "config").mkdir()
    (tmp_path / needed).write_bytes((CONTENT / needed).read_bytes())
    assert states_of(page, tmp_path).settings == states_of(page, CONTENT).settings
    for other in PAGES.keys() - {page}:
        (problem,) = problems_of(states_of, other, tmp_path)
        assert "cannot be read" in problem.what[0]


def test_a_mistake_in_another_pages_config_does_not_matter(tmp_path):
    folder = content_with(tmp_path / "content", {CONFIG: changed(SHIPPED, "beta = 0.1", "beta = nan")})
    assert states_of(KL, folder).settings == shipped_kl_config().settings
    assert [problem.key for problem in problems_of(states_of, "update", folder)] == ["controls.beta"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("kl", None),
        ("faults", None),
        ("updat", "update"),
        ("KL-and-clipping ", KL),
        ("kl_and_clipping", KL),
        ("digit", "digits"),
    ],
)
def test_unknown_page(typed, meant):
    (problem,) = problems_of(states_of, typed, CONTENT)
    assert (problem.file, problem.line, problem.key) == (f"--page {typed}", None, "")
    assert (
        f"allowed: update, {KL}, digits" in problem.what[0]
        and f"允许：update, {KL}, digits" in problem.what[1]
    )
    assert (f'did you mean "{meant}"?' in str(Problems([problem]))) == (meant is not None)
