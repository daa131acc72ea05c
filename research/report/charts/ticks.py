"""Dressing axes: ranges, ticks, titles and the grid."""

from __future__ import annotations

import textwrap
from typing import Any

from research.models import Language
from research.report.charts.figure import values, words
from research.report.charts.scales import Scale, number, number_format

_DATE_FORMATS = {
    "en": ["%Y", "%b %Y", "%d %b", "%H:%M", "%H:%M", "%S"],
    "zh": ["%Y年", "%Y年%m月", "%m月%d日", "%H:%M", "%H:%M", "%S"],
}
MAX_LABEL = 22
"""Characters in a line of a category's name."""


def dress(axes: Any, x: Scale, y: Scale, language: Language, *, second: bool = False) -> None:
    """Set up both axes before anything is drawn.

    Args:
        axes: Matplotlib axes.
        x: The scale across.
        y: The scale upwards.
        language: For dates and large numbers.
        second: Whether these carry a second value axis over the first.
    """
    if y.kind == "log":
        axes.set_yscale("log")
    if not second:
        if x.kind == "log":
            axes.set_xscale("log")
        _dress_axis(axes, axes.xaxis, x, language)
        axes.set_xlabel(words(x.settings.get("title")))
        if x.kind == "category":
            _fit_names(axes, x)
    _dress_axis(axes, axes.yaxis, y, language)
    axes.set_ylabel(words(y.settings.get("title")))
    axes.grid(visible=not second and x.kind != "category", axis="x")
    axes.grid(visible=not second and y.kind != "category", axis="y")
    if second:
        axes.spines["right"].set_visible(True)


def _dress_axis(axes: Any, line: Any, scale: Scale, language: Language) -> None:
    settings = scale.settings
    _set_ticks(line, scale, language)
    if settings.get("tickvals") is not None:
        at = scale.at(values(settings["tickvals"]))
        names = [words(name) for name in values(settings.get("ticktext"))]
        line.set_ticks(at, names or None)
    if settings.get("visible") is False or settings.get("showticklabels") is False:
        line.set_tick_params(labelbottom=False, labelleft=False, labelright=False, length=0)
    _set_range(axes, line, scale)


def _set_ticks(line: Any, scale: Scale, language: Language) -> None:
    from matplotlib import dates, ticker

    if scale.kind == "category":
        names = ["\n".join(textwrap.wrap(name, MAX_LABEL)) for name in scale.categories]
        line.set_ticks(range(len(names)), names)
        return
    if scale.whole:
        line.set_major_locator(ticker.MaxNLocator(8, integer=True, steps=[1, 2, 5, 10]))
    if scale.kind == "date":
        locator = dates.AutoDateLocator(minticks=3, maxticks=8)
        line.set_major_locator(locator)
        formats = _DATE_FORMATS[language]
        line.set_major_formatter(
            dates.ConciseDateFormatter(
                locator, formats=formats, zero_formats=["", *formats[:-1]], show_offset=False
            )
        )
        return
    write = number_format(scale.settings, language)
    line.set_major_formatter(ticker.FuncFormatter(lambda value, _position: write(value)))


def _set_range(axes: Any, line: Any, scale: Scale) -> None:
    """The range that the figure asks for; categories get half a step at either end."""
    settings = scale.settings
    across = line is axes.xaxis
    set_limits = axes.set_xlim if across else axes.set_ylim
    wanted = values(settings.get("range"))
    if len(wanted) == 2 and None not in wanted:
        ends = scale.at(wanted) if scale.kind == "date" else [number(value) for value in wanted]
        set_limits(*([10**end for end in ends] if scale.kind == "log" else ends))
    elif scale.kind == "category":
        ends = [-0.6, len(scale.categories) - 0.4]
        set_limits(*(reversed(ends) if settings.get("autorange") == "reversed" else ends))
    elif settings.get("autorange") == "reversed":
        (axes.invert_xaxis if across else axes.invert_yaxis)()


def _fit_names(axes: Any, scale: Scale) -> None:
    """Turn the names under an axis when they would run into each other, and shorten them."""
    widest = max((min(len(name.encode()), MAX_LABEL) for name in scale.categories), default=0)
    if widest * len(scale.categories) > 90:
        names = [
            textwrap.shorten(name, MAX_LABEL + 6, placeholder="…") for name in scale.categories
        ]
        turned = {"rotation": 35, "ha": "right", "rotation_mode": "anchor"}
        axes.set_xticks(range(len(names)), names, **turned)
