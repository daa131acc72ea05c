"""What every kind of wall has in common: how a worker is started behind it."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal, Protocol

from research.models import Notice
from research.sandbox.filter import seccomp_program

BackendName = Literal["bwrap", "landlock", "seatbelt", "container"]

NOBODY = 65_533
"""User and group of workers where the app is root: an id that no distribution hands out."""

DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")

ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "HOME": ".",
    "TMPDIR": "tmp",
    # One thread each: the cores are shared with the app, and every pool eats memory.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_MAX_THREADS": "1",
    # Allocators that reserve gigabytes ahead would be taken for a memory bomb.
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "2",
    "MPLBACKEND": "Agg",
}
"""All that the code's environment holds."""

FLAGS = ("-I", "-B", "-X", "utf8")
"""Of the interpreter."""


@dataclass(frozen=True)
class Launch:
    """What to execute for one worker."""

    argv: list[str]
    user: int | None = None
    files: list[IO[bytes]] = field(default_factory=list)
    """Kept open for the new process only."""
    environment: dict[str, str] = field(default_factory=lambda: ENVIRONMENT)
    report: int | None = None
    """Where the worker's own words can be read, if not from the pipe named in the orders."""
    stop: list[str] = field(default_factory=list)
    """Kills the job where its processes are not below the one that is started; else empty."""


class Backend(Protocol):
    """One kind of wall. Its ``repr`` tells all that makes it another one for the self-test."""

    @property
    def name(self) -> BackendName:
        """As shown to the user."""

    @property
    def user(self) -> int | None:
        """The user workers run as; None for the present one."""

    def missing(self) -> Notice | None:
        """What is not installed or not offered by the kernel, without trying it out."""

    def launch(self, folder: Path, orders: dict[str, Any]) -> Launch:
        """The command that starts a worker on ``folder``; ``orders`` are for the worker."""


def worker(folder: Path, orders: dict[str, Any]) -> list[str]:
    """The command of a worker that sees its job's folder as ``folder``."""
    return [sys.executable, *FLAGS, str(folder / "worker.py"), json.dumps(orders)]


def no_filter() -> Notice | None:
    """What is missing for the seccomp filter."""
    try:
        seccomp_program()
    except (ImportError, RuntimeError, OSError):
        return Notice(key="sandbox.no_seccomp")
    return None
