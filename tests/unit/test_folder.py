"""A course's folder over the shipped content: its files first, all others shipped, and nothing that nobody reads."""

import json
import shutil

import pytest

from publish.commands.state import states_of
from publish.content import load_content
from publish.reading.folder import SHIPPED, Layered, content_folder, folder_problems, folders
from publish.reading.problems import Problems
from publish.site import gather
from publish.update.config import CONFIGS, config_digest, load_config
from publish.words.formulas import find_formula
from tests.content_tools import CONFIG, CONTENT, changed, files_of, line_of, problems_of, run_build
from tests.content_tools import SHIPPED as ROLLOUT

ENGLISH, CHINESE = "pages/update.en.md", "pages/update.zh.md"


def course(folder, files):
    """Return a course's folder with some files (text)."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return Layered(folder)


def told(folder):
    return str(Problems(folder_problems(folder))).removeprefix(f"{folder.course}/").splitlines()


def test_a_file_comes_from_the_course_or_is_the_shipped_one(tmp_path):
    mine = course(tmp_path / "mine", {CONFIG: "mine"})
    for path in (path for path in CONTENT.rglob("*") if path.is_file()):
        name = path.relative_to(CONTENT).as_posix()
        assert mine / name == (tmp_path / "mine" / name if name == CONFIG else path)
    assert folder_problems(mine) == []
    assert folders(mine) == [tmp_path / "mine", CONTENT]


def test_the_shipped_folder_is_itself(tmp_path, monkeypatch):
    monkeypatch.chdir(CONTENT.parent)
    assert content_folder("content") == content_folder("./content/") == SHIPPED == CONTENT
    assert folder_problems(SHIPPED) == [] and folders(SHIPPED) == [CONTENT]
    assert content_folder("mine") == Layered(tmp_path.__class__("mine"))


def test_an_empty_course_is_the_shipped_content(tmp_path):
    mine = course(tmp_path / "mine", {})
    content, shipped = load_content(mine), load_content(CONTENT)
    assert content.config == shipped.config and content.terms.texts == shipped.terms.texts
    assert content.edition == shipped.edition and content.declarations == shipped.declarations


@pytest.mark.parametrize("name", CONFIGS)
def test_the_digest_is_of_the_files_used_wherever_they_stand(tmp_path, name):
    text = (CONTENT / name).read_text(encoding="utf-8")
    mine = course(tmp_path / "mine", {name: text})
    assert config_digest(mine) == config_digest(CONTENT)
    complete = tmp_path / "complete"
    shutil.copytree(CONTENT, complete)
    for folder in (mine.course, complete):
        (folder / name).write_text(text + "\n# mine\n", encoding="utf-8")
    assert config_digest(mine) == config_digest(complete) != config_digest(CONTENT)


def test_every_page_state_uses_the_course(tmp_path):
    values = {
        CONFIG: ("learning_rate = 0.3", "learning_rate = 0.7"),
        "config/kl_and_clipping.toml": ("shown = 4 ", "shown = 5 "),
    }
    files = {name: changed((CONTENT / name).read_text("utf-8"), *pair) for name, pair in values.items()}
    mine = course(tmp_path / "mine", files)
    assert states_of("update", mine).settings["learning_rate"] == 0.7
    assert states_of("kl-and-clipping", mine).settings["n"] == 5


MISSPELLED = [
    ("config/rolout.toml", "config/rollout.toml"),
    ("rollout.toml", "config/rollout.toml"),
    ("pages/rollout.toml", "config/rollout.toml"),
    ("config/Rollout.toml", "config/rollout.toml"),
    ("config/kl-and-clipping.toml", "config/kl_and_clipping.toml"),
    ("update.zh.md", "pages/update.zh.md"),
    ("pages/update.zh.markdown", "pages/update.zh.md"),
    ("numbers/update.en.md", "pages/update.en.md"),
    ("numbers/digit.toml", "numbers/digits.toml"),
    ("term.toml", "terms.toml"),
    ("editon.toml", "edition.toml"),
]


@pytest.mark.parametrize(("name", "meant"), MISSPELLED)
def test_a_file_that_nothing_reads_is_told_with_the_nearest_name(tmp_path, name, meant):
    mine = course(tmp_path / "mine", {name: "x"})
    assert told(mine) == [f'{name}: nothing reads it: content has no {name}; did you mean "{meant}"?']
    (problem,) = problems_of(lambda: states_of("update", mine))
    assert problem.file.endswith(name)


def test_a_folder_that_nothing_reads_is_told_once(tmp_path):
    mine = course(tmp_path / "mine", {"confg/a.toml": "", "confg/b/c.toml": "", "slides/one.pdf": ""})
    assert told(mine)[0] == 'confg: nothing reads it: content has no confg; did you mean "config/"?'
    assert [line.endswith("slides: nothing reads it: content has no slides") for line in told(mine)] == [
        False,
        True,
    ]


def test_what_editors_and_readers_leave_is_no_mistake(tmp_path):
    names = [
        ".DS_Store",
        ".git/config",
        f"{CONFIG}~",
        "config/.rollout.toml.swp",
        "README.md",
        "config/readme.txt",
    ]
    names += ["LICENSE", "config/#rollout.toml#", "Thumbs.db", "pages/update.zh.md.bak", "config/4913"]
    names += ["examples/__pycache__/kl.pyc", "site/data/numbers.json", "site/index.html"]
    assert folder_problems(course(tmp_path / "mine", dict.fromkeys(names, "x"))) == []


def test_a_folder_that_is_none(tmp_path):
    (tmp_path / "file").write_text("x")
    for name, says in (("nowhere", "there is no such folder"), ("file", "is not a folder")):
        (problem,) = problems_of(load_content, Layered(tmp_path / name))
        assert (problem.file, problem.key, problem.what[0]) == (str(tmp_path / name), "--content", says)


def test_a_mistake_names_the_file_that_has_it(tmp_path):
    text = changed(ROLLOUT, '"token"', '"tokem"')
    mine = course(tmp_path / "mine", {CONFIG: text})
    (problem,) = problems_of(load_content, mine)
    assert problem.file == str(tmp_path / "mine" / CONFIG) and problem.line == line_of(text, "tokem")
    (tmp_path / "mine" / CONFIG).unlink()
    (tmp_path / "mine" / CONFIG).mkdir()
    (problem,) = problems_of(load_config, mine)
    assert problem.file == str(tmp_path / "mine" / CONFIG) and "cannot be read" in problem.what[0]


def test_what_a_course_lacks_is_told_of_its_own_file(tmp_path):
    numbers, formulas = (
        (CONTENT / name).read_text("utf-8") for name in ("numbers/update.toml", "formulas.toml")
    )
    files = {
        "numbers/update.toml": changed(numbers, "[loss]", "[loss_]"),
        "formulas.toml": changed(formulas, "[beta]", "[beta_]"),
    }
    content = load_content(course(tmp_path / "mine", files))
    problems = problems_of(gather, content) + problems_of(find_formula, content.formulas, "beta")
    assert {problem.file for problem in problems} == {str(tmp_path / "mine" / name) for name in files}


# --- single words ---


def test_single_words_are_laid_over_the_shipped_ones(tmp_path):
    words = '[page.update]\ntitle = { zh = "我的课", en = "My course" }\n'
    mine, shipped = load_content(course(tmp_path / "mine", {"terms.toml": words})), load_content(CONTENT)
    differing = {key for key, text in mine.terms.texts.items() if text != shipped.terms.texts[key]}
    assert differing == {"page.update.title"} and mine.terms.text("page.update.title", "zh") == "我的课"
    assert mine.terms.texts.keys() == shipped.terms.texts.keys()


WORDS = [
    (
        '[page.update]\ntitel = { zh = "课", en = "C" }',
        2,
        "page.update.titel",
        'did you mean "page.update.title"?',
    ),
    ('[page.update]\ntitle = { en = "C" }', 2, "page.update.title", "needs zh and en"),
    (
        '[nav]\nbefore = { zh = "上一页", en = "Previous: {title}" }',
        2,
        "nav.before.zh",
        "a text with {title}",
    ),
    ('[nav]\ntop = { zh = "首", en = "{up}" }', 2, "nav.top.en", "a text without {placeholders}"),
    ("[nav", 1, "", "not TOML"),
]


@pytest.mark.parametrize(("text", "line", "key", "says"), WORDS)
def test_words_that_do_not_fit(tmp_path, text, line, key, says):
    (problem,) = problems_of(load_content, course(tmp_path / "mine", {"terms.toml": text}))
    assert (problem.file, problem.line, problem.key) == (str(tmp_path / "mine" / "terms.toml"), line, key)
    assert says in str(Problems([problem]))


# --- the commands ---


def test_build_and_state_with_a_course(tmp_path):
    edition = 'version = "2.0.0"\ndate = 2027-01-31\naddress = ""\n'
    pages = {
        name: changed((CONTENT / name).read_text("utf-8"), "{#rollout}\n## ", f"{{#rollout}}\n## {title}")
        for name, title in ((ENGLISH, "Ours: "), (CHINESE, "本课："))
    }
    files = pages | {CONFIG: changed(ROLLOUT, "beta = 0.1", "beta = 0.25"), "edition.toml": edition}
    course(tmp_path / "mine", files)
    run = run_build("--content", "mine", "--out", "site", cwd=tmp_path)
    assert (run.returncode, run.stderr) == (0, "")
    page = (tmp_path / "site" / "en" / "update.html").read_text("utf-8")
    assert "Ours: " in page and "2.0.0, 2027-01-31" in page
    assert "本课：" in (tmp_path / "site" / "zh" / "update.html").read_text("utf-8")
    state = run_build("state", "--content", "mine", cwd=tmp_path)
    assert json.loads(state.stdout)["settings"]["beta"] == 0.25
    assert 'data-number="settings.beta" value="0.25"' in page


@pytest.mark.parametrize(
    "command", [["state"], ["build", "--out", "site"], ["build", "--strict", "--out", "site"]]
)
def test_a_misspelled_file_stops_every_command(tmp_path, command):
    course(tmp_path / "mine", {"config/rolout.toml": ROLLOUT})
    before = files_of(tmp_path)
    run = run_build(*command, "--content", "mine", cwd=tmp_path)
    assert (run.returncode, run.stdout, files_of(tmp_path)) == (2, "", before)
    assert run.stderr.startswith("mine/config/rolout.toml: nothing reads it: ")
    assert run.stderr.endswith('; did you mean "config/rollout.toml"?\n') and run.stderr.count("\n") == 1
    chinese = run_build(*command, "--content", "mine", cwd=tmp_path, LC_ALL="zh_CN.UTF-8").stderr
    assert "不会被读取" in chinese and '是否想写 "config/rollout.toml"' in chinese
