"""Leases: a run is carried out by one process at a time.

A lease is a locked file, which the system lets go when the process dies, however it dies.
"""

from __future__ import annotations

from pathlib import Path

from filelock import FileLock, Timeout

from research.errors import RunError


class Lease:
    """The right to carry out one run.

    Raises:
        RunError: Another process, or another task of this one, holds it.
    """

    def __init__(self, folder: Path, run_id: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(folder / f"{run_id}.lock", thread_local=False)
        try:
            self._lock.acquire(timeout=0)
        except Timeout as error:
            raise RunError("errors.run_busy") from error

    def release(self) -> None:
        """Let the run go."""
        self._lock.release()
