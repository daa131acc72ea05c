"""CSV and TSV: one table, in any usual encoding, with any usual delimiter."""

from __future__ import annotations

import csv
import io
from pathlib import Path, PurePath

from research.knowledge.readers import Block, Output
from research.knowledge.readers.encoding import decode
from research.knowledge.readers.grids import MOST_CELLS, as_words, regions, send_table

DELIMITERS = (",", ";", "\t", "|")
LONGEST_CELL = 1_000_000


def read(path: Path, output: Output) -> None:
    """Read the table at ``path``."""
    csv.field_size_limit(LONGEST_CELL)
    text = decode(path.read_bytes())
    rows: list[list[str]] = []
    cells = 0
    cut = False
    for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter_of(text)):
        cleaned = [cell.strip() for cell in row]
        if any(cleaned):
            rows.append(cleaned)
            cells += len(row)
        if len(rows) % 20_000 == 1:
            output.progress(cells, 0)
        cut = cells > MOST_CELLS
        if cut:
            break
    title = PurePath(output.name).stem.replace("_", " ").replace("-", " ")
    for region in regions(rows):
        if region.is_table:
            send_table(region, title, output)
        else:
            output.block(Block(as_words(region.rows)))
    if cut:
        output.warn("knowledge.rows_read", table=title, done=len(rows))


def delimiter_of(text: str) -> str:
    """The delimiter that cuts the first lines into the most even rows."""
    sample = "\n".join(text.split("\n", 60)[:60])

    def evenness(delimiter: str) -> tuple[float, int]:
        widths = [len(row) for row in csv.reader(io.StringIO(sample), delimiter=delimiter) if row]
        usual = max(set(widths), key=widths.count, default=1)
        return (widths.count(usual) / len(widths) if usual > 1 else 0.0, usual)

    return max(DELIMITERS, key=evenness)
