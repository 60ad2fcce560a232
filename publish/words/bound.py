"""Words bound to a condition: {{claim CONDITION}}words{{/claim}}; see prose.py and claims/verdicts.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it.token import Token

from ..reading.problems import Problem
from .conditions import ConditionError, read_condition

NOT_BEGUN = (
    "{{/claim}} without a {{claim …}} before it in this paragraph",
    "本段中 {{/claim}} 之前没有 {{claim …}}",
)
NOT_ENDED = ("a {{claim …}} without {{/claim}} in this paragraph", "本段中 {{claim …}} 之后没有 {{/claim}}")
NESTED = ("a claim inside a claim", "claim 之中又有 claim")
CROSSED = (
    "a claim that begins and ends in different markup, as in **{{claim …}}a** b{{/claim}}",
    "claim 的开头与结尾不在同一层标记之内，例如 **{{claim …}}甲** 乙{{/claim}}",
)


@dataclass(frozen=True)
class Bound:
    """Words bound to a condition: its text, the words without markup, and the line on which they begin."""

    condition: str
    words: str
    line: int


def inline_children(token: Token) -> Iterator[tuple[Token, int]]:
    """Yield the children of an inline token, each with its line."""
    line = token.map[0] + 1 if token.map else 0
    for child in token.children or []:
        yield child, line
        line += child.type in ("softbreak", "hardbreak") or child.meta.get("lines", 0)


def bound_words(tokens: list[Token], name: str) -> tuple[list[Bound], list[Problem]]:
    """Return the claims of a page, and what is wrong with them; each end is told which claim it ends."""
    claims: list[Bound] = []
    problems: list[Problem] = []
    for token in tokens:
        begun: tuple[Token, int, int] | None = (
            None  # the beginning, its line, how deep it stands in other markup
        )
        words, depth, lowest = "", 0, 0
        for child, line in inline_children(token):
            depth += child.nesting
            lowest = min(lowest, depth)
            if child.type == "reference" and child.info == "claim":
                problems += unreadable(child, name, line)
                if begun:
                    problems.append(Problem(name, line, "", NESTED))
                begun, words, lowest = (child, line, depth), "", depth
            elif child.type == "claim_end":
                if not begun or not begun[2] == depth == lowest:
                    problems.append(Problem(name, line, "", CROSSED if begun else NOT_BEGUN))
                else:
                    child.content = str(len(claims))
                    claims.append(Bound(begun[0].content, " ".join(words.split()), begun[1]))
                begun = None
            else:
                words += (
                    "…" if child.type == "reference" else child.content or " " * (child.type == "softbreak")
                )
        if begun:
            problems.append(Problem(name, begun[1], "", NOT_ENDED))
    return claims, problems


def unreadable(claim: Token, name: str, line: int) -> list[Problem]:
    """Return what is wrong with the condition of a claim; one that can be read is written with single blanks."""
    try:
        claim.content = read_condition(claim.content).text
    except ConditionError as error:
        return [Problem(name, line, f"claim {claim.content}", error.what, error.hint)]
    return []
