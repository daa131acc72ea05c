"""The source note of a chart: the documents and tables it was made from."""

from __future__ import annotations

import re
from pathlib import PurePath

from research.i18n import text
from research.models import Chart, Language, Source
from research.report.evidence import Evidence

MOST = 4
"""Names; more than these are counted."""


def credit(chart: Chart, evidence: Evidence, language: Language) -> str:
    """One line under a chart; empty where none of its sources is known any more."""
    sources = [evidence.sources[each] for each in chart.source_ids if each in evidence.sources]
    names = [_name(source, _titles(chart, source, evidence), language) for source in sources]
    names = list(dict.fromkeys(names))
    if not names:
        return ""
    told = text("report.list", language).join(names[:MOST])
    key = "report.credit_more" if len(names) > MOST else "report.credit"
    return text(key, language, names=told, more=len(names) - MOST)


def _titles(chart: Chart, source: Source, evidence: Evidence) -> list[str]:
    """Titles of the tables of ``source`` that the chart was made from."""
    calculation = evidence.calculation_of(chart.id)
    inputs = calculation.inputs if calculation else ()
    return [table.title for table in inputs if table.source_id == source.id]


def _name(source: Source, titles: list[str], language: Language) -> str:
    name = source.title if source.kind == "web" else source.locator
    known = {_bare(name), _bare(PurePath(name).stem)}
    tables = [title for title in titles if _bare(title) not in known]
    if not tables:
        return name
    told = text("report.list", language).join(tables)
    return text("report.credit_tables", language, name=name, tables=told)


def _bare(name: str) -> str:
    """Letters and digits alone: a table without a title is named after its file."""
    return re.sub(r"[\W_]+", "", name.casefold())
