"""What a calculation gave, in the words of a finding: cited lines, key figures and tables."""

from __future__ import annotations

import re
from collections.abc import Iterable

from research.calculations import KeyFigure, ResultTable
from research.i18n import text
from research.models import Language
from research.report.layout import cell_words
from research.report.quantities import Figures, quantities
from research.report.writer import escape

TABLES = 3
"""Result tables that are put into a finding."""
ROWS = 15
COLUMNS = 8

_UNCITABLE = re.compile(r"\s*(#|\||```|>|$)")


def told(
    explained: str,
    *,
    figures: tuple[KeyFigure, ...],
    tables: tuple[ResultTable, ...],
    passage_id: str,
    found_in: Iterable[str],
    language: Language,
) -> str:
    """The text of a finding.

    Args:
        explained: What the analyst says of the result, as Markdown.
        figures: The key figures; those that ``explained`` tells are not told again.
        tables: The result tables.
        passage_id: Of the calculation's passage.
        found_in: Ids of the passages whose numbers were computed on.
        language: Of the report.
    """
    mark = f"[^{passage_id}]"
    parts = [cite_paragraphs(explained, passage_id)]
    if lines := figure_lines(figures, explained, language):
        parts.append(text("coder.key_figures", language))
        parts.append("\n".join(f"- {escape(line)} {mark}" for line in lines))
    for table in tables[:TABLES]:
        parts += [f"**{escape(table.name)}**", table_markdown(table, mark)]
        if len(table.rows) > ROWS:
            parts.append(text("report.rows_left", language, count=len(table.rows) - ROWS))
    if marks := "".join(f"[^{each}]" for each in dict.fromkeys(found_in)):
        parts.append(f"{text('coder.found_from', language)} {marks}")
    return "\n\n".join(parts)


def figure_lines(figures: Iterable[KeyFigure], said: str, language: Language) -> list[str]:
    """The key figures whose numbers ``said`` does not hold, one line each."""
    held = Figures(said)
    return [
        _figure_line(figure, language)
        for figure in figures
        if not all(held.hold(number) for number in quantities(_amount(figure)))
    ]


def table_markdown(table: ResultTable, mark: str = "") -> str:
    """The first rows and columns of a result table, each row with the citation ``mark``."""
    columns = table.columns[:COLUMNS]
    lines = [
        "| " + " | ".join(_cell(name) for name in columns) + " |",
        "| " + " | ".join(_rule(table, at) for at in range(len(columns))) + " |",
    ]
    for row in table.rows[:ROWS]:
        cells = [_cell(cell) for cell in row[:COLUMNS]]
        lines.append("| " + " | ".join(cells) + (f" {mark}" if mark else "") + " |")
    return "\n".join(lines)


def cite_paragraphs(markdown: str, passage_id: str) -> str:
    """``markdown`` with a citation of one passage at the end of each line of prose in it."""
    mark = f"[^{passage_id}]"
    lines, fenced = [], False
    for line in markdown.splitlines():
        fenced ^= line.lstrip().startswith("```")
        plain = (
            fenced or _UNCITABLE.match(line) or mark in line or line.rstrip().endswith((":", "："))
        )
        lines.append(line if plain else f"{line.rstrip()} {mark}")
    return "\n".join(lines)


def _figure_line(figure: KeyFigure, language: Language) -> str:
    key = "coder.key_figure_of" if figure.period else "coder.key_figure"
    return text(key, language, name=figure.name, period=figure.period, amount=_amount(figure))


def _amount(figure: KeyFigure) -> str:
    number = f"{figure.value:,.10g}"
    return f"{number}%" if figure.unit == "%" else f"{number} {figure.unit}".strip()


def _rule(table: ResultTable, at: int) -> str:
    cells = [row[at] for row in table.rows if row[at] is not None]
    numbers = bool(cells) and all(isinstance(cell, int | float) for cell in cells)
    return "--:" if numbers else "---"


def _cell(value: object) -> str:
    return " ".join(escape(cell_words(value)).split())
