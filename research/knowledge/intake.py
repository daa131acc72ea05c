"""From a file that was read to all that the library keeps of it."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from research.i18n import language_of, text
from research.knowledge.documents import Document, OnProgress, TablePreview
from research.knowledge.readers import Correction, Grid, GridColumn
from research.knowledge.reading import Reading, read_file
from research.knowledge.splitting import passages_of
from research.models import Column, Language, Passage, Place, Table, content_id

SPREADSHEETS = ("csv", "tsv", "xlsx", "xls")
UNSAFE = re.compile(r"[^a-z0-9]+")
PROFILED_COLUMNS = 40


@dataclass(frozen=True)
class Upload:
    """A file that is to be taken in."""

    name: str
    path: Path
    """Where its bytes are; the library keeps them elsewhere."""
    sha256: str
    bytes: int
    collection: str | None = None
    password: str = ""

    @classmethod
    def of(cls, name: str, path: Path, collection: str | None, password: str = "") -> Upload:
        """Measure the file at ``path``."""
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return cls(name, path, digest, path.stat().st_size, collection, password)

    @property
    def id(self) -> str:
        """Id of the document it becomes."""
        return self.sha256[:16]


@dataclass(frozen=True)
class Intake:
    """A document that is ready to be kept."""

    document: Document
    passages: Sequence[Passage]
    grids: Sequence[Grid]


def take_in(
    upload: Upload, folder: Path, corrections: Mapping[str, Correction], progress: OnProgress
) -> Intake:
    """Read a file and split it.

    Args:
        upload: The file.
        folder: An empty folder for the files of its tables.
        corrections: What the user said of its tables, by origin.
        progress: Told how far it is.

    Raises:
        PasswordError: It is locked, and the password does not open it.
        DocumentError: It cannot be read.
    """
    reading = read_file(
        upload.path,
        upload.name,
        folder,
        progress,
        password=upload.password,
        corrections=corrections,
    )
    language = language_of("".join(block.text for block in reading.blocks[:200]))
    passages = [*_profiles(upload.id, reading, language), *passages_of(upload.id, reading.blocks)]
    document = Document(
        id=upload.id,
        name=upload.name,
        title=reading.title or PurePath(upload.name).stem,
        kind=reading.kind,
        sha256=upload.sha256,
        pages=reading.pages,
        rows=sum(grid.rows for grid in reading.grids) if reading.grids else None,
        passages=len(passages),
        tables=len(reading.grids),
        language=language,
        bytes=upload.bytes,
        added_at=time.time(),
        date=reading.date,
        version=reading.version,
        collection=upload.collection,
        warnings=tuple(reading.warnings),
    )
    return Intake(document, passages, reading.grids)


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


def table_of(document_id: str, grid: Grid, name: str, path: Path, corrected: bool) -> TablePreview:
    """A table as the library keeps it, beside its rows as they stand in the file."""
    table = Table(
        id=content_id(document_id, grid.origin or grid.file, name),
        source_id=document_id,
        name=name,
        title=grid.title,
        columns=tuple(
            Column(name=column.name, type=column.type, examples=column.examples, unit=column.unit)
            for column in grid.columns
        ),
        rows=grid.rows,
        totals=grid.totals,
        place=Place(
            page=grid.page,
            slide=grid.slide,
            sheet=grid.sheet,
            heading=grid.heading,
            rows=(1, max(1, grid.rows)),
        ),
        path=str(path),
    )
    return TablePreview(
        table=table,
        rows=grid.preview,
        first_row=grid.preview_row,
        header=grid.header,
        origin=grid.origin,
        corrected=corrected,
    )


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
    name = f"{column.name} [{column.unit}]" if column.unit else column.name
    return f"{name} ({values})" if values else name
