"""What prompts are filled with: steps, tables, findings and passages in words, fenced as data."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from research.agents.analyst import ReportBrief
from research.agents.model.citing import Numbering, cited_ids
from research.agents.prompts import fence
from research.models import Column, Finding, Hit, Language, Passage, Source, Step, Table

FINDING_CHARACTERS = 3_000
"""Of one finding that a later agent is told."""
MOST_TOTALS = 60


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
