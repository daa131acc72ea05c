"""Tables with a grid of lines: what stands in each box."""

from __future__ import annotations

from collections.abc import Sequence

from research.knowledge.readers.cleaning import join_lines
from research.knowledge.readers.pdf.lines import Word
from research.knowledge.readers.pdf.rows import Row, joined, rows_of
from research.knowledge.readers.pdf.rulings import Lattice

MOST_COLUMNS = 40
MOST_ROWS = 400
LONGEST_CELL = 400
"""Characters; longer boxes on average hold the text of a page that is framed."""


def inside(lattice: Lattice, words: Sequence[Word]) -> list[Word]:
    """The words within the grid."""
    left, right = lattice.lefts[0], lattice.lefts[-1]
    top, bottom = lattice.tops[0], lattice.tops[-1]
    return [
        word
        for word in words
        if left <= (word.left + word.right) / 2 <= right
        and bottom <= (word.top + word.bottom) / 2 <= top
    ]


def cells_of(lattice: Lattice, words: Sequence[Word]) -> list[list[str]] | None:
    """The text of each box, row by row; None where the lines make no table.

    A box that reaches over several columns or rows gives its text to each of them.
    """
    width, height = len(lattice.lefts) - 1, len(lattice.tops) - 1
    if width > MOST_COLUMNS or height > MOST_ROWS:
        return None
    texts: list[list[str]] = []
    filled = 0
    for row in range(height):
        band = _between(words, lattice.tops[row + 1], lattice.tops[row])
        groups = _groups(lattice, row)
        rows = _figure_rows(band)
        for part in rows if len(rows) > 1 else [band]:
            line = [""] * width
            for group in groups:
                text = _text(_across(part, lattice, group))
                filled += bool(text)
                for column in group:
                    line[column] = text
            texts.append(line)
        if len(rows) <= 1 and row > 0:
            _fill_down(texts, lattice, row)
    return _checked(texts, filled)


def _checked(texts: list[list[str]], filled: int) -> list[list[str]] | None:
    kept = [index for index in range(len(texts[0])) if any(row[index] for row in texts)]
    rows = [[row[index] for index in kept] for row in texts if any(row)]
    length = sum(len(text) for row in rows for text in row)
    sparse = filled < max(4, 0.35 * len(rows) * len(kept))
    if len(kept) < 2 or len(rows) < 2 or sparse or length > LONGEST_CELL * filled:
        return None
    return rows


def _groups(lattice: Lattice, row: int) -> list[list[int]]:
    """Columns without a line between them in this row."""
    height = (lattice.tops[row] + lattice.tops[row + 1]) / 2
    groups = [[0]]
    for column in range(1, len(lattice.lefts) - 1):
        if lattice.walled(column - 1, height):
            groups.append([column])
        else:
            groups[-1].append(column)
    return groups


def _fill_down(texts: list[list[str]], lattice: Lattice, row: int) -> None:
    """Give a box without a line above it the text of the box above."""
    for column in range(len(lattice.lefts) - 1):
        across = (lattice.lefts[column] + lattice.lefts[column + 1]) / 2
        if not texts[-1][column] and len(texts) > 1 and not lattice.floored(row - 1, across):
            texts[-1][column] = texts[-2][column]


def _figure_rows(band: Sequence[Word]) -> list[list[Word]]:
    """The rows of a band in which several rows of amounts stand without a line between them."""
    rows = rows_of(band)
    with_figures = [row for row in rows if len(row.cells) > 1 and row.figures]
    if len(with_figures) < 2 or not _stacked(with_figures[0], with_figures[1]):
        return [list(band)]
    return [row.words for row in rows]


def _stacked(above: Row, row: Row) -> bool:
    """Whether amounts of two rows stand below each other."""
    return any(
        one.left < other.right and other.left < one.right
        for one in above.figures
        for other in row.figures
    )


def _between(words: Sequence[Word], bottom: float, top: float) -> list[Word]:
    return [word for word in words if bottom <= (word.top + word.bottom) / 2 < top]


def _across(words: Sequence[Word], lattice: Lattice, group: Sequence[int]) -> list[Word]:
    left, right = lattice.lefts[group[0]], lattice.lefts[group[-1] + 1]
    return [word for word in words if left <= (word.left + word.right) / 2 < right]


def _text(words: Sequence[Word]) -> str:
    text = ""
    for row in rows_of(words):
        line = joined(row.words)
        text = join_lines(text, line) if text else line
    return text
