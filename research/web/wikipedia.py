"""Wikipedia's own search, through the guard: the engine that needs nothing and is always there."""

from __future__ import annotations

import json
import re
from typing import Any
from urllib.parse import urlencode

from research.errors import WebError
from research.i18n import language_of
from research.web.guard import Guard
from research.web.page import clean
from research.web.search import WebHit

ADDRESS = "https://{language}.wikipedia.org"
QUERY_CHARACTERS = 300
WORD_LETTERS = 4
SNIPPET_CHARACTERS = 800


class WikipediaEngine:
    """Searches the encyclopedia in the language of the query.

    Args:
        guard: The way out.
        address: Of the encyclopedia, with a gap for the language.
    """

    name = "Wikipedia"

    def __init__(self, guard: Guard | None = None, address: str = ADDRESS) -> None:
        self._guard = guard or Guard()
        self._address = address

    @property
    def addresses(self) -> tuple[str, ...]:
        """The encyclopedia in each language."""
        return tuple(self._address.format(language=language) for language in ("en", "zh"))

    async def search(self, query: str, limit: int) -> list[WebHit]:
        """Articles with their opening words.

        It wants every word of a query in the article, so a query that finds nothing is asked
        again for any of its longer words.

        Raises:
            WebError: It does not answer.
        """
        hits = await self._find(query, limit)
        words = [word for word in re.findall(r"\w+", query) if len(word) >= WORD_LETTERS]
        if not hits and len(words) > 1:
            hits = await self._find(" OR ".join(words), limit)
        return hits

    async def _find(self, query: str, limit: int) -> list[WebHit]:
        asked = {
            "action": "query",
            "format": "json",
            "formatversion": 2,
            "generator": "search",
            "gsrsearch": query[:QUERY_CHARACTERS],
            "gsrlimit": limit,
            "prop": "extracts|info",
            "exintro": 1,
            "explaintext": 1,
            "exlimit": "max",
            "inprop": "url",
        }
        base = self._address.format(language=language_of(query))
        try:
            fetched = await self._guard.fetch(f"{base}/w/api.php?{urlencode(asked)}")
            pages: list[dict[str, Any]] = json.loads(fetched.body).get("query", {}).get("pages", [])
        except (WebError, ValueError, AttributeError):
            raise WebError("web.engine_failed", engine=self.name) from None
        ranked = sorted(pages, key=lambda page: page.get("index", len(pages)))
        return [
            WebHit(
                url=page["fullurl"],
                title=page["title"],
                snippet=clean(page.get("extract", ""), SNIPPET_CHARACTERS),
                content=None,
                score=1.0 / (1 + rank),
            )
            for rank, page in enumerate(ranked[:limit])
        ]
