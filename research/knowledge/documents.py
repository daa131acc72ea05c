"""What the library tells of its documents, and of the work on a new one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from research.models import Language, Model, Notice


class Document(Model):
    """A document of the library."""

    id: str
    """The first 16 hex digits of the SHA-256 of its bytes; also the id of its source."""
    name: str
    """The file name it was added under."""
    title: str
    """What it calls itself, or else its file name without the ending."""
    kind: str
    """``pdf``, ``docx``, ``xlsx``, ``csv``, ``tsv``, ``markdown`` or ``text``."""
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
    warnings: tuple[Notice, ...] = ()


class Progress(Model):
    """How far a document is."""

    state: Literal["reading", "embedding"]
    done: int
    total: int
    """0 while nobody knows."""


OnProgress = Callable[[Progress], None]


class IngestJob(Model):
    """A file on its way into the library."""

    id: str
    name: str
    state: Literal["waiting", "reading", "embedding", "done", "failed"]
    done: int = 0
    total: int = 0
    document: Document | None = None
    """What it became."""
    error: Notice | None = None
    """Why it failed."""
