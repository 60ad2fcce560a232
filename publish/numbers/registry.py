"""The number registry: every result has an id, a value, a text, a label in both languages, a formula and a source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from ..page.subject import Subject
from ..reading.problems import Problem, Problems, found_and_allowed, nearest
from ..reading.toml_text import KeyPath, TomlText
from ..reading.validation import Strict, allowed, check, phrase
from ..words.formatting import INFINITE, certain_text, error_text, fixed_text, number_text, setting_text
from ..words.language import LANGUAGES, Text
from ..words.terms import Terms, entries

WILD = "*"
PLACEHOLDERS = ("place", "response", "nth", "check")  # in labels; see Places


class Declaration(Strict):
    """What content/numbers/PAGE.toml says of all numbers whose id has one shape."""

    zh: str = allowed("the label in Chinese", "中文名称")
    en: str = allowed("the label in English", "英文名称")
    formula: str = allowed("the id of a formula in formulas.toml", "formulas.toml 中公式的编号")
    source: str = allowed("a function as module:function", "以 module:function 指明的函数")
    decimals: int = allowed("a whole number from 0 to 6", "0 到 6 的整数", default=4, ge=0, le=6)
    style: Literal["result", "setting", "fixed", "error"] = allowed(
        '"result", "setting", "fixed" or "error"', '"result"、"setting"、"fixed" 或 "error"', default="result"
    )
    filled: str = allowed(
        "the formula with numbers put in; {id} stands for a number, a * in it for the starred parts in order",
        "代入数字的公式；{编号} 处填那个数，其中的 * 依次为编号中带星号的部分",
        default="",
    )


class NotNumbers(Strict):
    """The table [not_numbers]."""

    ids: list[str] = allowed("a list of ids", "编号的列表")


@dataclass(frozen=True, slots=True)
class Number:
    """One registered number. value: float, int, None (absent) or "inf", "-inf", "nan"."""

    id: str
    value: Any
    text: str
    label: Text
    formula: str
    source: str
    page: str
    shape: str = ""  # the id under which it is declared, a star for what differs

    @property
    def machine(self) -> str:
        """Return the value at full precision, as JSON writes it."""
        return (
            "" if self.value is None else str(self.value) if isinstance(self.value, str) else repr(self.value)
        )


class Registry(dict[str, Number]):
    """id → Number, and the order in which results list them."""

    def find(self, number_id: str) -> Number:
        """Return a number. Raises Problems with the nearest ids if there is none."""
        if number_id not in self:
            what = ("no number has this id", "没有此编号的数")
            raise Problems([Problem(f"number {number_id}", None, "", what, nearest(number_id, self))])
        return self[number_id]


def load_declarations(
    source: TomlText, formulas: dict[str, Any] | None = None
) -> tuple[dict[str, Declaration], set[str]]:
    """Return shape → declaration, and the shapes that are no numbers. Raises Problems.

    formulas: the ids that declarations may name; None when they are not known.
    """
    problems = list(source.problems)
    declarations: dict[str, Declaration] = {}
    ignored: set[str] = set()
    for path, entry in entries(source.data):
        model = NotNumbers if path == ("not_numbers",) else Declaration
        if found := check(model, source, path):
            problems += found
        elif model is NotNumbers:
            ignored |= set(entry["ids"])
        else:
            shape = ".".join(path)
            declarations[shape] = Declaration(**entry)
            problems += misnamed(source, path, declarations[shape], formulas)
    if problems:
        raise Problems(problems)
    return declarations, ignored


def misnamed(
    source: TomlText, path: KeyPath, declaration: Declaration, formulas: dict[str, Any] | None
) -> Iterator[Problem]:
    """Yield the names in a declaration that nothing answers to: placeholders of labels, the formula."""
    shape = ".".join(str(part) for part in path)
    stars = [WILD] * shape.split(".").count(WILD)
    for language in LANGUAGES:
        label = declaration.zh if language == "zh" else declaration.en
        try:
            label.format(*stars, **dict.fromkeys(PLACEHOLDERS, ""))
        except (KeyError, IndexError, ValueError, AttributeError):
            known = ", ".join([f"{{{name}}}" for name in (*range(len(stars)), *PLACEHOLDERS)])
            what = found_and_allowed(label, (f"the placeholders {known}", f"占位符 {known}"))
            yield Problem(source.name, source.line((*path, language)), f"{shape}.{language}", what)
    if formulas is not None and declaration.formula not in formulas:
        what = found_and_allowed(declaration.formula, phrase(Declaration, ("formula",)))
        hint = nearest(declaration.formula, formulas)
        yield Problem(source.name, source.line((*path, "formula")), f"{shape}.formula", what, hint)


def leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield (path, number) for every number inside plain results; True, False and words are none."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, str(index)))
    elif (
        value is None
        or value in INFINITE
        or (isinstance(value, (int, float)) and not isinstance(value, bool))
    ):
        yield path, value


def shape_of(path: tuple[str, ...], declared: dict[str, Declaration], ignored: set[str]) -> str | None:
    """Return the declared shape that fits an id's path, trying names as they are before stars."""
    plain = ".".join(WILD if part.isdigit() else part for part in path)
    if plain in declared or plain in ignored:
        return plain
    for index in range(len(path)):  # names in the middle, as in evidence.checks.gradient.error
        parts = [WILD if part.isdigit() or i == index else part for i, part in enumerate(path)]
        if (shape := ".".join(parts)) in declared:
            return shape
    return None


