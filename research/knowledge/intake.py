"""From a file that was read to all that the library keeps of it."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from research.i18n import language_of, text
from research.knowledge.documents import Document, OnProgress, Progress
from research.knowledge.embedding import Embedder
from research.knowledge.readers import Grid, GridColumn
from research.knowledge.reading import Reading, read_file
from research.knowledge.splitting import passages_of
from research.knowledge.windows import passage_vectors
from research.models import Language, Passage, Place

if TYPE_CHECKING:
    import numpy as np

EMBEDDED_AT_ONCE = 32
SPREADSHEETS = ("csv", "tsv", "xlsx")
UNSAFE = re.compile(r"[^a-z0-9]+")
PROFILED_COLUMNS = 40


@dataclass(frozen=True)
class Intake:
    """A document that is ready to be kept."""

    document: Document
    passages: Sequence[Passage]
    vectors: Sequence[np.ndarray]
    grids: Sequence[Grid]


def take_in(
    name: str, data: bytes, folder: Path, embedder: Embedder, progress: OnProgress
) -> Intake:
    """Read, split and embed a file.

    Args:
        name: Its file name.
        data: Its bytes.
        folder: Holds the same bytes as ``original``, and a folder ``tables`` to be filled.
        embedder: Makes the vectors.
        progress: Told how far it is.

    Raises:
        DocumentError: It cannot be read.
    """
    reading = read_file(folder / "original", name, folder / "tables", progress)
    sha256 = hashlib.sha256(data).hexdigest()
    document_id = sha256[:16]
    language = language_of("".join(block.text for block in reading.blocks[:200]))
    title = reading.title or PurePath(name).stem
    passages = [
        *_profiles(document_id, reading, language),
        *passages_of(document_id, reading.blocks),
    ]
    document = Document(
        id=document_id,
        name=name,
        title=title,
        kind=reading.kind,
        sha256=sha256,
        pages=reading.pages,
        rows=sum(grid.rows for grid in reading.grids) if reading.grids else None,
        passages=len(passages),
        tables=len(reading.grids),
        language=language,
        bytes=len(data),
        added_at=time.time(),
        warnings=tuple(reading.warnings),
    )
    return Intake(document, passages, _embed(passages, title, embedder, progress), reading.grids)


def table_names(grids: Sequence[Grid], taken: Collection[str]) -> list[str]:
    """A name for the file of each table: safe, telling, and not among ``taken``."""
    used = set(taken)
    names = []
    for grid in grids:
        base = UNSAFE.sub("_", grid.title.lower()).strip("_")[:48].strip("_") or "table"
        base = base if base[0].isalpha() else f"table_{base}"
        name, count = base, 1
        while name in used:
            count += 1
            name = f"{base}_{count}"
        used.add(name)
        names.append(name)
    return names


def _embed(
    passages: Sequence[Passage], title: str, embedder: Embedder, progress: OnProgress
) -> list[np.ndarray]:
    vectors: list[np.ndarray] = []
    for at in range(0, len(passages), EMBEDDED_AT_ONCE):
        progress(Progress(state="embedding", done=at, total=len(passages)))
        batch = passages[at : at + EMBEDDED_AT_ONCE]
        vectors += passage_vectors(batch, {batch[0].source_id: title}, embedder)
    progress(Progress(state="embedding", done=len(passages), total=len(passages)))
    return vectors


def _profiles(document_id: str, reading: Reading, language: Language) -> list[Passage]:
    """A passage for each table of a spreadsheet that says what is in it."""
    if reading.kind not in SPREADSHEETS:
        return []
    return [
        Passage.of(
            document_id,
            text(
                "knowledge.profile",
                language,
                title=grid.title,
                rows=grid.rows,
                columns="; ".join(_column(c, language) for c in grid.columns[:PROFILED_COLUMNS]),
            ),
            Place(sheet=grid.sheet, heading=(grid.title,)),
        )
        for grid in reading.grids
    ]


def _column(column: GridColumn, language: Language) -> str:
    if column.least:
        values = text("knowledge.range", language, least=column.least, most=column.most)
    else:
        values = ", ".join(column.examples)
    return f"{column.name} ({values})" if values else column.name
