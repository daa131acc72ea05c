"""The parts of a sheet that stand apart: below each other, and side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from research.knowledge.readers import Cell
from research.knowledge.readers.columns import is_numeric, shown

LOOKED_AT = 200
"""Rows that tell what a column holds."""
DEEPEST = 40
Row = Sequence[Cell]


@dataclass(frozen=True)
class Area:
    """A rectangle of a sheet, from 0; ``bottom`` and ``right`` are one past the last."""

    top: int
    bottom: int
    left: int
    right: int

    @property
    def width(self) -> int:
        """Its columns."""
        return self.right - self.left


@dataclass(frozen=True)
class Sheet:
    """Rows of cells, and which of them are filled."""

    rows: Sequence[Row]
    masks: Sequence[int]
    """A bit for each filled cell of a row."""

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Sheet:
        """Look at ``rows``."""
        bits = [1 << index for index in range(max(map(len, rows), default=0))]
        masks = [
            sum(
                bit for bit, cell in zip(bits, row, strict=False) if cell is not None and cell != ""
            )
            for row in rows
        ]
        return cls(rows, masks)

    def cell(self, row: int, column: int) -> Cell:
        """A cell; None outside of what is filled."""
        cells = self.rows[row]
        cell = cells[column] if column < len(cells) else None
        return None if cell == "" else cell

    def mask(self, row: int, area: Area) -> int:
        """The filled cells of a row within the columns of ``area``, its first column as bit 0."""
        return (self.masks[row] >> area.left) & ((1 << area.width) - 1)

    def filled(self, row: int, area: Area) -> int:
        """How many cells of a row are filled within the columns of ``area``."""
        return self.mask(row, area).bit_count()

    def cells(self, row: int, area: Area) -> list[Cell]:
        """The cells of a row within the columns of ``area``."""
        return [self.cell(row, column) for column in range(area.left, area.right)]


def areas(sheet: Sheet) -> list[Area]:
    """The parts of ``sheet`` with no blank row in them, from top to bottom and left to right."""
    width = max((mask.bit_length() for mask in sheet.masks), default=0)
    return list(_cut(sheet, Area(0, len(sheet.rows), 0, width), 0))


def _cut(sheet: Sheet, whole: Area, depth: int) -> Iterator[Area]:
    area = _trimmed(sheet, whole)
    if area is None:
        return
    split = _split(sheet, area) if depth < DEEPEST else None
    if split is not None:
        left, right = split
        yield from _cut(sheet, left, depth + 1)
        yield from _cut(sheet, right, depth + 1)
        return
    parts = list(_bands(sheet, area))
    if len(parts) == 1:
        yield area
        return
    for part in parts:
        yield from _cut(sheet, part, depth + 1)


def _trimmed(sheet: Sheet, area: Area) -> Area | None:
    """Without the blank rows and columns around it."""
    top, bottom, union = area.top, area.bottom, 0
    while top < bottom and not sheet.mask(top, area):
        top += 1
    while bottom > top and not sheet.mask(bottom - 1, area):
        bottom -= 1
    for row in range(top, bottom):
        union |= sheet.mask(row, area)
    if not union:
        return None
    first = (union & -union).bit_length() - 1
    return Area(top, bottom, area.left + first, area.left + union.bit_length())


def _bands(sheet: Sheet, area: Area) -> Iterator[Area]:
    start = None
    for row in range(area.top, area.bottom + 1):
        filled = row < area.bottom and sheet.mask(row, area)
        if filled and start is None:
            start = row
        elif not filled and start is not None:
            yield Area(start, row, area.left, area.right)
            start = None


def _split(sheet: Sheet, area: Area) -> tuple[Area, Area] | None:
    """The two sides of the first blank column between what does not belong together."""
    union = 0
    for row in range(area.top, area.bottom):
        union |= sheet.mask(row, area)
    shift = 0
    while union >> shift:
        shift += _run(union >> shift, filled=True)
        left = _trimmed(sheet, Area(area.top, area.bottom, area.left, area.left + shift))
        right = _trimmed(sheet, Area(area.top, area.bottom, area.left + shift, area.right))
        if left and right and _overlap(left, right) and _apart(sheet, left, right):
            return left, right
        shift += _run(union >> shift, filled=False)
    return None


def _overlap(left: Area, right: Area) -> bool:
    return left.top < right.bottom and right.top < left.bottom


def _apart(sheet: Sheet, left: Area, right: Area) -> bool:
    """Whether a blank column parts two tables, or a table and notes, rather than one table."""
    right = _first_block(sheet, right)
    looked_at = range(right.top, min(right.bottom, right.top + LOOKED_AT))
    rows = [row for row in looked_at if sheet.mask(row, right)]
    if left.width == 1 and right.width > 1 and _is_words(sheet, left):
        return True
    if right.width == 1:
        beside = sum(bool(sheet.mask(row, left)) for row in range(right.top, right.bottom))
        return _is_words(sheet, right) and len(rows) * 3 <= max(beside, left.bottom - left.top) * 2
    body = [row for row in rows if any(map(is_numeric, sheet.cells(row, right)[1:]))]
    if not body:
        return right.top != left.top and right.bottom != left.bottom
    labels = [sheet.cell(row, right.left) for row in body]
    own_labels = sum(cell is not None and _is_label(cell) for cell in labels)
    return own_labels * 10 >= len(body) * 6


def _first_block(sheet: Sheet, area: Area) -> Area:
    """The columns up to the next blank one."""
    union = 0
    for row in range(area.top, area.bottom):
        union |= sheet.mask(row, area)
    right = area.left + _run(union, filled=True)
    return _trimmed(sheet, Area(area.top, area.bottom, area.left, right)) or area


def _run(mask: int, *, filled: bool) -> int:
    """How many columns from the first on are all filled, or all blank."""
    lowest = ~mask & (mask + 1) if filled else mask & -mask
    return max(0, lowest.bit_length() - 1)


def _is_label(cell: Cell) -> bool:
    return not is_numeric(cell) or is_year(cell)


def _is_words(sheet: Sheet, column: Area) -> bool:
    """Whether a single column holds sentences or remarks rather than the cells of a table."""
    cells = [sheet.cell(row, column.left) for row in range(column.top, column.bottom)]
    texts = [shown(cell) for cell in cells if cell is not None]
    amounts = sum(map(is_numeric, (cell for cell in cells if cell is not None)))
    return not amounts and (
        len(texts) < 3 or sum(len(text) > 25 for text in texts) * 2 > len(texts)
    )


def is_year(cell: Cell) -> bool:
    """Whether a cell may be a year."""
    text = shown(cell).strip().removesuffix("年")
    return text.isdigit() and len(text) == 4 and 1800 <= int(text) <= 2200
