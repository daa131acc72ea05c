"""Watches a worker: reads what it says, measures what it uses, and has it killed at a limit.

The kernel's own limits work beside it (CPU seconds, private memory, size of one file); what the
kernel cannot count for a whole job is counted here, twenty times a second.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import stat
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from research.sandbox.folder import JobFolder
from research.settings import SandboxLimits

Limit = Literal["wall", "cpu", "memory", "file", "scratch", "output", "threads", "killed"]

_TICK = 0.05
_START_SECONDS = 60.0
_MAX_THREADS = 128
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
            started=bool(self._pids),
            code=128 - code if code < 0 else code,
            limit=self._limit or told or _limit_of(128 - code if code < 0 else code),
            error=error,
            stdout=stdout,
            stderr=stderr,
            seconds=seconds,
        )

    def _read_until_death(self) -> None:
        death = os.pidfd_open(self.process.pid)
        try:
            with selectors.DefaultSelector() as selector:
                for descriptor in (death, *self._streams):
                    selector.register(descriptor, selectors.EVENT_READ)
                alive = True
                while alive:
                    for key, _ in selector.select(_TICK):
                        if key.fd == death:
                            alive = False
                        elif not self._read(key.fd):
                            selector.unregister(key.fd)
                    self._check()
        finally:
            os.close(death)
        for descriptor in self._streams:
            os.set_blocking(descriptor, False)
            with suppress(BlockingIOError):
                while self._read(descriptor):
                    pass

    def _read(self, descriptor: int) -> bool:
        chunk = os.read(descriptor, 65_536)
        self._streams[descriptor].feed(chunk)
        if not self._pids and b"\n" in self._streams[self.report].head:
            self._since = time.monotonic()
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
        if not self._pids:
            return "wall" if elapsed > _START_SECONDS else None
        said = max(stream.total for stream in self._streams.values())
        memory, threads = (sum(values) for values in zip(*map(_usage, self._pids), strict=True))
        used = self.folder.used()
        nameless = sum(map(_nameless, self._pids))
        hit: dict[Limit, bool] = {
            "wall": elapsed > self.limits.wall_seconds,
            "output": said > self.limits.output_kb * 1024 * _FLOOD,
            "memory": memory > self.limits.memory_mb * 2**20 + _NOT_OWN,
            "threads": threads > _MAX_THREADS,
            "scratch": used is None or used + nameless > self.limits.scratch_mb * 2**20,
        }
        return next((limit for limit, over in hit.items() if over), None)


def descendants(pid: int) -> list[int]:
    """All processes below ``pid``, children before grandchildren."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # ended while we looked
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.name))
    found = children.get(pid, [])
    for child in found:
        found += children.get(child, [])
    return found


def _usage(pid: int) -> tuple[int, int]:
    """Resident bytes and threads of a process."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0, 0
    values = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return int(values.get("VmRSS", "0").split()[0]) * 1024, int(values.get("Threads", "0"))


def _nameless(pid: int) -> int:
    """Bytes in files that a process keeps open after it deleted them."""
    total = 0
    with suppress(OSError):  # ended, or not ours to look into
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(FileNotFoundError):
                found = descriptor.stat()
                if stat.S_ISREG(found.st_mode) and found.st_nlink == 0:
                    total += found.st_blocks * 512
    return total


def _last_words(report: Stream) -> tuple[str, Limit | None]:
    """What the worker said of its end. The job could have said it as well: nothing is trusted."""
    try:
        said = json.loads(report.text().splitlines()[1])
        error, limit = said["error"], said.get("limit")
    except (IndexError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return "", None
    told: dict[object, Limit] = {"memory": "memory", "file": "file"}
    return error if isinstance(error, str) else "", told.get(str(limit))


def _limit_of(code: int) -> Limit | None:
    if code == 128 + signal.SIGXCPU:
        return "cpu"
    return "killed" if code == 128 + signal.SIGKILL else None
