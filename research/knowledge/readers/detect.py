"""Which format a file has: by what is in it first, by its name second."""

from __future__ import annotations

import zipfile
from pathlib import Path, PurePath

from research.knowledge.readers import UnreadableError
from research.knowledge.readers.encoding import looks_binary

BY_NAME = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".md": "markdown",
    ".markdown": "markdown",
}
"""Text formats that only the name tells apart; every other text is plain."""

NOT_TEXT = {".pdf", ".docx", ".docm", ".xlsx", ".xlsm", ".doc", ".xls", ".ppt", ".pptx"}
"""Names that promise something else than text."""

MARKUP = (b"<!doctype html", b"<html", b"<?xml", b"{\\rtf")


def kind_of(path: Path, name: str) -> str:
    """The kind of document at ``path``, a key of :data:`READERS`.

    Raises:
        UnreadableError: It is empty, of no known format, or not what its name says.
    """
    with path.open("rb") as file:
        head = file.read(65_536)
    if not head.strip(b"\x00\t\r\n \xef\xbb\xbf"):
        raise UnreadableError("knowledge.empty_file")
    if b"%PDF-" in head[:1024]:
        return "pdf"
    if head.startswith(b"PK\x03\x04"):
        return _archive_kind(path)
    if head.startswith(b"\xd0\xcf\x11\xe0"):
        raise UnreadableError("knowledge.old_office")
    return _text_kind(head, PurePath(name).suffix.lower())


def _archive_kind(path: Path) -> str:
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
    except (zipfile.BadZipFile, OSError, ValueError) as error:
        raise UnreadableError("knowledge.damaged") from error
    if "word/document.xml" in names:
        return "docx"
    if "xl/workbook.xml" in names:
        return "xlsx"
    raise UnreadableError("knowledge.unknown_format")


def _text_kind(head: bytes, suffix: str) -> str:
    if suffix in NOT_TEXT:
        raise UnreadableError("knowledge.not_what_it_says", suffix=suffix)
    if looks_binary(head) or head.lstrip().lower().startswith(MARKUP):
        raise UnreadableError("knowledge.unknown_format")
    return BY_NAME.get(suffix, "text")
