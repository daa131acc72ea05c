"""Planner: proposes how to answer the question; revises it when the user or the check says so."""

from __future__ import annotations

from typing import Any

from research.agents.analyst import Brief
from research.graph.context import Context
from research.graph.state import State
from research.models import Hit, Plan
from research.runs.ledger import scoped


async def planner(state: State, context: Context) -> dict[str, Any]:
    """Ask the analyst for a plan, with what was wrong with the last one."""
    attempts = state.get("attempts", 0) + 1
    with scoped(attempt=attempts):
        proposal = await context.analyst.plan(
            planning_brief(state, context),
            tuple(state.get("problems", [])),
            context.journal.writer("plan"),
        )
    return {"proposal": proposal, "attempts": attempts}


def planning_brief(state: State, context: Context) -> Brief:
    """What the planner is told."""
    rewrite = state["rewrite"]
    found = state.get("background", [])
    passages = context.journal.passages([hit["id"] for hit in found])
    feedback = state.get("feedback", "")
    return Brief(
        question=state["question"],
        query=rewrite["query"],
        kind=rewrite["kind"],
        language=context.language,
        background=tuple(
            Hit(passage=passages[hit["id"]], score=hit["score"], similarity=hit["similarity"])
            for hit in found
        ),
        sources=context.journal.sources(),
        tables=tuple(context.journal.tables()),
        max_steps=context.options.max_steps,
        web=state["web"],
        previous=Plan.model_validate(state["plan"]) if feedback else None,
        feedback=feedback,
    )
