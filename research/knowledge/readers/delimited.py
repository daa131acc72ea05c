"""CSV and TSV: in any usual encoding, with any usual delimiter, of any length."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

from research.knowledge.readers import Block, Output
from research.knowledge.readers.amounts import Mark
from research.knowledge.readers.areas import Row, Sheet
from research.knowledge.readers.encoding import open_text
from research.knowledge.readers.grids import as_words, send_table
from research.knowledge.readers.layout import Region, header_texts, regions
from research.knowledge.readers.sheets import correctable, send_rows, stem, title_in

DELIMITERS = (",", ";", "\t", "|")
LONGEST_CELL = 1_000_000
SAMPLE_LINES = 60
SECONDS_A_BYTE = 1e-6
"""Of CPU time, for a slow machine; 0.4e-6 were measured."""
WHOLE_BYTES = 12_000_000
"""A longer file is taken for one table that begins in its first rows."""
HEAD_ROWS = 2_000
MOST_CELLS = 40_000_000
PROGRESS_ROWS = 20_000
NOTES = 20
"""Rows with a single cell at the end that are notes, not data."""


def read(path: Path, output: Output) -> None:
    """Read the table at ``path``."""
    csv.field_size_limit(LONGEST_CELL)
    source = _Source(path, output)
    usual: Mark = "," if source.delimiter == ";" else "."
    if path.stat().st_size <= WHOLE_BYTES:
        send_rows(_stripped(source.rows()), stem(output.name), output, usual=usual)
    else:
        output.more_time(path.stat().st_size * SECONDS_A_BYTE)
        _send_long(source, output, usual)


def delimiter_of(text: str) -> str:
    """The delimiter that cuts the first lines into the most even rows."""
    lines = text.splitlines()[:SAMPLE_LINES]

    def evenness(delimiter: str) -> tuple[float, int]:
        widths = [len(row) for row in csv.reader(lines, delimiter=delimiter) if row]
        usual = max(set(widths), key=widths.count, default=1)
        return (widths.count(usual) / len(widths) if usual > 1 else 0.0, usual)

    return max(DELIMITERS, key=evenness)


def _stripped(rows: Iterable[list[str]]) -> list[list[str]]:
    return [[cell.strip() for cell in row] for row in rows]


class _Source:
    """The rows of a file, which can be gone through more than once."""

    def __init__(self, path: Path, output: Output) -> None:
        self._path = path
        self._output = output
        self._size = path.stat().st_size
        self._passed = 0
        with open_text(path) as file:
            self.encoding = file.encoding
            head = "".join(islice(file, SAMPLE_LINES))[: 4 * LONGEST_CELL]
            first = head.split("\n", 1)[0].strip()
        # Excel writes such a line for itself.
        self._said = first.lower().startswith("sep=") and len(first) == 5
        self.delimiter = first[4] if self._said else delimiter_of(head)

    def rows(self) -> Iterator[list[str]]:
        """All rows, with the blank ones."""
        with self._path.open(encoding=self.encoding, errors="replace", newline="") as file:
            # csv refuses NULs in some versions, and a lone carriage return in the middle.
            lines: Iterable[str] = (line.replace("\x00", "") for line in file)
            read = 0
            for number, row in enumerate(csv.reader(lines, delimiter=self.delimiter)):
                yield [] if self._said and number == 0 else row
                read += sum(map(len, row)) + len(row)
                if number % PROGRESS_ROWS == PROGRESS_ROWS - 1:
                    done = self._passed + min(read, self._size)
                    self._output.progress(done, 2 * self._size)
        self._passed = self._size


class _Rows:
    """The data rows of a table that goes on to the end of a file."""

    def __init__(self, source: _Source, region: Region, sheet: Sheet) -> None:
        assert region.area is not None
        self._source = source
        self._start = region.stretches[0][0]
        self._left, self._right = region.area.left, region.area.right
        self._headers = header_texts(sheet, region)
        self.notes: list[Row] = []
        self.cut: int | None = None

    def __iter__(self) -> Iterator[Row]:
        left, right = self._left, self._right
        most = MOST_CELLS // (right - left)
        firsts = {line[0] for line in self._headers}
        count = 0
        alone: list[Row] = []
        for row in islice(self._source.rows(), self._start, None):
            cells = row[left:right]
            if not any(cells):
                continue
            if right - left > 2 and not any(cells[1:]):
                alone.append(cells)
                continue
            if alone:
                yield from alone
                alone = []
            if cells[0].strip() in firsts and tuple(map(str.strip, cells)) in self._headers:
                continue
            count += 1
            if count > most:
                self.cut = most
                break
            yield cells
        self.notes = alone if len(alone) <= NOTES else []
        if len(alone) > NOTES:
            yield from alone


def _send_long(source: _Source, output: Output, usual: Mark) -> None:
    """Send the tables of the first rows; the last of them goes on to the end of the file."""
    head = _stripped(islice(source.rows(), HEAD_ROWS))
    sheet = Sheet.of(head)
    found = regions(head, more=True)
    last = max((number for number, region in enumerate(found) if region.is_table), default=-1)
    name = stem(output.name)
    above = ""
    for number, region in enumerate(found):
        if not region.is_table:
            output.block(Block(as_words(region.rows)))
            above = title_in(region.rows)
            continue
        table = correctable(region, sheet, output, None)
        rows = _Rows(source, table, sheet) if number == last else None
        table.rows = rows or table.rows
        title, above = above or name, ""
        send_table(table, title, output, usual=usual)
        if rows and rows.notes:
            output.block(Block(as_words(rows.notes)))
        if rows and rows.cut:
            output.warn("knowledge.rows_read", table=title, done=rows.cut)
