"""Drawing the traces of one plotting area: lines, areas, points, bars, boxes and heat maps."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from research.report.charts.figure import UndrawableError, colormap, colour, values, words
from research.report.charts.scales import Scale, fill_template, number

MAX_LABELS = 40
"""Bars with more values than this carry no figures: they would lie on each other."""

_DASHES = {"dash": "--", "dot": ":", "dashdot": "-.", "longdash": (0, (8, 3)), "longdashdot": "-."}
_MARKERS = {"square": "s", "diamond": "D", "cross": "P", "x": "X", "star": "*", "circle": "o"}
_STEPS = {"hv": "steps-post", "vh": "steps-pre", "hvh": "steps-mid"}


@dataclass
class Canvas:
    """Where traces of one area are drawn."""

    axes: Any
    """Matplotlib axes that carry the trace's values."""
    x: Scale
    y: Scale
    layout: dict[str, Any]


Trace = dict[str, Any]


def trace_colour(trace: Trace, default: Any) -> Any:
    """The one colour of a trace."""
    marker, line = trace.get("marker") or {}, trace.get("line") or {}
    return colour(marker.get("color")) or colour(line.get("color")) or default


def points(trace: Trace) -> tuple[list[Any], list[Any]]:
    """The x and y values of a trace; the one that is missing counts from 0."""
    x, y = values(trace.get("x")), values(trace.get("y"))
    if not x:
        x = [number(trace.get("x0") or 0) + i * number(trace.get("dx") or 1) for i in range(len(y))]
    if not y:
        y = [number(trace.get("y0") or 0) + i * number(trace.get("dy") or 1) for i in range(len(x))]
    length = min(len(x), len(y))
    return x[:length], y[:length]


# ---------------------------------------------------------------- lines and points


def draw_scatter(canvas: Canvas, trace: Trace, shade: Any, below: Any, rows: dict[str, Any]) -> Any:
    """Draw a line, an area or a cloud of points.

    Args:
        canvas: Where.
        trace: The trace.
        shade: Its colour.
        below: Positions of the trace before it, for an area that is filled down to it.
        rows: Running sums of stacked areas by stack; updated here.

    Returns:
        The positions drawn, ``(x, y)``.
    """
    import numpy as np

    x_data, y_data = points(trace)
    x, y = np.array(canvas.x.at(x_data)), np.array(canvas.y.at(y_data))
    mode = str(trace.get("mode") or ("lines+markers" if len(x) <= 20 else "lines"))
    base = _base(trace, x, y, below, rows)
    if base is not None:
        low, y = base
        fill = colour(trace.get("fillcolor"))
        canvas.axes.fill_between(
            x, low, y, color=fill or shade, alpha=None if fill else 0.5, linewidth=0
        )
    if "lines" in mode:
        line = trace.get("line") or {}
        canvas.axes.plot(
            x,
            y,
            color=shade,
            linewidth=min(4.0, number(line.get("width") or 2) * 0.8),
            linestyle=_DASHES.get(str(line.get("dash")), "-"),
            drawstyle=_STEPS.get(str(line.get("shape")), "default"),
            rasterized=len(x) > 5000,
        )
    if "markers" in mode:
        _markers(canvas, trace, x, y, shade)
    _errors(canvas, trace, x, y, shade)
    if "text" in mode:
        _labels_at(canvas, trace, x, y)
    return x, y


def _base(trace: Trace, x: Any, y: Any, below: Any, rows: dict[str, Any]) -> Any:
    """The lower edge of an area and its upper one, or None for a trace that fills nothing."""
    import numpy as np

    stack = trace.get("stackgroup")
    if stack:
        totals = rows.setdefault(str(stack), {})
        low = np.array([totals.get(at, 0.0) for at in x])
        high = low + np.nan_to_num(y)
        totals.update(zip(x, high, strict=True))
        return low, high
    fill = str(trace.get("fill") or "none")
    if fill == "tozeroy":
        return np.zeros_like(y), y
    if fill == "tonexty" and below is not None and len(below[0]) == len(x):
        return below[1], y
    if fill in ("none", "tonexty"):
        return None
    raise UndrawableError("fill")


