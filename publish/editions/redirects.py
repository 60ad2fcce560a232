"""Where addresses of earlier editions lead now: content/redirects.toml."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..reading.problems import Problem, Problems, found_and_allowed, nearest
from ..reading.toml_text import TomlText
from ..reading.validation import Strict, allowed, check

PAIRS = ('pairs old = "new"', '旧 = "新" 的对应')
BEFORE = {
    *(f"h{level}" for level in range(1, 7)),
    "figure",
    "section",
    "details",
    "div",
    "p",
    "ol",
    "ul",
    "table",
}
INSIDE = {"li", "dt", "dd", "td", "th", "main"}


class RedirectsFile(Strict):
    """content/redirects.toml."""

    pages: dict[str, str] = allowed(*PAIRS, default={})
    anchors: dict[str, dict[str, str]] = allowed(*PAIRS, default={})
    numbers: dict[str, str] = allowed(*PAIRS, default={})
    keys: dict[str, dict[str, str]] = allowed(*PAIRS, default={})


@dataclass(frozen=True)
class Redirects:
    """Old → new. pages: names; anchors: page → id → id, or "page#id"; numbers: shapes of ids; keys: page → key."""

    pages: dict[str, str] = field(default_factory=dict)
    anchors: dict[str, dict[str, str]] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    keys: dict[str, dict[str, str]] = field(default_factory=dict)

    def live(self, page: str) -> dict[str, Any]:
        """Return what a page's scripts need to follow old links; nothing when there is nothing."""
        numbers, keys = self.numbers, self.keys.get(page, {})
        return {"moved": {"numbers": numbers, "keys": keys}} if numbers or keys else {}


def load_redirects(source: TomlText) -> Redirects:
    """Return the redirects. Raises Problems."""
    problems = source.problems + check(RedirectsFile, source)
    if not problems:
        for old, new in source.data.get("numbers", {}).items():
            if old.split(".").count("*") != new.split(".").count("*"):
                what = found_and_allowed(new, ("as many * as the old id", "与旧编号同样多的 *"))
                problems.append(Problem(source.name, source.line(("numbers", old)), f"numbers.{old}", what))
    if problems:
        raise Problems(problems)
    return Redirects(**source.data)


def astray(
    redirects: Redirects, ids: dict[str, dict[str, str]], numbers: set[str], keys: dict[str, list[str]]
) -> Iterator[Problem]:
    """Yield the redirects that lead nowhere. ids: page → id → tag; numbers: all shapes; keys: page → keys."""
    for old, new in redirects.pages.items():
        if new not in ids:
            yield nowhere(f"pages.{old}", new, list(ids))
    for page, anchors in redirects.anchors.items():
        for old, new in anchors.items():
            target, _, place = new.rpartition("#")
            known = ids.get(target or page, {})
            tags = BEFORE | INSIDE
            if known.get(place) not in tags:
                yield nowhere(
                    f"anchors.{page}.{old}", new, [name for name, tag in known.items() if tag in tags]
                )
    for old, new in redirects.numbers.items():
        if new not in numbers:
            yield nowhere(f"numbers.{old}", new, list(numbers))
    for page, names in redirects.keys.items():
        for old, new in names.items():
            if new not in keys.get(page, []):
                yield nowhere(f"keys.{page}.{old}", new, keys.get(page, []))


def nowhere(key: str, new: str, known: list[str]) -> Problem:
    """Return the mistake of a redirect to something that there is not."""
    return Problem(
        "redirects.toml",
        None,
        key,
        ("leads to " + new + ", which there is not", f"指向不存在的 {new}"),
        nearest(new, known),
    )


def redirected(markup: str, anchors: dict[str, str], sentence: str) -> str:
    """Return a page in which old anchors lead on: an empty element at the new place, or a link to another page.

    sentence: what says that a part moved; {place} stands for its link.
    """
    away = ""
    for old, new in anchors.items():
        page, hash_, place = new.rpartition("#")
        if hash_:
            link = f'<a href="{page}.html#{place}">{page}.html#{place}</a>'
            said = sentence.replace("{place}", link)
            away += f'<p class="moved-place" id="{old}" data-moved="{page}.html#{place}">{said}</p>\n'
            continue
        mark = f'<span class="old-place" id="{old}"></span>'
        match = re.search(rf'<(\w+)\b[^>]*\sid="{re.escape(place)}"[^>]*>', markup)
        if match:
            at = match.end() if match[1] in INSIDE else match.start()
            markup = markup[:at] + mark + markup[at:]
    return markup.replace('<nav class="around"', f'{away}<nav class="around"', 1) if away else markup
