"""A small web: Tavily's search and extract, Wikipedia's API, and pages to read."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

PAGES = {
    "northwind-ports": (
        "Freight through the Northwind ports",
        "The Northwind ports handled 41.2 million tonnes of freight in 2024, up from 38.7 million "
        "in 2023. Container traffic grew by 9 percent because two new cranes were put to work in "
        "March. Bulk cargo fell by 3 percent as coal imports ended.",
    ),
    "ferry-fares": (
        "How ferry fares are set",
        "Ferry fares on the Northwind coast rose by 4 percent in January 2024 to cover fuel. "
        "Passenger numbers reached 2.6 million in the same year, the highest since 2016. The "
        "operator expects fares to stay level until 2026.",
    ),
    "harbour-power": (
        "Shore power for ships",
        "Since June 2024 ships at berth draw electricity from the shore instead of running their "
        "engines. The harbour authority measured 18 percent less nitrogen dioxide in the first "
        "half year. The installation cost 23 million euros and is to pay for itself in 11 years.",
    ),
}


class SmallWeb:
    """The pages and engines; ``status`` makes the engines fail."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Let everything work, and forget the log."""
        self.status = 200
        """What the engines answer with."""
        self.raw_content = True
        """Whether Tavily gives the text of pages along with a search."""
        self.requests: list[tuple[str, dict[str, Any]]] = []
        """Path and body, or query, of every request."""

    def routes(self) -> list[Route]:
        """Everything that is served."""
        return [
            Route("/search", self._search, methods=["POST"]),
            Route("/extract", self._extract, methods=["POST"]),
            Route("/w/api.php", self._wikipedia),
            Route("/pages/{name}", self._page),
        ]

    async def _search(self, request: Request) -> Response:
        body = await request.json()
        self.requests.append(("/search", body))
        if self.status != 200:
            return self._failed()
        base = str(request.base_url)
        results = [
            {
                "title": title,
                "url": f"{base}pages/{name}",
                "content": text.split(". ")[0] + ".",
                "score": 0.9 - 0.1 * rank,
                "raw_content": text if self.raw_content and body["include_raw_content"] else None,
            }
            for rank, (name, (title, text)) in enumerate(_ranked(body["query"]))
        ]
        return JSONResponse({"query": body["query"], "results": results[: body["max_results"]]})

    async def _extract(self, request: Request) -> Response:
        body = await request.json()
        self.requests.append(("/extract", body))
        if self.status != 200:
            return self._failed()
        names = {url: urlsplit(url).path.rsplit("/", 1)[-1] for url in body["urls"]}
        found = [
            {"url": url, "raw_content": PAGES[name][1]}
            for url, name in names.items()
            if name in PAGES
        ]
        failed = [
            {"url": url, "error": "not found"} for url, name in names.items() if name not in PAGES
        ]
        return JSONResponse({"results": found, "failed_results": failed})

    async def _wikipedia(self, request: Request) -> Response:
        query = dict(request.query_params)
        self.requests.append(("/w/api.php", query))
        if self.status != 200:
            return self._failed()
        pages = [
            {
                "title": title,
                "index": rank + 1,
                "extract": text.split(". ")[0] + ".",
                "fullurl": f"{request.base_url}pages/{name}",
            }
            for rank, (name, (title, text)) in enumerate(_ranked(query["gsrsearch"]))
        ]
        return JSONResponse({"query": {"pages": pages[: int(query["gsrlimit"])]}})

    async def _page(self, request: Request) -> Response:
        name = request.path_params["name"]
        self.requests.append((f"/pages/{name}", dict(request.headers)))
        if name not in PAGES:
            return PlainTextResponse("no such page", 404)
        title, text = PAGES[name]
        return HTMLResponse(_html(title, text))

    def _failed(self) -> Response:
        return JSONResponse({"detail": {"error": "scripted failure"}}, self.status)


def _ranked(query: str) -> list[tuple[str, tuple[str, str]]]:
    """The pages, those that share most words with the query first."""
    words = set(query.casefold().split())
    return sorted(
        PAGES.items(), key=lambda page: -len(words & set(" ".join(page[1]).casefold().split()))
    )


def _html(title: str, text: str) -> str:
    return (
        f"<!doctype html><html lang='en'><head><title>{title}</title></head><body>"
        "<nav><a href='/'>Home</a> <a href='/about'>About us</a></nav>"
        f"<main><article><h1>{title}</h1><p>{text}</p></article></main>"
        "<footer>Cookies and imprint</footer></body></html>"
    )
