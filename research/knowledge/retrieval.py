"""Finds passages for questions: by meaning and by word, fused by rank."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence

from research.knowledge.embedding import Embedder
from research.knowledge.keywords import matching, spread
from research.knowledge.store import Store
from research.knowledge.tokens import index_tokens, query_tokens
from research.knowledge.vectors import VectorIndex
from research.models import Hit, Passage

RANK_DAMPING = 60
"""The constant of reciprocal rank fusion."""
CANDIDATES = 50
"""Passages each side hands in for each query."""
WINDOWS = 4
"""Vectors looked at for each of them, as a passage has several."""
FLOOR = 0.15
"""A passage without a single word of the query must be at least this similar."""
MOST_TOKENS = 24
COMMON_FROM = 2_000
"""From this many passages on, words are dropped that a tenth of them hold."""
SAME_WORDS = 0.9
"""Share of words two passages have in common when one of them is left out."""
NUMBER = re.compile(r"\d")


class Retriever:
    """Hybrid search over a store.

    Args:
        store: The passages and their words.
        index: Their vectors.
        embedder: Turns queries into vectors.
    """

    def __init__(self, store: Store, index: VectorIndex, embedder: Embedder) -> None:
        self._store = store
        self._index = index
        self._embedder = embedder

    def search(
        self, queries: Sequence[str], documents: Collection[str] | None, limit: int
    ) -> list[Hit]:
        """The passages that fit any of ``queries``, the best first, without near-doubles."""
        asked = list(dict.fromkeys(query.strip() for query in queries if query.strip()))
        if not asked or not self._store.count():
            return []
        among = None if documents is None else self._store.numbers(documents)
        if among == []:
            return []
        compared = [query for query in asked if self._embedder.understands(query)]
        scores: dict[int, float] = defaultdict(float)
        by_word = self._add_by_word(asked, documents, scores)
        similarity = self._add_by_meaning(compared, among, scores)
        best = sorted(scores, key=lambda number: (-scores[number], number))
        kept = [n for n in best if n in by_word or similarity.get(n, 0.0) >= FLOOR]
        passages = self._store.numbered(kept)
        hits = (
            Hit(passage=passages[n], score=scores[n], similarity=similarity.get(n))
            for n in kept
            if n in passages
        )
        return _varied(hits, limit)

    def _add_by_word(
        self, queries: Sequence[str], documents: Collection[str] | None, scores: dict[int, float]
    ) -> set[int]:
        found: set[int] = set()
        for query in queries:
            tokens = self._telling(query_tokens(query))
            numbers = matching(self._store, tokens, documents, CANDIDATES) if tokens else []
            _add_ranks(numbers, scores)
            found.update(numbers)
        return found

    def _add_by_meaning(
        self, queries: Sequence[str], among: Sequence[int] | None, scores: dict[int, float]
    ) -> dict[int, float]:
        """Add the ranks of the nearest; return the best cosine of every candidate so far."""
        if not queries:
            return {}
        vectors = self._embedder.embed(queries)
        for numbers in self._index.nearest(vectors, among, CANDIDATES * WINDOWS):
            _add_ranks(numbers[:CANDIDATES], scores)
        own = self._index.vectors(scores)
        return {number: float((vectors @ windows.T).max()) for number, windows in own.items()}

    def _telling(self, tokens: Sequence[str]) -> list[str]:
        """The tokens without those that so many passages hold that they only cost time."""
        total = self._store.count()
        if total < COMMON_FROM:
            return list(tokens[:MOST_TOKENS])
        most = total // 10
        spread = {token: spread(self._store, token, most) for token in tokens}
        rare = sorted(tokens, key=lambda token: spread[token])
        return [token for token in rare if spread[token] < most][:MOST_TOKENS] or rare[:2]


def _add_ranks(numbers: Sequence[int], scores: dict[int, float]) -> None:
    for rank, number in enumerate(numbers, start=1):
        scores[number] += 1 / (RANK_DAMPING + rank)


def _varied(hits: Iterable[Hit], limit: int) -> list[Hit]:
    """The first ``limit`` hits without near-doubles; at first only a few rows of each table.

    The rows of a table are alike: where one of them fits, all do, and would push out the text.
    """
    kept: list[Hit] = []
    surplus: list[Hit] = []
    seen: list[set[str]] = []
    rows: Counter[str] = Counter()
    for hit in hits:
        words = _words(hit.passage)
        if any(_are_same(words, others) for others in seen):
            continue
        seen.append(words)
        if hit.passage.place.rows:
            rows[hit.passage.source_id] += 1
        few = not hit.passage.place.rows or rows[hit.passage.source_id] <= max(1, limit // 4)
        (kept if few else surplus).append(hit)
        if len(kept) == limit:
            break
    return [*kept, *surplus][:limit]


def _words(passage: Passage) -> set[str]:
    return set(index_tokens(passage.text).split())


def _are_same(first: set[str], second: set[str]) -> bool:
    """Whether two passages say the same: nearly all their words and every number."""
    common = len(first & second)
    differing = first ^ second
    return common >= SAME_WORDS * len(first | second) and not any(
        NUMBER.search(word) for word in differing
    )
