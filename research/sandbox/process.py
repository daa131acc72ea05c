"""One worker process: start it, hand it its job, and make sure that it is gone afterwards."""

from __future__ import annotations

import os
import signal
import subprocess
from contextlib import suppress
from pathlib import Path

from research.sandbox.backends import Backend
from research.sandbox.filter import seccomp_program
from research.sandbox.folder import JobFolder
from research.sandbox.watch import Outcome, Watch, descendants
from research.settings import SandboxLimits

PATIENCE = 600.0
"""Seconds a spare worker waits for a job before it ends itself."""

_ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "HOME": ".",
    "TMPDIR": "tmp",
    # One thread each: the cores are shared with the app, and every pool eats memory.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_MAX_THREADS": "1",
    # Allocators that reserve gigabytes ahead would be taken for a memory bomb.
    "ARROW_DEFAULT_MEMORY_POOL": "system",
    "MALLOC_ARENA_MAX": "2",
    "MPLBACKEND": "Agg",
}


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
        self.folder = JobFolder.create(scratch, seccomp_program(), backend.user)
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
            "patience": PATIENCE,
        }
        launch = backend.launch(self.folder.path, orders)
        try:
            process = subprocess.Popen(
                launch.argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=self.folder.work,
                env=_ENVIRONMENT,
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
        with suppress(BrokenPipeError):
            self._process.stdin.write(b"\n")
        try:
            watch = Watch(self._process, self._report, self.folder, self._limits, self.kill)
            return watch.run()
        finally:
            self._end()

    def kill(self) -> None:
        """Kill the tree, from any thread; the one in :meth:`run` then sees its end.

        What runs inside goes first: bubblewrap ends after the last process inside it, so that its
        end says that none is left. It is halted meanwhile, or it could have a child just after
        its children were counted.
        """
        self._process.send_signal(signal.SIGSTOP)
        inside = descendants(self._process.pid) if self.alive else []
        for pid in inside:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.send_signal(signal.SIGCONT if inside else signal.SIGKILL)

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
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()
        if self._report >= 0:
            os.close(self._report)
            self._report = -1
