"""A research step: search, read, and answer from nothing else."""

from __future__ import annotations

from research.agents.analyst import ResearchTask
from research.graph.context import Context
from research.graph.evidence import gather
from research.graph.steps.task import StepTask
from research.models import Finding, Notice, StepStatus


async def research(task: StepTask, context: Context) -> Finding:
    """Gather evidence for the step and let the analyst answer from it.

    Raises:
        ModelError: The analyst gave no answer.
    """
    step = task.step
    queries = list(dict.fromkeys(step.queries or (step.title, step.description)))
    queries = [query for query in queries if query.strip()]
    evidence = await gather(context, queries, web=task.web)
    answer = await context.analyst.research(
        ResearchTask(
            question=task.question,
            query=task.query,
            kind=task.kind,
            language=context.language,
            step=step,
            hits=evidence.hits,
            sources=context.journal.sources(),
            earlier=task.earlier,
            searched=tuple(queries),
        ),
        context.journal.writer(f"step:{step.id}"),
    )
    empty = Notice(key="notices.step_empty", params={"step": step.title}, level="warning")
    return Finding(
        step_id=step.id,
        status=StepStatus.DONE,
        text=answer.text,
        passage_ids=answer.passage_ids,
        queries=tuple(queries),
        notices=(empty,) if answer.empty else (),
    )
