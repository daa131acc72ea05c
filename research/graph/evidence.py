"""Gathering evidence: the user's own documents and the web, searched at the same time."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass

from research.errors import WebError
from research.graph.context import Context
from research.graph.together import together
from research.models import Hit, Notice, Passage, Source, content_id
from research.runs.ledger import current_scope
from research.web.excerpts import best_excerpts
from research.web.search import WebHit

STEP_PASSAGES = 20
"""Of the user's own documents, for one step."""
WEB_RESULTS = 5
"""For each query."""
WEB_PAGES = 5
"""For each step: the best results over all its queries."""
EXCERPTS = 2
"""Passages taken from one page for one step."""


@dataclass(frozen=True)
class Evidence:
    """What was found for one purpose, best first, and what went wrong on the way."""

    hits: tuple[Hit, ...]
    web_reached: bool = True
    """False when no search engine could be reached at all."""


async def gather(
    context: Context, queries: list[str], *, web: bool, limit: int = STEP_PASSAGES
) -> Evidence:
    """Search with all queries at once, and keep what was found as evidence of the run.

    Args:
        context: The surroundings of the run.
        queries: What to search for, the most important first.
        web: Whether the web is searched as well.
        limit: Passages of the user's own documents at most.
    """
    if web:
        own = asyncio.create_task(_own(context, queries, limit))
        from_web = asyncio.create_task(_web(context, queries))
        await together([own, from_web])
        pages, reached = from_web.result()
        return Evidence(tuple(own.result() + pages), reached)
    return Evidence(tuple(await _own(context, queries, limit)))


async def _own(context: Context, queries: list[str], limit: int) -> list[Hit]:
    documents = context.options.documents
    hits = await context.calls.documents(
        " | ".join(queries),
        lambda: context.library.search(queries, documents=documents, limit=limit),
    )
    if hits:
        sources = context.library.sources({hit.passage.source_id for hit in hits})
        context.journal.found(
            sources.values(), [hit.passage for hit in hits], current_scope().step or None
        )
    return hits


async def _web(context: Context, queries: list[str]) -> tuple[list[Hit], bool]:
    found = await together(asyncio.create_task(_search(context, query)) for query in queries)
    results = [outcome for outcome in found if not isinstance(outcome, WebError)]
    errors = [outcome for outcome in found if isinstance(outcome, WebError)]
    if errors and not results and any(error.key == "web.no_network" for error in errors):
        return [], False
    if errors:
        reason = errors[0].sentence(context.language)
        context.journal.notice(
            Notice(key="notices.search_failed", params={"reason": reason}, level="warning"),
            current_scope().step or None,
        )
    pages = await together(
        asyncio.create_task(_read(context, hit, queries)) for hit in _best_pages(results)
    )
    return [hit for page in pages for hit in page], True


async def _search(context: Context, query: str) -> list[WebHit] | WebError:
    try:
        return await context.calls.search(query, WEB_RESULTS)
    except WebError as error:
        return error


def _best_pages(results: list[list[WebHit]]) -> list[WebHit]:
    """The first result of every query, then the second, and so on, each address once."""
    longest = max(map(len, results), default=0)
    ranked = [hits[rank] for rank in range(longest) for hits in results if rank < len(hits)]
    best: dict[str, WebHit] = {}
    for hit in ranked:
        best.setdefault(hit.url, hit)
    return list(best.values())[:WEB_PAGES]


async def _read(context: Context, hit: WebHit, queries: list[str]) -> list[Hit]:
    text, title = hit.content, hit.title
    if text is None:
        try:
            page = await context.calls.read_page(hit.url)
            text, title = page.text, page.title or hit.title
        except WebError:
            text = hit.snippet
            context.journal.notice(
                Notice(key="notices.page_unread", params={"url": hit.url}, level="info"),
                current_scope().step or None,
            )
    excerpts = best_excerpts(text, queries, EXCERPTS) if text else []
    if not excerpts:
        return []
    source = Source(
        id=content_id("web", hit.url),
        kind="web",
        title=title or hit.url,
        locator=hit.url,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        retrieved_at=context.started_at,
    )
    passages = [Passage.of(source.id, excerpt) for excerpt in excerpts]
    context.journal.found([source], passages, current_scope().step or None)
    return [
        Hit(passage=passage, score=hit.score / (1 + rank)) for rank, passage in enumerate(passages)
    ]
