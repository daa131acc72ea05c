"""The sentences of a report, each with the passages it cites."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from research.i18n import language_of
from research.report.tree import Node

_CLOSING = tuple(".,;:!?)。，；：！？）")

STRETCH = 4000
"""Characters that are split at once: the time sentencex takes grows with the square of it."""


@dataclass(frozen=True)
class Sentence:
    """One sentence, or one row of a table, without its citation marks."""

    text: str
    passage_ids: tuple[str, ...]
    opens: bool
    """Whether it is the first of its paragraph, list item or row."""
    head: str = ""
    """The head of the table that the row stands in: it may name the scale of the numbers."""


def sentences(blocks: list[Node]) -> Iterator[Sentence]:
    """The sentences under ``blocks`` in reading order; headings and code are none.

    A citation belongs to the sentence it follows, whether it stands before or behind the full
    stop. A row of a table counts as one sentence.
    """
    for block in blocks:
        if block["t"] == "paragraph":
            yield from _split(block["c"])
        elif block["t"] == "quote":
            yield from sentences(block["c"])
        elif block["t"] == "list":
            for item in block["c"]:
                yield from sentences(item)
        elif block["t"] == "table":
            head, _ = _row(block["head"])
            for row in block["rows"]:
                yield Sentence(*_row(row), opens=True, head=head)


def split(text: str) -> list[str]:
    """The sentences of plain ``text``, which they make up again when joined."""
    from sentencex import segment

    language = language_of(text[:STRETCH])
    return [piece for part in _stretches(text) for piece in segment(language, part)]


def _stretches(text: str) -> Iterator[str]:
    begin = 0
    while len(text) - begin > STRETCH:
        ends = [text.rfind(mark, begin, begin + STRETCH) + len(mark) for mark in ("。", ". ", " ")]
        end = next((end for end in ends if end > begin + len(" ")), begin + STRETCH)
        yield text[begin:end]
        begin = end
    yield text[begin:]


def _split(inlines: list[Node]) -> Iterator[Sentence]:
    words, marks = _flatten(inlines)
    pieces = split(words)
    end, at = 0, 0
    for index, piece in enumerate(pieces):
        end += len(piece)
        here = []
        while at < len(marks) and (marks[at][0] <= end or index == len(pieces) - 1):
            here.append(marks[at][1])
            at += 1
        if piece.strip():
            yield Sentence(piece.strip(), _unique(here), opens=index == 0)


def _row(cells: list[list[Node]]) -> tuple[str, tuple[str, ...]]:
    pieces = [_flatten(cell) for cell in cells]
    marks = [passage_id for _, cell in pieces for _, passage_id in cell]
    return " | ".join(words.strip() for words, _ in pieces), _unique(marks)


def _flatten(inlines: list[Node]) -> tuple[str, list[tuple[int, str]]]:
    """Plain words, and each cited passage with the length of the words before its mark."""
    words = ""
    marks: list[tuple[int, str]] = []
    for part in inlines:
        if part["t"] == "cite":
            at = len(words.rstrip())
            marks += [(at, passage_id) for passage_id in part["ids"]]
        elif "c" in part:
            inner, inner_marks = _flatten(part["c"])
            marks += [(len(words) + at, passage_id) for at, passage_id in inner_marks]
            words += inner
        else:
            text = " " if part["t"] in ("soft", "break") else part["text"]
            words = words.rstrip(" ") + text if text[:1] in _CLOSING else words + text
    return words, marks


def _unique(ids: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))
