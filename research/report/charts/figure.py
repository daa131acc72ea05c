"""Reading a Plotly figure: arrays, colours, words and axes as the drawing code wants them."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

COLORWAY = (
    "#636efa", "#ef553b", "#00cc96", "#ab63fa", "#ffa15a",
    "#19d3f3", "#ff6692", "#b6e880", "#ff97ff", "#fecb52",
)  # fmt: skip
"""Plotly's own, for a figure that brings no template."""

MAX_TRACES = 60
MAX_POINTS = 200_000
"""More than this is not drawn on paper; the caller prints the data instead."""

_DTYPES = re.compile(r"[<>|=]?(?:[iuf][1248]|f16|b1?)")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,100}>")
_RGB = re.compile(r"rgba?\(\s*([\d.]+)[,\s]+([\d.]+)[,\s]+([\d.]+)(?:[,\s/]+([\d.]+))?\s*\)")


class UndrawableError(Exception):
    """The figure has something that is not drawn on paper."""


@dataclass
class Panel:
    """One plotting area: the traces on it, and its axes by their Plotly names."""

    x: str
    y: str
    column: int
    row: int
    traces: list[dict[str, Any]] = field(default_factory=list)
    y2: str | None = None
    """A second value axis on the right."""


def values(data: Any) -> list[Any]:
    """A plain list of what Plotly holds as a list, a typed array or nothing.

    Raises:
        UndrawableError: It is none of these, or too long.
    """
    if data is None:
        return []
    if isinstance(data, dict) and "bdata" in data:
        return _typed(data)
    if not isinstance(data, list | tuple):
        raise UndrawableError("array")
    if len(data) > MAX_POINTS:
        raise UndrawableError("length")
    return list(data)


def _typed(data: dict[str, Any]) -> list[Any]:
    import numpy as np

    if not _DTYPES.fullmatch(str(data.get("dtype"))):
        raise UndrawableError("dtype")
    array = np.frombuffer(base64.b64decode(data["bdata"]), dtype=np.dtype(data["dtype"]))
    if array.size > MAX_POINTS:
        raise UndrawableError("length")
    if "shape" in data:
        shape = str(data["shape"]).strip("()[]").split(",")
        array = array.reshape([int(part) for part in shape if part.strip()])
    plain: list[Any] = array.tolist()
    return plain


def words(text: Any) -> str:
    """The words of a title or label; Plotly allows a little HTML in them."""
    if isinstance(text, dict):
        text = text.get("text")
    if text is None:
        return ""
    lines = re.sub(r"<br\s*/?>", "\n", str(text), flags=re.IGNORECASE)
    return html.unescape(_TAG.sub("", lines)).strip()[:400]


def colour(value: Any) -> Any:
    """A Plotly colour as Matplotlib takes it; None for one that it does not know."""
    from matplotlib.colors import is_color_like

    if not isinstance(value, str):
        return None
    rgb = _RGB.fullmatch(value.strip().lower())
    if rgb:
        red, green, blue = (min(1.0, float(rgb[i]) / 255) for i in (1, 2, 3))
        return (red, green, blue, min(1.0, float(rgb[4] or 1)))
    return value if is_color_like(value) else None


def colormap(scale: Any) -> Any:
    """A Plotly colour scale as a Matplotlib one; Plotly's default where it is missing."""
    from matplotlib import colormaps
    from matplotlib.colors import LinearSegmentedColormap

    if isinstance(scale, str) and scale.lower() in colormaps:
        return colormaps[scale.lower()]
    if not isinstance(scale, list) or len(scale) < 2:
        return colormaps["plasma"]
    stops = [(float(at), colour(shade) or "grey") for at, shade in scale]
    return LinearSegmentedColormap.from_list("figure", stops)


def colorway(layout: dict[str, Any]) -> list[Any]:
    """The colours that traces take in turn."""
    template = (layout.get("template") or {}).get("layout") or {}
    way = layout.get("colorway") or template.get("colorway") or COLORWAY
    return [colour(each) or "grey" for each in way]


def axis(layout: dict[str, Any], name: str) -> dict[str, Any]:
    """The settings of axis ``x``, ``y2``, ..."""
    return layout.get(f"{name[0]}axis{name[1:]}") or {}


def panels(traces: list[dict[str, Any]], layout: dict[str, Any]) -> list[Panel]:
    """The plotting areas of a figure in a grid, top left first.

    Raises:
        UndrawableError: Two areas overlap in a way that is not a second value axis.
    """
    found: dict[tuple[str, str], Panel] = {}
    for trace in traces:
        x, y = str(trace.get("xaxis") or "x"), str(trace.get("yaxis") or "y")
        base = str(axis(layout, y).get("overlaying") or y)
        if axis(layout, x).get("overlaying"):
            raise UndrawableError("second category axis")
        panel = found.setdefault((x, base), Panel(x, base, 0, 0))
        panel.traces.append(trace)
        if base != y:
            if panel.y2 not in (None, y):
                raise UndrawableError("third value axis")
            panel.y2 = y
    _place(list(found.values()), layout)
    return list(found.values())


def grid(panels: list[Panel]) -> tuple[int, int]:
    """Rows and columns of a grid that holds ``panels``."""
    return max(p.row for p in panels) + 1, max(p.column for p in panels) + 1


def _place(panels: list[Panel], layout: dict[str, Any]) -> None:
    def start(name: str) -> float:
        domain = axis(layout, name).get("domain") or [0]
        return round(float(domain[0]), 3)

    lefts = sorted({start(panel.x) for panel in panels})
    bottoms = sorted({start(panel.y) for panel in panels}, reverse=True)
    for panel in panels:
        panel.column, panel.row = lefts.index(start(panel.x)), bottoms.index(start(panel.y))
    cells = {(panel.row, panel.column) for panel in panels}
    if len(cells) < len(panels) or len(cells) > 16:
        raise UndrawableError("grid")


def notes(layout: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Notes on the figure that have words and a place."""
    for note in layout.get("annotations") or []:
        if isinstance(note, dict) and words(note.get("text")) and note.get("visible") is not False:
            yield note
