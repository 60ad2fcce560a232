"""Results that take long, kept in `.cache/` until something that makes them changes.

A result's file is named by its kind and a hash, written beside its place and then renamed, so that neither an
interruption nor a second build leaves half a file.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from ..reading.files import os_name
from ..reading.problems import Phrase, speaks_chinese

CACHE = Path(__file__).resolve().parents[2] / ".cache"
KEPT = 5  # results of a kind, the newest
STALE = 3600.0  # seconds after which a half-written file is nobody's

Results = dict[str, Any]


def key_of(request: Any, code: Iterable[Path], *more: str) -> str:
    """Return the SHA-256 of all that results depend on: what is asked for, the code, and what else is named."""
    digest = hashlib.sha256(canonical(request).encode())
    for path in code:
        digest.update(b"\0" + path.name.encode() + b"\0" + path.read_bytes())
    for text in more:
        digest.update(b"\0" + text.encode())
    return digest.hexdigest()


def kept(kind: str, key: str, make: Callable[[], Results], folder: Path = CACHE) -> Results:
    """Return the results that are kept under a key, or make and keep them."""
    found = read(folder, kind, key)
    if found is None:
        found = make()
        write(folder, kind, key, found)
    return found


def canonical(value: Any) -> str:
    """Return a value as JSON, always the same text."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


def path_of(folder: Path, kind: str, key: str) -> Path:
    """Return where a result is kept."""
    return folder / f"{kind}-{key}.json"


def read(folder: Path, kind: str, key: str) -> Results | None:
    """Return a kept result; None where there is none, or where the file is not what was written."""
    path = path_of(folder, kind, key)
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        results = kept["results"]
        sound = isinstance(results, dict) and kept["key"] == key and kept["sha256"] == sum_of(results)
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    if not sound:
        return None
    with suppress(OSError):
        os.utime(path)  # so that the results in use are the newest
    return dict(results)


def sum_of(results: Results) -> str:
    """Return the SHA-256 of results."""
    return hashlib.sha256(canonical(results).encode()).hexdigest()


def write(folder: Path, kind: str, key: str, results: Results) -> None:
    """Keep a result: all of it or nothing. Where that is not possible, say so once."""
    text = canonical({"key": key, "sha256": sum_of(results), "results": results})
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{kind}-", suffix=".tmp", dir=folder)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(name).chmod(0o644)
            os.replace(name, path_of(folder, kind, key))
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
        prune(folder, kind)
    except OSError as error:
        say_uncached(os_name(folder), error.strerror or "error")


@cache
def say_uncached(folder: str, reason: str) -> None:
    """Say that results cannot be kept; once."""
    say(
        (
            f"{folder}: cannot be written ({reason}); every build computes anew what it would keep there",
            f"{folder}：无法写入（{reason}）；每次构建都会重新计算本可保存在那里的结果",
        )
    )


def say(what: Phrase) -> None:
    """Write a line for the user."""
    print(what[speaks_chinese()], file=sys.stderr, flush=True)


def prune(folder: Path, kind: str) -> None:
    """Delete all but the newest results, and what a build that was killed has left."""
    results = [(modified(path), path) for path in folder.glob(f"{kind}-*.json")]
    for _, path in sorted(results, reverse=True)[KEPT:]:
        path.unlink(missing_ok=True)
    for path in folder.glob(f".{kind}-*.tmp"):
        if time.time() - modified(path) > STALE:
            path.unlink(missing_ok=True)


def modified(path: Path) -> float:
    """Return when a file was last written; 0 where another build has just deleted it."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
