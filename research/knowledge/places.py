"""The place of a passage in a table: its rows, among those around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from research.knowledge.library import Library
from research.models import Passage, Table

AROUND = 3
"""Rows shown before and after those that are cited."""


@dataclass(frozen=True)
class RowsAround:
    """Some rows of a table, with those that a passage holds."""

    table: Table
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    """In the order of the table; cells are numbers, texts, dates, booleans or None."""
    first: int
    """Number of the first of :attr:`rows`: a data row, counted from 1."""
    cited: tuple[int, int]
    """First and last data row that the passage holds, counted likewise."""


def place_of(library: Library, passage: Passage, around: int = AROUND) -> RowsAround | None:
    """Where in its table the rows of ``passage`` stand; None where it is no rows of a known table.

    Args:
        library: Where the table is kept. Blocks while its file is read.
        passage: Of a document that may be gone by now.
        around: How many rows are wanted before and after.
    """
    cited = passage.place.rows
    table = _table_of(library, passage)
    if table is None or cited is None:
        return None
    first = max(1, cited[0] - around)
    columns, rows = library.table_rows(table.id, first, min(table.rows, cited[1] + around))
    return RowsAround(table, columns, tuple(rows), first, cited)


def _table_of(library: Library, passage: Passage) -> Table | None:
    """The table of the passage's document that reaches to its rows and has its place."""
    place = passage.place
    if place.rows is None:
        return None
    fitting = [
        table
        for table in library.tables([passage.source_id])
        if table.rows >= place.rows[1]
        and (table.place.sheet, table.place.page, table.place.slide)
        == (place.sheet, place.page, place.slide)
    ]
    # Several tables may share a sheet or a page: the column names in the text tell them apart.
    return max(fitting, key=lambda table: _named(table, passage), default=None)


def _named(table: Table, passage: Passage) -> tuple[float, bool]:
    named = sum(f"{column.name}: " in passage.text for column in table.columns)
    under = bool(passage.place.heading) and table.title == passage.place.heading[-1]
    return named / len(table.columns), under
