"""What is said while the network is trained: a bar on a terminal, one line elsewhere, a word before a large one."""

import io

import pytest

from publish.digits import progress as digits_progress
from publish.digits.cost import Cost
from publish.digits.progress import WIDTH, Progress


class Stream(io.StringIO):
    """A stream that may be a terminal, with an encoding."""

    def __init__(self, terminal, encoding="utf-8"):
        super().__init__()
        self.terminal, self.named = terminal, encoding

    def isatty(self):
        return self.terminal

    @property
    def encoding(self):
        return self.named


def cost(seconds=6.0):
    return Cost(1.3, seconds, ("checkpoints", "检查点"), ("sampled updates", "采样更新"))


@pytest.fixture(autouse=True)
def english(monkeypatch):
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands where the test puts it."""
    now = [100.0]
    monkeypatch.setattr(digits_progress.time, "monotonic", lambda: now[0])
    return now


def test_elsewhere_it_is_one_line():
    stream = Stream(False)
    with Progress(cost(), stream) as progress:
        for done in range(1, 11):
            progress(done, 10)
    assert stream.getvalue() == "Training the network, about 6 s; the results are kept for later builds.\n"


def test_a_terminal_gets_a_bar_with_the_time_left(clock):
    stream = Stream(True)
    with Progress(cost(), stream) as progress:
        clock[0] = 102.0
        progress(25, 100)  # 2 s for a quarter: 6 s left
        clock[0] = 108.0
        progress(100, 100)
    first, last = stream.getvalue().split("\r")[1:]
    assert first == f"training {'█' * 6}{'░' * 18}  25 %, 6 s left"
    assert last.startswith(f"training {'█' * WIDTH} 100 %, 0 s left") and last.endswith("\n")
    assert len(last.rstrip("\n")) >= len(first)  # nothing of the longer line stays


def test_it_is_not_drawn_more_often_than_anyone_can_see(clock):
    stream = Stream(True)
    with Progress(cost(), stream) as progress:
        for done in range(1, 1001):
            clock[0] += 0.001
            progress(done, 1000)
    assert 9 <= stream.getvalue().count("\r") <= 12  # a second


def test_an_interruption_ends_the_line(clock):
    stream = Stream(True)
    with pytest.raises(KeyboardInterrupt), Progress(cost(), stream) as progress:
        clock[0] += 1
        progress(1, 10)
        raise KeyboardInterrupt
    assert stream.getvalue().endswith("\n")


@pytest.mark.parametrize("terminal", [False, True])
def test_a_large_experiment_is_announced_with_what_is_large(terminal):
    stream = Stream(terminal)
    with Progress(cost(600.0), stream):
        pass
    assert stream.getvalue() == (
        "A large experiment: about 600 s, most for sampled updates, and 1.3 MB of results, most for checkpoints.\n"
    )


def test_chinese_and_a_narrow_encoding(monkeypatch):
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    stream = Stream(False)
    with Progress(cost(), stream):
        pass
    assert stream.getvalue().startswith("正在训练网络，约需 6 秒")
    narrow = Stream(True, "ascii")
    with Progress(cost(), narrow) as progress:
        progress(1, 1)
    assert narrow.getvalue().isascii()
