"""A processing step: Python is written, run in the sandbox, mended, and its result explained."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

from research.agents.analyst import CodeTask
from research.errors import SandboxError
from research.graph.context import Context
from research.graph.steps.task import StepTask, failed
from research.i18n import text
from research.models import (
    Chart,
    Finding,
    Passage,
    Place,
    Source,
    StepStatus,
    Table,
    content_id,
)
from research.runs.ledger import scoped
from research.sandbox.job import Artefact, Job, Result

MAX_ATTEMPTS = 3
"""Versions of the code that may be run."""

OUTPUT_CHARACTERS = 6_000
"""Of what the code printed, the part that is kept and explained."""


async def process(task: StepTask, context: Context) -> Finding:
    """Write, run, mend and explain the code of a step.

    Code that cannot be run, or never ran to its end, is shown in the finding that says so.

    Raises:
        SandboxError: There is no table to work on.
        ModelError: The analyst gave no code.
    """
    step = task.step
    tables = _tables(task, context)
    if not tables:
        raise SandboxError("notices.no_tables", step=step.title)
    code_task = CodeTask(
        question=task.question,
        kind=task.kind,
        language=context.language,
        step=step,
        tables=tables,
        earlier=task.earlier,
    )
    code_task, result = await _run(code_task, context)
    if result is None:
        return failed(step, code_task.error, code_task.previous_code)
    return await _finding(code_task, result, context)


async def _finding(task: CodeTask, result: Result, context: Context) -> Finding:
    """What the code found: kept as evidence, and explained."""
    step_id = task.step.id
    source, passage = _calculation(task, result, context)
    charts = [_chart(chart, task) for chart in result.charts]
    for chart in charts:
        context.journal.keep_chart(chart)
    context.journal.found([source], [passage], step_id)
    explained = await context.analyst.explain_result(
        task, result.stdout[:OUTPUT_CHARACTERS], context.journal.writer(f"step:{step_id}")
    )
    return Finding(
        step_id=step_id,
        status=StepStatus.DONE,
        text=cite_paragraphs(explained, passage.id),
        passage_ids=(passage.id,),
        chart_ids=tuple(chart.id for chart in charts),
        code=task.previous_code,
        notices=result.notices,
    )


def _tables(task: StepTask, context: Context) -> tuple[Table, ...]:
    tables = context.journal.tables()
    chosen = [table for table in tables if table.id in task.step.tables]
    return tuple(chosen or tables)


async def _run(task: CodeTask, context: Context) -> tuple[CodeTask, Result | None]:
    """The task with the code that was last tried, and its result if it ran to its end."""
    for attempt in range(1, MAX_ATTEMPTS + 1):
        with scoped(attempt=attempt):
            code = await context.analyst.write_code(
                task, context.journal.writer(f"step:{task.step.id}")
            )
            task = replace(task, previous_code=code)
            try:
                result = await context.calls.sandbox(task.step.title, Job(code, task.tables))
            except SandboxError as error:
                return replace(task, error=error.sentence(task.language)), None
        if result.ok and (result.stdout.strip() or result.charts):
            return task, result
        task = replace(task, error=result.error or text("notices.no_result", task.language))
    reason = text("notices.code_failed", task.language, attempts=MAX_ATTEMPTS, error=task.error)
    return replace(task, error=reason), None


def _calculation(task: CodeTask, result: Result, context: Context) -> tuple[Source, Passage]:
    """The calculation as a source, and what it printed as the passage that figures lead to."""
    source = Source(
        id=content_id("calculation", task.step.id, task.previous_code),
        kind="calculation",
        title=task.step.title,
        locator=", ".join(table.title for table in task.tables),
        sha256=hashlib.sha256(task.previous_code.encode()).hexdigest(),
        retrieved_at=context.started_at,
    )
    rows = max(table.rows for table in task.tables)
    printed = result.stdout[:OUTPUT_CHARACTERS].strip()
    return source, Passage.of(source.id, printed, Place(rows=(1, rows)))


def _chart(made: Artefact, task: CodeTask) -> Chart:
    figure = made.figure or {}
    title = task.step.title if made.title == made.name else made.title
    meta = figure["layout"].get("meta")
    alt = str((isinstance(meta, dict) and meta.get("alt")) or title)
    return Chart(
        id=content_id("chart", task.step.id, made.name, task.previous_code),
        step_id=task.step.id,
        title=title,
        alt=alt,
        figure=figure,
        code=task.previous_code,
        columns=made.columns,
        rows=made.rows,
        table_ids=tuple(table.id for table in task.tables),
        source_ids=tuple(dict.fromkeys(table.source_id for table in task.tables)),
    )


_UNCITABLE = re.compile(r"\s*(#|\||```|>|$)")


def cite_paragraphs(markdown: str, passage_id: str) -> str:
    """``markdown`` with a citation of one passage at the end of each line of prose in it."""
    mark = f"[^{passage_id}]"
    lines, fenced = [], False
    for line in markdown.splitlines():
        fenced ^= line.lstrip().startswith("```")
        plain = (
            fenced or _UNCITABLE.match(line) or mark in line or line.rstrip().endswith((":", "："))
        )
        lines.append(line if plain else f"{line.rstrip()} {mark}")
    return "\n".join(lines)
