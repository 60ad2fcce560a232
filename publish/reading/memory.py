"""What `build.py serve` keeps from build to build: files as they were read, as long as they say the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from ..rendering.pages import Material

Made = TypeVar("Made")


@dataclass
class Memory:
    """made: key → (what it was made of, what was made); material: that of the last good build."""

    made: dict[str, tuple[tuple[Any, ...], Any]] = field(default_factory=dict)
    material: Material | None = None

    def recall(self, key: str, inputs: tuple[Any, ...], make: Callable[[], Made]) -> Made:
        """Return what was made under a key if its inputs are the same, or make it and keep it."""
        if key in self.made and self.made[key][0] == inputs:
            found: Made = self.made[key][1]
            return found
        made = make()
        self.made[key] = (inputs, made)
        return made
