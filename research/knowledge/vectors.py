"""The vector index: a cache of the vectors in the store, brought up to date by itself.

Up to a few hundred thousand vectors it is made in memory, a second a hundred thousand. A larger
kind takes long to train: it is trained in the background while the smaller one answers, and kept
on disk. Cosines are always computed from the vectors in the store, so that no kind blurs them.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection, Iterable
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from research.knowledge.indexes import (
    Kind,
    kind_for,
    load,
    new_index,
    save,
    search,
    training_size,
)
from research.knowledge.store import Store, unpacked
from research.models import Notice

if TYPE_CHECKING:
    import numpy as np

log = logging.getLogger(__name__)

CHUNK = 5_000
PARTS = 256
"""A vector's id in the index is its passage's number times this, plus its window."""
SAVED_AFTER = 0.1
"""Share of the vectors that must be new before the file is written again."""


class VectorIndex:
    """Nearest passages by the inner product of unit vectors.

    Args:
        store: Where the vectors are.
        model: Whose vectors are meant.
        dimension: Their length.
        folder: Where the file of a large index is kept.
    """

    def __init__(self, store: Store, model: str, dimension: int, folder: Path) -> None:
        self._store = store
        self._model = model
        self._dimension = dimension
        self._path = folder / f"{sha256(model.encode()).hexdigest()[:16]}.faiss"
        self._lock = threading.RLock()
        self._index: Any = None
        self._kind: Kind = "flat"
        self._windows: dict[int, int] = {}
        """How many vectors each passage has in the index."""
        self._last_row = 0
        """Of the table of vectors: those after it are not in the index."""
        self._generation = -1
        self._training: threading.Thread | None = None
        self._saved = 0
        """Vectors in the file."""
        self._closing = False
        self.notice: Notice | None = None
        """What the user should know of the index."""

    @property
    def kind(self) -> Kind:
        """The kind of index that answers now."""
        return self._kind

    def nearest(
        self, queries: np.ndarray, among: Collection[int] | None, limit: int
    ) -> list[list[int]]:
        """The passages nearest to each query.

        Args:
            queries: ``(n, dimension)``, float32, rows of unit length.
            among: Numbers of the passages to look at; all of them when None.
            limit: How many vectors are looked at for each query; passages are fewer.

        Returns:
            For each query the numbers of passages, the nearest first.
        """
        with self._lock:
            self._refresh()
            if not self._windows:
                return [[] for _ in queries]
            chosen = None if among is None else self._ids(among)
            if chosen is not None and not len(chosen):
                return [[] for _ in queries]
            _, ids = search(self._index, queries, limit, chosen)
        return [list(dict.fromkeys(int(i) // PARTS for i in row if i >= 0)) for row in ids]

    def vectors(self, numbers: Iterable[int]) -> dict[int, np.ndarray]:
        """The vectors ``(windows, dimension)`` of those of these passages that have any."""
        found = self._store.vectors(self._model, list(numbers))
        return {number: unpacked(data, self._dimension) for number, data in found}

    def wait(self) -> None:
        """Block until no larger index is being trained."""
        if training := self._training:
            training.join()

    def close(self) -> None:
        """Stop what is going on in the background, and keep a large index for the next start."""
        self._closing = True
        self.wait()
        with self._lock:
            if self._index is not None and self._kind == "lists":
                self._save(force=False)

    # ------------------------------------------------------------ inside

    def _ids(self, numbers: Iterable[int]) -> np.ndarray:
        import numpy as np

        known = [(n, self._windows[n]) for n in numbers if n in self._windows]
        if not known:
            return np.empty(0, np.int64)
        first, counts = np.array(known, np.int64).T
        parts = np.arange(counts.sum()) - np.repeat(counts.cumsum() - counts, counts)
        return np.repeat(first * PARTS, counts) + parts

    def _refresh(self) -> None:
        """Bring the index to the state of the store, whoever has changed that."""
        generation = self._store.generation()
        if generation == self._generation:
            return
        if self._index is None:
            self._open()
        self._forget_removed()
        self._last_row = self._add_after(self._index, self._last_row, self._windows)
        self._generation = generation
        self._grow()

    def _open(self) -> None:
        count = self._store.vector_bytes(self._model) // (2 * self._dimension)
        if kind_for(count) == "lists" and self._load():
            return
        self._kind = min(kind_for(count), "codes", key=("flat", "codes", "lists").index)
        self._index = self._new(self._kind, count)
        self._windows = {}
        self._last_row = 0

    def _load(self) -> bool:
        there = self._path.exists()
        loaded = load(self._path)
        if loaded is None:
            if there:
                log.warning("The index %s is damaged and is built again.", self._path.name)
                self.notice = Notice(key="retrieval.index_rebuilt", level="warning")
            return False
        self._index, facts = loaded
        self._kind = "lists"
        self._last_row = facts["last_row"]
        self._windows = dict(facts["windows"])
        self._saved = self._index.ntotal
        return True

    def _new(self, kind: Kind, count: int) -> Any:
        import numpy as np

        size = training_size(kind, count)
        rows = self._store.vector_sample(self._model, size) if size else []
        parts = [unpacked(data, self._dimension) for data in rows]
        sample = np.concatenate(parts)[:size] if parts else np.empty((0, self._dimension))
        return new_index(kind, self._dimension, count, sample)

    def _forget_removed(self) -> None:
        """Take out passages that are gone; their numbers never come back."""
        if self._store.vector_rows(self._model, self._last_row) == len(self._windows):
            return
        gone = self._windows.keys() - set(self._store.vector_numbers(self._model))
        self._index.remove_ids(self._ids(gone))
        for number in gone:
            del self._windows[number]

    def _add_after(self, index: Any, row: int, windows: dict[int, int]) -> int:
        """Add the vectors of later rows to ``index``; the last row that was added."""
        import numpy as np

        while rows := self._store.vectors_after(self._model, row, CHUNK):
            matrices = [unpacked(data, self._dimension) for _, _, data in rows]
            ids = [
                number * PARTS + part
                for (_, number, _), matrix in zip(rows, matrices, strict=True)
                if number not in windows
                for part in range(len(matrix))
            ]
            fresh = [m for (_, n, _), m in zip(rows, matrices, strict=True) if n not in windows]
            if fresh:
                index.add_with_ids(np.concatenate(fresh), np.array(ids, np.int64))
            for (_, number, _), matrix in zip(rows, matrices, strict=True):
                windows.setdefault(number, len(matrix))
            row = rows[-1][0]
            if self._closing:
                break
        return row

    def _grow(self) -> None:
        """Change to the kind that the number of vectors asks for."""
        kind = kind_for(self._index.ntotal)
        if kind == "codes" and self._kind == "flat":
            self._index = self._new("codes", self._index.ntotal)
            self._kind, self._windows = "codes", {}
            self._last_row = self._add_after(self._index, 0, self._windows)
        elif kind == "lists" and self._kind != "lists" and self._training is None:
            self._training = threading.Thread(target=self._train, name="index", daemon=True)
            self._training.start()
        elif self._kind == "lists":
            self._save(force=False)

    def _train(self) -> None:
        """Make an index of inverted lists from the store, then let it answer."""
        windows: dict[int, int] = {}
        index = self._new("lists", self._index.ntotal)
        row = self._add_after(index, 0, windows)
        with self._lock:
            self._training = None
            if self._closing:
                return
            self._index, self._windows, self._last_row = index, windows, row
            self._kind, self._generation = "lists", -1
            self._save(force=True)

    def _save(self, force: bool) -> None:
        new = abs(self._index.ntotal - self._saved)
        if not force and new <= SAVED_AFTER * self._index.ntotal:
            return
        facts = {"last_row": self._last_row, "windows": list(self._windows.items())}
        try:
            save(self._index, self._path, facts)
        except OSError as error:
            log.warning("The index could not be kept: %s", error)
        self._saved = self._index.ntotal
