"""The site is written whole or not at all, the same bytes every time, and never over foreign files."""

import json
import os

import pytest

from publish import site
from publish.content import PAGES
from publish.numbers.export import numbers_json
from publish.reading.problems import Problems
from publish.writing import whole
from tests.content_tools import (
    CONFIG,
    CONTENT,
    KL,
    KL_CONFIG,
    ROOT,
    changed,
    content_with,
    files_of,
    problems_of,
    run_build,
    shipped_content,
    shipped_material,
)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("site") / "out"
    assert site.build_site(CONTENT, out) == out / "index.html"
    return out


@pytest.fixture
def old(tmp_path):
    """A site that an earlier build wrote, with a file that tells it from a new one."""
    out = tmp_path / "out"
    (out / "data").mkdir(parents=True)
    numbers = numbers_json(shipped_material().registry, shipped_content().formulas, "d")
    (out / "data" / "numbers.json").write_text(numbers, encoding="utf-8")
    for name in site.OURS[1:]:
        (out / name).parent.mkdir(exist_ok=True)
        (out / name).write_text("old", encoding="utf-8")
    (out / "old.html").write_text("old")
    return out


def test_every_promised_file_is_there(built):
    files = set(files_of(built))
    pages = {
        f"{language}/{page}.html"
        for page in ("update", KL, "digits", "faults", "numbers")
        for language in ("zh", "en")
    }
    assert {"index.html", *pages} <= files
    betas = ("0", "0.1", "0.3", "1", "3")  # as JavaScript writes them: scripts make these names
    data = [
        "numbers.json",
        "numbers.csv",
        "numbers.tex",
        "curves.csv",
        "plateaus.csv",
        "update.json",
        "autograd.py",
        *(f"{KL}-{chart}.csv" for chart in ("objective", "group", "clip", "tokens", "cost")),
        "kl_and_clipping.py",
        *(f"digits-{table}.csv" for table in ("curves", "final", "rates")),
        "digits-curves.js",
        *(f"digits-grid-{beta}.js" for beta in betas),
        *(f"digits-checkpoint-{seed}-{beta}.js" for seed in (0, 1) for beta in ("reference", *betas)),
        "faults-curves.csv",
        "faults-checks.csv",
        *(f"numbers-{name}" for name in ("beamer.tex", "beamer-zh.tex", "quarto.qmd", "markdown.py")),
    ]
    assert {name for name in files if name.startswith("data/")} == {f"data/{name}" for name in data}
    pages = {language: {path.name for path in (built / language).iterdir()} for language in ("zh", "en")}
    assert pages["zh"] == pages["en"] == {f"{page}.html" for page in shipped_material().subjects}
    assert json.loads((built / site.MARKER).read_text(encoding="utf-8"))["schema"] == 1


def test_data_files_are_those_of_the_pages(built):
    for subject in shipped_material().subjects.values():
        for name, text in subject.files.items():
            assert (built / "data" / name).read_bytes() == text.encode("utf-8"), name


def test_no_two_pages_write_the_same_file():
    names = [name for subject in shipped_material().subjects.values() for name in subject.files]
    assert len(set(names)) == len(names) and not set(names) & {"numbers.json", "numbers.csv", "numbers.tex"}


def test_other_people_can_read_it(built):
    assert built.stat().st_mode & 0o777 == 0o755


def test_a_new_build_takes_the_place_of_the_old_one(old):
    site.build_site(CONTENT, old)
    assert not (old / "old.html").exists() and (old / "index.html").exists()
    assert [path.name for path in old.parent.iterdir()] == ["out"]


class Failure(Exception):
    pass


def fail(*arguments):
    raise Failure


@pytest.mark.parametrize(
    "step",
    [
        *("write_site", "write_data", "write_assets", "swap"),
        *("update_page", "kl_page", "digits_page", "faults_page"),
    ],
)
def test_a_failure_leaves_the_old_site(old, monkeypatch, step):
    before = files_of(old.parent)
    monkeypatch.setattr(whole if step == "swap" else site, step, fail)
    with pytest.raises(Failure):
        site.build_site(CONTENT, old)
    assert files_of(old.parent) == before


@pytest.mark.parametrize("step", ["write_data", "swap"])
def test_a_failure_of_the_first_build_leaves_nothing(tmp_path, monkeypatch, step):
    monkeypatch.setattr(whole if step == "swap" else site, step, fail)
    with pytest.raises(Failure):
        site.build_site(CONTENT, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_a_failure_to_put_the_new_site_in_place_brings_the_old_one_back(old, monkeypatch):
    before, rename = files_of(old.parent), os.rename

    def rename_once(source, target):
        if target == old and not str(source).endswith("-old"):
            raise OSError("no")
        rename(source, target)

    monkeypatch.setattr(whole, "exchange", lambda fresh, out: False)
    monkeypatch.setattr(os, "rename", rename_once)
    with pytest.raises(OSError, match="no"):
        site.build_site(CONTENT, old)
    assert files_of(old.parent) == before


def test_an_interrupted_build_leaves_the_old_site(old, monkeypatch):
    def interrupt(*arguments):
        raise KeyboardInterrupt

    before = files_of(old.parent)
    monkeypatch.setattr(site, "write_assets", interrupt)
    with pytest.raises(KeyboardInterrupt):
        site.build_site(CONTENT, old)
    assert files_of(old.parent) == before


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        (CONFIG, "beta = 0.1", "beta = nan"),
        (KL_CONFIG, "beta = 0.1", "beta = nan"),
        ("config/digits.toml", "beta = 3.0", "beta = nan"),
        ("examples/kl_and_clipping.py", "assert kl(p, p) == 0", "assert kl(p, p) == 1"),
        (f"pages/{KL}.en.md", "{#top}", "It is 7.\n\n{#top}"),
        ("pages/digits.en.md", "{#top}", "It is 7.\n\n{#top}"),
        ("pages/faults.zh.md", "{#top}", "这是 7。\n\n{#top}"),
        ("faults.toml", 'evidence = "shipped"', 'evidence = "rumour"'),
    ],
)
def test_a_mistake_in_the_content_leaves_the_old_site(old, tmp_path, name, before, after):
    text = changed((CONTENT / name).read_text(encoding="utf-8"), before, after)
    content = content_with(tmp_path / "content", {name: text})
    before = files_of(old)
    assert len(problems_of(site.build_site, content, old)) == 1
    assert files_of(old) == before


