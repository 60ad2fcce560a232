"""The content folder is read whole, and every mistake in every file is reported at once."""

import datetime

import pytest

from publish.content import PAGES, load_content
from publish.reading.problems import Problems
from publish.site import gather
from publish.words.language import LANGUAGES
from tests.content_tools import (
    CONFIG,
    CONTENT,
    KL,
    KL_CONFIG,
    SHIPPED,
    changed,
    content_with,
    line_of,
    problems_of,
    shipped_content,
)

ENGLISH, CHINESE = "pages/update.en.md", "pages/update.zh.md"
DIGITS_CONFIG = "config/digits.toml"
EXAMPLE, KL_NUMBERS = "examples/kl_and_clipping.py", f"numbers/{KL}.toml"
# Every file of the folder, so that a new one is tested too.
FILES = sorted(
    path.relative_to(CONTENT).as_posix()
    for path in CONTENT.rglob("*")
    if path.suffix in (".toml", ".md", ".py")
)


def shipped(name):
    return (CONTENT / name).read_text(encoding="utf-8")


def places(folder, problems):
    """Return (file inside the folder, line, key) of each problem."""
    return [(problem.file.removeprefix(f"{folder}/"), problem.line, problem.key) for problem in problems]


def test_shipped_content():
    content = shipped_content()
    assert set(content.prose) == {(page, language) for page in PAGES for language in LANGUAGES}
    assert list(content.sources) == [
        *("ppo", "spinning-up", "pytorch", "deepseekmath"),
        *("dpo", "kl-pitfalls", "openrlhf-kl", "cover-thomas"),
    ]
    assert datetime.date.fromisoformat(content.edition.date)
    for entry in content.sources.values():
        assert entry["address"].startswith("https://")
        assert ("consulted" in entry) != ("record_checked" in entry), entry["title"]


# file, its text, what stands there instead, key, what the message says; the line is that of the new text
CASES = [
    ("sources.toml", "year = 2017", 'year = "2017"', "ppo.year", 'found "2017"'),
    ("sources.toml", "year = 2017\n", "@ [ppo]", "ppo.year", "missing"),
    ("sources.toml", "year = 2017", "year = 2017\nyaer = 1@ yaer", "ppo.yaer", 'did you mean "year"?'),
    ("sources.toml", "[ppo]", "ppx = 3\n[ppo]", "ppx", "found 3"),
    ("sources.toml", "consulted = 2026-10-28", "consulted = 2026-10-28T01:00:00", "spinning-up.consulted", "01:00"),
    ("sources.toml", "consulted = 2026-10-28", 'consulted = "2026-10-28"', "spinning-up.consulted", 'found "2026'),
    ("sources.toml", "used_for.en = \"the old", "used_for.eng = \"the old", "ppo.used_for.eng", "unknown key"),
    ("edition.toml", "date = ", "date = 0 # ", "date", "found 0; allowed: a date such as"),
    ("edition.toml", "version = ", 'version = "1" # ', "version", 'found "1"; allowed: a version such as'),
    ("edition.toml", "version = ", "versoin = ", "versoin", 'did you mean "version"?'),
    ("edition.toml", "version = ", "version ＝ ", "", "＝ → ="),
    ("formulas.toml", "tex = 't'", r"tex = '\x'@ [t]", "t", r"\x"),
    ("faults.toml", 'part = "kl"', 'part = "KL"', "reference-follows.part", 'found "KL"; allowed: surrogate, old'),
    ("faults.toml", "[own-group]", "[own-gruop]", "own-gruop", 'did you mean "own-group"?'),
    ("faults.toml", "[own-group]", "[own-group]\nevidnce = 1@ evidnce", "own-group.evidnce", 'mean "evidence"?'),
    ("numbers/faults.toml", 'en = "{0}: updates', 'en = "{1}: updates', "faults.paths.*.first.en", "placeholders {0}"),
    ("terms.toml", "[site]", "[site]\nnew = 1@ new", "site.new", "zh and en"),
    ("numbers/update.toml", "[loss]", "[loss]\nnew = 1@ new", "loss.new", "unknown key"),
    (KL_NUMBERS, "KL(p ‖ q) in nats", "KL(p {q}) in nats", f"{KL}.kl.en", "allowed: the placeholders"),
    (CONFIG, "keep = 4", "keep = -4", "controls.keep", "found -4"),
    (KL_CONFIG, "shown = 4 ", "shown = 0 @ shown = 0", "groups.shown", "found 0"),
    (DIGITS_CONFIG, "samples = 8 ", "samples = 1 @ samples = 1", "reinforce.samples", "found 1"),
    (EXAMPLE, "assert kl(p, p) == 0", "assert kl(p, p) == 1", "", "AssertionError: the KL from a policy to itself"),
    (EXAMPLE, "total = 0.0", "total = @ total = ", "", "SyntaxError"),
    (ENGLISH, "{#top}\n", "{#top}\n\n5 answers\n\n@ 5 answers", "", "typed into prose: 5"),
    (f"pages/{KL}.en.md", "{#top}\n", "{#top}\n\n5 answers\n\n@ 5 answers", "", "typed into prose: 5"),
    ("pages/digits.en.md", "{#top}\n", "{#top}\n\n5 seeds\n\n@ 5 seeds", "", "typed into prose: 5"),
    ("pages/faults.en.md", "{#top}\n", "{#top}\n\n5 paths\n\n@ 5 paths", "", "typed into prose: 5"),
    (CHINESE, "{#top}\n", "{#top}\n\n５ 个回答\n\n@ ５ 个回答", "", "typed into prose: ５"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "key", "says"), CASES)
