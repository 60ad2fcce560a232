"""The command `cite`: a number by its id, in any state of its page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..citing.citation import Cited, citation
from ..content import Content, load_content
from ..editions.edition import published_at
from ..numbers.registry import Registry, register
from ..page.keys import chosen_settings
from ..page.subject import Subject
from ..reading.folder import Folder
from ..reading.problems import Phrase, Problem, Problems, found_and_allowed, nearest_few
from ..rendering.live import owner
from ..rendering.pages import Material
from ..site import gather
from .state import states_of

FIXED: Phrase = (
    "does not depend on the state: cited as it stands, without the settings given",
    "不随状态变化：按原样引用，未采用所给的设置",
)


@dataclass(frozen=True)
class Wish:
    """What is to be cited. assignments, step: as `state` takes them; page: the number's, checked when given."""

    number_id: str
    assignments: tuple[str, ...] = ()
    step: str | None = None
    form: str = "text"
    language: str = "en"
    page: str | None = None


def cite(content: Folder, wish: Wish, address: str | None = None) -> tuple[str, Phrase | None]:
    """Return the citation of a number, and what is to be said beside it. Raises Problems with every mistake."""
    loaded = load_content(content)
    edition = published_at(loaded.edition, address)
    loaded, material = gather(replace(loaded, edition=edition))
    cited, note = find(loaded, material, wish)
    return citation(cited, wish.form, wish.language, edition, material.digest, material.terms), note


def find(content: Content, material: Material, wish: Wish) -> tuple[Cited, Phrase | None]:
    """Return a number in the state that is wished for. Raises Problems with every mistake."""
    near = [] if wish.number_id in material.registry else nearest_few(wish.number_id, material.registry)
    subject = material.subjects[owner(near[0] if near else wish.number_id, material)]
    problems = list(wrong_page(wish, subject))
    settings, given = subject.settings, bool(wish.assignments or wish.step is not None)
    if given and subject.keys:
        try:
            settings = chosen_settings(subject.keys, settings, wish.assignments, wish.step)
        except Problems as found:
            problems += found.problems
    numbers = registry_of(content, material, subject, settings) if settings != subject.settings else None
    number = (numbers or material.registry).get(wish.number_id)
    fixed = numbers is not None and number is None and wish.number_id in material.registry
    if fixed and follows_state(content, subject, wish.number_id):
        what = ("this state has no such number", "此状态下没有这个数")
        problems.append(Problem(f"number {wish.number_id}", None, "", what))
    if fixed or not subject.keys:
        number, settings = material.registry.get(wish.number_id), subject.settings
    if number is None:
        problems.append(unknown(wish.number_id, near))
    if problems or number is None:
        raise Problems(problems)
    formula = material.formulas[number.formula].text
    note = FIXED if given and (fixed or not subject.keys) else None
    return Cited(number, formula, subject.keys, settings, subject.settings), note


def wrong_page(wish: Wish, subject: Subject) -> list[Problem]:
    """Return the mistake of a page that is not the number's."""
    if wish.page in (None, subject.name):
        return []
    what = found_and_allowed(
        wish.page, (f"{subject.name}, the number's page", f"{subject.name}，即此数所在的页面")
    )
    return [Problem(f"--page {wish.page}", None, "", what)]


def unknown(number_id: str, near: list[str]) -> Problem:
    """Return the mistake of an id that no number has, with the nearest ids."""
    listed = ", ".join(f'"{name}"' for name in near)
    hint = (f"did you mean {listed}?", f"是否想写 {listed}？") if near else None
    return Problem(f"number {number_id}", None, "", ("no number has this id", "没有此编号的数"), hint)


def registry_of(content: Content, material: Material, subject: Subject, settings: dict[str, Any]) -> Registry:
    """Return the numbers that a page computes anew for a state."""
    results = states_of(subject.name, content.folder).results(settings)
    positions = results["positions"] if subject.positions else []
    there = replace(subject, results=results, settings=settings, positions=positions)
    return register(there, content.declarations, content.ignored, material.terms)


def follows_state(content: Content, subject: Subject, number_id: str) -> bool:
    """Tell whether a page computes a number anew for every state that has it."""
    value: Any = states_of(subject.name, content.folder).results(subject.settings)
    for part in number_id.split("."):
        if isinstance(value, list):
            value = value[int(part)] if part.isdigit() and int(part) < len(value) else {}
        else:
            value = value.get(part, {}) if isinstance(value, dict) else {}
    return bool(value != {})