def _markers(canvas: Canvas, trace: Trace, x: Any, y: Any, shade: Any) -> None:
    marker = trace.get("marker") or {}
    size = marker.get("size", 6)
    if isinstance(size, list | dict):
        sizes = [max(0.0, number(value)) for value in values(size)][: len(x)]
        ref = number(marker.get("sizeref") or 1) or 1.0
        area = marker.get("sizemode") == "area"
        spans = [math.sqrt(one / ref) if area else one / ref for one in sizes]
    else:
        spans = [number(size)] * len(x)
    kinds: dict[str, Any] = {"c": [shade]}
    shades = marker.get("color")
    if isinstance(shades, list | dict):
        data = values(shades)[: len(x)]
        if all(colour(value) for value in data):
            kinds = {"c": [colour(value) for value in data]}
        else:
            kinds = {"c": [number(value) for value in data], "cmap": _scale_of(canvas, marker)}
    symbol = str(marker.get("symbol") or "circle").removesuffix("-open")
    drawn = canvas.axes.scatter(
        x,
        y,
        s=[(span * 0.8) ** 2 for span in spans],
        marker=_MARKERS.get(symbol, "o"),
        alpha=number(marker.get("opacity") or trace.get("opacity") or 1),
        linewidths=0.4,
        edgecolors="white",
        zorder=3,
        rasterized=len(x) > 2000,
        **kinds,
    )
    if "cmap" in kinds and (marker.get("showscale") or marker.get("coloraxis")):
        _colorbar(canvas, drawn, marker)


def _errors(canvas: Canvas, trace: Trace, x: Any, y: Any, shade: Any) -> None:
    error = trace.get("error_y") or {}
    spread = values(error.get("array"))[: len(x)]
    if len(spread) == len(x) and spread:
        size = [number(value) for value in spread]
        canvas.axes.errorbar(x, y, yerr=size, fmt="none", ecolor=shade, elinewidth=1, capsize=3)


def _labels_at(canvas: Canvas, trace: Trace, x: Any, y: Any) -> None:
    for index, label in enumerate(labels(trace, len(x))[:MAX_LABELS]):
        if label and math.isfinite(x[index]) and math.isfinite(y[index]):
            canvas.axes.annotate(
                label, (x[index], y[index]), (0, 5), textcoords="offset points", ha="center", size=8
            )


def labels(trace: Trace, count: int) -> list[str]:
    """What is written at each of ``count`` points; empty strings where nothing is."""
    template, text = trace.get("texttemplate"), trace.get("text")
    texts = values(text) if isinstance(text, list | dict) else [text] * count
    if template is None:
        return [words(value) for value in texts[:count]]
    x, y = points(trace)
    horizontal = trace.get("orientation") == "h"
    out = []
    for index in range(count):
        fields = {"x": x[index], "y": y[index], "value": (x if horizontal else y)[index]}
        fields["text"] = texts[index] if index < len(texts) else ""
        out.append(fill_template(str(template), fields))
    return out


# ---------------------------------------------------------------- boxes, heat maps


def draw_box(canvas: Canvas, traces: list[Trace], shades: list[Any]) -> None:
    """Draw box plots, side by side where several traces share a category."""
    upright = all(trace.get("orientation") != "h" for trace in traces)
    across = canvas.x if upright else canvas.y
    if across.kind not in ("category", "number"):
        raise UndrawableError("boxes")
    width = 0.7 / len(traces) if canvas.layout.get("boxmode") == "group" else 0.5
    for index, (trace, shade) in enumerate(zip(traces, shades, strict=True)):
        groups = _box_groups(trace, across, upright)
        shift = (index - (len(traces) - 1) / 2) * width if width < 0.5 and len(groups) > 1 else 0
        canvas.axes.boxplot(
            list(groups.values()),
            positions=[at + shift for at in groups],
            widths=width * 0.85,
            orientation="vertical" if upright else "horizontal",
            patch_artist=True,
            manage_ticks=False,
            boxprops={"facecolor": shade, "alpha": 0.55, "edgecolor": shade},
            medianprops={"color": "#11141a"},
            whiskerprops={"color": shade},
            capprops={"color": shade},
            flierprops={"marker": "o", "markersize": 3, "markeredgecolor": shade},
        )


