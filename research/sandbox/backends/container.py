"""A container of its own for each job, through podman or docker, from an image the user names.

The client of an engine cannot hand descriptors on, so the worker speaks through a named pipe in
its folder. Its first process inside watches over it: when the app is gone it ends, and all in the
container with it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from research.models import Notice
from research.sandbox.backends.launch import (
    ENVIRONMENT,
    FLAGS,
    NOBODY,
    BackendName,
    Launch,
    no_filter,
)

_ENGINES = ("podman", "docker")
_ROOM = 256
"""Megabytes beside the job's own memory, for libraries and the process that watches over it."""
_FOR_THE_CLIENT = (
    "PATH", "HOME", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS",
    "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "DOCKER_CERT_PATH", "DOCKER_TLS_VERIFY",
    "CONTAINER_HOST", "CONTAINERS_CONF", "CONTAINERS_STORAGE_CONF",
)  # fmt: skip


@dataclass(frozen=True)
class Container:
    """A container with nothing but Python, on no network and without any right."""

    image: str
    """As the user named it."""
    engine: str = ""
    """The program that has the image; empty when none does."""
    digest: str = ""
    """Id of the image: it is what is run, so that another of the same name is tested anew."""
    name: BackendName = "container"
    user: int | None = None

    @classmethod
    def of(cls, image: str) -> Container:
        """The container of an image that podman or docker has here; nothing is downloaded."""
        engine, digest = _holder(image, os.environ.get("PATH", ""))
        return cls(image, engine, digest, user=NOBODY if os.geteuid() == 0 else None)

    def missing(self) -> Notice | None:
        if not any(map(shutil.which, _ENGINES)):
            return Notice(key="sandbox.no_engine")
        if not self.digest:
            return Notice(key="sandbox.no_image", params={"image": self.image})
        return no_filter()

    def launch(self, folder: Path, orders: dict[str, Any]) -> Launch:
        pipe = folder / "report"
        os.mkfifo(pipe)
        pipe.chmod(0o622)  # whatever the umask: the folder around it is closed to others
        inside = Path("/job")
        told = {**orders, "report": str(inside / "report"), "environment": ENVIRONMENT}
        program = ["python3", *FLAGS, str(inside / "worker.py"), json.dumps(told)]
        name = f"dossier-{folder.name}"
        return Launch(
            [self.engine, "run", *self._walls(folder, name, orders), self.digest, *program],
            environment={key: os.environ[key] for key in _FOR_THE_CLIENT if key in os.environ},
            # Also open for writing, so that it does not end before the worker has opened it.
            report=os.open(pipe, os.O_RDWR | os.O_CLOEXEC),
            stop=[self.engine, "kill", "--signal=KILL", name],
        )

    def _walls(self, folder: Path, name: str, orders: dict[str, Any]) -> list[str]:
        user = os.geteuid() if self.user is None else self.user
        group = os.getegid() if self.user is None else self.user
        memory = orders["memory"] + _ROOM * 2**20
        podman = self.engine == "podman"
        own = ",relabel=private" if podman else ""
        return [
            "--rm", "--interactive", "--pull=never", f"--name={name}",
            "--network=none", "--ipc=none", "--read-only",
            "--cap-drop=ALL", "--security-opt=no-new-privileges", f"--user={user}:{group}",
            f"--memory={memory}", f"--memory-swap={memory}",
            f"--pids-limit={orders['threads'] + 8}",
            "--ulimit=nofile=64:64", "--ulimit=core=1:1",
            f"--mount=type=bind,source={folder},target=/job,readonly{own}",
            f"--mount=type=bind,source={folder / 'work'},target=/job/work{own}",
            "--workdir=/job/work",
            *(["--read-only-tmpfs=false"] if podman else []),
            *(["--userns=keep-id"] if podman and os.geteuid() else []),
        ]  # fmt: skip


@lru_cache
def _holder(image: str, _path: str) -> tuple[str, str]:
    """The first engine that has ``image``, and the image's id there; or two empty strings."""
    for engine in filter(shutil.which, _ENGINES):
        command = [engine, "image", "inspect", "--format={{.Id}}", "--", image]
        try:
            asked = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
        except (OSError, subprocess.TimeoutExpired):
            continue
        if asked.returncode == 0 and asked.stdout.strip():
            return engine, asked.stdout.split()[0]
    return "", ""
