"""What a user sees while the network is trained: a bar with the time left on a terminal, one line elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TextIO

from ..reading.problems import Phrase, speaks_chinese
from .cost import Cost

WIDTH = 24  # of the bar, in characters
PAUSE = 0.1  # seconds between two drawings


class Progress:
    """Called with (done, total) by the experiment; a context, so that the terminal's line is ended in any case."""

    def __init__(self, cost: Cost, stream: TextIO | None = None) -> None:
        self.cost = cost
        self.stream = stream or sys.stderr
        self.terminal = self.stream.isatty()
        self.started = self.drawn = 0.0
        self.length = 0

    def __enter__(self) -> Progress:
        if self.cost.large():
            english, chinese = self.cost.phrase()
            self.write((f"A large experiment: {english}.\n", f"实验规模较大：{chinese}。\n"))
        elif not self.terminal:
            seconds = max(1, round(self.cost.seconds))
            self.write(
                (
                    f"Training the network, about {seconds} s; the results are kept for later builds.\n",
                    f"正在训练网络，约需 {seconds} 秒；结果会保留，供以后的构建使用。\n",
                )
            )
        self.started = time.monotonic()
        return self

    def __call__(self, done: int, total: int) -> None:
        """Draw the bar, not too often."""
        now = time.monotonic()
        if not self.terminal or (now - self.drawn < PAUSE and done < total):
            return
        self.drawn = now
        left = (now - self.started) * (total - done) / done
        filled = WIDTH * done // total
        text = f"{'█' * filled}{'░' * (WIDTH - filled)} {100 * done // total:3d} %"
        words = (f"training {text}, {left:.0f} s left", f"训练中 {text}，还需 {left:.0f} 秒")
        line = words[speaks_chinese()]
        self.write_text("\r" + line + " " * (self.length - len(line)))
        self.length = len(line)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self.length:
            self.write_text("\n")

    def write(self, what: Phrase) -> None:
        """Write words in the user's language."""
        self.write_text(what[speaks_chinese()])

    def write_text(self, text: str) -> None:
        """Write text; a stream whose encoding lacks a character gets another in its place."""
        encoding = self.stream.encoding or "utf-8"
        self.stream.write(text.encode(encoding, "replace").decode(encoding))
        self.stream.flush()
