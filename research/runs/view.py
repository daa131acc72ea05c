"""What a reader of a run sees: a pure fold over its events.

The page, the command line and the tests all read runs through this, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from research.models import (
    Event,
    EventKind,
    Finding,
    Language,
    Mode,
    Notice,
    Plan,
    Report,
    RunStatus,
    Section,
    Source,
    Step,
    StepStatus,
    Usage,
)


@dataclass
class NodeView:
    """One node of the graph: when it began, and how long it took once it has ended."""

    name: str
    started: float
    seconds: float | None = None


@dataclass
class CallView:
    """One call to a model, a search engine, a page or the sandbox."""

    number: int
    """Of the event it began with."""
    kind: str
    label: str
    node: str
    step_id: str | None
    started: float
    seconds: float | None = None
    usage: Usage = field(default_factory=Usage)
    error: Notice | None = None


@dataclass
class StepView:
    """One step while it is carried out."""

    step: Step
    status: StepStatus = StepStatus.WAITING
    started: float | None = None
    finished: float | None = None
    text: str = ""
    """What has been written so far; the finding's text once there is one."""
    finding: Finding | None = None
    sources: list[str] = field(default_factory=list)
    charts: list[str] = field(default_factory=list)
    notices: list[Notice] = field(default_factory=list)
    calls: int = 0
    usage: Usage = field(default_factory=Usage)


@dataclass
class RunView:
    """Everything a screen can show of one run."""

    question: str = ""
    mode: Mode = "extractive"
    search: str = ""
    language: Language = "en"
    status: RunStatus = RunStatus.RUNNING
    started: float | None = None
    finished: float | None = None
    idle_since: float | None = None
    """Since when it waits for the user, or has ended."""
    idle: float = 0.0
    """Seconds that it waited for the user or lay stopped, up to when it last went on."""
    query: str = ""
    variants: tuple[str, ...] = ()
    reply: str = ""
    reply_action: str = ""
    nodes: dict[str, NodeView] = field(default_factory=dict)
    notices: list[Notice] = field(default_factory=list)
    plan: Plan | None = None
    revision: int = 0
    approved: bool = False
    steps: dict[str, StepView] = field(default_factory=dict)
    sources: dict[str, Source] = field(default_factory=dict)
    charts: dict[str, str] = field(default_factory=dict)
    """Title of each chart by its id."""
    calls: dict[int, CallView] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)
    outline: tuple[str, ...] = ()
    sections: dict[int, Section] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)
    """Text under way by channel: ``reply``, ``rewrite``, ``plan``, ``section:N``, ``summary``."""
    report: Report | None = None
    seq: int = 0
    """Of the last event that was folded in."""
    time: float = 0.0
    """Of the last event that was folded in; Unix seconds."""

    @property
    def active(self) -> bool:
        """Whether the engine is at work on it."""
        return self.status is RunStatus.RUNNING

    def worked(self, now: float) -> float:
        """Seconds for which the engine has been at work on it, by ``now`` (Unix seconds)."""
        if self.started is None:
            return 0.0
        return max(0.0, (self.idle_since or now) - self.started - self.idle)

    @property
    def current_node(self) -> str:
        """The node that began last and has not ended, or ``""``."""
        running = [node for node in self.nodes.values() if node.seconds is None]
        return max(running, key=lambda node: node.started).name if running else ""


def fold(events: Iterable[Event], view: RunView | None = None) -> RunView:
    """The view after ``events``.

    Args:
        events: In order; those that ``view`` has already taken in are passed over.
        view: Where to go on from; it is brought up to date in place. A new one by default.
    """
    view = view or RunView()
    for event in events:
        if event.seq > view.seq:
            _APPLY.get(event.kind, _ignore)(view, event, event.payload)
            view.seq, view.time = event.seq, event.time
    return view


