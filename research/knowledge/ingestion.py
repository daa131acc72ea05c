"""Takes files into the library: one thread reads, another makes the vectors.

A file is on disk before it is queued, and found by its words as soon as it is read, while its
vectors follow. So a file waits for another's reading only, and what a crash breaks off is the
reading of one file, which begins again at the next start.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import TypeVar
from uuid import uuid4

from research.errors import ConfigurationError, DossierError, PasswordError
from research.knowledge.documents import IngestJob, Progress
from research.knowledge.intake import Upload
from research.knowledge.library import Library
from research.knowledge.queue import Queue
from research.models import Notice

T = TypeVar("T")

FINAL = ("done", "failed")
RETRY_SECONDS = 30.0
"""After which an embedding model that failed is tried again."""


class _BrokenOffError(Exception):
    """Breaks off the reading of a file: the user stops it, or the program ends."""


class Ingestion:
    """The way into ``library``; survives a crash of the program."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._queue = Queue(library.store, library.home)
        self._jobs: dict[str, IngestJob] = {}
        self._passwords: dict[str, str] = {}
        """Of locked files, from the moment they are given until the file was tried."""
        self._changed = threading.Condition()
        self._embedding_wanted = False
        self._paused = False
        self._closing = False
        self._threads = [
            threading.Thread(target=work, name=name, daemon=True)
            for name, work in (("reading", self._read_all), ("embedding", self._embed_all))
        ]
        for thread in self._threads:
            thread.start()

    # ------------------------------------------------------------ for the user

    def submit(self, name: str, data: bytes, *, collection: str | None = None) -> str:
        """Queue a file.

        Args:
            name: Its file name.
            data: Its bytes.
            collection: Id of the collection it goes to.

        Returns:
            The id of its job.

        Raises:
            DocumentError: It is too large.
            StoreError: The disk is full or cannot be written.
        """
        self._library.check_size(name, len(data))
        job = self._queue.put(name, data, collection)
        with self._changed:
            self._jobs[job.id] = job
            self._changed.notify_all()
        return job.id

    def catch_up(self) -> None:
        """Take up what an earlier process left: files unread, and passages without vectors."""
        with self._changed:
            for job in self._queue.take_over():
                state = job.state if job.state in ("failed", "locked") else "waiting"
                self._jobs[job.id] = job.model_copy(update={"state": state})
            with suppress(ConfigurationError):  # the thread that makes vectors tells of it
                if total := self._library.unembedded():
                    model = self._library.embedder.name
                    job = IngestJob(id=uuid4().hex, name=model, state="embedding", total=total)
                    self._jobs[job.id] = job
            self._embedding_wanted = True
            self._changed.notify_all()

    def jobs(self) -> list[IngestJob]:
        """Every job that was not cleared, in the order of submission."""
        with self._changed:
            return list(self._jobs.values())

    def overall(self) -> tuple[int, int]:
        """Bytes done, and bytes in all, of the jobs that were not cleared."""
        jobs = self.jobs()
        return sum(round(job.bytes * _share(job)) for job in jobs), sum(job.bytes for job in jobs)

    @property
    def paused(self) -> bool:
        """Whether the user has stopped the work."""
        return self._paused

    def pause(self) -> None:
        """Stop; the file at hand is read from its beginning again when it goes on."""
        with self._changed:
            self._paused = True
            self._changed.notify_all()

    def go_on(self) -> None:
        """Take the work up again."""
        with self._changed:
            self._paused = False
            self._embedding_wanted = True
            self._changed.notify_all()

    def cancel(self, job_id: str) -> None:
        """Leave a file out; one that is in the library already stays there."""
        with self._changed:
            job = self._jobs.get(job_id)
            if job is None or job.state == "embedding":
                return
            del self._jobs[job_id]
            self._passwords.pop(job_id, None)
        self._queue.drop(job)

    def unlock(self, job_id: str, password: str) -> None:
        """Try a locked file with a password, which is forgotten right after."""
        with self._changed:
            job = self._jobs.get(job_id)
            if job is not None and job.state == "locked":
                self._passwords[job_id] = password
                self._jobs[job_id] = job.model_copy(update={"state": "waiting", "error": None})
                self._changed.notify_all()

    def clear_finished(self) -> None:
        """Forget the jobs that are done or have failed."""
        with self._changed:
            gone = [job for job in self._jobs.values() if job.state in FINAL]
            self._jobs = {k: job for k, job in self._jobs.items() if job.state not in FINAL}
        for job in gone:
            self._queue.drop(job)

    def close(self) -> None:
        """Break off the work, leave it to the next start, and end the threads."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(timeout=10)
        self._queue.close()

    # ------------------------------------------------------------ reading

    def _read_all(self) -> None:
        while job := self._next(self._waiting):
            self._read(job)

    def _waiting(self) -> IngestJob | None:
        waiting = (job for job in self._jobs.values() if job.state == "waiting")
        return None if self._paused else next(waiting, None)

    def _read(self, job: IngestJob) -> None:
        def report(progress: Progress) -> None:
            if self._closing or self._paused or job.id not in self._jobs:
                raise _BrokenOffError
            self._update(job.id, **progress.model_dump())

        self._update(job.id, state="reading", done=0, total=0)
        password = self._passwords.pop(job.id, "")
        try:
            upload = Upload.of(job.name, self._queue.path(job), job.collection, password)
            known = self._library.document(upload.id) is not None
            document = self._library.take_in(upload, report)
        except _BrokenOffError:
            self._update(job.id, state="waiting", done=0, total=0)
        except PasswordError as error:
            self._settle(job.id, state="locked", error=error.notice)
        except DossierError as error:
            self._settle(job.id, state="failed", error=error.notice)
        except Exception:
            notice = Notice(key="knowledge.failed", params={"name": job.name}, level="error")
            self._settle(job.id, state="failed", error=notice)
        else:
            older = [] if known else self._library.versions(document.id)
            replaced = (v.document for v in older if v.replaced_by == document.id)
            self._update(
                job.id,
                state="embedding",
                done=0,
                total=0,
                document=document,
                known=known,
                replaced=next(replaced, None),
            )
            self._queue.drop(job)
            self._want_embedding()

    def _settle(self, job_id: str, **changes: object) -> None:
        """Keep what became of a file that was not read, also for the next start."""
        self._update(job_id, **changes)
        with self._changed:
            job = self._jobs.get(job_id)
        if job is not None:
            self._queue.keep(job)

    # ------------------------------------------------------------ embedding

    def _embed_all(self) -> None:
        while self._next(lambda: self._embedding_wanted and not self._paused):
            self._embedding_wanted = False
            try:
                while not (self._closing or self._paused) and (
                    worked_on := self._library.embed_some()
                ):
                    self._count_embedded(worked_on)
            except DossierError as error:
                self._report_embedding(error.notice)
                self._wait_before_retry()
            else:
                self._count_embedded()
                if self._paused:
                    self._embedding_wanted = True

    def _count_embedded(self, worked_on: Collection[str] | None = None) -> None:
        """Tell how far the jobs are: those of the documents ``worked_on``, or all."""
        for job in self.jobs():
            concerned = worked_on is None or not job.document or job.document.id in worked_on
            if job.state == "embedding" and concerned:
                left = self._library.unembedded(job.document.id if job.document else None)
                total = job.document.passages if job.document else max(job.total, left)
                state = "embedding" if left else "done"
                self._update(job.id, state=state, done=total - left, total=total, error=None)

    def _report_embedding(self, notice: Notice) -> None:
        for job in self.jobs():
            if job.state == "embedding":
                self._update(job.id, error=notice)  # it is tried again

    def _wait_before_retry(self) -> None:
        with self._changed:
            self._changed.wait_for(
                lambda: self._closing or self._embedding_wanted, timeout=RETRY_SECONDS
            )
            self._embedding_wanted = True

    def _want_embedding(self) -> None:
        with self._changed:
            self._embedding_wanted = True
            self._changed.notify_all()

    # ------------------------------------------------------------ both

    def _next(self, wanted: Callable[[], T]) -> T | None:
        """What ``wanted`` gives as soon as it gives something; None when the program ends."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing or bool(wanted()))
            return None if self._closing else wanted()

    def _update(self, job_id: str, **changes: object) -> None:
        with self._changed:
            if job_id in self._jobs:  # it may have been cancelled
                self._jobs[job_id] = self._jobs[job_id].model_copy(update=changes)


def _share(job: IngestJob) -> float:
    """How much of a file is done, of 1; reading and making vectors count the same."""
    if job.state in FINAL:
        return 1.0
    part = job.done / job.total / 2 if job.total else 0.0
    return 0.5 + part if job.state == "embedding" else part
