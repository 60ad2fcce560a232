"""From page to page: the ways there, and that the reader's state and place are kept on the way back."""

from __future__ import annotations

import re

import pytest

from tests.browser.chapter import FILE, Chapter
from tests.browser.driving import LANGUAGES, Live, until
from tests.browser.seen import in_view, point_and_click, scroll_to
from tests.kl_states import canonical, settings_of, word
from tests.live_states import canonical as update_canonical
from tests.live_states import settings_of as update_settings

pytestmark = pytest.mark.browser

FILES = ("update.html", FILE)  # with settings, in reading order
STATIC_FILES = ("digits.html", "faults.html", "numbers.html", "verify.html", "editions.html")
ALL = (*FILES, *STATIC_FILES)
PLACES = {"update.html": "derivatives", FILE: "chain-rule"}
STATES = {"update.html": ["beta=0.2", "step=3"], FILE: ["p=0.3", "tree_q=0"]}
FORBIDDEN = """Object.defineProperty(window, "sessionStorage",
    {get() { throw new DOMException("forbidden", "SecurityError"); }});"""
FULL = "Storage.prototype.setItem = () => { throw new DOMException('full', 'QuotaExceededError'); };"


def open_page(visit, language, file, **how):
    """Return a page at its state in STATES, at its place in PLACES."""
    seen = visit(f"{language}/{file}#{'&'.join(['v=1', *STATES[file]])}", **how)
    page = driven(seen, file, language).wait(*STATES[file])
    scroll_to(seen.page, f"#{PLACES[file]}")
    return page


def driven(seen, file, language):
    return Live(seen, language) if file == "update.html" else Chapter(seen, language)


def arrived(page, language, file):
    """Wait until a page shows its state in STATES again, and check its place."""
    page.wait_for_url(f"**/{language}/{file}*")
    wanted = (
        update_canonical(update_settings(*STATES[file]))
        if file == "update.html"
        else canonical(settings_of(*STATES[file]))
    )
    page.wait_for_selector(f"html[data-state^={wanted!r}]", state="attached")
    assert in_view(page, f"#{PLACES[file]}")


@pytest.fixture(scope="module")
def plain(visiting):
    """Return a tab without scripts."""
    with visiting("index.html", javascript=False) as seen:
        yield seen.page


@pytest.mark.parametrize("file", ALL)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_lists_all_pages_and_its_neighbours(plain, site, language, file):
    page = plain
    page.goto((site / language / file).as_uri())
    links = page.locator(".pages a")
    assert links.evaluate_all("all => all.map((link) => link.getAttribute('href'))") == list(ALL)
    titles = [word(f"page.{name.removesuffix('.html')}.short", language) for name in ALL]
    assert links.all_inner_texts() == titles
    current = page.locator(".pages [aria-current]")
    assert current.count() == 1 and current.get_attribute("aria-current") == "page"
    assert current.get_attribute("href") == file
    place = ALL.index(file)
    around = {rel: page.locator(f".around a[rel={rel}]") for rel in ("prev", "next")}
    for rel, index, key in (("prev", place - 1, "before"), ("next", place + 1, "after")):
        there = 0 <= index < len(ALL)
        assert around[rel].count() == there, rel
        if there:
            assert around[rel].get_attribute("href") == ALL[index]
            assert around[rel].inner_text() == word(f"nav.{key}", language, title=titles[index])
    for name in ("nav.pages", "nav.around"):
        assert page.locator(f"nav[aria-label='{word(name, language)}']").count() == 1


@pytest.mark.parametrize(("language", "width"), [("zh", 375), ("en", 375), ("en", 1440)])
def test_every_page_can_be_reached_by_a_tap(visit, language, width):
    """Each link is in the window when its bar is; the present page's is."""
    page = visit(f"{language}/{FILE}", width=width).page
    boxes = page.locator(".pages a").evaluate_all(
        "all => all.map((link) => [link.getBoundingClientRect().left, link.getBoundingClientRect().right])"
    )
    assert all(left >= 0 and right <= width for left, right in boxes), boxes
    page.locator(".pages a").first.click()
    page.wait_for_url("**/update.html*")


