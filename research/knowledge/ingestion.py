"""Takes files into the library one after another, on a thread of its own."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from uuid import uuid4

from research.errors import DossierError
from research.knowledge.documents import Document, IngestJob, OnProgress, Progress
from research.knowledge.library import Library
from research.models import Notice

FINAL = ("done", "failed")


Work = Callable[[OnProgress], Document | None]


class _ClosingError(Exception):
    """Breaks off the file at hand when the program ends."""


class Ingestion:
    """A queue of files on their way into ``library``."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._jobs: dict[str, IngestJob] = {}
        self._waiting: deque[tuple[str, Work]] = deque()
        self._changed = threading.Condition()
        self._closing = False
        self._thread = threading.Thread(target=self._work, name="ingestion", daemon=True)
        self._thread.start()

    def submit(self, name: str, data: bytes) -> str:
        """Queue a file.

        Args:
            name: Its file name.
            data: Its bytes.

        Returns:
            The id of its job.
        """
        return self._queue(name, lambda report: self._library.add(name, data, report))

    def catch_up(self) -> None:
        """Queue the passages that have no vector of the embedder in use, if there are any.

        Until that is done, documents taken in with another embedder are found by their words.
        """

        def work(report: OnProgress) -> None:
            self._library.reembed(report)

        if self._library.unembedded():
            self._queue(self._library.embedder.name, work)

    def jobs(self) -> list[IngestJob]:
        """Every job that was not cleared, in the order of submission."""
        with self._changed:
            return list(self._jobs.values())

    def clear_finished(self) -> None:
        """Forget the jobs that are done or have failed."""
        with self._changed:
            self._jobs = {k: job for k, job in self._jobs.items() if job.state not in FINAL}

    def close(self) -> None:
        """Break off the file at hand, leave the others, and end the thread."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._thread.join(timeout=10)

    def _queue(self, name: str, work: Work) -> str:
        job = IngestJob(id=uuid4().hex, name=name, state="waiting")
        with self._changed:
            self._jobs[job.id] = job
            self._waiting.append((job.id, work))
            self._changed.notify_all()
        return job.id

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closing or bool(self._waiting))
                if self._closing:
                    return
                job_id, work = self._waiting.popleft()
            try:
                self._take(job_id, work)
            except _ClosingError:
                return

    def _take(self, job_id: str, work: Work) -> None:
        def report(progress: Progress) -> None:
            if self._closing:
                raise _ClosingError
            self._update(job_id, **progress.model_dump())

        self._update(job_id, state="reading")
        try:
            document = work(report)
        except DossierError as error:
            self._update(job_id, state="failed", error=error.notice)
        except _ClosingError:
            raise
        except Exception:
            unexpected = Notice(
                key="knowledge.failed", params={"name": self._jobs[job_id].name}, level="error"
            )
            self._update(job_id, state="failed", error=unexpected)
        else:
            self._update(job_id, state="done", document=document)

    def _update(self, job_id: str, **changes: object) -> None:
        with self._changed:
            self._jobs[job_id] = self._jobs[job_id].model_copy(update=changes)
