"""The whole chart: its areas in a grid, axes, legend, notes and lines across."""

from __future__ import annotations

import math
from typing import Any

from research.models import Language
from research.report.charts.bars import draw_bars, histogram_bars
from research.report.charts.figure import (
    Panel,
    UndrawableError,
    axis,
    colorway,
    colour,
    grid,
    notes,
    panels,
    values,
    words,
)
from research.report.charts.pie import draw_pies
from research.report.charts.scales import Scale, make_scale, number
from research.report.charts.ticks import dress
from research.report.charts.traces import (
    Canvas,
    Trace,
    draw_box,
    draw_heatmap,
    draw_scatter,
    trace_colour,
)
from research.report.fonts import INK

WIDTH = 6.7
"""Inches; the width of the text on the page."""

HEIGHT = 3.2
"""Inches, of a chart with one area."""

_SERIES = ("scatter", "scattergl", "bar", "box", "heatmap")


def kind_of(trace: Trace) -> str:
    """The type of a trace; Plotly takes one that is not named for points or lines."""
    return str(trace.get("type") or "scatter")


def has_drawn_kinds(traces: list[Trace]) -> bool:
    """Whether all traces are of types that are drawn on paper, and may be drawn together."""
    kinds = {kind_of(trace) for trace in _shown(traces)}
    if kinds & {"pie", "histogram"}:
        return len(kinds) == 1
    return bool(kinds) and kinds <= set(_SERIES)


def _shown(traces: list[Trace]) -> list[Trace]:
    return [trace for trace in traces if trace.get("visible") not in (False, "legendonly")]


def draw_figure(
    traces: list[Trace], layout: dict[str, Any], language: Language, caption: str
) -> Any:
    """A Matplotlib figure of ``traces``.

    Raises:
        UndrawableError: There is a trace or an axis that is not drawn on paper.
    """
    from matplotlib.figure import Figure

    if not has_drawn_kinds(traces):
        raise UndrawableError("trace type")
    shown = _shown(traces)
    figure = Figure(figsize=(WIDTH, HEIGHT), layout="constrained")
    if kind_of(shown[0]) == "pie":
        draw_pies(figure, shown, layout)
    else:
        _draw_series(figure, shown, layout, language)
    title = words(layout.get("title"))
    if title and title.casefold() != caption.strip().casefold():
        figure.suptitle(title, x=0.01, ha="left", size=11, weight="regular")
    return figure


def _draw_series(
    figure: Any, traces: list[Trace], layout: dict[str, Any], language: Language
) -> None:
    traces = _bars_of_histograms(traces, layout)
    shades = _assign_colours(traces, layout)
    areas = panels(traces, layout)
    rows, columns = grid(areas)
    lying = any(trace.get("type") == "bar" and trace.get("orientation") == "h" for trace in traces)
    figure.set_figheight(min(9.0, max(HEIGHT, 2.5 * rows)))
    cells = figure.subplots(rows, columns, squeeze=False)
    drawn = {(area.row, area.column) for area in areas}
    for row in range(rows):
        for column in range(columns):
            cells[row][column].set_visible((row, column) in drawn)
    for area in areas:
        axes = cells[area.row][area.column]
        scales = _draw_area(axes, area, layout, shades, language)
        if lying and scales.kind == "category":
            needed = 1.2 + 0.28 * len(scales.categories) * rows
            figure.set_figheight(min(9.0, max(figure.get_figheight(), needed)))
        _name_area(axes, area, layout, (rows, columns))
    _match_ranges({area.y: cells[area.row][area.column] for area in areas}, layout, "y")
    _match_ranges({area.x: cells[area.row][area.column] for area in areas}, layout, "x")
    _legend(figure, traces, shades, layout)


def _match_ranges(drawn: dict[str, Any], layout: dict[str, Any], along: str) -> None:
    """Give facets that Plotly ties together one common range."""
    groups: dict[str, list[Any]] = {}
    for name, axes in drawn.items():
        groups.setdefault(str(axis(layout, name).get("matches") or name), []).append(axes)
    for group in groups.values():
        ends = [getattr(axes, f"get_{along}lim")() for axes in group]
        turned = ends[0][0] > ends[0][1]
        low, high = min(map(min, ends)), max(map(max, ends))
        high += (high - low) * 0.04 if len(group) > 1 else 0
        for axes in group:
            getattr(axes, f"set_{along}lim")(*((high, low) if turned else (low, high)))


def _bars_of_histograms(traces: list[Trace], layout: dict[str, Any]) -> list[Trace]:
    histograms = any(kind_of(trace) == "histogram" for trace in traces)
    return histogram_bars(traces, layout) if histograms else traces


def _assign_colours(traces: list[Trace], layout: dict[str, Any]) -> dict[int, Any]:
    way = colorway(layout)
    return {id(trace): trace_colour(trace, way[i % len(way)]) for i, trace in enumerate(traces)}


def _draw_area(
    axes: Any, area: Panel, layout: dict[str, Any], shades: dict[int, Any], language: Language
) -> Scale:
    """Draw one area and both of its value axes; the scale of the y axis."""
    first = [t for t in area.traces if str(t.get("yaxis") or "y") == area.y]
    second = [t for t in area.traces if t not in first]
    x = _scale(layout, area.x, area.traces, "x")
    y = _scale(layout, area.y, first, "y")
    dress(axes, x, y, language)
    _draw_traces(Canvas(axes, x, y, layout), first, shades)
    if area.y2 and second:
        right = axes.twinx()
        y2 = _scale(layout, area.y2, second, "y")
        dress(right, x, y2, language, second=True)
        _draw_traces(Canvas(right, x, y2, layout), second, shades)
    _lines_across(axes, area, layout, x, y)
    _notes(axes, area, layout, x, y)
    return y


