"""The Content-Security-Policy stands first on every page, and nothing in the built site needs more than it allows."""

import base64
import hashlib
import json
import re

import pytest

from publish.content import PAGES
from publish.rendering import entrance, policy
from publish.rendering.pages import environment
from publish.site import TEMPLATES
from publish.words.language import LANGUAGES
from tests.content_tools import shipped_content
from tests.documents import Document, document, start_page

DATA = ("application/json", "application/ld+json")


def lost_page():
    content = shipped_content()
    return Document(
        entrance.lost_page(environment(TEMPLATES), list(PAGES), content.terms, content.edition, {})
    )


def pages():
    yield from (document(page, language) for page in PAGES for language in LANGUAGES)
    yield from (start_page(), lost_page())


def directives(kind):
    return dict(item.split(" ", 1) for item in policy.policy(kind).split("; "))


def test_every_page_states_the_policy_before_anything_that_it_governs():
    for page in pages():
        (meta,) = page.all("meta", http_equiv="Content-Security-Policy")
        assert meta.attributes["content"] == policy.policy("built")
        head = [element.tag for element in page.elements[: page.elements.index(meta)]]
        assert head == ["html", "head", "meta"]


def test_nothing_is_inline():
    for page in pages():
        for element in page.elements:
            assert not [name for name in element.attributes if name.startswith("on")], element.attributes
            assert element.tag != "style" and "style" not in element.attributes, element.attributes
            if element.tag == "script":
                assert element.attributes.get("type") in DATA or element.text == "", element.attributes
            assert not str(element.attributes.get("href", "")).startswith("javascript:")


def test_all_that_is_not_named_is_forbidden_and_no_kind_allows_what_is_inline():
    for kind in ("built", "saved"):
        found = directives(kind)
        assert found["default-src"] == "'none'" and found["base-uri"] == found["form-action"] == "'none'"
        assert "'unsafe-inline'" not in policy.policy(kind) and "'unsafe-eval'" not in policy.policy(kind)
        assert not re.search(r"https?:|\*", policy.policy(kind))


def test_kinds_differ_where_they_must():
    built, saved = (directives(kind) for kind in ("built", "saved"))
    assert built["connect-src"] == "'self'"
    assert {name for name in built if built[name] != saved[name]} == {
        "script-src",
        "style-src",
        "img-src",
        "font-src",
        "connect-src",
    }
    assert "'self'" not in policy.policy("saved")
    assert saved["script-src"].count(policy.NONCE) == saved["style-src"].count(policy.NONCE) == 1


def test_the_words_for_styles_that_the_chart_library_writes():
    for text in ("", "font-size:70%"):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in directives("built")["style-src"]
    library = TEMPLATES / "assets" / "vendor" / "plotly" / "plotly-basic.min.js"
    assert 'sup:"font-size:70%"' in library.read_text(encoding="utf-8")


def test_the_element_holds_the_policy_and_needs_no_escaping():
    (meta,) = Document(str(policy.meta("built"))).elements
    assert meta.attributes["content"] == policy.policy("built")
    assert not set('<>&"') & set(policy.policy("built"))


def test_pages_get_the_saved_policy_with_the_parts(tmp_path):
    from publish.rendering.parts import write_parts

    (tmp_path / "js").mkdir()
    write_parts(tmp_path)
    text = (tmp_path / "parts.js").read_text(encoding="utf-8")
    parts = json.loads(text.removeprefix("globalThis.RLPU_PARTS=").removesuffix(";\n"))
    assert parts["policy"] == policy.policy("saved")
    script = (TEMPLATES / "assets" / "js" / "save.js").read_text(encoding="utf-8")
    assert f'replaceAll("{policy.NONCE}", nonce)' in script


@pytest.mark.parametrize("name", ["early", "lost", "choose", "tools", "save", "charts", "example"])
def test_scripts_make_no_code_of_texts(name):
    script = (TEMPLATES / "assets" / "js" / f"{name}.js").read_text(encoding="utf-8")
    assert not re.search(r"\beval\(|new Function\(|setTimeout\(\s*[\"'`]", script)
