"""A report laid out for paper: the tree with everything the typesetter must not have to decide.

Rows are capped, wide tables are cut into several or put on a turned page together with their
heading, long words get break points, and each block says its language when that is another than
the report's, because Chinese, Japanese and Korean share characters but not their shapes.
"""

from __future__ import annotations

import re
from typing import Any

from research.i18n import text
from research.models import Chart, Language
from research.report.credits import credit
from research.report.evidence import Evidence
from research.report.inlines import Node, plain
from research.report.tree import inline_runs

MAX_ROWS = 2000
"""Rows of one table on paper; 10,000 take a gigabyte to typeset."""

CHART_ROWS = 30
"""Rows that are printed of the data of a chart that cannot be drawn."""

PAGE_MEASURE = 105
"""Characters in small type across a page; a table that needs more is set on a turned page."""

LINE = 88
"""Characters in the type of tables across an upright page."""

MAX_COLUMNS = 12
"""A table with more columns is cut into several, each with the first column."""

LONG_RUN = 40
"""Characters of ASCII without a space that get break points in running text."""

_CUT = re.compile(r"[/._?&=,;:|-](?=\w)|[^/._?&=,;:|-]{16}(?=[\x21-\x7e]{4})")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
_NUMERIC = re.compile(
    r"[\s$€£¥]*[-−+(]?[\s$€£¥]*\d[\d,. ]*\s?(?:%|[A-Za-z万亿元]{0,3})\)?|[-–—]|n/?a|"
)
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_HAN = re.compile(r"[\u3400-\u9fff]")


def lay_out(
    blocks: list[Node],
    evidence: Evidence,
    language: Language,
) -> list[Node]:
    """The blocks of a report as the template reads them."""
    out: list[Node] = []
    for block in blocks:
        if block["t"] == "figure":
            out.append(_figure(evidence.charts[block["chart"]], block["alt"], evidence, language))
        elif block["t"] == "table":
            _add_tables(out, _tables(block, language))
        else:
            out.append(_nested(block, language))
    return out


def clean(value: Any) -> Any:
    """``value`` without control characters, and with break points in long words."""
    if isinstance(value, str):
        return breakable(_CONTROL.sub("", value))
    if isinstance(value, list):
        return [clean(each) for each in value]
    if isinstance(value, dict):
        raw = ("href", "chart", "t", "lang")
        return {
            key: _CONTROL.sub("", each) if key in raw and isinstance(each, str) else clean(each)
            for key, each in value.items()
        }
    return value


def breakable(words: str, longest: int = LONG_RUN) -> str:
    """``words`` with break points in runs of ASCII of more than ``longest`` characters.

    Only there, because whoever copies or searches such a run meets the break points.
    """
    run = rf"[\x21-\x7e]{{{longest},}}"
    return re.sub(run, lambda found: _CUT.sub("\\g<0>\u200b", found[0]), words)


def script(words: str, language: Language) -> str:
    """Whose shapes and punctuation ``words`` need: those of ``zh``, ``ja``, ``ko`` or ``en``."""
    han, kana, hangul = (len(kind.findall(words)) for kind in (_HAN, _KANA, _HANGUL))
    if kana * 5 > han + kana:
        return "ja"
    if hangul > han:
        return "ko"
    share = 0 if language == "zh" else len(words) // 5
    return "zh" if han > share else "en"


def data_table(chart: Chart, cap: int, language: Language) -> Node | None:
    """The first ``cap`` rows behind a chart as a table, or None where none were kept."""
    if not chart.rows or not chart.columns:
        return None
    rows = [[_cell(value) for value in row[: len(chart.columns)]] for row in chart.rows[:cap]]
    table: Node = {
        "t": "table",
        "align": [""] * len(chart.columns),
        "head": [_cell(name) for name in chart.columns],
        "rows": [row + [[]] * (len(chart.columns) - len(row)) for row in rows],
    }
    if len(chart.rows) > cap:
        table["note"] = text("report.rows_left", language, count=len(chart.rows) - cap)
    return table


def _cell(value: Any) -> list[Node]:
    return [{"t": "text", "text": cell_words(value)}]


