"""What stands outside while hostile code tries its luck, and the verdict on each attempt."""

from __future__ import annotations

import json
import os
import secrets
import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from research.models import Table
from research.sandbox import Job
from research.sandbox.backends import Backend
from research.sandbox.folder import JobFolder, session
from research.sandbox.process import Worker
from research.sandbox.watch import descendants
from research.settings import SandboxLimits
from tests.sandbox.attempts import ATTEMPTS, Attempt
from tests.sandbox.listening import Listener, has_ipv6

BLOCKED, LIMITED, NOT_APPLICABLE, NOT_BLOCKED = (
    "blocked",
    "limited",
    "not applicable",
    "NOT BLOCKED",
)
_INSIDE = Path(__file__).with_name("inside.py")


@dataclass(frozen=True)
class Verdict:
    """What became of one probe."""

    word: str
    why: str = ""


@dataclass
class World:
    """The outside: everything that hostile code must neither see, change, reach nor outlive."""

    folder: Path
    token: str
    """Stands in every file and variable that must not be seen."""
    mark: str
    """Name of every process that belongs to the attempts."""
    common: dict[str, Any] = field(default_factory=dict)
    """What all attempts are told."""
    servers: dict[str, Listener] = field(default_factory=dict)
    victim: Worker | None = None
    _before: dict[str, tuple[object, ...]] = field(default_factory=dict)

    def code(self, attempts: dict[str, Attempt]) -> str:
        """The program that makes the attempts."""
        told = {name: [one.code, self._own(one)] for name, one in attempts.items()}
        target = {"attempts": told, "common": self.common, "mark": self.mark}
        return f"TARGET = {target!r}\n{_INSIDE.read_text('utf-8')}"

    def _own(self, attempt: Attempt) -> dict[str, Any]:
        """The attempt's own folder and server, made ready."""
        here = self._here(attempt)
        here.mkdir()
        here.chmod(0o777)
        secret = here / "secret"
        secret.write_text(self.token)
        secret.chmod(0o666)
        own: dict[str, Any] = {"HERE": str(here), "SECRET": str(secret)}
        if attempt.listen:
            server = self.servers[attempt.name] = Listener(attempt.listen, here, self.mark)
            own["ADDRESS"] = server.address
        if attempt.call:
            own["NUMBER"] = number_of(attempt.call)
        self._before[attempt.name] = _state(here)
        return own

    def _here(self, attempt: Attempt) -> Path:
        return self.folder / attempt.name.replace("/", "|")

    def harm(self, attempt: Attempt) -> str:
        """What shows on this side of the wall; empty for nothing."""
        after = _state(self._here(attempt))
        if after != self._before[attempt.name]:
            return f"its folder is {after}, was {self._before[attempt.name]}"
        server = self.servers.get(attempt.name)
        return "its server heard something" if server is not None and server.heard() else ""

    def common_harm(self) -> list[str]:
        """What shows that no single attempt can be blamed for."""
        harm = [f"{path} was made" for path in self._traps() if path.exists()]
        for path in self._traps():
            path.unlink(missing_ok=True)
        harm += [f"process {pid} is left" for pid in self.left()]
        if self.victim is not None and not self.victim.alive:
            harm.append("another worker is dead")
        if signals.count(signal.SIGUSR1):
            harm.append("the app got a signal")
        return harm

    def _traps(self) -> list[Path]:
        import site
        import sys

        prefixes = [sys.prefix, sys.base_prefix, *site.getsitepackages()]
        return [
            *(Path(prefix) / "dossier-probe.pth" for prefix in prefixes),
            Path(gettempdir()) / self.mark,
            Path("/tmp") / self.mark,
            Path("/dev/shm") / self.mark,
        ]

    def left(self) -> list[int]:
        """Processes of the attempts that are still there."""
        found = []
        for path in Path("/proc").glob("[0-9]*/comm"):
            with suppress(OSError):
                if path.read_text().strip() == self.mark:
                    found.append(int(path.parent.name))
        return found

    def close(self) -> None:
        """End what a probe that was not blocked left behind, and every server."""
        for pid in self.left():
            os.kill(pid, signal.SIGKILL)
        for server in self.servers.values():
            server.close()


signals: list[int] = []
"""Those that reached this process while a world was open."""


