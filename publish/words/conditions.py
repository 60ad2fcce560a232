"""Conditions of claims: a small language over results, read here, evaluated in compute/claims/evaluate.py.

    kl-and-clipping.kl > kl-and-clipping.reverse_kl         ids as in {{number id}} and site/data/numbers.json
    0 < kl-and-clipping.settings.p < 1                      < <= > >= = != (or ≤ ≥ ≠), chained
    any(W_ref.*.* != W_old.*.*)                             * is every entry; all, any, count make one value of many
    near(10 * kl-and-clipping.settings.beta, 1, 1e-9)       equal within a tolerance
    settings.path = "correct" and not rises(curves.0.loss.*)

Also: true, false, or, parentheses, + - * / with blanks around them (a hyphen may be part of an id), rising and
falling (every entry above, below the one before it), rises (one entry at least is above the one before it), last.
An id may name anything among the results of any page: numbers, words such as a setting, and truth values.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from compute.claims.evaluate import ARGUMENTS, OF_LISTS

from ..reading.problems import Phrase, nearest

TOKEN = re.compile(
    r"(?P<blank>\s+)"
    r"|(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])"
    r"|(?P<name>[A-Za-z_][\w-]*(?:\.(?:\*|[\w-]+))*)"
    r'|(?P<word>"[^"]*")'
    r"|(?P<sign><=|>=|!=|[<>=≤≥≠(),+\-*/])",
    re.ASCII,
)
SPELLINGS = {"≤": "<=", "≥": ">=", "≠": "!="}
COMPARISONS = ("<", "<=", ">", ">=", "=", "!=")
TRUTHS = {"true": True, "false": False}
KEYWORDS = ("and", "or", "not", *TRUTHS)
DEEPEST = 40
LONGEST = 1000

Tree = tuple[Any, ...]
Path = tuple[str, ...]


@dataclass(frozen=True)
class Token:
    """One word or sign of a condition; position from 1."""

    kind: str
    text: str
    position: int


@dataclass(frozen=True)
class Condition:
    """A condition that was read. text: with single blanks. ids: path and position of each, in order."""

    text: str
    tree: Tree
    ids: tuple[tuple[Path, int], ...]


class ConditionError(Exception):
    """A condition that cannot be read: what is wrong, and where (from 1)."""

    def __init__(self, position: int, what: Phrase, hint: Phrase | None = None) -> None:
        self.what = at_position(position, what)
        self.hint = hint
        super().__init__(self.what[0])


def at_position(position: int, what: Phrase) -> Phrase:
    """Return what is wrong with the place inside the condition in front."""
    return f"position {position} of the condition: {what[0]}", f"条件的第 {position} 个字符处：{what[1]}"


@cache
def read_condition(text: str) -> Condition:
    """Return the condition that a text says. Raises ConditionError."""
    plain = " ".join(text.split())
    if len(plain) > LONGEST:
        what = (f"it is longer than {LONGEST} characters", f"条件超过 {LONGEST} 个字符")
        raise ConditionError(LONGEST, what)
    reader = Reader(plain)
    tree = reader.whole()
    kind, is_list = kind_of(tree)
    if is_list:
        what = (
            "this is true or false of each entry; say all(…) or any(…)",
            "这里逐项判断真假；请写 all(…) 或 any(…)",
        )
        raise ConditionError(1, what)
    if kind == "number":
        raise ConditionError(1, ("a number is no condition; compare it", "单独一个数不是条件；请写出比较"))
    return Condition(plain, tree, tuple(reader.ids))


def kind_of(tree: Tree) -> tuple[str, bool]:
    """Return what a tree gives, "truth", "number" or "any", and whether it gives a list. Raises ConditionError."""
    if tree[0] == "id":
        return "any", "*" in tree[1]
    if tree[0] == "value":
        return "truth" if isinstance(tree[1], bool) else "number", False
    parts = tree[2] if tree[0] in ("compare", "call") else tree[1:]
    is_list = any(kind_of(part)[1] for part in parts)
    if tree[0] == "call" and tree[1] in OF_LISTS:
        if not is_list:
            what = (f"{tree[1]} needs an id with a * in it", f"{tree[1]} 需要带 * 的编号")
            raise ConditionError(1, what)
        return ("any" if tree[1] == "last" else "number" if tree[1] == "count" else "truth"), False
    return ("number" if tree[0] in ("+", "-", "*", "/", "minus") else "truth"), is_list


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a condition, and one of kind "end". Raises ConditionError."""
    start = 0
    while start < len(text):
        match = TOKEN.match(text, start)
        if not match:
            found = text[start]
            half = unicodedata.normalize("NFKC", found)
            hint = None if half == found else (f'write "{half}"', f'请写半角的 "{half}"')
            raise ConditionError(start + 1, unexpected(found), hint)
        if match.lastgroup != "blank":
            kind, said = str(match.lastgroup), match[0]
            if kind == "name" and said in KEYWORDS:
                kind = "keyword"
            yield Token(kind, SPELLINGS.get(said, said), start + 1)
        start = match.end()
    yield Token("end", "", len(text) + 1)


