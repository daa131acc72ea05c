"""The header of a table: which rows it takes, and the name and unit each column gets from it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from research.knowledge.readers import Cell
from research.knowledge.readers.areas import Area, Sheet, is_year
from research.knowledge.readers.columns import is_missing, is_numeric, shown
from research.knowledge.readers.units import is_unit

MOST_ROWS = 5
LONGEST_NAME = 120
JOINT = " / "
NOTE = re.compile(
    r"(?:source|note|notes|remark)s?\b|[*†‡]|注|来源|数据来源|资料来源|备注|说明|\(\d\)|（\d）",
    re.I,
)
Merge = tuple[int, int, int, int]
"""Top, bottom, left and right of merged cells, from 0; the last two ends are one past them."""


@dataclass(frozen=True)
class Anatomy:
    """The rows of an area: words, header, data, notes; each from where the one before ended."""

    top: int
    body: int
    bottom: int
    """First row of the header (or of the data), of the data, and one past the data."""

    @property
    def has_header(self) -> bool:
        """Whether any row names the columns."""
        return self.body > self.top


def anatomy(
    sheet: Sheet, area: Area, merges: Collection[Merge] = (), *, more: bool = False
) -> Anatomy:
    """Find the header and the data in ``area``; ``more`` if rows follow that are not there."""
    counts = [sheet.filled(row, area) for row in range(area.top, area.bottom)]
    usual = max(counts[:50])
    start = area.top + next(index for index, count in enumerate(counts) if count * 2 > usual)
    bottom = area.bottom if more else _bottom(sheet, area, start, usual)
    if not _names(sheet, start, area) or bottom - start < 2:
        return Anatomy(start, start, bottom)
    top, last = start, start
    while (
        top > area.top and last - top < MOST_ROWS and _is_group(sheet, top - 1, top, area, merges)
    ):
        top -= 1
    while last + 2 < bottom and last - top < MOST_ROWS and _goes_on(sheet, top, last, area, merges):
        last += 1
    return Anatomy(top, last + 1, bottom)


def names(
    sheet: Sheet, first: int, last: int, area: Area, merges: Collection[Merge] = ()
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The name and the unit of each column in the header rows ``first`` to ``last``."""
    parts: list[list[str]] = [[] for _ in range(area.width)]
    units = [""] * area.width
    for row in range(first, last + 1):
        texts = _spread(sheet, row, last, area, merges)
        if row > first and _is_units(texts):
            units = [
                text if is_unit(text) else unit for text, unit in zip(texts, units, strict=True)
            ]
            continue
        for own, text in zip(parts, texts, strict=True):
            if text and text not in own:
                own.append(text)
    return tuple(JOINT.join(own)[:LONGEST_NAME] for own in parts), tuple(units)


def _names(sheet: Sheet, row: int, area: Area) -> bool:
    """Whether a row names the columns rather than fills them."""
    cells = [cell for cell in sheet.cells(row, area) if cell is not None]
    numbers = [cell for cell in cells if is_numeric(cell) and not is_year(cell)]
    texts = [cell for cell in cells if isinstance(cell, str) and not is_numeric(cell)]
    if numbers:
        return bool(texts) and _counts_up(numbers) and len(texts) + len(numbers) == len(cells)
    corner = sheet.cell(row, area.left) is None
    return bool([text for text in texts if not is_missing(text)]) or (corner and len(cells) > 0)


def _counts_up(cells: Sequence[Cell]) -> bool:
    """1, 2, 3, ...: months or buckets."""
    texts = [shown(cell) for cell in cells]
    return len(texts) > 2 and texts == [str(number) for number in range(1, len(texts) + 1)]


def _is_group(sheet: Sheet, row: int, below: int, area: Area, merges: Collection[Merge]) -> bool:
    """Whether a row that is only partly filled stands over groups of the columns below it."""
    cells = sheet.cells(row, area)
    filled = [index for index, cell in enumerate(cells) if cell is not None]
    texts = [shown(cells[index]) for index in filled]
    if not filled or any(len(text) > 60 for text in texts) or _has_amounts(cells):
        return False
    if all(map(is_unit, texts)):
        return False
    over = [merge for merge in merges if merge[0] == row and merge[3] - merge[2] > 1]
    if len(filled) == 1 and filled[0] == 0:
        return False
    if len(filled) == 1:
        return any(area.left + filled[0] == left for _, _, left, _ in over)
    if filled[0] == 0 and sheet.cell(below, area.left) is not None:
        return len(over) > 1
    return True


def _goes_on(sheet: Sheet, top: int, last: int, area: Area, merges: Collection[Merge]) -> bool:
    """Whether the row below ``last`` still belongs to the header."""
    cells = sheet.cells(last + 1, area)
    if _has_amounts(cells) or any(cell is not None and is_missing(cell) for cell in cells):
        return False
    texts = [shown(cell) for cell in cells]
    filled = [index for index, text in enumerate(texts) if text]
    if _is_units(texts):
        return True
    above = sheet.cells(last, area)
    under = any(merge[0] <= last < merge[1] - 1 and merge[1] == last + 2 for merge in merges)
    gaps = [index for index in filled if index and above[index] is None]
    parted = cells[0] is None or above[0] is None or cells[0] == above[0]
    if under or (gaps and parted and len(filled) > 1):
        return _has_amounts_below(sheet, last + 2, area)
    if cells[0] is None and len(filled) > 1:
        labelled = sheet.cell(last + 2, area.left) is not None
        return labelled and _has_amounts_below(sheet, last + 2, area)
    return False


def _has_amounts_below(sheet: Sheet, row: int, area: Area) -> bool:
    rows = range(row, min(row + 5, area.bottom))
    return any(_has_amounts(sheet.cells(at, area)) for at in rows)


def _has_amounts(cells: Sequence[Cell]) -> bool:
    return any(is_numeric(cell) and not is_year(cell) for cell in cells if cell is not None)


def _is_units(texts: Sequence[str]) -> bool:
    """Whether a row holds nothing but units, beside the cell of the labels."""
    filled = [text for text in texts[1:] if text]
    return bool(filled) and all(map(is_unit, filled)) and (not texts[0] or len(texts[0]) < 30)


def _spread(sheet: Sheet, row: int, last: int, area: Area, merges: Collection[Merge]) -> list[str]:
    """The texts of a header row, those of groups repeated over their columns."""
    texts = [shown(cell) for cell in sheet.cells(row, area)]
    own = [merge for merge in merges if merge[0] <= row < merge[1]]
    if own:
        for top, _, left, right in own:
            text = shown(sheet.cell(top, left))
            for column in range(max(left, area.left), min(right, area.right)):
                texts[column - area.left] = texts[column - area.left] or text
        return texts
    if row == last:
        return texts
    below = [shown(cell) for cell in sheet.cells(last, area)]
    text = ""
    for index, cell in enumerate(texts):
        text = cell or (text if below[index] else "")
        if index or cell:
            texts[index] = text
    return texts


def _bottom(sheet: Sheet, area: Area, start: int, usual: int) -> int:
    """Where the data ends: notes stand below it in the first column."""
    bottom = area.bottom
    while bottom > start + 1 and sheet.filled(bottom - 1, area) == 1:
        text = shown(sheet.cell(bottom - 1, area.left))
        alone = usual > 2 or (usual == 2 and NOTE.match(text) is not None)
        if not alone or not text:
            break
        bottom -= 1
    return bottom


def is_repeated(row: Sequence[Cell], headers: Collection[tuple[str, ...]]) -> bool:
    """Whether a row of data is a header again."""
    return bool(headers) and tuple(map(shown, row)) in headers
