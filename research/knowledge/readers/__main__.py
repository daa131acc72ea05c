"""The child process that reads one file: ``python -m research.knowledge.readers FILE NAME FOLDER``.

It sets its own limits, then writes what it finds to standard output, one JSON object a line: the
name of a method of :class:`~research.knowledge.readers.Output` and its arguments. The last line is
``end``, ``unreadable`` or ``stopped``; a child that dies before that has crashed on the file.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import IO, Any

from research.knowledge.readers import READERS, Block, Grid, LimitReachedError, UnreadableError
from research.knowledge.readers.detect import kind_of

CPU_SECONDS = 60
MEMORY_BYTES = 1536 * 1024 * 1024
MOST_CHARS = 20_000_000


class Pipe:
    """The output that writes to the parent."""

    def __init__(self, stream: IO[str], name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self._stream = stream
        self._chars = 0

    def send(self, method: str, *arguments: Any, **params: Any) -> None:
        """Write one line."""
        print(json.dumps([method, arguments, params]), file=self._stream, flush=True)

    def title(self, title: str) -> None:
        """The title the document gives itself."""
        self.send("title", title)

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


def main(path: Path, name: str, folder: Path) -> None:
    """Read ``path`` and tell the parent how it went."""
    # What a library prints must not get between the lines for the parent.
    stream = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    pipe = Pipe(stream, name, folder)
    try:
        _limit()
        kind = kind_of(path, name)
        pipe.send("kind", kind)
        import_module(f"research.knowledge.readers.{READERS[kind]}").read(path, pipe)
        pipe.send("end")
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

    # The soft limit asks the reader to stop with what it has; the hard one ends it.
    signal.signal(signal.SIGXCPU, stop)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 5))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
