"""Sentences computed from results: the core's findings say which is true, this module says it."""

from __future__ import annotations

from collections.abc import Callable

from markupsafe import Markup

from ..words.terms import Terms
from .subject import Subject

Show = Callable[[str], Markup]  # number id → its markup
GAP = {"zh": "", "en": " "}


class Sentences:
    """The computed sentences of one page in one language; `sentence(name)` returns one."""

    def __init__(
        self,
        subject: Subject,
        terms: Terms,
        language: str,
        show: Show,
        contrary: Callable[[Markup], Markup] = Markup,
    ) -> None:
        """contrary: marks a sentence that says the contrary of what the text around it was written for."""
        self.subject = subject
        self.terms = terms
        self.language = language
        self.show = show
        self.contrary = contrary

    def __call__(self, name: str) -> Markup:
        """Return a sentence, marked with its name so that the page can say it anew. Raises KeyError."""
        said = Markup(GAP[self.language]).join(
            self.say(key, ids) for key, ids in self.subject.findings[name](self.subject.results)
        )
        return Markup('<span data-sentence="{}">{}</span>').format(name, said)

    def say(self, key: str, ids: dict[str, str]) -> Markup:
        """Return the words of a sentence with numbers, given by their ids, in the placeholders."""
        term = f"sentence.{key}"
        said = self.fill(term, **ids)
        return self.contrary(said) if term in self.terms.contrary else said

    def fill(self, term: str, **ids: str) -> Markup:
        """Return a term with numbers, given by their ids, in its placeholders."""
        text = Markup.escape(self.terms.text(term, self.language))
        numbers = {name: self.show(number_id) for name, number_id in ids.items()}
        return Markup(self.terms.filled(term, text, numbers))
