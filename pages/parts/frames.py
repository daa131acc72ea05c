"""Rows of a table on the screen, some of them marked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import streamlit as st

MARK = "background-color: rgba(255, 196, 0, 0.28)"
"""Seen on white and on black."""


def frame(
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    first: int,
    marked: Collection[int] = (),
    *,
    alt: str,
    labels: Sequence[str] = (),
    height: int | None = None,
) -> None:
    """Show rows with their numbers.

    Args:
        columns: Their names.
        rows: Cells in the order of ``columns``; short rows are filled up.
        first: Number of the first row.
        marked: Numbers of the rows that stand out.
        alt: What is shown, for those who cannot see it.
        labels: What stands above the columns, where it is not their names.
        height: In pixels; as high as the rows where it is None, up to a limit.
    """
    import pandas

    width = len(columns)
    table = pandas.DataFrame(
        [[*row[:width], *[None] * (width - len(row))] for row in rows],
        index=range(first, first + len(rows)),
        columns=list(columns),
    )
    styled = table.style.format(_written).apply(
        lambda row: [MARK if row.name in marked else ""] * width, axis="columns"
    )
    st.dataframe(
        styled,
        column_config=dict(zip(columns, labels, strict=True)) if labels else None,
        height=height or "auto",
        alt=alt,
    )


def _written(cell: Any) -> str:
    if cell is None or cell != cell:  # noqa: PLR0124 - a missing number differs from itself
        return ""
    return f"{cell:.12g}" if isinstance(cell, float) else str(cell)
