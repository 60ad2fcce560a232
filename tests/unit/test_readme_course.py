"""The README's course, followed to the letter in a folder of its own: what it says happens."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.content_tools import CONTENT, ROOT, shipped_content

SECTIONS = {"README.md": "## A course of your own", "README.zh.md": "## 自己的课程"}


def blocks(readme):
    """Return (language, text) of each code block of the section."""
    text = (ROOT / readme).read_text(encoding="utf-8")
    section = text.split(SECTIONS[readme] + "\n", 1)[1].split("\n## ", 1)[0]
    return re.findall(r"```(\w*)\n(.*?)```", section, re.DOTALL)


def apply(diff, folder):
    """Replace each - line by the + line below it, in the file named above."""
    file = None
    for before, after in re.findall(r"^(---|-)( .*|[^-].*)$", diff, re.MULTILINE):
        if before == "---":
            file = folder / after.strip()
            continue
        new = re.search(rf"^-{re.escape(after)}\n\+(.*)$", diff, re.MULTILINE)[1]
        text = file.read_text(encoding="utf-8")
        assert text.count(after) == 1, after
        file.write_text(text.replace(after, new), encoding="utf-8")


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Do what the section says, in a folder with build.py and content/ in it."""
    folder = tmp_path_factory.mktemp("course")
    for name in ("build.py", "content"):
        (folder / name).symlink_to(ROOT / name)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    output = ""
    for kind, text in blocks("README.md"):
        if kind == "diff":
            apply(text, folder)
        elif kind == "":
            run = subprocess.run(
                ["sh", "-e", "-c", text],
                cwd=folder,
                env={**os.environ, "PATH": path, "LC_ALL": "C.UTF-8"},
                capture_output=True,
                encoding="utf-8",
            )
            assert (run.returncode, run.stderr) == (0, "")
            output += run.stdout
    return folder, output


def test_both_languages_say_the_same():
    english, chinese = (blocks(readme) for readme in SECTIONS)
    assert [kind for kind, _ in english] == ["", "diff", "", "html"]
    assert english[:3] == chinese[:3]
    frames = [re.sub(r'title="[^"]*"|/(zh|en)/', "", block[3][1]) for block in (english, chinese)]
    assert frames[0] == frames[1]


def test_the_course_has_only_what_it_changes(course):
    folder, _ = course
    files = [
        path.relative_to(folder / "my-course").as_posix() for path in (folder / "my-course").rglob("*.*")
    ]
    assert sorted(files) == [
        "config/rollout.toml",
        "edition.toml",
        "pages/update.en.md",
        "pages/update.zh.md",
        "terms.toml",
    ]
    assert len(files) < len([path for path in CONTENT.rglob("*") if path.is_file()]) / 3


def test_the_site_is_the_courses(course):
    folder, _ = course
    english, chinese = (
        (folder / "my-site" / lang / "update.html").read_text("utf-8") for lang in ("en", "zh")
    )
    for page, title, short, edition in (
        (english, "Four answers from our class", "Lesson three", "Edition 1.0.0, 2027-03-01"),
        (chinese, "课堂上的四个回答", "第三课", "版次 1.0.0，2027-03-01"),
    ):
        assert all(text in page for text in (title, short, edition))
    shipped = shipped_content().terms.text("page.update.title", "en")
    assert f"<title>{shipped}" in english, "what the course does not change is the shipped one"


def test_the_state_is_the_courses(course):
    _, output = course
    first, _, rest = output.partition("\n")
    assert first.endswith("my-site/index.html")
    state = json.loads(rest)
    assert state["rewards"] == [1.0, 0.0, 0.25, 0.0] and state["step"] == 3


def test_the_embedded_figure_is_there(course):
    folder, _ = course
    for readme in SECTIONS:
        source = re.search(r'src="([^"]+)"', blocks(readme)[3][1])[1]
        file, _, hash = source.partition("#")
        assert f'id="{hash.split("only=")[1]}"' in (folder / file).read_text("utf-8")
