"""Excel workbooks: the tables of each visible sheet, and the words beside them."""

from __future__ import annotations

from datetime import date, datetime, time
from pathlib import Path, PurePath
from typing import Any

from research.knowledge.readers import Block, Cell, Output
from research.knowledge.readers.archive import check_archive
from research.knowledge.readers.columns import shown
from research.knowledge.readers.grids import (
    MOST_CELLS,
    Region,
    as_words,
    regions,
    send_table,
)

NAMELESS = ("sheet", "工作表", "tabelle", "feuil", "hoja")
"""What Excel calls a sheet that nobody named."""


def read(path: Path, output: Output) -> None:
    """Read the workbook at ``path``."""
    check_archive(path)
    from openpyxl import load_workbook

    # Opened here, for openpyxl judges a path by its ending.
    with path.open("rb") as file:
        book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
        _read_book(book, output)


def _read_book(book: Any, output: Output) -> None:
    sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    budget = MOST_CELLS
    for number, sheet in enumerate(sheets):
        rows, cut = _rows(sheet, budget)
        budget -= sum(map(len, rows))
        _send(regions(rows), sheet.title, len(sheets), output)
        if cut:
            output.warn("knowledge.rows_read", table=sheet.title, done=len(rows))
        output.progress(number + 1, len(sheets))


def _rows(sheet: Any, budget: int) -> tuple[list[list[Cell]], bool]:
    """The rows of a sheet and whether any was left out."""
    sheet.reset_dimensions()  # what the file says of its size cannot be trusted
    rows: list[list[Cell]] = []
    for row in sheet.iter_rows():
        values = [_value(cell) for cell in row]
        while values and values[-1] is None:
            values.pop()
        budget -= len(values) + 1
        if budget < 0:
            return rows, True
        if values or (rows and rows[-1]):  # one blank row says as much as a million
            rows.append(values)
    return rows, False


def _value(cell: Any) -> Cell:
    value = cell.value
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, datetime):
        return value.date() if value.time() == time() else value.replace(tzinfo=None, microsecond=0)
    if isinstance(value, int | float):
        percent = "%" in (cell.number_format or "")
        return f"{shown(round(value * 100, 10))}%" if percent else value
    return value if isinstance(value, date) else str(value)


def _send(found: list[Region], sheet: str, sheets: int, output: Output) -> None:
    stem = PurePath(output.name).stem.replace("_", " ").replace("-", " ")
    name = sheet
    if sheet.lower().startswith(NAMELESS):
        name = stem if sheets == 1 else f"{stem}, {sheet}"
    above = ""
    for region in found:
        if region.is_table:
            title = above if above and len(above) <= 80 else name
            send_table(region, title, output, sheet=sheet)
        else:
            above = as_words(region.rows)
            output.block(Block(above, sheet=sheet, heading=(name,)))
            above = above.split("\n")[0]
