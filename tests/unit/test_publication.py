"""What pages say of themselves elsewhere: absolute addresses where it is published, none invented where not."""

import json
import re
import struct
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from functools import cache

import pytest

from publish.content import PAGES
from publish.rendering import publication
from publish.rendering.entrance import entrance_files
from publish.rendering.pages import environment
from publish.site import TEMPLATES
from publish.words.language import HTML_LANG, LANGUAGES
from tests.content_tools import ROOT, run_build, shipped_content, shipped_material, shipped_word
from tests.documents import Document, rendered

BASE = "https://example.org/course"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"
CODES = {"zh-CN", "en", "x-default"}

every = pytest.mark.parametrize("page", PAGES)
both = pytest.mark.parametrize("language", LANGUAGES)


@cache
def published(page, language, address=BASE):
    """Return a page of a site that is published at an address."""
    edition = replace(shipped_content().edition, address=address)
    return Document(rendered(page, language, shipped_content(), replace(shipped_material(), edition=edition)))


@cache
def files(address=BASE, former=()):
    content = shipped_content()
    edition = replace(content.edition, address=address)
    return entrance_files(environment(TEMPLATES), PAGES, content.terms, edition, dict(former))


def metas(page, kind):
    """Return (name, content) of the page's meta elements."""
    return [
        (element.attributes[kind], element.attributes["content"])
        for element in page.all("meta")
        if kind in element.attributes
    ]


def alternates(page):
    links = page.all("link", rel="alternate")
    assert len(links) == len({link.attributes["hreflang"] for link in links})
    return {link.attributes["hreflang"]: link.attributes["href"] for link in links}


@every
@both
def test_a_published_page_names_its_own_address_and_those_of_its_languages(page, language):
    found = published(page, language)
    (canonical,) = found.all("link", rel="canonical")
    assert canonical.attributes["href"] == f"{BASE}/{language}/{page}.html"
    named = alternates(found)
    assert set(named) == CODES and named[HTML_LANG[language]] == canonical.attributes["href"]
    assert named == alternates(published(page, "en" if language == "zh" else "zh"))


def test_the_start_page_is_for_readers_of_other_languages():
    start = Document(files()["index.html"])
    assert start.all("link", rel="canonical")[0].attributes["href"] == f"{BASE}/"
    assert alternates(start) == alternates(published("update", "en"))
    assert alternates(start)["x-default"] == f"{BASE}/"


@every
@both
def test_a_page_that_is_not_published_invents_no_address(page, language):
    found = published(page, language, "")
    assert found.all("link", rel="canonical") == found.all("link", rel="alternate") == []
    said = dict(metas(found, "property") + metas(found, "name"))
    assert said["og:title"] == said["citation_title"] == found.all("title")[0].text
    assert not {"og:url", "og:image", "citation_public_url"} & set(said)
    assert not [text for text in said.values() if "://" in text]
    data = json.loads(found.all("script", type="application/ld+json")[0].text)
    assert not {"url", "image"} & set(data)


@every
@both
def test_previews_and_references(page, language):
    found = published(page, language)
    title = shipped_word(f"page.{page}.title", language)
    said = metas(found, "property")
    og = dict(said)
    assert (og["og:title"], og["og:type"]) == (title, "article")
    assert og["og:description"] == dict(metas(found, "name"))["description"]
    assert og["og:url"] == f"{BASE}/{language}/{page}.html"
    assert {og["og:locale"], og["og:locale:alternate"]} == {"zh_CN", "en_US"}
    assert og["og:locale"][:2] == language and len(said) == len(og)
    cited = {name: text for name, text in metas(found, "name") if name.startswith("citation_")}
    assert cited == {
        "citation_title": title,
        "citation_author": shipped_word("cite.author"),
        "citation_publication_date": shipped_content().edition.date.replace("-", "/"),
        "citation_language": HTML_LANG[language],
        "citation_public_url": og["og:url"],
    }
    data = json.loads(found.all("script", type="application/ld+json")[0].text)
    assert (data["name"], data["inLanguage"], data["url"]) == (title, HTML_LANG[language], og["og:url"])
    assert (data["version"], data["datePublished"]) == (
        shipped_content().edition.version,
        shipped_content().edition.date,
    )
    assert data["license"] in (ROOT / "LICENSE-CONTENT").read_text(encoding="utf-8") + data["license"]


