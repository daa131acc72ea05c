"""Readers: one small module for each format, all behind one function, run in a child process.

A reader is a module with ``read(path, output)``. It sends what it finds to an :class:`Output`,
bit by bit, so that what was read before a file turned bad is not lost. Nothing in here imports
more than its format needs: the child must start fast.

To add a format: write the module, name it in :data:`READERS`, and teach ``detect.py`` to know it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal, Protocol

READERS = {
    "pdf": "pdf",
    "docx": "word",
    "pptx": "slides",
    "xlsx": "excel",
    "xls": "excel",
    "csv": "delimited",
    "tsv": "delimited",
    "html": "html",
    "markdown": "markdown",
    "text": "plain",
    "json": "structured",
    "jsonl": "structured",
    "epub": "epub",
    "eml": "mail",
    "image": "picture",
}
"""The module that reads each kind of document."""

Cell = str | int | float | bool | date | None
"""One cell of a table as it was found; a datetime is a date, too."""


ColumnType = Literal["number", "text", "date", "boolean"]


@dataclass(frozen=True)
class Block:
    """A stretch of text from one place of a document, usually a paragraph."""

    text: str
    page: int | None = None
    slide: int | None = None
    heading: tuple[str, ...] = ()
    sheet: str | None = None
    rows: tuple[int, int] | None = None


@dataclass(frozen=True)
class Grid:
    """A table whose data was written to ``file`` in the child's folder."""

    title: str
    columns: tuple[GridColumn, ...]
    rows: int
    file: str
    heading: tuple[str, ...] = ()
    sheet: str | None = None
    page: int | None = None
    slide: int | None = None
    totals: tuple[int, ...] = ()
    """Data rows, 1-based, that sum up others."""
    origin: str = ""
    """Where it was found, whatever was corrected since: ``Sheet1!B3``; its name for corrections.
    Empty where nothing can be corrected."""
    header: tuple[int, int] | None = None
    """First and last row of its header, counted from 1 in the sheet or file; None without one."""
    preview: tuple[tuple[str, ...], ...] = ()
    """The first rows of its sheet from :attr:`preview_row` on, as they stand in the file."""
    preview_row: int = 1


@dataclass(frozen=True)
class Correction:
    """What the user said of the table at one origin; what was left alone is None or missing."""

    header: tuple[int, int] | None = None
    """First and last row of the header, counted from 1 in the sheet or file."""
    types: Mapping[str, ColumnType] = field(default_factory=dict)
    """By column name. Cells that do not fit become empty in a column that is made a number or
    a date; every cell fits text."""


@dataclass(frozen=True)
class GridColumn:
    """A column of a :class:`Grid`; ``least`` and ``most`` are those of numbers and dates."""

    name: str
    type: ColumnType
    examples: tuple[str, ...] = ()
    unit: str = ""
    least: str = ""
    most: str = ""


class Output(Protocol):
    """Where a reader sends what it finds."""

    name: str
    """The name the user gave the file."""
    folder: Path
    """Where the Parquet file of a table goes."""
    password: str
    """What the user gave to open the file; empty where nothing was asked."""
    corrections: Mapping[str, Correction]
    """Of its tables, by origin."""

    def title(self, title: str) -> None:
        """The title the document gives itself."""

    def date(self, day: date) -> None:
        """The day the document gives itself."""

    def version(self, version: str) -> None:
        """The version the document gives itself."""

    def more_time(self, seconds: float) -> None:
        """Allow for work that is known to be slow and to end, such as reading one page's picture.

        Counted up to a limit for the whole file.
        """

    def progress(self, done: int, total: int) -> None:
        """How far the reader is, in units of the format (pages, bytes, sheets)."""

    def pages(self, count: int) -> None:
        """How many pages the document has."""

    def block(self, block: Block) -> None:
        """A stretch of text.

        Raises:
            LimitReachedError: The document holds more text than is read.
        """

    def grid(self, grid: Grid) -> None:
        """A table."""

    def warn(self, key: str, **params: Any) -> None:
        """Something the user should know although the document could be read."""


class PasswordNeededError(Exception):
    """The file is locked, and the password that was given, if any, does not open it."""


class UnreadableError(Exception):
    """The file cannot be read; ``key`` and ``params`` make the sentence that says why."""

    def __init__(self, key: str, **params: Any) -> None:
        self.key = key
        self.params = params
        super().__init__(key)


class LimitReachedError(Exception):
    """A limit is reached: what was read so far counts, the rest is left."""

    def __init__(self, reason: Literal["time", "memory", "size"]) -> None:
        self.reason = reason
        super().__init__(reason)