def cell_words(value: object) -> str:
    """A cell of a table as text; a whole number may be a year and goes without commas."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:,.10g}" if abs(value) >= 10_000 else f"{value:.10g}"
    return str(value)


def _nested(block: Node, language: Language) -> Node:
    """A block that is no table, with the tables within it capped."""
    here = dict(block)
    if block["t"] == "quote":
        here["c"] = [_nested(each, language) for each in block["c"]]
    elif block["t"] == "list":
        here["c"] = [[_nested(each, language) for each in item] for item in block["c"]]
    elif block["t"] == "table":
        here = _tables(block, language)[0]
    words = "".join(plain(run) for run in inline_runs([block])) or block.get("text", "")
    here["lang"] = script(words[:4000], language)
    return here


def _tables(block: Node, language: Language) -> list[Node]:
    """One table, or several where it has too many columns for any page."""
    room = max(12, LINE // len(block["head"]))
    head, *rows = (
        [_broken(cell, room) for cell in row] for row in [block["head"], *block["rows"][:MAX_ROWS]]
    )
    note = block.get("note", "")
    if len(block["rows"]) > MAX_ROWS:
        note = text("report.rows_left", language, count=len(block["rows"]) - MAX_ROWS)
    align = [
        given or ("right" if _is_numeric([row[index] for row in rows]) else "left")
        for index, given in enumerate(block["align"])
    ]
    out = []
    for columns in _column_groups(len(head)):
        part = {
            "t": "table",
            "align": [align[i] for i in columns],
            "head": [head[i] for i in columns],
            "rows": [[row[i] for i in columns] for row in rows],
            "note": note,
        }
        longest = _longest([part["head"], *part["rows"][:200]])
        part["widths"] = _widths(longest)
        part["turned"] = _needed(longest) > PAGE_MEASURE
        words = " ".join(plain(cell) for row in [part["head"], *part["rows"][:20]] for cell in row)
        part["lang"] = script(words, language)
        out.append(part)
    return out


def _broken(inlines: list[Node], longest: int) -> list[Node]:
    """The inlines of a cell with break points in what is longer than its column."""
    out = []
    for part in inlines:
        if "c" in part:
            out.append({**part, "c": _broken(part["c"], longest)})
        elif "text" in part:
            out.append({**part, "text": breakable(part["text"], longest)})
        else:
            out.append(part)
    return out


def _column_groups(count: int) -> list[list[int]]:
    if count <= MAX_COLUMNS:
        return [list(range(count))]
    room = MAX_COLUMNS - 1
    return [[0, *range(at, min(at + room, count))] for at in range(1, count, room)]


def _is_numeric(cells: list[list[Node]]) -> bool:
    shown = [plain(cell).strip() for cell in cells]
    return any(shown) and all(_NUMERIC.fullmatch(each) for each in shown)


def _longest(rows: list[list[list[Node]]]) -> list[float]:
    """The longest cell of each column, in characters."""
    return [max(_measure(plain(row[index])) for row in rows) for index in range(len(rows[0]))]


def _needed(longest: list[float]) -> float:
    """The characters a table needs across, where long cells may go on over several lines."""
    return sum(min(12.0, length) + 3 for length in longest)


def _widths(longest: list[float]) -> list[float]:
    """The share of the width that each column wants, or nothing where all fits as it is."""
    if sum(longest) + 3 * len(longest) <= LINE:
        return []
    return [min(40.0, max(6.0, length)) ** 0.75 for length in longest]


def _measure(words: str) -> float:
    return sum(2.0 if ord(char) > 0x2E7F else 1.0 for char in words[:200])


def _add_tables(out: list[Node], tables: list[Node]) -> None:
    for table in tables:
        if not table["turned"]:
            out.append(table)
            continue
        heading = [out.pop()] if out and out[-1]["t"] == "heading" else []
        if out and out[-1]["t"] == "turned" and not heading:
            out[-1]["c"].append(table)
        else:
            out.append({"t": "turned", "c": [*heading, table]})


def _figure(chart: Chart, alt: str, evidence: Evidence, language: Language) -> Node:
    table = data_table(chart, CHART_ROWS, language)
    return {
        "t": "figure",
        "chart": chart.id,
        "alt": alt or chart.alt or chart.title,
        "caption": chart.title,
        "credit": credit(chart, evidence, language),
        "tables": _tables(table, language) if table else [],
        "lang": script(chart.title, language),
    }
