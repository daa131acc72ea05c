"""Reporter: outline first, then every section at the same time, and the key points last."""

from __future__ import annotations

import asyncio
from typing import Any

from research.agents.analyst import Outline, ReportBrief, SectionOutline
from research.errors import ModelError
from research.graph.context import Context
from research.graph.state import State
from research.graph.together import together
from research.models import EventKind, Finding, Notice, Plan, Section, StepStatus
from research.runs.ledger import scoped


async def reporter(state: State, context: Context) -> dict[str, Any]:
    """Write the parts of the report from the findings.

    What the analyst fails to write is replaced by the findings themselves, with a notice: a
    report is never lost.
    """
    brief = report_brief(state, context)
    notices: list[Notice] = []
    try:
        outline = await context.analyst.outline(brief)
    except ModelError as error:
        notices.append(context.journal.trouble(error))
        outline = _plain_outline(brief)
    context.journal.emit(EventKind.OUTLINE, titles=[section.title for section in outline.sections])
    sections = await together(
        asyncio.create_task(_write(brief, outline, index, context, notices))
        for index in range(len(outline.sections))
    )
    summary = await _summarise(brief, tuple(sections), context, notices)
    return {
        "report": {
            "title": outline.title,
            "summary": summary,
            "sections": [section.model_dump(mode="json") for section in sections],
            "notices": [notice.model_dump(mode="json") for notice in notices],
        }
    }


def report_brief(state: State, context: Context) -> ReportBrief:
    """What the reporter is told: the findings, and the passages they cite."""
    findings = tuple(Finding.model_validate(item) for item in state["findings"])
    cited = [passage for finding in findings for passage in finding.passage_ids]
    return ReportBrief(
        question=state["question"],
        kind=state["rewrite"]["kind"],
        language=context.language,
        plan=Plan.model_validate(state["plan"]),
        findings=findings,
        passages=context.journal.passages(cited),
        sources=context.journal.sources(),
        charts=tuple(context.journal.charts().values()),
    )


def _plain_outline(brief: ReportBrief) -> Outline:
    """One section a step, as planned."""
    done = {finding.step_id for finding in brief.findings if finding.status is StepStatus.DONE}
    sections = tuple(
        SectionOutline(title=step.title, points=step.description, step_ids=(step.id,))
        for step in brief.plan.steps
        if step.id in done
    )
    return Outline(title=brief.plan.title, sections=sections)


async def _write(
    brief: ReportBrief, outline: Outline, index: int, context: Context, notices: list[Notice]
) -> Section:
    planned = outline.sections[index]
    with scoped(step=f"section-{index}"):
        try:
            markdown = await context.analyst.write_section(
                brief, outline, index, context.journal.writer(f"section:{index}")
            )
        except ModelError as error:
            notice = Notice(
                key="notices.section_unwritten",
                params={"section": planned.title, "reason": error.sentence(brief.language)},
                level="warning",
            )
            notices.append(notice)
            context.journal.notice(notice)
            markdown = _findings_text(brief, planned)
        section = Section(title=planned.title, markdown=markdown, step_ids=planned.step_ids)
        context.journal.emit(
            EventKind.SECTION_WRITTEN, index=index, section=section.model_dump(mode="json")
        )
    return section


def _findings_text(brief: ReportBrief, planned: SectionOutline) -> str:
    chosen = [one for one in brief.findings if one.step_id in planned.step_ids]
    return "\n\n".join(one.text for one in chosen if one.text)


async def _summarise(
    brief: ReportBrief, sections: tuple[Section, ...], context: Context, notices: list[Notice]
) -> str:
    if not sections:
        return ""
    try:
        return await context.analyst.summarise(brief, sections, context.journal.writer("summary"))
    except ModelError as error:
        notice = Notice(
            key="notices.summary_unwritten",
            params={"reason": error.sentence(brief.language)},
            level="warning",
        )
        notices.append(notice)
        context.journal.notice(notice)
        return ""
