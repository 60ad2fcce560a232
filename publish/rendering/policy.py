"""The Content-Security-Policy of pages: what a page may load and run; it stands in the page, so that it holds offline.

The built page and the copy that a reader saves differ in a few directives only; both are made here.
"""

from __future__ import annotations

import base64
import hashlib
from typing import Literal

from markupsafe import Markup

Kind = Literal["built", "saved"]


def hash_source(text: str) -> str:
    """Return the word by which a policy knows this text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


NONCE = "{nonce}"  # in the saved page's policy; the page puts a fresh one there when it is saved
# Plotly makes an empty style element and adds its rules one by one: only that one has no nonce and no file.
EMPTY = hash_source("")
# The only style attribute that it writes: the small print of powers of ten on an axis.
POWERS = f"'unsafe-hashes' {hash_source('font-size:70%')}"

BUILT = {
    "default-src": "'none'",
    "script-src": "'self' 'wasm-unsafe-eval'",  # files of the site, and MicroPython's WebAssembly; nothing inline
    "worker-src": "blob:",  # a program that the reader runs has a worker of its own
    "style-src": f"'self' {EMPTY} {POWERS}",
    "img-src": "'self' data: blob:",  # charts are made into pictures in the page
    "font-src": "'self'",
    # Pages fetch nothing. But checkers (of robots.txt, say) and `build.py serve` ask their own host through the page.
    "connect-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'none'",
    "form-action": "'none'",
}
CHANGES: dict[Kind, dict[str, str]] = {
    "built": {},
    "saved": {  # everything stands inside: styles and scripts are known by their nonce, fonts are data
        "script-src": f"'nonce-{NONCE}' 'wasm-unsafe-eval'",
        "style-src": f"'nonce-{NONCE}' {EMPTY} {POWERS}",
        "img-src": "data: blob:",
        "font-src": "data:",
        "connect-src": "'none'",
    },
}


def policy(kind: Kind) -> str:
    """Return the policy's directives as one text."""
    return "; ".join(f"{name} {value}" for name, value in (BUILT | CHANGES[kind]).items())


def meta(kind: Kind = "built") -> Markup:
    """Return the element that states the policy; it stands in the head, before anything that it is to govern."""
    return Markup(f'<meta http-equiv="Content-Security-Policy" content="{policy(kind)}">')
