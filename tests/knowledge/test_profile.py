"""What is told of a table without reading all of it."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from research.knowledge.profile import SCANNED, profile


def stored(path: Path, group: int = 1_000, **columns: Any) -> Path:
    parquet.write_table(pa.table(columns), path, row_group_size=group)
    return path


def test_numbers_texts_and_dates_are_summed_up_with_what_is_missing(tmp_path: Path) -> None:
    path = stored(
        tmp_path / "a.parquet",
        amount=pa.array([3.0, None, 1.0, 8.0]),
        region=pa.array(["N", "S", None, "N"]),
        day=pa.array([dt.date(2025, 3, 1), dt.date(2024, 1, 1), None, None]),
        sold=pa.array([True, False, True, None]),
    )
    found = profile(path)
    amount, region, day, sold = found.columns
    assert (amount.least, amount.most, amount.mean, amount.median) == (1.0, 8.0, 4.0, 3.0)
    assert [column.missing for column in found.columns] == [1, 1, 2, 1]
    assert region.frequent == (("N", 2), ("S", 1))
    assert (day.least, day.most) == (dt.date(2024, 1, 1), dt.date(2025, 3, 1))
    assert dict(sold.frequent) == {"True": 2, "False": 1}
    assert (found.rows, found.scanned) == (4, 4)
    assert len(found.first) == 3 and len(found.last) == 1


@pytest.mark.parametrize(
    "column",
    [
        pa.array([], pa.float64()),
        pa.array([None, None], pa.string()),
        pa.array([None, None], pa.float64()),
        pa.array([float("nan"), float("inf"), 2.0]),
        pa.array([2**60, -(2**60)]),
        pa.array(["x" * 100_000, "\x00", "文"]),
        pa.array([dt.datetime(2025, 1, 1, 12), None]),
    ],
    ids=["empty", "no text", "no number", "infinite", "huge", "long texts", "moments"],
)
def test_awkward_columns_are_told_too(tmp_path: Path, column: Any) -> None:
    found = profile(stored(tmp_path / "a.parquet", odd=column))
    assert found.rows == len(column)
    assert found.columns[0].missing == column.null_count
    assert found.columns[0].median in (None, 2.0, 0.0)


def test_zero_has_no_sign(tmp_path: Path) -> None:
    (column,) = profile(stored(tmp_path / "a.parquet", n=pa.array([0.0, 5.0]))).columns
    assert str(column.least) == "0.0"


def test_of_two_million_rows_few_are_read_from_all_over_and_the_range_is_that_of_all(
    tmp_path: Path,
) -> None:
    rows = 2_000_000
    path = stored(tmp_path / "big.parquet", 20_000, number=pa.array(range(rows), pa.int64()))
    found = profile(path)
    (number,) = found.columns
    assert found.rows == rows
    assert found.scanned <= SCANNED
    assert (number.least, number.most) == (0, rows - 1)
    assert number.distinct <= SCANNED
    assert abs((number.median or 0) / rows - 0.5) < 0.1, "not from the beginning alone"
    assert found.last[-1] == (rows - 1,)


def test_one_endless_group_is_read_only_at_its_beginning(tmp_path: Path) -> None:
    rows = 3 * SCANNED
    path = stored(tmp_path / "one.parquet", rows, number=pa.array(range(rows), pa.int64()))
    found = profile(path)
    assert found.scanned == SCANNED
    assert found.columns[0].distinct == SCANNED


def test_a_file_that_was_replaced_is_looked_at_anew(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    assert profile(stored(path, n=pa.array([1, 2]))).rows == 2
    assert profile(stored(path, n=pa.array([1, 2, 3]))).rows == 3
