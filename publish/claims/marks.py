"""How a page marks words that do not apply to the results it is built from, and the list of them at its end."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup, escape

from ..reading.problems import shortened
from ..words.conditions import Condition, read_condition
from ..words.prose import Prose
from ..words.terms import Terms
from .verdicts import Values, Verdicts


@dataclass(frozen=True)
class Stale:
    """Words on a page that do not apply to this build; a sentence that came out contrary has no condition."""

    words: str
    condition: str
    values: Values


class Marks:
    """The marks of one page in one language; `stale` lists what they stand at, in reading order."""

    def __init__(self, verdicts: Verdicts, terms: Terms, prose: Prose, language: str) -> None:
        self.verdicts = verdicts
        self.terms = terms
        self.prose = prose
        self.language = language
        self.stale: list[Stale] = []

    def claimed(self, text: str, condition: Condition | None = None, listed: bool = True) -> Markup:
        """Return a text, marked if the condition that it (or else its term) is bound to does not hold.

        listed: whether the list of such words names it; words that only some states show are not on it.
        """
        condition = condition or self.terms.claims.get(getattr(text, "key", ""))
        if condition is None:
            return escape(text)
        return self.begin(condition, listed) + escape(text) + self.end(condition, text, listed)

    def begin(self, condition: Condition, listed: bool = True) -> Markup:
        """Return the beginning of a claim: a plain element, or a mark when it does not hold."""
        if self.verdicts(condition).holds:
            return Markup('<span data-claim="{}">').format(condition.text)
        place = Markup(' id="stale-{}"').format(len(self.stale) + 1) if listed else ""
        return Markup('<mark class="stale"{} data-claim="{}">').format(place, condition.text)

    def end(self, condition: Condition, words: str, listed: bool = True) -> Markup:
        """Return the end of a claim; behind one that does not hold, a note says so."""
        verdict = self.verdicts(condition)
        if verdict.holds:
            return Markup("</span>")
        if not listed:
            note = Markup('</mark> <span class="stale-note">{}</span>')
            return note.format(self.terms.text("claim.note", self.language))
        self.stale.append(Stale(shortened(words), condition.text, verdict.values))
        return Markup("</mark>") + self.note("claim.note")

    def begin_in_prose(self, condition: str) -> Markup:
        """Return the beginning of a claim of the prose."""
        return self.begin(read_condition(condition))

    def end_in_prose(self, index: str) -> Markup:
        """Return the end of a claim of the prose, given by its place among them."""
        bound = self.prose.claims[int(index)]
        return self.end(read_condition(bound.condition), bound.words)

    def contrary(self, said: Markup) -> Markup:
        """Return a sentence that came out contrary to what the text around it was written for, with a note."""
        self.stale.append(Stale(shortened(said.striptags()), "", []))
        mark = Markup('<span class="contrary" id="stale-{}">{}</span>').format(len(self.stale), said)
        return mark + self.note("claim.contrary")

    def note(self, term: str) -> Markup:
        """Return the note behind words that do not apply: a link to their entry, the last of the list."""
        note = Markup(' <a class="stale-note" href="#stale-entry-{}">{}</a>')
        return note.format(len(self.stale), self.terms.text(term, self.language))
