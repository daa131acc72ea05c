"""Embedding through an OpenAI-compatible endpoint, over real HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from research.errors import ConfigurationError
from research.knowledge.embedding import open_embedder
from research.knowledge.ingestion import Ingestion
from research.knowledge.library import Library
from research.settings import Settings
from tests.knowledge import making
from tests.knowledge.test_library import HashEmbedder
from tests.servers.server import serve_app

KEY = "sk-embedding-secret"


@dataclass
class Endpoint:
    """Answers with the vectors of :class:`HashEmbedder`, and with each of ``failures`` first."""

    failures: list[int] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    answer: Any = None
    settings: Settings = field(default_factory=Settings)

    async def embeddings(self, request: Request) -> Response:
        body = await request.json()
        self.asked.append({**body, "key": request.headers["authorization"]})
        if self.failures:
            return JSONResponse({"error": {"message": f"no, {KEY}"}}, self.failures.pop(0))
        if self.answer is not None:
            return JSONResponse(self.answer)
        rows = HashEmbedder().embed(body["input"]) * 3  # not of unit length
        data = [
            {"object": "embedding", "index": at, "embedding": row.tolist()}
            for at, row in enumerate(rows)
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return JSONResponse({"object": "list", "data": data[::-1], "model": "m", "usage": usage})


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    made = Endpoint()
    app = Starlette(routes=[Route("/v1/embeddings", made.embeddings, methods=["POST"])])
    with serve_app(app) as url:
        made.settings = Settings(
            embedding_base_url=f"{url}/v1", embedding_api_key=SecretStr(KEY), openai_api_key=None
        )
        yield made


def test_texts_become_unit_vectors_in_their_order(endpoint: Endpoint) -> None:
    embedder = open_embedder("endpoint:some-model", endpoint.settings)
    texts = [f"text number {number}" for number in range(150)] + [""]
    vectors = embedder.embed(texts)
    assert vectors.shape == (151, 32) and embedder.dimension == 32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(vectors[:150], HashEmbedder().embed(texts[:150]), atol=1e-5)
    assert [len(body["input"]) for body in endpoint.asked] == [1, 64, 64, 23]
    assert {body["model"] for body in endpoint.asked} == {"some-model"}
    assert {body["key"] for body in endpoint.asked} == {f"Bearer {KEY}"}


def test_a_busy_endpoint_is_asked_again(endpoint: Endpoint) -> None:
    endpoint.failures = [429, 503]
    embedder = open_embedder("endpoint:m", endpoint.settings)
    assert embedder.embed(["a"]).shape == (1, 32)


@pytest.mark.parametrize(
    ("failures", "answer", "key"),
    [
        ([401], None, "retrieval.endpoint_key"),
        ([404], None, "retrieval.endpoint_refused"),
        ([], {"data": []}, "retrieval.endpoint_answer"),
        ([], {"hello": 1}, "retrieval.endpoint_answer"),
        ([], "text", "retrieval.endpoint_answer"),
    ],
)
def test_a_refusal_is_one_sentence_without_the_key(
    endpoint: Endpoint, failures: list[int], answer: Any, key: str
) -> None:
    endpoint.failures, endpoint.answer = failures, answer
    embedder = open_embedder("endpoint:m", endpoint.settings)
    with pytest.raises(ConfigurationError) as caught:
        embedder.embed(["a"])
    assert caught.value.key == key
    assert KEY not in caught.value.sentence("en") + caught.value.sentence("zh")
    assert KEY not in json.dumps(caught.value.params)


def test_without_a_key_or_a_server_it_says_so() -> None:
    with pytest.raises(ConfigurationError) as caught:
        open_embedder("endpoint:m", Settings(openai_api_key=None))
    assert caught.value.key == "retrieval.no_embedding_key"
    nowhere = Settings(embedding_base_url="http://127.0.0.1:9/v1", embedding_api_key=SecretStr(KEY))
    with pytest.raises(ConfigurationError) as caught:
        open_embedder("endpoint:m", nowhere).embed(["a"])
    assert caught.value.key == "retrieval.endpoint_unreachable"


def test_while_the_endpoint_is_away_documents_are_found_by_their_words(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    embedder = open_embedder("endpoint:m", endpoint.settings)
    assert embedder.dimension == 32
    library = Library(tmp_path, embedder)
    ingestion = Ingestion(library)
    endpoint.failures = [401]
    ingestion.submit("note.txt", b"Zanzibarite was found in June.")
    making.until(lambda: ingestion.jobs()[0].error is not None)
    endpoint.failures = [401]
    [hit] = library.search(["zanzibarite"])
    assert "June" in hit.passage.text
    endpoint.failures = []
    ingestion.go_on()
    assert making.finished(ingestion)[0].state == "done"
    [hit] = library.search(["zanzibarite"])
    assert hit.similarity is not None
    ingestion.close()
    library.close()
