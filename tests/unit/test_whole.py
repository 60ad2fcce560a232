"""A site is whole or not there, whatever happens while it is written: kills, two builds, a full or read-only disk."""

import errno
import json
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import settings

from publish import site
from publish.writing import whole
from publish.writing.exchange import exchange
from tests.content_tools import CONTENT, ROOT, files_of
from tests.kill_builds import writer_of

FUZZ = settings().max_examples > 1000
CAP_DAC_OVERRIDE, PR_CAPBSET_DROP = 1, 24


def write_some(folder, text="new"):
    (folder / "a").mkdir()
    (folder / "a" / "b.txt").write_text(text)
    (folder / "index.html").write_text(text)


@pytest.fixture
def out(tmp_path):
    whole.write_whole(tmp_path / "site", lambda folder: write_some(folder, "old"))
    return tmp_path / "site"


NEW = {"a": None, "a/b.txt": b"new", "index.html": b"new"}
OLD = {"a": None, "a/b.txt": b"old", "index.html": b"old"}


def without_exchange(monkeypatch):
    monkeypatch.setattr(whole, "exchange", lambda fresh, out: False)


# --- killed builds, builds at once: in processes of their own ---


@pytest.mark.parametrize(
    ("count", "options"),
    [
        (500 if FUZZ else 4, []),
        (2000 if FUZZ else 40, ["--small"]),
        (2000 if FUZZ else 40, ["--small", "--no-exchange"]),
    ],
)
def test_killed_builds_and_builds_at_once_leave_a_whole_site(tmp_path, count, options):
    command = [sys.executable, "-m", "tests.kill_builds", str(tmp_path), str(count), "7", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["wrong"] == [] and done.stderr == ""
    assert found["kills"] >= count // 3
    # What happened at each step: mkdtemp, chmod, and an exchange or else three renames, rmtree; before and after.
    assert found["steps"] == (0 if not options else 8 if len(options) == 1 else 14)


# --- putting in place ---


def test_two_folders_change_places_at_once(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text(name)
    if sys.platform.startswith("linux") or sys.platform == "darwin":
        assert exchange(tmp_path / "a", tmp_path / "b")
        assert [(tmp_path / name / "file").read_text() for name in "ab"] == ["b", "a"]
        with pytest.raises(FileNotFoundError):
            exchange(tmp_path / "a", tmp_path / "c")


@pytest.mark.parametrize("exchanges", [True, False])
@pytest.mark.parametrize("there", [True, False])
def test_the_new_takes_the_place_of_the_old(tmp_path, monkeypatch, exchanges, there):
    if not exchanges:
        without_exchange(monkeypatch)
    out = tmp_path / "deep" / "site"
    if there:
        whole.write_whole(out, lambda folder: write_some(folder, "old"))
    whole.write_whole(out, write_some)
    assert files_of(out) == NEW and [path.name for path in out.parent.iterdir()] == ["site"]


def test_the_site_is_there_at_every_moment(out, monkeypatch):
    """A reader in another thread looks while builds replace the site; without the exchange he would miss it."""
    missing, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            if not (out / "index.html").is_file():
                missing.append(1)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        for _ in range(200):
            whole.write_whole(out, write_some)
    finally:
        stop.set()  # or it would read for ever, and keep the others from their work
        reader.join()
    assert missing == []


@pytest.mark.parametrize("error", [OSError("no"), KeyboardInterrupt()])
def test_a_failure_between_the_two_renames_brings_the_old_back(out, monkeypatch, error):
    without_exchange(monkeypatch)
    rename = os.rename

    def failing(source, target):
        if target == out and not str(source).endswith("-old"):
            raise error
        rename(source, target)

    monkeypatch.setattr(os, "rename", failing)
    with pytest.raises(type(error)):
        whole.write_whole(out, write_some)
    assert files_of(out) == OLD and [path.name for path in out.parent.iterdir()] == ["site"]


# --- what earlier builds have left ---


def test_a_site_that_a_killed_build_had_moved_aside_comes_back_even_when_the_next_build_fails(out):
    out.rename(out.parent / ".site-build-abcdefgh-old")
    with pytest.raises(ZeroDivisionError):
        site.recover(out)
        whole.write_whole(out, lambda folder: 1 / 0)
    assert files_of(out) == OLD and [path.name for path in out.parent.iterdir()] == ["site"]


def test_only_what_builds_of_this_site_have_left_is_deleted(out):
    kept = [
        ".site-build-short",
        ".site-build-abcdefgh.bak",
        ".site-backup",
        ".other-build-abcdefgh",
        "site-old",
    ]
    for name in [*kept, ".site-build-abcdefgh", ".site-build-12345678-old"]:
        (out.parent / name).mkdir()
        (out.parent / name / "file").write_text("x")
    (out.parent / ".site-build-notafold").write_text("a file")
    whole.write_whole(out, write_some)
    assert sorted(path.name for path in out.parent.iterdir()) == sorted(
        ["site", ".site-build-notafold", *kept]
    )


def test_a_folder_that_another_build_writes_is_left_alone(out):
    started, go_on = threading.Event(), threading.Event()

    def slowly(folder):
        write_some(folder, "slow")
        started.set()
        go_on.wait(30)

    slow = threading.Thread(target=whole.write_whole, args=(out, slowly))
    slow.start()
    started.wait(30)
    whole.write_whole(out, write_some)
    assert files_of(out) == NEW and len(list(out.parent.iterdir())) == 2
    go_on.set()
    slow.join()
    assert (out / "index.html").read_text() == "slow" and [path.name for path in out.parent.iterdir()] == [
        "site"
    ]


def test_without_locks_only_old_leftovers_are_deleted(out, monkeypatch):
    monkeypatch.setattr(whole, "fcntl", None)
    old, new = out.parent / ".site-build-aaaaaaaa", out.parent / ".site-build-bbbbbbbb"
    old.mkdir()
    new.mkdir()
    os.utime(old, (0, 0))
    whole.write_whole(out, write_some)
    assert sorted(path.name for path in out.parent.iterdir()) == [new.name, "site"] and files_of(out) == NEW


# --- disks that cannot be written ---


def build_with(limit, out, prepare="pass"):
    """Run build.py in a process that first gives something up."""
    program = f"""
import ctypes, resource, sys
{prepare}
if {limit}: resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
sys.argv = ["build.py", "--out", {str(out)!r}]
sys.path.insert(0, {str(ROOT)!r})
import build
sys.exit(build.main())
"""
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, encoding="utf-8"
    )


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    folder = tmp_path_factory.mktemp("good")
    site.build_site(CONTENT, folder / "site")
    return folder / "site"


@pytest.fixture
def last(good, tmp_path):
    """A site that an earlier build wrote."""
    shutil.copytree(good, tmp_path / "site")
    return tmp_path / "site"


@pytest.mark.parametrize("limit", [1, 30_000, 1_000_000])
def test_a_limit_on_the_size_of_files_leaves_the_last_good_site(last, limit):
    before = files_of(last)
    done = build_with(limit, last)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == f"{last}: File too large" and "Traceback" not in done.stderr
    assert files_of(last) == before and [path.name for path in last.parent.iterdir()] == ["site"]


GIVE_UP = f"ctypes.CDLL(None).prctl({PR_CAPBSET_DROP}, {CAP_DAC_OVERRIDE}, 0, 0, 0)"
# Root may write anywhere; a program that it starts after this may not.
AS_ANYBODY = f"""
import os
if os.geteuid() == 0 and "RLPU_GAVE_UP" not in os.environ:
    assert {GIVE_UP} == 0
    os.execve(sys.executable, sys.orig_argv, {{**os.environ, "RLPU_GAVE_UP": "1"}})
"""


@pytest.mark.skipif(not sys.platform.startswith("linux") and os.geteuid() == 0, reason="root, and not Linux")
def test_a_read_only_folder_leaves_the_last_good_site(last):
    before = files_of(last)
    last.parent.chmod(0o555)
    try:
        done = build_with(0, last, AS_ANYBODY)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.splitlines() == [f"{last}: Permission denied"]
        assert files_of(last) == before
        new = build_with(0, last.parent / "new" / "site", AS_ANYBODY)
        assert (new.returncode, new.stderr) == (1, f"{last.parent / 'new'}: Permission denied\n")
    finally:
        last.parent.chmod(0o755)
    assert build_with(0, last, AS_ANYBODY).returncode == 0


def writes_until_full(monkeypatch, after):
    """Let the disk be full after so many files; return the count of files written."""
    written = [0]

    def counted(step):
        def run(*arguments, **options):
            written[0] += 1
            if after is not None and written[0] > after:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            return step(*arguments, **options)

        return run

    monkeypatch.setattr(Path, "write_bytes", counted(Path.write_bytes))
    monkeypatch.setattr(shutil, "copyfile", counted(shutil.copyfile))
    return written


def test_a_disk_that_is_full_after_any_file_leaves_the_last_good_site(last, monkeypatch):
    before = files_of(last)

    write = writer_of("https://example.org")
    with monkeypatch.context() as patch:
        count = writes_until_full(patch, None)
        whole.write_whole(last.with_name("count"), write)
        shutil.rmtree(last.with_name("count"))
    assert count[0] > 60
    for after in range(count[0]) if FUZZ else (0, 1, 9, 30, count[0] - 1):
        with monkeypatch.context() as patch:
            writes_until_full(patch, after)
            with pytest.raises(OSError, match="No space left on device") as error:
                whole.write_whole(last, write)
        assert error.value.filename == str(last)
        assert [path.name for path in last.parent.iterdir()] == ["site"]
    assert files_of(last) == before


def test_an_error_of_another_file_keeps_that_files_name(out):
    def write(folder):
        (folder.parent / "nowhere" / "template.html").read_text()

    with pytest.raises(FileNotFoundError) as error:
        whole.write_whole(out, write)
    assert error.value.filename.endswith("template.html")
