"""Tables out of rows of cells: each becomes a file, a description, and rows that can be found."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from research.knowledge.readers import Block, Correction, Grid, Output
from research.knowledge.readers.amounts import Mark
from research.knowledge.readers.cleaning import clean
from research.knowledge.readers.columns import shown
from research.knowledge.readers.layout import Region, regions
from research.knowledge.readers.table_file import Column, Row, Stored, store
from research.knowledge.readers.units import counts, unit_in_title, unit_of_name

__all__ = [
    "MOST_CELLS",
    "MOST_COLUMNS",
    "Region",
    "as_markdown",
    "as_words",
    "regions",
    "send_table",
]

MOST_CELLS = 5_000_000
MOST_COLUMNS = 500
ROWS_AS_TEXT = 5_000
"""Rows of one table that can be found by searching; all rows are in its file."""
BLOCK_CHARS = 700
MONEY = re.compile(r"[$€£¥￥₹₩元]|[A-Z]{3}")
BARE_SCALE = re.compile(r"['’]?(?:thousands?|millions?|billions?|mn|bn|0*000s?)", re.IGNORECASE)


def send_table(
    region: Region,
    title: str,
    output: Output,
    *,
    sheet: str | None = None,
    page: int | None = None,
    slide: int | None = None,
    heading: tuple[str, ...] = (),
    as_text: bool = True,
    usual: Mark | None = None,
) -> None:
    """Write the file of a table and send it.

    Args:
        region: The table.
        title: What it is called.
        output: Where it goes.
        sheet: The sheet it stands on; likewise ``page``, ``slide`` and ``heading``.
        as_text: Send its first rows as readable text, too.
        usual: What stands before decimals in files of this kind, if anything is usual.
    """
    names = unique(region.header or ())
    if len(names) > MOST_COLUMNS:
        output.warn("knowledge.columns_read", table=title, done=MOST_COLUMNS, total=len(names))
        names = names[:MOST_COLUMNS]
    said = output.corrections.get(region.origin, Correction()) if region.origin else Correction()
    file = f"{len(list(output.folder.glob('*.parquet')))}.parquet"
    path = output.folder / file
    stored = store(names, region.rows, path, types=said.types, usual=usual, first=ROWS_AS_TEXT)
    if stored is None:
        return
    header = region.header_rows
    output.grid(
        Grid(
            title=title,
            columns=tuple(c.told(_unit(c, region, title)) for c in stored.columns),
            rows=stored.rows,
            file=file,
            sheet=sheet,
            page=page,
            slide=slide,
            heading=heading,
            totals=stored.totals,
            origin=region.origin,
            header=(header[0] + 1, header[1] + 1) if header else None,
            preview=region.preview,
            preview_row=region.preview_row,
        )
    )
    if as_text:
        for first, last, text in _row_texts(stored):
            output.block(
                Block(text, page, slide, heading=(title,), sheet=sheet, rows=(first, last))
            )
        if stored.rows > ROWS_AS_TEXT:
            output.warn("knowledge.rows_indexed", table=title, done=ROWS_AS_TEXT, total=stored.rows)


def as_words(rows: Iterable[Row]) -> str:
    """Rows that are no table, a line each."""
    lines = (clean("  ".join(shown(cell) for cell in row if shown(cell))) for row in rows)
    return "\n".join(line for line in lines if line)


def as_markdown(header: Sequence[str], rows: Iterable[Row]) -> str:
    """A table in Markdown."""
    lines = [header, ["---"] * len(header), *([shown(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(_cell_text(cell) for cell in line)} |" for line in lines)


def unique(names: Sequence[str]) -> list[str]:
    """Names for columns: none empty, none twice."""
    taken: Counter[str] = Counter()
    result: list[str] = []
    for index, name in enumerate(names):
        base = clean(name.replace("\n", " "))[:80] or f"column_{index + 1}"
        chosen = base
        while chosen in taken:
            taken[base] += 1
            chosen = f"{base}_{taken[base]}"
        taken[chosen] += 1
        result.append(chosen)
    return result


def _unit(column: Column, region: Region, title: str) -> str:
    """What the numbers of a column count: by its cells, its name, or a line above the table."""
    own = column.decision.unit
    row = region.units[column.index] if column.index < len(region.units) else ""
    named = row or unit_of_name(column.name)
    if named and (not own or MONEY.search(own)):
        return named
    for_all = region.unit or unit_in_title(title)
    if own:
        scaled = MONEY.search(own) and BARE_SCALE.fullmatch(for_all)
        return f"{own} {for_all}" if scaled else own
    return for_all if counts(column.name) else ""


def _row_texts(stored: Stored) -> Iterator[tuple[int, int, str]]:
    """(first row, last row, text), a line a row, as many rows as make a passage."""
    names = [column.name for column in stored.columns]
    lines: list[str] = []
    first = 1
    for number, row in enumerate(stored.first, start=1):
        cells = ((name, shown(cell)) for name, cell in zip(names, row, strict=True))
        line = "; ".join(f"{name}: {cell}" for name, cell in cells if cell)
        if lines and sum(map(len, lines)) + len(line) > BLOCK_CHARS:
            yield first, number - 1, "\n".join(lines)
            lines, first = [], number
        lines.append(line)
    if lines:
        yield first, first + len(lines) - 1, "\n".join(lines)


def _cell_text(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "\\|").strip()
