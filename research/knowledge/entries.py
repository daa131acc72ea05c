"""Adds a document to the database, with all that belongs to it, inside one transaction."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field

from research.knowledge.documents import Document, TablePreview, Version
from research.knowledge.keywords import insert_words, remove_words
from research.knowledge.readers import Correction
from research.knowledge.store import passage_in
from research.models import Passage


@dataclass(frozen=True)
class Entry:
    """All that one transaction adds, and what it takes the place of."""

    document: Document
    passages: Sequence[Passage]
    tables: Sequence[TablePreview]
    corrections: Mapping[str, Correction] = field(default_factory=dict)
    replaces: Document | None = None
    """The older version of the document, or the same document as it was read before."""


def taken_names(db: sqlite3.Connection, besides: str = "") -> set[str]:
    """The names of all tables, but for those of the document ``besides``."""
    sql = "SELECT name FROM tables WHERE document_id <> ?"
    return {name for (name,) in db.execute(sql, (besides,))}


def insert(db: sqlite3.Connection, entry: Entry) -> None:
    """Add a document with its passages, their words and its tables inside a transaction.

    What it replaces goes; vectors of passages that read the same are carried over.
    """
    document, old = entry.document, entry.replaces
    carried = _vectors_by_text(db, old) if old else {}
    if old:
        remove_words(db, old.id)
        db.execute("DELETE FROM passages WHERE document_id = ?", (old.id,))
        db.execute("DELETE FROM tables WHERE document_id = ?", (old.id,))
    db.execute("DELETE FROM versions WHERE id = ?", (document.id,))  # an old version comes back
    db.execute(
        "INSERT INTO documents(id, added_at, manifest, collection) VALUES (?, ?, ?, ?)"
        " ON CONFLICT(id) DO UPDATE SET manifest = excluded.manifest",
        (document.id, document.added_at, document.model_dump_json(), document.collection),
    )
    if old and old.id != document.id:
        _file_away(db, old, document.id)
    _insert_passages(db, entry, carried)
    db.execute("DELETE FROM corrections WHERE document_id = ?", (document.id,))
    db.executemany(
        "INSERT INTO corrections VALUES (?, ?, ?)",
        [(document.id, origin, json.dumps(asdict(c))) for origin, c in entry.corrections.items()],
    )
    db.executemany(
        "INSERT INTO tables(id, document_id, name, manifest, preview) VALUES (?, ?, ?, ?, ?)",
        [
            (
                shown.table.id,
                document.id,
                shown.table.name,
                shown.table.model_dump_json(),
                shown.model_dump_json(),
            )
            for shown in entry.tables
        ],
    )


def _file_away(db: sqlite3.Connection, old: Document, successor: str) -> None:
    """Make ``old`` and all that it had replaced the history of ``successor``."""
    moment = time.time()
    version = Version(document=old, replaced_by=successor, replaced_at=moment)
    db.execute("UPDATE versions SET current = ? WHERE current = ?", (successor, old.id))
    db.execute(
        "INSERT INTO versions VALUES (?, ?, ?, ?)",
        (old.id, successor, moment, version.model_dump_json()),
    )
    db.execute("DELETE FROM documents WHERE id = ?", (old.id,))


def _insert_passages(
    db: sqlite3.Connection,
    entry: Entry,
    carried: Mapping[tuple[str, ...], Sequence[tuple[str, bytes]]],
) -> None:
    document = entry.document
    for passage in entry.passages:
        number = db.execute(
            "INSERT INTO passages(id, document_id, place, text) VALUES (?, ?, ?, ?)",
            (passage.id, document.id, passage.place.model_dump_json(), passage.text),
        ).lastrowid
        assert number is not None
        insert_words(db, number, passage, document.title)
        for model, vectors in carried.get(_embedded_text(passage, document), ()):
            db.execute(
                "INSERT INTO vectors(number, model, vectors) VALUES (?, ?, ?)",
                (number, model, vectors),
            )


def _vectors_by_text(
    db: sqlite3.Connection, document: Document
) -> dict[tuple[str, ...], list[tuple[str, bytes]]]:
    found: dict[tuple[str, ...], list[tuple[str, bytes]]] = {}
    sql = "SELECT * FROM passages JOIN vectors USING (number) WHERE document_id = ?"
    for row in db.execute(sql, (document.id,)):
        text = _embedded_text(passage_in(row), document)
        of_text = found.setdefault(text, [])
        if all(model != row["model"] for model, _ in of_text):
            of_text.append((row["model"], row["vectors"]))
    return found


def _embedded_text(passage: Passage, document: Document) -> tuple[str, ...]:
    """All that the vectors of a passage depend on."""
    return (passage.text, *(passage.place.heading or ("", document.title)))
