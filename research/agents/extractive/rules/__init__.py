"""Rules in natural language, kept as data: lists of patterns that are alternatives."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


@cache
def rules(name: str) -> dict[str, Any]:
    """The rules of ``name``.toml; in its patterns ``<WORD>`` is filled in from its ``[words]``."""
    data = tomllib.loads((HERE / f"{name}.toml").read_text("utf-8"))
    words = {word.upper(): "|".join(forms) for word, forms in data.get("words", {}).items()}
    filled: dict[str, Any] = _filled(data, words)
    return filled


@cache
def pattern(name: str, *keys: str) -> re.Pattern[str]:
    """The alternatives under ``keys`` in ``name``.toml as one pattern, blind to case."""
    node: Any = rules(name)
    for key in keys:
        node = node[key]
    return re.compile("|".join(node), re.IGNORECASE)


def _filled(node: Any, words: dict[str, str]) -> Any:
    if isinstance(node, dict):
        return {key: _filled(value, words) for key, value in node.items()}
    if isinstance(node, list):
        return [_filled(value, words) for value in node]
    return re.sub(r"<([A-Z_]+)>", lambda found: words[found[1]], node)