def register(
    subject: Subject,
    declared: dict[str, Declaration],
    ignored: set[str],
    terms: Terms,
    file: str | None = None,
) -> Registry:
    """Return the registry of all numbers of a page. Raises Problems for a number that is not declared.

    file: where the page's numbers are declared, for the message.
    """
    registry = Registry()
    problems: dict[str, Problem] = {}
    shapes: dict[tuple[str, ...], str | None] = {}
    places = Places(subject.positions, terms)
    file = file or f"content/numbers/{subject.name}.toml"
    for path, value in leaves(subject.results):
        outline = tuple(WILD if part.isdigit() else part for part in path)
        if outline not in shapes:
            shapes[outline] = shape_of(path, declared, ignored)
        shape = shapes[outline]
        number_id = ".".join(path)
        if shape is None:
            what = ("a result without an entry", "此结果没有对应的条目")
            problems.setdefault(".".join(outline), Problem(file, None, number_id, what))
            continue
        if shape in ignored:
            continue
        declaration = declared[shape]
        captured = [part for part, star in zip(path, shape.split("."), strict=True) if star == WILD]
        registry[number_id] = Number(
            id=number_id,
            value=value,
            text=text_of(value, declaration, subject.uncertainty.get(number_id)),
            label=Text(**{lang: places.label(declaration, lang, captured) for lang in LANGUAGES}),
            formula=declaration.formula,
            source=declaration.source,
            page=subject.name,
            shape=shape,
        )
    if problems:
        raise Problems(problems.values())
    return registry


def text_of(value: Any, declaration: Declaration, uncertainty: float | None = None) -> str:
    """Return a value as its declaration says that it is written, with no more decimals than its uncertainty leaves."""
    limited = certain_text(value, declaration.decimals, uncertainty)
    if limited:
        return limited
    if declaration.style == "setting":
        return setting_text(value)
    if declaration.style == "fixed":
        return fixed_text(value, declaration.decimals)
    if declaration.style == "error":
        return error_text(value, declaration.decimals)
    return number_text(value, declaration.decimals)


class Places:
    """Fills the placeholders of labels."""

    def __init__(self, positions: list[dict[str, Any]], terms: Terms) -> None:
        self.positions = positions
        self.terms = terms
        self.names: dict[tuple[int, str], str] = {}

    def label(self, declaration: Declaration, language: str, captured: list[str]) -> str:
        """Return the label of one number."""
        template = declaration.zh if language == "zh" else declaration.en
        if not captured or "{" not in template:
            return template
        values: dict[str, Any] = {}
        first = captured[0]
        if "{place}" in template:
            values["place"] = self.place(int(first), language)
        if first.isdigit():
            values["response"] = values["nth"] = int(first) + 1
        if "{check}" in template:
            values["check"] = self.terms.text(f"check.{first}", language)
        return template.format(*captured, **values)

    def place(self, index: int, language: str) -> str:
        """Return the name of a position: "response 1, position 2", "the prompt of response 1"."""
        key = (index, language)
        if key not in self.names:
            position = self.positions[index]
            name = "place.prompt" if position["position"] < 0 else "place.position"
            self.names[key] = self.terms.text(
                name, language, response=position["response"] + 1, position=position["position"] + 1
            )
        return self.names[key]


def decimals_of(entry: Declaration) -> int | str | None:
    """Return how the page writes a number: its decimals, None for a number that was chosen.

    "2f": never fewer; "6e": an error, of which only the size may be certain.
    """
    if entry.style in ("fixed", "error"):
        return f"{entry.decimals}{entry.style[0]}"
    return None if entry.style == "setting" else entry.decimals
