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
from research.sandbox.backends import Backend, BackendName
from research.sandbox.folder import session
from research.sandbox.job import Job
from research.sandbox.process import Worker
from research.sandbox.text import without_paths
from research.settings import SandboxLimits

MUST_WORK = {"thread", "scratch"}
"""Attempts that honest code needs; all others must fail."""
_VERSIONED = ("nono-py", "pyseccomp", "numpy", "pandas", "pyarrow", "plotly")
_KERNEL_SWITCHES = (
    "/proc/sys/kernel/unprivileged_userns_clone",
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
    "/proc/sys/user/max_user_namespaces",
)


@dataclass(frozen=True)
class Trial:
    """How one backend did."""

    name: BackendName
    user: int | None
    reason: Notice | None
    """Why it is not used; None for the one that is."""
    attempts: dict[str, bool]
    """What was tried from inside, and whether it went as it should; empty where nothing ran."""


@dataclass(frozen=True)
class Choice:
    """The backend that passed, if any, and how it and all that were tried before it did."""

    backend: Backend | None
    trials: tuple[Trial, ...]


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
            _remember(key, candidates.index(choice.backend), choice.trials, remembered)
    return choice


def self_test(backend: Backend, scratch: Path) -> Notice | None:
    """Try to break out of ``backend``; None when every attempt failed, else what is wrong."""
    return try_out(backend, scratch).reason


def try_out(backend: Backend, scratch: Path) -> Trial:
    """Try to break out of ``backend``, each attempt by itself."""
    reason = backend.missing()
    attempts: dict[str, bool] = {}
    if reason is None:
        try:
            attempts = _attempt(backend, scratch)
        except _NotStartedError as failure:
            reason = Notice(key="sandbox.fails", params={"detail": str(failure)[:200]})
    broken = [name for name, well in attempts.items() if not well]
    if broken:
        reason = Notice(key="sandbox.leaks", params={"attempts": ", ".join(broken)})
    return Trial(backend.name, backend.user, reason, attempts)


class _NotStartedError(Exception):
    """The canary gave no answer; the argument says what was seen instead."""


def _attempt(backend: Backend, scratch: Path) -> dict[str, bool]:
    with _target() as target, session(scratch) as folder:
        before = _state(target)
        code = f"TARGET = {target!r}\n" + Path(__file__).with_name("probe.py").read_text("utf-8")
        try:
            worker = Worker(backend, SandboxLimits(), folder)
        except OSError as error:
            raise _NotStartedError(str(error)) from error
        with closing(worker):
            worker.folder.fill(Job(code))
            outcome = worker.run()
            _, tables, _ = collect(worker.folder.work, SandboxLimits())
        if not outcome.started:
            lines = without_paths(outcome.stderr.text(), worker.folder.path).splitlines()
            raise _NotStartedError(lines[-1] if lines else f"exit {outcome.code}")
        try:
            found = json.loads(outcome.stdout.text().splitlines()[-1])
            seen = {str(name): said == "worked" for name, said in found.items()}
        except (IndexError, ValueError, AttributeError) as error:
            last = outcome.error.strip().rpartition("\n")[2]
            raise _NotStartedError(last or "no answer") from error
        seen |= {"change": _state(target) != before, "scratch": bool(tables)}
    return {name: worked == (name in MUST_WORK) for name, worked in seen.items()}


def _recall(key: str, candidates: tuple[Backend, ...], remembered: Path) -> Choice | None:
    try:
        kept = json.loads(remembered.read_text("utf-8"))
        if kept["key"] != key:
            return None
        trials = tuple(_read_trial(entry) for entry in kept["trials"])
        return Choice(candidates[kept["backend"]], trials)
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        return None


def _read_trial(entry: dict[str, Any]) -> Trial:
    reason = entry["reason"] and Notice(**entry["reason"])
    return Trial(entry["name"], entry["user"], reason, dict(entry["attempts"]))


def _remember(key: str, index: int, trials: tuple[Trial, ...], remembered: Path) -> None:
    entries = [
        {**asdict(trial), "reason": trial.reason and trial.reason.model_dump()} for trial in trials
    ]
    with suppress(OSError):  # then it is tried again at the next start
        remembered.parent.mkdir(parents=True, exist_ok=True)
        remembered.write_text(json.dumps({"key": key, "backend": index, "trials": entries}))


@lru_cache
def _try_all(_key: str, candidates: tuple[Backend, ...], scratch: Path) -> Choice:
    trials: list[Trial] = []
    for backend in candidates:
        trials.append(try_out(backend, scratch))
        if trials[-1].reason is None:
            return Choice(backend, tuple(trials))
    return Choice(None, tuple(trials))


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
        [repr(backend) for backend in candidates],
        [
            line
            for line in rights
            if line.startswith(("CapEff", "CapBnd", "Seccomp:", "NoNewPrivs"))
        ],
        bwrap and (bwrap, Path(bwrap).stat().st_mtime_ns),
        [Path(switch).read_text() for switch in _KERNEL_SWITCHES if Path(switch).exists()],
        [_version(package) for package in _VERSIONED],
        *(path.read_bytes() for path in sorted(Path(__file__).parent.rglob("*.py"))),
    ]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""
