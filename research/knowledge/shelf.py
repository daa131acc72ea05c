"""The files of the library: what was uploaded, and the Parquet file of each table.

    documents/<sha256>/original.<ending>      tables/<document id>/<random>.parquet
    queue/<job>                               uploaded and not read yet
    incoming/<random>/                        tables of the file that is being read

No name a user gave ever becomes a path.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from research.database import store_errors
from research.knowledge.documents import Document

ENDINGS = {"markdown": "md", "text": "txt"}
ABANDONED_SECONDS = 86_400


class Shelf:
    """The folders below the data folder ``home``."""

    def __init__(self, home: Path) -> None:
        self._home = home.absolute()

    @contextmanager
    def incoming(self) -> Iterator[Path]:
        """An empty folder for the tables of a file; removed afterwards.

        Raises:
            StoreError: The disk is full or cannot be written.
        """
        with store_errors():
            parent = self._home / "incoming"
            parent.mkdir(parents=True, exist_ok=True)
            folder = Path(tempfile.mkdtemp(dir=parent))
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def place(self, document: Document, original: Path) -> None:
        """Keep the uploaded file of a document where it stays.

        It remains where it was as well: until the database knows the document, a process that dies
        must find it there again.
        """
        kept = self.original(document)
        if original == kept:
            return
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.unlink(missing_ok=True)  # of a process that died before its commit
        try:
            os.link(original, kept)
        except OSError:  # not on every file system
            shutil.copyfile(original, kept)
        with kept.open("rb") as file:
            os.fsync(file.fileno())

    def place_table(self, document: Document, file: Path) -> Path:
        """Move the file of a table to where it stays; its new place."""
        folder = self._home / "tables" / document.id
        folder.mkdir(parents=True, exist_ok=True)
        return file.rename(folder / f"{uuid4().hex}.parquet")

    def original(self, document: Document) -> Path:
        """Where the uploaded file of a document is."""
        ending = ENDINGS.get(document.kind, document.kind)
        return self._home / "documents" / document.sha256 / f"original.{ending}"

    def remove(self, document: Document) -> None:
        """Delete the files of a document."""
        shutil.rmtree(self._home / "documents" / document.sha256, ignore_errors=True)
        shutil.rmtree(self._home / "tables" / document.id, ignore_errors=True)
        shutil.rmtree(self._home / "cache" / "pages" / document.id, ignore_errors=True)

    def remove_tables(self, document_id: str, kept: Collection[Path]) -> None:
        """Delete the files of a document's tables but for ``kept``."""
        for path in (self._home / "tables" / document_id).glob("*.parquet"):
            if path not in kept:
                path.unlink(missing_ok=True)

    def sweep(self, known: Collection[Document]) -> None:
        """Delete what processes that died have left: old folders that no document knows."""
        names = {name for document in known for name in (document.sha256, document.id)}
        for kind in ("incoming", "documents", "tables"):
            for folder in (self._home / kind).glob("*"):
                age = time.time() - folder.stat().st_mtime
                if folder.name not in names and age > ABANDONED_SECONDS:
                    shutil.rmtree(folder, ignore_errors=True)
