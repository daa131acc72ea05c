"""Rewrite: the question made fit for searching, while the coordinator sorts it."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from research.graph.context import Context
from research.graph.state import State


async def rewrite(state: State, context: Context) -> dict[str, Any]:
    """Find the search form of the question and further angles on it."""
    result = await context.analyst.rewrite(
        state["question"],
        context.language,
        context.options.variants,
        context.journal.writer("rewrite"),
    )
    return {"rewrite": asdict(result)}
