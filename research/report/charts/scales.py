"""Axes: which kind they are, where values fall on them, and how their numbers are written."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from research.models import Language
from research.report.charts.figure import UndrawableError, values, words

_DATE = re.compile(r"\d{4}-\d{1,2}(?:-\d{1,2}(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?)?")
_D3 = re.compile(
    r"(?P<sign>[+ ]?)(?P<money>\$?)0?\d*(?P<comma>,?)(?:\.(?P<digits>\d+))?~?(?P<type>[%fdseg]?)"
)
_TEMPLATE = re.compile(r"%\{([\w.]+)(?::([^}]*))?\}")
_SUFFIXES: dict[Language, tuple[tuple[float, str], ...]] = {
    "en": ((1e12, "T"), (1e9, "B"), (1e6, "M")),
    "zh": ((1e12, "万亿"), (1e8, "亿"), (1e4, "万")),
}
MAX_CATEGORIES = 60


@dataclass
class Scale:
    """One axis: turns values into positions on it."""

    kind: str
    """``number``, ``log``, ``date`` or ``category``."""
    settings: dict[str, Any]
    categories: list[str] = field(default_factory=list)
    whole: bool = False
    """Whether every value is a whole number: a year or a count has no ticks between."""

    def at(self, data: Iterable[Any]) -> list[float]:
        """Positions of ``data``; NaN for what is missing."""
        if self.kind == "category":
            index = {name: float(i) for i, name in enumerate(self.categories)}
            return [index.get(_label(value), math.nan) for value in data]
        if self.kind == "date":
            return _dates(data)
        return [number(value) for value in data]


def make_scale(settings: dict[str, Any], data: list[Any], amounts: list[Any]) -> Scale:
    """The axis for ``data``, by its settings and otherwise by what the data are.

    Args:
        settings: Those of the figure's layout.
        data: Every value on the axis.
        amounts: What stands on the other axis at each, for an order by total.

    Raises:
        UndrawableError: A kind of axis that is not drawn, or too many categories.
    """
    kind = settings.get("type")
    present = [value for value in data if value is not None]
    if kind not in ("linear", "log", "date", "category"):
        if kind not in (None, "-") or any(isinstance(value, list) for value in present):
            raise UndrawableError("axis")
        kind = _kind_of(present)
    if kind == "category":
        totals: dict[str, float] = {}
        for value, amount in zip(data, amounts, strict=False):
            if value is not None and math.isfinite(size := number(amount)):
                totals[_label(value)] = totals.get(_label(value), 0.0) + size
        return Scale("category", settings, _categories(settings, present, totals))
    whole = kind == "linear" and all(number(value) % 1 == 0 for value in present)
    return Scale({"linear": "number"}.get(kind, kind), settings, whole=whole)


def number(value: Any) -> float:
    """``value`` as a float; NaN where it is none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return math.nan


def number_format(settings: dict[str, Any], language: Language) -> Callable[[float], str]:
    """How an axis writes its numbers: by its own format, or short as a reader likes them."""
    prefix, suffix = words(settings.get("tickprefix")), words(settings.get("ticksuffix"))
    spec = settings.get("tickformat")

    def write(value: float) -> str:
        shown = d3_format(value, str(spec)) if spec else short_number(value, language)
        sign = "−" if shown.startswith("−") else ""
        return sign + prefix + shown.removeprefix(sign) + suffix

    return write


def short_number(value: float, language: Language) -> str:
    """``1500000`` as ``1.5M`` or ``150万``; smaller numbers in full."""
    size = abs(value)
    for scale, name in _SUFFIXES[language]:
        if size >= scale:
            return _sign(f"{value / scale:.6g}{name}")
    return _sign(f"{value:,.0f}" if size >= 10_000 else f"{value:.6g}")


def d3_format(value: float, spec: str) -> str:
    """``value`` by a d3 format such as ``,.1f``, ``.0%``, ``$,.2f`` or ``.2s``."""
    found = _D3.fullmatch(spec)
    if not found:
        return _sign(f"{value:.6g}")
    kind, comma = found["type"] or "g", found["comma"]
    places = int(found["digits"]) if found["digits"] else None
    if kind == "s":
        shown = short_number(float(f"{value:.{places or 3}g}"), "en")
    elif kind == "d" or (kind == "g" and places is None and comma):
        shown = f"{value:{comma}.0f}" if kind == "d" or value == int(value) else f"{value:{comma}}"
    else:
        shown = f"{value:{comma}.{min(20, 6 if places is None else places)}{kind}}"
    plus = "+" if found["sign"] == "+" and value > 0 else ""
    shown = _sign(plus + shown)
    return f"−{found['money']}{shown[1:]}" if shown.startswith("−") else found["money"] + shown


def fill_template(template: str, fields: dict[str, Any]) -> str:
    """A Plotly text template such as ``%{y:.1f}`` filled with a point's ``fields``."""

    def fill(found: re.Match[str]) -> str:
        value = fields.get(found[1], "")
        return d3_format(number(value), found[2]) if found[2] else _plain(value)

    return words(_TEMPLATE.sub(fill, template))


def _plain(value: Any) -> str:
    return _sign(f"{value:.6g}") if isinstance(value, float) else str(value)


def _sign(shown: str) -> str:
    return "−" + shown[1:] if shown.startswith("-") else shown


def _label(value: Any) -> str:
    if isinstance(value, float) and value == int(value):
        value = int(value)
    return words(value)


def _kind_of(present: list[Any]) -> str:
    strings = [value for value in present if isinstance(value, str)]
    if not strings or len(strings) * 2 < len(present):
        return "linear"
    return "date" if all(_DATE.fullmatch(value.strip()) for value in strings) else "category"


def _categories(
    settings: dict[str, Any], present: list[Any], totals: dict[str, float]
) -> list[str]:
    seen = list(dict.fromkeys(_label(value) for value in present))
    order = str(settings.get("categoryorder") or "")
    if settings.get("categoryarray") is not None:
        wanted = [_label(value) for value in values(settings["categoryarray"])]
        seen = [*wanted, *(name for name in seen if name not in wanted)]
    elif order.startswith("category"):
        seen.sort(reverse=order.endswith("descending"))
    elif order.startswith("total"):
        seen.sort(key=lambda name: totals.get(name, 0.0), reverse=order.endswith("descending"))
    if len(seen) > MAX_CATEGORIES:
        raise UndrawableError("categories")
    return seen


def _dates(data: Iterable[Any]) -> list[float]:
    import numpy as np
    from matplotlib.dates import date2num

    out = []
    for value in data:
        text = re.sub(r"(?:Z|[+-]\d\d:?\d\d)$", "", str(value).strip()) if value else ""
        text = re.sub(r"-(\d)(?=-|$)", r"-0\1", text)
        out.append(
            float(date2num(np.datetime64(text, "us"))) if _DATE.fullmatch(text) else math.nan
        )
    return out
