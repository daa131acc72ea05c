"""What goes into the sandbox and what comes out of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from research.calculations import KeyFigure
from research.errors import SandboxError
from research.models import Notice, Table

_TABLE_NAME = re.compile(r"\w[\w.-]{0,99}")


@dataclass(frozen=True)
class Job:
    """Code to run, and the tables it finds as ``data/NAME.parquet``.

    Raises:
        SandboxError: A table's name cannot be a file name.
    """

    code: str
    tables: tuple[Table, ...] = ()

    def __post_init__(self) -> None:
        for table in self.tables:
            if not _TABLE_NAME.fullmatch(table.name):
                raise SandboxError("sandbox.bad_table_name", name=table.name)


@dataclass(frozen=True)
class Artefact:
    """One result file that passed every check."""

    name: str
    """Stem of the file in ``out/``."""
    kind: Literal["chart", "table"]
    title: str
    """Of the figure; the name where it has none, and for a table."""
    figure: dict[str, Any] | None = None
    """Plotly figure (``data``, ``layout``) in plain lists and without any address, or None."""
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    """The table, or the figures behind the chart: text, numbers and None, as the code wrote them.
    Cells are not cleaned of addresses: whoever shows them escapes them."""


@dataclass(frozen=True)
class Result:
    """How a job ended."""

    ok: bool
    stdout: str
    stderr: str
    error: str
    """Empty when ``ok``; else the end of the traceback without host paths, or the limit that was
    hit, in English: it is read by the model that repairs the code."""
    charts: tuple[Artefact, ...]
    tables: tuple[Artefact, ...]
    seconds: float
    """Of the code alone, without start-up."""
    notices: tuple[Notice, ...]
    """What the user should know: the limit that was hit, files that were refused or cut."""
    key_figures: tuple[KeyFigure, ...] = ()
    """The numbers of ``out/key_figures.csv``."""
    backend: str = ""
    """Of the sandbox it ran in."""
