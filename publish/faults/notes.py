"""What the fault atlas says of each wrong path, content/faults.toml: title, text, evidence, public reports."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Annotated, Literal

from pydantic import Field

from compute.paths import PATHS

from ..reading.problems import Problem, Problems, nearest
from ..reading.toml_text import TomlText
from ..reading.validation import Strict, allowed, check
from ..words.conditions import Condition, ConditionError, read_condition
from ..words.language import Text
from ..words.terms import Terms

PARTS = ("surrogate", "old-policy", "kl", "advantages", "weights", "sign")  # in the order of the atlas
NAMES = [name for name in PATHS if name != "correct"]
REPORT = r"^([\w.-]+/[\w.-]+)(?:([#!])([1-9][0-9]*)|(@)([0-9a-f]{7,40}))$"
PAGES = {"#": "issues", "!": "pull", "@": "commit"}


class Words(Strict):
    """A text in both languages."""

    zh: str
    en: str


class FaultEntry(Strict):
    """One table of content/faults.toml."""

    part: Literal["surrogate", "old-policy", "kl", "advantages", "weights", "sign"] = allowed(
        ", ".join(PARTS), ", ".join(PARTS)
    )
    evidence: Literal["shipped", "reported", "by-design", "constructed"] = allowed(
        "shipped, reported, by-design or constructed", "shipped、reported、by-design 或 constructed"
    )
    reports: list[Annotated[str, Field(pattern=REPORT)]] = allowed(
        "a list of owner/repository#issue, owner/repository!pull, owner/repository@commit",
        "若干项“所有者/仓库#问题号”“所有者/仓库!合并请求号”或“所有者/仓库@提交”",
    )
    title: Words = allowed("the title, { zh = …, en = … }", "标题，{ zh = …, en = … }")
    what: Words = allowed(
        "what is computed instead, { zh = …, en = … }", "实际计算的是什么，{ zh = …, en = … }"
    )
    claim: str = allowed("the condition under which `what` is true", "`what` 成立的条件", default="")


@dataclass(frozen=True)
class Report:
    """A public report: what to call it, and its address."""

    name: str
    address: str


@dataclass(frozen=True)
class Fault:
    """One wrong path."""

    name: str
    part: str
    evidence: str
    reports: list[Report]
    title: Text
    what: Text
    claim: Condition | None  # which makes `what` true; None where it is so by definition
    file: str = field(compare=False)
    line: int | None = field(compare=False)  # of `what`


def load_faults(source: TomlText) -> dict[str, Fault]:
    """Return name → Fault, in the order of compute/paths.py. Raises Problems."""
    problems = list(source.problems)
    for name in source.data:
        if name not in NAMES:
            what = ("there is no such path", "没有这条路径")
            problems.append(Problem(source.name, source.line((name,)), name, what, nearest(name, NAMES)))
        else:
            problems += check(FaultEntry, source, (name,))
            problems += unreadable(source, name)
    for name in NAMES:
        if name not in source.data and not source.broken:
            problems.append(
                Problem(
                    source.name,
                    None,
                    name,
                    ("missing; every path has an entry", "缺少此项；每条路径都要有一项"),
                )
            )
    if problems:
        raise Problems(problems)
    return {name: fault(source, name) for name in NAMES}


def unreadable(source: TomlText, name: str) -> list[Problem]:
    """Return what is wrong with the condition of an entry."""
    entry = source.data[name]
    text = entry.get("claim", "") if isinstance(entry, dict) else ""
    try:
        if isinstance(text, str) and text:
            read_condition(text)
    except ConditionError as error:
        return [Problem(source.name, source.line((name, "claim")), f"{name}.claim", error.what, error.hint)]
    return []


def fault(source: TomlText, name: str) -> Fault:
    """Return what the pages use of an entry."""
    entry = FaultEntry(**source.data[name])
    reports = [report(text) for text in entry.reports]
    return Fault(
        name,
        entry.part,
        entry.evidence,
        reports,
        Text(**entry.title.model_dump()),
        Text(**entry.what.model_dump()),
        read_condition(entry.claim) if entry.claim else None,
        source.name,
        source.line((name, "what")),
    )


def report(text: str) -> Report:
    """Return the report that a text such as owner/repository#12 names."""
    match = re.fullmatch(REPORT, text)
    assert match
    repository, kind, name = filter(None, match.groups())
    sign = {"#": " #", "!": " PR #", "@": " commit "}[kind]
    return Report(repository + sign + name, f"https://github.com/{repository}/{PAGES[kind]}/{name}")


def name_paths(terms: Terms, faults: dict[str, Fault]) -> None:
    """Give every path its words in the control that chooses it."""
    for name, entry in faults.items():
        terms.texts[f"setting.path_{name}"] = Text(
            zh=f"{name}（{entry.title.zh}）", en=f"{name}: {entry.title.en}"
        )
