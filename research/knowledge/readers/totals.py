"""Rows that sum up others: by what they are called, and by what their amounts come to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from research.knowledge.readers import Cell, ColumnType

BARE = re.compile(
    r"(?:grand |sub[- ]?|overall |net )?totals?|sum|sub-?sum|in total|all|overall|gesamt|summe"
    r"|insgesamt|total (?:general|général)|[小合总共][ 　]*计"
    r"|总[ 　]*[额和]|[本累]页?[小合]计|全部",
    re.IGNORECASE,
)
"""What is a total whatever its amounts are."""
NAMED = re.compile(
    r"(?:grand |sub[- ]?)?totals?\b.*|.*\b(?:sub[- ]?)?totals?|.*[小合总共]计"
    r"|[合总小共]计.*|sum of .*|.*总额",
    re.IGNORECASE,
)
"""What may be one: its amounts decide."""
YEAR = re.compile(r"(?:[\s,:：]|fy)*(?:19|20)\d{2}(?:\s*年)?\s*$", re.IGNORECASE)
LABELS = 3
"""Columns of text from the left that may say so."""
MOST_CHECKED = 3_000
"""Rows of a table whose sums are looked at."""
MOST_ROWS = 10_000
MOST_NAMED = 200
FARTHEST = 60
"""Rows above a total that may be its parts."""


class Totals:
    """Finds the rows of totals while the pieces of a table pass by."""

    def __init__(self, types: Sequence[ColumnType]) -> None:
        labels = [index for index, kind in enumerate(types) if kind == "text"]
        first = next((index for index, kind in enumerate(types) if kind == "number"), len(types))
        self._labels = [index for index in labels if index < first][:LABELS] or labels[:1]
        self._amounts = [index for index, kind in enumerate(types) if kind == "number"]
        self._bare: list[int] = []
        self._named: set[int] = set()
        self._numbers: list[list[Any]] | None = [[] for _ in self._amounts]

    def feed(self, cells: Sequence[Sequence[Cell]], arrays: Sequence[Any], before: int) -> None:
        """Look at a piece; ``before`` rows have passed already."""
        for index in self._labels:
            words = {cell for cell in set(cells[index]) if isinstance(cell, str)}
            bare = {word for word in words if BARE.fullmatch(_label(word))}
            named = {word for word in words - bare if NAMED.fullmatch(_label(word))}
            if bare or named:
                for row, cell in enumerate(cells[index], start=before + 1):
                    if cell in bare and len(self._bare) < MOST_ROWS:
                        self._bare.append(row)
                    elif cell in named and len(self._named) < MOST_NAMED:
                        self._named.add(row)
        if self._numbers is not None and before + len(cells[0]) <= MOST_CHECKED:
            for column, index in zip(self._numbers, self._amounts, strict=True):
                column.extend(arrays[index].to_pylist())
        else:
            self._numbers = None

    def rows(self, count: int) -> tuple[int, ...]:
        """The data rows, from 1, that are totals."""
        found = set(self._bare)
        if self._numbers:
            found |= {row for row in {count} - found - self._named if self._sums_up_all(row, found)}
            for row in sorted(self._named - found):
                if self._sums_up_some(row, found):
                    found.add(row)
        if len(found) * 2 > count:  # then it is what the table is about
            return ()
        return tuple(sorted(found))

    def _sums_up_some(self, row: int, known: set[int]) -> bool:
        """Whether most amounts of ``row`` are the sums of the rows above, or of totals there."""
        above = sorted(at for at in known if at < row)
        starts = range(max((*above[-1:], row - FARTHEST, 0)) + 1, row - 1)
        everything = [at for at in range(1, row) if at not in known]
        compared = self._compared(row)
        for parts in (*(range(start, row) for start in starts), above, everything):
            agreeing = sum(_agrees(column, row, parts) for column in compared)
            if agreeing * 2 >= max(1, len(compared)):  # rates and shares do not add up
                return True
        return False

    def _sums_up_all(self, row: int, known: set[int]) -> bool:
        """Whether all amounts of ``row``, whatever it is called, are the sums of all above it.

        Profit is what is left of sales, not their total: nothing may be taken off.
        """
        parts = [at for at in range(1, row) if at not in known]
        compared = self._compared(row)
        if len(parts) < 3 or len(parts) * len(compared) < 5 or not compared:
            return False
        return all(
            _agrees(column, row, parts) and min(column[at - 1] or 0 for at in parts) >= 0
            for column in compared
        )

    def _compared(self, row: int) -> list[list[Any]]:
        """The columns in which ``row`` has an amount."""
        return [column for column in self._numbers or () if column[row - 1]]


def _label(text: str) -> str:
    return YEAR.sub("", text.strip(" \t:：*")).strip(" \t:：")


def _agrees(column: Sequence[Any], row: int, others: Sequence[int]) -> bool:
    parts = [column[at - 1] for at in others if column[at - 1] is not None]
    if len(parts) < 2:
        return False
    own = column[row - 1]
    decimals = max(_decimals(own), *map(_decimals, parts))
    slack = 0.5 * 10.0**-decimals * len(parts) + 1e-9 * abs(own)
    exact = decimals > 0 and any(_decimals(part) for part in parts)
    return abs(sum(parts) - own) <= (slack if exact or decimals else min(slack, 1.0) + 1e-9)


def _decimals(number: float) -> int:
    text = format(number, ".10g")
    return len(text.partition(".")[2]) if "." in text and "e" not in text else 0
