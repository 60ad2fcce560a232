"""The third-party files kept in this repository: check them, or fetch them anew.

python -m publish.vendor check    compare every file with its checksum in vendor.toml
python -m publish.vendor renew    fetch the pinned versions, rewrite files and checksums
"""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
MANIFEST = "templates/assets/vendor/vendor.toml"
FOLDERS = ("templates/assets/vendor", "tests/browser/vendor")

FONT_FAMILY = "RLPU Math"
FONT_FEATURES = ["dtls"]  # not ssty: 46 kB of script-size shapes that browsers hardly use
FONT_SYMBOLS = (
    "\u00a0¬¯°±´·×÷¨ıȷˆˇ˘˙˜"
    "\u0302\u0303\u0304\u0305\u0307\u0308\u030c\u0332\u20d7"  # accents that combine
    "–—†•…′″‴⁄\u2061\u2062\u2063\u2064"  # the last four are invisible operators
    "←↑→↓↔↦⇐⇒⇔⟵⟶⟷⟸⟹⟺⟼"
    "∀∂∃∅∇∈∉∏∑−∓∖∗∘∙√∝∞∧∨∩∪∫∴∼≈≔≜≠≡≤≥≪≫⊂⊆⊕⊗⊙⊤⊥⊺⋅⋆⋮⋯⋱⟂⩽⩾□■"
    "‖∣∥⌈⌉⌊⌋⟨⟩⏞⏟"
    "ℏℒℓℕℝℤℙ𝔼𝕀𝟙"
)
LATIN = ((0x20, 0x7E),)
GREEK = ((0x391, 0x3C9), (0x3D1, 0x3D6), (0x3F0, 0x3F5))
ITALIC = ((0x210E, 0x210E), (0x1D434, 0x1D467), (0x1D6A4, 0x1D6A5), (0x1D6E2, 0x1D71B))
# In a file of its own, which a browser fetches only for a page that has such letters.
BOLD = ((0x1D400, 0x1D433), (0x1D468, 0x1D49B), (0x1D71C, 0x1D755))


class VendorError(Exception):
    """A reason, in one line, why the files cannot be renewed."""


@dataclass(frozen=True)
class File:
    """One kept file: its path from the root, its name in the package (if any), its checksum."""

    path: str
    source: str | None
    sha256: str


@dataclass(frozen=True)
class Entry:
    """One vendored thing, from npm or from an installed Debian package."""

    name: str
    version: str
    npm: str | None
    debian: str | None
    files: tuple[File, ...]


def read_manifest(root: Path) -> list[Entry]:
    """Return what vendor.toml lists."""
    data = tomllib.loads((root / MANIFEST).read_text(encoding="utf-8"))
    return [read_entry(table) for table in data["vendored"]]


def read_entry(table: dict[str, Any]) -> Entry:
    """Return one [[vendored]] table as an Entry."""
    files = tuple(File(row["path"], row.get("from"), row["sha256"]) for row in table["file"])
    return Entry(table["name"], table["version"], table.get("npm"), table.get("debian"), files)


def sha256(content: bytes) -> str:
    """Return the checksum as vendor.toml writes it."""
    return hashlib.sha256(content).hexdigest()


# --- check ---


def problems(root: Path) -> list[str]:
    """Return one line per file that is missing, changed, or in a vendor folder but not listed."""
    files = [file for entry in read_manifest(root) for file in entry.files]
    found = [problem for file in files if (problem := file_problem(root, file))]
    listed = {file.path for file in files} | {MANIFEST}
    return found + [f"{path}: not listed in {MANIFEST}" for path in sorted(present(root) - listed)]


def file_problem(root: Path, file: File) -> str | None:
    """Say what is wrong with one listed file, or return None."""
    path = root / file.path
    if not path.is_file():
        return f"{file.path}: missing"
    found = sha256(path.read_bytes())
    if found != file.sha256:
        return f"{file.path}: changed (listed {file.sha256[:12]}…, found {found[:12]}…)"
    return None


def present(root: Path) -> set[str]:
    """Return the path of every file in the vendor folders."""
    paths = (path for folder in FOLDERS for path in (root / folder).rglob("*"))
    return {path.relative_to(root).as_posix() for path in paths if path.is_file()}


# --- renew ---


def renew(root: Path) -> list[str]:
    """Fetch every file again, rewrite what differs, return the paths that were rewritten."""
    entries = read_manifest(root)
    # Everything is fetched before anything is written: a failure leaves all files as they were.
    contents = {path: new for entry in entries for path, new in fetch(entry).items()}
    for path, content in written_here(root, entries):
        contents[path] = content
    sums = {path: sha256(content) for path, content in contents.items()}
    manifest = (root / MANIFEST).read_text(encoding="utf-8")
    contents[MANIFEST] = with_checksums(manifest, sums).encode("utf-8")
    return [path for path, content in contents.items() if rewrite(root / path, content)]


def fetch(entry: Entry) -> dict[str, bytes]:
    """Return the content of an entry's files that come from its package, by path."""
    files = {file.path: file.source for file in entry.files if file.source}
    if entry.npm:
        return fetch_npm(f"{entry.npm}@{entry.version}", files)
    return {path: from_debian(entry, Path(source), path) for path, source in files.items()}


def written_here(root: Path, entries: Iterable[Entry]) -> Iterable[tuple[str, bytes]]:
    """Yield the files that have no package to come from, as they are now."""
    for file in (file for entry in entries for file in entry.files if not file.source):
        if not (root / file.path).is_file():
            raise VendorError(f"{file.path} is missing, and no package contains it")
        yield file.path, (root / file.path).read_bytes()


