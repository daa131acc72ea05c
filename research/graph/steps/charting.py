"""The charts of a step made fit for every reader: titled, described, and of a kind that all draw.

What a chart lacks is told to whoever wrote its code; what is lacking after that is added here
from the figures behind it, and a chart that a file could not show becomes a table of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any

from research.calculations import ResultTable
from research.i18n import text
from research.models import Language, Notice
from research.report.charts.figure import axis, words
from research.report.charts.page import has_drawn_kinds, kind_of
from research.sandbox.figure import figure_title
from research.sandbox.job import Artefact

TABLE_ROWS = 200
"""Of the figures of a chart that becomes a table."""

_CONTENT = ("labels", "locations", "ids", "names", "parents", "lat", "lon", "r", "theta")
_VALUES = ("x", "y", "z", "values", "open", "high", "low", "close")


@dataclass(frozen=True)
class Taken:
    """What is taken over of the charts and tables that code made."""

    charts: tuple[Artefact, ...]
    tables: tuple[ResultTable, ...]
    notices: tuple[Notice, ...] = ()


def faults(charts: Iterable[Artefact]) -> list[str]:
    """What is to be mended in ``charts``, in English, for whoever writes the code again."""
    return [fault for chart in charts for fault in _faults(chart)]


def take_over(
    charts: Iterable[Artefact], tables: Iterable[Artefact], title: str, language: Language
) -> Taken:
    """The charts completed, those that cannot be drawn everywhere as tables, and the tables.

    Args:
        charts: As the code made them.
        tables: As the code made them.
        title: Of a chart that has none.
        language: Of what is added.
    """
    drawn, made, notices = [], [], []
    for chart in charts:
        if _drawable(chart):
            drawn.append(_completed(chart, title, language))
            continue
        table = _as_table(chart)
        key = "coder.chart_as_table" if table.rows else "coder.chart_empty"
        notices.append(Notice(key=key, params={"chart": chart.title}, level="warning"))
        made += [table] if table.rows else []
    made += [ResultTable(name=one.name, columns=one.columns, rows=one.rows) for one in tables]
    return Taken(tuple(drawn), tuple(made), tuple(notices))


# ---------------------------------------------------------------- what is lacking


def _faults(chart: Artefact) -> Iterator[str]:
    if not _drawable(chart):
        yield (
            f"out/{chart.name}.json is no bar, line, area, scatter, pie, histogram, box or heatmap "
            "chart with data: not every reader can be shown it."
        )
        return
    if not figure_title(_figure(chart)):
        yield f"out/{chart.name}.json has no title."
    for along in _untitled(chart):
        yield f"out/{chart.name}.json has no title on its {along} axis."
    if not _alt(chart):
        yield f"out/{chart.name}.json has no layout.meta['alt']."


def _figure(chart: Artefact) -> dict[str, Any]:
    return chart.figure or {"data": [], "layout": {}}


def _drawable(chart: Artefact) -> bool:
    traces = _figure(chart)["data"]
    return has_drawn_kinds(traces) and any(_lists(trace) for trace in traces)


def _untitled(chart: Artefact) -> list[str]:
    """The directions, of ``x`` and ``y``, in which no axis that is in use has a title."""
    figure = _figure(chart)
    if all(kind_of(trace) == "pie" for trace in figure["data"]):
        return []
    return [
        along
        for along in ("x", "y")
        if not any(
            words(_dict(axis(figure["layout"], _used(trace, along))).get("title"))
            for trace in figure["data"]
        )
    ]


def _alt(chart: Artefact) -> str:
    return str(_dict(_figure(chart)["layout"].get("meta")).get("alt") or "").strip()


# ---------------------------------------------------------------- adding it


def _completed(chart: Artefact, title: str, language: Language) -> Artefact:
    figure = _figure(chart)
    layout = dict(figure["layout"])
    named = figure_title(figure)
    if not named:
        layout["title"] = {"text": title}
    for along in _untitled(chart):
        said = _axis_title(chart, along, language)
        place = f"{along}axis{_used(figure['data'][0], along)[1:]}"
        layout[place] = {**_dict(layout.get(place)), "title": {"text": said}}
    named = named or title
    alt = _alt(chart) or _described(chart, named, language)
    layout["meta"] = {**_dict(layout.get("meta")), "alt": alt}
    return replace(chart, title=named, figure={**figure, "layout": layout})


def _axis_title(chart: Artefact, along: str, language: Language) -> str:
    """The column of the rows behind the chart that stands along this axis, by its cells."""
    traces = _figure(chart)["data"]
    shown = {_cell(value) for trace in traces for value in _list(trace, along) if _plain(value)}
    shares = [
        len(shown & {_cell(cell) for cell in column}) for column in zip(*chart.rows, strict=True)
    ]
    if shown and shares and max(shares) * 2 > len(shown):
        return chart.columns[shares.index(max(shares))]
    counted = kind_of(traces[0]) == "histogram" and not shown
    names = list(dict.fromkeys(words(trace.get("name")) for trace in traces))
    if not counted and len(names) == 1 and names[0]:
        return names[0]
    return text("coder.count" if counted else f"coder.axis_{along}", language)


def _cell(value: Any) -> Any:
    return float(value) if isinstance(value, int | float) else str(value)


def _described(chart: Artefact, title: str, language: Language) -> str:
    """What the chart shows, from its figures: how many, the smallest and the largest."""
    traces = _figure(chart)["data"]
    kind = text(f"coder.kind_{kind_of(traces[0]).removesuffix('gl')}", language)
    points = [point for trace in traces for point in _points(trace)]
    if not points:
        return text("coder.alt_plain", language, kind=kind, title=title)
    least, most = min(points), max(points)
    return text(
        "coder.alt",
        language,
        kind=kind,
        title=title,
        count=len(points),
        least=_shown(least, language),
        most=_shown(most, language),
    )


def _points(trace: dict[str, Any]) -> list[tuple[float, str]]:
    """The amounts that a trace shows, each with what it belongs to."""
    lying = trace.get("orientation") == "h"
    kind = kind_of(trace)
    amounts, names = _list(trace, "x" if lying else "y"), _list(trace, "y" if lying else "x")
    if kind == "pie":
        amounts, names = _list(trace, "values"), _list(trace, "labels")
    elif kind == "heatmap":
        amounts, names = [cell for row in _list(trace, "z") for cell in _row(row)], []
    elif kind in ("histogram", "box") or not amounts:
        amounts, names = amounts or names, []
    series = words(trace.get("name"))
    found = []
    for amount, name in zip_longest(amounts, names):
        if isinstance(amount, int | float) and math.isfinite(amount):
            said = ", ".join(filter(None, (series, "" if name is None else words(name))))
            found.append((float(amount), said))
    return found


def _shown(point: tuple[float, str], language: Language) -> str:
    amount = f"{point[0]:,.6g}"
    return text("coder.alt_point", language, amount=amount, name=point[1]) if point[1] else amount


# ---------------------------------------------------------------- as a table


def _as_table(chart: Artefact) -> ResultTable:
    """The rows behind a chart, or else what its traces hold."""
    if chart.rows:
        return ResultTable(name=chart.title, columns=chart.columns, rows=chart.rows[:TABLE_ROWS])
    traces = _figure(chart)["data"]
    held = [_lists(trace) for trace in traces]
    keys = list(dict.fromkeys(key for lists in held for key in lists))
    several = len(traces) > 1
    rows: list[tuple[Any, ...]] = []
    for number, (trace, lists) in enumerate(zip(traces, held, strict=True), 1):
        name = words(trace.get("name")) or str(number)
        cells = [lists.get(key, []) for key in keys]
        rows += [((name,) if several else ()) + row for row in zip_longest(*cells)]
    columns = ("series", *keys) if several else tuple(keys)
    return ResultTable(name=chart.title, columns=columns, rows=tuple(rows[:TABLE_ROWS]))


def _lists(trace: dict[str, Any]) -> dict[str, list[Any]]:
    """What a trace holds for each of its points; a grid cell by cell."""
    found = {}
    for key in (*_CONTENT, *_VALUES):
        value = trace.get(key)
        if isinstance(value, list) and value:
            cells = value if _plain(value[0]) else [cell for row in value for cell in _row(row)]
            found[key] = [cell if _plain(cell) else str(cell) for cell in cells]
    return found


def _used(trace: dict[str, Any], along: str) -> str:
    """The axis that a trace is drawn on, ``x2`` say."""
    return str(trace.get(f"{along}axis") or along)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(trace: dict[str, Any], key: str) -> list[Any]:
    value = trace.get(key)
    return value if isinstance(value, list) else []


def _row(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)
