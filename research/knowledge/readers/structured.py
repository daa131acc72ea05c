"""JSON and JSON lines: records become tables, everything else text under the path of its keys."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from research.knowledge.readers import Block, Cell, Output, UnreadableError
from research.knowledge.readers.cleaning import clean
from research.knowledge.readers.encoding import decode, open_text
from research.knowledge.readers.grids import MOST_CELLS, MOST_COLUMNS, Region, regions, send_table
from research.knowledge.readers.noise import SAMPLE, check_noise
from research.knowledge.readers.partial import parse

DEEPEST = 12
"""Keys of a path; what lies deeper is shown as it is written."""
DEEPEST_RECORD = 4
FEWEST_RECORDS = 2
FULL = 0.3
"""Share of the cells that are filled in what is worth being a table."""
FEWEST_KEYS = 3
ALIKE = 0.7
"""The same for an object whose keys name records: it may as well have parts of all sorts."""
LONGEST_CELL = 2_000
LONGEST_VALUE = 20_000
LINE_CHARS = 50_000_000


def read(path: Path, output: Output) -> None:
    """Read the JSON at ``path``: one value, or one a line."""
    sent = _Sender(output)
    stem = PurePath(output.name).stem.replace("_", " ").replace("-", " ")
    with open_text(path) as file:
        start = file.read(SAMPLE)
    check_noise(start, output)
    if _is_lines(start):
        records, broken = _lines(path, output)
        sent.value(records, (), stem)
        if broken:
            output.warn("readers.broken_lines", count=broken)
        return
    try:
        value, whole = parse(decode(path.read_bytes()).lstrip("\ufeff"))
    except RecursionError as error:
        raise UnreadableError("readers.nested_too_deeply") from error
    except ValueError as error:
        raise UnreadableError("knowledge.damaged") from error
    sent.value(value, (), stem)
    if not whole:
        output.warn("readers.half_json")


def _is_lines(start: str) -> bool:
    """Whether the first two lines that hold anything are values of their own."""
    lines = [line for line in start.split("\n", 20)[:20] if line.strip()]
    if len(lines) < 2:
        return False
    try:
        first = json.loads(lines[0].lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict | list) and lines[1].lstrip()[:1] in ("{", "[")


def _lines(path: Path, output: Output) -> tuple[list[Any], int]:
    """The values of the lines, and how many lines hold none."""
    records: list[Any] = []
    broken = 0
    cells = 0
    size = path.stat().st_size
    done = 0
    with open_text(path) as file:
        while line := file.readline(LINE_CHARS):
            done += len(line)
            if not line.strip():
                continue
            try:
                records.append(json.loads(line.lstrip("\ufeff")))
            except (ValueError, RecursionError):
                broken += 1
                continue
            cells += len(records[-1]) if isinstance(records[-1], dict | list) else 1
            if cells > MOST_CELLS:
                output.warn("knowledge.rows_read", table=output.name, done=len(records))
                break
            if len(records) % 5_000 == 0:
                output.progress(min(done, size), size)
    return records, broken


class _Sender:
    """Sends values, each as what it is."""

    def __init__(self, output: Output) -> None:
        self._output = output

    def value(self, value: Any, heading: tuple[str, ...], title: str) -> None:
        """Send a value that stands under ``heading`` and is called ``title``."""
        if isinstance(value, dict):
            self._object(value, heading, title)
        elif isinstance(value, list):
            self._array(value, heading, title)
        else:
            self._text([_shown(value)], heading)

    def _object(self, value: dict[str, Any], heading: tuple[str, ...], title: str) -> None:
        if len(value) >= FEWEST_KEYS and _are_records(list(value.values()), ALIKE):
            self._table([{"key": key, **record} for key, record in value.items()], heading, title)
            return
        if columns := _as_columns(value):
            self._table(columns, heading, title)
            return
        lines = []
        for key, item in value.items():
            if _is_plain(item) or len(heading) >= DEEPEST:
                lines.append(f"{clean(key)}: {_shown(item)}")
        self._text(lines, heading)
        for key, item in value.items():
            if not _is_plain(item) and len(heading) < DEEPEST:
                self.value(item, (*heading, clean(key) or "-"), clean(key) or title)

    def _array(self, value: list[Any], heading: tuple[str, ...], title: str) -> None:
        if _are_records(value):
            self._table([record for record in value if isinstance(record, dict)], heading, title)
            self._text([_shown(item) for item in value if not isinstance(item, dict)], heading)
        elif len(value) > 1 and all(
            isinstance(row, list) and all(map(_is_scalar, row)) for row in value
        ):
            self._rows(value, heading, title)
        elif all(map(_is_plain, value)) or len(heading) >= DEEPEST:
            self._text([f"- {_shown(item)}" for item in value], heading)
        else:
            for number, item in enumerate(value, start=1):
                self.value(item, (*heading, f"{title} {number}"), f"{title} {number}")

    def _table(
        self, records: Sequence[Mapping[str, Any]], heading: tuple[str, ...], title: str
    ) -> None:
        names: dict[str, None] = {}
        rows = [dict(_flat(record, "", DEEPEST_RECORD)) for record in records]
        for row in rows:
            names |= dict.fromkeys(row)
        most = max(1, MOST_CELLS // max(1, min(len(names), MOST_COLUMNS)))
        region = Region(tuple(names), [[row.get(name) for name in names] for row in rows[:most]])
        send_table(region, title, self._output, heading=heading)
        if len(rows) > most:
            self._output.warn("knowledge.rows_read", table=title, done=most)

    def _rows(self, rows: list[list[Cell]], heading: tuple[str, ...], title: str) -> None:
        for region in regions(rows):
            if region.is_table:
                send_table(region, title, self._output, heading=heading)
            else:
                self._text(["  ".join(map(_shown, row)) for row in region.rows], heading)

    def _text(self, lines: Sequence[str], heading: tuple[str, ...]) -> None:
        if text := "\n".join(filter(None, lines)):
            self._output.block(Block(text, heading=heading))


def _is_scalar(value: Any) -> bool:
    return not isinstance(value, dict | list)


def _is_plain(value: Any) -> bool:
    """Whether it reads well on one line."""
    if isinstance(value, list):
        return len(value) <= 20 and all(map(_is_scalar, value)) and len(_shown(value)) <= 200
    return not isinstance(value, dict) or not value


def _are_records(values: Sequence[Any], full: float = FULL) -> bool:
    """Whether ``values`` are objects with so much of their keys in common."""
    records = [value for value in values if isinstance(value, dict) and value]
    if len(records) < FEWEST_RECORDS or len(records) < 0.8 * len(values):
        return False
    sample = records[:1000]
    names = {name for record in sample for name in record}
    filled = sum(map(len, sample)) / (len(names) * len(sample))
    return filled >= full and len(names) <= MOST_COLUMNS


def _as_columns(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of an object that holds columns: arrays of one length."""
    lengths = {len(item) if isinstance(item, list) else 0 for item in value.values()}
    if len(value) < 2 or len(lengths) > 1 or max(lengths) < 3:
        return []
    if not all(_is_scalar(cell) for column in value.values() for cell in column):
        return []
    return [dict(zip(value, cells, strict=True)) for cells in zip(*value.values(), strict=True)]


def _flat(record: Mapping[str, Any], prefix: str, depth: int) -> Iterator[tuple[str, Cell]]:
    """The fields of a record, those of the objects in it by their path."""
    for key, value in record.items():
        name = f"{prefix}{clean(key)}"
        if isinstance(value, dict) and value and depth:
            yield from _flat(value, f"{name}.", depth - 1)
        elif isinstance(value, bool | int | float) or value is None:
            yield name, value
        else:
            yield name, _shown(value)[:LONGEST_CELL] or None


def _shown(value: Any) -> str:
    """A value as it is read: text as it is, a list with commas, anything else as JSON."""
    if isinstance(value, str):
        return "\n".join(filter(None, map(clean, value.split("\n"))))
    if isinstance(value, list) and value and all(map(_is_scalar, value)):
        return ", ".join(map(_shown, value))
    if value is None or value in ({}, []):
        return ""
    return json.dumps(value, ensure_ascii=False)[:LONGEST_VALUE]
