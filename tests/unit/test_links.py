"""Where the pages lead: to states, to each other, to files of the site, and to no other host but named sources."""

import re
from urllib.parse import parse_qsl

import pytest

from publish.content import PAGES
from publish.page.keys import SCHEMA, chosen_settings
from publish.site import build_site
from publish.words.language import LANGUAGES
from tests.content_tools import CONTENT, KL, NUMBERED, files_of, shipped_content, shipped_subject
from tests.documents import document, start_page

# The address of a public report: an issue, a pull request or a commit.
REPORT = re.compile(
    r"https://github\.com/[A-Za-z0-9][\w-]*/[A-Za-z0-9][\w.-]*/((issues|pull)/[1-9]\d*|commit/[0-9a-f]{7,40})",
    re.ASCII,
)


# Fewer links to states would mean that some fell out of the page.
LINKS = {"update": 0, KL: 10, "digits": 1, "faults": len(shipped_content().faults), "editions": 0}


every = pytest.mark.parametrize("page", PAGES)
both = pytest.mark.parametrize("language", LANGUAGES)


def addresses(page, language):
    return [e.attributes["href"] for e in document(page, language).all("a") if "href" in e.attributes]


@pytest.fixture(scope="module")
def site_files(tmp_path_factory):
    out = tmp_path_factory.mktemp("site") / "out"
    build_site(CONTENT, out)
    return files_of(out)


@pytest.mark.parametrize("page", NUMBERED)  # of the numbers page, see test_numbers_page.py
@both
def test_links_to_states_choose_states_that_there_are(page, language):
    """Their keys and values are those that the command line takes, and what they lead to is in that page."""
    links = [value for value in addresses(page, language) if "#v=" in value]
    assert len(links) >= LINKS[page]
    for link in links:
        # The atlas has no states of its own: its links choose those of the main page.
        target = "update" if page == "faults" else page
        subject, ids = shipped_subject(target), document(target, language).ids()
        assert link.partition("#")[0] == ("update.html" if page == "faults" else "")
        (version, *pairs) = parse_qsl(link.partition("#")[2], keep_blank_values=True, strict_parsing=True)
        assert version == ("v", str(SCHEMA))
        places = [value for key, value in pairs if key == "show"]
        chosen = [f"{key}={value}" for key, value in pairs if key != "show"]
        assert chosen_settings(subject.keys, subject.settings, chosen, None) != subject.settings or not chosen
        assert len(places) <= 1 and set(places) <= set(ids), link


@every
@both
def test_links_between_pages_lead_to_what_there_is(page, language):
    links = [value for value in addresses(page, language) if re.match(r"[\w-]+\.html", value)]
    assert {link.partition("#")[0] for link in links} == {f"{name}.html" for name in PAGES}
    for link in links:
        file, _, anchor = link.partition("#")
        target = document(file.removesuffix(".html"), language)
        assert not anchor or anchor.startswith("v=") or anchor in target.ids(), link


@both
def test_no_other_host_is_named_but_in_links_to_sources(language):
    """To sources, and on the atlas to public reports: an entry's, or one that its prose links to."""
    sources = shipped_content().sources
    reports = {report.address for entry in shipped_content().faults.values() for report in entry.reports}
    texts = {
        page: (CONTENT / "pages" / f"{page}.{language}.md").read_text(encoding="utf-8") for page in PAGES
    }
    typed = {page: set(re.findall(r"\]\((https?:[^)\s]*)\)", text)) for page, text in texts.items()}
    assert {page for page, found in typed.items() if found} <= {"faults"}
    public = reports | typed["faults"]
    assert [address for address in public if not REPORT.fullmatch(address)] == []
    linked = {}
    for page in PAGES:
        prose = shipped_content().prose[page, language]
        named = {reference.name for reference in prose.references() if reference.kind == "source"}
        linked[page] = set()
        for element in [*document(page, language).elements, *start_page().elements]:
            for name, value in element.attributes.items():
                if re.search(r"^\s*(\w+:)?//|https?:|^\s*\w+script:|^\s*data:", value or ""):
                    assert (element.tag, name) == ("a", "href")
                    linked[page].add(value)
        expected = {sources[name]["address"] for name in named}
        assert linked[page] == (expected | public if page == "faults" else expected)
    assert set.union(*linked.values()) == {source["address"] for source in sources.values()} | public


@every
@both
def test_every_file_that_a_page_names_is_written(page, language, site_files):
    for element in document(page, language).elements:
        for name in ("href", "src"):
            value = element.attributes.get(name, "#").split("#")[0].split("?")[0]
            if value and not value.startswith("https:"):
                path = f"{language}/{value}".replace(f"{language}/../", "")
                assert path in site_files, value


def test_every_data_file_is_offered_by_a_page():
    offered = {value for page in PAGES for value in addresses(page, "en") if value.startswith("../data/")}
    written = {f"../data/{name}" for page in PAGES for name in shipped_subject(page).files}
    # Parts of the experiment are no downloads: its scripts ask for them by the names that its live data give.
    parts = shipped_subject("digits").live["parts"]
    asked = [*parts["grids"].values(), *(part["file"] for part in parts["checkpoints"]), parts["curves"]]
    assert (
        {f"../data/{name}" for name in asked} == {name for name in written if name.endswith(".js")} != set()
    )
    written -= {f"../data/{name}" for name in asked}
    assert offered == written | {f"../data/numbers.{ending}" for ending in ("json", "csv", "tex")}
