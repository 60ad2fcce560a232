"""What has changed in some folders since they were looked at last."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

Snapshot = dict[Path, tuple[int, int]]


def snapshot(folders: list[Path], site: Path | None = None) -> Snapshot:
    """Return time and size of every file in some folders, but for the site, which may stand in one."""
    return {
        path: (stat.st_mtime_ns, stat.st_size) for folder in folders for path, stat in files_of(folder, site)
    }


def files_of(folder: Path, site: Path | None = None) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield the files below a folder; one that goes away meanwhile is left out."""
    for place, subfolders, names in os.walk(folder):
        subfolders[:] = [
            name
            for name in subfolders
            if name not in ("__pycache__", "vendor", ".git") and not is_site(Path(place) / name, site)
        ]
        for name in names:
            path = Path(place) / name
            try:
                yield path, path.stat()
            except OSError:
                continue


def is_site(folder: Path, site: Path | None) -> bool:
    """Tell whether a folder is the site, or one that stands beside it while it is exchanged."""
    return site is not None and folder.parent == site.parent and folder.name.lstrip(".").startswith(site.name)


def unchanged(folders: list[Path], site: Path | None, seen: Snapshot, after: float = 0.0) -> bool:
    """Tell whether some folders are still as they were seen, after so many seconds."""
    time.sleep(after)
    return snapshot(folders, site) == seen
