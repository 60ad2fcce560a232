"""The site: every file of it from content and templates, written whole or not at all."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from .citing.data import CITE_DATA, cite_data
from .claims.verdicts import Verdicts, claims_of, stale
from .content import Content, load_content
from .digits.page import digits_page
from .editions.anchors import anchors_of, gone, ids_of, shape
from .editions.edition import published_at
from .editions.page import editions_page
from .editions.redirects import Redirects, astray, redirected
from .faults.page import faults_page
from .kl.page import kl_page
from .numbers import export
from .numbers.page import NAME as NUMBERS
from .numbers.page import numbers_page, shown_numbers
from .numbers.registry import Registry, register
from .page.subject import Subject
from .reading.files import os_name
from .reading.folder import Folder
from .reading.memory import Memory
from .reading.problems import Problem, Problems
from .rendering.assets import write_assets
from .rendering.entrance import entrance_files
from .rendering.pages import Material, Page, environment
from .update.page import update_page
from .verifying.kinds import said_of_kinds
from .verifying.page import NAME as VERIFY
from .verifying.page import verify_page
from .verifying.verification import kept_record
from .words.language import HTML_LANG, LANGUAGES
from .writing.whole import recover, write_whole

ROOT = Path(__file__).resolve().parent.parent
TEMPLATES = ROOT / "templates"
MARKER = "data/numbers.json"
OURS = (
    MARKER,
    "assets/style.css",
    "index.html",
)  # a folder without these is not our site, and is never replaced

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

    strict: a check of the default state that does not hold, and words that do not apply to this configuration (see
    claims.py), are mistakes too; otherwise such words are named on standard error. address: where the site will be
    published, unless content/edition.toml says. memory: what a server keeps from the last build to the next.
    """
    memory = memory or Memory()
    recover(out)
    refuse_foreign(out)
    loaded = load_content(content, memory)
    edition = published_at(loaded.edition, address)
    loaded, material = gather(replace(loaded, edition=edition))
    words = stale(loaded, material.subjects, material.verdicts)
    if strict:
        refuse_unconfirmed(material, words)
    elif words:
        print(Problems(words), file=sys.stderr)
    pages = rendered_pages(loaded, material)
    if lost := lost_addresses(loaded, material, pages):
        if strict:
            raise Problems(lost)
        print(Problems(lost), file=sys.stderr)
    write_whole(out, lambda site: write_site(site, material, pages))
    memory.material = material
    return out / "index.html"


def refuse_unconfirmed(material: Material, words: list[Problem]) -> None:
    """Raise Problems when a check of the default state does not hold, or words do not apply."""
    problems = list(words)
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
    subjects[NUMBERS] = numbers_page(subjects.values(), content.declarations, content.formulas)
    registry = Registry()
    for subject in subjects.values():
        registry.update(registered(content, subject))
    material = material_of(content, subjects, registry)
    subjects[VERIFY] = verify_page(kept_record(material), registry, content.declarations)
    editions = editions_page(content.logs)
    subjects[editions.name] = editions
    refuse_unknown(content, material)
    return content, material


def material_of(content: Content, subjects: dict[str, Subject], registry: Registry) -> Material:
    """Return what pages are made of. Claims are judged by the results of all pages that have some."""
    results = {name: value for page in MAKERS for name, value in subjects[page].results.items()}
    material = Material(
        subjects=subjects,
        registry=registry,
        formulas=content.formulas,
        terms=content.terms,
        sources=content.sources,
        edition=content.edition,
        digest=content.config.digest,
        declarations=content.declarations,
        redirects=content.redirects,
        verdicts=Verdicts(results, registry, content.declarations, content.ignored),
    )
    return replace(material, verified=said_of_kinds(kept_record(material), material))


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
    for claim in claims_of(content):
        problems += material.verdicts.unknown(claim)
    if problems:
        raise Problems(problems)


def rendered_pages(content: Content, material: Material) -> dict[tuple[str, str], str]:
    """Return (page, language) → HTML. Raises Problems for a redirect that leads nowhere."""
    pages: dict[tuple[str, str], str] = {}
    for language in LANGUAGES:
        rendered = rendered_in(content, material, language)
        pages |= {(name, language): rendered[name] for name in material.subjects}
    redirects = content.redirects
    if redirects != Redirects():
        ids = {name: ids_of(pages[name, LANGUAGES[0]]) for name in material.subjects}
        keys = {name: [key.name for key in subject.keys] for name, subject in material.subjects.items()}
        if problems := list(astray(redirects, ids, {*map(shape, material.registry)}, keys)):
            raise Problems(problems)
    return {
        (name, language): led_on(markup, name, language, material)
        for (name, language), markup in pages.items()
    }


def led_on(markup: str, name: str, language: str, material: Material) -> str:
    """Return a page with the anchors of earlier editions where they lead now."""
    moved = material.terms.text("editions.moved", language)
    return redirected(markup, material.redirects.anchors.get(name, {}), moved)


def rendered_in(content: Content, material: Material, language: str) -> dict[str, str]:
    """Return page → HTML in one language. The numbers page comes last: it says which numbers the others show."""
    env = environment(TEMPLATES)

    def render(name: str, material: Material) -> str:
        subject, prose = material.subjects[name], content.prose[name, language]
        return Page(subject, language, material, env, prose).render()

    pages = {name: render(name, material) for name in material.subjects if name != NUMBERS}
    shown: frozenset[str] = frozenset().union(*map(shown_numbers, pages.values()))
    return pages | {NUMBERS: render(NUMBERS, replace(material, shown=shown))}


def lost_addresses(content: Content, material: Material, pages: dict[tuple[str, str], str]) -> list[Problem]:
    """Return the addresses that an earlier edition had and that lead nowhere now."""
    now = {
        name: anchors_of(pages[name, LANGUAGES[0]], (key.name for key in subject.keys))
        for name, subject in material.subjects.items()
    }
    # A declared number that this configuration happens not to have is not gone.
    numbers = {*map(shape, material.registry), *material.declarations}
    return list(gone(content.records, now, numbers, content.redirects))


def write_site(site: Path, material: Material, pages: dict[tuple[str, str], str]) -> None:
    """Write every file of the site into an empty folder."""
    for language in LANGUAGES:
        (site / language).mkdir()
    env = environment(TEMPLATES)
    for (name, language), markup in pages.items():
        write(site / language / f"{name}.html", markup)
    for language in LANGUAGES:
        for old, new in material.redirects.pages.items():
            before, _, after = material.terms.text("editions.moved_page", language).partition("{place}")
            title = material.terms.text(f"page.{new}.title", language)
            known = {"html_lang": HTML_LANG[language], "title": title, "file": f"{new}.html"}
            moved = env.get_template("moved.html").render(known, before=before, after=after)
            write(site / language / f"{old}.html", moved)
    for name, text in entrance_files(
        env, material.subjects, material.terms, material.edition, material.redirects.pages
    ).items():
        write(site / name, text)
    write_data(site / "data", material)
    write_assets(TEMPLATES, site, {CITE_DATA: cite_data(material)})


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
