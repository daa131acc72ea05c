"""The PDF of a report."""

from __future__ import annotations

from typing import Any

from research.i18n import catalogue, text
from research.models import Report
from research.report.citations import Citation, Numbered, day_words, number_citations
from research.report.evidence import Evidence
from research.report.excerpts import citing_sentences, excerpt
from research.report.honesty import caveats, doubtful, mode_line, verdict_line
from research.report.inlines import Node
from research.report.layout import clean, lay_out, script
from research.report.press import press

CONTENTS_HEADINGS = 6
"""A report with as many headings gets a table of contents."""

MAX_CHECKS = 60
"""Statements listed as doubtful; the line on top says how many there are in all."""


def to_pdf(report: Report, evidence: Evidence) -> bytes:
    """The report as PDF: text, charts, sources with the words they are cited for.

    Blocking, about two seconds of another process; call it from a thread.

    Raises:
        ExportError: It could not be made, or not within the limits on time and memory.
    """
    numbered = number_citations(report.markdown, evidence, report.title)
    shown = {block["chart"] for block in numbered.tree if block["t"] == "figure"}
    charts = {
        chart_id: {"figure": chart.figure, "caption": chart.title}
        for chart_id, chart in evidence.charts.items()
        if chart_id in shown
    }
    return press(
        {
            "kind": "pdf",
            "report": clean(_document(report, evidence, numbered)),
            "charts": charts,
            "language": report.language,
            "created_at": report.created_at,
        }
    )


def _document(report: Report, evidence: Evidence, numbered: Numbered) -> dict[str, Any]:
    """What the template reads."""
    language = report.language
    headings = sum(block["t"] == "heading" for block in numbered.tree)
    citing = citing_sentences(report.markdown)
    words = {
        key.removeprefix("report.paper."): entry[language]
        for key, entry in catalogue().items()
        if key.startswith("report.paper.")
    }
    return {
        "words": words,
        "lang": language,
        "title": report.title,
        "question": report.question,
        "asked": text("report.asked", language, question=report.question),
        "day": day_words(report.created_at, language),
        "complete": report.complete,
        "mode": mode_line(report),
        "caveats": caveats(report, numbered.dropped),
        "contents": headings >= CONTENTS_HEADINGS,
        "body": lay_out(list(numbered.tree), evidence, language),
        "checks": _checks(report, numbered),
        "sources": [_entry(each, citing, report) for each in numbered.entries],
    }


def _checks(report: Report, numbered: Numbered) -> list[Node]:
    numbers = {each.passage.id: each.number for each in numbered.entries}
    return [
        {
            "text": claim.text,
            "numbers": sorted(numbers[each] for each in claim.passage_ids if each in numbers),
            "verdict": verdict_line(claim, report),
            "lang": script(claim.text, report.language),
        }
        for claim in doubtful(report)[:MAX_CHECKS]
    ]


def _entry(citation: Citation, citing: dict[str, list[str]], report: Report) -> Node:
    language = report.language
    moment = citation.source.retrieved_at
    read = text("report.retrieved", language, day=day_words(moment, language)) if moment else ""
    where = citation.where(language)
    quote = excerpt(citation.passage, citing.get(citation.passage.id, []))
    return {
        "number": citation.number,
        "name": citation.name(),
        "where": text("report.comma", language) + where if where else "",
        "href": citation.url or "",
        "address": citation.url or "",
        "read": read if citation.url else "",
        "quote": quote,
        "lang": script(quote, language),
    }
