"""Pictures of the built site: for the README and for links to the site, or every page in every shape, to look at.

python -m tests.screenshot             writes .github/screenshot.png and templates/assets/preview-*.png
python -m tests.screenshot --all DIR   writes whole pages: both languages, light and dark, phone to desktop
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from markupsafe import Markup
from playwright.sync_api import Browser, sync_playwright

from publish.rendering import publication
from publish.rendering.assets import palette_css
from publish.rendering.pages import environment
from publish.site import TEMPLATES
from publish.words.language import HTML_LANG
from tests.browser.conftest import visit_site
from tests.browser_tools import LAUNCH_ARGS, chromium_path
from tests.content_tools import shipped_word

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "site"
PICTURE = ROOT / ".github" / "screenshot.png"
MOST_BYTES = 250_000
LANGUAGES = ("zh", "en")
FONTS = """
body { font-family: system-ui, "Noto Sans CJK SC", "WenQuanYi Micro Hei", sans-serif;
  color: var(--text); background: var(--page); }
"""
THEMES = ("light", "dark")
WIDTHS = (375, 768, 1440)


def picture_for_readme(browser: Browser, picture: Path) -> None:
    """Take the settings, the read-outs and the chain of the English page."""
    with visit_site(browser, SITE, width=1280) as visit:
        visit.page.locator("#state").evaluate("section => section.scrollIntoView({block: 'start'})")
        visit.page.evaluate("document.fonts.ready")
        picture.parent.mkdir(exist_ok=True)
        visit.page.screenshot(path=picture)


def preview(language: str) -> str:
    """Return the HTML of the picture that goes with links to the site."""
    style = Markup(palette_css(TEMPLATES / "palette.toml") + FONTS)
    template = environment(TEMPLATES).get_template("preview.html")
    return template.render(
        style=style, html_lang=HTML_LANG[language], t=lambda key: shipped_word(key, language)
    )


def preview_pictures(browser: Browser) -> None:
    """Take the pictures that go with links to the site."""
    width, height = publication.PICTURE_SIZE
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light")
    for language in LANGUAGES:
        page.set_content(preview(language))
        page.screenshot(path=TEMPLATES / publication.PICTURE.format(language=language))
    page.close()


def all_pictures(browser: Browser, folder: Path) -> None:
    """Take every page as a whole, with its charts drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    for language in LANGUAGES:
        for page in sorted((SITE / language).glob("*.html")):
            for theme in THEMES:
                for width in WIDTHS:
                    with visit_site(
                        browser, SITE, f"{language}/{page.name}", theme=theme, width=width
                    ) as visit:
                        visit.read_through()
                        path = folder / f"{page.stem}-{language}-{theme}-{width}.png"
                        visit.page.screenshot(path=path, full_page=True)
                        print(path)


def main() -> int:
    """Take what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--all", type=Path, metavar="DIR", help="write pictures of all pages into this folder"
    )
    folder = parser.parse_args().all
    if not (SITE / "index.html").is_file():
        print("There is no site yet: run `python build.py` first.", file=sys.stderr)
        return 1
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=LAUNCH_ARGS)
        if folder:
            all_pictures(browser, folder)
            return 0
        picture_for_readme(browser, PICTURE)
        preview_pictures(browser)
    size = PICTURE.stat().st_size
    print(f"{PICTURE.relative_to(ROOT)}: {size / 1000:.0f} kB")
    if size > MOST_BYTES:
        print(f"More than {MOST_BYTES / 1000:.0f} kB: too large for the README.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
