"""What a reader gets of a page."""

from __future__ import annotations

import asyncio
import hashlib
import unicodedata
from collections.abc import Iterator

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from research.errors import WebError
from research.web.guard import Guard
from research.web.page import MAX_CHARACTERS, Page, clean, read_page
from tests.servers import Server, serve_app

CHINESE = "港口二〇二四年的吞吐量为四千一百二十万吨，比上一年增长百分之六。" * 4
HTML = "text/html"
PAGES: dict[str, tuple[str, bytes]] = {
    "gb": (HTML, f"<html><head><meta charset='gb2312'><title>港口</title></head><body><article>"
                 f"<p>{CHINESE}</p></article></body></html>".encode("gb18030")),
    "undeclared": (HTML, f"<html><body><article><p>{CHINESE}</p></article></body></html>".encode()),
    "bare": (HTML, b"<title>A list</title><nav>Up</nav><div>Ships 41.2</div><script>x()</script>"),
    "empty": (HTML, b"<html><body><script>draw()</script></body></html>"),
    "broken": (HTML, b"<html><body><p>" + b"<div>" * 3000 + b"deep down" + b"\xff\xfe\x00"),
    "json": ("application/json", b'{"tonnage": 41.2}'),
    "text": ("text/plain", b"Tonnage\r\n\r\n\r\n\r\n41.2\x07 million\x00 tonnes"),
    "pdf": ("application/pdf", b"%PDF-1.7"),
    "long": ("text/plain", b"word " * 40_000),
    "table": (HTML, b"<html><body><article><h1>Tonnage</h1><p>The tonnage of the ports by year "
                    b"follows, as the harbour authority counted it in each of them.</p><table>"
                    b"<tr><th>Year</th><th>Tonnes</th></tr><tr><td>2024</td><td>41.2</td></tr>"
                    b"</table></article></body></html>"),
}  # fmt: skip


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    async def page(request: Request) -> Response:
        kind, body = PAGES[request.path_params["name"]]
        return Response(body, headers={"content-type": kind})

    with serve_app(Starlette(routes=[Route("/{name}", page)])) as url:
        yield url


def _read(guard: Guard, url: str) -> Page:
    return asyncio.run(read_page(url, guard))


def test_title_and_main_text_are_read_without_the_page_around_them(
    guard: Guard, server: Server
) -> None:
    page = _read(guard, f"{server.url}/pages/harbour-power")
    assert page.title == "Shore power for ships"
    assert "18 percent less nitrogen dioxide" in page.text
    assert "Cookies" not in page.text and "About us" not in page.text
    assert len(page.sha256) == len(hashlib.sha256().hexdigest())


def test_chinese_pages_are_read_in_the_encoding_they_name(guard: Guard, site: str) -> None:
    page = _read(guard, f"{site}/gb")
    assert page.title == "港口" and CHINESE[:30] in page.text
    assert CHINESE[:30] in _read(guard, f"{site}/undeclared").text


def test_tables_are_kept(guard: Guard, site: str) -> None:
    text = _read(guard, f"{site}/table").text
    assert "2024" in text and "41.2" in text


def test_a_page_without_a_main_text_is_read_whole(guard: Guard, site: str) -> None:
    page = _read(guard, f"{site}/bare")
    assert page.title == "A list" and "Ships 41.2" in page.text
    assert "x()" not in page.text


def test_broken_markup_is_read_as_far_as_it_goes(guard: Guard, site: str) -> None:
    assert "deep down" in _read(guard, f"{site}/broken").text


def test_plain_text_and_json_are_read_as_they_are(guard: Guard, site: str) -> None:
    assert _read(guard, f"{site}/text").text == "Tonnage\n\n41.2 million tonnes"
    assert _read(guard, f"{site}/json").text == '{"tonnage": 41.2}'


def test_a_long_page_is_cut(guard: Guard, site: str) -> None:
    assert MAX_CHARACTERS - 10 < len(_read(guard, f"{site}/long").text) <= MAX_CHARACTERS


@pytest.mark.parametrize(("name", "says"), [("empty", "no readable text"), ("pdf", "is a PDF")])
def test_a_page_without_text_says_so(guard: Guard, site: str, name: str, says: str) -> None:
    with pytest.raises(WebError, match=says):
        _read(guard, f"{site}/{name}")


def test_text_stays_what_the_source_says_but_for_invisible_characters() -> None:
    composed = clean("Zu\u0308rich\u200b \u202e10² m²\ud800\u00a0ok")
    assert composed == "Zürich 10² m² ok"
    assert clean(composed) == composed == unicodedata.normalize("NFC", composed)