def test_mistake(tmp_path, name, old, new, key, says):
    new, _, place = new.partition("@ ")
    text = changed(shipped(name), old, new)
    folder = content_with(tmp_path / "content", {name: text})
    problems = problems_of(load_content, folder)
    mistake = next(problem for problem in problems if problem.key == key and problem.file.endswith(name))
    assert mistake.line == line_of(text, place or new)
    assert says in str(Problems([mistake]))


def test_mistakes_of_several_files_at_once(tmp_path):
    files = {
        "sources.toml": changed(shipped("sources.toml"), "year = 2017", "year = true"),
        "edition.toml": changed(shipped("edition.toml"), "version = ", "version = 0 # "),
        "faults.toml": changed(shipped("faults.toml"), 'evidence = "shipped"', "evidence = 3"),
        "formulas.toml": changed(shipped("formulas.toml"), "tex = 't'", "tex = 5"),
        CONFIG: changed(changed(SHIPPED, "steps = 20", "steps = -1"), "beta = 0.1", "beta = nan"),
        ENGLISH: changed(shipped(ENGLISH), "{#top}", "It is 7.\n\n{#top}"),
        KL_CONFIG: changed(shipped(KL_CONFIG), "vocabulary = 10 ", "vocabulary = 1 "),
        DIGITS_CONFIG: changed(shipped(DIGITS_CONFIG), "hidden = 32 ", "hidden = 0 "),
        EXAMPLE: changed(shipped(EXAMPLE), "assert kl(p, p) == 0", "assert kl(p, p) == 1"),
        KL_NUMBERS: changed(shipped(KL_NUMBERS), 'en = "KL(p ‖ q) in nats"', "en = 1"),
        "terms.toml": None,
    }
    folder = content_with(tmp_path / "content", files)
    assert places(folder, problems_of(load_content, folder)) == [
        (DIGITS_CONFIG, line_of(files[DIGITS_CONFIG], "hidden = 0 "), "network.hidden"),
        (KL_CONFIG, line_of(files[KL_CONFIG], "vocabulary = 1 "), "cost.vocabulary"),
        (CONFIG, line_of(files[CONFIG], "steps = -1"), "update.steps"),
        (CONFIG, line_of(files[CONFIG], "beta = nan"), "controls.beta"),
        ("edition.toml", line_of(files["edition.toml"], "version = "), "version"),
        (EXAMPLE, line_of(files[EXAMPLE], "assert kl(p, p)"), ""),
        ("faults.toml", line_of(files["faults.toml"], "evidence = 3"), "min-before-advantage.evidence"),
        ("formulas.toml", line_of(files["formulas.toml"], "[t]"), "t"),
        (KL_NUMBERS, line_of(files[KL_NUMBERS], "en = 1,"), f"{KL}.kl.en"),
        (ENGLISH, 1, ""),
        ("sources.toml", line_of(files["sources.toml"], "year = true"), "ppo.year"),
        ("terms.toml", None, ""),
    ]


