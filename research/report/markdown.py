"""A report as a Markdown file that stands on its own."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from pathlib import Path

from research.i18n import text
from research.models import Chart, Report
from research.report.citations import Citation, Numbered, day_words, number_citations
from research.report.credits import credit
from research.report.evidence import Evidence
from research.report.excerpts import citing_sentences, excerpt
from research.report.honesty import caveats, doubtful, mode_line, verdict_line
from research.report.inlines import Node
from research.report.layout import CHART_ROWS, data_table
from research.report.press import draw_pngs
from research.report.writer import Dialect, escape, write

BODY_HEADING = 2

ImageHref = Callable[[Chart], str | None]
"""Gives the address of a chart's picture; None for a chart that cannot be drawn."""


def to_markdown(report: Report, evidence: Evidence, image_href: ImageHref | None = None) -> str:
    """The report as one Markdown text: honesty lines, body, charts with data, sources.

    Blocking while charts are drawn; call it from a thread.

    Args:
        report: The report.
        evidence: What it stands on.
        image_href: Where the picture of a chart is; left out, pictures are in the text itself,
            as PNG in data addresses, so that one file is all there is.

    Raises:
        ExportError: The charts could not be drawn within the limits.
    """
    numbered = number_citations(report.markdown, evidence, report.title)
    if image_href is None:
        image_href = _embedded(_pictures(report, _shown(numbered, evidence)))
    figures = _Figures(report, evidence, image_href)
    dialect = Dialect(
        cite=lambda number: f"[\\[{number}\\]](#source-{number})", figure=figures.write
    )
    parts = [
        _head(report, numbered),
        write(list(numbered.tree), dialect, BODY_HEADING),
        _checks(report, numbered, dialect),
        _sources(report, numbered),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def write_markdown(report: Report, evidence: Evidence, folder: Path) -> Path:
    """Write ``report.md`` and, beside it, ``report_files/`` with the charts as PNG.

    Returns:
        The path of ``report.md``.

    Raises:
        ExportError: The charts could not be drawn within the limits.
        OSError: The folder cannot be written to.
    """
    numbered = number_citations(report.markdown, evidence, report.title)
    pictures = _pictures(report, _shown(numbered, evidence))
    files = {chart_id: f"report_files/chart-{n}.png" for n, chart_id in enumerate(pictures, 1)}
    (folder / "report_files" if files else folder).mkdir(parents=True, exist_ok=True)
    for chart_id, name in files.items():
        (folder / name).write_bytes(pictures[chart_id])
    path = folder / "report.md"
    path.write_text(to_markdown(report, evidence, lambda chart: files.get(chart.id)), "utf-8")
    return path


class _Figures:
    """Writes the figures of a report one after the other, and counts them."""

    def __init__(self, report: Report, evidence: Evidence, image_href: ImageHref) -> None:
        self.report = report
        self.evidence = evidence
        self.image_href = image_href
        self.count = 0

    def write(self, block: Node) -> str:
        """A picture with its caption, and the data behind it."""
        chart, language = self.evidence.charts[block["chart"]], self.report.language
        self.count += 1
        title = text("report.figure", language, number=self.count, title=chart.title)
        href = self.image_href(chart)
        alt = escape(block["alt"] or chart.alt or chart.title)
        lines = [f"![{alt}]({href})"] if href else []
        lines.append(f"**{escape(title)}**")
        if not href:
            lines.append(text("report.undrawn", language))
        table = data_table(chart, CHART_ROWS, language)
        if table:
            lines.append(write([table], Dialect(cite=str, figure=lambda _block: "")))
            lines.append(table.get("note", ""))
        lines.append(escape(credit(chart, self.evidence, language)))
        return "\n\n".join(line for line in lines if line)


def _shown(numbered: Numbered, evidence: Evidence) -> list[Chart]:
    ids = [block["chart"] for block in numbered.tree if block["t"] == "figure"]
    return [evidence.charts[chart_id] for chart_id in dict.fromkeys(ids)]


def _pictures(report: Report, charts: list[Chart]) -> dict[str, bytes]:
    jobs = {chart.id: {"figure": chart.figure, "caption": chart.title} for chart in charts}
    return draw_pngs(jobs, report.language)


def _embedded(pictures: Mapping[str, bytes]) -> ImageHref:
    def href(chart: Chart) -> str | None:
        picture = pictures.get(chart.id)
        return "data:image/png;base64," + base64.b64encode(picture).decode() if picture else None

    return href


def _head(report: Report, numbered: Numbered) -> str:
    language = report.language
    lines = [f"# {escape(report.title)}"]
    if report.question.strip() not in ("", report.title.strip()):
        lines.append(escape(text("report.asked", language, question=report.question)))
    lines.append(f"{day_words(report.created_at, language)} · {mode_line(report)}")
    notes = caveats(report, numbered.dropped)
    if notes:
        heading = text("report.paper.before", language)
        lines.append(
            "\n".join([f"> **{heading}**", ">", *(f"> - {escape(note)}" for note in notes)])
        )
    return "\n\n".join(lines)


def _checks(report: Report, numbered: Numbered, dialect: Dialect) -> str:
    numbers = {each.passage.id: each.number for each in numbered.entries}
    lines = []
    for claim in doubtful(report):
        marks = sorted(numbers[each] for each in claim.passage_ids if each in numbers)
        cites = "".join(dialect.cite(number) for number in marks)
        lines.append(f"- {escape(claim.text)} {cites}  \n  {escape(verdict_line(claim, report))}")
    if not lines:
        return ""
    return "\n".join([f"## {text('report.paper.checks', report.language)}", "", *lines])


def _sources(report: Report, numbered: Numbered) -> str:
    if not numbered.entries:
        return ""
    citing = citing_sentences(report.markdown)
    entries = [_entry(each, citing, report) for each in numbered.entries]
    return "\n\n".join([f"## {text('report.paper.sources', report.language)}", *entries])


def _entry(citation: Citation, citing: Mapping[str, list[str]], report: Report) -> str:
    number = citation.number
    label = escape(citation.label(report.language))
    if citation.url:
        label = label.replace(escape(citation.url), f"<{citation.url}>")
    quote = excerpt(citation.passage, citing.get(citation.passage.id, []))
    return f'<a id="source-{number}"></a>**\\[{number}\\]** {label}\n\n> {escape(quote)}'
