"""The Python of a processing step, put together from blocks by what is asked and what columns are.

Nothing of it is generated: the blocks are in ``blocks.py.tmpl``, and only names and labels are
filled in, as literals.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from research.agents.analyst import CodeTask
from research.agents.extractive.pictures import Picture, picture_of
from research.agents.extractive.vectors import Vectors
from research.i18n import text
from research.models import Table
from research.report.writer import escape

BLOCKS = Path(__file__).with_name("blocks.py.tmpl")
MOST_SERIES = 8
"""Lines or groups of bars in one chart."""
LINES = 12
"""Printed lines that are quoted."""

TOTALS = [
    "total",
    "totals",
    "grand total",
    "subtotal",
    "sub-total",
    "sum",
    "all",
    "overall",
    "group",
    "group total",
    "all regions",
    "world",
    "合计",
    "总计",
    "小计",
    "总和",
    "总数",
    "全部",
]
_WORDS: Mapping[str, tuple[str, ...]] = {
    "total": (),
    "lowest": (),
    "median": (),
    "mean": (),
    "highest": (),
    "average": (),
    "count_axis": (),
    "change_axis": (),
    "share_axis": (),
    "not_all": ("shown", "all"),
    "left_out": ("years",),
    "count": ("count",),
}
"""Texts of the catalogue that the code prints, and their gaps, which it fills when it runs."""
_PUNCTUATION = {
    "en": {"comma": ", ", "colon": ": ", "open": " (", "close": ")"},
    "zh": {"comma": "，", "colon": "：", "open": "（", "close": "）"},
}
_DRAWINGS = {
    "trend": ("over_time", "total_first", "draw_lines"),
    "periods": ("over_time", "total_first", "draw_periods"),
    "change": ("by_change", "over_time", "total_last", "draw_change"),
    "shares": ("shares", "draw_shares"),
    "values": ("values", "draw_values"),
}
"""Blocks that tell and draw the figures, by form."""


def write_code(task: CodeTask, vectors: Vectors) -> str:
    """The code that computes what the step is about; after an error, the plainest there is."""
    picture = picture_of(task, vectors)
    if picture is None or task.error:
        return _overview(picture.table if picture else task.tables[0], task)
    fillings = _fillings(picture)
    return "".join(_filled(block, fillings) for block in _chosen(picture)).lstrip("\n")


def explain_result(task: CodeTask, output: str) -> str:
    """What the code printed, word for word, as a list under a line of the catalogue."""
    printed = [line.strip() for line in output.splitlines() if line.strip()]
    if not printed:
        return text("extractive.no_figures", task.language)
    lead_in = text("extractive.figures", task.language)
    return "\n".join([lead_in, "", *(f"- {escape(line)}" for line in printed[:LINES])])


def _chosen(picture: Picture) -> list[str]:
    blocks = ["head", "sums"] if picture.table.totals else ["head"]
    if picture.rows:
        blocks.append("rows")
    if picture.names:
        blocks.append("totals")
    if picture.form == "distribution":
        return [*blocks, "distribution", "finish"]
    blocks += [*_reading(picture), "largest", "in_percent" if picture.relative else "in_points"]
    blocks += [one for one in _DRAWINGS[picture.form] if picture.totalled or "total" not in one]
    blocks.append("notes")
    if "whole_years" in blocks or "dates" in blocks:
        blocks.append("note_left_out")
    if picture.measure and not picture.additive:
        blocks.append("note_average")
    return [*blocks, "write_rows", "finish"]


def _reading(picture: Picture) -> list[str]:
    if picture.period_columns:
        return ["wide"]
    if not picture.periods:
        return ["plain"]
    if picture.periods[0].type == "date":
        return ["dates", "long"]
    return [*(["whole_years"] if picture.finer else []), "periods", "long"]


def _fillings(picture: Picture) -> dict[str, str]:
    """What goes into the gaps of the blocks: literals, and punctuation."""
    say = picture.language
    literals: dict[str, Any] = {
        "label": picture.label,
        "title": picture.title,
        "path": f"data/{picture.table.name}.parquet",
        "sums": [row - 1 for row in picture.table.totals],
        "totals": TOTALS,
        "most": MOST_SERIES,
        "function": "sum" if picture.additive else "mean",
        "period_axis": picture.period_label,
        "category_axis": picture.category_label,
        "series_name": picture.category_label or text("extractive.chart.series", say),
        "alt": text(f"extractive.chart.alt.{picture.form}", say, title="{title}") + " ",
        "names": picture.names,
        "periods": [one.name for one in picture.periods],
        "period_columns": [one.name for one in picture.period_columns],
        "keys": ["series", *(["period"] if picture.periods else [])],
        **{
            word: text(f"extractive.chart.{word}", say, **{gap: f"{{{gap}}}" for gap in gaps})
            for word, gaps in _WORDS.items()
        },
    }
    if picture.rows:
        literals |= {"chosen_by": picture.rows[0].name, "chosen": list(picture.rows[1])}
    if picture.measure:
        literals["measure"] = picture.measure.name
    if picture.periods:
        literals["date"] = literals["coarse"] = picture.periods[0].name
    if picture.finer:
        literals["fine"] = picture.finer.name
    filled = {name: repr(value) for name, value in literals.items()}
    series = f"table[{picture.category.name!r}].astype(str)" if picture.category else "LABEL"
    how = "sum(min_count=1)" if picture.additive else "mean()"
    name = f"{picture.table.name}_{picture.form}"
    imports = "import re\n\n" if picture.periods else ""
    return {
        **filled,
        **_PUNCTUATION[say],
        "imports": imports,
        "series": series,
        "how": how,
        "name": name,
    }


def _overview(table: Table, task: CodeTask) -> str:
    """Code that depends on nothing but that the table can be read."""
    figures = [column.name for column in table.columns if column.type == "number"]
    fillings = {
        "path": repr(f"data/{table.name}.parquet"),
        "figures": repr(figures or [column.name for column in table.columns]),
        "mean": text("extractive.chart.mean", task.language),
        **_PUNCTUATION[task.language],
    }
    return _filled("overview", fillings)


def _filled(block: str, fillings: Mapping[str, str]) -> str:
    return Template(_blocks()[block]).substitute(fillings)


@cache
def _blocks() -> dict[str, str]:
    parts = re.split(r"^#%% (\w+)\n", BLOCKS.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))
