"""What the page's scripts need to be live: inputs of the core, the keys' schema, number formats, words."""

from __future__ import annotations

import json
from typing import Any

from .config import Config
from .formulas import Formula
from .numbers import Declaration
from .settings import SCHEMA, page_schema
from .terms import Terms

# Groups of content/terms.toml whose words the scripts put into the page.
WORDS = (
    "live",
    "tools",
    "place",
    "kind",
    "chain",
    "sentence",
    "setting",
    "check",
    "card",
    "pin",
    "readout",
)


def live_json(
    config: Config,
    declared: dict[str, Declaration],
    formulas: dict[str, Formula],
    terms: Terms,
    language: str,
) -> str:
    """Return the page's live data as JSON that may stand in a script element."""
    data: dict[str, Any] = {
        "schema": SCHEMA,
        "setup": config.setup,
        "settings": config.settings,
        "betas": config.beta_choices,
        "keys": page_schema(config, language),
        "numbers": {
            shape: [
                None if entry.style == "setting" else entry.decimals,
                entry.zh if language == "zh" else entry.en,
                formulas[entry.formula].text,
            ]
            for shape, entry in declared.items()
        },
        "words": {
            key: text[language]
            for key, text in terms.texts.items()
            if key.startswith(tuple(f"{group}." for group in WORDS))
        },
    }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
