"""macOS: the system's Seatbelt, through nono. Written by its manual, not yet tried on a Mac.

There is no seccomp there: what nono's profile would allow (other programs, processes and signals)
is denied by rules of its own, and the self-test shows whether they hold.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from research.models import Notice
from research.sandbox.backends.launch import DEVICES, BackendName, Launch, worker
from research.sandbox.places import readable

_RULES = (
    "(deny process-fork)",
    "(deny process-exec*)",
    "(deny signal (target others))",
    "(deny network*)",
    "(deny mach-lookup)",
    "(deny file-link)",
)


@dataclass(frozen=True)
class Seatbelt:
    """Chosen, like every other, only where its self-test passes."""

    name: BackendName = "seatbelt"
    user: int | None = None

    def missing(self) -> Notice | None:
        try:
            import nono_py
        except ImportError:
            return Notice(key="sandbox.no_nono")
        return None if nono_py.is_supported() else Notice(key="sandbox.no_seatbelt")

    def launch(self, folder: Path, orders: dict[str, Any]) -> Launch:
        rights = {
            "read": [str(path) for path in [*readable(), folder]],
            "write": [str(folder / "work"), *(path for path in DEVICES if Path(path).exists())],
            "rules": list(_RULES),
        }
        orders = {**orders, "parent": os.getpid(), "seatbelt": rights}
        return Launch(worker(folder, orders))
