"""Pies and rings."""

from __future__ import annotations

import math
from typing import Any

from research.report.charts.figure import UndrawableError, colorway, colour, values, words
from research.report.charts.scales import number

MAX_SLICES = 24


def draw_pies(figure: Any, traces: list[dict[str, Any]], layout: dict[str, Any]) -> None:
    """Draw each pie on axes of its own, side by side, with one legend for all.

    Raises:
        UndrawableError: Too many pies or slices, or nothing to share out.
    """
    if len(traces) > 4:
        raise UndrawableError("pies")
    way = colorway(layout)
    shades: dict[str, Any] = {}
    cells = figure.subplots(1, len(traces), squeeze=False)[0]
    wedges: dict[str, Any] = {}
    for axes, trace in zip(cells, traces, strict=True):
        shares = _shares(trace)
        own = [colour(value) for value in values((trace.get("marker") or {}).get("colors"))]
        for index, name in enumerate(shares):
            given = own[index] if index < len(own) else None
            shades.setdefault(name, given or way[len(shades) % len(way)])
        hole = min(0.9, max(0.0, number(trace.get("hole") or 0)))
        drawn = axes.pie(
            list(shares.values()),
            colors=[shades[name] for name in shares],
            autopct=lambda share: f"{share:.1f}%" if share >= 3 else "",
            pctdistance=1 - (1 - hole) / 2 if hole else 0.62,
            startangle=90,
            counterclock=False,
            wedgeprops={"width": 1 - hole, "edgecolor": "white", "linewidth": 1},
            textprops={"size": 8},
        )
        wedges.update(zip(shares, drawn[0], strict=True))
        if len(traces) > 1:
            axes.set_title(words(trace.get("title")) or words(trace.get("name")), size=9)
    figure.legend(list(wedges.values()), [name[:40] for name in wedges], loc="outside right center")


def _shares(trace: dict[str, Any]) -> dict[str, float]:
    """Size of each slice by its label, largest first unless the figure keeps its order."""
    names, sizes = values(trace.get("labels")), values(trace.get("values"))
    if not sizes:
        sizes = [1.0] * len(names)
    shares: dict[str, float] = {}
    for index, size in enumerate(sizes):
        name = words(names[index]) if index < len(names) else str(index)
        shares[name] = shares.get(name, 0.0) + number(size)
    if not 0 < len(shares) <= MAX_SLICES or not all(
        math.isfinite(size) and size >= 0 for size in shares.values()
    ):
        raise UndrawableError("slices")
    if trace.get("sort") is False:
        return shares
    return dict(sorted(shares.items(), key=lambda item: -item[1]))
