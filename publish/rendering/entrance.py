"""The files by which readers and programs come in: start page, page for lost readers, sitemap.xml, robots.txt."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from jinja2 import Environment
from markupsafe import Markup

from ..editions.edition import Edition
from ..words.language import HTML_LANG
from ..words.terms import Terms
from .publication import START, Publication, base_path, path_of, robots, sitemap


def entrance_files(
    env: Environment,
    names: Iterable[str],
    terms: Terms,
    edition: Edition,
    former: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Return name → text of the files.

    names: of the site's pages, in reading order. former: name that a page had in an earlier edition → its name now.
    """
    names = list(names)
    files = {
        "index.html": start_page(env, terms, edition),
        "404.html": lost_page(env, names, terms, edition, former or {}),
        "robots.txt": robots(edition),
    }
    if edition.address:  # a sitemap lists addresses
        files["sitemap.xml"] = sitemap(names, edition)
    return files


def start_page(env: Environment, terms: Terms, edition: Edition) -> str:
    """Return index.html: both languages to choose from."""
    title = " · ".join(terms.text("site.title", language) for language in ("en", "zh"))
    publication = Publication(START, title, terms.text("site.tagline", "en"), "en", edition, terms)
    return env.get_template("index.html").render(
        terms=terms, title=title, description=publication.description, publication=publication.head()
    )


def lost_page(
    env: Environment, names: list[str], terms: Terms, edition: Edition, former: Mapping[str, str]
) -> str:
    """Return 404.html, which hosts send for every address that leads nowhere, in any folder.

    So its own links begin at the host's root. Its script leads on where the page is clear: another spelling of a
    page's name, or the name that it had in an earlier edition.
    """
    known = json.dumps({"pages": names, "former": dict(former)}, ensure_ascii=False)
    return env.get_template("404.html").render(
        terms=terms,
        html_lang=HTML_LANG,
        base=base_path(edition),
        names=names,
        path_of=path_of,
        known=Markup(known.replace("<", "\\u003c")),
    )
