"""Keeps one single-use worker ready, so that a job need not wait for pandas to be imported."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from research.sandbox.process import Worker


class Pool:
    """Hands out workers, each once. Usable from any thread.

    All of them are started by one thread that lives as long as the pool: the kernel kills a
    worker when the thread that started it ends, and that must be neither too early nor too late.
    """

    def __init__(self, start: Callable[[], Worker]) -> None:
        self._start = start
        self._starter = ThreadPoolExecutor(1, "sandbox-starter")
        self._lock = threading.Lock()
        self._spare: Future[Worker] | None = None

    def warm(self) -> None:
        """Start a spare worker where there is none; returns at once.

        Raises:
            RuntimeError: The pool is closed.
        """
        with self._lock:
            old = self._spare
            if old is not None and (not old.done() or _alive(old)):
                return
            self._spare = self._starter.submit(self._start)
        _discard(old)

    def take(self) -> Worker:
        """The spare worker, or else a new one; the next spare is started meanwhile.

        Raises:
            OSError: A new one could not be started.
            RuntimeError: The pool is closed.
        """
        with self._lock:
            spare, self._spare = self._spare, None
        if spare is None or not _alive(spare):
            _discard(spare)
            spare = self._starter.submit(self._start)
        self.warm()
        return spare.result()

    def close(self) -> None:
        """End the spare and start no more."""
        self._starter.shutdown()
        with self._lock:
            spare, self._spare = self._spare, None
        _discard(spare)


def _alive(started: Future[Worker]) -> bool:
    """Whether a worker came of it and still waits; blocks while it is being executed."""
    return started.exception() is None and started.result().alive


def _discard(started: Future[Worker] | None) -> None:
    if started is not None and started.exception() is None:
        started.result().close()
