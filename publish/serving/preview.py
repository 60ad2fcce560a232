"""Builds for `build.py serve`: the pages that readers have open at once, in memory; then the whole site."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ..citing.data import CITE_DATA, cite_data
from ..content import Content, load_content
from ..numbers.registry import Registry
from ..reading.folder import Folder
from ..reading.memory import Memory
from ..rendering.assets import style_sheet
from ..rendering.pages import Material, Page, environment
from ..site import MAKERS, TEMPLATES, build_site, led_on, material_of, registered
from ..words.language import LANGUAGES

Files = dict[str, bytes]  # path in the site → what stands there


class Preview:
    """A site that is built again and again from the same folders."""

    def __init__(self, content: Folder, out: Path) -> None:
        self.content = content
        self.out = out
        self.memory = Memory()

    def whole(self) -> Path:
        """Build the whole site. Raises Problems, OSError."""
        return build_site(self.content, self.out, memory=self.memory)

    def early(self, open_pages: Iterable[str]) -> Files:
        """Return the pages that are open ("en/update.html") with their data, styles and scripts, as `whole` will.

        Nothing before the first good build. Raises what `whole` raises, but may find less.
        """
        last = self.memory.material
        pages = [(language, name) for language in LANGUAGES for name in MAKERS]
        wanted = [pair for pair in pages if "{}/{}.html".format(*pair) in set(open_pages)]
        if last is None or not wanted:
            return {}
        content = load_content(self.content, self.memory)
        material = renewed(last, content, {name for _, name in wanted})
        files = assets() | {f"assets/js/{CITE_DATA}.js": cite_data(material).encode()}
        for language, name in wanted:
            subject = material.subjects[name]
            page = Page(subject, language, material, environment(TEMPLATES), content.prose[name, language])
            files[f"{language}/{name}.html"] = led_on(page.render(), name, language, material).encode()
            files |= {f"data/{file}": text.encode() for file, text in subject.files.items()}
        return files


def renewed(last: Material, content: Content, names: Iterable[str]) -> Material:
    """Return the material of the last build with some pages made anew, and all words as they are now."""
    subjects = {name: MAKERS[name](content) for name in names}
    registry = Registry({key: number for key, number in last.registry.items() if number.page not in subjects})
    for subject in subjects.values():
        registry.update(registered(content, subject))
    return material_of(content, last.subjects | subjects, registry)


def assets() -> Files:
    """Return the style sheet and the pages' scripts."""
    scripts = (TEMPLATES / "assets" / "js").glob("*.js")
    files = {f"assets/js/{path.name}": path.read_bytes() for path in scripts}
    return files | {"assets/style.css": style_sheet(TEMPLATES).encode()}