def test_the_citation_file_names_the_same_author_version_and_date():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    edition = shipped_content().edition
    assert f'- name: "{shipped_word("cite.author")}"' in text
    assert f"\nversion: {edition.version}\n" in text and f"\ndate-released: {edition.date}\n" in text


@both
def test_the_picture_has_the_size_that_is_said(language):
    path = publication.PICTURE.format(language=language)
    raw = (TEMPLATES / path).read_bytes()
    assert raw[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", raw[16:24]) == publication.PICTURE_SIZE
    assert len(raw) < 300_000
    og = dict(metas(published("update", language), "property"))
    assert og["og:image"] == f"{BASE}/{path}"
    assert og["og:image:alt"] == shipped_word("site.picture", language)


def test_the_sitemap_lists_every_page_with_its_languages_and_the_editions_date():
    root = ElementTree.fromstring(files()["sitemap.xml"])
    entries = {entry.find(f"{MAP}loc").text: entry for entry in root.findall(f"{MAP}url")}
    pages = {f"{BASE}/{language}/{page}.html": (page, language) for page in PAGES for language in LANGUAGES}
    assert set(entries) == {f"{BASE}/", *pages} and len(entries) == len(root)
    for address, entry in entries.items():
        assert entry.find(f"{MAP}lastmod").text == shipped_content().edition.date
        links = {link.attrib["hreflang"]: link.attrib["href"] for link in entry.findall(f"{XHTML}link")}
        shown = published(*pages[address]) if address in pages else Document(files()["index.html"])
        assert links == alternates(shown)
        assert set(links.values()) <= set(entries)


def test_robots_name_the_sitemap_where_there_is_one():
    assert files()["robots.txt"].endswith(f"\nSitemap: {BASE}/sitemap.xml\n")
    assert files("")["robots.txt"] == "User-agent: *\nAllow: /\n" and "sitemap.xml" not in files("")


@pytest.mark.parametrize(
    ("address", "base"),
    [
        ("", "/"),
        ("https://example.org", "/"),
        ("https://example.org/", "/"),
        (BASE, "/course/"),
        (BASE + "/", "/course/"),
        ("https://example.org/a/课程", "/a/%E8%AF%BE%E7%A8%8B/"),
        ("https://example.org/a%20b", "/a%20b/"),
    ],
)
def test_links_of_the_page_for_lost_readers_begin_at_the_hosts_root(address, base):
    page = Document(files(address)["404.html"])
    assert page.faults == [] and page.all("html")[0].attributes["data-base"] == base
    paths = [
        element.attributes[name]
        for element in page.elements
        for name in ("href", "src")
        if name in element.attributes
    ]
    assert len(paths) >= 4 + 2 * len(PAGES) and all(path.startswith(base) for path in paths)
    for language in LANGUAGES:
        for name in PAGES:
            assert f"{base}{language}/{name}.html" in paths
    assert dict(metas(page, "name"))["robots"] == "noindex"
    assert {element.attributes["lang"] for element in page.all("section")} == set(HTML_LANG.values())


def test_the_page_for_lost_readers_knows_former_names():
    page = Document(files(BASE, (("first", "update"), ("</script>", "update")))["404.html"])
    known = json.loads(page.all("script", id="known-pages")[0].text)
    assert known == {"pages": list(PAGES), "former": {"first": "update", "</script>": "update"}}


def test_words_are_escaped():
    content = shipped_content()
    made = publication.Publication("update", 'a "b" <c>', "</script>", "en", content.edition, content.terms)
    page = Document(str(made.head()))
    assert page.faults == [] and dict(metas(page, "property"))["og:title"] == 'a "b" <c>'
    assert json.loads(page.all("script")[0].text)["description"] == "</script>"


def test_the_command_line_publishes_at_an_address(tmp_path):
    done = run_build("--strict", "--address", BASE, "--out", tmp_path / "site")
    assert done.returncode == 0, done.stderr
    for name in ("en/update.html", "index.html", "sitemap.xml", "robots.txt"):
        assert BASE in (tmp_path / "site" / name).read_text(encoding="utf-8")
    named = re.findall(r'og:image" content="([^"]+)"', (tmp_path / "site/zh/faults.html").read_text("utf-8"))
    assert (tmp_path / "site" / named[0].removeprefix(f"{BASE}/")).is_file()
