"""Reads a file in a child process, so that a bad file costs that file and nothing else."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from research.children import child_environment
from research.errors import DocumentError, PasswordError
from research.knowledge.documents import OnProgress, Progress
from research.knowledge.readers import Block, Correction, Grid, GridColumn
from research.models import Notice

log = logging.getLogger(__name__)

WALL_SECONDS = 180.0
"""Longer than the child's own limit of CPU time, for machines that do much else."""
OVERDUE = (-9, -24)
"""Exit codes of a child that the alarm or the limit of CPU time has ended (SIGKILL, SIGXCPU)."""


@dataclass
class Reading:
    """What a file holds."""

    kind: str = ""
    title: str = ""
    date: str | None = None
    version: str = ""
    pages: int | None = None
    blocks: list[Block] = field(default_factory=list)
    grids: list[Grid] = field(default_factory=list)
    warnings: list[Notice] = field(default_factory=list)
    pages_done: int = 0
    ending: str = "crashed"
    """``end``, ``locked``, ``unreadable``, ``stopped`` by its own limits, or ``crashed``."""
    reason: str = ""
    """Of the ending: a catalogue key, or the limit."""
    params: dict[str, Any] = field(default_factory=dict)


def read_file(
    path: Path,
    name: str,
    folder: Path,
    progress: OnProgress,
    *,
    password: str = "",
    corrections: Mapping[str, Correction] | None = None,
    wall_seconds: float = WALL_SECONDS,
) -> Reading:
    """Read the file at ``path``.

    Args:
        path: The file.
        name: What the user calls it.
        folder: An empty folder; the Parquet files of its tables are written there.
        progress: Told how far the reader is. What it raises ends the child and is passed on.
        password: Opens the file, if it is locked.
        corrections: What the user said of its tables, by origin.
        wall_seconds: After which the child is ended; it may ask for more.

    Raises:
        PasswordError: The file is locked, and ``password`` does not open it.
        DocumentError: Nothing of it could be read.
    """
    reading = Reading()
    order = {
        "path": str(path),
        "name": name,
        "folder": str(folder),
        "password": password,
        "corrections": {origin: asdict(said) for origin, said in (corrections or {}).items()},
    }
    with _child(order) as child, _Alarm(child, wall_seconds) as alarm:
        for method, arguments, params in _messages(child):
            _take(reading, method, arguments, params)
            if method == "progress":
                progress(Progress(state="reading", done=arguments[0], total=arguments[1]))
            elif method == "more_time":
                alarm.put_off(arguments[0])
    if reading.ending == "locked":
        raise PasswordError(
            "knowledge.wrong_password" if password else "knowledge.encrypted", name=name
        )
    if reading.ending == "crashed" and child.returncode in OVERDUE:
        reading.ending, reading.reason = "stopped", "time"
    _judge(reading, name)
    return reading


class _Alarm:
    """Ends a child that takes too long."""

    def __init__(self, child: subprocess.Popen[str], seconds: float) -> None:
        self._child = child
        self._end = time.monotonic() + seconds
        self._timer = self._started()

    def put_off(self, seconds: float) -> None:
        """Give the child so much longer."""
        self._timer.cancel()
        self._end += seconds
        self._timer = self._started()

    def __enter__(self) -> _Alarm:
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def _started(self) -> threading.Timer:
        timer = threading.Timer(self._end - time.monotonic(), self._child.kill)
        timer.daemon = True
        timer.start()
        return timer


@contextmanager
def _child(order: Mapping[str, Any]) -> Iterator[subprocess.Popen[str]]:
    environment = child_environment() | {
        "OMP_NUM_THREADS": "1",
        "ARROW_DEFAULT_MEMORY_POOL": "system",  # Arrow's own takes most of the address space
    }
    with tempfile.TemporaryFile() as complaints, tempfile.TemporaryDirectory() as scratch:
        environment["TMPDIR"] = scratch  # so that a child that is killed leaves nothing behind
        child = subprocess.Popen(
            [sys.executable, "-m", "research.knowledge.readers"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            env=environment,
            encoding="utf-8",
        )
        assert child.stdin is not None
        try:
            with suppress(BrokenPipeError):
                json.dump(order, child.stdin)
                child.stdin.close()
            yield child
        finally:
            child.kill()
            child.wait()
            assert child.stdout is not None
            child.stdout.close()
            complaints.seek(0)
            said = complaints.read()[-4000:].decode("utf-8", "replace")
            log.debug("The reader of %s said: %s", order["name"], said)


def _messages(child: subprocess.Popen[str]) -> Iterator[tuple[str, list[Any], dict[str, Any]]]:
    assert child.stdout is not None
    for line in child.stdout:
        if line.endswith("\n"):  # a kill may have cut off the last one
            method, arguments, params = json.loads(line)
            yield method, arguments, params


def _take(reading: Reading, method: str, arguments: list[Any], params: dict[str, Any]) -> None:
    match method:
        case "block":
            reading.blocks.append(_block(arguments[0]))
        case "grid":
            reading.grids.append(_grid(arguments[0]))
        case "warn":
            reading.warnings.append(Notice(key=arguments[0], params=params, level="warning"))
        case "kind" | "title" | "date" | "version" | "pages":
            setattr(reading, method, arguments[0])
        case "progress":
            reading.pages_done = arguments[0] if reading.pages else 0
        case "end" | "locked" | "unreadable" | "stopped":
            reading.ending = method
            reading.reason = arguments[0] if arguments else ""
            reading.params = params


def _judge(reading: Reading, name: str) -> None:
    """Keep what could be read of a document that could not be read to its end.

    Raises:
        DocumentError: There is nothing to keep.
    """
    keys = {
        "time": "knowledge.too_slow",
        "memory": "knowledge.too_hungry",
        "size": "knowledge.too_long",
        "": "knowledge.damaged",
    }
    if reading.ending == "unreadable":
        raise DocumentError(reading.reason, name=name, **reading.params)
    has_content = bool(reading.blocks or reading.grids)
    if reading.ending != "end":
        if not has_content:
            raise DocumentError(keys[reading.reason], name=name)
        reading.warnings.append(_partly(reading))
    elif not has_content:
        raise DocumentError("knowledge.no_text", name=name)


def _partly(reading: Reading) -> Notice:
    if reading.pages:
        params = {"done": reading.pages_done, "total": reading.pages}
        return Notice(key="knowledge.pages_read", params=params, level="warning")
    return Notice(key="knowledge.text_cut", level="warning")


def _block(data: dict[str, Any]) -> Block:
    return Block(**{**data, "rows": _pair(data["rows"]), "heading": tuple(data["heading"])})


def _grid(data: dict[str, Any]) -> Grid:
    columns = tuple(
        GridColumn(**{**column, "examples": tuple(column["examples"])})
        for column in data["columns"]
    )
    changed = {
        "columns": columns,
        "heading": tuple(data["heading"]),
        "totals": tuple(data["totals"]),
        "header": _pair(data["header"]),
        "preview": tuple(map(tuple, data["preview"])),
    }
    return Grid(**{**data, **changed})


def _pair(numbers: list[int] | None) -> tuple[int, int] | None:
    return (numbers[0], numbers[1]) if numbers else None
