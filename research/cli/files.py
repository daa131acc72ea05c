"""The files a run leaves in its output folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from research.errors import RunError
from research.models import Model
from research.report.markdown import write_markdown
from research.runs.service import RunService
from research.runs.view import RunView


def write_results(service: RunService, run_id: str, folder: Path) -> list[Path]:
    """Write ``run.json``, and ``report.md`` and ``report.pdf`` where there is a report.

    Raises:
        ExportError: The PDF could not be made; the other files are there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    record = folder / "run.json"
    record.write_text(json.dumps(_record(service, run_id), ensure_ascii=False, indent=1), "utf-8")
    try:
        report = service.report(run_id)
    except RunError:
        return [record]
    markdown = write_markdown(report, service.evidence(run_id), folder)
    pdf = folder / "report.pdf"
    pdf.write_bytes(service.pdf(run_id))
    return [record, markdown, pdf]


def _record(service: RunService, run_id: str) -> dict[str, Any]:
    """Everything about a run that can be checked later, without the events."""
    run = service.run(run_id)
    assert run is not None  # it has just ended
    view = service.view(run_id)
    evidence = service.evidence(run_id)
    return {
        "run": _json(run),
        "query": view.query,
        "variants": view.variants,
        "plan": _json(view.plan),
        "steps": [_step(view, step_id) for step_id in view.steps],
        "sources": [_json(source) for source in evidence.sources.values()],
        "passages": [_json(passage) for passage in evidence.passages.values()],
        "charts": [_json(chart) for chart in evidence.charts.values()],
        "report": _json(view.report),
        "notices": [_json(notice) for notice in view.notices],
        "usage": _json(view.usage),
        "timings": _timings(view),
    }


def _json(value: Model | None) -> Any:
    return value.model_dump(mode="json") if value else None


def _step(view: RunView, step_id: str) -> dict[str, Any]:
    step = view.steps[step_id]
    seconds = step.finished - step.started if step.finished and step.started else None
    return {
        "step": _json(step.step),
        "status": step.status,
        "seconds": seconds,
        "calls": step.calls,
        "usage": _json(step.usage),
        "finding": _json(step.finding),
    }


def _timings(view: RunView) -> dict[str, Any]:
    return {
        "seconds": round(view.worked(view.time), 3),
        "nodes": {node.name: node.seconds for node in view.nodes.values()},
        "calls": [
            {
                "kind": call.kind,
                "label": call.label,
                "node": call.node,
                "step": call.step_id,
                "seconds": call.seconds,
                "usage": _json(call.usage),
            }
            for call in view.calls.values()
        ],
    }
