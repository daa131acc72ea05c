"""Excel workbooks, new and old: the tables of each visible sheet, and the words beside them.

Calamine reads the cells; it is quick, but makes a full rectangle of a sheet however empty, and does
not tell how a number is shown. So the file is looked at first: a sheet that spans too much is read
row by row instead, and what is shown as a percentage or with a currency becomes what is shown.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from research.knowledge.readers import Cell, Output, UnreadableError
from research.knowledge.readers.archive import MOST_BYTES, MOST_RATIO, check_archive
from research.knowledge.readers.columns import shown
from research.knowledge.readers.grids import MOST_CELLS
from research.knowledge.readers.headers import Merge
from research.knowledge.readers.sheets import send_rows, stem
from research.knowledge.readers.xls_look import look_at_xls
from research.knowledge.readers.xlsx_look import Look, format_of, look_at_xlsx, shortened

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

NAMELESS = ("sheet", "工作表", "tabelle", "feuil", "hoja")
"""What Excel calls a sheet that nobody named."""
SHEETS = "xl/worksheets/"
MOST_IN_SHEETS = 2 * 1024**3
"""Bytes of XML; they are never unpacked all at once."""
LARGEST = 8_000_000
"""Cells of a rectangle that fits in memory, empty ones too."""
MOST_SPARSE = 1_000_000
"""Cells of a sheet that is read row by row, which takes ten times as long."""
MOST_MERGES = 50_000
LONGEST_GAP = 20


def read(path: Path, output: Output) -> None:
    """Read the workbook at ``path``."""
    from python_calamine import CalamineError, CalamineWorkbook

    with path.open("rb") as file:
        zipped = file.read(2) == b"PK"
    if zipped:
        _check(path)
    looks = look_at_xlsx(path) if zipped else look_at_xls(path)
    try:
        with shortened(path, looks) as short, CalamineWorkbook.from_path(short) as book:
            _read_book(book, short, looks, output)
    except CalamineError as error:
        raise UnreadableError("knowledge.damaged") from error


def _check(path: Path) -> None:
    """Refuse what unpacks to too much, unless it is only that its sheets are long."""
    try:
        check_archive(path)
    except UnreadableError as error:
        if error.key != "knowledge.unpacks_too_large":
            raise
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
        unpacked = sum(entry.file_size for entry in entries)
        packed = sum(entry.compress_size for entry in entries)
        others = sum(e.file_size for e in entries if not e.filename.startswith(SHEETS))
        if others > MOST_BYTES or unpacked > min(MOST_RATIO * packed, MOST_IN_SHEETS):
            raise


def _read_book(
    book: CalamineWorkbook, path: Path, looks: Mapping[str, Look], output: Output
) -> None:
    from python_calamine import SheetTypeEnum, SheetVisibleEnum

    sheets = [sheet for sheet in book.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
    hidden = [sheet.name for sheet in sheets if sheet.visible != SheetVisibleEnum.Visible]
    names = [sheet.name for sheet in sheets if sheet.visible == SheetVisibleEnum.Visible]
    if hidden:
        output.warn("readers.hidden_sheets", sheets=", ".join(hidden[:20]))
    budget = MOST_CELLS
    for number, name in enumerate(names):
        look = looks.get(name, Look())
        wide = look.rows * look.columns > LARGEST
        sheet = None if wide else book.get_sheet_by_name(name)
        cells = _dense(sheet, look) if sheet else _sparse(path, name)
        rows, cut = _within(cells, min(budget, MOST_SPARSE) if wide else budget)
        budget -= sum(map(len, rows))
        title = _title(name, output.name, len(names))
        send_rows(rows, title, output, sheet=name, merges=_merges(sheet) if sheet else ())
        if cut or look.cut is not None:
            output.warn("knowledge.rows_read", table=title, done=len(rows))
        if look.uncomputed:
            output.warn("readers.uncomputed", table=title, count=look.uncomputed)
        output.progress(number + 1, len(names))


def _title(sheet: str, file: str, sheets: int) -> str:
    if not sheet.lower().startswith(NAMELESS):
        return sheet
    return stem(file) if sheets == 1 else f"{stem(file)}, {sheet}"


def _dense(sheet: CalamineSheet, look: Look) -> Iterator[list[Cell]]:
    """The rows of a sheet, from its first row and column on."""
    before: list[Cell] = [None] * (sheet.start[1] if sheet.start else 0)
    for number, row in enumerate(sheet.iter_rows()):
        formats = look.formats.get(number)
        cells = before + [_value(cell) for cell in row]
        for column, form in formats.items() if formats else ():
            if column < len(cells):
                cells[column] = formatted(cells[column], form)
        yield cells


def _sparse(path: Path, name: str) -> Iterator[list[Cell]]:
    """The rows of a sheet with cells far apart; far blank rows are left out."""
    from openpyxl import load_workbook

    with path.open("rb") as file:  # openpyxl judges a path by its ending
        book = load_workbook(file, read_only=True, data_only=True, keep_links=False)
        sheet = book[name]
        sheet.reset_dimensions()  # what the file says of its size cannot be trusted
        blank = 0
        for row in sheet.iter_rows():
            values = [_value(cell.value) for cell in row if cell.value is not None]
            blank = 0 if values else blank + 1
            if blank <= LONGEST_GAP:
                yield _placed(row) if values else []


def _placed(row: Sequence[Any]) -> list[Cell]:
    last = max(index for index, cell in enumerate(row) if cell.value is not None)
    return [
        formatted(_value(cell.value), format_of(cell.number_format or ""))
        if cell.value is not None
        else None
        for cell in row[: last + 1]
    ]


def _within(cells: Iterable[list[Cell]], budget: int) -> tuple[list[list[Cell]], bool]:
    """Rows until ``budget`` cells are used up, and whether any was left out."""
    rows: list[list[Cell]] = []
    for row in cells:
        while row and row[-1] is None:
            row.pop()
        budget -= len(row) + 1
        if budget < 0:
            return rows, True
        rows.append(row)
    while rows and not rows[-1]:
        rows.pop()
    return rows, False


def _merges(sheet: CalamineSheet) -> list[Merge]:
    return [
        (top, bottom + 1, left, right + 1)
        for (top, left), (bottom, right) in islice(sheet.merged_cell_ranges or (), MOST_MERGES)
    ]


def _value(value: Any) -> Cell:
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, datetime):
        return value.date() if value.time() == time() else value.replace(tzinfo=None, microsecond=0)
    if isinstance(value, timedelta):
        return str(value)
    return value if isinstance(value, int | float | date) else str(value)


def formatted(value: Cell, form: str) -> Cell:
    """A number as it is shown: ``12.5%`` for 0.125 in a format of percentages."""
    if not form or isinstance(value, bool) or not isinstance(value, int | float):
        return value
    if form == "%":
        return f"{shown(round(value * 100, 10))}%"
    number = shown(value)
    sign = "-" if number.startswith("-") else ""
    if form[-1] == "元":
        return f"{number}{form}"
    space = " " if form.isalpha() else ""
    return f"{sign}{form}{space}{number.removeprefix('-')}"
