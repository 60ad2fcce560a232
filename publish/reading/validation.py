"""From a pydantic model's complaints to problems that name line, key, what was found and what is allowed."""

from __future__ import annotations

import types
import typing
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from .problems import Phrase, Problem, found_and_allowed, nearest
from .toml_text import KeyPath, TomlText


class Strict(BaseModel):
    """A table of a config: no unknown keys, no conversions, no NaN or infinity."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, frozen=True)


def allowed(english: str, chinese: str, **constraints: Any) -> Any:
    """Return a pydantic field whose description is the phrase said after "allowed:"."""
    return Field(description=f"{english}\n{chinese}", **constraints)


def check(model: type[Strict], source: TomlText, prefix: KeyPath = ()) -> list[Problem]:
    """Return one problem for every value, at or below a key path, that the model does not accept."""
    data: Any = source.data
    for part in prefix:
        data = data[part]
    try:
        model.model_validate(data)
    except ValidationError as error:
        problems: dict[KeyPath, Problem] = {}
        for detail in error.errors(include_url=False, include_context=False):
            path = tuple(part for part in detail["loc"] if part != "[key]")
            if detail["type"] == "missing" and source.broken:
                continue  # its statement may be one of those that could not be read
            problems.setdefault(
                path, problem_of(model, source, prefix, path, detail["type"], detail["input"])
            )
        return list(problems.values())
    return []


def problem_of(
    model: type[Strict], source: TomlText, prefix: KeyPath, path: KeyPath, kind: str, found: Any
) -> Problem:
    """Turn one complaint of pydantic about the value at prefix + path into a problem."""
    key = ".".join(str(part) for part in prefix + path)
    line = source.line(prefix + path)
    if kind == "missing":
        what: Phrase = (
            f"missing; allowed: {phrase(model, path)[0]}",
            f"缺少此项；允许：{phrase(model, path)[1]}",
        )
        return Problem(source.name, line, key, what)
    if kind == "extra_forbidden":
        names = known_names(model, path[:-1])
        listed = ", ".join(names)
        what = (f"unknown key; allowed here: {listed}", f"未知的键；此处允许：{listed}")
        return Problem(source.name, line, key, what, nearest(str(path[-1]), names))
    hint: Phrase | None = None
    if isinstance(found, str):
        number = quoted_hint(found) if kind in ("float_type", "int_type") else None
        hint = number or nearest(found, literals(model, path))
    return Problem(source.name, line, key, found_and_allowed(found, phrase(model, path)), hint)


def quoted_hint(found: str) -> Phrase | None:
    """Return a hint when a number stands in quotation marks."""
    try:
        float(found)
    except ValueError:
        return None
    return "write the number without quotation marks", "数字不要加引号"


def field_at(model: Any, path: KeyPath) -> tuple[Any, Any]:
    """Return the innermost (field, its annotation) along a key path; (None, model) at the root."""
    field, annotation = None, model
    for part in path:
        annotation = unwrapped(annotation)
        if isinstance(annotation, type) and issubclass(annotation, BaseModel):
            if part not in annotation.model_fields:
                by_alias = {item.alias: item for item in annotation.model_fields.values()}
                if part not in by_alias:
                    break
                field = by_alias[str(part)]
            else:
                field = annotation.model_fields[str(part)]
            annotation = field.annotation
        elif arguments := typing.get_args(annotation):
            annotation = arguments[-1]
    return field, annotation


def unwrapped(annotation: Any) -> Any:
    """Return an annotation without `| None` and Annotated."""
    if typing.get_origin(annotation) in (types.UnionType, typing.Union):
        annotation = next(item for item in typing.get_args(annotation) if item is not type(None))
    if typing.get_origin(annotation) is typing.Annotated:
        annotation = typing.get_args(annotation)[0]
    return annotation


def phrase(model: type[Strict], path: KeyPath) -> Phrase:
    """Return what is allowed at a key path, from the description of its field."""
    field, _ = field_at(model, path)
    if field is None or not field.description:
        return "see the comments of the shipped file", "见随附文件中的注释"
    english, chinese = field.description.split("\n")
    return english, chinese


def known_names(model: type[Strict], path: KeyPath) -> list[str]:
    """Return the keys that a table may have."""
    annotation = unwrapped(field_at(model, path)[1])
    while not (isinstance(annotation, type) and issubclass(annotation, BaseModel)):
        annotation = unwrapped(typing.get_args(annotation)[-1])
    return [field.alias or name for name, field in annotation.model_fields.items()]


def literals(model: type[Strict], path: KeyPath) -> list[str]:
    """Return the words that a field may have as its value."""
    annotation = unwrapped(field_at(model, path)[1])
    if typing.get_origin(annotation) is typing.Literal:
        return [word for word in typing.get_args(annotation) if isinstance(word, str)]
    return []
