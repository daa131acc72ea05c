"""A processing step: Python is written, run in the sandbox, mended, and its result explained."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from research.agents.analyst import CodeTask
from research.errors import ModelError, SandboxError
from research.graph.context import Context
from research.graph.steps.calculation import (
    calculation_of,
    chart_of,
    passage_of,
    source_of,
    tables_read,
)
from research.graph.steps.charting import faults, take_over
from research.graph.steps.found import numbers_found, table_of
from research.graph.steps.task import StepTask, failed
from research.graph.steps.telling import told
from research.i18n import notice_text, text
from research.knowledge.profile import Profile, profile
from research.models import Finding, Language, Notice, StepStatus, Table
from research.runs.ledger import scoped
from research.sandbox.job import Job, Result

MAX_ATTEMPTS = 3
"""Versions of the code that may be run."""


async def process(task: StepTask, context: Context) -> Finding:
    """Write, run, mend and explain the code of a step.

    Code that cannot be run, or never ran to its end, is shown in the finding that says so.

    Raises:
        SandboxError: There is neither a table nor a number to work on.
        ModelError: The analyst gave no code.
    """
    with TemporaryDirectory(prefix="dossier-") as folder:
        code_task = await asyncio.to_thread(_code_task, task, context, Path(folder))
        code_task, result, notices = await _run(code_task, context)
        if result is None:
            return failed(task.step, code_task.error, code_task.previous_code)
        return await _finding(code_task, result, notices, context)


def _code_task(task: StepTask, context: Context, folder: Path) -> CodeTask:
    """What the coder is told: the step's tables and what they hold, and the numbers found before.

    Args:
        task: The step.
        context: The surroundings of the run.
        folder: Where the table of found numbers is put, for as long as the step lasts.
    """
    tables = _tables(task, context)
    cited = [passage_id for finding in task.earlier for passage_id in finding.passage_ids]
    journal = context.journal
    found = numbers_found(task.earlier, journal.passages(cited), journal.sources())
    if found:
        title = text("coder.found_title", context.language)
        tables += (table_of(found, title, {table.name for table in tables}, folder),)
    if not tables:
        raise SandboxError("notices.no_tables", step=task.step.title)
    return CodeTask(
        question=task.question,
        kind=task.kind,
        language=context.language,
        step=task.step,
        tables=tables,
        earlier=task.earlier,
        profiles=_profiles(tables),
        found=found,
    )


def _tables(task: StepTask, context: Context) -> tuple[Table, ...]:
    tables = context.journal.tables()
    chosen = [table for table in tables if table.id in task.step.tables]
    return tuple(chosen or tables)


def _profiles(tables: tuple[Table, ...]) -> dict[str, Profile]:
    found = {}
    for table in tables:
        try:
            found[table.id] = profile(Path(table.path))
        except FileNotFoundError:
            continue  # removed meanwhile: the sandbox says so when the code reads it
    return found


async def _run(
    task: CodeTask, context: Context
) -> tuple[CodeTask, Result | None, tuple[Notice, ...]]:
    """The task with the code that was last tried, its result if it ran to its end, and notices.

    Code whose charts lack something is sent back once; what it gave is kept, and counts when the
    next version does not run.
    """
    kept: tuple[CodeTask, Result] | None = None
    for attempt in range(1, MAX_ATTEMPTS + 1):
        try:
            with scoped(attempt=attempt):
                writer = context.journal.writer(f"step:{task.step.id}")
                task = replace(task, previous_code=await context.analyst.write_code(task, writer))
                job = Job(task.previous_code, task.tables)
                result = await context.calls.sandbox(task.step.title, job)
        except ModelError:
            if kept is None:
                raise
            break
        except SandboxError as error:
            if kept is None:
                return replace(task, error=error.sentence(task.language)), None, ()
            break
        if result.ok and _told_something(result):
            wrong = faults(result.charts) if context.analyst.mode == "model" else []
            if not wrong or kept is not None or attempt == MAX_ATTEMPTS:
                return task, result, ()
            kept = task, result
            task = replace(task, error="\n".join(wrong))
            continue
        if kept is not None:
            break
        why = _why(result, task.language)
        task = replace(task, error=result.error or why)
    if kept is not None:
        return *kept, (Notice(key="coder.chart_faults_left"),)
    reason = text("notices.code_failed", task.language, attempts=MAX_ATTEMPTS, error=why)
    return replace(task, error=reason), None, ()


def _why(result: Result, language: Language) -> str:
    """Why code gave nothing, for the user: in plain words where the sandbox has some."""
    if result.ok:
        return text("notices.no_result", language)
    stopped = result.notices[0] if result.notices else None
    if stopped and result.error.startswith(notice_text(stopped, "en")):
        return notice_text(stopped, language)
    return result.error


def _told_something(result: Result) -> bool:
    return bool(result.stdout.strip() or result.charts or result.tables or result.key_figures)


async def _finding(
    task: CodeTask, result: Result, notices: tuple[Notice, ...], context: Context
) -> Finding:
    """What the code found: kept as evidence, and explained."""
    step, journal = task.step, context.journal
    taken = take_over(result.charts, result.tables, step.title, task.language)
    found_in = journal.passages([number.passage_id for number in task.found])
    charts = [chart_of(chart, task, found_in) for chart in taken.charts]
    calculation = await asyncio.to_thread(calculation_of, task, result, taken, charts)
    passage = passage_of(calculation, task)
    own = {table.source_id for table in tables_read(task)}
    for chart in charts:
        journal.keep_chart(chart)
    journal.keep_calculation(calculation)
    journal.found(context.library.sources(own).values(), [], step.id)
    journal.found([source_of(calculation, step.title, context.started_at)], [passage], step.id)
    explained = await context.analyst.explain_result(
        replace(task, key_figures=result.key_figures, results=taken.tables),
        calculation.output,
        journal.writer(f"step:{step.id}"),
    )
    computed_on = tuple(dict.fromkeys(number.passage_id for number in calculation.found))
    return Finding(
        step_id=step.id,
        status=StepStatus.DONE,
        text=told(
            explained,
            figures=result.key_figures,
            tables=taken.tables,
            passage_id=passage.id,
            found_in=computed_on,
            language=task.language,
        ),
        passage_ids=(passage.id, *computed_on),
        chart_ids=tuple(chart.id for chart in charts),
        code=task.previous_code,
        notices=(*result.notices, *taken.notices, *notices),
    )
