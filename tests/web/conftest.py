"""The small web, pages that misbehave, and a guard that may reach them."""

from __future__ import annotations

import gzip
from collections.abc import AsyncIterator, Iterator
from ipaddress import ip_network

import anyio
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from research.web.guard import Guard
from tests.servers import serve_app
from tests.servers.fixtures import _serving, server

__all__ = ["_serving", "server"]

LOOPBACK = (ip_network("127.0.0.0/8"),)


@pytest.fixture
def guard() -> Guard:
    """One that takes this machine for public."""
    return Guard(allow=LOOPBACK)


@pytest.fixture(scope="session")
def odd_site() -> Iterator[str]:
    """Address of a site whose pages misbehave."""
    with serve_app(Starlette(routes=_ROUTES)) as url:
        yield url


async def _echo(request: Request) -> Response:
    """The headers that came, with a cookie to be kept."""
    response = JSONResponse(dict(request.headers))
    response.set_cookie("session", "secret")
    return response


async def _redirect(request: Request) -> Response:
    return RedirectResponse(request.query_params["to"])


async def _countdown(request: Request) -> Response:
    left = int(request.path_params["left"])
    if left:
        return RedirectResponse(f"/countdown/{left - 1}")
    return Response("arrived", media_type="text/plain")


async def _bytes(request: Request) -> Response:
    size = int(request.path_params["size"])

    async def body() -> AsyncIterator[bytes]:
        for _ in range(size // 10_000):
            yield b"a" * 10_000

    return StreamingResponse(body(), media_type="text/plain")


async def _packed(request: Request) -> Response:
    """A small body that unpacks to as much as is asked for."""
    body = gzip.compress(b"a" * int(request.path_params["size"]))
    headers = {"content-encoding": request.query_params.get("as", "gzip")}
    return Response(body, media_type="text/plain", headers=headers)


async def _drip(request: Request) -> Response:
    """A byte now and then, for ever."""

    async def body() -> AsyncIterator[bytes]:
        while True:
            yield b"a"
            await anyio.sleep(0.1)

    return StreamingResponse(body(), media_type="text/plain")


async def _typed(request: Request) -> Response:
    return Response(b"%PDF-1.7", media_type=request.query_params["type"])


async def _status(request: Request) -> Response:
    return Response("no", int(request.path_params["status"]), media_type="text/plain")


_ROUTES = [
    Route("/echo", _echo),
    Route("/redirect", _redirect),
    Route("/countdown/{left}", _countdown),
    Route("/bytes/{size}", _bytes),
    Route("/packed/{size}", _packed),
    Route("/drip", _drip),
    Route("/typed", _typed),
    Route("/status/{status}", _status),
]
