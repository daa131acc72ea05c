"""What the server gives out of the documents: the originals, and pictures of their pages."""

from __future__ import annotations

import io
import urllib.request
from collections.abc import Iterator
from http.client import HTTPResponse
from pathlib import Path
from urllib.error import HTTPError

import pytest
from PIL import Image

from research.knowledge.library import Library
from research.models import Passage
from tests.e2e.program import Program
from tests.knowledge.making import pdf

OLD = "The first edition says that the bridge of Mostar is 29 metres long."
NEW = "The second edition says that the bridge of Mostar is 30 metres long."


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("originals")


@pytest.fixture(scope="module")
def passage(home: Path) -> Passage:
    """The one passage of the newer of two versions."""
    library = Library(home)
    library.add("bridges.pdf", pdf(OLD))
    document = library.add("bridges.pdf", pdf(NEW))
    (hit,) = library.search(["bridge of Mostar"])
    library.close()
    assert hit.passage.source_id == document.id
    return hit.passage


@pytest.fixture(scope="module")
def program(home: Path, passage: Passage) -> Iterator[Program]:
    running = Program(home, {})
    running.start()
    yield running
    running.stop()


def get(program: Program, path: str) -> tuple[int, HTTPResponse, bytes]:
    """Status, answer and body of one request."""
    try:
        with urllib.request.urlopen(program.url + path) as answer:
            return answer.status, answer, answer.read()
    except HTTPError as refused:
        with refused:
            return refused.code, refused.fp, refused.read()


def picture(body: bytes) -> Image.Image:
    return Image.open(io.BytesIO(body)).convert("RGB")


def test_a_page_is_given_out_with_the_passage_marked_and_the_usual_headers(
    program: Program, passage: Passage
) -> None:
    address = f"/documents/{passage.source_id}/pages/1.png"
    status, answer, plain = get(program, address)
    assert (status, answer.headers["Content-Type"]) == (200, "image/png")
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]
    _, _, marked = get(program, f"{address}?passage={passage.id}&width=300")
    assert picture(marked).width == 300
    yellow = [colour for _, colour in picture(marked).getcolors(1 << 20) if colour[2] < 140]
    assert any(red > 240 and green > 220 for red, green, _ in yellow)
    assert get(program, f"{address}?passage=unknown&width=wide")[2] == plain


@pytest.mark.parametrize("page", ["0", "2", "x", "-1", "9" * 5000, "..%2f1", "%C2%B2"])
def test_a_page_that_is_not_there_is_refused_with_one_sentence(
    program: Program, passage: Passage, page: str
) -> None:
    status, _, body = get(program, f"/documents/{passage.source_id}/pages/{page}.png")
    assert status in (400, 404)
    assert b"Traceback" not in body and len(body) < 20_000


def test_pages_of_documents_that_nobody_added_are_refused(program: Program) -> None:
    assert get(program, "/documents/unknown/pages/1.png")[0] == 404


def test_a_version_that_was_replaced_is_still_given_out(
    program: Program, home: Path, passage: Passage
) -> None:
    library = Library(home)
    (version,) = library.versions(passage.source_id)
    library.close()
    status, answer, body = get(program, f"/documents/{version.document.id}")
    assert status == 200
    assert answer.headers["Content-Type"] == "application/pdf"
    assert body.startswith(b"%PDF")
    assert get(program, f"/documents/{version.document.id}/pages/1.png")[0] == 200


def test_a_page_that_cannot_be_drawn_is_told_apart_from_one_that_is_not_there(
    program: Program, home: Path, passage: Passage
) -> None:
    library = Library(home)
    original = library.original(passage.source_id)
    library.close()
    kept = original.read_bytes()
    original.write_bytes(b"%PDF-1.7 and nothing more")
    try:
        status, _, body = get(program, f"/documents/{passage.source_id}/pages/1.png?width=777")
    finally:
        original.write_bytes(kept)
    assert status == 503
    assert body == b"This page could not be drawn. Open the original instead."
