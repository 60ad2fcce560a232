"""What pages say of themselves to search engines, link previews and reference managers, and the files for these.

Addresses are written only when the edition says where the site is published; a relative one would be no address there.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from markupsafe import Markup

from ..editions.edition import Edition
from ..words.language import HTML_LANG, LANGUAGES, LOCALE
from ..words.terms import Terms

PICTURE = "assets/preview-{language}.png"
PICTURE_SIZE = (1200, 630)  # of the files in templates/assets, see tests/screenshot.py
LICENCE = "https://creativecommons.org/licenses/by/4.0/"
START = ""  # the start page's path, from the site's folder
FIRST = "update"  # the page to which the start page goes on
ROBOTS = "User-agent: *\nAllow: /\n"

Attributes = dict[str, str]


@dataclass(frozen=True)
class Publication:
    """One page in one language, as others speak of it. name: START or the page's."""

    name: str
    title: str
    description: str
    language: str
    edition: Edition
    terms: Terms

    def head(self) -> Markup:
        """Return the elements for the page's head."""
        links = [element("link", attributes) for attributes in self.links()]
        named = [element("meta", {"name": name, "content": text}) for name, text in self.named()]
        preview = [element("meta", {"property": name, "content": text}) for name, text in self.preview()]
        data = Markup('<script type="application/ld+json">{}</script>').format(Markup(self.linked_data()))
        return Markup("\n").join([*links, *named, *preview, data])

    def path(self) -> str:
        """Return the page's path from the site's folder."""
        return path_of(self.name, self.language)

    def address(self) -> str:
        """Return the page's own address; "" when it is not published."""
        return self.edition.absolute(self.path()) if self.edition.address else ""

    def links(self) -> list[Attributes]:
        """Return the page's own address, and those of its other languages; none when it is not published."""
        if not self.edition.address:
            return []
        own = {"rel": "canonical", "href": self.address()}
        return [
            own,
            *(
                {"rel": "alternate", "hreflang": code, "href": self.edition.absolute(path)}
                for code, path in alternates(self.name)
            ),
        ]

    def named(self) -> list[tuple[str, str]]:
        """Return what reference managers read."""
        found = [
            ("citation_title", self.title),
            ("citation_author", self.author("en")),
            ("citation_publication_date", self.edition.date.replace("-", "/")),
            ("citation_language", HTML_LANG[self.language]),
        ]
        if self.edition.address:
            found.append(("citation_public_url", self.address()))
        return found

    def preview(self) -> list[tuple[str, str]]:
        """Return what a link to the page shows elsewhere: Open Graph."""
        found = [
            ("og:type", "article"),
            ("og:site_name", self.terms.text("site.title", self.language)),
            ("og:title", self.title),
            ("og:description", self.description),
            ("og:locale", LOCALE[self.language]),
            *(("og:locale:alternate", LOCALE[other]) for other in LANGUAGES if other != self.language),
        ]
        if self.edition.address:
            width, height = PICTURE_SIZE
            found += [
                ("og:url", self.edition.absolute(self.path())),
                ("og:image", self.picture()),
                ("og:image:width", str(width)),
                ("og:image:height", str(height)),
                ("og:image:alt", self.terms.text("site.picture", self.language)),
            ]
        return found

    def linked_data(self) -> str:
        """Return the page in the words of schema.org: JSON that may stand in a script element.

        Such an element is data; no browser runs it, and the page's policy lets it stand.
        """
        data: dict[str, object] = {
            "@context": "https://schema.org",
            "@type": "LearningResource",
            "name": self.title,
            "description": self.description,
            "inLanguage": HTML_LANG[self.language],
            "author": {"@type": "Organization", "name": self.author(self.language)},
            "datePublished": self.edition.date,
            "version": self.edition.version,
            "license": LICENCE,
            "isAccessibleForFree": True,
        }
        if self.edition.address:
            data |= {"url": self.edition.absolute(self.path()), "image": self.picture()}
        return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")

    def author(self, language: str) -> str:
        """Return whose work it is."""
        return self.terms.text("cite.author", language)

    def picture(self) -> str:
        """Return the address of the picture that goes with links to the page."""
        return self.edition.absolute(PICTURE.format(language=self.language))


def element(tag: str, attributes: Attributes) -> Markup:
    """Return an element without content."""
    pairs = Markup(" ").join(Markup('{}="{}"').format(*pair) for pair in attributes.items())
    return Markup("<{} {}>").format(tag, pairs)


def path_of(name: str, language: str) -> str:
    """Return a page's path from the site's folder."""
    return f"{language}/{name}.html" if name else START


def alternates(name: str) -> list[tuple[str, str]]:
    """Return (language code, path) of a page in each language, and for readers of any other.

    The start page lets readers choose, and leads on to the first page: it is the one for others there. Of all other
    pages it is the English one.
    """
    page = name or FIRST
    found = [(HTML_LANG[language], path_of(page, language)) for language in LANGUAGES]
    return [*found, ("x-default", START if page == FIRST else path_of(page, "en"))]


def sitemap(names: Iterable[str], edition: Edition) -> str:
    """Return sitemap.xml: every page with its languages and the edition's date. names: of pages, without START."""
    entries = []
    for name, language in [(START, "en"), *((name, language) for name in names for language in LANGUAGES)]:
        lines = [Markup("<loc>{}</loc>").format(edition.absolute(path_of(name, language)))]
        lines += [Markup("<lastmod>{}</lastmod>").format(edition.date)]
        lines += [
            Markup('<xhtml:link rel="alternate" hreflang="{}" href="{}"/>').format(
                code, edition.absolute(path)
            )
            for code, path in alternates(name)
        ]
        entries.append("<url>\n" + "\n".join(lines) + "\n</url>")
    spaces = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"'
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        + f"<urlset {spaces}>\n"
        + "\n".join(entries)
        + "\n</urlset>\n"
    )


def robots(edition: Edition) -> str:
    """Return robots.txt: everything may be read; where the sitemap is, if there is one."""
    return ROBOTS + (f"\nSitemap: {edition.absolute('sitemap.xml')}\n" if edition.address else "")


def base_path(edition: Edition) -> str:
    """Return the path under which the site lies on its host, with "/" around it; the host's root if nobody says."""
    path = urlsplit(edition.address).path.strip("/")
    return quote(f"/{path}/", safe="/%:@!$&'()*+,;=~") if path else "/"
