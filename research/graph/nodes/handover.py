"""Handover: where coordinator and rewrite meet, and research begins or the answer is given."""

from __future__ import annotations

from typing import Any, Literal

from research.graph.context import Context
from research.graph.state import State
from research.models import EventKind


async def handover(state: State, context: Context) -> dict[str, Any]:
    """Tell how the question was understood, or give the coordinator's answer."""
    if after_handover(state) == "research":
        context.journal.emit(EventKind.UNDERSTOOD, **state["rewrite"], language=context.language)
    else:
        triage = state["triage"]
        context.journal.emit(EventKind.REPLY, action=triage["action"], text=triage["reply"])
    return {}


def after_handover(state: State) -> Literal["research", "answered"]:
    """Whether there is anything to look up."""
    return "research" if state["triage"]["action"] == "research" else "answered"
