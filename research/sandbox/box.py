"""The sandbox: carries jobs out beside the event loop and says in plain words how they ended."""

from __future__ import annotations

import asyncio
import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, suppress
from pathlib import Path

from research.errors import SandboxUnavailableError
from research.i18n import text
from research.models import Notice
from research.sandbox.artefacts import collect
from research.sandbox.backends import Backend
from research.sandbox.folder import session
from research.sandbox.job import Job, Result
from research.sandbox.numbers import take_key_figures
from research.sandbox.pool import Pool, spares_for
from research.sandbox.process import Worker
from research.sandbox.reasons import refusal_in
from research.sandbox.text import end_of, without_paths
from research.sandbox.watch import Limit, Outcome
from research.settings import SandboxLimits

_log = logging.getLogger(__name__)


class Sandbox:
    """Runs model-written code behind one backend. Usable from any thread and event loop."""

    def __init__(
        self, backend: Backend, limits: SandboxLimits, scratch: Path, jobs: int = 2
    ) -> None:
        """Use ``backend``, which must have passed its self-test.

        Args:
            backend: The walls.
            limits: What one job may use.
            scratch: Folder for the jobs' folders; made if it is not there.
            jobs: How many run at once at most; others wait their turn. One or two spare workers
                are all that lives beside them.

        Raises:
            OSError: The disk is full or ``scratch`` cannot be written.
        """
        self.backend: str = backend.name
        self._limits = limits
        self._resources = ExitStack()
        folder = self._resources.enter_context(session(scratch))
        self._pool = Pool(lambda: Worker(backend, limits, folder), spares_for(jobs))
        self._threads = ThreadPoolExecutor(jobs, "sandbox-job")
        self._tickets: set[_Ticket] = set()
        self._closed = False

    async def run(self, job: Job) -> Result:
        """Run ``job``. Code that fails or hits a limit gives a result, not an error.

        Cancelling the task kills the job's processes at once.

        Raises:
            SandboxUnavailableError: No worker could be started, or the sandbox is closed.
            SandboxError: A table's data is gone.
        """
        if self._closed:
            raise SandboxUnavailableError("sandbox.closed")
        ticket = _Ticket()
        self._tickets.add(ticket)
        work = asyncio.get_running_loop().run_in_executor(
            self._threads, self._carry_out, job, ticket
        )
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            ticket.cancel()
            await asyncio.wait([work])
            raise
        finally:
            self._tickets.discard(ticket)
            if work.done() and not work.cancelled():
                work.exception()  # seen: asyncio need not report it

    def warm(self) -> None:
        """Have workers made ready for the next jobs; returns at once.

        Worth a call when a job is likely soon, such as when a plan with a processing step is
        approved. Each job has the next worker made ready anyway, and one that gets no job within
        ten minutes ends by itself.
        """
        with suppress(RuntimeError):  # closed meanwhile
            self._pool.warm()

    def close(self) -> None:
        """Kill what runs and remove every file. A job under way ends as killed."""
        self._closed = True
        for ticket in list(self._tickets):
            ticket.cancel()
        self._threads.shutdown()
        self._pool.close()
        self._resources.close()

    def _carry_out(self, job: Job, ticket: _Ticket) -> Result:
        for _ in range(2):  # a spare may end of its own just when it is taken
            if ticket.cancelled:
                break
            with closing(self._worker_for(job)) as worker:
                ticket.hold(worker)
                outcome = worker.run()
                if outcome.started or ticket.cancelled:
                    return _result(outcome, worker.folder.path, self._limits, self.backend)
            _log.warning("a sandbox worker did not start: %s", outcome.stderr.text()[-2000:])
        raise SandboxUnavailableError("sandbox.did_not_start")

    def _worker_for(self, job: Job) -> Worker:
        try:
            worker = self._pool.take()
            try:
                worker.folder.fill(job)
            except BaseException:
                worker.close()
                raise
        except (OSError, RuntimeError) as error:  # not executable, disk full, closed meanwhile
            _log.warning("a sandbox worker could not be started: %s", error)
            raise SandboxUnavailableError("sandbox.did_not_start") from error
        return worker


class _Ticket:
    """Lets one thread stop the job of another, even before it has a worker."""

    def __init__(self) -> None:
        self.cancelled = False
        self._worker: Worker | None = None
        self._lock = threading.Lock()

    def hold(self, worker: Worker) -> None:
        """From now on this worker carries the job."""
        with self._lock:
            self._worker = worker
            if self.cancelled:
                worker.kill()

    def cancel(self) -> None:
        """Kill the job's worker, now or as soon as it has one."""
        with self._lock:
            self.cancelled = True
            if self._worker is not None:
                self._worker.kill()


def _result(outcome: Outcome, folder: Path, limits: SandboxLimits, backend: str) -> Result:
    charts, made, notices = collect(folder / "work", limits)
    tables, key_figures, left_out = take_key_figures(made)
    notices += left_out
    error = end_of(without_paths(outcome.error, folder)).strip()
    if outcome.limit is not None:
        value = _value(outcome.limit, limits)
        notices.insert(0, _notice(f"sandbox.limit_{outcome.limit}", value=value))
        error = text(f"sandbox.limit_{outcome.limit}", "en", value=value) + "\n" + error
    elif outcome.code != 0 and not error:
        notices.insert(0, _notice("sandbox.crashed", code=outcome.code))
        error = text("sandbox.crashed", "en", code=outcome.code)
    elif key := refusal_in(error):
        notices.insert(0, _notice(key))
        error = text(key, "en") + "\n" + error
    if outcome.stdout.cut or outcome.stderr.cut:
        notices.append(_notice("sandbox.output_cut", limit=limits.output_kb))
    return Result(
        ok=not error,
        stdout=without_paths(outcome.stdout.text(), folder),
        stderr=without_paths(outcome.stderr.text(), folder),
        error=error.strip(),
        charts=tuple(charts),
        tables=tuple(tables),
        seconds=outcome.seconds,
        notices=tuple(notices),
        key_figures=key_figures,
        backend=backend,
    )


def _value(limit: Limit, limits: SandboxLimits) -> str:
    """The limit as the user set it, with its unit."""
    values: dict[Limit, str] = {
        "wall": f"{limits.wall_seconds:g} s",
        "cpu": f"{limits.cpu_seconds} s",
        "memory": f"{limits.memory_mb} MB",
        "file": f"{limits.file_mb} MB",
        "scratch": f"{limits.scratch_mb} MB",
        "files": f"{limits.files}",
        "threads": f"{limits.threads}",
        "output": f"{limits.output_kb} KB",
    }
    return values.get(limit, "")


def _notice(key: str, **params: object) -> Notice:
    return Notice(key=key, params=params, level="warning")