def test_every_file_of_the_folder_is_known():
    pages = [f"pages/{page}.{language}.md" for page in PAGES for language in LANGUAGES]
    numbers = [f"numbers/{page}.toml" for page in PAGES]
    words = ["edition.toml", "faults.toml", "formulas.toml", "redirects.toml", "sources.toml", "terms.toml"]
    assert sorted([CONFIG, KL_CONFIG, DIGITS_CONFIG, EXAMPLE, *words, *numbers, *pages, *RECORDS]) == FILES


# Of the editions there may be as many as one likes: none is missed.
RECORDS = [name for name in FILES if name.startswith(("editions/", "anchors/"))]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("instead", ["missing", "a folder", "no text"])
def test_file_that_cannot_be_read(tmp_path, name, instead):
    if instead == "missing" and name in RECORDS:
        return
    folder = content_with(tmp_path / "content", {name: b"\xff" if instead == "no text" else None})
    if instead == "a folder":
        (folder / name).mkdir()
    (problem,) = problems_of(load_content, folder)
    assert problem.file == str(folder / name)
    assert ("UTF-8" if instead == "no text" else "cannot be read") in problem.what[0]


def test_folder_that_is_not_there(tmp_path):
    problems = problems_of(load_content, tmp_path / "nowhere")
    assert {problem.what[0].split(" (")[0] for problem in problems} == {"cannot be read"}
    assert {places(tmp_path / "nowhere", [problem])[0][0] for problem in problems} == set(FILES) - set(
        RECORDS
    )
    assert len(problems) == len(FILES) - len(RECORDS)


def test_unknown_names_in_prose_are_all_told_with_their_lines(tmp_path):
    files = {}
    for name in (ENGLISH, CHINESE):
        text = changed(shipped(name), "{{number loss}}", "{{number los}}")
        files[name] = changed(
            text, "{{block symbols}}", "{{block symbol}}\n\n{{formula logitz}}\n\n{{sentence loose}}"
        )
    content = load_content(content_with(tmp_path / "content", files))
    problems = problems_of(gather, content)
    for name, text in files.items():
        said = [str(Problems([problem])) for problem in problems if problem.file.endswith(name)]
        expected = ["{{number los}}", "{{block symbol}}", "{{formula logitz}}", "{{sentence loose}}"]
        assert [int(line.split(":")[1]) for line in said] == [
            line_of(text, fragment) for fragment in expected
        ]
        assert [line.split("did you mean ")[1] for line in said] == [
            '"loss"?',
            '"symbols"?',
            '"logits"?',
            '"loss"?',
        ]


@pytest.mark.parametrize(
    ("page", "reference", "other"),
    [("update", f"number {KL}.kl", KL), (KL, "number loss", "update"), (KL, "sentence loss", "update"),
     ("update", "sentence directions", KL), ("update", "number faults.steps", "faults"),
     ("faults", "number loss", "update"), ("faults", "sentence beside", "update"),
     ("digits", "number loss", "update"), ("digits", "sentence directions", KL),
     (KL, "number digits.run.parameters", "digits"), ("update", "sentence spread", "digits")],
)  # fmt: skip
def test_numbers_and_sentences_of_another_page_are_unknown(tmp_path, page, reference, other):
    text = changed(shipped(f"pages/{page}.en.md"), "{#top}", f"{{{{{reference}}}}}\n\n{{#top}}")
    both = {f"pages/{page}.{language}.md": text for language in LANGUAGES}
    content = load_content(content_with(tmp_path / "content", both))
    problems = problems_of(gather, content)
    assert len(problems) == 2 and other != page
    assert {problem.what[0] for problem in problems} == {f"there is no {reference}"}
