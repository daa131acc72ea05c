"""Why code failed, in plain words: for errors that are the walls' doing and not the code's."""

from __future__ import annotations

import re

_ERRNO = re.compile(r"^(\w*Error|OSError|socket\.\w+)\b.*\[Errno (-?\d+)\]", re.MULTILINE)
_SOCKET = re.compile(r'^ *File "(socket|asyncio/\w+|urllib/request|http/client)\.py"', re.MULTILINE)
_PROCESS = re.compile(
    r'^ *File "(subprocess|multiprocessing/\w+|pty)\.py"|\bos\.(fork|spawn|posix_spawn|exec|kill)',
    re.MULTILINE,
)
_REFUSALS = {1, 13, 30, 38}
"""Not permitted, access denied, read-only, no such call."""


def refusal_in(error: str) -> str | None:
    """The catalogue key of what a traceback's error was refused; None where nothing was.

    Args:
        error: The traceback as the worker wrote it, without host paths.
    """
    last = error.rpartition("\n  ")[2]
    found = _ERRNO.search(last)
    number = int(found[2]) if found else 0
    if _SOCKET.search(error) and (number in _REFUSALS or "gaierror" in last or "URLError" in last):
        return "sandbox.no_network"
    if number not in _REFUSALS:
        return None
    return "sandbox.no_processes" if _PROCESS.search(error) else "sandbox.not_allowed"
