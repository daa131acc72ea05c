"""The data behind a chart on a slide, as the rows of a table."""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from research.knowledge.readers.cleaning import clean
from research.knowledge.readers.columns import shown

MOST_POINTS = 10_000


def chart_table(chart: Any) -> tuple[str, list[list[str]]]:
    """The title of a chart of python-pptx, and its data: a column for each series.

    Raises:
        ValueError, KeyError, AttributeError, NotImplementedError: There are none that are known.
    """
    title = ""
    if chart.has_title and chart.chart_title.has_text_frame:
        title = clean(chart.chart_title.text_frame.text.replace("\n", " "))
    rows: list[list[str]] = []
    for plot in chart.plots:
        series = list(plot.series)
        categories = [clean(str(label)) for label in plot.categories][:MOST_POINTS]
        if categories:
            columns = [categories, *([shown(v) for v in line.values] for line in series)]
            header = ["", *(clean(line.name) for line in series)]
        else:  # points rather than bars: two columns for each series
            columns, header = [], []
            for line in series:
                columns += [_points(line, "xVal"), _points(line, "yVal")]
                header += [f"{clean(line.name)} X".strip(), f"{clean(line.name)} Y".strip()]
        rows += [header, *map(list, zip_longest(*columns, fillvalue=""))]
    return title, rows


def _points(series: Any, axis: str) -> list[str]:
    """What is written down for one axis of a series."""
    points = series._element.xpath(f"./c:{axis}//c:pt/c:v")
    return [shown(_number(point.text or "")) for point in points[:MOST_POINTS]]


def _number(written: str) -> float | str:
    try:
        return float(written)
    except ValueError:
        return clean(written)
