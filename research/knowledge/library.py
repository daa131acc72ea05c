"""The library: the user's documents, kept, indexed and searched."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from pathlib import Path

from research.errors import DocumentError
from research.knowledge.documents import Document, OnProgress, Progress
from research.knowledge.embedding import BuiltinEmbedder, Embedder
from research.knowledge.intake import EMBEDDED_AT_ONCE, Intake, table_names, take_in
from research.knowledge.readers import Grid
from research.knowledge.retrieval import Retriever
from research.knowledge.shelf import Shelf
from research.knowledge.store import Entry, Store, insert, taken_names
from research.knowledge.vectors import VectorIndex
from research.knowledge.windows import passage_vectors
from research.models import Column, Hit, Passage, Place, Source, Table, content_id


def _ignore(_: Progress) -> None:
    return None


class Library:
    """Every document of one user; all methods may be called from several threads.

    Args:
        home: The data folder. Several libraries, in other processes too, may share it.
        embedder: Turns text into vectors; the one that needs no network by default.
        upload_mb: A larger file is refused.

    Raises:
        StoreError: The database is newer than the program, damaged or cannot be written.
    """

    def __init__(
        self, home: Path, embedder: Embedder | None = None, *, upload_mb: int = 50
    ) -> None:
        self.embedder: Embedder = embedder or BuiltinEmbedder()
        self._model = f"{self.embedder.name}/{self.embedder.dimension}"
        self._upload_mb = upload_mb
        self._shelf = Shelf(home)
        self._store = Store(home / "knowledge.db")
        index = VectorIndex(self._store, self._model, self.embedder.dimension)
        self._retriever = Retriever(self._store, index, self.embedder)
        self._shelf.sweep(self._store.documents())

    def close(self) -> None:
        """Close the database; the library cannot be used afterwards."""
        self._store.close()

    # ------------------------------------------------------------ documents

    def documents(self) -> list[Document]:
        """Every document, the oldest first."""
        return self._store.documents()

    def add(self, name: str, data: bytes, progress: OnProgress = _ignore) -> Document:
        """Read a file, index it and keep it.

        Args:
            name: Its file name; never used as a path.
            data: Its bytes. The same bytes again give the document that is there.
            progress: Told how far it is. What it raises ends the work and is passed on.

        Raises:
            DocumentError: The file is too large or cannot be read.
            StoreError: It could not be kept.
        """
        if len(data) > self._upload_mb * 1024 * 1024:
            raise DocumentError("knowledge.too_large", name=name, limit=self._upload_mb)
        known = self._store.document(hashlib.sha256(data).hexdigest()[:16])
        if known is not None:
            return known
        with self._shelf.incoming(data) as folder:
            return self._keep(take_in(name, data, folder, self.embedder, progress), folder)

    def remove(self, document_id: str) -> None:
        """Delete a document, its passages, its tables and the kept file.

        Raises:
            DocumentError: There is no such document.
        """
        document = self._required(document_id)
        self._store.remove(document_id)
        self._shelf.remove(document)

    def original(self, document_id: str) -> Path:
        """The uploaded file as it was kept.

        Raises:
            DocumentError: There is no such document.
        """
        return self._shelf.original(self._required(document_id))

    def tables(self, documents: Collection[str] | None = None) -> list[Table]:
        """The tables of ``documents``, or of all."""
        return self._store.tables(documents)

    def sources(self, ids: Collection[str] | None = None) -> dict[str, Source]:
        """The documents as sources, by id; unknown ids are left out."""
        return {
            document.id: Source(
                id=document.id,
                kind="document",
                title=document.title,
                locator=document.name,
                sha256=document.sha256,
                pages=document.pages,
                language=document.language,
                retrieved_at=document.added_at,
            )
            for document in self.documents()
            if ids is None or document.id in ids
        }

    # ------------------------------------------------------------ retrieval

    def search(
        self,
        queries: Sequence[str],
        *,
        documents: Collection[str] | None = None,
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
        return self._retriever.search(queries, documents, limit)

    def passages(self, ids: Sequence[str]) -> list[Passage]:
        """The passages with these ids, in this order; unknown ids are left out."""
        found = self._store.passages(ids)
        return [found[each] for each in ids if each in found]

    def unembedded(self) -> int:
        """How many passages the embedder in use has no vector for.

        They are found by their words only, until :meth:`reembed` has run.
        """
        return self._store.count() - len(self._store.vector_numbers(self._model))

    def reembed(self, progress: OnProgress = _ignore) -> None:
        """Make the vectors that the embedder in use lacks, then drop those of other models.

        May be broken off at any time, by what ``progress`` raises, and called again.
        """
        total = self.unembedded()
        done = 0
        while batch := self._store.without_vector(self._model, EMBEDDED_AT_ONCE):
            titles = {document.id: document.title for document in self.documents()}
            vectors = passage_vectors([passage for _, passage in batch], titles, self.embedder)
            self._store.add_vectors(self._model, [number for number, _ in batch], vectors)
            done += len(batch)
            progress(Progress(state="embedding", done=done, total=max(done, total)))
        self._store.forget_other_models(self._model)

    # ------------------------------------------------------------ inside

    def _required(self, document_id: str) -> Document:
        document = self._store.document(document_id)
        if document is None:
            raise DocumentError("knowledge.no_such_document")
        return document

    def _keep(self, intake: Intake, folder: Path) -> Document:
        """Move the files to their place and commit; the files count only once that is done."""
        document = intake.document
        with self._store.change() as db:
            known = self._store.document(document.id)
            if known is not None:  # another thread or process was faster
                return known
            names = table_names(intake.grids, taken_names(db))
            files = {grid.file: name for grid, name in zip(intake.grids, names, strict=True)}
            self._shelf.place(document, folder, files)
            tables = [self._table(document.id, grid, files[grid.file]) for grid in intake.grids]
            insert(db, Entry(document, intake.passages, tables, intake.vectors, self._model))
        return document

    def _table(self, document_id: str, grid: Grid, name: str) -> Table:
        return Table(
            id=content_id(document_id, grid.file),
            source_id=document_id,
            name=name,
            title=grid.title,
            columns=tuple(
                Column(name=column.name, type=column.type, examples=column.examples)
                for column in grid.columns
            ),
            rows=grid.rows,
            place=Place(sheet=grid.sheet, heading=grid.heading, rows=(1, max(1, grid.rows))),
            path=str(self._shelf.table(document_id, name)),
        )
