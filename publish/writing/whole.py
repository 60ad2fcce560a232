"""A folder written whole or not at all, whatever ends the writing: a mistake, a full disk, a kill, another build.

A build writes into a folder of its own beside the target, and puts it in the target's place when it is complete. What
a killed build has left is cleaned up by the next one. Builds know of each other by a lock on their folders, which
the system gives back when a process ends, however it ends.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ..reading.files import os_name
from .exchange import exchange

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

Write = Callable[[Path], None]

FRESH = ".{name}-build-"  # before the letters that mkdtemp chooses
OLD = "-old"  # behind a fresh folder's name: the site that it is about to replace
STALE = 3600.0  # seconds after which a folder without a lock is nobody's, where there are no locks


def write_whole(out: Path, write_into: Write) -> None:
    """Write into a fresh folder beside `out`, then put it in the place of `out`: all of it or nothing.

    Of two builds at once each writes its own; the one that ends last stays. Raises OSError that names `out`.
    """
    prefix = FRESH.format(name=out.name)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        with alone(out.parent):
            clean_up(out)
            fresh = Path(tempfile.mkdtemp(prefix=prefix, dir=out.parent))
            mine = lock(fresh)
        try:
            write_into(fresh)
            fresh.chmod(0o755)
            with alone(out.parent):
                swap(fresh, out)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
            if mine is not None:
                os.close(mine)
    except OSError as error:
        if error.filename is None or prefix in str(error.filename):
            raise OSError(error.errno, error.strerror or str(error), os_name(out)) from error
        raise


def swap(fresh: Path, out: Path) -> None:
    """Put `fresh` in the place of `out`, and `out`, if it is there, in the place of `fresh`; on failure all stays.

    Where the system cannot exchange two folders, `out` is for a moment not there; `recover` knows what to do when a
    kill falls into it.
    """
    if not out.exists():
        os.rename(fresh, out)
    elif not exchange(fresh, out):
        old = fresh.with_name(fresh.name + OLD)
        os.rename(out, old)
        try:
            os.rename(fresh, out)
        except BaseException:
            os.rename(old, out)
            raise
        os.rename(old, fresh)


def recover(out: Path) -> None:
    """Bring back the site that a build had moved aside when it was killed, if `out` is not there for that reason."""
    if out.parent.is_dir():
        with suppress(OSError), alone(out.parent):
            bring_back(out)


def bring_back(out: Path) -> None:
    """Do what `recover` says, while no other build changes the folder."""
    if not os.path.lexists(out):
        for old in (path for path in leftovers(out) if path.name.endswith(OLD)):
            os.rename(old, out)
            return


def clean_up(out: Path) -> None:
    """Delete what killed builds have left beside `out`; a folder that another build writes is not touched."""
    bring_back(out)
    for path in leftovers(out):
        if is_nobodys(path):
            shutil.rmtree(path, ignore_errors=True)


def leftovers(out: Path) -> list[Path]:
    """Return the folders that builds of `out` have made beside it, by their names."""
    pattern = re.compile(re.escape(FRESH.format(name=out.name)) + rf"[a-z0-9_]{{8}}(?:{OLD})?")
    return sorted(path for path in out.parent.iterdir() if pattern.fullmatch(path.name) and path.is_dir())


def is_nobodys(folder: Path) -> bool:
    """Tell whether no build that runs has locked a folder."""
    try:
        mine = lock(folder)
        if mine is not None:
            os.close(mine)
            return True
        return time.time() - folder.stat().st_mtime > STALE
    except OSError:  # another build holds it, or has just removed it
        return False


def lock(folder: Path) -> int | None:
    """Lock a folder for as long as this process lives and keeps what is returned; None where there are no locks.

    Raises BlockingIOError when another build holds it.
    """
    if fcntl is None:
        return None
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(opened)
        if isinstance(error, BlockingIOError):
            raise
        return None
    return opened


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Let one build at a time look for and rename what lies in a folder; without locks, just go on."""
    if fcntl is None:
        yield
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(opened, fcntl.LOCK_EX)
        yield
    finally:
        os.close(opened)
