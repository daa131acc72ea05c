"""Picking from a web page the passages that speak of what was searched for."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

EXCERPT_CHARACTERS = 900

_TERM = re.compile(r"[a-z0-9]+(?:[.,][0-9]+)*|[\u4e00-\u9fff]")


def best_excerpts(text: str, queries: Sequence[str], limit: int) -> list[str]:
    """The passages of a page that fit the queries best, in the page's order.

    Each passage's terms count by how rare they are on the page; no vectors are needed, since one
    page is too little text for its meaning to drown in.

    Args:
        text: The page's main text.
        queries: What was searched for.
        limit: Passages to return at most.
    """
    passages = _split(text)
    bags = [Counter(_terms(passage)) for passage in passages]
    spread = Counter(term for bag in bags for term in bag)
    wanted = {term for query in queries for term in _terms(query)}

    def fit(bag: Counter[str]) -> float:
        return sum(
            math.log1p(len(bags) / spread[term]) * min(bag[term], 3)
            for term in wanted
            if term in bag
        )

    ranked = sorted(range(len(passages)), key=lambda index: (-fit(bags[index]), index))
    return [passages[index] for index in sorted(ranked[:limit])]


def _terms(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).lower()
    words = _TERM.findall(folded)
    pairs = [a + b for a, b in pairwise(words) if len(a) == len(b) == 1]
    return [word for word in words if len(word) > 1] + pairs


def _split(text: str) -> list[str]:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    splitter = RecursiveCharacterTextSplitter(
        separators=["\n\n", "\n", "。", "！", "？", ". ", "! ", "? ", "；", "; ", " ", ""],
        keep_separator="end",
        chunk_size=EXCERPT_CHARACTERS,
        chunk_overlap=0,
    )
    return [passage.strip() for passage in splitter.split_text(text) if passage.strip()]
