"""A cold build.py against Pelican on a site of as many pages, as much text and as many formulas.

Pelican's pages hold the text of ours, tables included, and its formulas go through the same math-core, so that both
do the work of setting them; Pelican computes no number.
"""

from __future__ import annotations

import html
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks.timing import in_turn

ROOT = Path(__file__).resolve().parents[2]
TAG = re.compile(r"<script.*?</script>|<style.*?</style>|<[^>]*>", re.S)
CONFIG = """
import math_core
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor

CONVERTER = math_core.LatexToMathML()


class Formula(InlineProcessor):
    def handleMatch(self, match, data):
        markup = CONVERTER.convert_with_local_state(match[1], displaystyle=False)
        return self.md.htmlStash.store(markup), match.start(0), match.end(0)


class Formulas(Extension):
    def extendMarkdown(self, md):
        md.inlinePatterns.register(Formula(r"\\$([^$]+)\\$", md), "formula", 190)


AUTHOR, SITENAME, PATH, TIMEZONE, DEFAULT_LANG = "a", "s", "content", "UTC", "en"
FEED_ALL_ATOM = CATEGORY_FEED_ATOM = TRANSLATION_FEED_ATOM = AUTHOR_FEED_ATOM = AUTHOR_FEED_RSS = None
MARKDOWN = {"extensions": [Formulas()]}
"""
FORMULA = r"$\rho_{it} = \exp\left( \log p_{it}(a_{it}) - \log p_{\mathrm{old},it}(a_{it}) \right)$"


def write_pelican_site(folder: Path, site: Path) -> tuple[int, int]:
    """Write Markdown pages with our pages' text and number of formulas; return how many pages and formulas."""
    (folder / "content").mkdir()
    (folder / "pelicanconf.py").write_text(CONFIG)
    count = 0
    files = [path for language in ("zh", "en") for path in sorted((site / language).glob("*.html"))]
    for path in files:
        name = f"{path.parent.name}-{path.stem}"
        page = path.read_text(encoding="utf-8")
        formulas = page.count("<math")
        body = re.sub(r"<math.*?</math>", " ", page.split("<main", 1)[1], flags=re.S)
        text = html.unescape(TAG.sub("\n", "<main" + body)).replace("$", "")
        paragraphs = [line.strip() for line in text.split("\n") if line.strip()]
        paragraphs = [f"{line} {FORMULA if n < formulas else ''}" for n, line in enumerate(paragraphs)]
        head = f"Title: {name}\nDate: 2026-11-30\nSlug: {name}\n\n"
        (folder / "content" / f"{name}.md").write_text(head + "\n\n".join(paragraphs), encoding="utf-8")
        count += formulas
    return len(files), count


def run() -> Iterator[str]:
    """Time both as whole processes, in turn."""
    try:
        import pelican  # noqa: F401
    except ImportError:
        yield "cold build: Pelican is not installed; run `make bench`"
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ours = [sys.executable, "build.py", "--out", str(folder / "site")]
        subprocess.run(ours, cwd=ROOT, check=True, capture_output=True)
        pages, count = write_pelican_site(folder, folder / "site")
        theirs = [sys.executable, "-m", "pelican", "content", "-s", "pelicanconf.py", "-o", "output"]
        mine, other, ratio = in_turn(
            lambda: subprocess.run(ours, cwd=ROOT, check=True, capture_output=True),
            lambda: subprocess.run(theirs, cwd=folder, check=True, capture_output=True),
            15,
        )
        made = "".join(path.read_text(encoding="utf-8") for path in (folder / "output").glob("*.html"))
        assert made.count("<math") >= count, "Pelican did not set the formulas"
    yield (
        f"cold build ({pages} pages, {count} formulas): {mine:.2f} s; Pelican {other:.2f} s; "
        f"{ratio:.2f} times as fast (goal: 1)"
    )
