"""Pages: prose, results and words put through the templates, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined, TemplateNotFound
from markupsafe import Markup, escape

from ..claims.marks import Marks
from ..claims.verdicts import Verdicts
from ..editions.edition import Edition
from ..editions.redirects import Redirects
from ..numbers.registry import Declaration, Registry
from ..page.charts import figure_json
from ..page.sentences import Sentences
from ..page.subject import Subject
from ..reading.problems import Problem, Problems, nearest
from ..words.formatting import INFINITE
from ..words.formulas import Formula, find_formula
from ..words.language import HTML_LANG
from ..words.prose import Prose
from ..words.terms import Terms, Word
from . import policy
from .live import live_json
from .publication import Publication

OTHER = {"zh": "en", "en": "zh"}


@dataclass(frozen=True)
class Material:
    """Everything that pages are made of. subjects: name → page, in reading order."""

    subjects: dict[str, Subject]
    registry: Registry
    formulas: dict[str, Formula]
    terms: Terms
    sources: dict[str, Any]
    edition: Edition
    digest: str
    declarations: dict[str, Declaration]
    verdicts: Verdicts
    redirects: Redirects = field(default_factory=Redirects)
    verified: dict[str, dict[str, str]] = field(
        default_factory=dict
    )  # shape → language → a sentence for cards
    shown: frozenset[str] = (
        frozenset()
    )  # ids that the pages show, known once all but the numbers page are rendered


def compiled_templates() -> FileSystemBytecodeCache | None:
    """Return a place for compiled templates in the system's folder for temporary files, if it may be used."""
    try:
        return FileSystemBytecodeCache()
    except (OSError, RuntimeError):
        return None


