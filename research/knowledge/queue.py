"""Files that wait to be read, on disk and in the database: a crash loses none of them.

Each is held by the process that took it on, through a locked file that the system lets go of when
the process dies; whoever starts next takes such files over.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

from filelock import FileLock, Timeout

from research.database import store_errors
from research.knowledge.documents import IngestJob
from research.knowledge.shelf import ABANDONED_SECONDS
from research.knowledge.store import Store


class Queue:
    """The waiting files of the data folder ``home``."""

    def __init__(self, store: Store, home: Path) -> None:
        self._store = store
        self._folder = home.absolute() / "queue"
        self._held: dict[str, FileLock] = {}

    def put(self, name: str, data: bytes, collection: str | None) -> IngestJob:
        """Keep a file until it is read.

        Raises:
            StoreError: The disk is full or cannot be written.
        """
        job = IngestJob(
            id=uuid4().hex, name=name, state="waiting", bytes=len(data), collection=collection
        )
        with store_errors():
            self._folder.mkdir(parents=True, exist_ok=True)
            self._hold(job.id)
            self.path(job).write_bytes(data)
        with self._store.change() as db:
            db.execute(
                "INSERT INTO queue VALUES (?, ?, ?)", (job.id, time.time(), job.model_dump_json())
            )
        return job

    def take_over(self) -> Iterator[IngestJob]:
        """The files of processes that have died, in the order in which they were given."""
        rows = self._store.rows("SELECT manifest FROM queue ORDER BY submitted_at")
        jobs = [IngestJob.model_validate_json(manifest) for (manifest,) in rows]
        self._sweep({job.id for job in jobs})
        for job in jobs:
            if job.id not in self._held and self._hold(job.id):
                yield job

    def keep(self, job: IngestJob) -> None:
        """Remember what became of a file that could not be read."""
        with self._store.change() as db:
            db.execute(
                "UPDATE queue SET manifest = ? WHERE id = ?", (job.model_dump_json(), job.id)
            )

    def drop(self, job: IngestJob) -> None:
        """Forget a file: it was read, or nobody wants it any more."""
        with self._store.change() as db:
            db.execute("DELETE FROM queue WHERE id = ?", (job.id,))
        self.path(job).unlink(missing_ok=True)
        self._let_go(job.id)

    def path(self, job: IngestJob) -> Path:
        """Where the bytes of a file are."""
        return self._folder / job.id

    def close(self) -> None:
        """Leave the files to whoever starts next."""
        for job_id in list(self._held):
            self._let_go(job_id)

    def _sweep(self, known: set[str]) -> None:
        """Delete files of a process that died before it could queue them."""
        for path in self._folder.glob("*"):
            if path.stem not in known and time.time() - path.stat().st_mtime > ABANDONED_SECONDS:
                path.unlink(missing_ok=True)

    def _hold(self, job_id: str) -> bool:
        lock = FileLock(self._folder / f"{job_id}.lock", thread_local=False)
        with suppress(Timeout, OSError):
            lock.acquire(blocking=False)
            self._held[job_id] = lock
            return True
        return False

    def _let_go(self, job_id: str) -> None:
        lock = self._held.pop(job_id, None)
        if lock is not None:
            lock.release()
            Path(lock.lock_file).unlink(missing_ok=True)
