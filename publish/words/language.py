"""The two languages, and texts that exist in both."""

from __future__ import annotations

from dataclasses import dataclass

LANGUAGES = ("zh", "en")
HTML_LANG = {"zh": "zh-CN", "en": "en"}
LOCALE = {"zh": "zh_CN", "en": "en_US"}  # as Open Graph names languages


@dataclass(frozen=True)
class Text:
    """One text in both languages; text["zh"], text["en"]."""

    zh: str
    en: str

    def __getitem__(self, language: str) -> str:
        return self.zh if language == "zh" else self.en

    def format(self, language: str, **values: object) -> str:
        """Return the text of one language with its {placeholders} filled."""
        return self[language].format(**values)
