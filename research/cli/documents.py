"""Files named on the command line become documents of the library."""

from __future__ import annotations

import sys
from getpass import getpass
from pathlib import Path

from research.errors import DossierError, PasswordError
from research.i18n import notice_text, text
from research.knowledge.documents import Document
from research.models import Language
from research.runs.service import RunService


def add_document(service: RunService, path: Path, language: Language) -> str:
    """Take in the file at ``path``, and say how it went on standard error.

    Returns:
        The document's id.

    Raises:
        DossierError: It cannot be opened.
        DocumentError: It cannot be read.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        raise DossierError("cli.unreadable", path=path, reason=reason) from error
    document = _added(service, path.name, data, language)
    print(
        text("cli.added", language, name=document.name, passages=document.passages),
        file=sys.stderr,
    )
    for notice in document.warnings:
        print(notice_text(notice, language), file=sys.stderr)
    return document.id


def _added(service: RunService, name: str, data: bytes, language: Language) -> Document:
    """The document; whoever sits at a terminal is asked for the password of a locked file."""
    password = ""
    while True:
        try:
            return service.library.add(name, data, password=password)
        except PasswordError as error:
            if not sys.stdin.isatty():
                raise
            password = getpass(f"{error.sentence(language)} ")
            if not password:
                raise
