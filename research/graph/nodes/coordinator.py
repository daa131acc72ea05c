"""Coordinator: first contact. Answers, declines, asks back, or hands over to research."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from research.graph.context import Context
from research.graph.state import State


async def coordinator(state: State, context: Context) -> dict[str, Any]:
    """Sort the input."""
    triage = await context.analyst.triage(
        state["question"], context.language, context.journal.writer("reply")
    )
    return {"triage": asdict(triage)}
