"""Tables out of rows of cells: where each begins, its header, its file, its rows as text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from research.knowledge.readers import Block, Cell, Grid, Output
from research.knowledge.readers.cleaning import clean
from research.knowledge.readers.columns import Values, described, is_numeric, shown, typed

MOST_CELLS = 5_000_000
MOST_COLUMNS = 500
ROWS_AS_TEXT = 5_000
"""Rows of one table that can be found by searching; all rows are in its file."""
BLOCK_CHARS = 700

Row = Sequence[Cell]


@dataclass
class Region:
    """Neighbouring rows that make one table, or a few words beside one."""

    header: tuple[str, ...] | None
    rows: list[Row] = field(default_factory=list)

    @property
    def is_table(self) -> bool:
        """Whether there is anything to compute on."""
        return self.header is not None


def regions(rows: Sequence[Row]) -> list[Region]:
    """Cut ``rows`` at blank rows; a part without a header continues the table above it."""
    found: list[Region] = []
    for part in _parts(rows):
        start, stop = _table_bounds(part)
        _add(found, part[:start], words=True)
        _add(found, part[start:stop])
        _add(found, part[stop:], words=True)
    return found


def send_table(
    region: Region,
    title: str,
    output: Output,
    *,
    sheet: str | None = None,
    heading: tuple[str, ...] = (),
    as_text: bool = True,
) -> None:
    """Write the file of a table and send it, with its rows as readable text if ``as_text``."""
    names = unique(region.header or ())
    if len(names) > MOST_COLUMNS:
        output.warn("knowledge.columns_read", table=title, done=MOST_COLUMNS, total=len(names))
        names = names[:MOST_COLUMNS]
    cells = [[_at(row, index) for row in region.rows] for index in range(len(names))]
    kept = [index for index, column in enumerate(cells) if any(c is not None for c in column)]
    columns = {names[index]: cells[index] for index in kept}
    values = {name: typed(column) for name, column in columns.items()}
    file = f"{len(list(output.folder.glob('*.parquet')))}.parquet"
    _write(output.folder / file, values)
    output.grid(
        Grid(
            title=title,
            columns=tuple(described(name, columns[name], values[name]) for name in columns),
            rows=len(region.rows),
            file=file,
            sheet=sheet,
            heading=heading,
        )
    )
    if as_text:
        for first, last, text in _row_texts(columns, len(region.rows)):
            output.block(Block(text, sheet=sheet, heading=(title,), rows=(first, last)))
        if len(region.rows) > ROWS_AS_TEXT:
            output.warn(
                "knowledge.rows_indexed", table=title, done=ROWS_AS_TEXT, total=len(region.rows)
            )


def as_words(rows: Sequence[Row]) -> str:
    """Rows that are no table, a line each."""
    lines = (clean("  ".join(shown(cell) for cell in row if shown(cell))) for row in rows)
    return "\n".join(line for line in lines if line)


def as_markdown(header: Sequence[str], rows: Sequence[Row]) -> str:
    """A table in Markdown."""
    lines = [header, ["---"] * len(header), *([shown(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(_cell_text(cell) for cell in line)} |" for line in lines)


def unique(names: Sequence[str]) -> list[str]:
    """Names for columns: none empty, none twice."""
    taken: Counter[str] = Counter()
    result = []
    for index, name in enumerate(names):
        base = clean(name.replace("\n", " "))[:80] or f"column_{index + 1}"
        taken[base] += 1
        result.append(base if taken[base] == 1 else f"{base}_{taken[base]}")
    return result


def _add(found: list[Region], rows: Sequence[Row], words: bool = False) -> None:
    if not rows:
        return
    width = _width(rows)
    header = None if words else _header(rows, width)
    previous = found[-1] if found else None
    if header is not None:
        found.append(Region(header, list(rows[1:])))
    elif words or width < 2:
        found.append(Region(None, list(rows)))
    elif previous is not None and len(previous.header or ()) == width:
        previous.rows.extend(rows)
    else:
        found.append(Region(tuple(f"column_{index + 1}" for index in range(width)), list(rows)))


def _parts(rows: Sequence[Row]) -> Iterator[list[Row]]:
    part: list[Row] = []
    for row in rows:
        if _filled(row):
            part.append(row)
        elif part:
            yield part
            part = []
    if part:
        yield part


def _table_bounds(part: Sequence[Row]) -> tuple[int, int]:
    """Where the table of a part begins and ends; words stand before and notes after it."""
    usual = max(_filled(row) for row in part[:50])
    start = next(index for index, row in enumerate(part) if _filled(row) * 2 > usual)
    stop = len(part)
    while usual > 2 and stop > start + 1 and _filled(part[stop - 1]) == 1:
        stop -= 1
    return start, stop


def _header(rows: Sequence[Row], width: int) -> tuple[str, ...] | None:
    """The names in the first row, if that row names the columns rather than fills them."""
    if len(rows) < 2 or width < 2:
        return None
    first = [_at(rows[0], index) for index in range(width)]
    amounts = [cell for cell in first if is_numeric(cell) and not _is_year(cell)]
    names = [cell for cell in first if isinstance(cell, str) and not is_numeric(cell)]
    return tuple(shown(cell) for cell in first) if names and not amounts else None


def _is_year(cell: Cell) -> bool:
    text = shown(cell).strip()
    return text.isdigit() and 1800 <= int(text) <= 2200


def _filled(row: Row) -> int:
    return sum(cell is not None and cell != "" for cell in row)


def _width(rows: Sequence[Row]) -> int:
    """Columns up to the last one that holds anything."""
    width = 0
    for row in rows:
        last = len(row)
        while last > width and (row[last - 1] is None or row[last - 1] == ""):
            last -= 1
        width = max(width, last)
    return width


def _at(row: Row, index: int) -> Cell:
    cell = row[index] if index < len(row) else None
    if isinstance(cell, str):
        return clean(cell.replace("\n", " ")) or None
    return cell


def _row_texts(columns: dict[str, list[Cell]], count: int) -> Iterator[tuple[int, int, str]]:
    """(first row, last row, text), a line a row, as many rows as make a passage."""
    lines: list[str] = []
    first = 1
    for number in range(1, min(count, ROWS_AS_TEXT) + 1):
        cells = ((name, shown(column[number - 1])) for name, column in columns.items())
        line = "; ".join(f"{name}: {cell}" for name, cell in cells if cell)
        if lines and sum(map(len, lines)) + len(line) > BLOCK_CHARS:
            yield first, number - 1, "\n".join(lines)
            lines, first = [], number
        lines.append(line)
    if lines:
        yield first, first + len(lines) - 1, "\n".join(lines)


def _cell_text(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "\\|").strip()


def _write(path: Any, columns: dict[str, Values]) -> None:
    import pyarrow as pa
    from pyarrow import parquet

    arrays = {
        name: pa.array(column.values, type=_arrow_type(column)) for name, column in columns.items()
    }
    parquet.write_table(pa.table(arrays), path)


def _arrow_type(column: Values) -> Any:
    import pyarrow as pa

    present = [value for value in column.values if value is not None]
    if column.type == "number":
        return pa.int64() if all(isinstance(value, int) for value in present) else pa.float64()
    if column.type == "date":
        timed = any(isinstance(value, datetime) for value in present)
        return pa.timestamp("us") if timed else pa.date32()
    return pa.bool_() if column.type == "boolean" else pa.string()
