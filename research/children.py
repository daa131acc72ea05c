"""What child processes are told of their surroundings."""

from __future__ import annotations

import os
import sys
from pathlib import Path

KEPT = ("PATH", "HOME", "LANG", "SYSTEMROOT", "TEMP", "TMPDIR")
"""All of the environment that is passed on: no key is among it."""


def child_environment(*further: str) -> dict[str, str]:
    """The environment of a child that runs the program's own code: paths, and no secrets.

    Args:
        further: Names that are passed on as well.
    """
    kept = {name: os.environ[name] for name in (*KEPT, *further) if name in os.environ}
    search = os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)
    # Every thread reserves address space, which counts against the child's limit of memory.
    few = {"OPENBLAS_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
    return kept | {"PYTHONPATH": search, "PYTHONUTF8": "1"} | few
