"""From the blocks of a document to its passages."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from research.knowledge.readers import Block
from research.models import Passage, Place

if TYPE_CHECKING:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

CHARS = 900
"""A passage has at most about this many characters; 2,000 lose a fifth of the answers."""
EVEN_SLACK = 80
SEPARATORS = [
    r"\n\n",
    r"\n",
    r"[。！？…][”’）」』]*",
    r"[.!?][\"')\]]*\s+",
    r"[；;]\s*",
    r"[，、]|,\s+",
    r"\s+",
    "",
]
GIANT = re.compile(r"[^\s。！？…；，、.!?;,]{5000}")
"""No word, but data."""


def passages_of(source_id: str, blocks: Sequence[Block]) -> list[Passage]:
    """Cut ``blocks`` into passages; each stays within one page, heading and stretch of rows.

    Args:
        source_id: The document.
        blocks: Its text in reading order.
    """
    found: dict[str, Passage] = {}
    for place, text in _stretches(blocks):
        for piece in _pieces(text):
            passage = Passage.of(source_id, piece, place)
            found.setdefault(passage.id, passage)
    return list(found.values())


def _stretches(blocks: Sequence[Block]) -> Iterator[tuple[Place, str]]:
    for place, group in groupby(blocks, key=_place):
        if place.rows:  # two tables of one title may have the same rows
            yield from ((place, block.text) for block in group)
        else:
            yield place, "\n\n".join(block.text for block in group)


def _place(block: Block) -> Place:
    return Place(
        page=block.page,
        slide=block.slide,
        sheet=block.sheet,
        rows=block.rows,
        heading=block.heading,
    )


def _pieces(text: str) -> Iterator[str]:
    if len(text) <= CHARS:
        pieces = [text]
    elif GIANT.search(text):  # the splitter would try every character of it
        pieces = [text[at : at + CHARS] for at in range(0, len(text), CHARS)]
    else:
        pieces = _splitter(len(text)).split_text(text)
    for piece in pieces:
        stripped = piece.strip()
        if re.search(r"\w", stripped):
            yield stripped


def _splitter(length: int) -> RecursiveCharacterTextSplitter:
    """A splitter that cuts a text of ``length`` into pieces of about the same size."""
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    even = math.ceil(length / math.ceil(length / CHARS))
    return RecursiveCharacterTextSplitter(
        separators=SEPARATORS,
        is_separator_regex=True,
        keep_separator="end",
        chunk_size=min(CHARS, even + EVEN_SLACK),
        chunk_overlap=0,
    )
