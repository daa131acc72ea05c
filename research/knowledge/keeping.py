"""Reads a file and keeps what is in it: the files first, then the one transaction that counts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from research.knowledge.documents import Document, OnProgress
from research.knowledge.entries import Entry, insert, taken_names
from research.knowledge.intake import Intake, Upload, table_names, table_of, take_in
from research.knowledge.readers import Correction
from research.knowledge.shelf import Shelf
from research.knowledge.store import Store


def read_and_keep(
    store: Store,
    shelf: Shelf,
    upload: Upload,
    progress: OnProgress,
    *,
    replaces: Document | None = None,
    corrections: Mapping[str, Correction] | None = None,
) -> Document:
    """Take a file into the library; its vectors are made later.

    Args:
        store: The database.
        shelf: The folders.
        upload: The file; it can be deleted once this has returned.
        progress: Told how far it is.
        replaces: The older version of the document, or the same document as it was read before.
        corrections: What the user said of its tables, by origin.

    Raises:
        PasswordError: It is locked, and the password does not open it.
        DocumentError: It cannot be read.
        StoreError: It could not be kept.
    """
    said = corrections or {}
    with shelf.incoming() as folder:
        intake = take_in(upload, folder, said, progress)
        return _keep(store, shelf, intake, upload.path, folder, corrections=said, replaces=replaces)


def _keep(
    store: Store,
    shelf: Shelf,
    intake: Intake,
    original: Path,
    folder: Path,
    *,
    corrections: Mapping[str, Correction],
    replaces: Document | None,
) -> Document:
    document = intake.document
    again = replaces is not None and replaces.id == document.id
    with store.change() as db:
        known = store.document(document.id)
        if known is not None and not again:  # another thread or process was faster
            return known
        if known is not None:
            document = document.model_copy(update={"added_at": known.added_at})
        shelf.place(document, original)
        names = table_names(intake.grids, taken_names(db, besides=document.id))
        tables = [
            table_of(
                document.id,
                grid,
                name,
                shelf.place_table(document, folder / grid.file),
                grid.origin in corrections,
            )
            for grid, name in zip(intake.grids, names, strict=True)
        ]
        insert(db, Entry(document, intake.passages, tables, corrections, replaces))
    if replaces is not None:
        shelf.remove_tables(replaces.id, [Path(shown.table.path) for shown in tables])
    return document
