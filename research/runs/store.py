"""Where runs live: their state, events, finished calls and evidence, in one SQLite file."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from research.calculations import Calculation
from research.database import Database
from research.models import (
    Chart,
    Event,
    EventKind,
    Mode,
    Model,
    Passage,
    PlanDecision,
    Report,
    Run,
    RunOptions,
    RunStatus,
    Source,
    Table,
)

MIGRATIONS = {
    "001_runs": """
CREATE TABLE runs (
    id TEXT PRIMARY KEY, question TEXT NOT NULL, options TEXT NOT NULL, mode TEXT NOT NULL,
    status TEXT NOT NULL, title TEXT NOT NULL DEFAULT '', created_at REAL NOT NULL,
    updated_at REAL NOT NULL, stop_asked INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE events (
    run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, seq INTEGER NOT NULL,
    time REAL NOT NULL, kind TEXT NOT NULL, node TEXT NOT NULL, payload TEXT NOT NULL,
    PRIMARY KEY (run_id, seq)
) WITHOUT ROWID;
CREATE TABLE calls (
    run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, key TEXT NOT NULL,
    value TEXT NOT NULL, PRIMARY KEY (run_id, key)
) WITHOUT ROWID;
CREATE TABLE decisions (
    run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, revision INTEGER NOT NULL,
    decision TEXT NOT NULL, PRIMARY KEY (run_id, revision)
) WITHOUT ROWID;
CREATE TABLE evidence (
    run_id TEXT NOT NULL REFERENCES runs ON DELETE CASCADE, kind TEXT NOT NULL, id TEXT NOT NULL,
    value TEXT NOT NULL, PRIMARY KEY (run_id, kind, id)
) WITHOUT ROWID;
"""
}

Item = TypeVar("Item", Passage, Source, Chart, Table, Calculation)

_KINDS: dict[type[Model], str] = {
    Passage: "passage",
    Source: "source",
    Chart: "chart",
    Table: "table",
    Calculation: "calculation",
}


class RunStore:
    """Keeps everything of every run; safe to use from any thread and from several processes."""

    def __init__(self, path: Path) -> None:
        self._db = Database(path, MIGRATIONS)

    # ------------------------------------------------------------ runs

    def create(self, question: str, options: RunOptions, mode: Mode) -> Run:
        """Keep a new run and give it its id."""
        now = time.time()
        run = Run(
            id=uuid.uuid4().hex[:12],
            question=question,
            options=options,
            mode=mode,
            status=RunStatus.RUNNING,
            created_at=now,
            updated_at=now,
        )
        with self._db.write() as db:
            db.execute(
                "INSERT INTO runs (id, question, options, mode, status, created_at, updated_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                (run.id, question, options.model_dump_json(), mode, run.status, now, now),
            )
        return run

    def run(self, run_id: str) -> Run | None:
        """One run, or None."""
        found = self._runs("WHERE id = ?", (run_id,))
        return found[0] if found else None

    def runs(self) -> list[Run]:
        """All runs, the newest first."""
        return self._runs("ORDER BY created_at DESC")

    def with_status(self, status: RunStatus) -> list[Run]:
        """The runs in one state, the oldest first."""
        return self._runs("WHERE status = ? ORDER BY created_at", (status.value,))

    def _runs(self, where: str, parameters: tuple[object, ...] = ()) -> list[Run]:
        columns = "id, question, options, mode, status, title, created_at, updated_at"
        rows = self._db.read(f"SELECT {columns} FROM runs {where}", parameters)  # noqa: S608
        return [Run.model_validate({**row, "options": json.loads(row["options"])}) for row in rows]

    def set_status(self, run_id: str, status: RunStatus) -> None:
        """Move a run on; a wish to stop that was not yet heard is forgotten with it."""
        with self._db.write() as db:
            db.execute(
                "UPDATE runs SET status = ?, updated_at = ?, stop_asked = 0 WHERE id = ?",
                (status.value, time.time(), run_id),
            )

    def set_title(self, run_id: str, title: str) -> None:
        """Name a run after its plan or report."""
        with self._db.write() as db:
            db.execute("UPDATE runs SET title = ? WHERE id = ?", (title, run_id))

    def ask_stop(self, run_id: str) -> None:
        """Leave word for whichever process carries the run out."""
        with self._db.write() as db:
            db.execute("UPDATE runs SET stop_asked = 1 WHERE id = ?", (run_id,))

    def stop_asked(self, run_id: str) -> bool:
        """Whether somebody wants the run to stop."""
        rows = self._db.read("SELECT stop_asked FROM runs WHERE id = ?", (run_id,))
        return bool(rows and rows[0]["stop_asked"])

    def delete(self, run_id: str) -> None:
        """Forget a run and all that belongs to it."""
        with self._db.write() as db:
            db.execute("DELETE FROM runs WHERE id = ?", (run_id,))

    # ------------------------------------------------------------ events

    def append(self, run_id: str, kind: EventKind, node: str, payload: dict[str, Any]) -> Event:
        """Keep one event under the next number of its run."""
        now = time.time()
        body = json.dumps(payload, ensure_ascii=False)
        with self._db.write() as db:
            (seq,) = db.execute(
                "SELECT COALESCE(MAX(seq), 0) + 1 FROM events WHERE run_id = ?", (run_id,)
            ).fetchone()
            db.execute(
                "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)",
                (run_id, seq, now, kind.value, node, body),
            )
        return Event(seq=seq, time=now, kind=kind, node=node, payload=payload)

    def events(self, run_id: str, after: int = 0) -> list[Event]:
        """The events of a run past number ``after``, in order."""
        rows = self._db.read(
            "SELECT seq, time, kind, node, payload FROM events"
            " WHERE run_id = ? AND seq > ? ORDER BY seq",
            (run_id, after),
        )
        return [
            Event.model_validate({**row, "payload": json.loads(row["payload"])}) for row in rows
        ]

    def last_seq(self, run_id: str) -> int:
        """The number of a run's last event; 0 where there is none."""
        rows = self._db.read("SELECT MAX(seq) AS seq FROM events WHERE run_id = ?", (run_id,))
        return int(rows[0]["seq"] or 0)

    # ------------------------------------------------------------ finished calls

    def call(self, run_id: str, key: str) -> Any | None:
        """What a finished call returned, or None when it was not made yet."""
        rows = self._db.read("SELECT value FROM calls WHERE run_id = ? AND key = ?", (run_id, key))
        return json.loads(rows[0]["value"]) if rows else None

    def keep_call(self, run_id: str, key: str, value: Any) -> None:
        """Keep what a call returned, before anybody uses it."""
        body = json.dumps(value, ensure_ascii=False)
        with self._db.write() as db:
            db.execute("INSERT OR REPLACE INTO calls VALUES (?, ?, ?)", (run_id, key, body))

    # ------------------------------------------------------------ decisions

    def decide(self, run_id: str, revision: int, decision: PlanDecision) -> None:
        """Keep the user's word on one revision of the plan; the first word counts."""
        with self._db.write() as db:
            db.execute(
                "INSERT OR IGNORE INTO decisions VALUES (?, ?, ?)",
                (run_id, revision, decision.model_dump_json()),
            )

    def decision(self, run_id: str, revision: int) -> PlanDecision | None:
        """The user's word on one revision of the plan, if it was given."""
        rows = self._db.read(
            "SELECT decision FROM decisions WHERE run_id = ? AND revision = ?", (run_id, revision)
        )
        return PlanDecision.model_validate_json(rows[0]["decision"]) if rows else None

    # ------------------------------------------------------------ evidence

    def keep(
        self, run_id: str, items: Iterable[Passage | Source | Chart | Table | Calculation]
    ) -> None:
        """Keep what a run found, by its id; what is there already stays as it is."""
        rows = [(run_id, _KINDS[type(item)], item.id, item.model_dump_json()) for item in items]
        with self._db.write() as db:
            db.executemany("INSERT OR IGNORE INTO evidence VALUES (?, ?, ?, ?)", rows)

    def passages(self, run_id: str) -> dict[str, Passage]:
        """Every passage the run was shown, by id."""
        return self._evidence(run_id, Passage)

    def sources(self, run_id: str) -> dict[str, Source]:
        """Every source the run found, by id."""
        return self._evidence(run_id, Source)

    def charts(self, run_id: str) -> dict[str, Chart]:
        """Every chart the run made, by id."""
        return self._evidence(run_id, Chart)

    def tables(self, run_id: str) -> dict[str, Table]:
        """Every table the run could work on, by id."""
        return self._evidence(run_id, Table)

    def calculations(self, run_id: str) -> dict[str, Calculation]:
        """Every calculation the run made, by id."""
        return self._evidence(run_id, Calculation)

    def _evidence(self, run_id: str, kind: type[Item]) -> dict[str, Item]:
        rows = self._db.read(
            "SELECT id, value FROM evidence WHERE run_id = ? AND kind = ?", (run_id, _KINDS[kind])
        )
        return {row["id"]: kind.model_validate_json(row["value"]) for row in rows}

    def keep_report(self, run_id: str, report: Report) -> None:
        """Keep the report; a later one replaces it."""
        with self._db.write() as db:
            db.execute(
                "INSERT OR REPLACE INTO evidence VALUES (?, 'report', 'report', ?)",
                (run_id, report.model_dump_json()),
            )

    def report(self, run_id: str) -> Report | None:
        """The report, or None when there is none yet."""
        rows = self._db.read(
            "SELECT value FROM evidence WHERE run_id = ? AND kind = 'report'", (run_id,)
        )
        return Report.model_validate_json(rows[0]["value"]) if rows else None

    def close(self) -> None:
        """Close the file."""
        self._db.close()
