"""The kernel's Landlock and seccomp on a plain process; needs no namespaces."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from research.models import Notice
from research.sandbox.backends.launch import DEVICES, BackendName, Launch, no_filter, worker
from research.sandbox.places import readable


@dataclass(frozen=True)
class Landlock:
    """Works in an unmodified Docker container too."""

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
        return no_filter() if guarded else Notice(key="sandbox.no_landlock")

    def launch(self, folder: Path, orders: dict[str, Any]) -> Launch:
        read = [str(path) for path in [*readable(), folder]]
        devices = [device for device in DEVICES if Path(device).exists()]
        rights = {"read": read, "write": [str(folder / "work"), *devices]}
        orders = {**orders, "parent": os.getpid(), "landlock": rights}
        return Launch(worker(folder, orders), user=self.user)