def unexpected(text: str) -> Phrase:
    """Return the phrase for something that does not belong there."""
    if not text:
        return "it ends too early", "没有写完"
    return f'unexpected "{text}"', f'此处不该有 "{text}"'


class Reader:
    """Reads one condition from left to right; each method reads what its name says and returns its tree."""

    def __init__(self, text: str) -> None:
        self.tokens = list(tokens(text))
        self.index = 0
        self.depth = 0
        self.ids: list[tuple[Path, int]] = []

    @property
    def token(self) -> Token:
        """The token that comes next."""
        return self.tokens[self.index]

    def take(self, *texts: str) -> Token | None:
        """Return the next token and go on if it is one of these signs or keywords, else None."""
        token = self.token
        if token.kind not in ("sign", "keyword") or token.text not in texts:
            return None
        self.index += 1
        return token

    def expect(self, text: str) -> None:
        """Go past a sign. Raises ConditionError where it is missing."""
        if not self.take(text):
            english, chinese = unexpected(self.token.text)
            raise ConditionError(
                self.token.position, (f'{english}; "{text}" is missing', f'{chinese}；缺少 "{text}"')
            )

    def whole(self) -> Tree:
        """Read all of it."""
        tree = self.either()
        if self.token.kind != "end":
            raise ConditionError(self.token.position, unexpected(self.token.text), self.spelling())
        return tree

    def spelling(self) -> Phrase | None:
        """Return the nearest keyword to a name that stands where only a sign or keyword can."""
        return nearest(self.token.text, KEYWORDS) if self.token.kind == "name" else None

    def either(self) -> Tree:
        """Read a or b or …"""
        self.depth += 1
        if self.depth > DEEPEST:
            what = ("too many parentheses inside each other", "括号嵌套过多")
            raise ConditionError(self.token.position, what)
        tree = self.both()
        while self.take("or"):
            tree = ("or", tree, self.both())
        self.depth -= 1
        return tree

    def both(self) -> Tree:
        """Read a and b and …"""
        tree = self.negated()
        while self.take("and"):
            tree = ("and", tree, self.negated())
        return tree

    def negated(self) -> Tree:
        """Read a comparison with any number of "not" in front."""
        negative = False
        while self.take("not"):
            negative = not negative
        tree = self.comparison()
        return ("not", tree) if negative else tree

    def comparison(self) -> Tree:
        """Read a < b < … or a single value."""
        parts, signs = [self.sum()], []
        while sign := self.take(*COMPARISONS):
            signs.append(sign.text)
            parts.append(self.sum())
        return ("compare", tuple(signs), tuple(parts)) if signs else parts[0]

    def sum(self) -> Tree:
        """Read a + b - …"""
        tree = self.product()
        while sign := self.take("+", "-"):
            tree = (sign.text, tree, self.product())
        return tree

    def product(self) -> Tree:
        """Read a * b / …"""
        tree = self.signed()
        while sign := self.take("*", "/"):
            tree = (sign.text, tree, self.signed())
        return tree

    def signed(self) -> Tree:
        """Read a value with any number of minus signs in front."""
        negative = False
        while self.take("-"):
            negative = not negative
        tree = self.value()
        return ("minus", tree) if negative else tree

    def value(self) -> Tree:
        """Read a number, word, id, truth value, call, or something in parentheses."""
        token = self.token
        if self.take("("):
            tree = self.either()
            self.expect(")")
            return tree
        if self.take(*TRUTHS):
            return "value", TRUTHS[token.text]
        if token.kind not in ("number", "word", "name"):
            raise ConditionError(token.position, unexpected(token.text))
        self.index += 1
        if token.kind == "number":
            return "value", float(token.text)
        if token.kind == "word":
            return "value", token.text[1:-1]
        if self.token.text == "(":
            return self.call(token)
        path = tuple(token.text.split("."))
        self.ids.append((path, token.position))
        return "id", path

    def call(self, name: Token) -> Tree:
        """Read the arguments of a function."""
        if name.text not in ARGUMENTS:
            what = (f"there is no function {name.text}", f"没有名为 {name.text} 的函数")
            raise ConditionError(name.position, what, nearest(name.text, ARGUMENTS))
        self.expect("(")
        arguments = [self.either()]
        while self.take(","):
            arguments.append(self.either())
        self.expect(")")
        wanted = ARGUMENTS[name.text]
        if len(arguments) != wanted:
            what = (
                f"{name.text} takes {wanted}, not {len(arguments)}, values in its parentheses",
                f"{name.text} 的括号里应有 {wanted} 个值，而不是 {len(arguments)} 个",
            )
            raise ConditionError(name.position, what)
        return "call", name.text, tuple(arguments)
