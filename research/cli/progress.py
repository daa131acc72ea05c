"""Progress of a run on a terminal: a line for each thing worth knowing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

from research.i18n import notice_text, text
from research.models import Event, EventKind, Finding, Language, Notice, Plan, Source
from research.runs.view import RunView, fold


class Progress:
    """Writes what happens as it happens; called on the engine's thread.

    Args:
        language: Of the lines.
        stream: Where they go.
        view: What is known of the run already, when it is resumed.
    """

    def __init__(self, language: Language, stream: TextIO, view: RunView) -> None:
        self._language = language
        self._stream = stream
        self._view = view

    def say(self, key: str, **params: object) -> None:
        """Write one sentence of the catalogue."""
        print(text(key, self._language, **params), file=self._stream, flush=True)

    def show(self, event: Event) -> None:
        """Write what is worth knowing of an event; most say nothing."""
        fold([event], self._view)
        if line := _LINES.get(event.kind):
            line(self, event)

    def _started(self, event: Event) -> None:
        self.say(f"cli.mode_{event.payload['mode']}")

    def _node(self, event: Event) -> None:
        self.say(f"cli.node_{event.node}")

    def _notice(self, event: Event) -> None:
        notice = Notice.model_validate(event.payload["notice"])
        print(f"! {notice_text(notice, self._language)}", file=self._stream, flush=True)

    def _source(self, event: Event) -> None:
        source = Source.model_validate(event.payload["source"])
        if event.payload["step_id"] is None:
            self.say("cli.source", title=source.title)

    def _plan(self, event: Event) -> None:
        plan = Plan.model_validate(event.payload["plan"])
        self.say("cli.plan", title=plan.title)
        for step in plan.steps:
            kind = text(f"cli.type_{step.type}", self._language)
            print(f"  {step.id}  {step.title}  ({kind})", file=self._stream, flush=True)

    def _step_started(self, event: Event) -> None:
        self.say("cli.step_started", title=self._title(event.payload["step_id"]))

    def _step_finished(self, event: Event) -> None:
        finding = Finding.model_validate(event.payload["finding"])
        title = self._title(finding.step_id)
        self.say(f"cli.step_{finding.status}", title=title, passages=len(finding.passage_ids))

    def _chart(self, event: Event) -> None:
        self.say("cli.chart", title=event.payload["title"])

    def _section(self, event: Event) -> None:
        self.say("cli.section", title=event.payload["section"]["title"])

    def _title(self, step_id: str) -> str:
        step = self._view.steps.get(step_id)
        return step.step.title if step else step_id


_LINES: dict[EventKind, Callable[[Progress, Event], None]] = {
    EventKind.RUN_STARTED: Progress._started,
    EventKind.NODE_STARTED: Progress._node,
    EventKind.NOTICE: Progress._notice,
    EventKind.SOURCE_FOUND: Progress._source,
    EventKind.PLAN_PROPOSED: Progress._plan,
    EventKind.STEP_STARTED: Progress._step_started,
    EventKind.STEP_FINISHED: Progress._step_finished,
    EventKind.CHART_MADE: Progress._chart,
    EventKind.SECTION_WRITTEN: Progress._section,
}