def fetch_npm(package: str, files: dict[str, str]) -> dict[str, bytes]:
    """Return the content of files of one npm package, by path here; `files` maps path to name."""
    npm = shutil.which("npm")
    if npm is None:
        raise VendorError("npm is not installed; renewing needs Node.js, checking does not")
    with tempfile.TemporaryDirectory() as folder:
        command = [npm, "pack", "--silent", package]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            reason = " ".join((done.stderr or done.stdout).split())
            raise VendorError(f"npm pack {package} failed: {reason}")
        (archive,) = Path(folder).glob("*.tgz")
        with tarfile.open(archive) as tar:
            return {path: member(tar, package, name) for path, name in files.items()}


def member(tar: tarfile.TarFile, package: str, name: str) -> bytes:
    """Return one file of an npm archive."""
    try:
        content = tar.extractfile(f"package/{name}")
    except KeyError:
        content = None
    if content is None:
        raise VendorError(f"{package} contains no file {name}")
    return content.read()


def from_debian(entry: Entry, source: Path, path: str) -> bytes:
    """Return a file of an installed Debian package; a font is cut down to the characters of its file here."""
    if not source.is_file():
        raise VendorError(f"{source} is missing; install the Debian package {entry.debian}")
    if source.suffix == ".otf":
        bold = Path(path).stem.endswith("-bold")
        points = code_points(BOLD, "") if bold else code_points((*LATIN, *GREEK, *ITALIC), FONT_SYMBOLS)
        return subset_font(source, entry.version, points)
    return source.read_bytes()


def with_checksums(manifest: str, sums: dict[str, str]) -> str:
    """Return the text of vendor.toml with new checksums; comments and order stay."""
    for path, checksum in sums.items():
        place = rf'(path = "{re.escape(path)}"\n(?:from = "[^"]*"\n)?sha256 = ")[^"]*'
        manifest, count = re.subn(place, rf"\g<1>{checksum}", manifest)
        if count != 1:
            raise VendorError(f"{MANIFEST}: write path, from, sha256 in this order for {path}")
    return manifest


def rewrite(path: Path, content: bytes) -> bool:
    """Write a file unless it already holds this content; tell whether it was written."""
    if path.is_file() and path.read_bytes() == content:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return True


# --- the math font ---


def subset_font(source: Path, version: str, points: set[int]) -> bytes:
    """Return a woff2 of some characters, with MATH table and stretchy forms."""
    try:
        import_module("brotli")  # fonttools needs it to write woff2
        subset: Any = import_module("fontTools.subset")
        tt_lib: Any = import_module("fontTools.ttLib")
    except ImportError as error:
        missing = f"{error.name} is not installed; run: pip install fonttools brotli"
        raise VendorError(missing) from error
    # The original's date is kept, so that the same input gives the same bytes.
    font = tt_lib.TTFont(source, recalcTimestamp=False)
    if font["name"].getDebugName(3) != version:
        raise VendorError(f"{source} is version {font['name'].getDebugName(3)}, not {version}")
    options = subset.Options(
        layout_features=FONT_FEATURES, hinting=False, desubroutinize=True, drop_tables=["FFTM"]
    )
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=points)
    subsetter.subset(font)
    rename_font(font, version)
    font.flavor = "woff2"
    content = io.BytesIO()
    font.save(content)
    return content.getvalue()


def code_points(blocks: Iterable[tuple[int, int]], symbols: str) -> set[int]:
    """Return the code points of blocks (first, last) and of single symbols."""
    points = {point for first, last in blocks for point in range(first, last + 1)}
    return points | {ord(symbol) for symbol in symbols}


def rename_font(font: Any, version: str) -> None:
    """Give the changed font its own name, as the GUST Font License asks; keep its copyright."""
    postscript_name = FONT_FAMILY.replace(" ", "") + "-Regular"
    texts = {
        0: font["name"].getDebugName(0),
        1: FONT_FAMILY,
        2: "Regular",
        3: f"{FONT_FAMILY} {version}",
        4: FONT_FAMILY,
        5: f"Version {version}",
        6: postscript_name,
        10: f"A subset of Latin Modern Math {version}",
        13: "GUST Font License (LPPL 1.3c or later)",
    }
    font["name"].names = []
    for name_id, text in texts.items():
        font["name"].setName(text, name_id, 3, 1, 0x409)
    cff = font["CFF "].cff
    cff.fontNames = [postscript_name]
    cff.topDictIndex[0].FullName = cff.topDictIndex[0].FamilyName = FONT_FAMILY


# --- the command line ---


def main(arguments: Sequence[str], root: Path = ROOT) -> int:
    """Run `check` or `renew`; return the exit code."""
    if list(arguments) == ["check"]:
        return report_check(root)
    if list(arguments) == ["renew"]:
        return report_renewal(root)
    print("usage: python -m publish.vendor check|renew", file=sys.stderr)
    return 2


def report_check(root: Path) -> int:
    """Print every problem; return 1 if there is one."""
    found = problems(root)
    for problem in found:
        print(problem, file=sys.stderr)
    if not found:
        print("vendored files: all as listed")
    return 1 if found else 0


def report_renewal(root: Path) -> int:
    """Renew and print what was rewritten; return 1 if that failed."""
    try:
        rewritten = renew(root)
    except VendorError as error:
        print(error, file=sys.stderr)
        return 1
    for path in rewritten:
        print(f"rewritten: {path}")
    if not rewritten:
        print("nothing changed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
