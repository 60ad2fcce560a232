"""What `build.py serve` adds to a page: its script, leave for that script to talk to it, and mistakes as data."""

from __future__ import annotations

import hashlib
import html
import json
from pathlib import Path

from ..reading.problems import Phrase, Problem, place_of
from ..words.language import HTML_LANG

SERVE = Path(__file__).resolve().parents[2] / "templates" / "serve"
PREFIX = "/-/"
FILES = {"serve.js": "text/javascript", "serve.css": "text/css"}  # of templates/serve, under PREFIX
RELOAD_PATH = PREFIX + "reload"

TITLE: Phrase = ("The site cannot be built", "站点无法构建")
STAYS: Phrase = ("Below is the last good page.", "下面是上一次成功构建的页面。")
NOTHING: Phrase = ("There is no good build yet.", "还没有成功的构建。")
WAITS: Phrase = (
    "Correct the file and save it: the page comes back by itself.",
    "改正并保存文件后，页面会自动恢复。",
)
CLOSE: Phrase = ("Close", "关闭")


def served(page: bytes, stamp: str) -> bytes:
    """Return a page with the server's script, which the page's policy lets talk to its own server."""
    text = page.decode("utf-8", "surrogateescape")
    script = f'<script src="{PREFIX}serve.js" data-stamp="{stamp}" defer></script>'
    text = text.replace("</head>", script + "</head>", 1) if "</head>" in text else text + script
    return text.encode("utf-8", "surrogateescape")


def stamp_of(parts: list[bytes]) -> str:
    """Return what tells one page, with the style and scripts that it loads, from another."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.hexdigest()[:16]


def problems_json(problems: list[Problem]) -> str:
    """Return mistakes for the page to show in its own language: every text as [English, Chinese]."""
    listed = [
        {"place": place_of(problem), "key": problem.key, "what": problem.what, "hint": problem.hint}
        for problem in problems
    ]
    words = {"title": TITLE, "stays": STAYS, "nothing": NOTHING, "waits": WAITS, "close": CLOSE}
    return json.dumps({"words": words, "problems": listed}, ensure_ascii=False)


def page_of_mistakes(problems: list[Problem], language: str) -> bytes:
    """Return the page shown as long as there is no good build: it reads without scripts, and recovers with them."""
    chinese = language == "zh"
    items = "".join(
        "<li><code>{}</code> <strong>{}</strong> {}{}</li>".format(
            *(html.escape(text) for text in (place_of(problem), problem.key, problem.what[chinese])),
            html.escape(f" {problem.hint[chinese]}" if problem.hint else ""),
        )
        for problem in problems
    )
    return (
        f'<!doctype html>\n<html lang="{HTML_LANG[language]}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<title>{TITLE[chinese]}</title><link rel="stylesheet" href="{PREFIX}serve.css"></head>'
        f'<body class="serve-only"><main class="serve-problems"><h1>{TITLE[chinese]}</h1>'
        f"<p>{NOTHING[chinese]} {WAITS[chinese]}</p><ul>{items}</ul></main></body></html>\n"
    ).encode()
