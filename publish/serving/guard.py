"""What the server on this machine refuses: requests meant for another name, and files outside the site.

A page of a foreign site can let its own name lead to this machine (DNS rebinding) and then read what is served here;
the browser still names that site as the host.
"""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

OWN_NAMES = ("127.0.0.1", "localhost")


def is_own(host: str | None, port: int) -> bool:
    """Tell whether a request's Host means this server; who names no host is no browser."""
    return not host or host.lower() in (*OWN_NAMES, *(f"{name}:{port}" for name in OWN_NAMES))


def refusal(host: str | None, port: int, target: str, site: Path) -> HTTPStatus | None:
    """Return with which status a request is refused, or None. target: the file that its address means."""
    if not is_own(host, port):
        return HTTPStatus.MISDIRECTED_REQUEST
    if "\0" in target:
        return HTTPStatus.BAD_REQUEST
    path = Path(target)
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        pass  # an address may stand for something else than a file
    except OSError:  # a name that is too long, links in a circle
        return HTTPStatus.NOT_FOUND
    return None if path.resolve().is_relative_to(site.resolve()) else HTTPStatus.NOT_FOUND
