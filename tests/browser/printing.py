"""Printing in a browser, with an end: Chromium at times never finishes a page, and Page.pdf would wait for ever."""

from __future__ import annotations

import base64
import functools
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, TimeoutError

MILLISECONDS = 60_000
TRIES = 3
A4 = {"paperWidth": 8.27, "paperHeight": 11.69} | {
    f"margin{side}": 0 for side in ("Top", "Bottom", "Left", "Right")
}


class Stuck(Exception):
    """The browser does not come back from printing."""


def printed(page: Page) -> bytes:
    """Return a page as PDF, on A4 without margins. Raises Stuck; the page is of no use then."""
    session = page.context.new_cdp_session(page)
    try:
        return base64.b64decode(session.send("Page.printToPDF", A4, timeout=MILLISECONDS)["data"])
    except TimeoutError as error:
        raise Stuck from error


def prints(test: Callable[..., None]) -> Callable[..., None]:
    """Let a test that prints begin again, on a page of its own, when the browser got stuck."""

    @functools.wraps(test)
    def run(*arguments: Any, **named: Any) -> None:
        for _ in range(TRIES - 1):
            try:
                return test(*arguments, **named)
            except Stuck:
                continue
        return test(*arguments, **named)

    return run
