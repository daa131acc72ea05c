"""One worker process: start it, hand it its job, and make sure that it is gone afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from research.sandbox.backends import Backend
from research.sandbox.filter import seccomp_program
from research.sandbox.folder import JobFolder
from research.sandbox.usage import descendants
from research.sandbox.watch import Outcome, Watch
from research.settings import SandboxLimits

PATIENCE = 600.0
"""Seconds a spare worker waits for a job before it ends itself."""


class Worker:
    """A single-use process that waits, locked in, for one job."""

    def __init__(self, backend: Backend, limits: SandboxLimits, scratch: Path) -> None:
        """Start it; it gets ready while the caller goes on.

        The kernel kills the worker when the thread that calls this ends.

        Args:
            backend: Its walls.
            limits: What its job may use.
            scratch: Existing folder for the job's folder.

        Raises:
            OSError: The program cannot be executed, or the disk is full.
        """
        self._limits = limits
        program = seccomp_program() if sys.platform == "linux" else b""
        self.folder = JobFolder.create(scratch, program, backend.user)
        self._stop: list[str] = []
        self._stopping: list[subprocess.Popen[bytes]] = []
        try:
            self._process, self._report = self._start(backend)
        except BaseException:
            self.folder.remove()
            raise

    def _start(self, backend: Backend) -> tuple[subprocess.Popen[bytes], int]:
        report, write = os.pipe()
        orders = {
            "report": write,
            "memory": self._limits.memory_mb * 2**20,
            "file": self._limits.file_mb * 2**20,
            "cpu": self._limits.cpu_seconds,
            "threads": self._limits.threads,
            "patience": PATIENCE,
            "parent": 0,
            "landlock": None,
            "seatbelt": None,
        }
        try:
            launch = backend.launch(self.folder.path, orders)
        except BaseException:
            os.close(report)
            os.close(write)
            raise
        if launch.report is not None:
            os.close(report)
            report = launch.report
        self._stop = launch.stop
        try:
            process = subprocess.Popen(
                launch.argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=self.folder.work,
                env=launch.environment,
                pass_fds=[write, *(file.fileno() for file in launch.files)],
                start_new_session=True,
                user=launch.user,
                group=launch.user,
                extra_groups=None if launch.user is None else [],
            )
        except BaseException:
            os.close(report)
            raise
        finally:
            os.close(write)
            for file in launch.files:
                file.close()
        return process, report

    @property
    def alive(self) -> bool:
        """Whether it can still take a job."""
        return self._process.poll() is None

    def run(self) -> Outcome:
        """Have the job in its folder done; returns when the whole process tree is dead."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError, ValueError):  # dead, or killed by another thread
            self._process.stdin.write(b"\n")
        try:
            return Watch(
                self._process,
                self._report,
                self.folder,
                self._limits,
                self.kill,
                outside=bool(self._stop),
            ).run()
        finally:
            self._end()

    def kill(self) -> None:
        """Kill the tree, from any thread; the one in :meth:`run` then sees its end.

        What runs inside goes first: bubblewrap ends after the last process inside it, so that its
        end says that none is left. It is halted meanwhile, or it could have a child just after
        its children were counted.
        """
        if self._stop:
            self._stop_from_outside()
            return
        self._process.send_signal(signal.SIGSTOP)
        inside = descendants(self._process.pid) if self.alive else []
        for pid in inside:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.send_signal(signal.SIGCONT if inside else signal.SIGKILL)

    def _stop_from_outside(self) -> None:
        """Have the engine kill the container; the process watching inside ends at the same time.

        The latter holds too where the engine is only about to make the container.
        """
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._stopping.append(
            subprocess.Popen(
                self._stop, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )  # fmt: skip

    def close(self) -> None:
        """Make sure that the tree is dead, and remove all that is left of it."""
        self._end()
        self.folder.remove()

    def _end(self) -> None:
        if self.alive:
            self.kill()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for stopping in self._stopping:
            stopping.wait()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        if self._report >= 0:
            os.close(self._report)
            self._report = -1
