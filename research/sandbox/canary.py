"""Chooses the sandbox by trying to break out of each, never by what is installed.

What passed is remembered in a file, under a key of everything the result hangs on; a machine where
nothing passed is tried again by the next process.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import os
import platform
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from research.models import Notice
from research.sandbox.artefacts import collect
from research.sandbox.backends import Backend
from research.sandbox.folder import session
from research.sandbox.job import Job
from research.sandbox.process import Worker
from research.sandbox.text import without_paths
from research.settings import SandboxLimits

_MUST_WORK = {"thread"}
_VERSIONED = ("nono-py", "pyseccomp", "numpy", "pandas", "pyarrow", "plotly")
_KERNEL_SWITCHES = (
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "/proc/sys/user/max_user_namespaces",
)


@dataclass(frozen=True)
class Refusal:
    """A backend that is not used, and why."""

    name: str
    user: int | None
    reason: Notice


@dataclass(frozen=True)
class Choice:
    """The backend that passed, if any, and the better ones that did not."""

    backend: Backend | None
    refused: tuple[Refusal, ...]


def choose(candidates: tuple[Backend, ...], scratch: Path, cache: Path) -> Choice:
    """The first of ``candidates`` that passes its self-test.

    Args:
        candidates: The best first.
        scratch: Folder in which jobs will get their folders.
        cache: Folder that keeps the choice between starts, as ``sandbox.json``.
    """
    if not candidates:
        return Choice(None, ())
    key = _key(candidates, scratch)
    remembered = cache / "sandbox.json"
    choice = _recall(key, candidates, remembered)
    if choice is None:
        choice = _try_all(key, candidates, scratch)
        if choice.backend is not None:
            _remember(key, candidates.index(choice.backend), choice.refused, remembered)
    return choice


def _recall(key: str, candidates: tuple[Backend, ...], remembered: Path) -> Choice | None:
    try:
        kept = json.loads(remembered.read_text("utf-8"))
        if kept["key"] != key:
            return None
        refused = tuple(
            Refusal(entry["name"], entry["user"], Notice(**entry["reason"]))
            for entry in kept["refused"]
        )
        return Choice(candidates[kept["backend"]], refused)
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None


def _remember(key: str, index: int, refused: tuple[Refusal, ...], remembered: Path) -> None:
    reasons = [{**asdict(entry), "reason": entry.reason.model_dump()} for entry in refused]
    with suppress(OSError):  # then it is tried again at the next start
        remembered.parent.mkdir(parents=True, exist_ok=True)
        remembered.write_text(json.dumps({"key": key, "backend": index, "refused": reasons}))


def self_test(backend: Backend, scratch: Path) -> Notice | None:
    """Try to break out of ``backend``; None when every attempt failed, else what is wrong."""
    missing = backend.missing()
    if missing is not None:
        return missing
    with _target() as target, session(scratch) as folder:
        before = _state(target)
        code = f"TARGET = {target!r}\n" + Path(__file__).with_name("probe.py").read_text("utf-8")
        try:
            worker = Worker(backend, SandboxLimits(), folder)
        except OSError as error:
            return _not_started(str(error))
        with closing(worker):
            worker.folder.fill(Job(code))
            outcome = worker.run()
            _, tables, _ = collect(worker.folder.work, SandboxLimits())
        if not outcome.started:
            lines = without_paths(outcome.stderr.text(), worker.folder.path).splitlines()
            return _not_started(lines[-1] if lines else f"exit {outcome.code}")
        try:
            found = json.loads(outcome.stdout.text().splitlines()[-1])
        except (IndexError, ValueError):
            return _not_started(outcome.error.strip().rpartition("\n")[2] or "no answer")
        broken = [name for name in found if (found[name] == "worked") != (name in _MUST_WORK)]
        broken += [] if _state(target) == before else ["change"]
        broken += [] if tables else ["write in scratch"]
    if broken:
        return Notice(key="sandbox.leaks", params={"attempts": ", ".join(broken)})
    return None


@lru_cache
def _try_all(_key: str, candidates: tuple[Backend, ...], scratch: Path) -> Choice:
    refused: list[Refusal] = []
    for backend in candidates:
        reason = self_test(backend, scratch)
        if reason is None:
            return Choice(backend, tuple(refused))
        refused.append(Refusal(backend.name, backend.user, reason))
    return Choice(None, tuple(refused))


def _not_started(detail: str) -> Notice:
    return Notice(key="sandbox.fails", params={"detail": detail[:200]})


@contextmanager
def _target() -> Iterator[dict[str, Any]]:
    """Things outside that file rights alone would let anyone reach."""
    with (
        tempfile.TemporaryDirectory() as name,
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as unix,
    ):
        folder = Path(name)
        folder.chmod(0o777)
        secret = folder / "secret"
        secret.write_text("canary")
        secret.chmod(0o666)
        unix.bind(str(folder / "socket"))
        (folder / "socket").chmod(0o777)
        unix.listen()
        yield {
            "folder": name,
            "secret": str(secret),
            "tcp": tcp.getsockname(),
            "unix": str(folder / "socket"),
            "pid": os.getpid(),
        }


def _state(target: dict[str, Any]) -> tuple[object, ...]:
    secret = Path(target["secret"])
    if not secret.exists():
        return ()
    status = secret.stat()
    names = sorted(path.name for path in Path(target["folder"]).iterdir())
    return secret.read_text(), status.st_mode, status.st_uid, status.st_mtime_ns, names


def _key(candidates: tuple[Backend, ...], scratch: Path) -> str:
    """A hash of all that the result of the self-test hangs on."""
    status = Path("/proc/self/status")
    rights = status.read_text().splitlines() if status.exists() else []
    bwrap = shutil.which("bwrap")
    parts: list[object] = [
        platform.uname(),
        os.geteuid(),
        sys.version,
        sys.executable,
        str(scratch.resolve()),
        [(backend.name, backend.user) for backend in candidates],
        [
            line
            for line in rights
            if line.startswith(("CapEff", "CapBnd", "Seccomp:", "NoNewPrivs"))
        ],
        bwrap and (bwrap, Path(bwrap).stat().st_mtime_ns),
        [Path(switch).read_text() for switch in _KERNEL_SWITCHES if Path(switch).exists()],
        [_version(package) for package in _VERSIONED],
        *(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))),
    ]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""
