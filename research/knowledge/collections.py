"""Collections: named groups of documents, each with a word on what is in it."""

from __future__ import annotations

import sqlite3
import time
from uuid import uuid4

from research.errors import DocumentError
from research.knowledge.documents import Collection, Document, Selection
from research.knowledge.store import Store


def all_collections(store: Store) -> list[Collection]:
    """Every collection, by name."""
    rows = store.rows("SELECT manifest FROM collections ORDER BY name COLLATE NOCASE")
    return [Collection.model_validate_json(manifest) for (manifest,) in rows]


def create(store: Store, name: str, description: str) -> Collection:
    """Make a collection.

    Raises:
        DocumentError: It has no name, or another one has the same.
    """
    made = Collection(
        id=uuid4().hex[:16],
        name=_checked(name),
        description=description.strip(),
        created_at=time.time(),
    )
    _keep(store, made, "INSERT INTO collections(name, manifest, id) VALUES (?, ?, ?)")
    return made


def change(store: Store, collection_id: str, name: str, description: str) -> Collection:
    """Give a collection another name and description.

    Raises:
        DocumentError: There is no such collection, it would have no name, or another has it.
    """
    known = {collection.id: collection for collection in all_collections(store)}
    if collection_id not in known:
        raise DocumentError("knowledge.no_such_collection")
    changed = known[collection_id].model_copy(
        update={"name": _checked(name), "description": description.strip()}
    )
    _keep(store, changed, "UPDATE collections SET name = ?, manifest = ? WHERE id = ?")
    return changed


def remove(store: Store, collection_id: str) -> None:
    """Dissolve a collection; its documents stay, in none."""
    with store.change() as db:
        db.execute("DELETE FROM collections WHERE id = ?", (collection_id,))


def move(store: Store, document_id: str, collection_id: str | None) -> None:
    """Put a document into a collection, or into none.

    Raises:
        DocumentError: There is no such collection.
    """
    try:
        with store.change() as db:
            db.execute(
                "UPDATE documents SET collection = ? WHERE id = ?", (collection_id, document_id)
            )
    except sqlite3.IntegrityError as error:
        raise DocumentError("knowledge.no_such_collection") from error


def fits(document: Document, selection: Selection) -> bool:
    """Whether a document is among those that are meant."""
    day = document.date or time.strftime("%Y-%m-%d", time.gmtime(document.added_at))
    return (
        (selection.documents is None or document.id in selection.documents)
        and (selection.collections is None or document.collection in selection.collections)
        and (selection.kinds is None or document.kind in selection.kinds)
        and (selection.since is None or day >= selection.since)
        and (selection.until is None or day <= selection.until)
    )


def _checked(name: str) -> str:
    name = " ".join(name.split())[:120]
    if not name:
        raise DocumentError("knowledge.nameless_collection")
    return name


def _keep(store: Store, collection: Collection, sql: str) -> None:
    try:
        with store.change() as db:
            db.execute(sql, (collection.name, collection.model_dump_json(), collection.id))
    except sqlite3.IntegrityError as error:
        raise DocumentError("knowledge.taken_collection", collection=collection.name) from error
