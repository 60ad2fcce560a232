"""The chapter's conversation with the core: the same numbers as the build's, of compute/kl_live.py."""

import json

import pytest
from hypothesis import given

from compute import kl_live
from compute.kl_chapter import PAGE, chapter
from compute.kl_findings import findings
from tests.closeness import close
from tests.configurations import kl_cases, kl_settings, kl_setup


def never(name):
    raise AssertionError(f"{name} is not JSON")


def answer(settings):
    """Call as the page does: a JSON text in, a JSON text out."""
    text = kl_live.show(json.dumps(settings))
    assert isinstance(text, str)
    return json.loads(text, parse_constant=never)


def as_json(value):
    return json.loads(json.dumps(value, allow_nan=False))


@pytest.fixture(autouse=True, scope="module")
def begun():
    """Begin with the test setup."""
    assert kl_live.begin(json.dumps(kl_setup())) is None


@given(kl_cases())
def test_show_is_the_chapter_with_its_settings_and_its_sentences(settings):
    expected = chapter(kl_setup(), settings)
    sentences = findings(expected)
    shown = answer(settings)
    assert sorted(shown) == [PAGE, "sentences", "settings"]
    assert shown[PAGE] == as_json(expected[PAGE])
    assert shown["settings"] == settings
    assert shown["sentences"] == as_json(sentences)


def test_the_worked_numbers_arrive():
    shown = answer(kl_settings())
    # By mpmath with thirty digits.
    assert shown[PAGE]["kl"] == close(0.19274475702175743)
    assert shown["sentences"]["negatives"][0][0] == PAGE + ".negatives_rise"
    assert answer(kl_settings(q=0.0))[PAGE]["kl"] == "inf"


def test_a_state_does_not_depend_on_the_ones_before():
    first = answer(kl_settings())
    answer(kl_settings(p=0.0, q=1.0, beta=0.0))
    assert answer(kl_settings()) == first


def test_another_setup_replaces_the_first():
    kl_live.begin(json.dumps({**kl_setup(), "longest": 2, "group_sizes": [3]}))
    shown = answer(kl_settings())[PAGE]
    kl_live.begin(json.dumps(kl_setup()))
    assert [row["length"] for row in shown["cost"]] == [1, 2]
    assert [group["n"] for group in shown["groups"]] == [3]
    assert len(answer(kl_settings())[PAGE]["cost"]) == 6
