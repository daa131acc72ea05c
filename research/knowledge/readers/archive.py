"""Office files are zip archives: look at what one unpacks to before anything unpacks it."""

from __future__ import annotations

import zipfile
from pathlib import Path

from research.knowledge.readers import UnreadableError

MOST_BYTES = 200 * 1024 * 1024
MOST_RATIO = 100
ALWAYS_FINE = 4 * 1024 * 1024
"""A small file may be packed as tightly as it likes."""


def check_archive(path: Path) -> None:
    """Refuse an archive that unpacks to far more than it should.

    Raises:
        UnreadableError: It unpacks to too much, or is no proper archive.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise UnreadableError("knowledge.damaged") from error
    if any(entry.flag_bits & 1 for entry in entries):
        raise UnreadableError("knowledge.encrypted")
    unpacked = sum(entry.file_size for entry in entries)
    packed = max(1, sum(entry.compress_size for entry in entries))
    if unpacked > MOST_BYTES or (unpacked > ALWAYS_FINE and unpacked > MOST_RATIO * packed):
        raise UnreadableError("knowledge.unpacks_too_large")
