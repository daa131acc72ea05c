"""The default engine without a key: the ``ddgs`` package, which asks several public engines."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import Any

from research.errors import WebError
from research.i18n import language_of
from research.web.page import clean
from research.web.search import WebHit

BACKENDS = "duckduckgo,brave,mojeek,yahoo,startpage"
REGIONS = {"en": "us-en", "zh": "cn-zh"}
ENGINE_TIMEOUT = 5
"""Seconds for each engine behind it."""
SECONDS = 12.0
SNIPPET_CHARACTERS = 500

Find = Callable[[str, int], list[dict[str, Any]]]
"""Gives results with ``href``, ``title`` and ``body``; it may block."""


def find(query: str, limit: int) -> list[dict[str, Any]]:
    """What the public engines find."""
    from ddgs import DDGS

    return DDGS(timeout=ENGINE_TIMEOUT).text(
        query, max_results=limit, region=REGIONS[language_of(query)], backend=BACKENDS
    )


class DdgsEngine:
    """Searches with what needs no key.

    Args:
        find: The search itself.
    """

    name = "DuckDuckGo"
    addresses = ("https://duckduckgo.com", "https://www.mojeek.com", "https://search.brave.com")

    def __init__(self, find: Find = find) -> None:
        self._find = find

    async def search(self, query: str, limit: int) -> list[WebHit]:
        """Results without the text of their pages.

        Raises:
            WebError: No engine behind it answers in time, or they want to be left alone.
        """
        from ddgs.exceptions import DDGSException

        try:
            async with asyncio.timeout(SECONDS):
                results = await _in_daemon(lambda: self._find(query, limit))
        except TimeoutError:
            raise WebError("web.engine_slow", engine=self.name) from None
        except DDGSException as error:
            if "No results" in str(error):
                return []
            key = "web.engine_unreachable" if "DNS" in str(error) else "web.engine_failed"
            raise WebError(key, engine=self.name) from None
        return [
            WebHit(
                url=str(result["href"]),
                title=clean(str(result.get("title") or "")).replace("\n", " "),
                snippet=clean(str(result.get("body") or ""), SNIPPET_CHARACTERS),
                content=None,
                score=1.0 / (1 + rank),
            )
            for rank, result in enumerate(results[:limit])
            if result.get("href")
        ]


async def _in_daemon(work: Callable[[], Any]) -> Any:
    """The value of ``work``, done in a thread of its own that no exit waits for.

    The loop's pool has few threads, and an engine that hangs would hold one of them.
    """
    loop = asyncio.get_running_loop()
    outcome: asyncio.Future[Any] = loop.create_future()

    def settle(value: Any, error: BaseException | None) -> None:
        if outcome.done():
            return
        if error:
            outcome.set_exception(error)
        else:
            outcome.set_result(value)

    def run() -> None:
        value, error = None, None
        try:
            value = work()
        except Exception as raised:
            error = raised
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, value, error)

    threading.Thread(target=run, name="web-search", daemon=True).start()
    return await outcome
