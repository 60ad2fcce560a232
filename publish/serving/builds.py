"""What browsers wait for while `build.py serve` runs: the next good build, or the mistakes of the last one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from ..reading.problems import Problem


class Builds:
    """The last build. count: good builds so far; problems: why the last one was none; early: pages ahead of the site.

    Every change is an announcement; browsers wait for the next with `wait`.
    """

    def __init__(self) -> None:
        self.count = 0
        self.problems: list[Problem] = []
        self.early: dict[str, bytes] = {}
        self.announced = 0
        self.opened = 0  # streams so far
        self.streams: list[str] = []  # the pages that browsers have open
        self.changed = threading.Condition()

    def done(self, early: dict[str, bytes] | None = None) -> None:
        """Tell every waiting browser that there is a new site, or early pages of one."""
        with self.changed:
            self.count += 1
            self.problems = []
            self.early = early or {}
            self.announce()

    def failed(self, problems: list[Problem]) -> None:
        """Tell every waiting browser what is wrong; the last good site stays."""
        with self.changed:
            self.problems = problems
            self.early = {}
            self.announce()

    def announce(self) -> None:
        """Wake everybody who waits."""
        self.announced += 1
        self.changed.notify_all()

    def wait(self, seen: int, seconds: float) -> int:
        """Return the number of announcements once it differs from `seen`, or after so many seconds."""
        with self.changed:
            self.changed.wait_for(lambda: self.announced != seen, timeout=seconds)
            return self.announced

    @contextmanager
    def stream(self, page: str) -> Iterator[None]:
        """Count a page as open as long as its browser waits for builds."""
        with self.changed:
            self.streams.append(page)
            self.opened += 1
            self.changed.notify_all()
        try:
            yield
        finally:
            with self.changed:
                self.streams.remove(page)

    def open_pages(self) -> list[str]:
        """Return the pages that browsers have open, the newest two: more would not come early."""
        with self.changed:
            return list(dict.fromkeys(reversed([page for page in self.streams if page])))[:2]

    def wait_for_reader(self, opened: int, seconds: float) -> None:
        """Wait until a page that was told to reload is there again: more streams than `opened`."""
        with self.changed:
            self.changed.wait_for(lambda: self.opened > opened, timeout=seconds)
