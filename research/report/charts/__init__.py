"""Plotly figures drawn on paper by Matplotlib, for files that cannot carry a live chart.

Bars, lines, areas, points, pies, histograms, boxes and heat maps, on number, date, category and
logarithmic axes, with facets and a second value axis. What is not among these is not drawn at
all, since half a chart misleads: the caller then prints the data behind it.
"""

from __future__ import annotations

import io
from typing import Any, Literal

from research.models import Language
from research.report.charts.figure import MAX_TRACES, UndrawableError
from research.report.charts.page import draw_figure
from research.report.fonts import style

Picture = Literal["svg", "png"]

PNG_DPI = 200


def draw(
    figure: dict[str, Any], form: Picture, language: Language, caption: str = ""
) -> bytes | None:
    """Draw ``figure``.

    Matplotlib's settings belong to the whole process, so this is called in the process that
    makes exports (see :mod:`research.report.press`), one chart at a time.

    Args:
        figure: Plotly's ``{"data": [...], "layout": {...}}``.
        form: SVG, or PNG at 200 dots an inch.
        language: For the way large numbers and dates are written.
        caption: Printed by the caller; a title of the figure that says the same is left out.

    Returns:
        The picture, or None where the figure cannot be drawn.
    """
    import matplotlib as mpl

    traces = figure.get("data") or []
    if not 0 < len(traces) <= MAX_TRACES:
        return None
    out = io.BytesIO()
    # A figure comes from a program that a model wrote, and may be malformed in any way.
    try:
        with mpl.rc_context(style()):
            drawn = draw_figure(traces, dict(figure.get("layout") or {}), language, caption)
            drawn.savefig(
                out, format=form, dpi=PNG_DPI, metadata={"Date": None} if form == "svg" else {}
            )
    except (UndrawableError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        return None
    return out.getvalue()
