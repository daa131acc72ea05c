"""What the library tells of its documents, and of the work on a new one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from research.models import Language, Model, Notice, Source, Table


class Collection(Model):
    """A named group of documents."""

    id: str
    name: str
    description: str = ""
    """What is in it, so that a reader or a model can tell whether to consult it."""
    created_at: float
    """Unix seconds."""


class Document(Model):
    """A document of the library."""

    id: str
    """The first 16 hex digits of the SHA-256 of its bytes; also the id of its source."""
    name: str
    """The file name it was added under."""
    title: str
    """What it calls itself, or else its file name without the ending."""
    kind: str
    """A key of ``readers.READERS``: ``pdf``, ``docx``, ``csv``, ..."""
    sha256: str
    pages: int | None = None
    """None where the format has no pages."""
    rows: int | None = None
    """Data rows of all its tables; None where it has no table."""
    passages: int
    tables: int
    language: Language
    bytes: int
    added_at: float
    """Unix seconds."""
    date: str | None = None
    """The day it gives itself, ``2025-12-31``; None where it gives none."""
    version: str = ""
    """The version it gives itself; empty where it gives none."""
    collection: str | None = None
    """Id of the collection it is in."""
    warnings: tuple[Notice, ...] = ()

    @property
    def source(self) -> Source:
        """The document as what citations lead to."""
        return Source(
            id=self.id,
            kind="document",
            title=self.title,
            locator=self.name,
            sha256=self.sha256,
            pages=self.pages,
            language=self.language,
            retrieved_at=self.added_at,
            date=self.date,
        )


class Version(Model):
    """A document that a newer one of the same name has replaced; its file is kept."""

    document: Document
    replaced_by: str
    """Id of the document that took its place."""
    replaced_at: float
    """Unix seconds."""


class Selection(Model):
    """Which documents are meant: those that fit all that is given here."""

    documents: tuple[str, ...] | None = None
    """Ids; None means every document."""
    collections: tuple[str, ...] | None = None
    """Ids; None means in any collection or in none."""
    kinds: tuple[str, ...] | None = None
    since: str | None = None
    """First day, ``2025-01-01``: of the document's own date, or of the day it was added."""
    until: str | None = None
    """Last day, likewise."""


class TablePreview(Model):
    """A table as it was understood, beside the rows as they stand in the file."""

    table: Table
    rows: tuple[tuple[str, ...], ...]
    """The first rows of its sheet or file, as they stand there."""
    first_row: int
    """Number of the first of :attr:`rows`, counted from 1 in the sheet or file."""
    header: tuple[int, int] | None
    """First and last row of the header, counted likewise; None where there is none."""
    origin: str
    """Its name for corrections; empty where nothing can be corrected."""
    corrected: bool
    """Whether the user has corrected it."""


class Progress(Model):
    """How far a document is."""

    state: Literal["reading", "embedding"]
    done: int
    total: int
    """0 while nobody knows."""


OnProgress = Callable[[Progress], None]

JobState = Literal["waiting", "reading", "locked", "embedding", "done", "failed"]


class IngestJob(Model):
    """A file on its way into the library."""

    id: str
    name: str
    state: JobState
    """``locked`` waits for a password; while ``embedding`` it is already found by its words."""
    bytes: int = 0
    collection: str | None = None
    done: int = 0
    total: int = 0
    document: Document | None = None
    """What it became."""
    replaced: Document | None = None
    """The older version that it replaced."""
    known: bool = False
    """Whether the library had the same bytes already."""
    error: Notice | None = None
    """Why it failed, or why it is locked."""
