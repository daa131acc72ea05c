"""Watches a worker: reads what it says, measures what it uses, and has it killed at a limit.

The kernel's own limits work beside it (CPU seconds, private memory, size of one file); what the
kernel cannot count for a whole job is counted here, twenty times a second.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal

from research.sandbox.folder import JobFolder
from research.sandbox.usage import descendants, usage
from research.settings import SandboxLimits

Limit = Literal["wall", "cpu", "memory", "file", "scratch", "files", "output", "threads", "killed"]

_TICK = 0.05
_START_SECONDS = 60.0
_NOT_OWN = 256 * 2**20
"""Resident bytes beyond the job's own memory: libraries, and the reserve for its last words."""
_FLOOD = 64
"""A job that prints this many times what is kept is stopped."""


@dataclass
class Stream:
    """What came through one pipe: its beginning and its end, each up to half of ``keep`` bytes."""

    keep: int
    total: int = 0
    head: bytes = b""
    tail: bytes = b""

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes."""
        self.total += len(chunk)
        room = self.keep // 2 - len(self.head)
        self.head += chunk[:room]
        if chunk[room:]:
            self.tail = (self.tail + chunk[room:])[-(self.keep // 2) :]

    @property
    def cut(self) -> bool:
        """Whether something in the middle was thrown away."""
        return self.total > len(self.head) + len(self.tail)

    def text(self) -> str:
        """All that was kept."""
        gap = b"\n[...]\n" if self.cut else b""
        return (self.head + gap + self.tail).decode("utf-8", "replace")


@dataclass(frozen=True)
class Outcome:
    """How a worker ended."""

    started: bool
    """Whether it was locked in and had begun with the job before it ended."""
    code: int
    """Exit status as a shell gives it: 128 and above for a signal."""
    limit: Limit | None
    error: str
    """The traceback as the worker wrote it."""
    stdout: Stream
    stderr: Stream
    seconds: float
    """From beginning with the job to the end."""


@dataclass
class Watch:
    """One worker under watch."""

    process: subprocess.Popen[bytes]
    report: int
    """The pipe through which the worker itself speaks: when it begins, and about its end."""
    folder: JobFolder
    limits: SandboxLimits
    kill: Callable[[], None]
    outside: bool = False
    """Whether the job's processes are not below ``process``: then whoever keeps them limits their
    memory and threads."""
    _started: bool = False
    _streams: dict[int, Stream] = field(default_factory=dict)
    _since: float = field(default_factory=time.monotonic)
    _pids: list[int] = field(default_factory=list)
    """Of the tree, once the job has begun: from then on it cannot grow."""
    _limit: Limit | None = None
    _next: float = 0.0
    """When to measure again."""

    def run(self) -> Outcome:
        """Watch until the process is dead and all that it said was read."""
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        keep = self.limits.output_kb * 1024
        stdout, stderr, report = Stream(keep), Stream(keep), Stream(128 * 1024)
        self._streams = {
            self.process.stdout.fileno(): stdout,
            self.process.stderr.fileno(): stderr,
            self.report: report,
        }
        self._read_until_death()
        seconds = time.monotonic() - self._since
        code = self.process.wait()
        error, told = _last_words(report)
        return Outcome(
            started=self._started,
            code=128 - code if code < 0 else code,
            limit=self._limit or told or _limit_of(128 - code if code < 0 else code),
            error=error,
            stdout=stdout,
            stderr=stderr,
            seconds=seconds,
        )

    def _read_until_death(self) -> None:
        death = _end_of(self.process)
        try:
            with selectors.DefaultSelector() as selector:
                for descriptor in (*death, *self._streams):
                    selector.register(descriptor, selectors.EVENT_READ)
                alive = True
                while alive:
                    for key, _ in selector.select(_TICK):
                        if key.fd in death:
                            alive = False
                        elif not self._read(key.fd):
                            selector.unregister(key.fd)
                    alive = alive and (bool(death) or self.process.poll() is None)
                    self._check()
        finally:
            for descriptor in death:
                os.close(descriptor)
        for descriptor in self._streams:
            os.set_blocking(descriptor, False)
            with suppress(BlockingIOError):
                while self._read(descriptor):
                    pass

    def _read(self, descriptor: int) -> bool:
        chunk = os.read(descriptor, 65_536)
        self._streams[descriptor].feed(chunk)
        if not self._started and b"\n" in self._streams[self.report].head:
            self._started = True
            self._since = time.monotonic()
            if not self.outside:
                self._pids = [self.process.pid, *descendants(self.process.pid)]
        return bool(chunk)

    def _check(self) -> None:
        if self._limit is None and time.monotonic() > self._next:
            self._limit = self._exceeded()
            self._next = time.monotonic() + _TICK
            if self._limit is not None:
                self.kill()

    def _exceeded(self) -> Limit | None:
        elapsed = time.monotonic() - self._since
        if not self._started:
            return "wall" if elapsed > _START_SECONDS else None
        said = max(stream.total for stream in self._streams.values())
        using = usage(self._pids)
        used = self.folder.used(self.limits.files)
        hit: dict[Limit, bool] = {
            "wall": elapsed > self.limits.wall_seconds,
            "output": said > self.limits.output_kb * 1024 * _FLOOD,
            "memory": using.memory > self.limits.memory_mb * 2**20 + _NOT_OWN,
            "threads": using.threads > self.limits.threads,
            "files": used is None,
            "scratch": (used or 0) + using.nameless > self.limits.scratch_mb * 2**20,
        }
        return next((limit for limit, over in hit.items() if over), None)


def _end_of(process: subprocess.Popen[bytes]) -> list[int]:
    """A descriptor that can be read once ``process`` has ended; none where the system has none."""
    return [os.pidfd_open(process.pid)] if hasattr(os, "pidfd_open") else []


def _last_words(report: Stream) -> tuple[str, Limit | None]:
    """What the worker said of its end. The job could have said it as well: nothing is trusted."""
    try:
        said = json.loads(report.text().splitlines()[1])
        error, limit = said["error"], said.get("limit")
    except (IndexError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return "", None
    told: dict[object, Limit] = {"memory": "memory", "file": "file", "threads": "threads"}
    return error if isinstance(error, str) else "", told.get(str(limit))


def _limit_of(code: int) -> Limit | None:
    if code == 128 + signal.SIGXCPU:
        return "cpu"
    return "killed" if code == 128 + signal.SIGKILL else None
