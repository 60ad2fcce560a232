"""Tables of mistakes: what is changed in a file, and what has to be said of it.

A row: its name; a text of the file; what stands there instead; the key that is named; parts of the message, with " | "
between them. The mistake is where the new text begins, or at the text behind "@ ".
"""

import re

import pytest

from publish.reading.problems import Problems
from tests.content_tools import changed


def each_of(rows):
    """Let a test run with each row of a table: old, new, key, says."""
    return pytest.mark.parametrize(
        ("old", "new", "key", "says"), [row[1:] for row in rows], ids=[row[0] for row in rows]
    )


def spoiled(text, old, new):
    """Return a file's text with a mistake in it, and the number of the line that has to be named."""
    new, _, place = new.partition("@ ")
    text = changed(text, old, new)
    return text, text[: text.index(place or new)].count("\n") + 1


def assert_named(problem, line, key, says):
    """Assert that a problem names line and key, and says in one line what it should; and something in Chinese."""
    message = str(Problems([problem]))
    assert (problem.line, problem.key) == (line, key), message
    assert [part for part in says.split(" | ") if part not in message] == [], message
    assert "\n" not in message
    assert re.search("[一-鿿]", problem.what[1]), "said in Chinese too"
