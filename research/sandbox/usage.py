"""What processes use: from ``/proc`` where there is one, else from ``ps``."""

from __future__ import annotations

import stat
import subprocess
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
"""Where it is not there, threads and files without a name are not counted."""


@dataclass(frozen=True)
class Usage:
    """Of some processes together."""

    memory: int
    """Resident bytes."""
    threads: int
    nameless: int
    """Bytes in files that are open but deleted."""


def descendants(pid: int) -> list[int]:
    """All processes below ``pid``, children before grandchildren."""
    children: dict[int, list[int]] = {}
    for child, parent, _ in _from_proc() if _has_proc() else _from_ps():
        children.setdefault(parent, []).append(child)
    found = children.get(pid, [])
    for child in found:
        found += children.get(child, [])
    return found


def usage(pids: Iterable[int]) -> Usage:
    """What ``pids`` use; one that has ended uses nothing."""
    if not _has_proc():
        wanted = set(pids)
        memory = sum(octets for pid, _, octets in _from_ps() if pid in wanted)
        return Usage(memory, 0, 0)
    memory = threads = nameless = 0
    for pid in pids:
        with suppress(OSError):  # ended
            lines = (PROC / str(pid) / "status").read_text().splitlines()
            values = dict(line.split(":", 1) for line in lines if ":" in line)
            memory += int(values.get("VmRSS", "0").split()[0]) * 1024
            threads += int(values.get("Threads", "0"))
        nameless += _nameless(pid)
    return Usage(memory, threads, nameless)


def _has_proc() -> bool:
    return (PROC / "self/stat").exists()


def _from_proc() -> Iterable[tuple[int, int, int]]:
    """Process and parent of each; their bytes are not asked for."""
    for entry in PROC.glob("[0-9]*"):
        with suppress(OSError):  # ended while we looked
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            yield int(entry.name), parent, 0


def _from_ps() -> Iterable[tuple[int, int, int]]:
    """Process, parent and resident bytes of each."""
    command = ["ps", "-A", "-o", "pid=,ppid=,rss="]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for line in said.splitlines():
        pid, parent, kilobytes = map(int, line.split())
        yield pid, parent, kilobytes * 1024


def _nameless(pid: int) -> int:
    total = 0
    with suppress(OSError):  # ended, or not ours to look into
        for descriptor in (PROC / str(pid) / "fd").iterdir():
            with suppress(FileNotFoundError):
                found = descriptor.stat()
                if stat.S_ISREG(found.st_mode) and found.st_nlink == 0:
                    total += found.st_blocks * 512
    return total
