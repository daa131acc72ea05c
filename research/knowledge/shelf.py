"""The files of the library: what was uploaded, and the Parquet file of each table.

    documents/<sha256>/original.<ending>      tables/<document id>/<table name>.parquet
    incoming/<random>/                        while a file is being read

No name a user gave ever becomes a path.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from research.database import store_errors
from research.knowledge.documents import Document

ENDINGS = {"markdown": "md", "text": "txt"}
ABANDONED_SECONDS = 86_400


class Shelf:
    """The folders below the data folder ``home``."""

    def __init__(self, home: Path) -> None:
        self._home = home.absolute()

    @contextmanager
    def incoming(self, data: bytes) -> Iterator[Path]:
        """A folder with ``data`` as ``original`` and an empty folder ``tables``; then removed.

        Raises:
            StoreError: The disk is full or cannot be written.
        """
        with store_errors():
            parent = self._home / "incoming"
            parent.mkdir(parents=True, exist_ok=True)
            folder = Path(tempfile.mkdtemp(dir=parent))
        try:
            with store_errors():
                (folder / "tables").mkdir()
                (folder / "original").write_bytes(data)
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def place(self, document: Document, folder: Path, tables: Mapping[str, str]) -> None:
        """Move what :meth:`incoming` holds to where it stays.

        Args:
            document: Whose files they are.
            folder: The incoming folder.
            tables: The lasting name of each table, by its file in ``folder/tables``.
        """
        self.remove(document)  # the rest of a process that died between here and the commit
        kept = self.original(document)
        kept.parent.mkdir(parents=True)
        (folder / "original").rename(kept)
        for file, name in tables.items():
            target = self.table(document.id, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            (folder / "tables" / file).rename(target)

    def original(self, document: Document) -> Path:
        """Where the uploaded file of a document is."""
        ending = ENDINGS.get(document.kind, document.kind)
        return self._home / "documents" / document.sha256 / f"original.{ending}"

    def table(self, document_id: str, name: str) -> Path:
        """Where the data of a table is."""
        return self._home / "tables" / document_id / f"{name}.parquet"

    def remove(self, document: Document) -> None:
        """Delete the files of a document."""
        shutil.rmtree(self._home / "documents" / document.sha256, ignore_errors=True)
        shutil.rmtree(self._home / "tables" / document.id, ignore_errors=True)

    def sweep(self, known: Collection[Document]) -> None:
        """Delete what processes that died have left: old folders that no document knows."""
        names = {name for document in known for name in (document.sha256, document.id)}
        for kind in ("incoming", "documents", "tables"):
            for folder in (self._home / kind).glob("*"):
                age = time.time() - folder.stat().st_mtime
                if folder.name not in names and age > ABANDONED_SECONDS:
                    shutil.rmtree(folder, ignore_errors=True)
