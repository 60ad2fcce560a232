"""Builds that are killed or run at the same time: what then lies where the site should be, as JSON.

python -m tests.kill_builds FOLDER COUNT SEED [--small] [--no-exchange]

One process has two editions of the site; each build is a child of it that writes one of them into FOLDER/site. COUNT
children are killed at random moments; then they run three at once. After each, what is there must be one of the two
editions, file by file. --small writes a smaller folder, and kills at every step of putting it in place, too.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from publish import site
from publish.writing import whole

CONTENT = Path(__file__).resolve().parent.parent / "content"
STEPS = ("mkdtemp", "exchange", "rename", "rmtree", "chmod")
AT_ONCE = 3
SMALL_FILES = 60

Sums = dict[str, str]


def sums_of(folder: Path) -> Sums:
    """Return file → SHA-256 of everything below a folder."""
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def writer_of(address: str) -> whole.Write:
    """Return what a build of the site for an address writes into its folder."""
    found: list[whole.Write] = []
    write_whole = site.write_whole
    site.write_whole = lambda out, write_into: found.append(write_into)
    try:
        site.build_site(CONTENT, Path("nowhere"), address=address)
    finally:
        site.write_whole = write_whole
    return found[0]


def editions() -> list[whole.Write]:
    """Return what writes each of two editions of the site; their pages differ in their addresses."""
    return [writer_of(f"https://{name}.example.org") for name in ("first", "second")]


def small_editions() -> list[whole.Write]:
    """Return the same for a folder that is written in a moment."""

    def write(folder: Path, name: str) -> None:
        for number in range(SMALL_FILES):
            path = folder / f"part-{number % 4}" / f"{number}.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text(f"{name} {number}\n" * 500, encoding="utf-8")
        (folder / "index.html").write_text(name, encoding="utf-8")

    return [lambda folder, name=name: write(folder, name) for name in ("first", "second")]


def child(action: Callable[[], object]) -> int:
    """Start a process that does something and ends; return its id."""
    pid = os.fork()
    if pid == 0:
        try:
            action()
        except BaseException as error:
            print(repr(error), file=sys.stderr)
            os._exit(1)
        os._exit(0)
    return pid


def killed_at(name: str, call: int, after: bool) -> None:
    """Let this process be killed before or after one call of a step."""
    owner = {
        "exchange": whole,
        "rename": os,
        "rmtree": whole.shutil,
        "chmod": Path,
        "mkdtemp": whole.tempfile,
    }[name]
    step, seen = getattr(owner, name), 0

    def counted(*arguments: object, **options: object) -> object:
        nonlocal seen
        seen += 1
        if seen == call and not after:
            os.kill(os.getpid(), signal.SIGKILL)
        found = step(*arguments, **options)
        if seen == call and after:
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    setattr(owner, name, counted)


class Trial:
    """A site that builds write, and everything that was found wrong with it."""

    def __init__(self, folder: Path, writers: list[whole.Write], exchanges: bool) -> None:
        self.out = folder / "site"
        self.exchanges = exchanges
        self.wrong: list[str] = []
        self.writers = writers
        self.good: list[Sums] = []
        for writer in self.writers:
            started = time.monotonic()
            whole.write_whole(self.out, writer)
            self.seconds = time.monotonic() - started
            self.good.append(sums_of(self.out))
        assert self.good[0] != self.good[1]

    def build(self, number: int) -> None:
        """Write one edition, as a build does."""
        whole.recover(self.out)
        whole.write_whole(self.out, self.writers[number])

    def look(self, when: str, may_be_away: bool = False) -> None:
        """Note it when what is there is not one edition, whole."""
        if may_be_away and not self.out.exists():
            whole.recover(self.out)
        found = sums_of(self.out) if self.out.is_dir() else {}
        if found not in self.good:
            self.wrong.append(f"{when}: {len(found)} files, of no edition")

    def finish(self, when: str) -> None:
        """Build once more: it must succeed and leave nothing beside the site."""
        self.build(0)
        self.look(f"the build after {when}")
        if (names := sorted(path.name for path in self.out.parent.iterdir())) != ["site"]:
            self.wrong.append(f"left after {when}: {names}")

    def kill(self, when: str, action: Callable[[], object], seconds: float | None = None) -> bool:
        """Start a build, kill it after some seconds or let it kill itself; return whether it was killed."""
        pid = child(action)
        if seconds is not None:
            time.sleep(seconds)
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        self.look(when, may_be_away=not self.exchanges)
        return os.WIFSIGNALED(status)

    def at_steps(self) -> int:
        """Kill a build at every step of its way that changes folders; return how many there were."""
        kills = 0
        for step in STEPS:
            for call in (1, 2, 3):
                for after in (False, True):

                    def action(step: str = step, call: int = call, after: bool = after) -> None:
                        killed_at(step, call, after)
                        self.build(1)

                    when = f"kill {'after' if after else 'before'} call {call} of {step}"
                    kills += self.kill(when, action)
                    self.finish(when)
        return kills

    def at_random(self, count: int, seed: int) -> int:
        """Kill builds at random moments."""
        rng = random.Random(seed)
        kills = 0
        for number in range(count):
            seconds = rng.uniform(0, 1.2 * self.seconds)
            kills += self.kill(f"kill {number} after {seconds:.4f} s", lambda: self.build(1), seconds)
        self.finish(f"{count} kills")
        return kills

    def at_once(self, times: int) -> None:
        """Run builds at the same time; where folders are exchanged, the site is there at every moment."""
        for number in range(times):
            running = {child(lambda turn=turn: self.build(turn % 2)) for turn in range(AT_ONCE)}
            looked = 0
            while running:
                if self.exchanges and not (self.out / "index.html").is_file():
                    self.wrong.append(f"{AT_ONCE} builds, time {number}: for a moment there was no site")
                looked += 1
                pid, status = os.waitpid(-1, os.WNOHANG)
                if pid:
                    running.discard(pid)
                    if status:
                        self.wrong.append(f"{AT_ONCE} builds, time {number}: one ended with {status}")
                time.sleep(0.0005)
            self.look(f"{AT_ONCE} builds, time {number}")
            self.finish(f"{AT_ONCE} builds")


def main(arguments: list[str]) -> None:
    """Try everything and print what was wrong, and how many builds were killed."""
    folder, count, seed = Path(arguments[0]), int(arguments[1]), int(arguments[2])
    exchanges = "--no-exchange" not in arguments
    if not exchanges:
        whole.exchange = lambda fresh, out: False
    small = "--small" in arguments
    trial = Trial(folder, small_editions() if small else editions(), exchanges)
    steps = trial.at_steps() if small else 0
    kills = trial.at_random(count, seed)
    trial.at_once(max(1, count // 10))
    print(json.dumps({"wrong": trial.wrong, "steps": steps, "kills": kills}))


if __name__ == "__main__":
    main(sys.argv[1:])
