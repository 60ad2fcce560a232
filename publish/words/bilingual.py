"""The two languages of a page must name the same things: headings, anchors, formulas, numbers, blocks, sources."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher

from ..reading.problems import Phrase, Problem
from .prose import Prose, Reference

COMPARED = ("heading", "formula", "number", "block", "sentence", "source", "term", "exact", "box", "claim")


def differences(chinese: Prose, english: Prose) -> Iterator[Problem]:
    """Yield one problem for each thing that one language names and the other does not, in order."""
    both = [list(chinese.references()), list(english.references())]
    for kind in COMPARED:
        left, right = ([item for item in items if item.kind == kind] for items in both)
        matcher = SequenceMatcher(None, [r.name for r in left], [r.name for r in right], autojunk=False)
        for tag, start, stop, other_start, other_stop in matcher.get_opcodes():
            if tag != "equal":
                yield from missing(
                    left[start:stop], chinese.name, english.name, line_near(right, other_start)
                )
                yield from missing(
                    right[other_start:other_stop], english.name, chinese.name, line_near(left, start)
                )


def line_near(references: list[Reference], index: int) -> int:
    """Return the line where the counterpart would have stood."""
    return references[min(index, len(references) - 1)].line if references else 1


def missing(references: list[Reference], here: str, there: str, there_line: int) -> Iterator[Problem]:
    """Yield a problem for each reference that the other language lacks at this place."""
    for reference in references:
        what: Phrase = (
            f"{reference.kind} {reference.name}: not at the same place in {there} (near line {there_line})",
            f"{reference.kind} {reference.name}：{there} 的相应位置（约第 {there_line} 行）缺少它",
        )
        yield Problem(here, reference.line, "", what)
