"""Office files and e-books are zip archives: look at what one unpacks to before anything does."""

from __future__ import annotations

import zipfile
from pathlib import Path

from research.knowledge.readers import UnreadableError

MOST_BYTES = 200 * 1024 * 1024
MOST_RATIO = 100
MOST_ENTRIES = 20_000
ALWAYS_FINE = 4 * 1024 * 1024
"""A small file may be packed as tightly as it likes."""
XML = (".xml", ".rels", ".xhtml", ".html", ".htm", ".ncx", ".opf", ".svg")
PROLOGUE = 4_096
"""Characters before the first element of an XML file, where entities are declared."""
BROKEN = (zipfile.BadZipFile, OSError, ValueError, RuntimeError, NotImplementedError, EOFError)
"""What the zip module raises on archives that are damaged or packed in an unknown way."""


def check_archive(path: Path) -> None:
    """Refuse an archive that unpacks to far more than it should, or holds XML that does.

    Raises:
        UnreadableError: It unpacks to too much, or is no proper archive.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            entries = archive.infolist()
            _check_size(entries)
            for entry in entries:
                if entry.filename.lower().endswith(XML) and _has_entities(archive, entry):
                    raise UnreadableError("readers.entities")
    except BROKEN as error:
        raise UnreadableError("knowledge.damaged") from error


def _check_size(entries: list[zipfile.ZipInfo]) -> None:
    if any(entry.flag_bits & 1 for entry in entries):
        raise UnreadableError("readers.archive")
    unpacked = sum(entry.file_size for entry in entries)
    packed = max(1, sum(entry.compress_size for entry in entries))
    tight = unpacked > ALWAYS_FINE and unpacked > MOST_RATIO * packed
    if unpacked > MOST_BYTES or tight or len(entries) > MOST_ENTRIES:
        raise UnreadableError("knowledge.unpacks_too_large")


def _has_entities(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bool:
    """Whether an XML file declares words that stand for others, as no Office program does."""
    with archive.open(entry) as file:
        head = file.read(PROLOGUE).replace(b"\x00", b"")
    return b"<!ENTITY" in head
