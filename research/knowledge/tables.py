"""The rows of a table that the library keeps as a Parquet file."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def rows_of(path: Path, first: int, last: int) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """The names of the columns, and the rows from ``first`` to ``last``.

    Args:
        path: The Parquet file.
        first: Counted from 1.
        last: Inclusive.
    """
    from pyarrow import parquet

    rows: list[tuple[Any, ...]] = []
    with parquet.ParquetFile(path) as file:
        names = tuple(file.schema_arrow.names)
        number = 0
        for group in range(file.num_row_groups):
            count = file.metadata.row_group(group).num_rows
            if number + count >= first and number < last:
                start = max(first - 1 - number, 0)
                part = file.read_row_group(group).slice(start, last - number - start)
                rows += zip(*(column.to_pylist() for column in part.columns), strict=True)
            number += count
    return names, rows
