"""Background: what is already known, from the web and the user's own files, before planning."""

from __future__ import annotations

from typing import Any

from research.graph.context import Context
from research.graph.evidence import gather
from research.graph.state import State
from research.models import Notice

PASSAGES = 24
"""Of the user's own documents: wide enough to show every part that bears on the question."""


async def background(state: State, context: Context) -> dict[str, Any]:
    """Search with the question, its search form and its variants, all at once."""
    rewrite = state["rewrite"]
    queries = list(dict.fromkeys([state["question"], rewrite["query"], *rewrite["variants"]]))
    tables = context.library.tables(context.options.documents)
    context.journal.keep_tables(tables)
    if not context.web:
        context.journal.notice(Notice(key="notices.documents_only"))
    evidence = await gather(context, queries, web=context.web, limit=PASSAGES)
    notices = []
    if not evidence.web_reached:
        notices.append(Notice(key="notices.no_network", level="warning"))
    if not evidence.hits and not tables:
        notices.append(Notice(key="notices.nothing_found", level="warning"))
    for notice in notices:
        context.journal.notice(notice)
    return {
        "notices": [notice.model_dump(mode="json") for notice in notices],
        "web": context.web and evidence.web_reached,
        "background": [
            {"id": hit.passage.id, "score": hit.score, "similarity": hit.similarity}
            for hit in evidence.hits
        ],
    }
