"""The log of editions: files that read back, in order, and mistakes in them."""

import pytest

from publish.editions.compare import Change
from publish.editions.edition import load_edition
from publish.editions.log import Log, load_log, load_logs, log_text, order
from publish.reading.toml_text import TomlText
from publish.words.language import Text
from tests.content_tools import CONTENT, problems_of, shipped_content, shipped_material

DIGEST = "0123456789abcdef" * 4
CHANGES = (
    Change("a.0", "update", Text('甲"\\', "a\t{x}"), "1", "−2"),
    Change("b", "digits", Text("乙", "b"), "", "∞"),
    Change("c", "digits", Text("丙", "c"), "—", ""),
)
LOG = Log("1.2.0", "2027-03-04", DIGEST, Text("说明“一”。", 'About "one".'), CHANGES)


def read(text, name="1.2.0.toml"):
    return load_log(TomlText(name, text.encode()))


def test_a_written_log_reads_back():
    assert read(log_text(LOG)) == LOG
    assert read(log_text(Log("1.2.0", "2027-03-04", DIGEST, LOG.note))).changes == ()


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ('version = "1.2.0"', 'version = "1.3.0"', "version"),
        ('version = "1.2.0"', 'version = "1.2"', "version"),
        ("date = 2027-03-04", 'date = "2027"', "date"),
        (DIGEST, "abc", "config"),
        (', "b", "", "∞"]', "]", "changed.1"),
        ('"c", "—", ""]', '"c", "", ""]', "changed.2"),
        ("note =", "notes =", "note"),
    ],
)
def test_mistakes_are_named(old, new, key):
    text = log_text(LOG)
    assert old in text
    assert key in [problem.key for problem in problems_of(read, text.replace(old, new, 1))]


def test_the_newest_comes_first_by_number_not_by_letter(tmp_path):
    (tmp_path / "editions").mkdir()
    for version in ("0.9.0", "0.10.0", "0.2.1"):
        text = log_text(Log(version, "2027-03-04", DIGEST, LOG.note))
        (tmp_path / "editions" / f"{version}.toml").write_text(text, encoding="utf-8")
    assert [log.version for log in load_logs(tmp_path)] == ["0.10.0", "0.9.0", "0.2.1"]
    assert order("0.10.0") > order("0.9.9")
    assert load_logs(tmp_path / "none") == []


def test_the_shipped_log_has_the_edition_and_its_configuration():
    """When this fails after a change of the config: `python build.py release`, see CONTRIBUTING.md."""
    edition = load_edition(TomlText("edition.toml", (CONTENT / "edition.toml").read_bytes()))
    newest = shipped_content().logs[0]
    assert (newest.version, newest.date) == (edition.version, edition.date)
    assert newest.config == shipped_material().digest
