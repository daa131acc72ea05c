"""A result taken apart into single numbers and words, each under a name, so that two compare."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from research.calculations import KeyFigure, ResultTable
from research.report.quantities import normalised, quantities

TOLERANCE = 1e-9
"""Relative; what another order of summing may move a number by."""
NEARLY_ZERO = 1e-12

Leaf = float | int | str | bool | None
Leaves = dict[str, Leaf]

_BLANK = re.compile(r"\s+")


def leaves_of(
    figures: Iterable[KeyFigure],
    tables: Iterable[ResultTable],
    charts: Iterable[tuple[ResultTable, Sequence[Any]]],
    output: str,
) -> Leaves:
    """All that a calculation gave.

    Args:
        figures: Its key figures.
        tables: Its result tables.
        charts: Of each chart its title with the rows behind it, and the traces, which are
            compared where there are no rows.
        output: What it printed.
    """
    found = _Found()
    for figure in figures:
        found.put(_named(figure.name, figure.period, figure.unit), figure.value)
    for table in tables:
        found.rows(table)
    for table, traces in charts:
        if table.rows:
            found.rows(table)
        else:
            found.tree(table.name, list(traces))
    for line in filter(None, map(str.strip, output.splitlines())):
        found.line(line)
    return found.leaves


def same(one: Leaf, other: Leaf) -> bool:
    """Whether two leaves agree."""
    if is_number(one) and is_number(other):
        return math.isclose(
            float(one or 0), float(other or 0), rel_tol=TOLERANCE, abs_tol=NEARLY_ZERO
        )
    return one == other


def is_number(leaf: Leaf) -> bool:
    """Whether a leaf is a number rather than a word."""
    return isinstance(leaf, int | float) and not isinstance(leaf, bool)


class _Found:
    def __init__(self) -> None:
        self.leaves: Leaves = {}
        self._seen: dict[str, int] = {}

    def put(self, name: str, leaf: Leaf) -> None:
        """Keep a leaf; the second of one name is called by its number as well."""
        count = self._seen[name] = self._seen.get(name, 0) + 1
        self.leaves[name if count == 1 else f"{name} ({count})"] = leaf

    def rows(self, table: ResultTable) -> None:
        """The cells of a table, called by the first cell of their row and their column."""
        for row in table.rows:
            for column, cell in zip(table.columns[1:], row[1:], strict=False):
                self.put(_named(table.name, row[0], column), cell)
            if len(row) == 1:
                self.put(_named(table.name, table.columns[0]), row[0])

    def tree(self, name: str, value: Any) -> None:
        """The numbers in a figure; its words are labels and looks."""
        if isinstance(value, list | dict):
            inside = value.values() if isinstance(value, dict) else value
            for each in inside:
                self.tree(name, each)
        elif is_number(value):
            self.put(name, value)

    def line(self, line: str) -> None:
        """The numbers of a printed line, called by what stands around them."""
        plain = normalised(line)
        numbers = quantities(line)
        words, end = "", 0
        for number in numbers:
            words += plain[end : number.at[0]] + "…"
            end = number.at[1]
        words = _BLANK.sub(" ", words + plain[end:])
        for number in numbers:
            self.put(words, number.readings[0].value)
        if not numbers:
            self.put(words, line)


def _named(*parts: object) -> str:
    return ", ".join(str(part) for part in parts if part not in (None, ""))
