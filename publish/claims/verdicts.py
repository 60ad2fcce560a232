"""Claims: words of the pages bound to conditions, and which of them do not apply to the results of this build.

A claim stands in the prose ({{claim CONDITION}}words{{/claim}}), in an entry of content/terms.toml or of
content/faults.toml (`claim = "CONDITION"`), or is the outcome of a computed sentence (`contrary = true` at the words of
the other outcome). All speak of the default state, as it is built: where words should follow the reader's controls,
they are a computed sentence instead. A question that opens a state is bound to what makes that state answer it.
Definitions and identities are no claims. The core evaluates; this module reads the results and says what it found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from compute.claims.evaluate import evaluate

from ..numbers.registry import WILD, Declaration, Registry
from ..reading.problems import Phrase, Problem, nearest, shortened
from ..words.conditions import Condition, Path, at_position, read_condition
from ..words.formatting import ABSENT, setting_text
from ..words.language import LANGUAGES

if TYPE_CHECKING:
    from ..content import Content
    from ..page.subject import Subject

MOST_SHOWN = 4  # values of a starred id that a message shows
Values = list[tuple[str, list[str]]]


@dataclass(frozen=True)
class Claim:
    """Words of one file bound to a condition. key: where they stand in the file, for its author."""

    file: str
    line: int | None
    key: str
    words: str
    condition: Condition


@dataclass(frozen=True)
class Verdict:
    """Whether a condition holds, and the values it was judged by: (id, texts)."""

    holds: bool
    values: Values


@dataclass
class Verdicts:
    """Judges conditions by the results of all pages."""

    results: dict[str, Any]
    registry: Registry
    declared: Mapping[str, Declaration]
    ignored: set[str]
    found: dict[str, Verdict] = field(default_factory=dict)

    def __call__(self, condition: Condition) -> Verdict:
        """Return whether a condition holds."""
        if condition.text not in self.found:
            holds = evaluate(condition.tree, self.results) is True
            paths = dict.fromkeys(path for path, _ in condition.ids)
            values = [] if holds else [(".".join(path), self.texts(path)) for path in paths]
            self.found[condition.text] = Verdict(holds, values)
        return self.found[condition.text]

    def texts(self, path: Path) -> list[str]:
        """Return the values at a path as pages show them, the first few of many."""
        texts = [self.text(full, value) for full, value in places(self.results, path)]
        return [*texts[:MOST_SHOWN], "…"] if len(texts) > MOST_SHOWN + 1 else texts or [ABSENT]

    def text(self, path: Path, value: Any) -> str:
        """Return one value as pages show it."""
        number_id = ".".join(path)
        if number_id in self.registry:
            return self.registry[number_id].text
        return str(value).lower() if isinstance(value, bool) else setting_text(value)

    def known(self, path: Path) -> bool:
        """Tell whether an id names a result: one that is there, or one that other configurations have."""
        outline = tuple(WILD if part.isdigit() else part for part in path)  # of a list of another length
        shape = ".".join(outline)
        return shape in self.declared or shape in self.ignored or self.there(path) or self.there(outline)

    def there(self, path: Path) -> bool:
        """Tell whether a path leads to a number, word or truth value."""
        return any(not isinstance(value, (dict, list)) for _, value in places(self.results, path))

    def unknown(self, claim: Claim) -> Iterator[Problem]:
        """Yield the ids of a claim that name nothing, and a condition that is a number."""
        for path, position in claim.condition.ids:
            if not self.known(path):
                name = ".".join(path)
                what = (f"no result has the id {name}", f"没有编号为 {name} 的结果")
                candidates = [*self.registry, *self.declared]
                yield Problem(
                    claim.file, claim.line, claim.key, at_position(position, what), nearest(name, candidates)
                )
        if claim.condition.tree[0] == "id":
            path = claim.condition.tree[1]
            if any(
                isinstance(value, (int, float, str)) and not isinstance(value, bool)
                for _, value in places(self.results, path)
            ):
                what = ("a number is no condition; compare it", "单独一个数不是条件；请写出比较")
                yield Problem(claim.file, claim.line, claim.key, at_position(1, what))


def places(results: Any, path: Path, begun: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Yield (path, value) of everything that a path names; a "*" in it names every entry."""
    if not path:
        yield begun, results
        return
    entries: Mapping[str, Any] = (
        results
        if isinstance(results, dict)
        else {str(index): item for index, item in enumerate(results)}
        if isinstance(results, list)
        else {}
    )
    for name in entries if path[0] == WILD else [path[0]] if path[0] in entries else []:
        yield from places(entries[name], path[1:], (*begun, name))


def claims_of(content: Content) -> Iterator[Claim]:
    """Yield every claim of the content folder."""
    for prose in content.prose.values():
        for bound in prose.claims:
            yield Claim(prose.name, bound.line, "claim", bound.words, read_condition(bound.condition))
    source = content.terms.source
    for key, condition in content.terms.claims.items():
        line = source.line(tuple(key.split(".")))
        yield Claim(source.name, line, key, content.terms.texts[key]["en"], condition)
    for name, fault in content.faults.items():
        if fault.claim:
            yield Claim(fault.file, fault.line, f"{name}.what", fault.what["en"], fault.claim)


def stale(content: Content, subjects: Mapping[str, Subject], verdicts: Verdicts) -> list[Problem]:
    """Return every claim that does not hold, and every sentence that came out contrary, where they stand."""
    problems = []
    for claim in claims_of(content):
        verdict = verdicts(claim.condition)
        if not verdict.holds:
            problems.append(Problem(claim.file, claim.line, claim.key, does_not_hold(claim, verdict)))
    return problems + contrary(content, subjects)


def does_not_hold(claim: Claim, verdict: Verdict) -> Phrase:
    """Say which words do not apply, and by which numbers."""
    words, condition = shortened(claim.words), claim.condition.text
    values = "; ".join(f"{name} = {', '.join(texts)}" for name, texts in verdict.values)
    return (
        f"“{words}” was written for the default configuration and does not apply to this one; "
        f"it needs {condition}; here {values}",
        f"“{words}”按默认配置写成，不适用于当前配置；需要 {condition}；当前 {values}",
    )


def contrary(content: Content, subjects: Mapping[str, Subject]) -> list[Problem]:
    """Return the computed sentences whose outcome is another than the text around them was written for."""
    what = (
        "with this configuration the sentence says the contrary of what the text was written for; "
        "read its section again",
        "在这个配置下，此句所说与原文写作时的情形相反；请重读该节",
    )
    problems = []
    for name, subject in subjects.items():
        for sentence, finding in subject.findings.items():
            if any(f"sentence.{key}" in content.terms.contrary for key, _ in finding(subject.results)):
                for prose in (content.prose[name, language] for language in LANGUAGES):
                    lines: list[int | None] = [
                        r.line for r in prose.references() if (r.kind, r.name) == ("sentence", sentence)
                    ]
                    problems += [
                        Problem(prose.name, line, f"sentence {sentence}", what) for line in lines or [None]
                    ]
    return problems
