"""The library: the user's documents, kept, indexed and searched."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection as Several
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from research.database import store_errors
from research.errors import ConfigurationError, DocumentError
from research.knowledge import collections
from research.knowledge.documents import (
    Collection,
    Document,
    OnProgress,
    Progress,
    Selection,
    TablePreview,
    Version,
)
from research.knowledge.embedding import BuiltinEmbedder, Embedder
from research.knowledge.intake import Upload
from research.knowledge.keeping import read_and_keep
from research.knowledge.readers import Correction
from research.knowledge.reranking import Reranker
from research.knowledge.retrieval import Retriever
from research.knowledge.serving import Opener, Serving, model_key
from research.knowledge.shelf import Shelf
from research.knowledge.store import Store
from research.knowledge.tables import rows_of
from research.knowledge.windows import passage_vectors
from research.models import Hit, Notice, Passage, Source, Table

EMBEDDED_AT_ONCE = 32


def _ignore(_: Progress) -> None:
    return None


def _unopened(name: str) -> Embedder:
    raise ConfigurationError("knowledge.no_such_embedder", model=name)


class Library:
    """Every document of one user; all methods may be called from several threads.

    Args:
        home: The data folder. Several libraries, in other processes too, may share it.
        embedder: Turns text into vectors; the one that needs no network by default.
        reranker: Reads the best passages once more; none by default.
        opener: Opens an embedding model that was set before, by its name.
        upload_mb: A larger file is refused.

    Raises:
        StoreError: The database is newer than the program, damaged or cannot be written.
    """

    def __init__(
        self,
        home: Path,
        embedder: Embedder | None = None,
        *,
        reranker: Reranker | None = None,
        opener: Opener = _unopened,
        upload_mb: int = 200,
    ) -> None:
        self.embedder: Embedder = embedder or BuiltinEmbedder()
        self.home = home
        self._upload_mb = upload_mb
        self._shelf = Shelf(home)
        self.store = Store(home / "knowledge.db")
        self.serving = Serving(self.store, self.embedder, home / "index", opener)
        self.retriever = Retriever(self.store, self.serving, reranker)
        self._shelf.sweep([*self.documents(), *(v.document for v in self.store.versions())])

    def close(self) -> None:
        """Close the database; the library cannot be used afterwards."""
        self.serving.close()
        self.store.close()

    # ------------------------------------------------------------ documents

    def documents(self, selection: Selection | None = None) -> list[Document]:
        """Every document that is meant, the oldest first."""
        found = self.store.documents()
        if selection is None:
            return found
        return [document for document in found if collections.fits(document, selection)]

    def document(self, document_id: str) -> Document | None:
        """One document."""
        return self.store.document(document_id)

    def versions(self, document_id: str) -> list[Version]:
        """The older documents that this one has replaced, the newest first."""
        return self.store.versions(document_id)

    def add(
        self,
        name: str,
        data: bytes,
        progress: OnProgress = _ignore,
        *,
        collection: str | None = None,
        password: str = "",
    ) -> Document:
        """Read a file, index it and keep it.

        Args:
            name: Its file name; never used as a path. A document of the same name in the same
                collection is replaced by it and becomes its history.
            data: Its bytes. The same bytes again give the document that is there.
            progress: Told how far it is. What it raises ends the work and is passed on.
            collection: Id of the collection it goes to.
            password: Opens the file, if it is locked. Kept nowhere.

        Raises:
            PasswordError: The file is locked, and ``password`` does not open it.
            DocumentError: The file is too large or cannot be read.
            StoreError: It could not be kept.
        """
        self.check_size(name, len(data))
        known = self.store.document(hashlib.sha256(data).hexdigest()[:16])
        if known is not None:
            return known
        with self._shelf.incoming() as folder:
            with store_errors():
                (folder / "original").write_bytes(data)
            upload = Upload.of(name, folder / "original", collection, password)
            document = self.take_in(upload, progress)
        self.embed(progress, document.id)
        return document

    def check_size(self, name: str, octets: int) -> None:
        """Refuse a file that is too large.

        Raises:
            DocumentError: It is.
        """
        if octets > self._upload_mb * 1024 * 1024:
            raise DocumentError("knowledge.too_large", name=name, limit=self._upload_mb)

    def take_in(self, upload: Upload, progress: OnProgress = _ignore) -> Document:
        """Read a file and keep it; it is found by its words until :meth:`embed` has run.

        Args:
            upload: The file; it can be deleted once this has returned.
            progress: As for :meth:`add`.

        Raises:
            PasswordError: The file is locked, and the password does not open it.
            DocumentError: It cannot be read.
            StoreError: It could not be kept.
        """
        known = self.store.document(upload.id)
        if known is not None:
            return known
        return read_and_keep(
            self.store, self._shelf, upload, progress, replaces=self._older(upload)
        )

    def embed(self, progress: OnProgress = _ignore, document_id: str | None = None) -> None:
        """Make the vectors that are missing, of one document or of all.

        May be broken off at any time, by what ``progress`` raises, and called again.

        Raises:
            ConfigurationError: The embedding model cannot be used.
        """
        total = self.unembedded(document_id)
        done = 0
        while count := self.embed_some(document_id):
            done += count.total()
            progress(Progress(state="embedding", done=done, total=max(done, total)))

    def embed_some(self, document_id: str | None = None) -> Counter[str]:
        """Make the vectors of the next few passages that have none.

        Returns:
            Of how many passages of each document, by its id; empty when none is left.

        Raises:
            ConfigurationError: The embedding model cannot be used.
        """
        batch = self.store.without_vector(self._model, EMBEDDED_AT_ONCE, document_id)
        worked_on = Counter(passage.source_id for _, passage in batch)
        if batch:
            documents = filter(None, map(self.store.document, worked_on))
            titles = {document.id: document.title for document in documents}
            vectors = passage_vectors([passage for _, passage in batch], titles, self.embedder)
            self.store.add_vectors(self._model, [number for number, _ in batch], vectors)
        elif document_id is None:
            self.store.forget_other_models(self._model)
        return worked_on

    @property
    def _model(self) -> str:
        return model_key(self.embedder)

    def unembedded(self, document_id: str | None = None) -> int:
        """How many passages, of one document or of all, have no vector of the embedder in use.

        They are found by their words only.
        """
        return self.store.unembedded(self._model, document_id)

    def remove(self, document_id: str) -> None:
        """Delete a document with its history, its passages, its tables and the kept files.

        Raises:
            DocumentError: There is no such document.
        """
        document = self._required(document_id)
        history = self.store.versions(document_id)
        self.store.remove(document_id)
        for gone in (document, *(version.document for version in history)):
            self._shelf.remove(gone)

    def split_off(self, version_id: str, progress: OnProgress = _ignore) -> Document:
        """Make a document that was replaced one of its own again, beside the one after it.

        Raises:
            DocumentError: There is no such version, or it cannot be read any more.
        """
        old = self.store.replaced(version_id)
        if old is None:
            raise DocumentError("knowledge.no_such_document")
        upload = Upload.of(old.name, self._shelf.original(old), old.collection)
        document = read_and_keep(self.store, self._shelf, upload, progress)
        self.embed(progress, document.id)
        return document

    def original(self, document_id: str) -> Path:
        """The uploaded file as it was kept; also that of a document that was replaced.

        Raises:
            DocumentError: There is no such document.
        """
        document = self.store.document(document_id) or self.store.replaced(document_id)
        if document is None:
            raise DocumentError("knowledge.no_such_document")
        return self._shelf.original(document)

    def sources(self, ids: Several[str] | None = None) -> dict[str, Source]:
        """The documents as sources, by id; unknown ids are left out."""
        return {
            document.id: document.source
            for document in self.documents()
            if ids is None or document.id in ids
        }

    # ------------------------------------------------------------ collections

    def collections(self) -> list[Collection]:
        """Every collection, by name."""
        return collections.all_collections(self.store)

    def create_collection(self, name: str, description: str = "") -> Collection:
        """See :func:`research.knowledge.collections.create`."""
        return collections.create(self.store, name, description)

    def change_collection(self, collection_id: str, name: str, description: str) -> Collection:
        """See :func:`research.knowledge.collections.change`."""
        return collections.change(self.store, collection_id, name, description)

    def remove_collection(self, collection_id: str) -> None:
        """Dissolve a collection; its documents stay, in none."""
        collections.remove(self.store, collection_id)

    def move(self, document_id: str, collection_id: str | None) -> None:
        """See :func:`research.knowledge.collections.move`."""
        collections.move(self.store, document_id, collection_id)

    # ------------------------------------------------------------ tables

    def tables(self, documents: Several[str] | None = None) -> list[Table]:
        """The tables of ``documents``, or of all."""
        return self.store.tables(documents)

    def table_preview(self, table_id: str) -> TablePreview:
        """A table as it was understood, beside the rows as they stand in the file.

        Raises:
            DocumentError: There is no such table.
        """
        found = self.store.preview(table_id)
        if found is None:
            raise DocumentError("knowledge.no_such_table")
        return found

    def table_rows(
        self, table_id: str, first: int, last: int
    ) -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        """The names of a table's columns, and its data rows from ``first`` to ``last``.

        Args:
            table_id: The table.
            first: Counted from 1.
            last: Inclusive.

        Raises:
            DocumentError: There is no such table.
        """
        return rows_of(Path(self.table_preview(table_id).table.path), first, last)

    def correct_table(
        self,
        table_id: str,
        correction: Correction | None,
        password: str = "",
        progress: OnProgress = _ignore,
    ) -> Document:
        """Read a document again with what the user said of one of its tables.

        Args:
            table_id: The table.
            correction: Its header and types; None takes back what was said before.
            password: Opens the file, if it is locked.
            progress: As for :meth:`add`.

        Raises:
            PasswordError: The file is locked, and ``password`` does not open it.
            DocumentError: There is no such table, it cannot be corrected, or the file not be read.
        """
        preview = self.table_preview(table_id)
        if not preview.origin:
            raise DocumentError("knowledge.uncorrectable")
        document = self._required(preview.table.source_id)
        said = self.store.corrections(document.id)
        said.pop(preview.origin, None)
        if correction is not None:
            said[preview.origin] = correction
        upload = Upload.of(
            document.name, self._shelf.original(document), document.collection, password
        )
        changed = read_and_keep(
            self.store, self._shelf, upload, progress, replaces=document, corrections=said
        )
        self.embed(progress, changed.id)
        return changed

    # ------------------------------------------------------------ retrieval

    def search(
        self,
        queries: Sequence[str],
        *,
        documents: Several[str] | None = None,
        limit: int = 12,
    ) -> list[Hit]:
        """Find passages by meaning and by word. Blocks; call it from a thread.

        Args:
            queries: Ways to say what is looked for; a passage may fit any of them.
            documents: Where to look; everywhere when None.
            limit: How many passages at most.

        Returns:
            The best first. ``similarity`` is the best cosine over the queries, by which a caller
            can tell that there is no direct evidence. Empty when nothing fits at all.
        """
        return self.retriever.search(queries, documents, limit)

    def notices(self) -> list[Notice]:
        """What the user should know of the index."""
        return self.serving.notices()

    def passages(self, ids: Sequence[str]) -> list[Passage]:
        """The passages with these ids, in this order; unknown ids are left out."""
        found = self.store.passages(ids)
        return [found[each] for each in ids if each in found]

    # ------------------------------------------------------------ inside

    def _required(self, document_id: str) -> Document:
        document = self.store.document(document_id)
        if document is None:
            raise DocumentError("knowledge.no_such_document")
        return document

    def _older(self, upload: Upload) -> Document | None:
        """The document that ``upload`` is a new version of."""
        for document in self.store.documents():
            if document.name == upload.name and document.collection == upload.collection:
                return document
        return None
