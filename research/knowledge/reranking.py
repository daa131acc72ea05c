"""Re-ranking: a cross-encoder reads the question and each passage together."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import Any, Protocol

from research.errors import ConfigurationError

BATCH = 8


class Reranker(Protocol):
    """Judges how well passages answer a question; may be called from several threads."""

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """For each text how well it answers ``question``, in [0, 1].

        Raises:
            ConfigurationError: The model cannot be loaded.
        """

    def understands(self, text: str) -> bool:
        """Whether the model knows the language of ``text`` well enough to judge it."""


class CrossEncoderReranker:
    """A cross-encoder of sentence-transformers, by its name on the hub or by a folder.

    Loaded when first used.
    """

    def __init__(self, model: str) -> None:
        self.name = model
        self._model: Any = None
        self._lock = threading.Lock()

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        """See :meth:`Reranker.scores`."""
        import torch

        with self._lock:
            found = self._loaded().predict(
                [(question, text) for text in texts],
                batch_size=BATCH,
                show_progress_bar=False,
                activation_fn=torch.nn.Sigmoid(),
            )
        return [float(score) for score in found]

    def understands(self, text: str) -> bool:
        """Whether the model's vocabulary has most of the text: English models have no Chinese."""
        with self._lock:
            tokenizer = self._loaded().tokenizer
        return knows(tokenizer, text)

    def _loaded(self) -> Any:
        if self._model is None:
            try:
                from sentence_transformers import CrossEncoder
            except ImportError as error:
                raise ConfigurationError("retrieval.no_reranking", model=self.name) from error
            os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
            try:
                self._model = CrossEncoder(self.name, device="cpu", num_labels=1)
            except Exception as error:  # the hub, the disk and the model's code raise their own
                raise ConfigurationError("retrieval.no_such_reranker", model=self.name) from error
        return self._model


def knows(tokenizer: Any, text: str) -> bool:
    """Whether a tokenizer has most of ``text`` in its vocabulary."""
    unknown = getattr(tokenizer, "unk_token_id", None)
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    return unknown is None or not ids or ids.count(unknown) * 4 < len(ids)
