"""Putting the parts of a report together as one canonical Markdown text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from research.i18n import text
from research.models import Chart, Finding, Language, Plan, Section, StepStatus


def assemble(
    *,
    summary: str,
    sections: Sequence[Section],
    findings: Sequence[Finding],
    plan: Plan,
    charts: Mapping[str, Chart],
    language: Language,
) -> str:
    """The report: key points, the sections with their charts, method and limits.

    Each chart stands once, under the first section that tells of its step; a chart that no
    section claims comes under a heading of its own.
    """
    parts = []
    if summary.strip():
        parts.append(f"## {text('assembly.key_points', language)}\n\n{summary.strip()}")
    waiting = {chart_id: finding.step_id for finding in findings for chart_id in finding.chart_ids}
    for section in sections:
        own = [chart for chart, step in waiting.items() if step in section.step_ids]
        figures = [_figure(charts[waiting_id]) for waiting_id in own if waiting_id in charts]
        parts.append("\n\n".join([f"## {section.title}", section.markdown.strip(), *figures]))
        for chart in own:
            del waiting[chart]
    if waiting:
        figures = [_figure(charts[chart]) for chart in waiting if chart in charts]
        parts.append("\n\n".join([f"## {text('assembly.charts', language)}", *figures]))
    if not sections:
        parts.append(text("assembly.nothing", language))
    parts.append(_method(findings, plan, language))
    return "\n\n".join(parts) + "\n"


def _figure(chart: Chart) -> str:
    alt = chart.alt.replace("[", "(").replace("]", ")").replace("\n", " ")
    return f"![{alt}](chart:{chart.id})"


def _method(findings: Sequence[Finding], plan: Plan, language: Language) -> str:
    """What was done, step by step, and what came of it."""
    outcome = {finding.step_id: finding for finding in findings}
    lines = [f"## {text('assembly.method', language)}", ""]
    for step in plan.steps:
        finding = outcome.get(step.id)
        if finding is None or finding.status is not StepStatus.DONE:
            key = "assembly.step_failed"
        elif not finding.passage_ids:
            key = "assembly.step_empty"
        else:
            key = "assembly.step_done"
        count = len(finding.passage_ids) if finding else 0
        lines.append(f"- {text(key, language, step=step.title, count=count)}")
    return "\n".join(lines)
