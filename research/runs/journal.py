"""The one way in which a run tells what it does and keeps what it finds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from research.calculations import Calculation
from research.errors import DossierError
from research.llm.client import RESTART
from research.models import Chart, Event, EventKind, Notice, Passage, Report, Source, Table
from research.runs.ledger import current_scope
from research.runs.store import RunStore

TEXT_SECONDS = 0.1
"""Text is gathered this long before it becomes an event."""


class Journal:
    """Writes the events and the evidence of one run.

    Args:
        store: Where they are kept.
        run_id: The run they belong to.
        on_event: Is told each event once it is kept.
    """

    def __init__(
        self, store: RunStore, run_id: str, on_event: Callable[[Event], None] | None = None
    ) -> None:
        self.store = store
        self._run_id = run_id
        self._on_event = on_event
        self._deltas: dict[str, str] = {}
        self._restarted: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None

    # ------------------------------------------------------------ events

    def emit(self, kind: EventKind, /, **payload: Any) -> Event:
        """Keep one event, under the node that is running; text that is waiting goes first."""
        self.flush()
        return self._append(kind, payload)

    def notice(self, notice: Notice, step_id: str | None = None) -> None:
        """Tell the user one sentence, for the whole run or for one step."""
        self.emit(EventKind.NOTICE, notice=notice.model_dump(mode="json"), step_id=step_id)

    def trouble(self, error: DossierError) -> Notice:
        """Tell the user about an error the run survives."""
        notice = error.notice.model_copy(update={"level": "warning"})
        self.notice(notice)
        return notice

    def writer(self, channel: str) -> Callable[[str], None]:
        """What takes the pieces of one text; the text begins anew with each writer."""
        self._restarted.add(channel)
        self._deltas.pop(channel, None)

        def write(delta: str) -> None:
            if delta == RESTART:
                self._restarted.add(channel)
                self._deltas.pop(channel, None)
                return
            self._deltas[channel] = self._deltas.get(channel, "") + delta
            if self._timer is None:
                self._timer = asyncio.get_running_loop().call_later(TEXT_SECONDS, self.flush)

        return write

    def flush(self) -> None:
        """Make an event of the text gathered so far."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if not self._deltas:
            return
        restart = sorted(self._restarted & set(self._deltas))
        deltas, self._deltas = self._deltas, {}
        self._restarted -= set(restart)
        self._append(EventKind.TEXT, {"deltas": deltas, "restart": restart})

    def _append(self, kind: EventKind, payload: dict[str, Any]) -> Event:
        event = self.store.append(self._run_id, kind, current_scope().node, payload)
        if self._on_event:
            self._on_event(event)
        return event

    # ------------------------------------------------------------ evidence

    def found(
        self, sources: Iterable[Source], passages: Iterable[Passage], step_id: str | None = None
    ) -> None:
        """Keep evidence, and tell about each source that is new to the run or to the step."""
        sources = list(sources)
        self.store.keep(self._run_id, [*sources, *passages])
        for source in sources:
            self.emit(
                EventKind.SOURCE_FOUND, source=source.model_dump(mode="json"), step_id=step_id
            )

    def keep_chart(self, chart: Chart) -> None:
        """Keep a chart and tell about it."""
        self.store.keep(self._run_id, [chart])
        self.emit(EventKind.CHART_MADE, chart_id=chart.id, step_id=chart.step_id, title=chart.title)

    def keep_calculation(self, calculation: Calculation) -> None:
        """Keep all that it takes to make the numbers of a step again."""
        self.store.keep(self._run_id, [calculation])

    def keep_tables(self, tables: Iterable[Table]) -> None:
        """Keep the description of the tables the run may work on."""
        self.store.keep(self._run_id, tables)

    def keep_report(self, report: Report) -> None:
        """Keep the report and tell about it."""
        self.store.keep_report(self._run_id, report)
        self.store.set_title(self._run_id, report.title)
        self.emit(EventKind.REPORT_WRITTEN, report=report.model_dump(mode="json"))

    def name_run(self, title: str) -> None:
        """Give the run a title for the list of runs."""
        self.store.set_title(self._run_id, title)

    def sources(self) -> dict[str, Source]:
        """Every source of the run, by id."""
        return self.store.sources(self._run_id)

    def passages(self, ids: Sequence[str] | None = None) -> dict[str, Passage]:
        """The passages of the run with these ids, or all."""
        kept = self.store.passages(self._run_id)
        return kept if ids is None else {key: kept[key] for key in ids if key in kept}

    def charts(self) -> dict[str, Chart]:
        """Every chart of the run, by id."""
        return self.store.charts(self._run_id)

    def tables(self) -> list[Table]:
        """The tables the run may work on."""
        return list(self.store.tables(self._run_id).values())
