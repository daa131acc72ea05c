"""The web application: what is served, what starts with it, and what guards every answer.

Run it with ``streamlit run app.py``. The screens are in ``pages/``; every request for one of
them, a cold link included, passes ``pages/_shell.py``.
"""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from typing import Any

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pages.parts.words import language
from research.errors import DocumentError, DossierError
from research.i18n import text
from research.knowledge.pictures import WIDTH, NothingToShowError, page_picture
from research.models import Language
from research.runs import close_service, get_service

log = logging.getLogger(__name__)

HEADERS = {
    "Content-Security-Policy": "; ".join(
        (
            "default-src 'self'",
            "script-src 'self'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "worker-src 'self' blob:",
            "frame-src 'self' blob: data:",
            "frame-ancestors 'self'",
            "base-uri 'self'",
            "form-action 'self'",
            "object-src 'none'",
        )
    ),
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}

WARM = ("pandas", "plotly.graph_objects", "faiss", "research.report.markdown")
"""What every run needs and takes long to import."""


class SecurityHeaders:
    """Puts ``HEADERS`` on every answer over HTTP that does not set them itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_with_headers if scope["type"] == "http" else send)


async def health(request: Request) -> Response:
    """Whether the engine is up, for load balancers and scripts."""
    try:
        status = await asyncio.to_thread(lambda: get_service().status())
    except Exception as error:
        return JSONResponse({"status": "failed", "reason": sentence(error, "en")}, 503)
    return JSONResponse({"status": "ok", "mode": status.mode})


async def document(request: Request) -> Response:
    """A document as it was uploaded; a PDF opens in the browser, at the page after ``#``."""
    library = get_service().library
    document_id = request.path_params["document_id"]
    try:
        original = await asyncio.to_thread(library.original, document_id)
    except DocumentError as error:
        return PlainTextResponse(error.sentence("en"), status_code=404)
    known = await asyncio.to_thread(library.document, document_id)
    is_pdf = original.suffix == ".pdf"
    return FileResponse(
        original,
        media_type="application/pdf" if is_pdf else "application/octet-stream",
        # One that a newer version has replaced goes by the name of its file.
        filename=known.name if known else original.name,
        content_disposition_type="inline" if is_pdf else "attachment",
    )


async def page(request: Request) -> Response:
    """A page of a document as a picture, ``?passage=`` marked on it, ``?width=`` pixels wide."""
    library = get_service().library
    document_id = request.path_params["document_id"]
    number = _number(request.path_params["page"], 0)
    width = _number(request.query_params.get("width", ""), WIDTH)
    found = await asyncio.to_thread(library.passages, [request.query_params.get("passage", "")])
    passage = next((one for one in found if one.source_id == document_id), None)
    try:
        picture = await asyncio.to_thread(
            page_picture, library, document_id, number, passage, width
        )
    except DossierError as error:
        status = 404 if isinstance(error, NothingToShowError) else 503
        return PlainTextResponse(error.sentence("en"), status_code=status)
    return Response(
        picture, media_type="image/png", headers={"Cache-Control": "private, max-age=3600"}
    )


def _number(written: str, otherwise: int) -> int:
    return int(written) if written.isdecimal() and len(written) < 8 else otherwise


def warm_up() -> None:
    """Import what runs need, then keep the garbage collector from walking all of it again."""
    for name in WARM:
        import_module(name)
    gc.collect()
    gc.freeze()


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[dict[str, Any]]:
    """Start the engine with the server, and stop it with the server."""
    try:
        await asyncio.to_thread(get_service)
    except Exception:  # the server goes up all the same, so that the pages can tell why
        log.exception("the engine did not start")
    warming = asyncio.create_task(asyncio.to_thread(warm_up))
    try:
        yield {}
    finally:
        await warming
        await asyncio.to_thread(close_service)


def trouble(error: Exception) -> bool:
    """Tell the user about an error nobody caught."""
    log.error("a page failed", exc_info=error)
    st.error(sentence(error, language()), icon=":material/error:")
    return True


def sentence(error: Exception, spoken: Language) -> str:
    """What went wrong, in one sentence."""
    if isinstance(error, DossierError):
        return error.sentence(spoken)
    return text("pages.trouble", spoken, kind=type(error).__name__)


app = st.App(
    "pages/_shell.py",
    on_script_error=trouble,
    lifespan=lifespan,
    routes=[
        Route("/health", health),
        Route("/documents/{document_id}", document),
        Route("/documents/{document_id}/pages/{page}.png", page),
    ],
    middleware=[Middleware(SecurityHeaders)],
)
