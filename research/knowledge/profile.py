"""What a table holds, in few words: for a coder who must not be shown all of it.

Numbers of rows, missing values and ranges are those of the whole table where its Parquet file
knows them; everything else comes from at most :data:`SCANNED` rows spread over it, one column in
memory at a time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from research.knowledge.tables import rows_of

SCANNED = 200_000
"""Rows that are read for statistics."""
SCANNED_BYTES = 32 * 2**20
"""Of one column, whatever the number of rows."""
COLUMNS = 60
"""Columns that are looked into."""
FREQUENT = 6
"""Most frequent values that are told."""
HEAD, TAIL = 3, 2
"""First and last rows that are told."""
_BATCH = 8_192


@dataclass(frozen=True)
class ColumnProfile:
    """What one column holds."""

    name: str
    missing: int
    distinct: int
    least: Any = None
    """The smallest number or the earliest date; None for a column of texts."""
    most: Any = None
    mean: float | None = None
    median: float | None = None
    frequent: tuple[tuple[str, int], ...] = ()
    """The most frequent texts with how often each stands there."""


@dataclass(frozen=True)
class Profile:
    """What a table holds."""

    rows: int
    scanned: int
    """Rows that distinct, mean, median and frequent values come from."""
    columns: tuple[ColumnProfile, ...]
    first: tuple[tuple[Any, ...], ...]
    last: tuple[tuple[Any, ...], ...]
    """Rows in full; none where the first ones are all there are."""


def profile(path: Path) -> Profile:
    """What the Parquet file at ``path`` holds; blocking, and kept while the file stays as it is.

    Raises:
        OSError: The file is gone.
    """
    status = path.stat()
    return _profile(path, status.st_size, status.st_mtime_ns)


@lru_cache(maxsize=64)
def _profile(path: Path, size: int, changed: int) -> Profile:
    from pyarrow import parquet

    with parquet.ParquetFile(path) as file:
        groups, scanned = _spread(file.metadata)
        names = file.schema_arrow.names[:COLUMNS]
        columns = tuple(_column(file, name, groups, scanned) for name in names)
        rows = file.metadata.num_rows
    return Profile(
        rows=rows,
        scanned=scanned,
        columns=columns,
        first=tuple(rows_of(path, 1, min(HEAD, rows))[1]),
        last=tuple(rows_of(path, max(HEAD + 1, rows - TAIL + 1), rows)[1]),
    )


def _spread(metadata: Any) -> tuple[list[int], int]:
    """Row groups from all over the file with few enough rows together, and their number of rows.

    One group at least: where it alone is too long, only its first rows are read.
    """
    sizes = [metadata.row_group(index).num_rows for index in range(metadata.num_row_groups)]
    step = max(1, math.ceil(sum(sizes) / SCANNED))
    chosen: list[int] = []
    scanned = 0
    for index in range(0, len(sizes), step):
        if not chosen or scanned + sizes[index] <= SCANNED:
            chosen.append(index)
            scanned += sizes[index]
    return chosen, min(scanned, SCANNED)


def _column(file: Any, name: str, groups: list[int], scanned: int) -> ColumnProfile:
    import pyarrow as pa
    from pyarrow import compute, types

    values = pa.chunked_array(
        list(_values(file, name, groups, scanned)), type=file.schema_arrow.field(name).type
    )
    kind = values.type
    whole = _whole(file, name)
    missing = values.null_count if whole is None else whole[2]
    present = values.drop_null()
    counts = compute.value_counts(present)
    if types.is_floating(kind) or types.is_integer(kind):
        if types.is_floating(kind):
            present = present.filter(compute.is_finite(present))
        least, most, _ = whole or _ends(present)
        middle = compute.quantile(present, 0.5).to_pylist()[0] if len(present) else None
        mean = compute.mean(present).as_py()
        return ColumnProfile(name, missing, len(counts), least, most, mean, middle)
    if types.is_temporal(kind):
        least, most, _ = whole or _ends(present)
        return ColumnProfile(name, missing, len(counts), least, most)
    return ColumnProfile(name, missing, len(counts), frequent=_frequent(counts))


def _values(file: Any, name: str, groups: list[int], scanned: int) -> Iterator[Any]:
    """The cells of a column in the chosen groups, as far as rows and bytes allow."""
    octets = rows = 0
    for batch in file.iter_batches(_BATCH, row_groups=groups, columns=[name]):
        cells = batch.column(0).slice(0, scanned - rows)
        rows += len(cells)
        octets += cells.nbytes
        yield cells
        if rows >= scanned or octets > SCANNED_BYTES:
            return


def _whole(file: Any, name: str) -> tuple[Any, Any, int] | None:
    """Smallest, largest and missing cells of the whole column, where the file has kept them."""
    at = file.schema_arrow.names.index(name)
    metadata = file.metadata
    least, most, missing = [], [], 0
    for group in range(metadata.num_row_groups):
        kept = metadata.row_group(group).column(at).statistics
        if kept is None or not kept.has_null_count:
            return None
        missing += kept.null_count
        if kept.has_min_max:
            least.append(kept.min)
            most.append(kept.max)
        elif kept.num_values:
            return None
    ends = [*least, *most]
    if any(isinstance(end, float) and not math.isfinite(end) for end in ends):
        return None
    if not ends:
        return None, None, missing
    return _unsigned(min(least)), _unsigned(max(most)), missing


def _unsigned(end: Any) -> Any:
    """Parquet keeps a smallest number of zero as -0.0."""
    return 0.0 if end == 0 and isinstance(end, float) else end


def _ends(present: Any) -> tuple[Any, Any, int]:
    from pyarrow import compute

    ends = compute.min_max(present).as_py()
    return ends["min"], ends["max"], 0


def _frequent(counts: Any) -> tuple[tuple[str, int], ...]:
    """The most frequent values of those that ``counts`` counts."""
    from pyarrow import compute

    order = compute.select_k_unstable(
        counts.field("counts"), k=min(FREQUENT, len(counts)), sort_keys=[("", "descending")]
    )
    most = counts.take(order).to_pylist()
    return tuple((str(each["values"]), each["counts"]) for each in most)
