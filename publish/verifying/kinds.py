"""What a record says of each kind of number, for its card: by which routes it was computed again, how they agree."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal

from ..rendering.pages import Material
from ..words.formatting import SUPERSCRIPT
from ..words.language import LANGUAGES
from .routes import ROUTES
from .verification import Record


@dataclass
class Kind:
    """What came of the numbers of one shape. uncertain: rounding decides about digits of some of them."""

    routes: set[str] = field(default_factory=set)
    largest: float = 0.0
    uncertain: bool = False
    differs: bool = False


def said_of_kinds(record: Record | None, material: Material) -> dict[str, dict[str, str]]:
    """Return shape → language → a sentence, for every kind that was computed again; nothing without a record."""
    if record is None:
        return {}
    uncertain = {number for subject in material.subjects.values() for number in subject.uncertainty}
    differing = {item["id"] for item in record["mismatches"]}
    kinds: dict[str, Kind] = {}
    for number in material.registry.values():
        if gaps := record["numbers"].get(number.id):
            kind = kinds.setdefault(number.shape, Kind())
            kind.routes |= set(gaps)
            kind.largest = max(kind.largest, *gaps.values())
            kind.uncertain |= number.id in uncertain
            kind.differs |= number.id in differing
    return {
        shape: {language: sentence(kind, material, language) for language in LANGUAGES}
        for shape, kind in kinds.items()
    }


def sentence(kind: Kind, material: Material, language: str) -> str:
    """Return what a card says of a kind."""

    def word(key: str, **values: object) -> str:
        return material.terms.text(f"verify.{key}", language, **values)

    names = [word(f"by_{route.name}") for route in ROUTES if route.name in kind.routes]
    if kind.differs:
        outcome = word("again_differs")
    elif kind.uncertain:
        outcome = word("again_certain")
    else:
        outcome = word("again_within", bound=below(kind.largest))
    listed = material.terms.text("site.comma", language).join(names)
    key = "again_one" if len(names) == 1 else "again"
    return word(key, count=len(names), routes=listed, outcome=outcome)


def below(gap: float) -> str:
    """Return a difference as the power of ten below which it lies: < 10⁻¹⁴, on one line."""
    if gap == 0:
        return "0"
    exponent = Decimal(gap).adjusted() + 1
    return f"<\u00a010{str(exponent).translate(SUPERSCRIPT)}" if exponent else "<\u00a01"
