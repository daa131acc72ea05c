"""Sends the pages of a PDF: paragraphs under headings, and tables where they stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from research.knowledge.readers import Block, Output
from research.knowledge.readers.grids import Region, as_markdown, send_table
from research.knowledge.readers.path import HeadingPath
from research.knowledge.readers.pdf.columns import in_columns
from research.knowledge.readers.pdf.header import UNIT
from research.knowledge.readers.pdf.headings import Heading, Headings
from research.knowledge.readers.pdf.layout import Layout
from research.knowledge.readers.pdf.lines import Line
from research.knowledge.readers.pdf.rulings import Rulings
from research.knowledge.readers.pdf.tables import Table, amounts, tables_of

BLOCK_CHARS = 700
"""A longer table is several passages, each with the header."""


@dataclass(frozen=True)
class _Open:
    """A table that may go on on the next page."""

    table: Table
    page: int
    last_page: int
    heading: tuple[str, ...]


class Pages:
    """Sends one page after another."""

    def __init__(self, layout: Layout, headings: Headings, output: Output) -> None:
        self._layout = layout
        self._headings = headings
        self._output = output
        self._path = HeadingPath()
        self._open: _Open | None = None

    def send(self, index: int, lines: Sequence[Line], rulings: Rulings) -> None:
        """Send the page with this index; ``lines`` are those between its head and foot."""
        rest, tables = _arranged(lines, rulings)
        parts: list[tuple[int, int, Heading | Table]] = [
            *((heading.start, 0, heading) for heading in self._headings.on(index, rest)),
            *((at, 1, table) for at, table in tables),
        ]
        position = 0
        for at, _, part in sorted(parts, key=lambda part: part[:2]):
            self._send_lines(index, rest[position:at])
            position = max(position, at)
            if isinstance(part, Heading):
                self._close()
                self._path.enter(part.level, part.title)
                position = max(position, part.stop)
            else:
                self._send_table(index, part)
        self._send_lines(index, rest[position:])

    def send_text(self, index: int, paragraphs: Sequence[str]) -> None:
        """Send a page of which only the text is known."""
        self._close()
        for text in paragraphs:
            self._output.block(Block(text, page=index + 1, heading=self._path.titles))

    def end(self) -> None:
        """Send what was kept back."""
        self._close()

    def _send_lines(self, index: int, lines: Sequence[Line]) -> None:
        if lines:
            self._close()
        for text in self._layout.paragraphs(lines):
            self._output.block(Block(text, page=index + 1, heading=self._path.titles))

    def _send_table(self, index: int, table: Table) -> None:
        page = index + 1
        whole = self._open and _continued(self._open, table, page)
        if whole and self._open:
            table = replace(table, header=whole.header, caption=table.caption or whole.caption)
            self._open = replace(self._open, table=whole, last_page=page)
        else:
            self._close()
            self._open = _Open(table, page, page, self._path.titles)
        for text in _texts(table):
            self._output.block(Block(text, page=page, heading=self._path.titles))

    def _close(self) -> None:
        """Send the data of the table that ends here."""
        if self._open is not None:
            kept, self._open = self._open, None
            send_table(
                Region(kept.table.header, [*amounts(kept.table.rows)]),
                _title(kept),
                self._output,
                page=kept.page,
                heading=kept.heading,
                as_text=False,
            )


def _title(kept: _Open) -> str:
    """The caption, below its heading where it says no more than the unit."""
    caption = kept.table.caption
    above = " ".join(kept.heading[-1:])
    title = f"{above} {caption}".strip() if UNIT.fullmatch(caption) else caption or above
    return title or f"p. {kept.page}"


def _arranged(
    lines: Sequence[Line], rulings: Rulings
) -> tuple[list[Line], list[tuple[int, Table]]]:
    """The lines outside tables in reading order, and each table with the line it stands before."""
    rest: list[Line] = []
    placed: list[tuple[int, Table]] = []
    for part in in_columns(lines):
        owner = {word: table for table in tables_of(part, rulings) for word in table.words}
        seen: list[Table] = []
        for line in part:
            words = tuple(word for word in line.words if word not in owner)
            if words == line.words:
                rest.append(line)
                continue
            table = next(owner[word] for word in line.words if word in owner)
            if not any(table is other for other in seen):
                seen.append(table)
                placed.append((len(rest), table))
            if words:
                rest.append(line.part(words))
    return rest, placed


def _continued(kept: _Open, table: Table, page: int) -> Table | None:
    """The table that was begun on the page before with the rows of ``table``, if it goes on."""
    before = kept.table
    same = table.header == before.header and any(before.header)
    nameless = not any(table.header) and not table.caption
    if kept.last_page != page - 1 or len(table.header) != len(before.header):
        return None
    return replace(before, rows=before.rows + table.rows) if same or nameless else None


def _texts(table: Table) -> Iterator[str]:
    """A table in Markdown, in pieces that are short enough for a passage."""
    head = f"{table.caption}\n\n" if table.caption else ""
    rows: list[tuple[str, ...]] = []
    length = 0
    for row in table.rows:
        size = sum(map(len, row)) + 3 * len(row)
        if rows and length + size > BLOCK_CHARS:
            yield head + as_markdown(table.header, rows)
            rows, length = [], 0
        rows.append(row)
        length += size
    if rows:
        yield head + as_markdown(table.header, rows)