@pytest.mark.parametrize(("language", "here", "there"), [("zh", *FILES), ("en", *FILES[::-1])])
def test_the_way_back_leads_to_the_state_and_the_place(visit, language, here, there):
    page = open_page(visit, language, here)
    way = page.page.locator(f".around a[href*='{there}']")
    way.scroll_into_view_if_needed()
    scroll_to(page.page, f"#{PLACES[here]}")
    way.evaluate("link => link.click()")
    page.page.wait_for_url(f"**/{language}/{there}*")
    assert page.page.evaluate("scrollY") < 100
    page.page.locator(f".pages a[href*='{here}']").click()
    arrived(page.page, language, here)
    assert driven(page.visit, here, language).wrong(*STATES[here]) == []
    assert page.visit.complaints == []


def test_both_pages_are_kept_even_when_the_language_changes_on_the_way(visit):
    page = open_page(visit, "en", FILE)
    tab = page.page
    tab.locator(".pages a[href*='update']").evaluate("link => link.click()")
    tab.wait_for_url("**/en/update.html*")
    tab.evaluate("hash => { location.hash = hash; }", "&".join(["v=1", *STATES["update.html"]]))
    Live(page.visit).wait(*STATES["update.html"])
    scroll_to(tab, f"#{PLACES['update.html']}")
    point_and_click(tab, "#language")
    arrived(tab, "zh", "update.html")
    tab.locator(f".pages a[href*='{FILE}']").evaluate("link => link.click()")
    arrived(tab, "zh", FILE)
    tab.locator(".pages a[href*='update']").evaluate("link => link.click()")
    arrived(tab, "zh", "update.html")
    assert page.visit.complaints == []


@pytest.mark.parametrize(
    ("here", "there", "anchors"),
    [("zh", "en", ["two-paths", "chart-kl-tokens"]), ("en", "zh", ["table-cases", "example"])],
)
def test_the_language_switch_keeps_state_and_place(visit, here, there, anchors):
    """There and back."""
    seen = visit(f"{here}/{FILE}#v=1&p=0.3&tree_q=0")
    Chapter(seen, here).wait("p=0.3", "tree_q=0").visit.read_through()
    wanted = canonical(settings_of("p=0.3", "tree_q=0"))
    for anchor in anchors:
        for language in (there, here):
            scroll_to(seen.page, f"#{anchor}")
            point_and_click(seen.page, "#language")
            seen.page.wait_for_url(f"**/{language}/{FILE}#*")
            seen.page.wait_for_selector(f"html[data-state^={wanted!r}]", state="attached")
            assert in_view(seen.page, f"#{anchor}"), (anchor, language)
            assert Chapter(seen, language).wrong("p=0.3", "tree_q=0") == []
    assert seen.complaints == []


def test_a_teachers_locks_survive_the_way_there_and_back(visit):
    seen = visit(f"en/{FILE}#v=1&p=0.3&hide=beta&lock=q")
    Chapter(seen).wait("p=0.3", hide="beta", lock="q")
    scroll_to(seen.page, "#two-paths")
    seen.page.locator(".pages a[href*='update']").evaluate("link => link.click()")
    seen.page.wait_for_url("**/update.html*")
    seen.page.locator(f".pages a[href*='{FILE}']").click()
    seen.page.wait_for_selector("html[data-state*='lock=q']", state="attached")
    assert seen.page.locator("[name=q]").is_disabled() and seen.page.locator("[name=beta]").is_hidden()


