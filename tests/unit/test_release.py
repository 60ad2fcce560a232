"""A new edition, from an edited config to the log on the site; and mistakes, after which nothing is written."""

import json
import re

import pytest

from publish.commands.release import Release, release, renamed
from publish.content import load_content
from publish.site import build_site
from publish.words.language import Text
from tests.content_tools import (
    CONFIG,
    CONTENT,
    SHIPPED,
    changed,
    content_with,
    files_of,
    problems_of,
    run_build,
)
from tests.documents import Document

NOTE = Text("学习率更小。", "A smaller learning rate.")


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """Return a content folder in which edition 0.2.0 was released, the site before it and the site after."""
    folder = tmp_path_factory.mktemp("course")
    content = content_with(folder / "content", {})
    build_site(content, folder / "before")
    text = changed(SHIPPED, "learning_rate = 0.3", "learning_rate = 0.25")
    (content / CONFIG).write_text(text, encoding="utf-8")
    old = folder / "before" / "data" / "numbers.json"
    run = run_build(
        *("release", "0.2.0", "--content", content, "--date", "2027-01-31", "--old", old),
        *("--zh", NOTE["zh"], "--en", NOTE["en"]),
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert len(run.stdout.splitlines()) == 3
    build_site(content, folder / "after", strict=True)
    return content, folder / "before", folder / "after"


def numbers(site):
    return json.loads((site / "data" / "numbers.json").read_text(encoding="utf-8"))["numbers"]


def rounding(old, new):
    """Tell whether two values are both what rounding leaves where the exact value is 0."""
    return all(isinstance(value, float) and abs(value) < 1e-15 for value in (old, new))


def test_the_edition_is_named_and_its_comments_stay(released):
    content, _, after = released
    shipped = (CONTENT / "edition.toml").read_text(encoding="utf-8")
    wanted = shipped.replace('"0.1.0"', '"0.2.0"').replace("2026-11-30", "2027-01-31")
    assert (content / "edition.toml").read_text(encoding="utf-8") == wanted
    for page in ("zh/update.html", "en/digits.html"):
        assert "0.2.0" in Document((after / page).read_text(encoding="utf-8")).all("footer")[0].text


def test_the_log_has_every_number_that_changed_and_no_other(released):
    content, before, after = released
    old, new = numbers(before), numbers(after)
    logs = load_content(content).logs
    assert [log.version for log in logs] == ["0.2.0", "0.1.0"]
    found = {item.id: (item.old, item.new) for item in logs[0].changes}
    assert found["settings.learning_rate"] == ("0.3", "0.25")
    shown = {
        key: (old[key]["text"], entry["text"])
        for key, entry in new.items()
        if old[key]["text"] != entry["text"] and not rounding(old[key]["value"], entry["value"])
    }
    assert len(shown) > 100 and shown.items() <= found.items()
    for key in found.keys() - shown.keys():  # they differ beyond the digits shown
        assert abs(old[key]["value"] - new[key]["value"]) > 1e-9 * abs(new[key]["value"])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_site_shows_the_log_with_the_newest_first(released, language):
    content, _, after = released
    page = Document((after / language / "editions.html").read_text(encoding="utf-8"))
    editions = page.all("section", class_="edition")
    assert [edition.attributes["id"] for edition in editions] == ["edition-0.2.0", "edition-0.1.0"]
    newest = editions[0]
    log = load_content(content).logs[0]
    assert NOTE[language] in newest.text and "2027-01-31" in newest.text and log.config in newest.text
    rows = [
        e for e in page.under(newest) if e.tag == "tr" and e.text.count("0.25") and "learning_rate" in e.text
    ]
    assert len(rows) == 1 and "0.3" in rows[0].text
    csv = (after / "data" / "edition-0.2.0.csv").read_text(encoding="utf-8-sig")
    assert len(csv.splitlines()) == len(log.changes) + 1
    assert any(e.attributes.get("href") == "../data/edition-0.2.0.csv" for e in page.under(newest))
    assert not page.faults and len(set(page.ids())) == len(page.ids())


def test_a_config_edited_since_the_edition_is_said_so(released, tmp_path):
    content = content_with(tmp_path / "content", {CONFIG: changed(SHIPPED, "beta = 0.1", "beta = 0.2")})
    build_site(content, tmp_path / "site")
    text = (tmp_path / "site" / "en" / "editions.html").read_text(encoding="utf-8")
    said = "is not the one with which edition 0.1.0 was released"
    assert said in text
    assert said.replace("0.1.0", "0.2.0") not in (released[2] / "en/editions.html").read_text(
        encoding="utf-8"
    )


def test_an_anchor_that_is_gone_fails_the_strict_build_until_it_is_redirected(tmp_path, capsys):
    """The page of editions loses an anchor; the build says so, and a redirect mends it."""
    pages = {f"pages/editions.{language}.md": None for language in ("zh", "en")}
    for name in pages:
        pages[name] = changed((CONTENT / name).read_text(encoding="utf-8"), "{#rules}", "{#cited}")
    content = content_with(tmp_path / "content", pages)
    (problem,) = problems_of(build_site, content, tmp_path / "site", True)
    assert problem.key == "editions.html #rules" and not (tmp_path / "site").exists()
    build_site(content, tmp_path / "site")
    assert "anchors/0.1.0.toml: editions.html #rules: " in capsys.readouterr().err
    (content / "redirects.toml").write_text('[anchors.editions]\nrules = "cited"\n', encoding="utf-8")
    build_site(content, tmp_path / "site", strict=True)
    assert capsys.readouterr().err == ""
    ids = Document((tmp_path / "site" / "zh" / "editions.html").read_text(encoding="utf-8")).ids()
    assert ids.index("rules") + 1 == ids.index("cited")
    (content / "redirects.toml").write_text('[anchors.editions]\nrules = "citd"\n', encoding="utf-8")
    (problem,) = problems_of(build_site, content, tmp_path / "site")
    assert problem.key == "anchors.editions.rules" and '"cited"' in problem.hint[0]


GOOD = {"version": "0.2.0", "date": "2027-01-31", "note": NOTE}


@pytest.mark.parametrize(
    ("wrong", "keys"),
    [
        ({"version": "0.2"}, ["--old", "VERSION"]),
        ({"version": "0.1.0"}, ["VERSION"]),
        ({"version": "0.0.9"}, ["--old", "VERSION"]),
        ({"date": "2027-02-30"}, ["--date", "--old"]),
        ({"note": Text("", " ")}, ["--en", "--old", "--zh"]),
        ({}, ["--old"]),
    ],
)
def test_mistakes_are_told_and_nothing_is_written(tmp_path, wrong, keys):
    content = content_with(tmp_path / "content", {})
    before = files_of(content)
    found = problems_of(release, content, Release(**(GOOD | wrong)))
    assert [problem.key for problem in found] == keys
    assert files_of(content) == before


def test_an_edition_is_written_anew_only_on_demand(tmp_path):
    content = content_with(tmp_path / "content", {})
    wish = Release("0.1.0", "2026-11-30", NOTE)
    assert [problem.key for problem in problems_of(release, content, wish)] == ["VERSION"]
    release(content, Release("0.1.0", "2026-11-30", NOTE, again=True))
    assert load_content(content).logs[0].note == NOTE
    same = files_of(content)
    release(content, Release("0.1.0", "2026-11-30", NOTE, again=True))
    assert files_of(content) == same


def test_an_old_file_that_is_no_numbers_json(tmp_path):
    content = content_with(tmp_path / "content", {})
    found = problems_of(release, content, Release(**GOOD, old=CONTENT / "edition.toml"))
    assert [problem.what[0] for problem in found] == ["is no JSON"]


def test_only_version_and_date_of_the_file_are_replaced():
    text = '# version = "9"\nversion=\'0.1.0\' # v\ndate = 2026-11-30\naddress = "https://a/date = 1"\n'
    found = renamed(text, Release(**GOOD))
    assert found == text.replace("'0.1.0'", '"0.2.0"').replace("2026-11-30", "2027-01-31")
    assert re.match("# version", found)
