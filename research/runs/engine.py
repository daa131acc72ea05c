"""The engine: one thread with one event loop, on which the graph carries out every run."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

# Without it, loading a checkpoint may import and run what the checkpoint names.
os.environ["LANGGRAPH_STRICT_MSGPACK"] = "true"

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from research.database import store_errors
from research.errors import DossierError, StoreError
from research.graph.resume import StillWaiting, next_input
from research.graph.wiring import RECURSION_LIMIT, ResearchGraph, compile_graph
from research.models import Event, EventKind, Notice, Run, RunStatus
from research.runs.journal import Journal
from research.runs.leases import Lease
from research.runs.store import RunStore
from research.runs.surroundings import Surroundings

log = logging.getLogger(__name__)

STOP_POLL_SECONDS = 0.5
"""How often a run looks whether another process wants it to stop."""

OnEvent = Callable[[Event], None]
T = TypeVar("T")


class Engine:
    """Drives runs through the graph.

    Args:
        home: The data folder.
        store: Where runs are kept.
        surroundings: What runs work with.
    """

    def __init__(self, home: Path, store: RunStore, surroundings: Surroundings) -> None:
        self._home = home
        self._store = store
        self._surroundings = surroundings
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._small: set[asyncio.Task[Any]] = set()
        self._closing = False
        self.unkept: dict[str, StoreError] = {}
        """Why the end of a run could not be kept, until it is taken up again."""
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, name="dossier-engine", daemon=True)
        self._thread.start()
        self._graph: ResearchGraph
        self._checkpoints: aiosqlite.Connection
        self._wait(self._open())

    # ------------------------------------------------------------ called from any thread

    def drive(
        self,
        run_id: str,
        on_event: OnEvent | None = None,
        *,
        notice: Notice | None = None,
        again: bool = False,
    ) -> Future[None]:
        """Carry a run on from where it is, in the background.

        Args:
            run_id: A run that is in the store.
            on_event: Is told every event, on the engine's thread.
            notice: What to tell the user first.
            again: What had failed is to be tried anew.

        Returns:
            Done when the run has ended or waits for the user.

        Raises:
            RunError: The run is being carried out, here or by another process.
        """
        journal = Journal(self._store, run_id, on_event)
        lease = Lease(self._home / "leases", run_id)
        try:
            self._store.set_status(run_id, RunStatus.RUNNING)
            self.unkept.pop(run_id, None)
            if self._store.last_seq(run_id) > 1:
                journal.emit(EventKind.RUN_RESUMED)
            if notice:
                journal.notice(notice)
        except BaseException:
            lease.release()
            raise
        work = self._carry_out(run_id, lease, journal, again=again)
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Do a small piece of work on the loop; it is given up when the engine closes."""

        async def do() -> T:
            task = asyncio.current_task()
            assert task  # a coroutine runs in a task
            self._small.add(task)
            try:
                return await work
            finally:
                self._small.discard(task)

        return asyncio.run_coroutine_threadsafe(do(), self._loop)

    def stop(self, run_id: str) -> None:
        """Ask a run to stop, whichever process carries it out."""
        self._store.ask_stop(run_id)

        def cancel() -> None:
            if task := self._tasks.get(run_id):
                task.cancel()

        self._loop.call_soon_threadsafe(cancel)

    def forget(self, run_id: str) -> None:
        """Drop the checkpoints of a run."""
        self._wait(self._saver.adelete_thread(run_id))

    def close(self) -> None:
        """End every run under way, as if the process had died, and stop the thread."""
        self._wait(self._shut())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)

    # ------------------------------------------------------------ on the loop

    def _serve(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        self._loop.close()

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=60)

    async def _open(self) -> None:
        self._checkpoints = await aiosqlite.connect(self._home / "checkpoints.db")
        await self._checkpoints.execute("PRAGMA busy_timeout=20000")
        self._saver = AsyncSqliteSaver(self._checkpoints, serde=JsonPlusSerializer())
        await self._saver.setup()
        self._graph = compile_graph(self._saver)

    async def _shut(self) -> None:
        self._closing = True
        under_way = [*self._tasks.values(), *self._small]
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)
        await self._surroundings.close()
        await self._checkpoints.close()

    async def _carry_out(self, run_id: str, lease: Lease, journal: Journal, *, again: bool) -> None:
        run = self._store.run(run_id)
        task = asyncio.current_task()
        assert run and task  # the service looked the run up; a coroutine runs in a task
        self._tasks[run_id] = task
        watch = asyncio.create_task(self._watch_for_stop(run_id, task))
        try:
            with store_errors():
                status = await self._walk(run, journal, again=again)
            self._end(run_id, journal, status)
        except asyncio.CancelledError:
            if self._closing:
                raise  # the process ends: the run stays as it is and goes on at the next start
            self._end(run_id, journal, RunStatus.STOPPED)
        except DossierError as error:
            self._fail(run_id, journal, error)
        except Exception as error:
            log.exception("run %s failed", run_id)
            self._fail(
                run_id, journal, DossierError("errors.unexpected", kind=type(error).__name__)
            )
        finally:
            watch.cancel()
            del self._tasks[run_id]
            lease.release()

    async def _walk(self, run: Run, journal: Journal, *, again: bool) -> RunStatus:
        """Go through the graph until it ends or waits for the user."""
        config: Any = {
            "configurable": {"thread_id": run.id},
            "recursion_limit": RECURSION_LIMIT,
        }
        context = await asyncio.to_thread(self._surroundings.of_run, run, journal)
        try:
            start = await next_input(
                self._graph,
                config,
                run.question,
                lambda revision: self._store.decision(run.id, revision),
                again=again,
            )
        except StillWaiting:
            return RunStatus.WAITING
        async for _ in self._graph.astream(
            start, config, context=context, stream_mode="updates", durability="sync"
        ):
            pass
        state = await self._graph.aget_state(config)
        if state.next:
            return RunStatus.WAITING
        if "report" not in state.values:
            return RunStatus.ANSWERED
        return RunStatus.COMPLETE if state.values["report"]["complete"] else RunStatus.PARTIAL

    def _end(self, run_id: str, journal: Journal, status: RunStatus) -> None:
        self._store.set_status(run_id, status)
        if status is RunStatus.WAITING:
            journal.emit(EventKind.RUN_WAITING)
        else:
            journal.emit(EventKind.RUN_FINISHED, status=status.value)

    def _fail(self, run_id: str, journal: Journal, error: DossierError) -> None:
        try:
            journal.notice(error.notice)
            self._end(run_id, journal, RunStatus.FAILED)
        except StoreError as unwritten:
            self.unkept[run_id] = unwritten
            log.error("run %s cannot be kept: %s", run_id, unwritten)

    async def _watch_for_stop(self, run_id: str, task: asyncio.Task[Any]) -> None:
        while not self._store.stop_asked(run_id):  # noqa: ASYNC110 - the word is in the store
            await asyncio.sleep(STOP_POLL_SECONDS)
        task.cancel()