@pytest.mark.parametrize("storage", [FORBIDDEN, FULL], ids=["forbidden", "full"])
@pytest.mark.parametrize("file", FILES)
def test_without_storage_a_page_begins_at_its_top_and_nothing_throws(visit, file, storage):
    seen = visit(f"en/{file}", prepare=lambda context: context.add_init_script(storage))
    with pytest.raises(Exception, match=r"forbidden|full"):
        seen.page.evaluate("sessionStorage.setItem('place', '')")
    other = FILES[1 - FILES.index(file)]
    seen.page.locator(f".pages a[href='{other}']").click()
    seen.page.wait_for_url(f"**/{other}")
    assert seen.page.locator(f".pages a:not([aria-current])[href='{file}']").count() == 1
    seen.page.click("#theme")
    seen.page.locator(f".pages a[href='{file}']").click()
    seen.page.wait_for_url(f"**/{file}")
    seen.page.wait_for_timeout(100)
    assert seen.complaints == []


# --- the contents ---


@pytest.mark.parametrize(("file", "language"), [("update.html", "en"), ("digits.html", "zh")])
def test_the_contents_mark_the_section_that_is_read(visit, file, language):
    page = visit(f"{language}/{file}").page
    marked = page.locator(".contents a[aria-current]")
    page.wait_for_timeout(100)
    assert marked.count() == 0  # at the top no section has begun
    for link in page.locator(".contents a").all():
        link.evaluate("link => link.click()")
        place = link.get_attribute("href")
        until(page, "place => document.querySelector('.contents a[aria-current]')?.hash === place", place)
        assert marked.count() == 1 and marked.get_attribute("aria-current") == "true"
    page.evaluate("scrollTo({top: 0, behavior: 'instant'})")
    until(page, "!document.querySelector('.contents a[aria-current]')")


# --- links in the text ---

LINK = re.compile(r'<a [^>]*href="((?:\.\./(?:zh|en)/)?([a-z-]*\.html)?#([^"=]+))"')


@pytest.mark.parametrize("file", ALL)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_anchor_that_a_link_names_is_there(site, language, file):
    text = (site / language / file).read_text("utf-8")
    links = LINK.findall(text)
    assert len(links) > (5 if file in ("numbers.html", "verify.html", "editions.html") else 15)
    for _, other, anchor in links:
        target = (site / language / (other or file)).read_text("utf-8")
        assert re.search(rf'\bid="{re.escape(anchor)}"', target), (other, anchor)


def test_links_to_anchors_of_another_page_arrive_there(visit, site):
    """Each in one language, in turn: that the anchor is there is tested of both."""
    found = [LINK.findall((site / language / FILE).read_text("utf-8")) for language in LANGUAGES]
    chinese, english = ({href: (other, anchor) for href, other, anchor in links if other} for links in found)
    assert len(english) >= 3 and set(chinese) == set(english)
    seen = visit(f"en/{FILE}")
    for index, (href, (other, anchor)) in enumerate(english.items()):
        seen.page.goto((site / LANGUAGES[index % 2] / FILE).as_uri())
        seen.page.locator(f"main a[href='{href}']").first.click()
        seen.page.wait_for_url(f"**/{other}#{anchor}")
        seen.page.wait_for_timeout(100)
        assert in_view(seen.page, f"#{anchor}"), href
    assert seen.complaints == []


def test_links_to_states_open_them(visit, site):
    """The questions of the chapter lead to states: each opens without a mistake, at its place."""
    hashes, chinese = (
        re.findall(r'href="#(v=1&amp;[^"]+)"', (site / language / FILE).read_text("utf-8"))
        for language in ("en", "zh")
    )
    assert len(hashes) >= 10 and hashes == chinese
    page = Chapter(visit(f"en/{FILE}"))
    for text in hashes:
        pairs = text.replace("&amp;", "&").split("&")
        choice = [pair for pair in pairs if not pair.startswith(("v=", "show="))]
        (place,) = [pair.removeprefix("show=") for pair in pairs if pair.startswith("show=")]
        page.page.locator(f"main a[href='#{text.replace('&amp;', '&')}']").first.click()
        page.wait(*choice)
        assert page.problems() == [] and page.wrong(*choice) == []
        assert in_view(page.page, f"#{place}"), text
    assert page.visit.complaints == []
