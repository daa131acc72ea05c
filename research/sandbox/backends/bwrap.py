"""Namespaces of its own for files, network, processes and users, through bubblewrap."""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from research.models import Notice
from research.sandbox.backends.launch import DEVICES, BackendName, Launch, no_filter, worker
from research.sandbox.filter import seccomp_program
from research.sandbox.places import interpreter_links, readable


@dataclass(frozen=True)
class Bwrap:
    """bubblewrap with a seccomp filter; the best where user namespaces work."""

    name: BackendName = "bwrap"
    user: int | None = None

    def missing(self) -> Notice | None:
        if shutil.which("bwrap") is None:
            return Notice(key="sandbox.no_bwrap")
        return no_filter()

    def launch(self, folder: Path, orders: dict[str, Any]) -> Launch:
        inside = Path("/job")
        argv = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session"]
        argv += ["--cap-drop", "ALL"]
        for path in readable():
            argv += ["--ro-bind", str(path), str(path)]
        for link, target in interpreter_links():
            argv += ["--symlink", str(target), str(link)]
        for device in DEVICES:
            argv += ["--dev-bind", device, device]
        argv += ["--ro-bind", str(folder), str(inside)]
        argv += ["--bind", str(folder / "work"), str(inside / "work")]
        argv += ["--remount-ro", "/", "--chdir", str(inside / "work")]
        rules = tempfile.TemporaryFile()  # noqa: SIM115 - closed by whoever starts the worker
        rules.write(seccomp_program(starting=True))
        rules.seek(0)
        argv += ["--seccomp", str(rules.fileno())]
        return Launch([*argv, *worker(inside, orders)], files=[rules])
