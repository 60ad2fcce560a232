"""The content folder, read and checked whole: config, prose, formulas, words, sources, edition."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from .digits.config import DigitsConfig, load_digits_config
from .editions.anchors import Anchors, load_anchors
from .editions.edition import Edition, load_edition
from .editions.log import Log, load_logs
from .editions.redirects import Redirects, load_redirects
from .faults.notes import Fault, load_faults, name_paths
from .kl.config import KlConfig, load_kl_config
from .numbers.registry import Declaration, load_declarations
from .reading.files import os_name
from .reading.folder import Folder, Layered, folder_problems
from .reading.memory import Memory
from .reading.problems import Problem, Problems
from .reading.toml_text import TomlText
from .reading.validation import Strict, check
from .update.config import Config, load_config
from .words.bilingual import differences
from .words.example import Example, load_example
from .words.formulas import Formula, load_formulas
from .words.language import LANGUAGES
from .words.prose import Prose
from .words.terms import Terms

PAGES = ("update", "kl-and-clipping", "digits", "faults", "numbers", "verify", "editions")  # in reading order
TERMS = "terms.toml"
Read = TypeVar("Read")


@dataclass(frozen=True)
class Content:
    """Everything that the content folder says, valid and bilingual."""

    folder: Folder
    config: Config
    kl_config: KlConfig
    digits_config: DigitsConfig
    example: Example
    faults: dict[str, Fault]
    formulas: dict[str, Formula]
    terms: Terms
    declarations: dict[str, Declaration]
    ignored: set[str]
    sources: dict[str, Any]
    edition: Edition
    prose: dict[tuple[str, str], Prose]
    logs: list[Log]
    records: dict[str, dict[str, Anchors]]
    redirects: Redirects


class Words(Strict):
    """A text in both languages."""

    zh: str
    en: str


class Source(Strict):
    """One entry of content/sources.toml."""

    authors: str
    title: str
    year: int
    address: str
    version: str
    consulted: datetime.date | None = None  # when it was read,
    record_checked: datetime.date | None = None  # or when its bibliographic record was checked
    used_for: Words


class Reader:
    """Reads one file after another and keeps every problem, so that all are reported at once."""

    def __init__(self, folder: Folder, memory: Memory | None = None) -> None:
        self.folder = folder
        self.memory = memory or Memory()
        self.problems: list[Problem] = []

    def terms(self) -> Terms | None:
        """Return the words; a course's terms.toml may hold single entries, laid over the shipped ones."""
        if not isinstance(self.folder, Layered) or self.folder / TERMS == self.folder.defaults / TERMS:
            return self.load(TERMS, Terms)
        shipped = Reader(self.folder.defaults, self.memory).load(TERMS, Terms)
        return self.load(TERMS, lambda source: Terms(source, shipped), shipped)

    def attempt(self, path: Path, action: Callable[[], Read]) -> Read | None:
        """Return what an action returns, or None after noting its problems."""
        try:
            return action()
        except Problems as found:
            self.problems += found.problems
        except OSError as error:
            reason = error.strerror or "unreadable"
            what = (f"cannot be read ({reason})", f"无法读取（{reason}）")
            self.problems.append(Problem(os_name(path), None, "", what))
        except UnicodeDecodeError:
            what = ("not UTF-8 text; save it as UTF-8", "不是 UTF-8 文本，请另存为 UTF-8")
            self.problems.append(Problem(os_name(path), None, "", what))
        return None

    def load(self, name: str, action: Callable[[TomlText], Read], *more: Any) -> Read | None:
        """Return what an action makes of a TOML file, and of what else it is given."""
        path = self.folder / name
        shown = os_name(path)

        def read() -> Read:
            raw = path.read_bytes()
            return self.memory.recall(shown, (raw, *more), lambda: action(TomlText(shown, raw)))

        return self.attempt(path, read)

    def prose(self, page: str) -> dict[tuple[str, str], Prose]:
        """Return a page's prose in both languages, after checking each alone and both against each other."""
        found: dict[tuple[str, str], Prose] = {}
        for language in LANGUAGES:
            path = self.folder / f"pages/{page}.{language}.md"
            prose = self.attempt(path, partial(self.read_prose, path))
            if prose is not None:
                self.problems += prose.problems()
                found[page, language] = prose
        if len(found) == len(LANGUAGES):
            self.problems += differences(found[page, "zh"], found[page, "en"])
        return found

    def read_prose(self, path: Path) -> Prose:
        """Return the prose of a file."""
        shown = os_name(path)
        return self.memory.recall(shown, (path.read_bytes(),), lambda: Prose(path, shown))


def load_sources(source: TomlText) -> dict[str, Any]:
    """Return the references by name. Raises Problems."""
    problems = list(source.problems)
    for name in source.data:
        problems += check(Source, source, (name,))
    if problems:
        raise Problems(problems)
    return source.data


def load_content(folder: Folder, memory: Memory | None = None) -> Content:
    """Return the whole content. Raises Problems with every mistake in every file.

    memory: of an earlier reading; what has not changed since is not read into its parts again.
    """
    reader = Reader(folder, memory)
    reader.problems += folder_problems(folder)
    config = reader.attempt(folder / "config", lambda: load_config(folder))
    formulas = reader.load("formulas.toml", load_formulas)
    terms = reader.terms()
    kl_config = reader.attempt(folder / "config", lambda: load_kl_config(folder))
    digits_config = reader.attempt(folder / "config", lambda: load_digits_config(folder))
    faults = reader.load("faults.toml", load_faults)
    path = folder / "examples/kl_and_clipping.py"
    example = reader.attempt(path, lambda: load_example(path, os_name(path)))
    declarations: dict[str, Declaration] = {}
    ignored: set[str] = set()
    for page in PAGES:
        found = reader.load(
            f"numbers/{page}.toml", lambda source: load_declarations(source, formulas), formulas
        )
        if found:
            declarations |= found[0]
            ignored |= found[1]
    sources = reader.load("sources.toml", load_sources)
    edition = reader.load("edition.toml", load_edition)
    logs = reader.attempt(folder / "editions", lambda: load_logs(folder))
    records = reader.attempt(folder / "anchors", lambda: load_anchors(folder))
    redirects = reader.load("redirects.toml", load_redirects)
    prose: dict[tuple[str, str], Prose] = {}
    for page in PAGES:
        prose |= reader.prose(page)
    if reader.problems:
        raise Problems(reader.problems)
    assert (
        config
        and kl_config
        and digits_config
        and example
        and faults
        and formulas is not None
        and terms
        and sources is not None
        and edition
        and logs is not None
        and records is not None
        and redirects
    )
    name_paths(terms, faults)
    return Content(
        folder,
        config,
        kl_config,
        digits_config,
        example,
        faults,
        formulas,
        terms,
        declarations,
        ignored,
        sources,
        edition,
        prose,
        logs,
        records,
        redirects,
    )
