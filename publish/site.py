"""The site: every file of it from content and templates, written beside the last good site and then swapped in."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from . import export
from .assets import write_assets
from .content import Content, load_content
from .digits_page import digits_page
from .edition import published_at
from .faults_page import faults_page
from .files import os_name
from .folder import Folder
from .kl_page import kl_page
from .language import LANGUAGES
from .memory import Memory
from .numbers import Registry, register
from .pages import Material, Page, environment
from .problems import Problem, Problems
from .subject import Subject
from .update_page import update_page

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "templates"
MARKER = "data/numbers.json"
OURS = (
    MARKER,
    "assets/style.css",
    "index.html",
)  # a folder without these is not our site, and is never replaced
Write = Callable[[Path], None]

# Every page, in reading order, with what makes it.
MAKERS: dict[str, Callable[[Content], Subject]] = {
    "update": lambda content: update_page(content.config, content.faults),
    "kl-and-clipping": lambda content: kl_page(content.kl_config, content.example),
    "digits": lambda content: digits_page(content.digits_config),
    "faults": lambda content: faults_page(content.config, content.faults),
}


def build_site(
    content: Folder,
    out: Path,
    strict: bool = False,
    address: str | None = None,
    memory: Memory | None = None,
) -> Path:
    """Build the whole site into `out` and return its start page. Raises Problems; then `out` is as it was.

    strict: a check of the default state that does not hold, and a sentence that turned into its contrary, are
    mistakes too; otherwise such sentences are named on standard error. address: where the site will be published,
    unless content/edition.toml says. memory: what a server keeps from the last build to the next.
    """
    memory = memory or Memory()
    refuse_foreign(out)
    loaded = load_content(content, memory)
    edition = published_at(loaded.edition, address)
    loaded, material = gather(replace(loaded, edition=edition))
    contrary = contrary_sentences(loaded, material)
    if strict:
        refuse_unconfirmed(material, contrary)
    elif contrary:
        print(Problems(contrary), file=sys.stderr)
    write_whole(out, lambda site: write_site(site, loaded, material))
    memory.material = material
    return out / "index.html"


def contrary_sentences(content: Content, material: Material) -> list[Problem]:
    """Return the sentences that say the contrary of what the text around them was written for, and where they stand.

    A finding chooses a key that ends with _fails where the results do not bear out what the page is about.
    """
    what = (
        "with this configuration the sentence says the contrary of what the text was written for; "
        "read its section again",
        "在这个配置下，此句所说与原文写作时的情形相反；请重读该节",
    )
    problems = []
    for name, subject in material.subjects.items():
        for sentence, finding in subject.findings.items():
            if any(key.endswith("_fails") for key, _ in finding(subject.results)):
                for prose in (content.prose[name, language] for language in LANGUAGES):
                    lines: list[int | None] = [
                        r.line for r in prose.references() if (r.kind, r.name) == ("sentence", sentence)
                    ]
                    problems += [
                        Problem(prose.name, line, f"sentence {sentence}", what) for line in lines or [None]
                    ]
    return problems


def refuse_unconfirmed(material: Material, contrary: list[Problem]) -> None:
    """Raise Problems when a check of the default state does not hold, or a sentence is not what it was."""
    problems = list(contrary)
    for name, result in material.subjects["update"].results["evidence"]["checks"].items():
        if not result["holds"]:
            error, limit = result["error"], result["allowed"]
            what = (f"error {error}, allowed {limit}", f"误差 {error}，允许 {limit}")
            problems.append(Problem("evidence", None, name, what))
    if problems:
        raise Problems(problems)


def gather(content: Content) -> tuple[Content, Material]:
    """Return the content with everything that pages and data files are made of: results, numbers, formulas."""
    subjects = {name: make(content) for name, make in MAKERS.items()}
    registry = Registry()
    for subject in subjects.values():
        registry.update(registered(content, subject))
    material = Material(
        subjects=subjects,
        registry=registry,
        formulas=content.formulas,
        terms=content.terms,
        sources=content.sources,
        edition=content.edition,
        digest=content.config.digest,
        declarations=content.declarations,
    )
    refuse_unknown(content, material)
    return content, material


def registered(content: Content, subject: Subject) -> Registry:
    """Return the numbers of a page. Raises Problems that name the content's own file."""
    file = os_name(content.folder / f"numbers/{subject.name}.toml")
    return register(subject, content.declarations, content.ignored, content.terms, file)


def refuse_unknown(content: Content, material: Material) -> None:
    """Raise Problems for every reference of the prose to something that there is not, or not on its page."""
    blocks = [path.stem for path in (TEMPLATES / "blocks").glob("*.html")]
    problems: list[Problem] = []
    for (name, _), prose in content.prose.items():
        known: dict[str, Collection[str]] = {
            "number": [number.id for number in material.registry.values() if number.page == name],
            "formula": content.formulas,
            "sentence": material.subjects[name].findings,
            "source": content.sources,
            "term": content.terms.texts,
            "block": blocks,
        }
        problems += prose.unknown(known)
    if problems:
        raise Problems(problems)


def write_site(site: Path, content: Content, material: Material) -> None:
    """Write every file of the site into an empty folder."""
    env = environment(TEMPLATES)
    for language in LANGUAGES:
        (site / language).mkdir()
        for name, subject in material.subjects.items():
            page = Page(subject, language, material, env, content.prose[name, language])
            write(site / language / f"{name}.html", page.render())
    write(site / "index.html", env.get_template("index.html").render(terms=content.terms))
    write_data(site / "data", material)
    write_assets(TEMPLATES, site)


def write_data(folder: Path, material: Material) -> None:
    """Write the data files."""
    folder.mkdir()
    registry, formulas = material.registry, material.formulas
    write(folder / "numbers.json", export.numbers_json(registry, formulas, material.digest))
    write(folder / "numbers.csv", export.numbers_csv(registry, formulas))
    write(folder / "numbers.tex", export.numbers_tex(registry, material.digest))
    for subject in material.subjects.values():
        for name, text in subject.files.items():
            write(folder / name, text)


def write(path: Path, text: str) -> None:
    """Write a text file, the same bytes on every system."""
    path.write_bytes(text.encode("utf-8"))


def refuse_foreign(out: Path) -> None:
    """Raise Problems when `out` holds something that a build did not write."""
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        what = ("is not a folder; name a folder for the site", "不是文件夹；请指定一个用于存放站点的文件夹")
        raise Problems([Problem(os_name(out), None, "--out", what)])
    if out.is_dir() and any(out.iterdir()) and not all((out / name).is_file() for name in OURS):
        what = (
            "is a folder with other files in it; name a new or empty folder, or an earlier site",
            "文件夹中有其他文件；请指定新的或空的文件夹，或先前构建的站点",
        )
        raise Problems([Problem(os_name(out), None, "--out", what)])


def write_whole(out: Path, write_into: Write) -> None:
    """Write into a fresh folder beside `out`, then put it in the place of `out`: all of it or nothing."""
    out.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        write_into(fresh)
        fresh.chmod(0o755)
        swap(fresh, out)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def swap(fresh: Path, out: Path) -> None:
    """Put `fresh` in the place of `out`; on failure `out` is what it was."""
    old = fresh.with_name(fresh.name + "-old")
    if out.exists():
        os.rename(out, old)
    try:
        os.rename(fresh, out)
    except OSError:
        if old.exists():
            os.rename(old, out)
        raise
    shutil.rmtree(old, ignore_errors=True)
