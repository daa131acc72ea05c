"""The words of the passages, in SQLite's full-text index."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from research.knowledge.tokens import index_tokens
from research.models import Passage

if TYPE_CHECKING:
    from research.knowledge.store import Store


MOST_TOKENS = 24
COMMON_FROM = 2_000
"""From this many passages on, words are dropped that too many of them hold."""
COMMON_SHARE = 10
"""Too many is one in so many."""


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
) -> list[int]:
    """Numbers of the passages that hold any of ``tokens``, the best first."""
    rows = store.rows(
        "SELECT k.rowid FROM keywords k JOIN passages p ON p.number = k.rowid"
        " WHERE keywords MATCH ?1"
        " AND (?2 IS NULL OR p.document_id IN (SELECT value FROM json_each(?2)))"
        " ORDER BY bm25(keywords), k.rowid LIMIT ?3",
        _any_of(tokens),
        None if documents is None else json.dumps(list(documents)),
        limit,
    )
    return [number for (number,) in rows]


def telling(store: Store, tokens: Sequence[str]) -> list[str]:
    """The tokens without those that so many passages hold that they only cost time."""
    total = store.count()
    if total < COMMON_FROM:
        return list(tokens[:MOST_TOKENS])
    most = max(1, total // COMMON_SHARE)
    spread = {token: _spread(store, token, most) for token in tokens}
    rare = sorted(tokens, key=lambda token: spread[token])
    return [token for token in rare if spread[token] < most][:MOST_TOKENS] or rare[:2]


def _spread(store: Store, token: str, most: int) -> int:
    """How many passages hold ``token``, counted up to ``most``."""
    sql = "SELECT count(*) FROM (SELECT 1 FROM keywords WHERE keywords MATCH ? LIMIT ?)"
    return int(store.rows(sql, _any_of([token]), most)[0][0])


def _any_of(tokens: Sequence[str]) -> str:
    return " OR ".join(f'"{token}"' for token in tokens)