def _ignore(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    pass


def _run_started(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    view.question = payload["question"]
    view.mode = payload["mode"]
    view.search = payload["search"]
    view.language = payload["language"]
    view.started = event.time


def _node_started(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    view.nodes[event.node] = NodeView(event.node, event.time)


def _node_finished(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    view.nodes[event.node].seconds = payload["seconds"]


def _notice(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    step_id = payload.get("step_id")
    notice = Notice.model_validate(payload["notice"])
    into = view.steps[step_id].notices if step_id in view.steps else view.notices
    if notice not in into:
        into.append(notice)


def _understood(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    view.query = payload["query"]
    view.variants = tuple(payload["variants"])
    view.language = payload["language"]
    view.texts.pop("rewrite", None)


def _reply(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    view.reply = payload["text"]
    view.reply_action = payload["action"]


def _source_found(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    source = Source.model_validate(payload["source"])
    view.sources.setdefault(source.id, source)
    step = view.steps.get(payload.get("step_id") or "")
    if step and source.id not in step.sources:
        step.sources.append(source.id)


def _plan_proposed(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    view.plan = Plan.model_validate(payload["plan"])
    view.revision = payload["revision"]
    view.approved = False
    view.texts.pop("plan", None)


def _plan_approved(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    view.plan = Plan.model_validate(payload["plan"])
    view.approved = True
    view.steps = {step.id: StepView(step) for step in view.plan.steps}


def _step_started(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    step = view.steps[payload["step_id"]]
    step.status = StepStatus.RUNNING
    step.started = step.started or event.time
    step.text = ""


def _step_finished(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    finding = Finding.model_validate(payload["finding"])
    step = view.steps[finding.step_id]
    step.finding = finding
    step.status = finding.status
    step.text = finding.text
    step.finished = event.time


def _text(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    for channel in payload.get("restart", ()):
        _write(view, channel, "", restart=True)
    for channel, delta in payload["deltas"].items():
        _write(view, channel, delta)


def _write(view: RunView, channel: str, delta: str, *, restart: bool = False) -> None:
    step = view.steps.get(channel.removeprefix("step:"))
    if step:
        step.text = "" if restart else step.text + delta
    else:
        view.texts[channel] = "" if restart else view.texts.get(channel, "") + delta


def _chart_made(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    view.charts[payload["chart_id"]] = payload["title"]
    step = view.steps.get(payload["step_id"])
    if step and payload["chart_id"] not in step.charts:
        step.charts.append(payload["chart_id"])


def _call_started(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    view.calls[event.seq] = CallView(
        number=event.seq,
        kind=payload["kind"],
        label=payload["label"],
        node=event.node,
        step_id=payload["step_id"],
        started=event.time,
    )


def _call_finished(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    call = view.calls[payload["call"]]
    call.seconds = payload["seconds"]
    call.usage = Usage.model_validate(payload["usage"])
    call.error = Notice.model_validate(payload["error"]) if payload["error"] else None
    view.usage = view.usage + call.usage
    step = view.steps.get(call.step_id or "")
    if step:
        step.calls += 1
        step.usage = step.usage + call.usage


def _outline(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    view.outline = tuple(payload["titles"])
    view.sections = {}


def _section_written(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    index = payload["index"]
    view.sections[index] = Section.model_validate(payload["section"])
    view.texts.pop(f"section:{index}", None)


def _report_written(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    view.report = Report.model_validate(payload["report"])
    view.texts.clear()


def _run_waiting(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    view.status = RunStatus.WAITING
    view.idle_since = event.time


def _run_resumed(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    _close_open_ends(view, event.time)
    view.status = RunStatus.RUNNING
    view.finished = None
    # Where nothing says since when it lay idle, its process died: with its last event, for all
    # anybody knows.
    view.idle += event.time - (view.idle_since or view.time)
    view.idle_since = None
    for step in view.steps.values():
        if step.status is StepStatus.CANCELLED:
            step.status = StepStatus.WAITING


def _run_finished(view: RunView, event: Event, payload: dict[str, Any]) -> None:
    view.status = RunStatus(payload["status"])
    view.finished = event.time
    view.idle_since = event.time
    _close_open_ends(view, event.time)
    for step in view.steps.values():
        if step.status in (StepStatus.RUNNING, StepStatus.WAITING):
            step.status = StepStatus.CANCELLED


def _close_open_ends(view: RunView, now: float) -> None:
    """What was under way when the run was stopped or its process died ended there."""
    for node in view.nodes.values():
        if node.seconds is None:
            node.seconds = now - node.started
    for call in view.calls.values():
        if call.seconds is None:
            call.seconds = now - call.started


_APPLY: dict[EventKind, Callable[[RunView, Event, dict[str, Any]], None]] = {
    EventKind.RUN_STARTED: _run_started,
    EventKind.NODE_STARTED: _node_started,
    EventKind.NODE_FINISHED: _node_finished,
    EventKind.NOTICE: _notice,
    EventKind.UNDERSTOOD: _understood,
    EventKind.REPLY: _reply,
    EventKind.SOURCE_FOUND: _source_found,
    EventKind.PLAN_PROPOSED: _plan_proposed,
    EventKind.PLAN_APPROVED: _plan_approved,
    EventKind.STEP_STARTED: _step_started,
    EventKind.STEP_FINISHED: _step_finished,
    EventKind.TEXT: _text,
    EventKind.CHART_MADE: _chart_made,
    EventKind.CALL_STARTED: _call_started,
    EventKind.CALL_FINISHED: _call_finished,
    EventKind.OUTLINE: _outline,
    EventKind.SECTION_WRITTEN: _section_written,
    EventKind.REPORT_WRITTEN: _report_written,
    EventKind.RUN_WAITING: _run_waiting,
    EventKind.RUN_RESUMED: _run_resumed,
    EventKind.RUN_FINISHED: _run_finished,
}
