"""How a worker is started inside walls, one class a kind of wall, the best first."""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Literal, Protocol

from research.models import Notice
from research.sandbox.filter import seccomp_program
from research.sandbox.places import interpreter_links, readable

BackendName = Literal["bwrap", "landlock"]

NOBODY = 65_533
"""User and group of workers where the app is root: an id that no distribution hands out."""

_DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")


@dataclass(frozen=True)
class Launch:
    """What to execute for one worker."""

    argv: list[str]
    user: int | None = None
    files: list[IO[bytes]] = field(default_factory=list)
    """Kept open for the new process only."""


class Backend(Protocol):
    """One kind of wall."""

    @property
    def name(self) -> BackendName:
        """As shown to the user."""

    @property
    def user(self) -> int | None:
        """The user workers run as; None for the present one."""

    def missing(self) -> Notice | None:
        """What is not installed or not offered by the kernel, without trying it out."""

    def launch(self, folder: Path, orders: dict[str, Any]) -> Launch:
        """The command that starts a worker on ``folder``; ``orders`` are for the worker."""


@dataclass(frozen=True)
class Bwrap:
    """Namespaces of its own for files, network, processes and users, through bubblewrap."""

    name: BackendName = "bwrap"
    user: int | None = None

    def missing(self) -> Notice | None:
        if shutil.which("bwrap") is None:
            return Notice(key="sandbox.no_bwrap")
        return _no_filter()

    def launch(self, folder: Path, orders: dict[str, Any]) -> Launch:
        inside = Path("/job")
        argv = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session"]
        argv += ["--cap-drop", "ALL"]
        for path in readable():
            argv += ["--ro-bind", str(path), str(path)]
        for link, target in interpreter_links():
            argv += ["--symlink", str(target), str(link)]
        for device in _DEVICES:
            argv += ["--dev-bind", device, device]
        argv += ["--ro-bind", str(folder), str(inside)]
        argv += ["--bind", str(folder / "work"), str(inside / "work")]
        argv += ["--remount-ro", "/", "--chdir", str(inside / "work")]
        rules = tempfile.TemporaryFile()  # noqa: SIM115 - closed by whoever starts the worker
        rules.write(seccomp_program(starting=True))
        rules.seek(0)
        argv += ["--seccomp", str(rules.fileno())]
        worker = _worker(inside, {**orders, "parent": 0, "landlock": None})
        return Launch([*argv, *worker], files=[rules])


@dataclass(frozen=True)
class Landlock:
    """The kernel's Landlock and seccomp on a plain process; needs no namespaces."""

    name: BackendName = "landlock"
    user: int | None = None

    def missing(self) -> Notice | None:
        try:
            import nono_py

            guarded = nono_py.detect_abi().has_truncate
        except ImportError:
            return Notice(key="sandbox.no_nono")
        except RuntimeError:
            guarded = False
        return _no_filter() if guarded else Notice(key="sandbox.no_landlock")

    def launch(self, folder: Path, orders: dict[str, Any]) -> Launch:
        read = [str(path) for path in [*readable(), folder]]
        devices = [device for device in _DEVICES if Path(device).exists()]
        rights = {"read": read, "write": [str(folder / "work"), *devices]}
        orders = {**orders, "parent": os.getpid(), "landlock": rights}
        return Launch(_worker(folder, orders), user=self.user)


def backends() -> tuple[Backend, ...]:
    """What can be tried here, the strongest first.

    A root app makes its workers another user where that user can reach the interpreter and the
    scratch folder. Where it cannot (both often lie under a closed ``/root``) they stay root, but
    without a single capability: then Landlock and seccomp alone stand between them and root's
    files.
    """
    if sys.platform != "linux":
        return ()
    if os.geteuid() == 0:
        return (Bwrap(), Landlock(user=NOBODY), Landlock())
    return (Bwrap(), Landlock())


def _worker(folder: Path, orders: dict[str, Any]) -> list[str]:
    interpreter = [sys.executable, "-I", "-B", "-X", "utf8"]
    return [*interpreter, str(folder / "worker.py"), json.dumps(orders)]


def _no_filter() -> Notice | None:
    try:
        seccomp_program()
    except (ImportError, RuntimeError, OSError):
        return Notice(key="sandbox.no_seccomp")
    return None
