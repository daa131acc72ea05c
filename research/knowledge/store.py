"""The database of the library: documents, passages, their words and vectors, tables.

SQLite is the truth; the FAISS index is a cache made from the vectors in here. A document, its
passages, their words and its tables change in one transaction or not at all. Vectors follow in
transactions of their own: a passage without one is found by its words. A counter of generations
tells every process that something has changed.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from research.database import Database
from research.knowledge.documents import Document, TablePreview, Version
from research.knowledge.keywords import remove_words
from research.knowledge.readers import Correction
from research.knowledge.schema import MIGRATIONS
from research.models import Passage, Place, Table

if TYPE_CHECKING:
    import numpy as np


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

    def rows(self, sql: str, *arguments: object) -> list[sqlite3.Row]:
        """All rows of a query."""
        return self._database.read(sql, arguments)

    def generation(self) -> int:
        """Counts the changes; the same number means that nothing changed."""
        return int(self.rows("SELECT number FROM generation")[0][0])

    def documents(self) -> list[Document]:
        """Every document, the oldest first."""
        return list(
            map(
                _document,
                self.rows("SELECT manifest, collection FROM documents ORDER BY added_at, id"),
            )
        )

    def document(self, document_id: str) -> Document | None:
        """One document."""
        sql = "SELECT manifest, collection FROM documents WHERE id = ?"
        rows = self.rows(sql, document_id)
        return _document(rows[0]) if rows else None

    def versions(self, document_id: str | None = None) -> list[Version]:
        """What ``document_id`` has replaced, or all that was ever replaced, the newest first."""
        sql = (
            "SELECT manifest FROM versions WHERE ?1 IS NULL OR current = ?1"
            " ORDER BY replaced_at DESC"
        )
        return [
            Version.model_validate_json(manifest) for (manifest,) in self.rows(sql, document_id)
        ]

    def replaced(self, document_id: str) -> Document | None:
        """A document that a newer one has replaced."""
        rows = self.rows("SELECT manifest FROM versions WHERE id = ?", document_id)
        return Version.model_validate_json(rows[0]["manifest"]).document if rows else None

    def tables(self, documents: Collection[str] | None) -> list[Table]:
        """The tables of ``documents``, or all."""
        rows = self.rows(
            "SELECT t.manifest FROM tables t JOIN documents d ON d.id = t.document_id"
            " WHERE ?1 IS NULL OR d.id IN (SELECT value FROM json_each(?1))"
            " ORDER BY d.added_at, d.id, t.rowid",
            listed(documents),
        )
        return [Table.model_validate_json(manifest) for (manifest,) in rows]

    def preview(self, table_id: str) -> TablePreview | None:
        """A table beside its rows as they stand in the file."""
        rows = self.rows("SELECT manifest, preview FROM tables WHERE id = ?", table_id)
        if not rows:
            return None
        if rows[0]["preview"]:
            return TablePreview.model_validate_json(rows[0]["preview"])
        table = Table.model_validate_json(rows[0]["manifest"])
        return TablePreview(
            table=table, rows=(), first_row=1, header=None, origin="", corrected=False
        )

    def corrections(self, document_id: str) -> dict[str, Correction]:
        """What the user said of the tables of a document, by origin."""
        sql = "SELECT origin, said FROM corrections WHERE document_id = ?"
        return {origin: _correction(said) for origin, said in self.rows(sql, document_id)}

    def passages(self, ids: Collection[str]) -> dict[str, Passage]:
        """The passages with these ids, by id."""
        sql = "SELECT * FROM passages WHERE id IN (SELECT value FROM json_each(?))"
        return {row["id"]: passage_in(row) for row in self.rows(sql, listed(ids))}

    def numbered(self, numbers: Collection[int]) -> dict[int, Passage]:
        """The passages with these numbers, by number."""
        sql = "SELECT * FROM passages WHERE number IN (SELECT value FROM json_each(?))"
        return {row["number"]: passage_in(row) for row in self.rows(sql, listed(numbers))}

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

    def vectors_after(self, model: str, row: int, limit: int) -> list[tuple[int, int, bytes]]:
        """(row, number, vectors as bytes) of ``model`` in the order in which they were made."""
        sql = (
            "SELECT row, number, vectors FROM vectors WHERE +model = ? AND row > ?"
            " ORDER BY row LIMIT ?"
        )
        return [(each[0], each[1], each[2]) for each in self.rows(sql, model, row, limit)]

    def vector_rows(self, model: str, row: int) -> int:
        """How many passages have vectors of ``model`` up to a row."""
        sql = "SELECT count(*) FROM vectors WHERE model = ? AND row <= ?"
        return int(self.rows(sql, model, row)[0][0])

    def vector_bytes(self, model: str) -> int:
        """The size of all vectors of ``model``."""
        return int(
            self.rows("SELECT total(length(vectors)) FROM vectors WHERE model = ?", model)[0][0]
        )

    def vector_sample(self, model: str, passages: int) -> list[bytes]:
        """The vectors of about so many passages, from all over the library."""
        step = max(1, self.vector_rows(model, 2**62) // max(1, passages))
        sql = "SELECT vectors FROM vectors WHERE model = ? AND row % ? = 0 LIMIT ?"
        return [data for (data,) in self.rows(sql, model, step, passages)]

    def models(self) -> dict[str, int]:
        """How many passages have vectors of each model."""
        sql = "SELECT model, count(*) AS passages FROM vectors GROUP BY model"
        return {row["model"]: row["passages"] for row in self.rows(sql)}

    def without_vector(
        self, model: str, limit: int, document_id: str | None = None
    ) -> list[tuple[int, Passage]]:
        """Numbered passages, of ``document_id`` or of all, that lack vectors of ``model``."""
        sql = (
            "SELECT * FROM passages p WHERE (?2 IS NULL OR p.document_id = ?2) AND NOT EXISTS"
            " (SELECT 1 FROM vectors v WHERE v.model = ?1 AND v.number = p.number)"
            " ORDER BY number LIMIT ?3"
        )
        rows = self.rows(sql, model, document_id, limit)
        return [(row["number"], passage_in(row)) for row in rows]

    def unembedded(self, model: str, document_id: str | None = None) -> int:
        """How many passages, of ``document_id`` or of all, have no vectors of ``model``."""
        sql = (
            "SELECT count(*) FROM passages p WHERE (?2 IS NULL OR p.document_id = ?2)"
            " AND NOT EXISTS (SELECT 1 FROM vectors v WHERE v.model = ?1 AND v.number = p.number)"
        )
        return int(self.rows(sql, model, document_id)[0][0])

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
                "INSERT OR IGNORE INTO vectors(number, model, vectors)"
                " SELECT number, ?, ? FROM passages WHERE number = ?",
                [(model, packed(rows), at) for at, rows in zip(numbers, vectors, strict=True)],
            )

    def forget_other_models(self, model: str) -> None:
        """Delete the vectors of every model but ``model``."""
        if self.rows("SELECT 1 FROM vectors WHERE model <> ? LIMIT 1", model):
            with self.change() as db:
                db.execute("DELETE FROM vectors WHERE model <> ?", (model,))


def packed(vectors: np.ndarray) -> bytes:
    """Vectors as they are kept: half precision, which moves a cosine by less than 0.001."""
    return vectors.astype("<f2").tobytes()


def unpacked(data: bytes, dimension: int) -> np.ndarray:
    """The vectors in ``data``, float32, ``(windows, dimension)``."""
    import numpy as np

    return np.frombuffer(data, dtype="<f2").astype(np.float32).reshape(-1, dimension)


def _document(row: sqlite3.Row) -> Document:
    document = Document.model_validate_json(row["manifest"])
    return document.model_copy(update={"collection": row["collection"]})


def passage_in(row: sqlite3.Row) -> Passage:
    """The passage in a row of the table ``passages``."""
    return Passage(
        id=row["id"],
        source_id=row["document_id"],
        place=Place.model_validate_json(row["place"]),
        text=row["text"],
    )


def _correction(said: str) -> Correction:
    given = json.loads(said)
    header = given["header"]
    return Correction(header=(header[0], header[1]) if header else None, types=given["types"])


def listed(values: Collection[Any] | None) -> str | None:
    """Values as a parameter for ``json_each``."""
    return None if values is None else json.dumps(list(values))
