"""The words of the passages, in SQLite's full-text index."""

from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from research.knowledge.tokens import index_tokens
from research.models import Passage

if TYPE_CHECKING:
    from research.knowledge.store import Store


MOST_TOKENS = 24
LEAST_IDF = 0.01
MOST_SCORED = 12_000
"""Passages that are scored for one query, counted once for each of its words."""


def insert_words(db: sqlite3.Connection, number: int, passage: Passage, title: str) -> None:
    """Index a passage inside a transaction; ``title`` is its document's."""
    words = index_tokens(passage.text)
    if passage.place.rows:  # the names of the columns come again in every row
        words = " ".join(dict.fromkeys(words.split()))
    heading = index_tokens(" ".join((title, *passage.place.heading)))
    db.execute(
        "INSERT INTO keywords(rowid, heading, text) VALUES (?, ?, ?)", (number, heading, words)
    )


def remove_words(db: sqlite3.Connection, document_id: str) -> None:
    """Take the words of a document out inside a transaction, before its passages go."""
    db.execute(
        "DELETE FROM keywords WHERE rowid IN (SELECT number FROM passages WHERE document_id = ?)",
        (document_id,),
    )
    # A deleted row leaves its words in the index until its parts are merged.
    db.execute("INSERT INTO keywords(keywords) VALUES ('optimize')")


def matching(
    store: Store, tokens: Sequence[str], documents: Collection[str] | None, limit: int
) -> list[tuple[int, float]]:
    """The passages that hold any of ``tokens``, the best by BM25 first.

    Returns:
        (number, coverage): about the share of what ``tokens`` say that the passage holds, in
        [0, 1], where a rare token says more. It is low throughout where the passages are not what
        is looked for, as when the question is in another language than the answer.
    """
    spread = {token: _spread(store, token) for token in tokens[:MOST_TOKENS]}
    chosen = _rarest(spread)
    if not chosen:
        return []
    if documents is None:
        sql = "SELECT rowid, rank FROM keywords WHERE keywords MATCH ? ORDER BY rank, rowid LIMIT ?"
        rows = store.rows(sql, _any_of(chosen), limit)
    else:
        sql = (
            "SELECT rowid, rank FROM keywords WHERE keywords MATCH ? AND rowid IN"
            " (SELECT number FROM passages WHERE document_id IN (SELECT value FROM json_each(?)))"
            " ORDER BY rank, rowid LIMIT ?"
        )
        rows = store.rows(sql, _any_of(chosen), json.dumps(list(documents)), limit)
    total = store.count()
    # The BM25 of a passage of usual length that holds each token once is the sum of their idf.
    whole = sum(max(LEAST_IDF, _idf(total, holding)) for holding in spread.values())
    return [(row["rowid"], min(1.0, -row["rank"] / whole)) for row in rows]


def _rarest(spread: Mapping[str, int]) -> list[str]:
    """The rarest tokens, as many as can be ranked in a few milliseconds.

    A common word says little and costs much: every passage that holds it is scored.
    """
    chosen: list[str] = []
    scored = 0
    for token in sorted(spread, key=lambda token: spread[token]):
        scored += spread[token]
        if chosen and scored > MOST_SCORED:
            break
        chosen.append(token)
    return chosen


def _spread(store: Store, token: str) -> int:
    """How many passages hold ``token``, counted up to a little more than what can be ranked."""
    sql = "SELECT count(*) FROM (SELECT 1 FROM keywords WHERE keywords MATCH ? LIMIT ?)"
    return int(store.rows(sql, _any_of([token]), MOST_SCORED + 1)[0][0])


def _idf(total: int, holding: int) -> float:
    """Inverse document frequency as FTS5 computes it."""
    return math.log((total - holding + 0.5) / (holding + 0.5)) if holding <= total else 0.0


def _any_of(tokens: Sequence[str]) -> str:
    return " OR ".join(f'"{token}"' for token in tokens)
