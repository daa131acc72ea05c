"""Validate: a proposal becomes a plan that can be carried out, or goes back with its problems."""

from __future__ import annotations

from typing import Any, Literal

from research.errors import PlanError
from research.graph.context import Context
from research.graph.plans import read_plan
from research.graph.state import State
from research.models import EventKind

MAX_ATTEMPTS = 3
"""Proposals that may be asked for before the run gives up."""


async def validate(state: State, context: Context) -> dict[str, Any]:
    """Read the proposal, mend what has one right reading, and show the plan.

    Raises:
        PlanError: No proposal could be read within the attempts.
    """
    plan, problems, notices = read_plan(
        state["proposal"],
        language=context.language,
        max_steps=context.options.max_steps,
        web=state["web"],
        tables=[table.id for table in context.journal.tables()],
    )
    if plan is None:
        attempts = state["attempts"] - state.get("attempts_before", 0)
        if attempts >= MAX_ATTEMPTS:
            raise PlanError("errors.plan_invalid", attempts=attempts, problem="; ".join(problems))
        return {"problems": problems}
    for notice in notices:
        context.journal.notice(notice)
    revision = state.get("revision", 0) + 1
    shown = plan.model_dump(mode="json")
    context.journal.name_run(plan.title)
    context.journal.emit(EventKind.PLAN_PROPOSED, plan=shown, revision=revision)
    return {
        "plan": shown,
        "revision": revision,
        "attempts_before": state["attempts"],
        "problems": [],
        "feedback": "",
    }


def after_validate(state: State) -> Literal["valid", "again"]:
    """Whether the last proposal became a plan."""
    return "again" if state["problems"] else "valid"
