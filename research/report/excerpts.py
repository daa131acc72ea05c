"""The part of a passage that is printed beside its citation."""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.models import Passage
from research.report.sentences import sentences, split
from research.report.tree import parse

EXCERPT = 360
"""Characters; enough to judge a citation by, few enough to keep the list of sources readable."""

ROW_GAP = " · "
"""Between rows of a table, which are printed as running text."""

_PIECE = re.compile(r"[^\W_]{3,}|[\u3400-\u9fff]")


def citing_sentences(markdown: str) -> dict[str, list[str]]:
    """The sentences of a report by the passage that they cite.

    The sentences of a paragraph before its first citation count as citing it as well: a quotation
    of several sentences has its citation at the end.
    """
    citing: dict[str, list[str]] = {}
    run: list[str] = []
    for sentence in sentences(parse(markdown)):
        if sentence.opens:
            run = []
        run.append(sentence.text)
        for passage_id in sentence.passage_ids:
            citing.setdefault(passage_id, []).extend(run)
        if sentence.passage_ids:
            run = []
    return citing


def excerpt(passage: Passage, citing: Sequence[str], limit: int = EXCERPT) -> str:
    """The part of ``passage`` that says most of what ``citing`` says, cut at ``limit``.

    Args:
        passage: A passage; of rows of a table the head comes along.
        citing: The sentences of the report that cite it.
        limit: Longest excerpt, in characters.
    """
    rows = passage.place.rows is not None
    pieces = _lines(passage.text) if rows else split(re.sub(r"\s+", " ", passage.text).strip())
    text = "".join(pieces)
    if len(text) <= limit:
        return text.removesuffix(ROW_GAP)
    wanted = set(_PIECE.findall(" ".join(citing).casefold()))
    shared = [wanted & set(_PIECE.findall(piece.casefold())) for piece in pieces]
    head = len(pieces[0]) if rows else 0
    ends = [_end(pieces, at, limit - head * (at > 0)) for at in range(len(pieces))]
    worth = [(len(set().union(*shared[at:end])), len(shared[at])) for at, end in enumerate(ends)]
    start = worth.index(max(worth))
    kept = (pieces[0] if rows and start else "") + "".join(pieces[start : ends[start]])
    lead = "… " if start and not rows else ""
    tail = "" if len(kept) <= limit and text.endswith(kept) else " …"
    return lead + _cut(kept, limit).removesuffix(ROW_GAP) + tail


def _end(pieces: list[str], start: int, limit: int) -> int:
    """Where a stretch from ``start`` ends that is no longer than ``limit``; one piece at least."""
    end, length = start + 1, len(pieces[start])
    while end < len(pieces) and length + len(pieces[end]) <= limit:
        length += len(pieces[end])
        end += 1
    return end


def _lines(text: str) -> list[str]:
    return [" ".join(line.split()) + ROW_GAP for line in text.splitlines() if line.strip()]


def _cut(text: str, limit: int) -> str:
    """``text`` up to ``limit`` characters, at a space where there is one near."""
    if len(text) <= limit:
        return text.rstrip() if not text.endswith(ROW_GAP) else text
    space = text.rfind(" ", limit - 40, limit)
    return text[: space if space > 0 else limit].rstrip()
