"""Team: carries out the plan's steps, each the moment what it depends on is there."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

from research.errors import DossierError, StoreError
from research.graph.context import Context
from research.graph.state import State
from research.graph.steps.processing import process
from research.graph.steps.research import research
from research.graph.steps.task import StepTask, failed
from research.graph.together import together
from research.models import EventKind, Finding, Notice, Plan, Step, StepStatus, StepType
from research.runs.ledger import scoped

log = logging.getLogger(__name__)


async def team(state: State, context: Context) -> dict[str, Any]:
    """Run the steps as a dependency graph: no barrier, and no slot held while waiting.

    A step that fails is that step's failure: the steps that depend on it are told, and carried
    out with what is there. When the user asks to try again, steps that found something stay as
    they are.
    """
    plan = Plan.model_validate(state["plan"])
    done = {
        finding.step_id: finding
        for finding in map(Finding.model_validate, state.get("findings", []))
        if finding.status is StepStatus.DONE and finding.passage_ids
    }
    waiting: dict[str, asyncio.Task[Finding]] = {}

    async def carry_out(step: Step) -> Finding:
        if step.id in done:
            return done[step.id]
        earlier = [await asyncio.shield(waiting[name]) for name in step.depends_on]
        task = StepTask(
            question=state["question"],
            query=state["rewrite"]["query"],
            kind=state["rewrite"]["kind"],
            step=step,
            earlier=tuple(earlier),
            web=state["web"] and step.needs_web,
        )
        with scoped(step=step.id, round=state.get("tries", 0)):
            return await _attempt(task, plan, context)

    if any(step.type is StepType.PROCESSING for step in plan.steps):
        context.calls.warm_sandbox()
    for step in _in_order(plan):
        waiting[step.id] = asyncio.create_task(carry_out(step), name=step.id)
    await together(waiting.values())
    findings = [waiting[step.id].result() for step in plan.steps]
    return {"findings": [finding.model_dump(mode="json") for finding in findings]}


def _in_order(plan: Plan) -> list[Step]:
    """The steps, each after what it depends on."""
    placed: dict[str, Step] = {}
    while len(placed) < len(plan.steps):
        ready = [
            step
            for step in plan.steps
            if step.id not in placed and all(name in placed for name in step.depends_on)
        ]
        placed.update((step.id, step) for step in ready)
    return list(placed.values())


async def _attempt(task: StepTask, plan: Plan, context: Context) -> Finding:
    step = task.step
    context.journal.emit(EventKind.STEP_STARTED, step_id=step.id)
    told = _missing(task, plan)
    try:
        work = process if step.type is StepType.PROCESSING else research
        finding = await work(task, context)
    except StoreError:
        raise  # what cannot be kept is nobody's result
    except DossierError as error:
        finding = failed(step, error.sentence(context.language))
    except Exception as error:
        log.exception("step %s failed", step.id)
        unexpected = DossierError("errors.unexpected", kind=type(error).__name__)
        finding = failed(step, unexpected.sentence(context.language))
    finding = finding.model_copy(update={"notices": (*told, *finding.notices)})
    for notice in finding.notices:
        context.journal.notice(notice, step.id)
    context.journal.emit(EventKind.STEP_FINISHED, finding=finding.model_dump(mode="json"))
    return finding


def _missing(task: StepTask, plan: Plan) -> list[Notice]:
    titles = {step.id: step.title for step in plan.steps}
    return [
        Notice(
            key="notices.depends_on_failed",
            params={"step": task.step.title, "missing": titles[finding.step_id]},
            level="warning",
        )
        for finding in task.earlier
        if finding.status is StepStatus.FAILED
    ]
