"""What prompts are filled with: steps, tables, findings and passages in words, fenced as data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from research.agents.analyst import CodeTask, ReportBrief
from research.agents.model.citing import Numbering, cited_ids
from research.agents.prompts import fence
from research.knowledge.profile import ColumnProfile, Profile
from research.models import Column, Finding, Hit, Language, Passage, Source, Step, Table

FINDING_CHARACTERS = 3_000
"""Of one finding that a later agent is told."""
MOST_TOTALS = 60
DATA_CHARACTERS = 12_000
"""Of all tables together that a coder is told about."""
CELL_CHARACTERS = 60
RESULT_ROWS = 20
"""Of each result table that is explained."""
RESULT_CHARACTERS = 9_000
"""Of all that is explained."""


def best_passages(hits: Iterable[Hit], sources: Mapping[str, Source], limit: int) -> list[Passage]:
    """The first passages of ``hits``, half of them from the web where there is that much."""
    passages = [hit.passage for hit in hits]
    web = [one for one in passages if sources[one.source_id].kind == "web"]
    own = [one for one in passages if sources[one.source_id].kind != "web"]
    web = web[: max(limit // 2, limit - len(own))]
    return own[: limit - len(web)] + web


def language_name(language: Language) -> str:
    """The language as prompts name it."""
    return {"en": "English", "zh": "Chinese"}[language]


def step_words(step: Step) -> str:
    """Title and description of a step."""
    return fence(f"{step.title}\n{step.description}")


def table_words(tables: Iterable[Table]) -> str:
    """Each table with its number, name, columns and rows of totals; never its rows."""
    described = [
        f"table {number}, NAME {table.name}: {table.title}, {table.rows} rows\n"
        + "\n".join(map(_column_words, table.columns))
        + (f"\nrows that sum up others, by index: {_indices(table)}" if table.totals else "")
        for number, table in enumerate(tables, 1)
    ]
    return fence("\n\n".join(described) or "-")


def data_words(task: CodeTask) -> str:
    """What each table of a coder holds, within :data:`DATA_CHARACTERS` for all; fenced."""
    room = DATA_CHARACTERS // max(1, len(task.tables))
    return fence(
        "\n\n".join(
            _data_words(number, table, task.profiles.get(table.id), room)
            for number, table in enumerate(task.tables, 1)
        )
    )


def _data_words(number: int, table: Table, profile: Profile | None, room: int) -> str:
    lines = [f"table {number}, NAME {table.name}: {table.title[:200]}, {table.rows} rows"]
    if table.totals:
        lines.append(f"rows that sum up others, by index: {_indices(table)}")
    if profile and profile.scanned < profile.rows:
        lines.append(f"distinct, mean, median and frequent: of {profile.scanned} rows")
    held = {column.name: column for column in profile.columns} if profile else {}
    rows = [_row_words(row) for row in (*profile.first, *profile.last)] if profile else []
    room -= sum(map(len, lines)) + min(sum(map(len, rows)), room // 3)
    for at, column in enumerate(table.columns):
        known = held.get(column.name)
        long = _known_words(column, known) if known else _column_words(column)
        short = f"- {column.name[:80]} ({column.type})"
        if room < len(short):
            lines.append(f"... {len(table.columns) - at} more columns: see data/manifest.json")
            break
        lines.append(long if len(long) < room else short)
        room -= len(lines[-1])
    if profile and rows:
        first = len(profile.first)
        kept = rows[:first] + (["..."] if len(rows) > first else []) + rows[first:]
        lines += ["first and last rows:", *(row[: DATA_CHARACTERS // 10] for row in kept)]
    return "\n".join(lines)


def _known_words(column: Column, known: ColumnProfile) -> str:
    kind = f"{column.type}, in {column.unit}" if column.unit else column.type
    words = [f"{known.distinct} distinct"]
    if known.missing:
        words.append(f"{known.missing} missing")
    if known.least is not None:
        words.append(f"from {_short(known.least)} to {_short(known.most)}")
    if known.mean is not None and known.median is not None:
        words.append(f"mean {_short(known.mean)}, median {_short(known.median)}")
    if known.frequent:
        most = ", ".join(f"{_short(value)} ({count})" for value, count in known.frequent)
        words.append(f"most frequent: {most}")
    return f"- {column.name[:80]} ({kind}): {'; '.join(words)}"


def _row_words(row: Iterable[object]) -> str:
    return " | ".join(map(_short, row))


def _short(cell: object) -> str:
    """A cell in few characters on one line."""
    shown = "" if cell is None else f"{cell:.8g}" if isinstance(cell, float) else str(cell)
    return " ".join(shown.split())[:CELL_CHARACTERS]


def result_words(task: CodeTask, output: str) -> str:
    """All that the code of a step gave: what it printed, its key figures and its tables."""
    parts = [output.strip()]
    if task.key_figures:
        figures = (
            f"{one.name} | {one.value:.12g} | {one.unit} | {one.period}" for one in task.key_figures
        )
        parts.append("\n".join(["key figures: name | value | unit | period", *figures]))
    for table in task.results:
        rows = [_row_words(row) for row in table.rows[:RESULT_ROWS]]
        if len(table.rows) > RESULT_ROWS:
            rows.append(f"... {len(table.rows) - RESULT_ROWS} more rows")
        parts.append("\n".join([f"table {table.name}:", _row_words(table.columns), *rows]))
    return fence("\n\n".join(filter(None, parts))[:RESULT_CHARACTERS])


def _column_words(column: Column) -> str:
    kind = f"{column.type}, in {column.unit}" if column.unit else column.type
    return f"- {column.name} ({kind}), for example {', '.join(column.examples)}"


def _indices(table: Table) -> str:
    return ", ".join(str(row - 1) for row in table.totals[:MOST_TOTALS])


def finding_words(findings: Iterable[Finding]) -> str:
    """What earlier steps found."""
    return fence("\n\n".join(without_citations(finding) for finding in findings) or "-")


def without_citations(finding: Finding | None) -> str:
    """A finding's text without its citations: their numbers would mean nothing in this prompt."""
    written = finding.text if finding else ""
    return re.sub(r"\s*\[\^[0-9a-f]{16}\]", "", written)[:FINDING_CHARACTERS]


def evidenced(brief: ReportBrief, step_id: str) -> Finding | None:
    """What a step found, if it found evidence."""
    return next(
        (
            finding
            for finding in brief.findings
            if finding.step_id == step_id and finding.passage_ids
        ),
        None,
    )


def cited_numbering(brief: ReportBrief, texts: Iterable[str]) -> Numbering:
    """Numbers for the passages that ``texts`` cite."""
    cited = dict.fromkeys(passage_id for one in texts for passage_id in cited_ids(one))
    passages: list[Passage] = [brief.passages[one] for one in cited if one in brief.passages]
    return Numbering(passages, brief.sources)
