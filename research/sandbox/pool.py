"""Keeps single-use workers ready, so that a job need not wait for pandas to be imported."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from research.sandbox.process import Worker

_MEMORY_FOR_TWO = 4 * 2**30
"""Bytes of memory a machine should have for a second spare; each takes about 150 MB."""


def spares_for(jobs: int) -> int:
    """How many workers are kept ready where ``jobs`` may run at once.

    Two where jobs can follow closely and the machine has cores and memory to spare, else one.
    """
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    ample = (os.cpu_count() or 1) > 2 and memory >= _MEMORY_FOR_TWO
    return 2 if jobs > 1 and ample else 1


class Pool:
    """Hands out workers, each once. Usable from any thread.

    All of them are started by one thread that lives as long as the pool: the kernel kills a
    worker when the thread that started it ends, and that must be neither too early nor too late.
    """

    def __init__(self, start: Callable[[], Worker], spares: int) -> None:
        """Start nothing yet.

        Args:
            start: Makes a worker.
            spares: How many are kept ready, beside those that were taken.
        """
        self._start = start
        self._most = spares
        self._starter = ThreadPoolExecutor(1, "sandbox-starter")
        self._lock = threading.Lock()
        self._spares: list[Future[Worker]] = []

    def warm(self) -> None:
        """Start the spare workers that are missing; returns at once.

        Raises:
            RuntimeError: The pool is closed.
        """
        with self._lock:
            dead = [spare for spare in self._spares if spare.done() and not _alive(spare)]
            self._spares = [spare for spare in self._spares if spare not in dead]
            while len(self._spares) < self._most:
                self._spares.append(self._starter.submit(self._start))
        for spare in dead:
            _discard(spare)

    def take(self) -> Worker:
        """A spare worker, the oldest first, or else a new one; another is started meanwhile.

        Raises:
            OSError: A new one could not be started.
            RuntimeError: The pool is closed.
        """
        self.warm()
        with self._lock:
            taken = self._spares.pop(0)
        self.warm()
        return taken.result()

    def close(self) -> None:
        """End the spares and start no more."""
        self._starter.shutdown()
        with self._lock:
            left, self._spares = self._spares, []
        for spare in left:
            _discard(spare)


def _alive(started: Future[Worker]) -> bool:
    """Whether a worker came of it and still waits."""
    return started.exception() is None and started.result().alive


def _discard(started: Future[Worker]) -> None:
    if started.exception() is None:
        started.result().close()
