"""The one catalogue of every text a user sees, in English and Chinese.

Each file in ``catalogue/`` holds one area; its name is the first part of every key in it, and
each entry has both languages side by side::

    [ask.placeholder]          # in pages.toml: the key is pages.ask.placeholder
    en = "What do you want to know?"
    zh = "你想了解什么？"
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from research.models import Language, Notice

CATALOGUE = Path(__file__).with_name("catalogue")


def _flatten(prefix: str, node: dict[str, Any], into: dict[str, dict[str, str]]) -> None:
    if "en" in node or "zh" in node:
        into[prefix] = node
        return
    for name, child in node.items():
        _flatten(f"{prefix}.{name}", child, into)


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """Every entry by its key: ``{"pages.ask.placeholder": {"en": ..., "zh": ...}}``."""
    entries: dict[str, dict[str, str]] = {}
    for path in sorted(CATALOGUE.glob("*.toml")):
        _flatten(path.stem, tomllib.loads(path.read_text("utf-8")), entries)
    return entries


def text(key: str, language: Language, **params: Any) -> str:
    """The sentence behind ``key``, its gaps filled.

    Raises:
        KeyError: The catalogue has no such key, or ``params`` leaves a gap open.
    """
    return catalogue()[key][language].format(**params)


def notice_text(notice: Notice, language: Language) -> str:
    """The sentence of a notice."""
    return text(notice.key, language, **notice.params)


def language_of(sample: str) -> Language:
    """``zh`` when a fifth or more of the letters are Chinese, otherwise ``en``."""
    letters = [char for char in sample if char.isalpha()]
    chinese = sum("\u4e00" <= char <= "\u9fff" for char in letters)
    return "zh" if letters and chinese * 5 >= len(letters) else "en"
