"""A processing step: Python is written, run in the sandbox, mended, and its result explained."""

from __future__ import annotations

import hashlib
import re
from dataclasses import replace

from research.agents.analyst import CodeTask
from research.errors import SandboxError
from research.graph.context import Context
from research.graph.steps.task import StepTask
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

    Raises:
        SandboxError: There is no sandbox, or no version of the code ran to its end.
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
    code = code_task.previous_code
    source, passage = _calculation(code_task, code, result, context)
    charts = [_chart(chart, code_task, code) for chart in result.charts]
    for chart in charts:
        context.journal.keep_chart(chart)
    context.journal.found([source], [passage], step.id)
    output = result.stdout[:OUTPUT_CHARACTERS]
    explained = await context.analyst.explain_result(
        code_task, output, context.journal.writer(f"step:{step.id}")
    )
    return Finding(
        step_id=step.id,
        status=StepStatus.DONE,
        text=cite_paragraphs(explained, passage.id),
        passage_ids=(passage.id,),
        chart_ids=tuple(chart.id for chart in charts),
        notices=result.notices,
    )


def _tables(task: StepTask, context: Context) -> tuple[Table, ...]:
    tables = context.journal.tables()
    chosen = [table for table in tables if table.id in task.step.tables]
    return tuple(chosen or tables)


async def _run(task: CodeTask, context: Context) -> tuple[CodeTask, Result]:
    """The first version of the code that runs to its end, and its result."""
    for attempt in range(1, MAX_ATTEMPTS + 1):
        with scoped(attempt=attempt):
            code = await context.analyst.write_code(
                task, context.journal.writer(f"step:{task.step.id}")
            )
            result = await context.calls.sandbox(task.step.title, Job(code, task.tables))
        task = replace(task, previous_code=code, error=result.error)
        if result.ok and (result.stdout.strip() or result.charts):
            return task, result
        if result.ok:
            task = replace(task, error=text("notices.no_result", context.language))
    raise SandboxError("notices.code_failed", attempts=MAX_ATTEMPTS, error=task.error)


def _calculation(
    task: CodeTask, code: str, result: Result, context: Context
) -> tuple[Source, Passage]:
    """The calculation as a source, and what it printed as the passage that figures lead to."""
    source = Source(
        id=content_id("calculation", task.step.id, code),
        kind="calculation",
        title=task.step.title,
        locator=", ".join(table.title for table in task.tables),
        sha256=hashlib.sha256(code.encode()).hexdigest(),
        retrieved_at=context.started_at,
    )
    rows = max(table.rows for table in task.tables)
    printed = result.stdout[:OUTPUT_CHARACTERS].strip()
    return source, Passage.of(source.id, printed, Place(rows=(1, rows)))


def _chart(made: Artefact, task: CodeTask, code: str) -> Chart:
    figure = made.figure or {}
    title = task.step.title if made.title == made.name else made.title
    meta = figure["layout"].get("meta")
    alt = str((isinstance(meta, dict) and meta.get("alt")) or title)
    return Chart(
        id=content_id("chart", task.step.id, made.name, code),
        step_id=task.step.id,
        title=title,
        alt=alt,
        figure=figure,
        code=code,
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
