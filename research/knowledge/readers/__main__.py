"""The child process that reads one file: ``python -m research.knowledge.readers``.

What to read comes as one JSON object on standard input, so that no password stands in the list of
processes. The child sets its own limits, then writes what it finds to standard output, one JSON
object a line: the name of a method of :class:`~research.knowledge.readers.Output` and its
arguments. The last line is ``end``, ``locked``, ``unreadable`` or ``stopped``; a child that dies
before that has crashed on the file.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from collections.abc import Mapping
from dataclasses import asdict
from datetime import date
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from research.knowledge.readers import (
    READERS,
    Block,
    Correction,
    Grid,
    LimitReachedError,
    PasswordNeededError,
    UnreadableError,
)
from research.knowledge.readers.detect import kind_of
from research.knowledge.readers.locked import unlocked

CPU_SECONDS = 60
MOST_CPU_SECONDS = 1_800
"""With all the time that was allowed on top."""
SLOW_KINDS = ("pdf", "image", "csv", "tsv")
"""What may ask for more time: for text in pictures, and for every row of a long table."""
MEMORY_BYTES = 1536 * 1024 * 1024
MOST_CHARS = 20_000_000


class Pipe:
    """The output that writes to the parent."""

    def __init__(
        self,
        stream: IO[str],
        name: str,
        folder: Path,
        password: str,
        corrections: Mapping[str, Correction],
    ) -> None:
        self.name = name
        self.folder = folder
        self.password = password
        self.corrections = corrections
        self._stream = stream
        self._chars = 0
        self._cpu_seconds = float(CPU_SECONDS)

    def send(self, method: str, *arguments: Any, **params: Any) -> None:
        """Write one line."""
        print(json.dumps([method, arguments, params]), file=self._stream, flush=True)

    def title(self, title: str) -> None:
        """The title the document gives itself."""
        self.send("title", title)

    def date(self, day: date) -> None:
        """The day the document gives itself."""
        self.send("date", date(day.year, day.month, day.day).isoformat())

    def version(self, version: str) -> None:
        """The version the document gives itself."""
        self.send("version", version)

    def more_time(self, seconds: float) -> None:
        """Allow for work that is known to be slow and to end."""
        self._cpu_seconds = min(self._cpu_seconds + seconds, MOST_CPU_SECONDS)
        _limit_time(round(self._cpu_seconds))
        self.send("more_time", seconds)

    def progress(self, done: int, total: int) -> None:
        """How far the reader is."""
        self.send("progress", done, total)

    def pages(self, count: int) -> None:
        """How many pages the document has."""
        self.send("pages", count)

    def block(self, block: Block) -> None:
        """A stretch of text."""
        self.send("block", asdict(block))
        self._chars += len(block.text)
        if self._chars > MOST_CHARS:
            raise LimitReachedError("size")

    def grid(self, grid: Grid) -> None:
        """A table."""
        self.send("grid", asdict(grid))

    def warn(self, key: str, **params: Any) -> None:
        """Something the user should know."""
        self.send("warn", key, **params)


def main() -> None:
    """Read the file that standard input names, and tell the parent how it went."""
    order = json.load(sys.stdin)
    # What a library prints must not get between the lines for the parent.
    stream = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    corrections = {
        origin: Correction(
            header=tuple(said["header"]) if said["header"] else None, types=said["types"]
        )
        for origin, said in order["corrections"].items()
    }
    path = Path(order["path"])
    pipe = Pipe(stream, order["name"], Path(order["folder"]), order["password"], corrections)
    try:
        _limit()
        with unlocked(path, pipe.password) as plain:
            kind = kind_of(plain, pipe.name)
            pipe.send("kind", kind)
            if kind not in SLOW_KINDS:
                _limit_time(CPU_SECONDS, CPU_SECONDS + 5)
            import_module(f"research.knowledge.readers.{READERS[kind]}").read(plain, pipe)
        pipe.send("end")
    except PasswordNeededError:
        pipe.send("locked")
    except UnreadableError as error:
        pipe.send("unreadable", error.key, **error.params)
    except LimitReachedError as error:
        pipe.send("stopped", error.reason)
    except MemoryError:
        pipe.send("stopped", "memory")
    except Exception:
        traceback.print_exc()
        pipe.send("unreadable", "knowledge.damaged")


def _limit() -> None:
    if sys.platform == "win32":
        return
    import resource

    def stop(*_: object) -> None:
        raise LimitReachedError("time")

    signal.signal(signal.SIGXCPU, stop)
    _limit_time(CPU_SECONDS)
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _limit_time(soft: int, hard: int = MOST_CPU_SECONDS + 5) -> None:
    """Ask the reader to stop with what it has at the soft limit, and end it at the hard one.

    Both count seconds of CPU time; the hard one can only be lowered.
    """
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


if __name__ == "__main__":
    main()
