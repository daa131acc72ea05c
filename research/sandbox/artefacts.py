"""Collects what a dead job left in ``out/``: checked, and turned into plain values."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from research.models import Notice
from research.sandbox.figure import Budget, TooManyError, clean_figure, figure_title
from research.sandbox.job import Artefact
from research.settings import SandboxLimits

MAX_ROWS = 5_000
MAX_COLUMNS = 200
MAX_VALUES = 1_000_000
"""Of all figures and tables of a job together: they are held in memory."""
_NAME = re.compile(r"(\w[\w .()-]{0,99})\.(json|csv)")
_KIND = re.compile(r"\.[A-Za-z]{1,5}$")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,17})(\.[0-9]+)?([eE][+-]?[0-9]{1,3})?")


class _RefusedError(Exception):
    """A file is not taken; the argument is the catalogue key that says why."""


def collect(
    work: Path, limits: SandboxLimits
) -> tuple[list[Artefact], list[Artefact], list[Notice]]:
    """Charts, tables, and notices on what was refused or cut.

    A ``NAME.csv`` beside a ``NAME.json`` becomes the rows behind that chart, every other one a
    table. The job's processes must be dead: nothing may change while it is read.

    Args:
        work: The job's working folder.
        limits: Number and size of the files.
    """
    charts: dict[str, Artefact] = {}
    tables: dict[str, Artefact] = {}
    notices: list[Notice] = []
    budget = Budget(MAX_VALUES)
    for seen, (name, read) in enumerate(_files(work, limits.artefact_mb * 2**20)):
        if seen == limits.artefacts:
            notices.append(_notice("sandbox.too_many", limit=limits.artefacts))
            break
        stem, _, kind = name.rpartition(".")
        try:
            if kind == "json":
                charts[stem] = _chart(stem, read(), budget)
            else:
                tables[stem], cut = _table(stem, read(), budget)
                if cut:
                    notices.append(_notice("sandbox.rows_cut", name=name, limit=MAX_ROWS))
        except _RefusedError as refused:
            notices.append(_notice(str(refused), name=_shown(name)))
    for stem in charts.keys() & tables.keys():
        rows = tables.pop(stem)
        charts[stem] = replace(charts[stem], columns=rows.columns, rows=rows.rows)
    return list(charts.values()), list(tables.values()), notices


def _files(work: Path, most: int) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Each name in ``out/`` and a way to its content, the oldest first."""
    try:
        out = os.open(work / "out", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        return  # removed, or something else put in its place
    try:
        with os.scandir(out) as entries:
            ages = sorted((e.stat(follow_symlinks=False).st_mtime_ns, e.name) for e in entries)
        for _, name in ages:
            yield name, partial(_read, out, name, most)
    finally:
        os.close(out)


def _read(folder: int, name: str, most: int) -> bytes:
    if not _NAME.fullmatch(name):
        raise _RefusedError("sandbox.refused_name")
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(name, flags, dir_fd=folder)
    except OSError:
        raise _RefusedError("sandbox.refused_link") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
            raise _RefusedError("sandbox.refused_link")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            content = file.read(most + 1)
    finally:
        os.close(descriptor)
    if len(content) > most:
        raise _RefusedError("sandbox.refused_size")
    return content


def _chart(stem: str, content: bytes, budget: Budget) -> Artefact:
    try:
        raw = json.loads(content.decode("utf-8"), parse_constant=lambda _: None)
        figure = clean_figure(raw, budget)
    except TooManyError:
        raise _RefusedError("sandbox.refused_size") from None
    except (ValueError, RecursionError):
        raise _RefusedError("sandbox.refused_figure") from None
    title = figure_title(figure) or stem
    return Artefact(name=stem, kind="chart", title=title, figure=figure)


def _table(stem: str, content: bytes, budget: Budget) -> tuple[Artefact, bool]:
    """The table, and whether rows were left out."""
    try:
        reader = csv.reader(io.StringIO(content.decode("utf-8-sig"), newline=""), strict=True)
        header = tuple(next(reader))
        lines = [line for line, _ in zip(reader, range(MAX_ROWS + 1), strict=False) if line]
        budget.take(len(lines) * len(header))
    except TooManyError:
        raise _RefusedError("sandbox.refused_size") from None
    except (StopIteration, ValueError, csv.Error):
        raise _RefusedError("sandbox.refused_table") from None
    if not 0 < len(header) <= MAX_COLUMNS:
        raise _RefusedError("sandbox.refused_table")
    width = len(header)
    even = [(line + [""] * width)[:width] for line in lines[:MAX_ROWS]]
    columns = [_typed(column) for column in zip(*even, strict=True)]
    rows = tuple(zip(*columns, strict=True))
    table = Artefact(name=stem, kind="table", title=stem, columns=header, rows=rows)
    return table, len(lines) > MAX_ROWS


def _typed(cells: tuple[str, ...]) -> list[Any]:
    """A column as numbers where every filled cell is one, else as text; empty cells are None."""
    if all(_NUMBER.fullmatch(cell) for cell in cells if cell):
        return [_number(cell) if cell else None for cell in cells]
    return [cell or None for cell in cells]


def _number(cell: str) -> int | float | None:
    if cell.lstrip("-").isdigit():
        return int(cell)
    value = float(cell)
    return value if abs(value) != float("inf") else None


def _shown(name: str) -> str:
    """A file's name; of one that breaks the rules its kind alone, for it could say anything."""
    if _NAME.fullmatch(name):
        return name
    kind = _KIND.search(name)
    return f"*{kind[0] if kind else ''}"


def _notice(key: str, **params: Any) -> Notice:
    return Notice(key=key, params=params, level="warning")
