"""The folder of one job: what lies where, how full it is, and how it goes away.

::

    job-XXXX/        read-only inside
        worker.py    the program that runs in the sandbox
        filter       its seccomp program
        report       named pipe for its own words, where descriptors cannot be handed on
        code.py      the job's code
        data/        the tables and manifest.json
        work/        the only place that can be written; the working directory
            data     link to ../data
            out/     artefacts
            tmp/
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from research.errors import SandboxError
from research.models import Table
from research.sandbox.job import Job

_MAX_DEPTH = 16
_WORKER = Path(__file__).with_name("worker.py")


@dataclass(frozen=True)
class JobFolder:
    """One job's folder on this side of the wall."""

    path: Path

    @property
    def work(self) -> Path:
        """What the job may write."""
        return self.path / "work"

    @classmethod
    def create(cls, scratch: Path, program: bytes, user: int | None) -> JobFolder:
        """Make the folder.

        Args:
            scratch: Existing folder to make it in.
            program: The worker's seccomp program.
            user: Id of the user and group that will work in it; None for the present user.

        Raises:
            OSError: The disk is full or ``scratch`` cannot be written.
        """
        folder = cls(Path(tempfile.mkdtemp(prefix="job-", dir=scratch)))
        folder._put("worker.py", _WORKER.read_bytes())
        folder._put("filter", program)
        (folder.path / "data").mkdir()
        for path in (folder.work, folder.work / "out", folder.work / "tmp"):
            path.mkdir()
            if user is not None:
                os.chown(path, user, user)
        (folder.work / "data").symlink_to("../data")
        if user is not None:
            (folder.path / "data").chmod(0o755)
            os.chown(folder.path, -1, user)
            folder.path.chmod(0o750)
        return folder

    def fill(self, job: Job) -> None:
        """Put in the code, the tables and their manifest.

        Raises:
            SandboxError: A table's file is gone.
        """
        self._put("code.py", job.code.encode("utf-8", "replace"))
        for table in job.tables:
            # A copy, so that no way leads from inside to the library's own file.
            try:
                self._put(f"data/{table.name}.parquet", Path(table.path).read_bytes())
            except FileNotFoundError:
                raise SandboxError("sandbox.table_missing", name=table.name) from None
        manifest = json.dumps([_entry(table) for table in job.tables], ensure_ascii=False, indent=1)
        self._put("data/manifest.json", manifest.encode())

    def _put(self, name: str, content: bytes) -> None:
        path = self.path / name
        path.write_bytes(content)
        path.chmod(0o644)  # whatever the umask: the folder around it is closed to others

    def used(self, most: int) -> int | None:
        """Bytes that the job's files take on disk; None for a tree nobody honest would make.

        That is one with more than ``most`` files and folders, nested too deep, or hidden from us.
        """
        total = entries = 0
        waiting = [(self.work, 0)]
        while waiting:
            folder, depth = waiting.pop()
            try:
                with os.scandir(folder) as found:
                    for entry in found:
                        entries += 1
                        total += entry.stat(follow_symlinks=False).st_blocks * 512
                        if entry.is_dir(follow_symlinks=False):
                            waiting.append((Path(entry.path), depth + 1))
            except FileNotFoundError:
                continue  # removed while we looked
            except OSError:
                return None
            if entries > most or depth > _MAX_DEPTH:
                return None
        return total

    def remove(self) -> None:
        """Delete all of it, however the job left it. Its processes must be dead."""
        try:
            shutil.rmtree(self.path)
        except FileNotFoundError:
            return
        except (OSError, RecursionError):  # folders without rights, or nested by the thousand
            for command in (["chmod", "-R", "u+rwX"], ["rm", "-rf"]):
                subprocess.run([*command, "--", str(self.path)], check=False, capture_output=True)


@contextmanager
def session(scratch: Path) -> Iterator[Path]:
    """A folder in ``scratch`` for the jobs of one sandbox; gone at the end.

    It is locked while it is in use, so that what killed processes left behind can be told from it
    and is removed here.

    Raises:
        OSError: The disk is full or ``scratch`` cannot be written.
    """
    scratch.mkdir(parents=True, exist_ok=True)
    for path in scratch.glob("session-*"):
        if (lock := _lock(path)) is not None:
            JobFolder(path).remove()
            os.close(lock)
    lock = None
    while lock is None:  # another process may have taken a new folder for an old one
        folder = Path(tempfile.mkdtemp(prefix="session-", dir=scratch))
        lock = _lock(folder)
    folder.chmod(0o711)
    try:
        yield folder
    finally:
        JobFolder(folder).remove()
        os.close(lock)


def _lock(folder: Path) -> int | None:
    """A descriptor that holds the lock on an existing folder; None where another process does."""
    import fcntl  # not on every system that can show code without running it

    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    if folder.exists():
        return descriptor
    os.close(descriptor)
    return None


def _entry(table: Table) -> dict[str, object]:
    return {
        "file": f"data/{table.name}.parquet",
        "name": table.name,
        "title": table.title,
        "columns": [
            {"name": column.name, "type": column.type, "unit": column.unit}
            for column in table.columns
        ],
        "rows": table.rows,
        "totals": table.totals,
    }
