"""The FAISS index: a cache in memory of the vectors in the store, brought up to date by itself."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from research.knowledge.store import Store, unpacked

if TYPE_CHECKING:
    import numpy as np

CHUNK = 10_000
PARTS = 256
"""A vector's id in the index is its passage's number times this, plus its window."""


class VectorIndex:
    """Nearest passages by the inner product of unit vectors; exact.

    Args:
        store: Where the vectors are.
        model: Whose vectors are meant.
        dimension: Their length.
    """

    def __init__(self, store: Store, model: str, dimension: int) -> None:
        self._store = store
        self._model = model
        self._dimension = dimension
        self._lock = threading.Lock()
        self._index: Any = None
        self._windows: dict[int, int] = {}
        """How many vectors each passage has."""
        self._generation = -1

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
        import faiss

        with self._lock:
            self._refresh()
            if not self._windows:
                return [[] for _ in queries]
            parameters = None
            if among is not None:
                chosen = faiss.IDSelectorBatch(self._ids(among))
                parameters = faiss.SearchParameters(sel=chosen)  # type: ignore[call-arg]
            k = min(limit, self._index.ntotal)
            _, ids = self._index.search(queries, k, params=parameters)
        # FAISS fills up with -1 where it finds fewer than k.
        return [list(dict.fromkeys(int(i) // PARTS for i in row if i >= 0)) for row in ids]

    def vectors(self, numbers: Iterable[int]) -> dict[int, np.ndarray]:
        """The vectors ``(windows, dimension)`` of those of these passages that have any."""
        import numpy as np

        with self._lock:
            self._refresh()
            return {
                number: np.stack([self._index.reconstruct(int(i)) for i in self._ids([number])])
                for number in numbers
                if number in self._windows
            }

    def _ids(self, numbers: Collection[int]) -> np.ndarray:
        import numpy as np

        return np.array(
            [
                number * PARTS + part
                for number in numbers
                for part in range(self._windows.get(number, 0))
            ],
            dtype=np.int64,
        )

    def _refresh(self) -> None:
        """Bring the index to the state of the store, whoever has changed that."""
        generation = self._store.generation()
        if generation == self._generation:
            return
        import faiss

        if self._index is None:
            self._index = faiss.IndexIDMap2(faiss.IndexFlatIP(self._dimension))
        present = self._store.vector_numbers(self._model)
        gone = self._windows.keys() - set(present)
        if gone:
            self._index.remove_ids(self._ids(gone))
            for number in gone:
                del self._windows[number]
        new = [number for number in present if number not in self._windows]
        for at in range(0, len(new), CHUNK):
            self._add(self._store.vectors(self._model, new[at : at + CHUNK]))
        self._generation = generation

    def _add(self, rows: Sequence[tuple[int, bytes]]) -> None:
        import numpy as np

        matrices = [unpacked(data, self._dimension) for _, data in rows]
        for (number, _), matrix in zip(rows, matrices, strict=True):
            self._windows[number] = len(matrix)
        if rows:
            self._index.add_with_ids(np.concatenate(matrices), self._ids([n for n, _ in rows]))
