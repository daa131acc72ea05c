"""The Python of a processing step, put together from blocks by what is asked and what columns are.

Nothing of it is generated: the blocks are in ``blocks.py.tmpl``, and only names and labels are
filled in, as literals.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from pprint import pformat
from string import Template
from typing import Any

from research.agents.analyst import CodeTask
from research.agents.extractive.labels import label_of, unit_of, with_unit
from research.agents.extractive.pictures import ROWWISE, Picture, picture_of
from research.agents.extractive.tables import roles_of
from research.agents.extractive.vectors import Vectors
from research.agents.extractive.wording import PUNCTUATION, TOTALS, wording
from research.i18n import text
from research.models import Column, Table
from research.report.writer import escape

BLOCKS = Path(__file__).with_name("blocks.py.tmpl")
LINES = 20
"""Printed lines that are quoted."""

_MOVES = ("over_time", "total_first", "lines")
_DRAWINGS = {
    "trend": ("order_size", "moved", *_MOVES, "draw_lines"),
    "columns": ("order_size", "moved", *_MOVES, "draw_columns"),
    "periods": ("order_size", "moved", *_MOVES, "draw_groups"),
    "change": ("order_change", "moved", "over_time", "lines", "total_last", "draw_bars"),
    "shares": ("order_size", "shares", "draw_bars"),
    "values": ("order_size", "values", "total_value", "draw_bars"),
    "top": ("order_size", "values", "total_value", "draw_bars"),
}
"""Blocks that put in order, tell and draw the figures, by form."""


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
    blocks = ["head"]
    blocks += ["note_column"] if picture.total_columns else []
    blocks += ["totals"] if picture.names or picture.table.totals else []
    blocks += [f"rows_{at}" for at in range(len(picture.rows))]
    named = bool(picture.periods) and picture.periods[0].type != "date" and not picture.split
    blocks += ["periods"] if named else []
    blocks.append("missing_cells" if picture.period_columns else "missing")
    blocks += ["scale"] if picture.scale.factor != 1 else []
    if picture.over:
        blocks += ["year_rows"] if picture.years else []
        blocks.append("last_period" if picture.how == "last" else "all_periods")
    if picture.form in ROWWISE:
        flat = ["flatten"] if picture.period_columns else []
        return [*blocks, *flat, picture.form, *_remarks(picture), "finish"]
    blocks += _reading(picture)
    if picture.years and (picture.periods or picture.period_columns):
        blocks.append("years")
    blocks.append("size")
    percent = "percent" if picture.relative else "points"
    changes = {"moved": f"in_{percent}", "order_change": f"order_{percent}"}
    left = [
        changes.get(one, one)
        for one in _DRAWINGS[picture.form]
        if picture.totalled or "total" not in one
    ]
    return [*blocks, *left, "note_shown", *_remarks(picture), "write_rows", "finish"]


def _reading(picture: Picture) -> list[str]:
    if picture.period_columns:
        return ["in_time", "wide"]
    if not picture.periods:
        return ["plain"]
    level = picture.how == "last"
    if picture.periods[0].type == "date":
        return ["dates", *(["last_date"] if level else []), "in_time", "long"]
    blocks = ["split"] if picture.split else []
    if picture.split or picture.finer:
        blocks += ["latest"] if level else ["whole_years"]
    return [*blocks, *(["periods"] if picture.split else []), "in_time", "long"]


def _remarks(picture: Picture) -> list[str]:
    """What is said of how rows were put together, where there were several for a figure."""
    if picture.form in ("histogram", "boxes", "scatter") or picture.measure is None:
        return []
    return ["note_average" if picture.how == "mean" else "note_added"]


def _fillings(picture: Picture) -> dict[str, str]:
    """What goes into the gaps of the blocks: literals, and punctuation."""
    say = picture.language
    category = label_of(picture.category.name) if picture.category else ""
    figures = [one.name for one in picture.period_columns] or [
        one.name for one in (picture.measure, picture.other) if one
    ]
    literals: dict[str, Any] = {
        **wording(picture),
        "name": picture.name,
        "unit": picture.scale.unit,
        "label": picture.label,
        "title": picture.title,
        "path": f"data/{picture.table.name}.parquet",
        "sums": [row - 1 for row in picture.table.totals],
        "totals": TOTALS,
        "most": picture.most,
        "lowest": picture.lowest,
        "how": "mean" if picture.how == "mean" else "sum",
        "factor": picture.scale.factor,
        "figures": figures,
        "series_name": category or text("extractive.chart.series", say),
        "long_name": 7 if say == "zh" else 14,
        "step": picture.step,
        "points": text("extractive.chart.points", say)
        if picture.scale.unit == "%"
        else picture.scale.unit,
        "names": list(picture.names),
        "periods": ["year"] if picture.split else [one.name for one in picture.periods],
        "period_columns": [one.name for one in picture.period_columns],
        "keys": _keys(picture),
        "first_year": picture.years[0] if picture.years else 0,
        "last_year": picture.years[1] if picture.years else 0,
        **_columns(picture),
    }
    for at, (column, values) in enumerate(picture.rows):
        literals |= {f"chosen_by_{at}": column.name, f"chosen_{at}": list(values)}
    filled = {name: _literal(value) for name, value in literals.items()}
    over_time = picture.periods or picture.period_columns
    return {
        **filled,
        **PUNCTUATION[say],
        "imports": "import re\n\n" if over_time and picture.form not in ROWWISE else "",
        "series": f"table[{picture.category.name!r}].astype(str)" if picture.category else "LABEL",
        "grouped": "mean()" if picture.how == "mean" else "sum(min_count=1)",
        "file": f"{picture.table.name}_{picture.form}",
        "bars": {"change": "change[shown.index]", "shares": "shares"}.get(
            picture.form, "shown[last].dropna()"
        ),
        "value_axis": {
            "change": filled["change_axis"] if picture.relative else "LABEL",
            "shares": filled["share_axis"],
        }.get(picture.form, "LABEL"),
        "in_order": "sorted(data.columns, key=in_time)",
        "together": f" and table.duplicated({_group(picture)!r}).any()" if _group(picture) else "",
        "column_order": ".sort_index()"
        if picture.second in roles_of(picture.table).periods
        else '.sort_values(ascending=False, kind="stable")',
        "point_names": "table[" + filled["category"] + "].astype(str).tolist()"
        if picture.category
        else "None",
    }


def _literal(value: Any) -> str:
    """A value as Python; a long list over several lines."""
    return pformat(value, width=88, compact=True) if isinstance(value, list) else repr(value)


def _columns(picture: Picture) -> dict[str, Any]:
    """The names of columns, as far as the picture has them."""
    say = picture.language
    found: dict[str, Any] = {}
    named: dict[str, Column | None] = {
        "measure": picture.measure,
        "other": picture.other,
        "category": picture.category,
        "second": picture.second,
        "over": picture.over,
    }
    if picture.periods:
        named |= dict.fromkeys(("date", "period", "coarse"), picture.periods[0])
    if picture.finer:
        named["fine"] = picture.finer
    found = {gap: column.name for gap, column in named.items() if column}
    if picture.split:
        found |= {"coarse": "year", "fine": "part"}
    if picture.other:
        other = label_of(picture.other.name)
        found["other_label"] = with_unit(other, unit_of(picture.other), say)
    if picture.second:
        found["second_label"] = label_of(picture.second.name)
    if picture.period_columns:
        found |= {"last_column": picture.period_columns[-1].name, "measure": "figure"}
    kept = (picture.category, picture.over, picture.measure, picture.other)
    found["kept"] = [one.name for one in kept if one]
    return found


def _keys(picture: Picture) -> list[str]:
    """The columns by which rows are put together."""
    if picture.form == "pivot" and picture.category and picture.second:
        return [picture.category.name, picture.second.name]
    return ["series", *(["period"] if picture.periods else [])]


def _group(picture: Picture) -> list[str]:
    """The columns that say of what a figure is, apart from the period."""
    together = {"top": (picture.category,), "pivot": (picture.category, picture.second)}
    return [one.name for one in together.get(picture.form, ()) if one]


def _overview(table: Table, task: CodeTask) -> str:
    """Code that depends on nothing but that the table can be read."""
    figures = [column.name for column in table.columns if column.type == "number"]
    fillings = {
        "path": repr(f"data/{table.name}.parquet"),
        "figures": repr(figures or [column.name for column in table.columns]),
        "mean": text("extractive.chart.mean", task.language),
        **PUNCTUATION[task.language],
    }
    return _filled("overview", fillings)


def _filled(block: str, fillings: Mapping[str, str]) -> str:
    if block.startswith("rows_"):
        at = block.removeprefix("rows_")
        own = {gap: fillings[f"{gap}_{at}"] for gap in ("chosen_by", "chosen")}
        return Template(_blocks()["rows"]).substitute(own)
    return Template(_blocks()[block]).substitute(fillings)


@cache
def _blocks() -> dict[str, str]:
    parts = re.split(r"^#%% (\w+)\n", BLOCKS.read_text("utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))