def foreign(kind, folder):
    out = folder / "out"
    if kind == "file":
        out.write_text("mine")
    elif kind == "link":
        (folder / "elsewhere").mkdir()
        out.symlink_to(folder / "elsewhere")
    elif kind == "broken link":
        out.symlink_to(folder / "nowhere")
    elif kind == "folder with a file":
        out.mkdir()
        (out / "thesis.txt").write_text("mine")
    elif kind == "folder with a hidden file":
        out.mkdir()
        (out / ".git").mkdir()
    elif kind == "pages without numbers":
        (out / "data").mkdir(parents=True)
        (out / "index.html").write_text("mine")
    return out


KINDS = [
    "file",
    "link",
    "broken link",
    "folder with a file",
    "folder with a hidden file",
    "pages without numbers",
]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_a_site_is_never_replaced(tmp_path, kind):
    out = foreign(kind, tmp_path)
    before = files_of(tmp_path)
    (problem,) = problems_of(site.build_site, CONTENT, out)
    assert (problem.file, problem.key) == (str(out), "--out")
    assert files_of(tmp_path) == before and out.is_symlink() == ("link" in kind)


def test_an_empty_folder_and_folders_that_are_not_there_yet_are_taken(tmp_path):
    (tmp_path / "empty").mkdir()
    for out in (tmp_path / "empty", tmp_path / "a" / "b"):
        assert site.build_site(CONTENT, out).is_file()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "empty"]


def test_two_builds_are_byte_identical(built, tmp_path):
    for seed, cwd in ((1, ROOT), (2, tmp_path)):
        run = run_build(
            "--content", CONTENT, "--out", tmp_path / str(seed), cwd=cwd, PYTHONHASHSEED=str(seed)
        )
        assert run.returncode == 0, run.stderr
        assert run.stdout == f"{tmp_path / str(seed) / 'index.html'}\n"
        new, first = files_of(tmp_path / str(seed)), files_of(built)
        assert [name for name in new if new[name] != first.get(name)] == [] and new.keys() == first.keys()


def test_strict_refuses_a_check_that_does_not_hold(tmp_path, monkeypatch):
    site.build_site(CONTENT, tmp_path / "out", strict=True)
    page = site.update_page(shipped_content().config, shipped_content().faults)
    page.results["evidence"]["checks"]["gradient"] |= {"holds": False, "error": 0.5}
    monkeypatch.setattr(site, "update_page", lambda config, faults: page)
    site.build_site(CONTENT, tmp_path / "lenient")
    *said, problem = problems_of(site.build_site, CONTENT, tmp_path / "strict", True)
    assert problem.key == "gradient" and "error 0.5" in str(Problems([problem]))
    # The sentence on the evidence says the contrary then, in both languages.
    assert [other.key for other in said] == ["sentence evidence"] * 2
    assert not (tmp_path / "strict").exists()


def test_a_sentence_that_says_the_contrary_is_named_and_strict_refuses_it(tmp_path, monkeypatch, capsys):
    page = site.digits_page(shipped_content().digits_config)
    page.results["digits"]["run"]["digests"]["all_same"] = False
    monkeypatch.setattr(site, "digits_page", lambda config: page)
    site.build_site(CONTENT, tmp_path / "lenient")
    named = capsys.readouterr().err.splitlines()
    found = problems_of(site.build_site, CONTENT, tmp_path / "strict", True)
    assert [problem.key for problem in found] == ["sentence digest"] * 2
    assert sorted(named) == sorted(str(Problems([problem])) for problem in found)
    for problem in found:
        lines = (CONTENT / "pages" / os.path.basename(problem.file)).read_text(encoding="utf-8").splitlines()
        assert "{{sentence digest}}" in lines[problem.line - 1]
    assert not (tmp_path / "strict").exists() and (tmp_path / "lenient" / "index.html").is_file()


def test_numbers_and_pages_are_of_one_edition(built):
    numbers = json.loads((built / "data" / "numbers.json").read_text(encoding="utf-8"))
    digest = shipped_content().config.digest
    assert numbers["config"] == digest and len(list(built.glob("??/*.html"))) == 2 * len(PAGES)
    for path in built.glob("??/*.html"):
        page = path.read_text(encoding="utf-8")
        assert (
            digest in page
            and shipped_content().edition.version in page
            and shipped_content().edition.date in page
        )


def test_no_machine_path_is_written(built):
    for name, content in files_of(built).items():
        assert content is None or str(ROOT).encode() not in content, name


def test_a_folder_with_a_downloaded_copy_of_the_numbers_is_not_a_site(tmp_path):
    course = tmp_path / "course"
    (course / "data").mkdir(parents=True)
    (course / "data" / "numbers.json").write_text("{}", encoding="utf-8")
    (course / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(Problems, match="other files"):
        site.refuse_foreign(course)
    assert (course / "notes.txt").read_text(encoding="utf-8") == "mine"
