"""`build.py verify`: every registered number computed again by independent routes, and what came of it, kept.

The record belongs to exactly one state of config, code and declared decimals: its key. A build shows the record of its
own key, or says that there is none.
"""

from __future__ import annotations

import datetime
import hashlib
import importlib.metadata
import json
import platform
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from ..content import Content
from ..numbers.registry import Number, Registry
from ..rendering.pages import Material
from ..writing import cache
from .routes import EXACT, ROUTES, Route
from .shown_digits import is_right

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "tests" / "data" / "peer-losses.json"
KIND = "verification"
PACKAGES = ("numpy", "mpmath", "torch")
WORDS = {"inf": float("inf"), "-inf": float("-inf"), "nan": float("nan")}
SEVERAL = 3.0  # an uncertainty was measured once: so many of it are no contradiction
MOST_LISTED = 50  # mismatches that a record keeps

Record = dict[str, Any]


def code_digest() -> str:
    """Return the SHA-256 of all Python files that make numbers and their texts."""
    digest = hashlib.sha256()
    for path in sorted([*(ROOT / "compute").rglob("*.py"), *(ROOT / "publish").rglob("*.py")]):
        digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def key_of(material: Material) -> str:
    """Return the SHA-256 of all that a record speaks of: config, code, and how each number is declared."""
    declared = {shape: [entry.style, entry.decimals] for shape, entry in material.declarations.items()}
    return cache.key_of([material.digest, declared], [], code_digest())


def kept_record(material: Material, folder: Path = cache.CACHE) -> Record | None:
    """Return the record of a verification of exactly this config and code, None if there was none."""
    return cache.read(folder, KIND, key_of(material))


def verify(
    content: Content,
    material: Material,
    routes: Iterable[Route] = ROUTES,
    folder: Path = cache.CACHE,
    begins: Callable[[str], None] = lambda name: None,
) -> Record:
    """Go every route, compare, keep and return the record, see `record_of`. begins: called with each route's name."""
    record: Record = json.loads(cache.canonical(record_of(content, material, announced(routes, begins))))
    cache.write(folder, KIND, key_of(material), record)
    return record


def announced(routes: Iterable[Route], begins: Callable[[str], None]) -> Iterator[Route]:
    """Yield routes, each after it was announced."""
    for route in routes:
        begins(route.name)
        yield route


def record_of(content: Content, material: Material, routes: Iterable[Route]) -> Record:
    """Return what was verified.

    routes: name → count, largest difference and its number, allowed, or why it was not gone. numbers: id → route →
    difference (absolute, or relative above 1). given: how many numbers are settings and are computed by nobody.
    shown: how many texts were judged by a route with more digits, and which are wrong. mismatches: what differs.
    """
    registry = material.registry
    given = {number.id for number in registry.values() if is_given(number, material)}
    uncertain = {k: v for subject in material.subjects.values() for k, v in subject.uncertainty.items()}
    found: dict[str, dict[str, float]] = {}
    gone: dict[str, Any] = {}
    mismatches: list[dict[str, Any]] = []
    judged: dict[str, bool] = {}
    for route in routes:
        lacks = route.lacks(content)
        if lacks:
            gone[route.name] = {"count": 0, "lacks": list(lacks)}
            continue
        count, largest, where = 0, 0.0, ""
        for number, value in values_of(route, content, registry):
            if route.name in EXACT:
                uncertainty = uncertain.get(number.id, 0.0)
                judged[number.id] = judged.get(number.id, True) and is_right(number.text, value, uncertainty)
            if number.id in given:
                continue
            gap = difference(number.value, value)
            found.setdefault(number.id, {})[route.name] = gap
            count += 1
            scale = size_of(value)
            if not gap * scale <= route.allowed * scale + SEVERAL * uncertain.get(number.id, 0.0):
                mismatches.append(mismatch(number, route, value, gap))
            elif gap > largest and number.id not in uncertain:
                largest, where = gap, number.id
        gone[route.name] = {"count": count, "largest": largest, "at": where, "allowed": route.allowed}
    return {
        "config": material.digest,
        "code": code_digest(),
        "date": datetime.date.today().isoformat(),
        "versions": versions(),
        "registered": len(registry),
        "given": len(given),
        "routes": gone,
        "numbers": found,
        "unreached": [number for number in registry if number not in found and number not in given],
        "shown": {"count": len(judged), "wrong": [number for number, right in judged.items() if not right]},
        "peers": peers(),
        "mismatched": len(mismatches),
        "mismatches": mismatches[:MOST_LISTED],
    }


def is_given(number: Number, material: Material) -> bool:
    """Tell whether a number is an input: somebody wrote it into a config."""
    return number.source.startswith("content/")


def values_of(route: Route, content: Content, registry: Registry) -> Iterator[tuple[Number, Any]]:
    """Yield each registered number with what a route gives for it; what the route has beyond them is passed over."""
    for tree in route.trees(content):
        for number_id, value in leaves(tree):
            if number_id in registry:
                yield registry[number_id], value


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield (id, number) for every number, infinite word or absent value in a tree; True and False are none."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, f"{path}.{key}" if path else key)
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from leaves(item, f"{path}.{index}")
    elif not isinstance(value, bool) and (not isinstance(value, str) or value in WORDS):
        yield path, value


def difference(value: Any, other: Any) -> float:
    """Return how far apart two values are: absolute, relative above 1; infinite where they cannot be compared."""
    if value is None or other is None:
        return 0.0 if value is other else float("inf")
    left, right = [WORDS[item] if isinstance(item, str) else item for item in (value, other)]
    if left != left or right != right:
        return 0.0 if left != left and right != right else float("inf")
    if left == right:
        return 0.0
    gap = float(abs(left - right)) / size_of(right)
    return gap if gap == gap else float("inf")


def size_of(value: Any) -> float:
    """Return by what a difference is divided: the size of a number above 1, otherwise 1."""
    return max(1.0, abs(float(value))) if value is not None and not isinstance(value, str) else 1.0


def mismatch(number: Number, route: Route, value: Any, gap: float) -> dict[str, Any]:
    """Return what a report says of a number that a route does not confirm."""
    shown = gap if gap < float("inf") else "inf"
    return {
        "id": number.id,
        "route": route.name,
        "value": number.machine,
        "other": str(value),
        "difference": shown,
    }


def peers() -> dict[str, Any] | None:
    """Return what public libraries' losses gave beside ours, None where the recorded figures are not there."""
    if not PEERS.is_file():
        return None
    from compute.checks.peers import compared

    recorded = json.loads(PEERS.read_text(encoding="utf-8"))
    rows: dict[str, Any] = compared(recorded)
    for name, row in rows.items():
        source = recorded["peers"][name.partition("+")[0]]
        row |= {key: source[key] for key in ("repo", "commit", "version")}
    return rows


def versions() -> dict[str, str]:
    """Return the versions of what computed, and the kind of machine."""
    found = {"Python": platform.python_version()}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found | {"machine": f"{platform.system()} {platform.machine()}"}


def confirmed(record: Record) -> bool:
    """Tell whether nothing contradicts: no mismatch, no wrong digit, and every library's figures as recorded."""
    rows = (record["peers"] or {}).values()
    agree = all(row["largest"] <= PEERS_ALLOWED for row in rows)
    return not record["mismatched"] and not record["shown"]["wrong"] and agree


PEERS_ALLOWED = 1e-12
