"""What a job printed or died of, without telling where things lie on this machine."""

from __future__ import annotations

import re
import sys
from pathlib import Path

MAX_ERROR = 4_000
"""Characters of a traceback that are kept, from its end."""
_LIBRARY = re.compile(r"(?:/[\w.+-]+)+/lib/python3\.\d+/(?:site-packages/)?")
"""Of whatever interpreter: that of a container is not this one."""


def without_paths(text: str, folder: Path) -> str:
    """``text`` with the job's folder and the interpreter's folders taken out of every path."""
    for outside in (folder, Path("/job")):
        text = text.replace(f"{outside}/work/", "").replace(f"{outside}/", "")
    libraries = f"lib/python{sys.version_info.major}.{sys.version_info.minor}/"
    for prefix in {sys.prefix, sys.base_prefix, str(Path(sys.base_prefix).resolve())}:
        text = text.replace(f"{prefix}/{libraries}site-packages/", "")
        text = text.replace(f"{prefix}/{libraries}", "").replace(f"{prefix}/", "")
    return _LIBRARY.sub("", text)


def end_of(text: str) -> str:
    """The last part of a long traceback, from the start of a line."""
    if len(text) <= MAX_ERROR:
        return text
    return "[...]\n" + text[-MAX_ERROR:].partition("\n")[2]
