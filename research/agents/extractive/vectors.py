"""Likeness of meaning, by the embedder of the knowledge base."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from research.knowledge.embedding import Embedder

MIDDLING = 0.25
"""Likeness of a sentence that has something to do with a question."""


class Vectors:
    """An embedder that remembers: planning, finding and summing up meet the same sentences."""

    def __init__(self, embedder: Embedder, keep: int = 4096) -> None:
        self._embedder = embedder
        self._keep = keep
        self._known: OrderedDict[str, np.ndarray] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, texts: Sequence[str]) -> np.ndarray:
        """Vectors of ``texts``, of shape (len(texts), dimension)."""
        with self._lock:
            fresh = [text for text in dict.fromkeys(texts) if text not in self._known]
            if fresh:
                self._known.update(zip(fresh, self._embedder.embed(fresh), strict=True))
            rows = np.stack([self._known[text] for text in texts])
            while len(self._known) > self._keep:
                self._known.popitem(last=False)
            return rows

    def likeness(self, text: str, others: Sequence[str]) -> np.ndarray:
        """Cosine similarity of ``text`` with each of ``others``.

        Where the embedder does not know the language it is that of a middling pair throughout,
        so that the words alone decide.
        """
        if not self._embedder.understands(text):
            return np.full(len(others), MIDDLING)
        return self.of(others) @ self.of([text])[0]
