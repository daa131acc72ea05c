"""Human feedback: the run waits here for the user's word on the plan, as long as it takes."""

from __future__ import annotations

from typing import Any, Literal

from langgraph.types import interrupt

from research.graph.context import Context
from research.graph.plans import check_edited
from research.graph.state import State
from research.models import EventKind, Plan, PlanDecision

MAX_REVISIONS = 10
"""Revisions by the planner; past them the plan at hand waits for editing or approval only."""


async def feedback(state: State, context: Context) -> dict[str, Any]:
    """Wait for approval, an edit, or free text that sends the plan back.

    Code before the interrupt runs again when the answer comes, so there is none with an effect.
    """
    plan = Plan.model_validate(state["plan"])
    if context.options.accept_plan:
        decision = PlanDecision(action="approve")
    else:
        decision = PlanDecision.model_validate(interrupt({"revision": state["revision"]}))
    if decision.plan:
        plan = check_edited(decision.plan)
    shown = plan.model_dump(mode="json")
    if decision.action == "revise" and state["revision"] <= MAX_REVISIONS:
        context.journal.emit(EventKind.PLAN_REVISION_ASKED, feedback=decision.feedback)
        return {"plan": shown, "feedback": decision.feedback, "approved": False}
    context.journal.emit(EventKind.PLAN_APPROVED, plan=shown)
    return {"plan": shown, "approved": True}


def after_feedback(state: State) -> Literal["approved", "revise"]:
    """Whether the plan may be carried out."""
    return "approved" if state["approved"] else "revise"
