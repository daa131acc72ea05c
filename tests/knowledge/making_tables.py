"""Makes workbooks and delimited files, and reads their tables cell by cell."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import xlwt
from openpyxl import Workbook

from research.knowledge.readers import (
    Block,
    Cell,
    ColumnType,
    Correction,
    Grid,
    Output,
    delimited,
    excel,
)
from research.knowledge.readers.columns import Judge, converter

Rows = Sequence[Sequence[Any]]


@dataclass
class Collected(Output):
    """An output that keeps what a reader sends."""

    folder: Path
    name: str
    corrections: Mapping[str, Correction] = field(default_factory=dict)
    password: str = ""
    grids: list[Grid] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)
    warnings: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def title(self, title: str) -> None:
        """Not of interest."""

    def date(self, day: date) -> None:
        """Not of interest."""

    def version(self, version: str) -> None:
        """Not of interest."""

    def more_time(self, seconds: float) -> None:
        """Not of interest."""

    def progress(self, done: int, total: int) -> None:
        """Never more than there is."""
        assert 0 <= done <= total

    def pages(self, count: int) -> None:
        """Not of interest."""

    def block(self, block: Block) -> None:
        """Keep it."""
        self.blocks.append(block)

    def grid(self, grid: Grid) -> None:
        """Keep it."""
        self.grids.append(grid)

    def warn(self, key: str, **params: Any) -> None:
        """Keep it."""
        self.warnings.append((key, params))

    def rows(self, number: int = 0) -> list[list[Any]]:
        """The data of a table as it was written."""
        return [list(row.values()) for row in self.records(number)]

    def records(self, number: int = 0) -> list[dict[str, Any]]:
        """Likewise, with the names of the columns."""
        records = pq.read_table(self.folder / self.grids[number].file).to_pylist()
        assert len(records) == self.grids[number].rows
        return records

    def names(self, number: int = 0) -> list[str]:
        """Of the columns of a table."""
        return [column.name for column in self.grids[number].columns]

    def types(self, number: int = 0) -> list[str]:
        """Of the columns of a table."""
        return [column.type for column in self.grids[number].columns]

    def units(self, number: int = 0) -> list[str]:
        """Of the columns of a table."""
        return [column.unit for column in self.grids[number].columns]

    @property
    def words(self) -> list[str]:
        """What is no table."""
        return [block.text for block in self.blocks if block.rows is None]


def collected(
    folder: Path, name: str, data: bytes | str, corrections: Mapping[str, Correction] | None = None
) -> Collected:
    """Read ``data`` in this process, in a new folder below ``folder``."""
    own = folder / f"tables-{len(list(folder.iterdir()))}"
    own.mkdir()
    (own / "original").write_bytes(data.encode() if isinstance(data, str) else data)
    output = Collected(own, name, corrections or {})
    (excel if ".xls" in name else delimited).read(own / "original", output)
    return output


def book(build: Callable[[Any], None]) -> bytes:
    """An XLSX file; ``build`` is given its only sheet, called "Data"."""
    workbook = Workbook()
    sheet = workbook.active
    assert sheet is not None
    sheet.title = "Data"
    build(sheet)
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def placed(sheet: Any, rows: Rows, top: int = 1, left: int = 1) -> None:
    """Write ``rows`` into an openpyxl sheet."""
    for row, cells in enumerate(rows, start=top):
        for column, value in enumerate(cells, start=left):
            if value is not None:
                sheet.cell(row, column, value)


def old_book(rows: Rows, formats: Mapping[int, str], hidden: str = "") -> bytes:
    """An XLS file; ``formats`` are those of numbers and dates, by column from 0."""
    workbook = xlwt.Workbook()
    sheet = workbook.add_sheet("Data")
    for row, cells in enumerate(rows):
        for column, value in enumerate(cells):
            if not isinstance(value, str) and column in formats:
                sheet.write(row, column, value, xlwt.easyxf(num_format_str=formats[column]))
            else:
                sheet.write(row, column, value)
    if hidden:
        other = workbook.add_sheet(hidden)
        other.write(0, 0, "unseen")
        other.visibility = 1
    file = io.BytesIO()
    workbook.save(file)
    return file.getvalue()


def with_sheet(xml: Iterable[bytes]) -> bytes:
    """An XLSX file whose only sheet has this XML."""
    whole = zipfile.ZipFile(io.BytesIO(book(lambda sheet: sheet.append([1]))))
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name in whole.namelist():
            if name != "xl/worksheets/sheet1.xml":
                archive.writestr(name, whole.read(name))
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as part:
            for piece in xml:
                part.write(piece)
    return file.getvalue()


def endless_rows(count: int, prefix: str = "") -> Iterator[bytes]:
    """The XML of a sheet with so many rows of two numbers."""
    space = b"http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    tag = prefix.encode()
    declared = b"xmlns:" + tag.rstrip(b":") if tag else b"xmlns"
    yield b'<%bworksheet %b="%b"><%bsheetData>' % (tag, declared, space, tag)
    row = b"<%brow><%bc><%bv>%%d</%bv></%bc><%bc><%bv>7</%bv></%bc></%brow>" % ((tag,) * 10)
    for start in range(0, count, 1000):
        yield b"".join(row % (number * 7919 % 1_000_003) for number in range(start, start + 1000))
    yield b"</%bsheetData></%bworksheet>" % (tag, tag)


@dataclass(frozen=True)
class Values:
    """The cells of a column as values of its type; None where a cell holds nothing."""

    type: ColumnType
    values: list[Any]


def typed(cells: Sequence[Cell]) -> Values:
    """Find the type that fits every cell of a column, and its values."""
    judge = Judge()
    judge.feed(cells)
    decision = judge.decide(usual=".")
    convert = converter(decision)
    return Values(decision.type, [convert(cell) for cell in cells])
