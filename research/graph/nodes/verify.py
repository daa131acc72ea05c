"""Verify: the parts become one report, its citations are checked, and it says what is missing."""

from __future__ import annotations

import asyncio
from typing import Any

from research.graph.assembly import assemble
from research.graph.context import Context
from research.graph.state import State
from research.models import Finding, Notice, Plan, Report, Section, StepStatus
from research.report.claims import check_claims
from research.report.evidence import Evidence


async def verify(state: State, context: Context) -> dict[str, Any]:
    """Join the parts, check each claim against its passages, and keep the report."""
    parts = state["report"]
    plan = Plan.model_validate(state["plan"])
    findings = [Finding.model_validate(item) for item in state["findings"]]
    evidence = Evidence(
        passages=context.journal.passages(),
        sources=context.journal.sources(),
        charts=context.journal.charts(),
    )
    markdown = assemble(
        summary=parts["summary"],
        sections=[Section.model_validate(section) for section in parts["sections"]],
        findings=findings,
        plan=plan,
        charts=evidence.charts,
        language=context.language,
    )
    told = [*state["notices"], *parts["notices"]]
    notices = [Notice.model_validate(notice) for notice in told]
    notices += [notice for finding in findings for notice in finding.notices]
    report = Report(
        title=parts["title"],
        question=state["question"],
        language=context.language,
        mode=context.analyst.mode,
        complete=_is_complete(findings) and not parts["notices"],
        markdown=markdown,
        notices=tuple(notices),
        claims=await asyncio.to_thread(check_claims, markdown, evidence),
        created_at=context.started_at,
    )
    context.journal.keep_report(report)
    return {"report": {"title": report.title, "complete": report.complete}}


def _is_complete(findings: list[Finding]) -> bool:
    """Whether every step was carried out, and any found evidence."""
    done = all(finding.status is StepStatus.DONE for finding in findings)
    return done and any(finding.passage_ids for finding in findings)
