"""JSON that may end too early: everything that was written down completely is kept."""

from __future__ import annotations

import json
import re
from typing import Any

DECODER = json.JSONDecoder(strict=False)
BETWEEN = re.compile(r"[\s,]*")
COLON = re.compile(r"\s*:\s*")
DEEPEST = 40
"""Containers within containers that are looked into where one of them is not whole."""


def parse(text: str) -> tuple[Any, bool]:
    """The value in ``text``, and whether it is whole.

    Raises:
        ValueError: There is not even the beginning of a value.
        RecursionError: It is nested too deeply.
    """
    start = BETWEEN.match(text).end()  # type: ignore[union-attr]
    try:
        value, end = DECODER.raw_decode(text, start)
    except ValueError:
        return _partial(text, start, DEEPEST), False
    return value, not text[end:].strip()


def _partial(text: str, start: int, depth: int) -> Any:
    """What is whole in the array or object that begins at ``start``.

    Raises:
        ValueError: None begins there.
    """
    opening = text[start : start + 1]
    if opening not in ("[", "{") or not depth:
        raise ValueError("no array or object")
    found: dict[Any, Any] = {}
    at = start + 1
    while True:
        at = BETWEEN.match(text, at).end()  # type: ignore[union-attr]
        key: Any = len(found)
        try:
            if opening == "{":
                key, at = DECODER.raw_decode(text, at)
                colon = COLON.match(text, at)
                at = colon.end() if colon else len(text)
            found[str(key) if opening == "{" else key], at = DECODER.raw_decode(text, at)
        except ValueError:
            _add_last(found, key, text, at, depth)
            return found if opening == "{" else list(found.values())


def _add_last(found: dict[Any, Any], key: Any, text: str, at: int, depth: int) -> None:
    """The value where it breaks off, as far as it goes."""
    try:
        last = _partial(text, at, depth - 1)
    except ValueError:
        return
    if last:
        found[key] = last
