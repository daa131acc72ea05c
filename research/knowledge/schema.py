"""The tables of the library's database, as a list of small named migrations."""

from __future__ import annotations

MIGRATIONS = {
    "documents": """
        CREATE TABLE documents (
            id TEXT PRIMARY KEY,
            added_at REAL NOT NULL,
            manifest TEXT NOT NULL
        );
        CREATE TABLE passages (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            document_id TEXT NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
            place TEXT NOT NULL,
            text TEXT NOT NULL
        );
        CREATE INDEX passages_of_document ON passages(document_id);
        CREATE TABLE tables (
            id TEXT PRIMARY KEY,
            document_id TEXT NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
            name TEXT NOT NULL UNIQUE,
            manifest TEXT NOT NULL
        );
        CREATE INDEX tables_of_document ON tables(document_id);
    """,
    "vectors": """
        CREATE TABLE vectors (
            number INTEGER NOT NULL REFERENCES passages(number) ON DELETE CASCADE,
            model TEXT NOT NULL,
            vectors BLOB NOT NULL,
            PRIMARY KEY (model, number)
        );
        CREATE INDEX vectors_of_passage ON vectors(number);
    """,
    "keywords": """
        CREATE VIRTUAL TABLE keywords USING fts5(heading, text, tokenize='porter unicode61');
    """,
    "generation": """
        CREATE TABLE generation (number INTEGER NOT NULL);
        INSERT INTO generation VALUES (0);
    """,
    "collections": """
        CREATE TABLE collections (
            id TEXT PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            manifest TEXT NOT NULL
        );
        ALTER TABLE documents ADD COLUMN collection TEXT
            REFERENCES collections(id) ON DELETE SET NULL;
    """,
    "versions": """
        CREATE TABLE versions (
            id TEXT PRIMARY KEY,
            current TEXT NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
            replaced_at REAL NOT NULL,
            manifest TEXT NOT NULL
        );
        CREATE INDEX versions_of_document ON versions(current);
    """,
    "corrections": """
        CREATE TABLE corrections (
            document_id TEXT NOT NULL REFERENCES documents(id) ON DELETE CASCADE,
            origin TEXT NOT NULL,
            said TEXT NOT NULL,
            PRIMARY KEY (document_id, origin)
        );
        ALTER TABLE tables ADD COLUMN preview TEXT NOT NULL DEFAULT '';
    """,
    "vector order": """
        CREATE TABLE ordered (
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            number INTEGER NOT NULL REFERENCES passages(number) ON DELETE CASCADE,
            model TEXT NOT NULL,
            vectors BLOB NOT NULL,
            UNIQUE (model, number)
        );
        INSERT INTO ordered(number, model, vectors)
            SELECT number, model, vectors FROM vectors ORDER BY number;
        DROP TABLE vectors;
        ALTER TABLE ordered RENAME TO vectors;
        CREATE INDEX vectors_of_passage ON vectors(number);
    """,
    "queue": """
        CREATE TABLE queue (
            id TEXT PRIMARY KEY,
            submitted_at REAL NOT NULL,
            manifest TEXT NOT NULL
        );
    """,
}
"""A migration that has been released is never changed; a change is a new one at the end."""
