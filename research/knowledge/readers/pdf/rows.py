"""Words of a PDF page that stand beside each other: rows, and the cells in a row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from research.knowledge.readers.cleaning import CHINESE
from research.knowledge.readers.pdf.lines import Word

CURRENCY = r"(?:US\$|HK\$|RMB|USD|EUR|GBP|CNY|[$€£¥￥])"
FIGURE = re.compile(rf"\(?[-+−–—－]?\s?{CURRENCY}?\s?[-+−–—－]?\(?\d[\d.,'’  ]*\)?\s?[%‰x×]?\)?")
NOTHING = re.compile(
    rf"{CURRENCY}?\s?[-–—－‐]+%?|n/?a|n\.a\.|n\.?m\.?|nil|无|不适用", re.IGNORECASE
)
YEAR = re.compile(r"(?:FY\s?)?(?:19|20)\d\d[AE]?|(?:19|20)\d\d\s?年度?")
SIGN = re.compile(rf"{CURRENCY}|[(（+−-]")
CELL_GAP = 0.75
"""Words farther apart than this, in heights of the line, stand in two cells."""


@dataclass(frozen=True)
class Cell:
    """Words that belong together."""

    words: tuple[Word, ...]

    @property
    def left(self) -> float:
        """Of the first word."""
        return self.words[0].left

    @property
    def right(self) -> float:
        """Of the last word."""
        return self.words[-1].right

    @property
    def middle(self) -> float:
        """Between both ends."""
        return (self.left + self.right) / 2

    @cached_property
    def text(self) -> str:
        """The words, Chinese ones without a space between them."""
        return joined(self.words)

    @cached_property
    def is_figure(self) -> bool:
        """Whether it holds an amount, or the dash that stands for none."""
        return FIGURE.fullmatch(self.text) is not None or self.is_nothing

    @cached_property
    def is_nothing(self) -> bool:
        """Whether it says that there is no amount."""
        return NOTHING.fullmatch(self.text) is not None

    @property
    def is_year(self) -> bool:
        """Whether it is the name of a year."""
        return YEAR.fullmatch(self.text) is not None


@dataclass(frozen=True)
class Row:
    """What stands at one height."""

    cells: tuple[Cell, ...]
    top: float
    bottom: float

    @property
    def height(self) -> float:
        """Of the line, in points."""
        return self.top - self.bottom

    @cached_property
    def figures(self) -> list[Cell]:
        """The cells with amounts."""
        return [cell for cell in self.cells if cell.is_figure]

    @property
    def words(self) -> list[Word]:
        """All words from left to right."""
        return [word for cell in self.cells for word in cell.words]


def rows_of(words: Iterable[Word]) -> list[Row]:
    """The rows that ``words`` make, from the top."""
    rows: list[list[Word]] = []
    for word in sorted(words, key=lambda word: -(word.top + word.bottom)):
        middle = (word.top + word.bottom) / 2
        if rows and middle > rows[-1][0].bottom + 0.3 * (rows[-1][0].top - rows[-1][0].bottom):
            rows[-1].append(word)
        else:
            rows.append([word])
    return [_row(row) for row in rows]


def joined(words: Sequence[Word]) -> str:
    """The text of neighbouring words."""
    text = words[0].text
    for before, word in pairwise(words):
        chinese = CHINESE.match(text[-1:]) or CHINESE.match(word.text[:1])
        near = word.left - before.right < 0.4 * (word.top - word.bottom)
        text += ("" if chinese and near else " ") + word.text
    return text


def _row(words: Sequence[Word]) -> Row:
    cells: list[list[Word]] = []
    for word in sorted(words, key=lambda word: word.left):
        if cells and _together(cells[-1], word):
            cells[-1].append(word)
        else:
            cells.append([word])
    return Row(
        tuple(Cell(tuple(cell)) for cell in cells),
        max(word.top for word in words),
        min(word.bottom for word in words),
    )


def _together(cell: Sequence[Word], word: Word) -> bool:
    """Whether a word goes on with the cell at its left."""
    height = word.top - word.bottom
    gap = word.left - cell[-1].right
    before = cell[-1].text
    if SIGN.fullmatch(before) and len(cell) == 1 and FIGURE.fullmatch(word.text):
        return gap < 6 * height  # a sign of currency at the edge of its column
    if word.text in (")", "%", "%)"):
        return gap < height
    if Cell(tuple(cell)).is_figure and Cell((word,)).is_figure:
        return gap < 0.35 * height and re.fullmatch(r"\d{3}(?:[.,]\d+)?\)?", word.text) is not None
    return gap < CELL_GAP * height
