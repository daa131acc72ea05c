"""The library's database: what is true of documents, passages, vectors and tables.

A document is there with all its parts or not at all, whenever the process dies. Every change
counts up the generation, which tells other threads and processes that what they hold in memory is
old.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from research.database import Database
from research.knowledge.documents import Document
from research.knowledge.schema import MIGRATIONS
from research.knowledge.keywords import insert_words, remove_words
from research.models import Passage, Place, Table

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True)
class Entry:
    """All that one transaction adds."""

    document: Document
    passages: Sequence[Passage]
    tables: Sequence[Table]
    vectors: Sequence[np.ndarray]
    """Of each passage ``(windows, dimension)``."""
    model: str


class Store:
    """The database at ``path``; may be used from several threads.

    Raises:
        StoreError: The database is newer than the program, damaged, locked or cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._database = Database(path, MIGRATIONS)
        self._database.read("PRAGMA secure_delete = ON")

    def close(self) -> None:
        """Close the connection."""
        self._database.close()

    # ------------------------------------------------------------ reading

    def generation(self) -> int:
        """Counts the changes; the same number means that nothing changed."""
        return int(self.rows("SELECT number FROM generation")[0][0])

    def documents(self) -> list[Document]:
        """Every document, the oldest first."""
        rows = self.rows("SELECT manifest FROM documents ORDER BY added_at, id")
        return [Document.model_validate_json(manifest) for (manifest,) in rows]

    def document(self, document_id: str) -> Document | None:
        """One document."""
        rows = self.rows("SELECT manifest FROM documents WHERE id = ?", document_id)
        return Document.model_validate_json(rows[0][0]) if rows else None

    def tables(self, documents: Collection[str] | None) -> list[Table]:
        """The tables of ``documents``, or all."""
        rows = self.rows(
            "SELECT t.manifest FROM tables t JOIN documents d ON d.id = t.document_id"
            " WHERE ?1 IS NULL OR d.id IN (SELECT value FROM json_each(?1))"
            " ORDER BY d.added_at, d.id, t.rowid",
            listed(documents),
        )
        return [Table.model_validate_json(manifest) for (manifest,) in rows]

    def passages(self, ids: Collection[str]) -> dict[str, Passage]:
        """The passages with these ids, by id."""
        sql = (
            "SELECT number, id, document_id, place, text FROM passages"
            " WHERE id IN (SELECT value FROM json_each(?))"
        )
        return {row[1]: _passage(row[1:]) for row in self.rows(sql, listed(ids))}

    def numbered(self, numbers: Collection[int]) -> dict[int, Passage]:
        """The passages with these numbers, by number."""
        sql = (
            "SELECT number, id, document_id, place, text FROM passages"
            " WHERE number IN (SELECT value FROM json_each(?))"
        )
        return {row[0]: _passage(row[1:]) for row in self.rows(sql, listed(numbers))}

    def numbers(self, documents: Collection[str]) -> list[int]:
        """The numbers of all passages of ``documents``."""
        sql = (
            "SELECT number FROM passages"
            " WHERE document_id IN (SELECT value FROM json_each(?)) ORDER BY number"
        )
        return [number for (number,) in self.rows(sql, listed(documents))]

    def count(self) -> int:
        """How many passages there are."""
        return int(self.rows("SELECT count(*) FROM passages")[0][0])

    def vector_numbers(self, model: str) -> list[int]:
        """Numbers of the passages that have vectors of ``model``, in order."""
        sql = "SELECT number FROM vectors WHERE model = ? ORDER BY number"
        return [number for (number,) in self.rows(sql, model)]

    def vectors(self, model: str, numbers: Sequence[int]) -> list[tuple[int, bytes]]:
        """(number, vectors as bytes) of each of these passages that has any of ``model``."""
        sql = (
            "SELECT number, vectors FROM vectors"
            " WHERE model = ? AND number IN (SELECT value FROM json_each(?))"
        )
        return [(row[0], row[1]) for row in self.rows(sql, model, listed(numbers))]

    def without_vector(self, model: str, limit: int) -> list[tuple[int, Passage]]:
        """Numbered passages that have no vectors of ``model`` yet."""
        sql = (
            "SELECT p.number, p.id, p.document_id, p.place, p.text FROM passages p"
            " LEFT JOIN vectors v ON v.model = ? AND v.number = p.number"
            " WHERE v.number IS NULL LIMIT ?"
        )
        return [(row[0], _passage(row[1:])) for row in self.rows(sql, model, limit)]

    # ------------------------------------------------------------ writing

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """One transaction: all of it is kept, or nothing. Counts up the generation."""
        with self._database.write() as db:
            yield db
            db.execute("UPDATE generation SET number = number + 1")

    def remove(self, document_id: str) -> None:
        """Delete a document and every trace of it."""
        with self.change() as db:
            remove_words(db, document_id)
            db.execute("DELETE FROM documents WHERE id = ?", (document_id,))
        self._database.read("PRAGMA wal_checkpoint(TRUNCATE)")

    def add_vectors(
        self, model: str, numbers: Sequence[int], vectors: Sequence[np.ndarray]
    ) -> None:
        """Keep the vectors of passages that are still there."""
        with self.change() as db:
            db.executemany(
                "INSERT OR REPLACE INTO vectors SELECT number, ?, ? FROM passages WHERE number = ?",
                [(model, packed(rows), at) for at, rows in zip(numbers, vectors, strict=True)],
            )

    def forget_other_models(self, model: str) -> None:
        """Delete the vectors of every model but ``model``."""
        with self.change() as db:
            db.execute("DELETE FROM vectors WHERE model <> ?", (model,))

    def rows(self, sql: str, *arguments: object) -> list[sqlite3.Row]:
        """All rows of a query."""
        return self._database.read(sql, arguments)


def taken_names(db: sqlite3.Connection) -> set[str]:
    """The names of all tables."""
    return {name for (name,) in db.execute("SELECT name FROM tables")}


def insert(db: sqlite3.Connection, entry: Entry) -> None:
    """Add a document with its passages, vectors, words and tables inside a transaction."""
    document = entry.document
    db.execute(
        "INSERT INTO documents VALUES (?, ?, ?)",
        (document.id, document.added_at, document.model_dump_json()),
    )
    for passage, vector in zip(entry.passages, entry.vectors, strict=True):
        number = db.execute(
            "INSERT INTO passages(id, document_id, place, text) VALUES (?, ?, ?, ?)",
            (passage.id, document.id, passage.place.model_dump_json(), passage.text),
        ).lastrowid
        db.execute("INSERT INTO vectors VALUES (?, ?, ?)", (number, entry.model, packed(vector)))
        insert_words(db, number, passage, document.title)
    db.executemany(
        "INSERT INTO tables VALUES (?, ?, ?, ?)",
        [(t.id, document.id, t.name, t.model_dump_json()) for t in entry.tables],
    )


def packed(vectors: np.ndarray) -> bytes:
    """Vectors as they are kept: half precision, which moves a cosine by less than 0.001."""
    return vectors.astype("<f2").tobytes()


def unpacked(data: bytes, dimension: int) -> np.ndarray:
    """The vectors in ``data``, float32, ``(windows, dimension)``."""
    import numpy as np

    return np.frombuffer(data, dtype="<f2").astype(np.float32).reshape(-1, dimension)


def _passage(row: Sequence[Any]) -> Passage:
    return Passage(
        id=row[0], source_id=row[1], place=Place.model_validate_json(row[2]), text=row[3]
    )


def listed(values: Collection[Any] | None) -> str | None:
    """Values as a parameter for ``json_each``."""
    return None if values is None else json.dumps(list(values))
