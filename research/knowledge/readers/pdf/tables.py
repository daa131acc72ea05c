"""The tables of a PDF page: those in a grid of lines, and those whose amounts stand in columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from research.knowledge.readers.pdf.aligned import Run, placed, runs
from research.knowledge.readers.pdf.framed import Frame, framed
from research.knowledge.readers.pdf.header import UNIT, header_height, names
from research.knowledge.readers.pdf.lattice import cells_of, inside
from research.knowledge.readers.pdf.layout import SENTENCE_END
from research.knowledge.readers.pdf.lines import Line, Word
from research.knowledge.readers.pdf.rows import CURRENCY, FIGURE, Row, rows_of
from research.knowledge.readers.pdf.rulings import Lattice, Rulings, lattices

CURRENCY_SIGN = re.compile(rf"(?<![^\W\d_]){CURRENCY}\s?")
LONGEST_CAPTION = 120
CAPTION_GAP = 2.2
"""A caption is no farther above its table than this, in heights of its line."""


@dataclass(frozen=True)
class Table:
    """A table of one page."""

    caption: str
    """What stands right above it, with the unit of its amounts; empty where nothing does."""
    header: tuple[str, ...]
    """A name for each column; all empty where the table has no header."""
    rows: tuple[tuple[str, ...], ...]
    words: frozenset[Word]
    """All of its words on the page, those of the caption included."""


def tables_of(lines: Sequence[Line], rulings: Rulings) -> list[Table]:
    """The tables among ``lines``, which belong to one page or one of its columns."""
    words = [word for line in lines for word in line.words]
    boxed = []
    for lattice in lattices(rulings):
        own = inside(lattice, words)
        cells = cells_of(lattice, own)
        if cells is not None:
            boxed.append((lattice, own, cells))
            words = [word for word in words if word not in set(own)]
    found = [_from_lattice(lattice, own, cells, words) for lattice, own, cells in boxed]
    rows = rows_of(word for word in words if not any(word in table.words for table in found))
    found += [_from_run(run, rows) for run in runs(rows)]
    taken = {word for table in found for word in table.words}
    rest = [word for word in words if word not in taken]
    found += [_from_frame(frame, cells, rest) for frame, cells in framed(rulings, rest)]
    return found


def amounts(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """The rows to compute on, without the sign of currency where a column bears it only here and
    there, as statements do in their first row and their totals."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    for column in columns:
        figures = [text for text in column if FIGURE.fullmatch(text)]
        signs = {sign for text in figures for sign in CURRENCY_SIGN.findall(text)}
        if len(signs) == 1 and not all(CURRENCY_SIGN.search(text) for text in figures):
            column[:] = [CURRENCY_SIGN.sub("", text).strip() for text in column]
    return [list(row) for row in zip(*columns, strict=True)]


def _from_lattice(
    lattice: Lattice, own: Sequence[Word], cells: list[list[str]], others: Sequence[Word]
) -> Table:
    titles = []
    while len(cells) > 2 and len(set(cells[0])) == 1 and cells[0][0]:
        titles.append(cells.pop(0)[0])  # one box over the whole width
    height = header_height(cells)
    top, left, right = lattice.tops[0], lattice.lefts[0], lattice.lefts[-1]
    usual = median(word.top - word.bottom for word in own)
    caption, of_caption = _caption(rows_of(others), top, left, right, usual)
    return Table(
        " ".join([caption, *titles]).strip(),
        names(cells[:height], len(cells[0])),
        tuple(map(tuple, cells[height:])),
        frozenset([*own, *of_caption]),
    )


def _from_run(run: Run, rows: Sequence[Row]) -> Table:
    cells = placed(run)
    header, units = [], []
    for row, texts in zip(run.header, cells.header, strict=True):
        if len(row.cells) == 1 and UNIT.fullmatch(row.cells[0].text):
            units.append(row.cells[0].text)
        else:
            header.append(texts)
    own = [*run.header, *run.rows]
    left = min(row.cells[0].left for row in own)
    right = max(row.cells[-1].right for row in own)
    usual = median(row.height for row in run.rows)
    caption, of_caption = _caption(rows, own[0].top, left, right, usual)
    return Table(
        " ".join([caption, *units]).strip(),
        names(header, len(cells.body[0])),
        tuple(map(tuple, cells.body)),
        frozenset([*(word for row in own for word in row.words), *of_caption]),
    )


def _from_frame(frame: Frame, cells: list[list[str]], words: Sequence[Word]) -> Table:
    own = [word for word in words if frame.holds(word)]
    usual = median(word.top - word.bottom for word in own)
    caption, of_caption = _caption(
        rows_of(word for word in words if not frame.holds(word)),
        frame.levels[0],
        frame.left,
        frame.right,
        usual,
    )
    return Table(
        caption,
        names(cells[:1], len(cells[0])),
        tuple(map(tuple, cells[1:])),
        frozenset([*own, *of_caption]),
    )


def _caption(
    rows: Sequence[Row], top: float, left: float, right: float, height: float
) -> tuple[str, list[Word]]:
    """The short lines right above a table, its name and its unit; a heading is not taken."""
    texts: list[str] = []
    words: list[Word] = []
    for row in reversed([row for row in rows if row.bottom >= top - 2]):
        text = " ".join(cell.text for cell in row.cells)
        near = row.bottom - top < CAPTION_GAP * row.height
        beside = row.cells[0].left < right and left < row.cells[-1].right
        unit = UNIT.fullmatch(text) is not None
        named = texts and not (len(texts) == 1 and UNIT.fullmatch(texts[0]))
        ended = SENTENCE_END.search(text) is not None and not unit
        large = row.height > 1.2 * height
        if named or not near or not beside or ended or large or len(text) > LONGEST_CAPTION:
            break
        texts.insert(0, text)
        words += row.words
        top = row.top
    return " ".join(texts), words
