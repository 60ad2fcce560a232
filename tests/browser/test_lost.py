"""The page for lost readers, sent for any address: it leads to the page that is meant, or offers all pages."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from publish.content import PAGES
from publish.rendering.entrance import entrance_files
from publish.rendering.pages import environment
from publish.site import TEMPLATES
from tests.browser.driving import LANGUAGES, until
from tests.content_tools import shipped_content
from tests.loopback import serving

pytestmark = pytest.mark.browser

PARTS = """() => ({
    shown: [...document.querySelectorAll("section")].filter((item) => item.checkVisibility()).map((item) => item.lang),
    title: document.title,
    lang: document.documentElement.lang,
    ground: getComputedStyle(document.querySelector("main")).maxWidth,
})"""


@pytest.fixture(scope="module")
def host(site, tmp_path_factory):
    """Return the address of a site under /course/, in whose folder above lies what the host sends for the rest."""
    folder = tmp_path_factory.mktemp("host")
    shutil.copytree(site, folder / "course")
    content = shipped_content()
    edition = replace(content.edition, address="https://example.org/course/")
    former = {"first-step": "update"}
    files = entrance_files(environment(TEMPLATES), PAGES, content.terms, edition, former)
    (folder / "404.html").write_bytes(files["404.html"].encode())
    with serving(folder) as address:
        yield address


@pytest.fixture(scope="module")
def page(browser):
    """Return a page of a reader whose browser asks for Chinese."""
    context = browser.new_context(locale="zh-CN")
    context.set_default_timeout(15_000)
    yield context.new_page()
    context.close()


def test_anywhere_on_the_host_it_has_its_style_and_offers_both_languages(page, host):
    for path in ("/nothing", "/course/nothing.html", "/a/b/c/d/", "/course/%E0%A4%A", "/course/constructor"):
        answer = page.goto(host + path)
        found = page.evaluate(PARTS)
        assert answer.status == 404 and found["shown"] == ["zh-CN", "en"], path
        assert found["ground"] not in ("none", ""), path
    for link in page.locator("section a").all():
        assert page.request.get(host + link.get_attribute("href")).status == 200


def test_a_bullet_stands_at_the_first_line_of_its_link(page, host):
    page.goto(host + "/nothing")
    assert set(
        page.locator("li a").evaluate_all("links => links.map((link) => getComputedStyle(link).display)")
    ) == {"block"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_keeps_the_language_of_the_address(page, host, language):
    page.goto(f"{host}/course/{language}/chapter-9/nothing.html")
    found = page.evaluate(PARTS)
    assert found["shown"] == [found["lang"]] and found["lang"].startswith(language)
    assert found["title"] == page.locator("section:visible :is(h1, h2)").inner_text()


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/course/en/update", "/course/en/update.html"),
        ("/course/en/Update.HTML?a=1#beta=0.2", "/course/en/update.html?a=1#beta=0.2"),
        ("/course/update.html#table-positions", "/course/zh/update.html#table-positions"),
        ("/course/en/first-step.html#beta=0.2", "/course/en/update.html#beta=0.2"),
        ("/course/first-step/", "/course/zh/update.html"),
        ("/course/zh/faults/", "/course/zh/faults.html"),
    ],
)
def test_another_spelling_and_a_former_name_lead_to_the_page(page, host, path, target):
    page.goto("about:blank")
    page.goto(host + path)
    until(page, "target => location.href === target", host + target)
    assert page.locator("main h1").count() == 1


def test_a_page_that_is_listed_but_missing_does_not_send_readers_in_circles(page, host, tmp_path):
    lost = page.request.get(f"{host}/nothing").body()
    (tmp_path / "404.html").write_bytes(lost)
    with serving(tmp_path) as bare:
        page.goto(f"{bare}/course/en/update.html")
        assert page.evaluate("location.pathname") == "/course/en/update.html"
        assert page.locator("section").count() == 2
