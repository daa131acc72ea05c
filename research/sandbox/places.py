"""What the interpreter itself must be able to read: nothing else of the machine is visible inside.

Of ``sys.prefix`` and ``sys.base_prefix`` only the libraries count, not the whole folder: a virtual
environment may have been made right in a project, with the user's files beside it.
"""

from __future__ import annotations

import site
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

_SYSTEM = (
    "/usr/lib",
    "/usr/lib64",
    "/lib",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/usr/share/zoneinfo",
)


def readable() -> list[Path]:
    """Files and folders to open for reading, each under every name the interpreter knows it by."""
    prefixes = [Path(sys.prefix), Path(sys.base_prefix)]
    parts = [prefix / part for prefix in prefixes for part in ("lib", "lib64", "pyvenv.cfg")]
    packages = [*site.getsitepackages(), *map(sysconfig.get_path, ("stdlib", "platstdlib"))]
    wanted = [*map(Path, _SYSTEM), *parts, *map(Path, packages), Path(sys.executable).resolve()]
    found = [path for path in wanted if path.exists()]
    return list(dict.fromkeys([*found, *(path.resolve() for path in found)]))


def interpreter_links() -> Iterator[tuple[Path, Path]]:
    """The chain of links from ``sys.executable`` to the real program, as (link, target)."""
    path = Path(sys.executable)
    while path.is_symlink():
        target = path.parent / path.readlink()
        yield path, target
        path = target
    if path != path.resolve():
        yield path, path.resolve()
