"""Which model's vectors answer: after a change of model the old ones do, until the new are made."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from research.errors import ConfigurationError
from research.knowledge.embedding import Embedder
from research.knowledge.store import Store
from research.knowledge.vectors import VectorIndex
from research.models import Notice

log = logging.getLogger(__name__)

Opener = Callable[[str], Embedder]
"""Opens an embedding model by its name."""


def model_key(embedder: Embedder) -> str:
    """How the store names the vectors of a model: two sizes of one model are two."""
    return f"{embedder.name}/{embedder.dimension}"


class Serving:
    """Chooses the embedding model, and the index of its vectors, for each query.

    Args:
        store: The vectors.
        embedder: The model that is set.
        folder: Where files of large indexes are kept.
        opener: Opens the model that was set before.
    """

    def __init__(self, store: Store, embedder: Embedder, folder: Path, opener: Opener) -> None:
        self._store = store
        self._own = embedder
        self._opener = opener
        self._folder = folder
        self._lock = threading.Lock()
        self._indexes: dict[str, VectorIndex] = {}
        self._opened: dict[str, Embedder | None] = {}
        self._chosen: Embedder = embedder
        self._generation = -1
        self.trouble: Notice | None = None
        """Why the last query was not compared by meaning."""

    def current(self) -> tuple[Embedder, VectorIndex]:
        """The model whose vectors cover the most passages, and their index."""
        with self._lock:
            generation = self._store.generation()
            if generation != self._generation:
                self._chosen = self._choose()
                self._generation = generation
            return self._chosen, self._index(self._chosen)

    def notices(self) -> list[Notice]:
        """What the user should know of the model and the indexes."""
        found = [index.notice for index in self._indexes.values()]
        return [notice for notice in (self.trouble, *found) if notice]

    def close(self) -> None:
        """Stop what goes on in the background."""
        for index in self._indexes.values():
            index.close()

    def _choose(self) -> Embedder:
        own = model_key(self._own)
        coverage = self._store.models()
        others = [model for model in coverage if model != own]
        best = max(others, key=lambda model: coverage[model], default=own)
        if coverage.get(best, 0) <= coverage.get(own, 0):
            return self._own
        return self._other(best) or self._own

    def _other(self, model: str) -> Embedder | None:
        if model not in self._opened:
            name, _, dimension = model.rpartition("/")
            try:
                found = self._opener(name)
                usable = found.dimension == int(dimension)
            except (ConfigurationError, ValueError):
                log.warning("The model %s cannot be opened any more.", name)
                usable = False
            self._opened[model] = found if usable else None
        return self._opened[model]

    def _index(self, embedder: Embedder) -> VectorIndex:
        key = model_key(embedder)
        if key not in self._indexes:
            self._indexes[key] = VectorIndex(self._store, key, embedder.dimension, self._folder)
        return self._indexes[key]