@cache
def environment(templates: Path) -> Environment:
    """Return the Jinja environment: an undefined name is an error, text is escaped."""
    made = Environment(
        loader=FileSystemLoader(templates),
        bytecode_cache=compiled_templates(),
        undefined=StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["policy"] = policy.meta()
    return made


@dataclass
class Page:
    """One page in one language; `render` returns its HTML."""

    subject: Subject
    language: str
    material: Material
    env: Environment
    prose: Prose

    def __post_init__(self) -> None:
        material = self.material
        self.marks = Marks(material.verdicts, material.terms, self.prose, self.language)

    def number(self, number_id: str) -> Markup:
        """Return a number as the element that names its id and full value."""
        number = self.material.registry.find(number_id)
        text = self.word("number.undefined") if number.text == INFINITE["nan"] else number.text
        # Ids, values and texts are ours, and only a "<" needs escaping; thousands of numbers a page need speed.
        text = text.replace("<", "&lt;")
        return Markup(
            f'<data class="number" data-number="{number_id}" value="{number.machine}">{text}</data>'
        )

    def signed(self, number_id: str) -> Markup:
        """Return a number to stand behind an operator: the style puts a negative one in parentheses."""
        negative = " negative" if self.material.registry.find(number_id).text.startswith("−") else ""
        return Markup(f'<span class="signed{negative}">{self.number(number_id)}</span>')

    def formula(self, name: str, display: bool = False) -> Markup:
        """Return a formula as MathML, with the linear text that shows where MathML does not."""
        formula = find_formula(self.material.formulas, name)
        math = Markup(formula.display if display else formula.inline)
        return Markup('<span class="has-text">{}<span class="formula-text">{}</span></span>').format(
            math, formula.text
        )

    def word(self, key: str, **values: object) -> str:
        """Return a text of the page's language; it knows its key."""
        return Word(self.material.terms.text(key, self.language, **values), key)

    def used_sources(self) -> dict[str, Any]:
        """Return the references that the page's prose names, in the order of the file."""
        named = {reference.name for reference in self.prose.references() if reference.kind == "source"}
        return {name: source for name, source in self.material.sources.items() if name in named}

    def context(self) -> dict[str, Any]:
        """Return what templates may name."""
        subject = self.subject
        context: dict[str, Any] = {
            "t": self.word,
            "n": self.number,
            "sn": self.signed,
            "f": self.formula,
            "s": Sentences(subject, self.material.terms, self.language, self.number, self.marks.contrary),
            "claimed": self.marks.claimed,
            "chart_json": lambda name: Markup(figure_json(subject.figures[name](subject.results, self.word))),
            "lang": self.language,
            "root": "../",
            "sources": self.used_sources(),
            "command": subject.command,
        }
        context |= subject.context(self)
        context["m"] = self.env.get_template("macros.html").make_module(context)
        return context

    def reference(self, context: dict[str, Any]) -> Any:
        """Return the function that renders the prose's references."""
        kinds: dict[str, Callable[[str, bool], Markup]] = {
            "number": lambda name, display: self.number(name),
            "exact": lambda name, display: Markup('<span class="number">{}</span>').format(name),
            "formula": self.displayed_formula,
            "sentence": lambda name, display: self.sentence(name, context["s"]),
            "term": lambda name, display: escape(self.word(name)),
            "source": lambda name, display: self.source(name),
            "block": lambda name, display: self.block(name, context),
            "claim": lambda name, display: self.marks.begin_in_prose(name),
            "/claim": lambda name, display: self.marks.end_in_prose(name),
            "anchor": lambda name, display: self.anchor(*name.split(" ", 1)),
        }

        def render(kind: str, name: str, display: bool) -> str:
            return str(kinds[kind](name, display))

        return render

    def anchor(self, name: str, title: str) -> Markup:
        """Return a heading's link to itself."""
        label = self.word("nav.anchor", title=title)
        return Markup('<a class="anchor" href="#{}" aria-label="{}">#</a>').format(name, label)

    def displayed_formula(self, name: str, display: bool) -> Markup:
        """Return a formula in line, or as a display of its own."""
        markup = self.formula(name, display)
        return Markup('<div class="formula">{}</div>\n').format(markup) if display else markup

    def sentence(self, name: str, sentences: Sentences) -> Markup:
        """Return a computed sentence. Raises Problems for an unknown name."""
        if name not in self.subject.findings:
            what = ("no such sentence", "没有这个句子")
            hint = nearest(name, self.subject.findings)
            raise Problems([Problem(self.prose.name, None, f"sentence {name}", what, hint)])
        return sentences(name)

    def source(self, name: str) -> Markup:
        """Return a link to a reference of the page. Raises Problems for an unknown name."""
        sources = self.material.sources
        if name not in sources:
            what = ("no such source", "没有这条参考资料")
            raise Problems([Problem(self.prose.name, None, f"source {name}", what, nearest(name, sources))])
        return Markup('<a href="#source-{}">{}</a>').format(name, sources[name]["title"])

    def block(self, name: str, context: dict[str, Any]) -> Markup:
        """Return a table, chart or figure. Raises Problems for an unknown name."""
        try:
            template = self.env.get_template(f"blocks/{name}.html")
        except TemplateNotFound:
            what = ("no such block", "没有这个块（表格或图）")
            known = [Path(path).stem for path in self.env.list_templates() if path.startswith("blocks/")]
            raise Problems(
                [Problem(self.prose.name, None, f"block {name}", what, nearest(name, known))]
            ) from None
        return Markup(template.render(context))

    def neighbours(self) -> dict[str, Any]:
        """Return every page for the navigation, and the ones before and after this."""
        pages = [
            {
                "file": f"{name}.html",
                "title": self.word(f"page.{name}.short"),
                "here": name == self.subject.name,
            }
            for name in self.material.subjects
        ]
        place = list(self.material.subjects).index(self.subject.name)
        return {
            "pages": pages,
            "before": pages[place - 1] if place else None,
            "after": pages[place + 1] if place + 1 < len(pages) else None,
        }

    def render(self) -> str:
        """Return the page's HTML."""
        context = self.context()
        render = self.reference(context)
        sections = [
            {
                "anchor": section.anchor,
                "title": section.title,
                "html": Markup(self.prose.render(section.tokens, render)),
            }
            for section in self.prose.sections()
        ]
        other = OTHER[self.language]
        name, material = self.subject.name, self.material
        title, description = (self.word(f"page.{name}.{part}") for part in ("title", "description"))
        publication = Publication(name, title, description, self.language, material.edition, material.terms)
        return self.env.get_template("page.html").render(
            context
            | self.neighbours()
            | {
                "name": name,
                "file": f"{name}.html",
                "html_lang": HTML_LANG[self.language],
                "other_lang": other,
                "other_html_lang": HTML_LANG[other],
                "title": title,
                "description": description,
                "publication": publication.head(),
                "address": publication.address(),
                "has_settings": bool(self.subject.keys),
                "intro": sections[0]["html"],
                "sections": sections[1:],
                "stale": self.marks.stale,
                "edition": material.edition,
                "digest": material.digest,
                "scripts": self.subject.all_scripts(),
                "live_json": Markup(live_json(self.subject, material, self.language)),
            }
        )
