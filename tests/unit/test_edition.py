"""publish/editions/edition.py: the edition file, and the address under which a site is published."""

import re
import tomllib

import pytest

from publish.editions.edition import Edition, load_edition, published_at
from publish.reading.problems import Problems
from publish.reading.toml_text import TomlText
from tests.content_tools import CONTENT, ROOT, problems_of

GOOD = 'version = "1.2.3"\ndate = 2026-11-30\n'


def edition_of(text):
    return load_edition(TomlText("edition.toml", text.encode()))


def test_version_date_and_no_address():
    assert edition_of(GOOD) == Edition("1.2.3", "2026-11-30", "")


def test_an_address_leads_to_the_files_of_the_site_with_or_without_its_last_slash():
    for address in ("https://example.org/course", "https://example.org/course/"):
        edition = edition_of(GOOD + f'address = "{address}"\n')
        assert edition.absolute("zh/update.html") == "https://example.org/course/zh/update.html"
    assert edition_of(GOOD).absolute("zh/update.html") == "zh/update.html"


@pytest.mark.parametrize(
    ("text", "line", "key"),
    [
        ('version = "1.2"\ndate = 2026-11-30\n', 1, "version"),
        ('version = "1.2.3"\ndate = "soon"\n', 2, "date"),
        (GOOD + 'address = "example.org"\n', 3, "address"),
        (GOOD + 'address = "https://example.org/?a=1"\n', 3, "address"),
        (GOOD + 'adress = ""\n', 3, "adress"),
    ],
)
def test_mistakes_are_named_with_their_line(text, line, key):
    assert [(p.line, p.key) for p in problems_of(edition_of, text)] == [(line, key)]


def test_another_address():
    edition = Edition("1.2.3", "2026-11-30", "https://example.org")
    assert published_at(edition, None) == edition
    assert published_at(edition, "http://localhost:8000/a").absolute("b") == "http://localhost:8000/a/b"


@pytest.mark.parametrize("address", ["", "example.org", "ftp://example.org", "https://a b", "https://a/#b"])
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(Problems, match="--address: found"):
        published_at(Edition("1.2.3", "2026-11-30"), address)


def test_every_file_that_names_the_edition_names_the_same():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    edition = edition_of((CONTENT / "edition.toml").read_text(encoding="utf-8"))
    assert project["version"] == edition.version
    assert re.search(r"^version: (.*)$", citation, re.M)[1] == edition.version
    assert re.search(r"^date-released: (.*)$", citation, re.M)[1] == edition.date