def _scale(layout: dict[str, Any], name: str, traces: list[Trace], along: str) -> Scale:
    data: list[Any] = []
    amounts: list[Any] = []
    other = "y" if along == "x" else "x"
    for trace in traces:
        here, there = values(trace.get(along)), values(trace.get(other))
        if not here and trace.get("type") == "box" and there:
            here = [str(trace.get("name") or "")] * len(there)
            if trace.get("orientation") == ("v" if along == "y" else "h"):
                here = []
        data += here
        amounts += there[: len(here)] + [None] * (len(here) - len(there))
    return make_scale(axis(layout, name), data, amounts)


def _draw_traces(canvas: Canvas, traces: list[Trace], shades: dict[int, Any]) -> None:
    bars = [trace for trace in traces if trace.get("type") == "bar"]
    boxes = [trace for trace in traces if trace.get("type") == "box"]
    if bars:
        draw_bars(canvas, bars, [shades[id(trace)] for trace in bars])
    if boxes:
        draw_box(canvas, boxes, [shades[id(trace)] for trace in boxes])
    below: Any = None
    stacks: dict[str, Any] = {}
    for trace in traces:
        kind = str(trace.get("type") or "scatter")
        if kind == "heatmap":
            draw_heatmap(canvas, trace)
        elif kind.startswith("scatter"):
            below = draw_scatter(canvas, trace, shades[id(trace)], below, stacks)


def _lines_across(axes: Any, area: Panel, layout: dict[str, Any], x: Scale, y: Scale) -> None:
    """Straight lines over the width or height of an area; other shapes are decoration."""
    for shape in layout.get("shapes") or []:
        line = shape.get("line") or {}
        look = {
            "color": colour(line.get("color")) or INK,
            "linewidth": min(3.0, number(line.get("width") or 1.5) * 0.8),
            "linestyle": "--" if line.get("dash") else "-",
        }
        if shape.get("type") != "line":
            continue
        if shape.get("yref") == area.y and shape.get("y0") == shape.get("y1"):
            axes.axhline(y.at([shape.get("y0")])[0], **look)
        elif shape.get("xref") == area.x and shape.get("x0") == shape.get("x1"):
            axes.axvline(x.at([shape.get("x0")])[0], **look)


def _notes(axes: Any, area: Panel, layout: dict[str, Any], x: Scale, y: Scale) -> None:
    for note in notes(layout):
        if note.get("xref", "paper") != area.x or note.get("yref", "paper") != area.y:
            continue
        at = (x.at([note.get("x")])[0], y.at([note.get("y")])[0])
        if not all(math.isfinite(place) for place in at):
            continue
        arrow = note.get("showarrow", True) is not False
        axes.annotate(
            words(note["text"]),
            at,
            (number(note.get("ax") or 0) * 0.7, -number(note.get("ay") or -30) * 0.7)
            if arrow
            else (0, 3),
            textcoords="offset points",
            ha="center",
            size=8,
            arrowprops={"arrowstyle": "-", "color": INK, "linewidth": 0.7} if arrow else None,
        )


def _name_area(axes: Any, area: Panel, layout: dict[str, Any], shape: tuple[int, int]) -> None:
    """Give a facet its title, which Plotly keeps as a note over the middle of its column."""
    if shape == (1, 1):
        return
    x_domain = axis(layout, area.x).get("domain") or [0, 1]
    y_domain = axis(layout, area.y).get("domain") or [0, 1]
    middle = sum(x_domain) / 2
    for note in notes(layout):
        over = abs(number(note.get("y")) - y_domain[1]) < 0.03
        if note.get("xref") == "paper" and over and abs(number(note.get("x")) - middle) < 0.02:
            axes.set_title(words(note["text"]).rpartition("=")[2], size=9)


def _legend(
    figure: Any, traces: list[Trace], shades: dict[int, Any], layout: dict[str, Any]
) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    entries: dict[str, Any] = {}
    for trace in traces:
        name = words(trace.get("name"))
        if name and trace.get("showlegend") is not False and trace.get("type") != "heatmap":
            shade = shades[id(trace)]
            line = str(trace.get("type") or "scatter").startswith("scatter")
            area = trace.get("stackgroup") or trace.get("fill", "none") != "none"
            mark = (
                Line2D([], [], color=shade, linewidth=2)
                if line and not area
                else Patch(color=shade)
            )
            entries.setdefault(name[:60], mark)
    wanted = layout.get("showlegend")
    if wanted is False or not entries or (len(entries) == 1 and not wanted):
        return
    across = len(entries) <= 8 and sum(map(len, entries)) <= 90
    figure.legend(
        list(entries.values()),
        list(entries),
        title=words((layout.get("legend") or {}).get("title")) or None,
        loc="outside lower center" if across else "outside right upper",
        ncols=min(len(entries), 6) if across else 1,
        title_fontsize=8,
        alignment="left",
        handlelength=1.4,
        columnspacing=1.4,
    )
