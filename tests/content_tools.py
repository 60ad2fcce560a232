"""The content folder for tests: the shipped one read once, copies with changes, and configs of any shape."""

import csv
import io
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random

from publish.content import PAGES, load_content
from publish.kl.config import load_kl_config
from publish.reading.problems import Problems
from publish.site import gather
from publish.update.config import load_config

ROOT = Path(__file__).resolve().parent.parent
CONTENT = ROOT / "content"
CONFIG = "config/rollout.toml"
KL = "kl-and-clipping"
STATIC = ("faults", "numbers", "verify", "editions")  # pages with no state to choose
NUMBERED = tuple(
    page for page in PAGES if page not in ("numbers", "verify", "editions")
)  # pages with numbers
KL_CONFIG = "config/kl_and_clipping.toml"
SHIPPED = (CONTENT / CONFIG).read_text(encoding="utf-8")


def changed(text, old, new):
    """Return text with the first `old` replaced; a test whose `old` is gone must not pass silently."""
    assert old in text, f"not in the text: {old}"
    return text.replace(old, new, 1)


def line_of(text, fragment):
    """Return the number, from 1, of the line on which a fragment of text begins."""
    assert text.count(fragment) == 1, f"not once in the text: {fragment}"
    return text[: text.index(fragment)].count("\n") + 1


def as_bytes(text):
    """Return text as a file holds it."""
    return text if isinstance(text, bytes) else text.encode("utf-8")


def content_with(folder, files):
    """Copy the shipped content into a folder, with some files changed (text, bytes; None deletes)."""
    shutil.copytree(CONTENT, folder)
    for name, text in files.items():
        if text is None:
            (folder / name).unlink()
        else:
            (folder / name).write_bytes(as_bytes(text))
    return folder


def config_from(folder, text):
    """Return the config of a rollout.toml that says this."""
    (folder / "config").mkdir(parents=True, exist_ok=True)
    (folder / CONFIG).write_bytes(as_bytes(text))
    return load_config(folder)


def problems_of(action, *arguments):
    """Return what an action finds wrong, [] if nothing."""
    try:
        action(*arguments)
    except Problems as found:
        return found.problems
    return []


@cache
def shipped_config():
    return load_config(CONTENT)


@cache
def shipped_kl_config():
    return load_kl_config(CONTENT)


@cache
def shipped_content():
    return load_content(CONTENT)


@cache
def shipped_material():
    return gather(shipped_content())[1]


def shipped_subject(page="update"):
    """Return a page, before any language, at its default state."""
    return shipped_material().subjects[page]


def shipped_word(key, language="en", **values):
    """Return a text of the shipped pages."""
    return shipped_content().terms.text(key, language, **values)


def run_build(*arguments, cwd=ROOT, **environment):
    """Run build.py in a process of its own, with English messages unless told otherwise."""
    return subprocess.run(
        [sys.executable, str(ROOT / "build.py"), *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1", **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
    )


def files_of(folder):
    """Return every file below a folder with its bytes, and every empty folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def rows_of(text):
    """Return the rows of a CSV file, after checking what spreadsheets ask for: a mark, and CRLF."""
    assert text.startswith("\ufeff") and not text[1:].startswith("\ufeff")
    assert text.endswith("\r\n") and not re.search(r"(?<!\r)\n|\r(?!\n)", text)
    rows = list(csv.reader(io.StringIO(text[1:], newline="")))
    assert {len(row) for row in rows} == {len(rows[0])}
    return rows


def rollout_text(d=2, actions=3, lengths=(2, 1), seed=0, behaviour=False, outright=False, mask=False):
    """Return a valid rollout.toml of this shape, its numbers drawn from a seed."""
    rng = Random(seed)

    def vector(length):
        return [round(rng.uniform(-1, 1), 3) for _ in range(length)]

    def matrix():
        return [vector(actions) for _ in range(d)]

    lines = ["schema = 1", "[policy]", f"initial = {matrix()}", f"reference = {matrix()}"]
    lines += [f"behaviour = {matrix()}"] * behaviour
    lines += ["[update]", "clip_epsilon = 0.2", "learning_rate = 0.3", "steps = 3", "[features]"]
    lines += [
        f"{name} = {vector(d)}" for name in ("base", "per_response", "per_position", "prompt", "padding")
    ]
    for length in lengths:
        lines += ["[[responses]]", f"actions = {[rng.randrange(actions) for _ in range(length)]}"]
        lines += [f"features = {[vector(d) for _ in range(length)]}"] * outright
        lines += [f"mask = {[rng.randrange(2) for _ in range(length)]}"] * mask
    lines += ["[rewards]", f"given = {[rng.randrange(2) for _ in lengths]}"]
    lines += ["[controls]", 'normalization = "response"', "keep = 3", "beta = 0.25", 'rewards = "given"']
    lines += ['path = "correct"', "step = 1", f'at = "{len(lengths) - 1}.0"', "beta_choices = [0, 1]"]
    lines += ["[expectation]", f"first = {vector(d)}", f"second_base = {vector(d)}"]
    lines += [f"second_per_action = {vector(d)}", f"rewards = {[vector(actions) for _ in range(actions)]}"]
    return "\n".join(lines) + "\n"
