"""Finds passages for questions: by meaning and by word, fused by rank, then looked at once more.

The fusion is reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009) in which each rank
counts as much as the evidence behind it: the share of the question's words that the passage holds,
or its cosine. Without that, words that happen to occur push the answer aside where it is in another
language than the question. ``benchmarks/retrieval.py`` shows how the constants were chosen.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from research.errors import ConfigurationError
from research.i18n import language_of
from research.knowledge.keywords import matching
from research.knowledge.reranking import Reranker
from research.knowledge.serving import Serving
from research.knowledge.store import Store
from research.knowledge.tokens import query_tokens
from research.models import Hit, Passage

if TYPE_CHECKING:
    import numpy as np

WORD_WEIGHT = 1.5
"""Of a rank by word where all words of the question are there; one by meaning with a cosine of 1
weighs 1."""
COVERAGE_POWER = 1.5
COSINE_POWER = 2
LANGUAGE_SAMPLE = 5
"""Passages nearest in meaning whose language is looked at."""
RANK_DAMPING = 60
CANDIDATES = 50
"""Passages each side hands in for each query."""
WINDOWS = 4
"""Vectors looked at for each of them, as a passage has several."""
FLOOR = 0.15
"""A passage without a single word of the query must be at least this similar."""
RERANKED = 30
"""Passages that a cross-encoder reads."""
POINTED_AT = 3
"""Rows of a table count in full up to this rank by word."""
DOUBT = 0.85
SAME_WORDS = 0.9
"""Share of words two passages have in common when one of them is left out."""
NUMBER = re.compile(r"\d")
WORD = re.compile(r"[\u3040-\u9fff]|[^\W\u3040-\u9fff]+")

Ranking = Sequence[tuple[int, float]]
"""Numbers of passages, the best first, each with how strong the evidence for it is."""


class Retriever:
    """Hybrid search over a store.

    Args:
        store: The passages and their words.
        serving: Their vectors, and the model that made them.
        reranker: Reads the best once more; None leaves them in fused order.
    """

    def __init__(self, store: Store, serving: Serving, reranker: Reranker | None = None) -> None:
        self._store = store
        self._serving = serving
        self._reranker = reranker

    def search(
        self, queries: Sequence[str], documents: Collection[str] | None, limit: int
    ) -> list[Hit]:
        """The passages that fit any of ``queries``, the best first, without near-doubles.

        Args:
            queries: The question first, then other ways to say it.
            documents: Ids of the documents to look in; all when None.
            limit: How many passages at most.
        """
        asked = list(dict.fromkeys(query.strip() for query in queries if query.strip()))
        if not asked or not self._store.count():
            return []
        among = None if documents is None else self._store.numbers(documents)
        if among == []:
            return []
        by_word = {query: self.by_word(query, documents) for query in asked}
        vectors, by_meaning, own = self._compared(asked, among)
        scores = fuse(self.rankings(by_word, by_meaning))
        word_ranks = best_ranks([n for n, _ in found] for found in by_word.values())
        meaning_ranks = best_ranks([n for n, _ in found] for found in by_meaning.values())
        similarity = self._similarity(vectors, own, scores)
        best = sorted(scores, key=lambda number: (-scores[number], number))
        kept = [n for n in best if n in word_ranks or similarity.get(n, 0.0) >= FLOOR]
        passages = self._store.numbered(kept)
        hits = [
            Hit(
                passage=passages[n],
                score=scores[n],
                similarity=similarity.get(n),
                by_word=word_ranks.get(n),
                by_meaning=meaning_ranks.get(n),
            )
            for n in kept
            if n in passages
        ]
        hits.sort(key=_doubted, reverse=True)
        return _varied(self._reranked(asked[0], hits), limit)

    def by_word(
        self, query: str, documents: Collection[str] | None = None
    ) -> list[tuple[int, float]]:
        """The passages that hold words of ``query``, the best first, each with its coverage.

        See :func:`~research.knowledge.keywords.matching`.
        """
        return matching(self._store, query_tokens(query), documents, CANDIDATES)

    def by_meaning(
        self, queries: Sequence[str], among: Collection[int] | None = None
    ) -> tuple[np.ndarray | None, dict[str, list[tuple[int, float]]]]:
        """The vectors of those queries that the model understands, and what is nearest to each.

        Args:
            queries: What is looked for.
            among: Numbers of the passages to look at; all of them when None.

        Returns:
            The vectors, and for each query the nearest passages, each with its cosine.
        """
        vectors, found, _ = self._compared(queries, among)
        return vectors, found

    def _compared(
        self, queries: Sequence[str], among: Collection[int] | None
    ) -> tuple[np.ndarray | None, dict[str, list[tuple[int, float]]], dict[int, np.ndarray]]:
        """As :meth:`by_meaning`, and the vectors of all passages that were looked at."""
        try:
            embedder, index = self._serving.current()
            compared = [query for query in queries if embedder.understands(query)]
            if not compared:
                return None, {}, {}
            vectors = embedder.embed_queries(compared)
        except ConfigurationError as error:  # its words still lead to what is looked for
            self._serving.trouble = error.notice
            return None, {}, {}
        self._serving.trouble = None
        nearest = [
            numbers[:CANDIDATES] for numbers in index.nearest(vectors, among, CANDIDATES * WINDOWS)
        ]
        own = index.vectors({number for numbers in nearest for number in numbers})
        found = {}
        for query, vector, numbers in zip(compared, vectors, nearest, strict=True):
            cosines = [(n, float((own[n] @ vector).max())) for n in numbers if n in own]
            found[query] = sorted(cosines, key=lambda each: (-each[1], each[0]))
        return vectors, found, own

    def rankings(
        self,
        by_word: Mapping[str, Ranking],
        by_meaning: Mapping[str, Ranking],
        weight: float = WORD_WEIGHT,
    ) -> list[Ranking]:
        """What is to be fused.

        Args:
            by_word: For each query its passages with their coverage.
            by_meaning: For each query that was compared its passages with their cosine.
            weight: Of the words.
        """
        found: list[Ranking] = []
        for query, ranking in by_word.items():
            shared = self._shared_language(query, by_meaning.get(query, ()))
            found.append(
                [
                    (number, weight * max(shared, coverage) ** 0.5 * coverage**COVERAGE_POWER)
                    for number, coverage in ranking
                ]
            )
        for ranking in by_meaning.values():
            found.append([(n, max(0.0, cosine) ** COSINE_POWER) for n, cosine in ranking])
        return found

    def _shared_language(self, query: str, nearest: Ranking) -> float:
        """The share of the nearest passages that are in the language of ``query``.

        Words lead to passages in the language of the question only.
        """
        numbers = [number for number, _ in nearest[:LANGUAGE_SAMPLE]]
        passages = self._store.numbered(numbers).values()
        same = [language_of(passage.text) == language_of(query) for passage in passages]
        return sum(same) / len(same) if same else 1.0

    def _similarity(
        self, vectors: np.ndarray | None, own: Mapping[int, np.ndarray], numbers: Iterable[int]
    ) -> dict[int, float]:
        """The best cosine of each passage over all queries; ``own`` are vectors that are known."""
        if vectors is None:
            return {}
        _, index = self._serving.current()
        further = index.vectors([number for number in numbers if number not in own])
        return {
            number: float((vectors @ windows.T).max())
            for number, windows in {**own, **further}.items()
            if windows.shape[1] == vectors.shape[1]  # another model may have taken over meanwhile
        }

    def _reranked(self, question: str, hits: list[Hit]) -> list[Hit]:
        """The hits in the order of the cross-encoder, where there is one that can judge them."""
        if self._reranker is None or not self._reranker.understands(question):
            return hits
        read = [hit for hit in hits[:RERANKED] if self._reranker.understands(hit.passage.text)]
        judged = self._reranker.scores(question, [in_context(hit.passage) for hit in read])
        places = [hits.index(hit) for hit in read]
        marked = [
            hit.model_copy(update={"reranked": score})
            for hit, score in zip(read, judged, strict=True)
        ]
        marked.sort(key=lambda hit: -(hit.reranked or 0.0))
        ordered = list(hits)
        for place, hit in zip(places, marked, strict=True):
            ordered[place] = hit
        return ordered


def fuse(rankings: Iterable[Ranking]) -> dict[int, float]:
    """The fused score of each passage: over all rankings the sum of weight over damped rank."""
    scores: dict[int, float] = defaultdict(float)
    for ranking in rankings:
        for rank, (number, weight) in enumerate(ranking, start=1):
            scores[number] += weight / (RANK_DAMPING + rank)
    return scores


def best_ranks(rankings: Iterable[Sequence[int]]) -> dict[int, int]:
    """The best rank of each passage over all rankings, from 1."""
    ranks: dict[int, int] = {}
    for ranking in rankings:
        for rank, number in enumerate(ranking, start=1):
            ranks[number] = min(rank, ranks.get(number, rank))
    return ranks


def in_context(passage: Passage) -> str:
    """A passage under its headings, as a cross-encoder is to read it."""
    return "\n".join((*passage.place.heading[-2:], passage.text))


def _doubted(hit: Hit) -> float:
    """The score of a hit; less for rows of a table that no word of the question points to.

    The rows of a table are alike, so that some of them always come near in meaning.
    """
    pointed_at = hit.by_word is not None and hit.by_word <= POINTED_AT
    return hit.score if pointed_at or not hit.passage.place.rows else hit.score * DOUBT


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
    return set(WORD.findall(passage.text.lower()))


def _are_same(first: set[str], second: set[str]) -> bool:
    """Whether two passages say the same: nearly all their words and every number."""
    common = len(first & second)
    differing = first ^ second
    return common >= SAME_WORDS * len(first | second) and not any(
        NUMBER.search(word) for word in differing
    )
