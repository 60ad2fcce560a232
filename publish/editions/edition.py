"""The edition that pages and citations name: version, date, and the address of the site, if it is published."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, replace

from ..reading.problems import Problem, Problems, found_and_allowed
from ..reading.toml_text import TomlText
from ..reading.validation import Strict, allowed, check, phrase

ADDRESS = r"^https?://[^\s/?#]+(/[^\s?#]*)?$"


@dataclass(frozen=True)
class Edition:
    """Version, date (YYYY-MM-DD), and the address under which the site is published; "" when it is not."""

    version: str
    date: str
    address: str = ""

    def absolute(self, path: str) -> str:
        """Return the public address of a file of the site, or its path from the site's folder."""
        return f"{self.address.rstrip('/')}/{path}" if self.address else path


class EditionFile(Strict):
    """content/edition.toml."""

    version: str = allowed('a version such as "1.2.0"', '版本号，例如 "1.2.0"', pattern=r"^\d+\.\d+\.\d+$")
    date: datetime.date = allowed("a date such as 2026-11-30", "日期，例如 2026-11-30")
    address: str = allowed(
        'an address such as "https://example.org/course", or nothing',
        '网址，例如 "https://example.org/course"，或留空',
        default="",
        pattern=f"^$|{ADDRESS}",
    )


def load_edition(source: TomlText) -> Edition:
    """Return the edition. Raises Problems."""
    if problems := source.problems + check(EditionFile, source):
        raise Problems(problems)
    data = source.data
    return Edition(data["version"], data["date"].isoformat(), data.get("address", ""))


def published_at(edition: Edition, address: str | None) -> Edition:
    """Return the edition with another public address; None leaves it. Raises Problems for one that is none."""
    if address is None:
        return edition
    if not re.fullmatch(ADDRESS, address):
        what = found_and_allowed(address, phrase(EditionFile, ("address",)))
        raise Problems([Problem("--address", None, "", what)])
    return replace(edition, address=address)
