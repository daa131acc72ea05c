"""Tavily: a search engine with a key, which gives the text of pages along with its results."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from pydantic import SecretStr

from research.errors import WebError
from research.web.page import clean
from research.web.search import WebHit

if TYPE_CHECKING:
    from tavily import AsyncTavilyClient

BASE_URL = "https://api.tavily.com"
QUERY_CHARACTERS = 400
"""It refuses longer queries."""
SEARCH_SECONDS = 20.0
EXTRACT_SECONDS = 10.0
SNIPPET_CHARACTERS = 500

_IMAGE = re.compile(r"!\[[^\]]*\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)\s]*(?:\s+\"[^\"]*\")?\)")


class TavilyEngine:
    """Searches with Tavily.

    Args:
        key: The user's.
        base_url: Another address of the service; None for its own.
    """

    name = "Tavily"

    def __init__(self, key: SecretStr, base_url: str | None = None) -> None:
        self._key = key
        self._base_url = (base_url or BASE_URL).rstrip("/")
        self._client: AsyncTavilyClient | None = None

    @property
    def addresses(self) -> tuple[str, ...]:
        """The one of the service."""
        return (self._base_url,)

    async def search(self, query: str, limit: int) -> list[WebHit]:
        """Results with the text of their pages.

        Raises:
            WebError: The key is refused, the quota is used up, or the service does not answer.
        """
        found = await self._call(
            lambda client: client.search(
                query[:QUERY_CHARACTERS],
                max_results=limit,
                include_raw_content="markdown",
                timeout=SEARCH_SECONDS,
            )
        )
        results = [one for one in found.get("results", []) if one.get("url")][:limit]
        texts = await self._texts([one["url"] for one in results if not one.get("raw_content")])
        return [_hit(one, texts.get(one["url"])) for one in results]

    async def _texts(self, urls: list[str]) -> dict[str, str]:
        """The text of pages that did not come along, as far as it is to be had."""
        if not urls:
            return {}
        try:
            found = await self._call(
                lambda client: client.extract(urls, format="markdown", timeout=EXTRACT_SECONDS)
            )
        except WebError:
            return {}
        return {
            one["url"]: one["raw_content"]
            for one in found.get("results", [])
            if one.get("raw_content")
        }

    async def _call(
        self, ask: Callable[[AsyncTavilyClient], Awaitable[dict[str, Any]]]
    ) -> dict[str, Any]:
        """Ask, and once again when the service stumbles.

        The causes of errors are left out: they quote the request.
        """
        import httpx
        from tavily import AsyncTavilyClient, errors

        if self._client is None:
            self._client = AsyncTavilyClient(
                api_key=self._key.get_secret_value().strip(),
                client=httpx.AsyncClient(
                    base_url=self._base_url,
                    # Nothing is kept open, so nothing is left to close.
                    limits=httpx.Limits(max_keepalive_connections=0),
                ),
            )
        for last in (False, True):
            try:
                return await ask(self._client)
            except errors.InvalidAPIKeyError:
                raise WebError("web.tavily_key") from None
            except (errors.UsageLimitExceededError, errors.ForbiddenError):
                raise WebError("web.tavily_quota") from None
            except errors.BadRequestError:
                raise WebError("web.engine_failed", engine=self.name) from None
            except httpx.ConnectError:
                raise WebError("web.engine_unreachable", engine=self.name) from None
            except (httpx.HTTPError, errors.TimeoutError, ValueError):
                if last:
                    raise WebError("web.engine_failed", engine=self.name) from None
            await asyncio.sleep(0.3)
        raise AssertionError("the last try returns or raises")


def _hit(result: dict[str, Any], extracted: str | None) -> WebHit:
    text = result.get("raw_content") or extracted
    snippet = clean(str(result.get("content") or ""), SNIPPET_CHARACTERS)
    return WebHit(
        url=result["url"],
        title=clean(str(result.get("title") or "")).replace("\n", " "),
        snippet=snippet,
        content=clean(without_links(text)) or None if text else None,
        score=min(1.0, max(0.0, float(result.get("score") or 0.0))),
    )


def without_links(markdown: str) -> str:
    """``markdown`` without pictures, and with the words of its links only."""
    return _LINK.sub(r"\1", _IMAGE.sub("", markdown))
