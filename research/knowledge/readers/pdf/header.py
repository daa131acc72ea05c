"""The header of a table in a PDF: which rows make it, and the name that they give each column."""

from __future__ import annotations

import re
from collections.abc import Sequence

from research.knowledge.readers.cleaning import join_lines
from research.knowledge.readers.pdf.lines import Word
from research.knowledge.readers.pdf.rows import FIGURE, NOTHING, YEAR, Cell

UNIT = re.compile(
    r"[(（]?\s*(?:(?:all )?(?:amounts |figures |dollars |expressed )?(?:are )?in\s+"
    r"(?:[A-Z]{2,3}\$?|[$€£¥]|US dollars|thousands|millions|billions)\b.*"
    r"|(?:US\$|[$€£¥]|[A-Z]{3})\s?(?:thousands?|millions?|billions?|m|bn|000)\b.*"
    r"|(?:金额)?单位\s*[:：].*|(?:人民币)?[千百万亿]*元)\s*[)）]?",
    re.IGNORECASE,
)
MOST_ROWS = 4
SPACE = 0.5
"""A wider gap between two words, in heights of the line, is more than a space."""


def is_amount(text: str) -> bool:
    """Whether a cell holds an amount rather than a word or the name of a year."""
    return FIGURE.fullmatch(text) is not None and YEAR.fullmatch(text) is None


def header_height(rows: Sequence[Sequence[str]]) -> int:
    """How many of the first rows name the columns."""
    leading = 0
    for row in rows[: MOST_ROWS + 1]:
        if any(is_amount(text) or (text and NOTHING.fullmatch(text)) for text in row[1:]):
            break
        leading += 1
    if leading > MOST_ROWS or leading == len(rows):
        return 1  # words only: the first row names the columns, as it does in most such tables
    named = [index for index in range(leading) if any(rows[index][1:])]
    return named[-1] + 1 if named else 0


def names(rows: Sequence[Sequence[str]], width: int) -> tuple[str, ...]:
    """One name for each column, from the rows of the header, from the top."""
    result = []
    for index in range(width):
        name = ""
        above = ""
        for row in rows:
            text = row[index]
            if text and text != above:
                name = join_lines(name, text) if name else text
            above = text or above
        result.append(name)
    return tuple(result)


def spread(cells: Sequence[Cell], columns: Sequence[tuple[float, float]], last: bool) -> list[str]:
    """The cells of a row of the header by column; one that heads several columns is in each.

    Args:
        cells: The cells, from the left.
        columns: From where to where each column reaches.
        last: Whether the row is the lowest of the header; its cells head one column each.
    """
    texts = [""] * len(columns)
    for cell in (part for whole in cells for part in _apart(whole, columns, last)):
        over = _over(cell, columns)
        if not over:
            over = [min(range(len(columns)), key=lambda i: abs(sum(columns[i]) / 2 - cell.middle))]
        if last:
            over = [max(over, key=lambda i: _shared(cell, columns[i]))]
        else:
            over = _headed(cell, cells, columns) or over
        for index in over:
            texts[index] = f"{texts[index]} {cell.text}".strip()
    return texts


def _over(cell: Cell, columns: Sequence[tuple[float, float]]) -> list[int]:
    """The columns that ``cell`` stands over."""
    return [i for i, (left, right) in enumerate(columns) if cell.left < right and left < cell.right]


def _apart(cell: Cell, columns: Sequence[tuple[float, float]], last: bool) -> list[Cell]:
    """The names of neighbouring columns that stand close together, each by itself."""
    if len(_over(cell, columns)) < 2:
        return [cell]
    parts: list[list[Word]] = []
    for word in cell.words:
        wide = parts and word.left - parts[-1][-1].right > SPACE * (word.top - word.bottom)
        index = min(range(len(columns)), key=lambda i: -_shared(Cell((word,)), columns[i]))
        near = parts and index == min(
            range(len(columns)), key=lambda i: -_shared(Cell(tuple(parts[-1])), columns[i])
        )
        if parts and (near or not (wide or last)):
            parts[-1].append(word)
        else:
            parts.append([word])
    return [Cell(tuple(part)) for part in parts]


def _shared(cell: Cell, column: tuple[float, float]) -> float:
    return min(cell.right, column[1]) - max(cell.left, column[0])


def _headed(cell: Cell, cells: Sequence[Cell], columns: Sequence[tuple[float, float]]) -> list[int]:
    """The columns that are nearer to ``cell`` than to its neighbours, if it is centred on them."""
    middles = [(left + right) / 2 for left, right in columns]
    near = [
        index
        for index, middle in enumerate(middles)
        if index > 0 and min(cells, key=lambda other: abs(other.middle - middle)) is cell
    ]
    while near:
        left, right = columns[near[0]][0], columns[near[-1]][1]
        slack = 0.25 * (right - left)
        if abs((left + right) / 2 - cell.middle) <= slack:
            return near
        near = near[1:] if cell.middle > (left + right) / 2 else near[:-1]
    return []
