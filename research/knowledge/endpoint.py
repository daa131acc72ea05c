"""Vectors from any OpenAI-compatible endpoint."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from research.errors import ConfigurationError
from research.settings import Settings

if TYPE_CHECKING:
    import numpy as np

ENDPOINT = "endpoint:"
BATCH = 64
TRIES = 4
SECONDS = 60.0
PROBE = "dimension"


class EndpointEmbedder:
    """A model behind ``/embeddings``.

    Args:
        model: Its name there.
        settings: The address and the key; those of the language model unless they are given.

    Raises:
        ConfigurationError: No key is set.
    """

    def __init__(self, model: str, settings: Settings) -> None:
        key = settings.embedding_api_key or settings.openai_api_key
        if key is None:
            raise ConfigurationError("retrieval.no_embedding_key", model=model)
        self.name = f"{ENDPOINT}{model}"
        self._model = model
        self._key = key
        self._address = settings.embedding_base_url or settings.openai_base_url
        self._lock = threading.Lock()

    @cached_property
    def dimension(self) -> int:
        """Length of a vector: asked for once."""
        return int(self._asked([PROBE]).shape[1])

    def embed(self, texts: Sequence[str]) -> np.ndarray:
        """See :meth:`~research.knowledge.embedding.Embedder.embed`."""
        import numpy as np

        rows = [np.empty((0, self.dimension), np.float32)]
        for at in range(0, len(texts), BATCH):
            rows.append(self._asked(list(texts[at : at + BATCH])))
        return np.concatenate(rows)

    def embed_queries(self, texts: Sequence[str]) -> np.ndarray:
        """See :meth:`~research.knowledge.embedding.Embedder.embed_queries`."""
        return self.embed(texts)

    def understands(self, text: str) -> bool:
        """Nothing is known of the model, so it is trusted."""
        del text
        return True

    def _asked(self, texts: list[str]) -> np.ndarray:
        import numpy as np
        from openai import APIConnectionError, APIStatusError, OpenAIError

        # An empty input is refused by some endpoints.
        given = [text.strip() or " ." for text in texts]
        try:
            answer = self._client.embeddings.create(
                model=self._model, input=given, encoding_format="float"
            )
            rows = [each.embedding for each in sorted(answer.data, key=lambda one: one.index)]
            vectors = np.array(rows, dtype=np.float32)
            if len(vectors) != len(texts) or vectors.ndim != 2:
                raise ValueError
        except APIConnectionError as error:
            raise self._failed("retrieval.endpoint_unreachable") from error
        except APIStatusError as error:
            key = "retrieval.endpoint_key" if error.status_code in (401, 403) else ""
            reason = f"HTTP {error.status_code}"
            raise self._failed(key or "retrieval.endpoint_refused", reason=reason) from error
        except (OpenAIError, ValueError, TypeError, AttributeError) as error:
            raise self._failed("retrieval.endpoint_answer") from error
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        return (vectors / np.maximum(norms, 1e-12)).astype(np.float32)

    def _failed(self, key: str, **params: Any) -> ConfigurationError:
        host = urlsplit(str(self._client.base_url)).netloc
        return ConfigurationError(key, model=self._model, host=host, **params)

    @cached_property
    def _client(self) -> Any:
        from openai import OpenAI

        return OpenAI(
            api_key=self._key.get_secret_value(),
            base_url=self._address,
            max_retries=TRIES - 1,
            timeout=SECONDS,
        )
