"""The data of one table: looked at once for its types, then written as Parquet, piece by piece."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

from research.knowledge.readers import Cell, ColumnType, GridColumn
from research.knowledge.readers.amounts import Mark
from research.knowledge.readers.cleaning import FOLDED, INVISIBLE, SPACES, clean
from research.knowledge.readers.columns import (
    MISSING,
    Decision,
    Judge,
    converter,
    is_missing,
    shown,
)
from research.knowledge.readers.plain_amounts import numbers_of
from research.knowledge.readers.totals import Totals

CHUNK = 20_000
"""Rows that are held at a time, and that make one row group of the file."""
EXAMPLES = 8
ODD = re.compile(
    rf"{FOLDED.pattern}|{INVISIBLE.pattern}|{SPACES.pattern.replace(' ]+', ']')}|\n|  | [|]|[|] "
)
"""What cleaning changes; most columns hold nothing of it."""
Row = Sequence[Cell]


@dataclass
class Column:
    """A column while its table is read."""

    name: str
    index: int
    decision: Decision
    examples: dict[str, None] = field(default_factory=dict)
    least: Any = None
    most: Any = None

    def told(self, unit: str) -> GridColumn:
        """What is told about it."""
        return GridColumn(
            name=self.name,
            type=self.decision.type,
            examples=tuple(self.examples),
            unit=unit if self.decision.type == "number" else "",
            least=shown(self.least),
            most=shown(self.most),
        )


@dataclass(frozen=True)
class Stored:
    """A table whose file was written."""

    columns: tuple[Column, ...]
    rows: int
    totals: tuple[int, ...]
    first: Sequence[Sequence[Cell]]
    """The first rows, cleaned, in the order of :attr:`columns`."""


def store(
    names: Sequence[str],
    rows: Iterable[Row],
    path: Path,
    *,
    types: Mapping[str, ColumnType],
    usual: Mark | None,
    first: int,
) -> Stored | None:
    """Write the file of a table; None, and no file, where it holds nothing.

    Args:
        names: Of the columns, all different.
        rows: The data; gone through twice.
        path: Of the file.
        types: What the user said of some columns, by name.
        usual: What stands before decimals in files of this kind, if anything is usual.
        first: How many of the first rows to hand back.
    """
    judges = [Judge() for _ in names]
    for cells in chunks(rows, len(names)):
        for judge, column in zip(judges, cells, strict=True):
            judge.feed(column)
    sure = {mark for judge in judges if (mark := judge.evidence())}
    others = next(iter(sure)) if len(sure) == 1 else None
    columns = tuple(
        Column(name, index, _decision(judge, types.get(name), others, usual))
        for index, (name, judge) in enumerate(zip(names, judges, strict=True))
        if judge.filled
    )
    return _write(columns, chunks(rows, len(names)), path, first) if columns else None


def chunks(rows: Iterable[Row], width: int) -> Iterator[list[list[Cell]]]:
    """``rows`` as columns of cleaned cells, so many rows at a time."""
    iterator = iter(rows)
    while piece := list(islice(iterator, CHUNK)):
        columns = list(islice(zip_longest(*piece), width))
        columns += [(None,) * len(piece)] * (width - len(columns))
        yield [_cleaned(column) for column in columns]


def _decision(
    judge: Judge, wanted: ColumnType | None, others: Mark | None, usual: Mark | None
) -> Decision:
    return judge.forced(wanted, others, usual) if wanted else judge.decide(others, usual)


def _cleaned(cells: Sequence[Cell]) -> list[Cell]:
    texts = [cell for cell in cells if type(cell) is str]
    joined = "|".join(texts)
    if not joined or (joined == joined.strip() and not _is_odd(joined)):
        return [None if cell == "" else cell for cell in cells]
    known = {text: clean(text.replace("\n", " ")) or None for text in set(texts)}
    return [known[cell] if type(cell) is str else cell for cell in cells]


def _is_odd(joined: str) -> bool:
    if joined.isascii() and joined.isprintable():  # far quicker to find out
        return any(spaces in joined for spaces in ("  ", " |", "| "))
    return ODD.search(joined) is not None


def _write(
    columns: tuple[Column, ...], pieces: Iterable[list[list[Cell]]], path: Path, first: int
) -> Stored:
    import pyarrow as pa
    from pyarrow import parquet

    schema = pa.schema([(column.name, _arrow_type(column.decision)) for column in columns])
    totals = Totals([column.decision.type for column in columns])
    head: list[Sequence[Cell]] = []
    count = 0
    with parquet.ParquetWriter(path, schema) as writer:
        for piece in pieces:
            cells = [piece[column.index] for column in columns]
            size = len(cells[0])
            arrays = [
                _array(column, own, type_)
                for column, own, type_ in zip(columns, cells, schema.types, strict=True)
            ]
            writer.write_table(pa.table(arrays, schema=schema))
            totals.feed(cells, arrays, count)
            if len(head) < first:
                head += islice(zip(*cells, strict=True), first - len(head))
            count += size
    return Stored(columns, count, totals.rows(count), head)


def _array(column: Column, cells: Sequence[Cell], type_: Any) -> Any:
    """One column of one row group; its range and its examples are kept."""
    import pyarrow as pa
    from pyarrow import compute

    decision = column.decision
    array = _plain(cells, decision, type_)
    if array is None:
        convert = converter(decision)
        array = pa.array([convert(cell) for cell in cells], type=type_)
    if decision.type in ("number", "date"):
        ends = compute.min_max(array).as_py()
        if ends["min"] is not None:
            column.least = ends["min"] if column.least is None else min(column.least, ends["min"])
            column.most = ends["max"] if column.most is None else max(column.most, ends["max"])
    for cell in dict.fromkeys(cells[:1000]) if len(column.examples) < EXAMPLES else ():
        blank = is_missing(cell) if decision.type != "text" else not shown(cell)
        if not blank and len(column.examples) < EXAMPLES:
            column.examples.setdefault(shown(cell)[:80])
    return array


def _plain(cells: Sequence[Cell], decision: Decision, type_: Any) -> Any:
    """A column of texts or of plain amounts all at once; None if it is neither."""
    import pyarrow as pa

    texts = [cell for cell in cells if isinstance(cell, str)]
    if len(texts) + cells.count(None) < len(cells):
        return None
    if decision.type == "text":
        return pa.array(cells, pa.string())
    if decision.type == "number" and decision.mark == ".":
        return numbers_of(
            [cell if isinstance(cell, str) else None for cell in cells], MISSING, type_
        )
    return None


def _arrow_type(decision: Decision) -> Any:
    import pyarrow as pa

    match decision.type:
        case "number":
            return pa.int64() if decision.whole else pa.float64()
        case "date":
            return pa.timestamp("us") if decision.timed else pa.date32()
        case "boolean":
            return pa.bool_()
    return pa.string()
