"""What the server answers to anybody who asks, without a browser."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path
from urllib.error import HTTPError

import pytest

from tests.e2e.program import Program


def test_the_health_route_tells_that_the_engine_is_up(keyless: Program) -> None:
    with urllib.request.urlopen(f"{keyless.url}/health") as answer:
        assert json.load(answer) == {"status": "ok", "mode": "extractive"}


def test_a_data_folder_that_cannot_be_used_is_told_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "runs.db").write_bytes(b"this is no database" * 100)
    program = Program(tmp_path, {})
    program.start()
    try:
        with pytest.raises(HTTPError) as refused:
            urllib.request.urlopen(f"{program.url}/health")
        with refused.value as answer:
            assert answer.code == 503
            assert "Check the data folder" in json.load(answer)["reason"]
    finally:
        program.stop()


@pytest.mark.parametrize("path", ["/", "/knowledge", "/health", "/_stcore/health"])
def test_every_answer_carries_the_security_headers(keyless: Program, path: str) -> None:
    with urllib.request.urlopen(keyless.url + path) as answer:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy and "object-src 'none'" in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("name", ["unknown", "..%2f..%2fruns.db", "%2e%2e"])
def test_only_documents_of_the_library_are_given_out(keyless: Program, name: str) -> None:
    with pytest.raises(HTTPError) as refused:
        urllib.request.urlopen(f"{keyless.url}/documents/{name}")
    refused.value.close()
    assert refused.value.code in (400, 404)
