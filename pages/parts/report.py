"""A report on the screen: its text with live charts, its sources, its checks, its downloads."""

from __future__ import annotations

import streamlit as st

from pages.parts.charts import chart
from pages.parts.downloads import downloads
from pages.parts.progress import notice_line
from pages.parts.sources import anchor, claims, sources
from pages.parts.words import language, plain, say
from research.i18n import text
from research.models import Report
from research.report.citations import number_citations
from research.report.evidence import Evidence
from research.report.screen import for_screen, parts_for_screen
from research.runs.view import RunView


def read(run_id: str, view: RunView, evidence: Evidence) -> None:
    """The finished report of a run: what to know first, the text, what it stands on."""
    assert view.report
    report = view.report
    downloads(run_id, report)
    numbered = number_citations(report.markdown, evidence, report.title)
    _honesty(report, numbered.dropped)
    if report.title != view.question:
        st.header(plain(report.title), anchor="report")
    parts = parts_for_screen(numbered, evidence, lambda entry: f"#{anchor(entry.number)}")
    for place, part in enumerate(parts):
        if isinstance(part, str):
            st.markdown(part)
        else:
            chart(part, evidence, report.language, key=f"report-{place}", run_id=run_id)
    sources(numbered.entries, evidence, run_id)
    claims(report.claims, numbered.entries)


def _honesty(report: Report, dropped: int) -> None:
    """What the reader must know first, in one box."""
    lines = [] if report.complete else [f":orange[:material/rule:] **{say('report.partial')}**"]
    if report.mode == "extractive":
        lines.append(f":blue[:material/format_quote:] {say('report.quoted')}")
    lines += [notice_line(notice) for notice in report.notices]
    if dropped:
        told = text("report.dropped", language(), count=dropped)
        lines.append(f":orange[:material/warning:] {plain(told)}")
    if lines:
        with st.container(border=True, gap="xsmall"):
            for line in lines:
                st.markdown(line)


def prose(markdown: str) -> None:
    """A text of the run that is not the report: the same looks, without citations."""
    st.markdown(for_screen(markdown))
