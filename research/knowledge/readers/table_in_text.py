"""A table between paragraphs: as data for computing, and as Markdown in its place in the text."""

from __future__ import annotations

from collections.abc import Sequence

from research.knowledge.readers import Block, Output
from research.knowledge.readers.grids import as_markdown, regions, send_table

LONGEST_TITLE = 80
CELLS_IN_TEXT = 20_000
"""Cells of one table that are shown in the text; all are in its file."""


def send_rows(
    rows: Sequence[Sequence[str]],
    above: str,
    heading: tuple[str, ...],
    output: Output,
    *,
    headers: int = 0,
    slide: int | None = None,
) -> None:
    """Send the table in ``rows``, or its words where it serves the layout only.

    Args:
        rows: Cells as text.
        above: The line before it, which is its title if it is short.
        heading: The headings it stands under.
        output: Where it goes.
        headers: How many of the first rows are its header, if the document says so.
        slide: The slide it stands on.
    """
    if headers > 1:
        rows = [_joined(rows[:headers]), *rows[headers:]]
    filled = [row for row in rows if any(row)]
    if not filled:
        return
    tables = [region for region in regions(filled) if region.is_table]
    if not tables or max(map(len, filled)) < 2:
        text = "\n".join(cell for row in filled for cell in row if cell)
        output.block(Block(text, heading=heading, slide=slide))
        return
    is_title = 0 < len(above) <= LONGEST_TITLE and "\n" not in above
    title = above if is_title else " ".join(heading[-1:]) or output.name
    for region in tables:
        send_table(region, title, output, heading=heading, slide=slide, as_text=False)
    width = max(map(len, filled))
    shown = filled[: max(2, CELLS_IN_TEXT // width)]
    header, *body = [[*row, *[""] * (width - len(row))] for row in shown]
    output.block(Block(as_markdown(header, body), heading=heading, slide=slide))
    if len(filled) > len(shown):
        output.warn(
            "knowledge.rows_indexed", table=title, done=len(shown) - 1, total=len(filled) - 1
        )


def _joined(headers: Sequence[Sequence[str]]) -> list[str]:
    """Several rows of a header as one; what spans columns stands over each of them."""
    width = max(map(len, headers))
    names: list[list[str]] = [[] for _ in range(width)]
    for number, row in enumerate(headers, start=1):
        left = ""
        for index in range(width):
            cell = row[index] if index < len(row) else ""
            left = cell or (left if number < len(headers) else "")
            if left and left not in names[index]:
                names[index].append(left)
    return [" ".join(parts) for parts in names]
