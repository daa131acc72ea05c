"""Bars and histograms: side by side, stacked, over each other, upright or lying."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from research.report.charts.figure import UndrawableError, colour, values
from research.report.charts.scales import number
from research.report.charts.traces import MAX_LABELS, Canvas, Trace, labels, points
from research.report.fonts import FAINT

_AGGREGATES: dict[str, Callable[[list[float]], float]] = {
    "count": len,
    "sum": sum,
    "avg": lambda amounts: sum(amounts) / len(amounts),
    "min": min,
    "max": max,
}


def draw_bars(canvas: Canvas, traces: list[Trace], shades: list[Any]) -> None:
    """Draw all bar traces of one area."""
    upright = all(trace.get("orientation") != "h" for trace in traces)
    mode = str(canvas.layout.get("barmode") or "group")
    slots = _slots(traces) if mode == "group" else [0] * len(traces)
    across = canvas.x if upright else canvas.y
    everywhere = [at for trace in traces for at in across.at(points(trace)[0 if upright else 1])]
    room = _spacing(everywhere) * (1 - number(canvas.layout.get("bargap") or 0.2))
    width = room / (max(slots) + 1)
    heaps = _Heaps(traces, upright, canvas, percent=canvas.layout.get("barnorm") == "percent")
    count = sum(len(points(trace)[0]) for trace in traces)
    (canvas.axes.axhline if upright else canvas.axes.axvline)(0, color=FAINT, linewidth=0.8)
    for trace, shade, slot in zip(traces, shades, slots, strict=True):
        x, y = points(trace)
        at = [place + (slot + 0.5) * width - room / 2 for place in across.at(x if upright else y)]
        size = [number(value) for value in (y if upright else x)]
        low = heaps.put(trace, at, size, stacked=mode in ("stack", "relative"))
        draw = canvas.axes.bar if upright else canvas.axes.barh
        bars = draw(
            at,
            size,
            width,
            low,
            color=_shades(trace, shade, len(at)),
            alpha=number(trace.get("opacity") or (0.6 if mode == "overlay" else 1)),
            edgecolor="white",
            linewidth=0.4,
        )
        if count <= MAX_LABELS and trace.get("textposition") != "none":
            _write(canvas, trace, bars, any(low))


def _shades(trace: Trace, shade: Any, count: int) -> Any:
    own = (trace.get("marker") or {}).get("color")
    if not isinstance(own, list | dict):
        return shade
    shades = [colour(value) for value in values(own)][:count]
    return shades if len(shades) == count and all(shades) else shade


def _write(canvas: Canvas, trace: Trace, bars: Any, stacked: bool) -> None:
    texts = labels(trace, len(bars))
    if not any(texts):
        return
    inside = stacked or trace.get("textposition") == "inside"
    place = {"label_type": "center"} if inside else {"padding": 2}
    canvas.axes.bar_label(bars, texts, size=8, **place)
    canvas.axes.margins(**{"y" if trace.get("orientation") != "h" else "x": 0.12})


def _slots(traces: list[Trace]) -> list[int]:
    """The place of each trace within a group; those of one offset group share it."""
    seen: dict[str, int] = {}
    return [
        seen.setdefault(str(trace.get("offsetgroup") or f"#{index}"), len(seen))
        for index, trace in enumerate(traces)
    ]


def _spacing(at: list[float]) -> float:
    places = sorted({place for place in at if math.isfinite(place)})
    gaps = [high - low for low, high in pairwise(places)]
    return min(gaps) if gaps else 1.0


class _Heaps:
    """How high the bars at each place have grown, upwards and downwards."""

    def __init__(
        self, traces: list[Trace], upright: bool, canvas: Canvas, *, percent: bool
    ) -> None:
        self.tops: dict[tuple[float, bool], float] = {}
        self.totals: dict[float, float] = {}
        if percent:
            scale = canvas.x if upright else canvas.y
            for trace in traces:
                x, y = points(trace)
                for at, size in zip(
                    scale.at(x if upright else y), y if upright else x, strict=True
                ):
                    self.totals[at] = self.totals.get(at, 0.0) + abs(number(size))

    def put(
        self, trace: Trace, at: list[float], size: list[float], *, stacked: bool
    ) -> list[float]:
        """Where bars of ``size`` start; with percentages ``size`` is changed to them."""
        base = trace.get("base")
        if base is not None:
            given = values(base) if isinstance(base, list | dict) else [base] * len(at)
            return [number(value) for value in given][: len(at)]
        if self.totals:
            for index, place in enumerate(at):
                size[index] *= 100 / (
                    self.totals.get(round(place, 6)) or self.totals.get(place) or 1
                )
        if not stacked:
            return [0.0] * len(at)
        low = []
        for place, amount in zip(at, size, strict=True):
            key = (place, amount < 0)
            low.append(self.tops.get(key, 0.0))
            self.tops[key] = low[-1] + (0.0 if math.isnan(amount) else amount)
        return low


def histogram_bars(traces: list[Trace], layout: dict[str, Any]) -> list[Trace]:
    """Histograms as the bars that they are drawn as, over one common set of bins."""
    import numpy as np

    upright = all(trace.get("orientation") != "h" for trace in traces)
    along, other = ("x", "y") if upright else ("y", "x")
    data = [values(trace.get(along)) for trace in traces]
    if any(isinstance(value, str) for part in data for value in part):
        return [_counted(trace, along, other) for trace in traces]
    if any(values(trace.get(other)) for trace in traces):
        raise UndrawableError("histogram of sums over numbers")
    numbers = [np.array([number(value) for value in part]) for part in data]
    everything = np.concatenate([part[np.isfinite(part)] for part in numbers])
    edges = np.histogram_bin_edges(everything, _bins(traces[0], along, everything))
    out = []
    for trace, part in zip(traces, numbers, strict=True):
        counts = np.histogram(part[np.isfinite(part)], edges)[0].astype(float)
        norm = str(trace.get("histnorm") or "")
        if norm in ("percent", "probability") and counts.sum():
            counts *= (100 if norm == "percent" else 1) / counts.sum()
        elif norm:
            raise UndrawableError("histogram norm")
        middles = (edges[:-1] + edges[1:]) / 2
        out.append({**trace, along: middles.tolist(), other: counts.tolist(), "type": "bar"})
    layout.setdefault("bargap", 0.04)
    if layout.get("barmode", "group") == "group":
        layout["barmode"] = "overlay" if len(traces) > 1 else "stack"
    return out


def _bins(trace: Trace, along: str, data: Any) -> Any:
    import numpy as np

    bins = trace.get(f"{along}bins") or {}
    size = number(bins.get("size"))
    if math.isfinite(size) and size > 0 and len(data):
        start = number(bins.get("start", data.min()))
        stop = number(bins.get("end", data.max() + size))
        if (stop - start) / size <= 500:
            return np.arange(start, stop + size / 2, size)
    most = trace.get(f"nbins{along}")
    return max(1, min(500, int(most))) if most else "auto"


def _counted(trace: Trace, along: str, other: str) -> Trace:
    names, amounts = values(trace.get(along)), values(trace.get(other))
    groups: dict[Any, list[float]] = {}
    for index, name in enumerate(names):
        groups.setdefault(name, []).append(number(amounts[index]) if index < len(amounts) else 1.0)
    function = str(trace.get("histfunc") or "count")
    total = _AGGREGATES.get(function)
    if not total:
        raise UndrawableError("histogram function")
    heights = [float(total(group)) for group in groups.values()]
    return {**trace, along: list(groups), other: heights, "type": "bar", "texttemplate": None}
