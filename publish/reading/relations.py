"""What the values of a config demand of each other, and reading a config whole: its model, then these demands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from .problems import Phrase, Problem, Problems, show
from .toml_text import KeyPath, TomlText
from .validation import Strict, check

Model = TypeVar("Model", bound=Strict)


class Relations:
    """What one value demands of another. A config's own relations add their checks; problems: what they found."""

    def __init__(self, source: TomlText, faulty: set[str]) -> None:
        self.source = source
        self.faulty = faulty  # keys that are already reported
        self.problems: list[Problem] = []

    def get(self, *path: str | int) -> Any:
        """Return the value at a key path, or None."""
        value: Any = self.source.data
        for part in path:
            try:
                value = value[part]
            except (KeyError, IndexError, TypeError):
                return None
        return value

    def reported(self, path: KeyPath) -> bool:
        """Tell whether something at or inside a key is already reported."""
        key = ".".join(str(part) for part in path)
        return any(other == key or other.startswith(key + ".") for other in self.faulty)

    def add(self, path: KeyPath, english: str, chinese: str, hint: Phrase | None = None) -> None:
        """Report a mistake unless something at or inside that key is already reported."""
        if not self.reported(path):
            key = ".".join(str(part) for part in path)
            self.problems.append(
                Problem(self.source.name, self.source.line(path), key, (english, chinese), hint)
            )

    def check_twice(self, path: tuple[str, str]) -> None:
        """Report every entry of a list that stands in it before."""
        values = self.get(*path)
        for index, value in enumerate(values if isinstance(values, list) else []):
            if value in values[:index]:
                self.add(
                    (*path, index),
                    f"found {show(value)} twice; allowed: each once",
                    f"{show(value)} 写了两次；每个只写一次",
                )


def validated(
    source: TomlText, model: type[Model], relations: Callable[[TomlText, set[str]], Relations]
) -> Model:
    """Return a config as its model. Raises Problems with every mistake found."""
    problems = list(source.problems)
    if source.data or not problems:
        mistakes = check(model, source)
        problems += mistakes + relations(source, {problem.key for problem in mistakes}).problems
    if problems:
        raise Problems(problems)
    return model.model_validate(source.data)