def _box_groups(trace: Trace, across: Scale, upright: bool) -> dict[float, list[float]]:
    amounts = [number(value) for value in values(trace.get("y" if upright else "x"))]
    at = values(trace.get("x" if upright else "y")) or [trace.get("name") or ""] * len(amounts)
    groups: dict[float, list[float]] = {}
    for place, amount in zip(across.at(at), amounts, strict=False):
        if math.isfinite(place) and math.isfinite(amount):
            groups.setdefault(place, []).append(amount)
    if not groups:
        raise UndrawableError("empty box")
    return groups


def draw_heatmap(canvas: Canvas, trace: Trace) -> None:
    """Draw a heat map with its colour bar, and its values where the figure writes them."""
    import numpy as np

    z = np.array([[number(value) for value in values(row)] for row in values(trace.get("z"))])
    if z.ndim != 2 or not z.size:
        raise UndrawableError("heat map")
    x = canvas.x.at(values(trace.get("x")) or range(z.shape[1]))
    y = canvas.y.at(values(trace.get("y")) or range(z.shape[0]))
    settings = _color_settings(canvas, trace)
    drawn = canvas.axes.pcolormesh(
        _edges(x, z.shape[1]),
        _edges(y, z.shape[0]),
        z,
        cmap=colormap(settings.get("colorscale")),
        vmin=settings.get("cmin", trace.get("zmin")),
        vmax=settings.get("cmax", trace.get("zmax")),
        rasterized=True,
    )
    canvas.axes.grid(False)
    if trace.get("showscale") is not False:
        _colorbar(canvas, drawn, trace)
    if z.size <= 400 and (trace.get("texttemplate") or trace.get("text")):
        _write_cells(canvas, trace, drawn, z, (x, y))


def _write_cells(
    canvas: Canvas, trace: Trace, drawn: Any, z: Any, at: tuple[list[float], list[float]]
) -> None:
    text = [values(row) for row in values(trace.get("text"))]
    template = str(trace.get("texttemplate") or "%{text}")
    for row in range(z.shape[0]):
        for column in range(z.shape[1]):
            own = text[row][column] if row < len(text) and column < len(text[row]) else ""
            fields = {"z": float(z[row, column]), "text": own}
            red, green, blue, _ = drawn.cmap(drawn.norm(z[row, column]))
            dark = 0.3 * red + 0.6 * green + 0.1 * blue < 0.5
            canvas.axes.text(
                at[0][column],
                at[1][row],
                fill_template(template, fields),
                ha="center",
                va="center",
                size=8,
                color="white" if dark else "#11141a",
            )


def _edges(at: list[float], count: int) -> list[float]:
    if len(at) == count + 1:
        return at
    if len(at) != count or any(not math.isfinite(place) for place in at):
        raise UndrawableError("heat map axis")
    if count == 1:
        return [at[0] - 0.5, at[0] + 0.5]
    middles = [(low + high) / 2 for low, high in pairwise(at)]
    return [2 * at[0] - middles[0], *middles, 2 * at[-1] - middles[-1]]


def _color_settings(canvas: Canvas, holder: dict[str, Any]) -> dict[str, Any]:
    """The colour axis that ``holder`` (a marker or a trace) uses, or its own settings."""
    return canvas.layout.get(str(holder.get("coloraxis"))) or holder


def _scale_of(canvas: Canvas, holder: dict[str, Any]) -> Any:
    return colormap(_color_settings(canvas, holder).get("colorscale"))


def _colorbar(canvas: Canvas, drawn: Any, holder: dict[str, Any]) -> None:
    settings = _color_settings(canvas, holder)
    bar = canvas.axes.figure.colorbar(drawn, ax=canvas.axes, pad=0.02, fraction=0.05)
    bar.outline.set_visible(False)
    bar.set_label(words((settings.get("colorbar") or {}).get("title")))
