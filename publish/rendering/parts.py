"""What "save this page" needs to write one file: styles and scripts as text, which a page itself may not read."""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path

from .policy import policy

URL = re.compile(r'url\("([^"]+)"\)')


def wrapped(name: str, script: str) -> str:
    """Return a script as a function that is kept under a global name and called once: its text can then be had back."""
    return f"globalThis.{name}=function(){{{script}\n}};globalThis.{name}();\n"


def inlined(style: str, folder: Path) -> str:
    """Return a style sheet with the files that it names as data."""

    def data(match: re.Match[str]) -> str:
        content = base64.b64encode((folder / match[1]).read_bytes()).decode()
        return f'url("data:font/woff2;base64,{content}")'

    return URL.sub(data, style)


def write_parts(assets: Path) -> None:
    """Write assets/parts.js: RLPU_PARTS with the style sheets as one text, the page's scripts by name, and the policy.

    The policy is that of a saved page.
    """
    styles = [path.read_text(encoding="utf-8") for path in sorted(assets.glob("*.css"))]
    scripts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((assets / "js").glob("*.js"))}
    parts = {"style": inlined("\n".join(styles), assets), "scripts": scripts, "policy": policy("saved")}
    text = f"globalThis.RLPU_PARTS={json.dumps(parts, ensure_ascii=False)};\n"
    (assets / "parts.js").write_bytes(text.encode("utf-8"))
