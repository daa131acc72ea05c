"""Reading JSON out of what a model wrote, however it is wrapped, written or cut."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from research.llm.thoughts import without_thoughts

MAX_CHARACTERS = 500_000
"""More than any answer has; what stands behind it is not looked at."""
MAX_OPENERS = 60
"""Brackets from which a JSON value is looked for: prose can hold any number of them."""

_MARK = re.compile(r'["\\{}\[\]]')
_OPENER = re.compile(r"[{\[]")
_BEGINS_JSON = re.compile(
    r"\{\s*(?:[\"'“}/#]|\w+\s*:)|\[\s*(?:[\[{\"'“\]]|-?\d|true|false|null)", re.IGNORECASE
)
_CLOSER = {"{": "}", "[": "]"}


@dataclass(frozen=True)
class Parsed:
    """A JSON object or list."""

    value: dict[str, Any] | list[Any]
    whole: bool
    """False when the end seems to be missing: then what is there is not all there was."""


def parse_json(text: str) -> Any:
    """The JSON object or list in ``text``.

    Takes code fences, prose around it, thoughts in tags, single quotes, comments, trailing commas,
    Python's words for true and none, and output that was cut off.

    Raises:
        ValueError: There is nothing of the kind in it.
    """
    return parse(text).value


def parse(text: str) -> Parsed:
    """Like :func:`parse_json`, and says whether the end is there.

    Raises:
        ValueError: There is no JSON object or list in ``text``.
    """
    text = text[:MAX_CHARACTERS]
    if (value := _loads(text)) is not None:
        return Parsed(value, True)
    spans = sorted(_spans(without_thoughts(text)), key=lambda span: -len(span.text))
    for span in spans:
        if span.closed and (value := _loads(span.text)) is not None:
            return Parsed(value, True)
    import json_repair

    for span in spans:
        try:
            repaired = json_repair.loads(span.text, skip_json_loads=True)
        except (ValueError, RecursionError):
            continue
        if isinstance(repaired, dict | list) and repaired:
            return Parsed(repaired, span.closed or _looks_closed(span.text))
    raise ValueError("no JSON object or list in the text")


def _loads(text: str) -> dict[str, Any] | list[Any] | None:
    """What strict JSON says; also where it was put into a JSON string."""
    try:
        value = json.loads(text)
        if isinstance(value, str):
            value = json.loads(value)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict | list) else None


@dataclass(frozen=True)
class _Span:
    """A piece of text that opens with a bracket; closed when its partner was found."""

    text: str
    closed: bool


def _spans(text: str) -> list[_Span]:
    """Where JSON may stand in ``text``.

    An opening bracket without a partner is passed over in prose. Where it begins JSON the rest of
    the text belongs to it: what lies inside is a part, and must not be taken for the whole.
    """
    spans: list[_Span] = []
    at = 0
    for _ in range(MAX_OPENERS):
        opener = _OPENER.search(text, at)
        if not opener:
            break
        start = opener.start()
        if end := _end_of_value(text, start):
            spans.append(_Span(text[start:end], True))
        elif _BEGINS_JSON.match(text, start):
            spans.append(_Span(text[start : _end_of_text(text)], False))
            break
        at = end or start + 1
    return spans


def _end_of_value(text: str, start: int) -> int | None:
    """Where the value that opens at ``start`` ends; None where brackets do not match."""
    expected: list[str] = []
    quoted = False
    skip = -1
    for mark in _MARK.finditer(text, start):
        char = mark.group()
        if mark.start() == skip:
            continue
        if char == "\\":
            skip = mark.end()
        elif char == '"':
            quoted = not quoted
        elif not quoted and char in _CLOSER:
            expected.append(_CLOSER[char])
        elif not quoted:
            if not expected or expected.pop() != char:
                return None
            if not expected:
                return mark.end()
    return None


def _end_of_text(text: str) -> int:
    """The end, before a closing code fence."""
    fence = text.rfind("```")
    return fence if fence > 0 and not text[fence + 3 :].strip() else len(text)


def _looks_closed(span: str) -> bool:
    """Whether a value with unsound quotes is there to its end, by its brackets."""
    span = span.rstrip()
    balanced = all(span.count(opener) == span.count(_CLOSER[opener]) for opener in _CLOSER)
    return balanced and span.endswith(_CLOSER[span[0]])