@contextmanager
def world(folder: Path) -> Iterator[World]:
    """The outside without any sandbox.

    Args:
        folder: Empty, and open to every user.
    """
    token = secrets.token_hex(12)
    made = World(folder, token, f"probe-{token[:8]}")
    home = folder / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "id_ed25519").write_text(token)
    (home / "dossier.sqlite3").write_text(token)
    for path in (home, *home.rglob("*")):
        path.chmod(0o777)
    made.common = {
        "PARENT": os.getpid(),
        "HOME": str(home),
        "DATA": str(home / "dossier.sqlite3"),
        "SOURCE": str(Path(__file__).resolve()),
        "MARK": made.mark,
    }
    kept = os.environ.get("OPENAI_API_KEY")
    os.environ["OPENAI_API_KEY"] = token
    signals.clear()
    handler = signal.signal(signal.SIGUSR1, lambda number, _: signals.append(number))
    with ExitStack() as undo:
        undo.callback(signal.signal, signal.SIGUSR1, handler)
        undo.callback(os.environ.pop, "OPENAI_API_KEY")
        if kept is not None:
            undo.callback(os.environ.__setitem__, "OPENAI_API_KEY", kept)
        with closing(made):
            yield made


@contextmanager
def neighbours(made: World, backend: Backend, scratch: Path, table: Table) -> Iterator[World]:
    """The same with another worker in the same session, and a job in another one.

    Args:
        made: The outside.
        backend: Whose worker it is.
        scratch: Folder in which a sandbox has its session.
        table: A table of the other job.
    """
    (own,) = scratch.glob("session-*")
    job = Job(made.token, (table,))
    with (
        session(scratch) as other,
        closing(Worker(backend, SandboxLimits(), own)) as victim,
    ):
        elsewhere = JobFolder.create(other, b"", backend.user)
        for folder in (victim.folder, elsewhere):
            folder.fill(job)
        made.victim = victim
        pid = victim._process.pid
        made.common |= {
            "SESSION": str(own),
            "VICTIM": [pid, *descendants(pid)],
            "VICTIM_FOLDER": str(victim.folder.path),
            "OTHER_FOLDER": str(elsewhere.path),
        }
        yield made
        made.victim = None


def number_of(call: str) -> int:
    """Of a system call; negative where this machine has none of that name."""
    import pyseccomp as sc

    return int(sc.resolve_syscall(sc.Arch.NATIVE, call))


def applicable(attempt: Attempt) -> str:
    """Why an attempt cannot be made on this machine; empty when it can."""
    if attempt.call and number_of(attempt.call) < 0:
        return f"no system call {attempt.call} on {os.uname().machine}"
    if attempt.listen == "tcp6" and not has_ipv6():
        return "no IPv6 on this machine"
    return ""


def attempts_here() -> dict[str, Attempt]:
    """All attempts that can be made on this machine, by name."""
    every = [one for group in ATTEMPTS.values() for one in group]
    return {one.name: one for one in every if not applicable(one)}


def answers(stdout: str) -> dict[str, tuple[str, str]]:
    """What the code saw of each attempt, the last word on each."""
    return {name: (word, saw) for name, word, saw in map(json.loads, stdout.splitlines())}


def judge(attempt: Attempt, answer: tuple[str, str] | None, made: World) -> Verdict:
    """The verdict on one attempt, from what the code saw and what shows outside."""
    if answer is None:
        return Verdict(NOT_BLOCKED, "it was never tried")
    word, saw = answer
    folders = [made.common[name] for name in _FOLDERS if name in made.common]
    hidden = [made.token, *(Path(folder).name for folder in folders)]
    if word == "worked" and any(part in saw for part in hidden):
        return Verdict(NOT_BLOCKED, f"it saw {saw}")
    if harm := made.harm(attempt):
        return Verdict(NOT_BLOCKED, harm)
    if word == "refused" or (attempt.answered and word == "worked"):
        return Verdict(LIMITED if attempt.limited else BLOCKED)
    return Verdict(NOT_BLOCKED, f"{word}: {saw}")


_FOLDERS = ("VICTIM_FOLDER", "OTHER_FOLDER")


def _state(folder: Path) -> tuple[object, ...]:
    """All that an attempt could change in its folder."""
    names = sorted(path.name for path in folder.iterdir())
    secret = folder / "secret"
    if not secret.exists():
        return (names,)
    status = secret.stat()
    marks = [status.st_mode, status.st_uid, status.st_gid, status.st_nlink, status.st_mtime_ns]
    return names, secret.read_text(), marks, os.listxattr(secret)
