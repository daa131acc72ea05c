"""The words on a chart: what its figures are of, their unit, and the title."""

from __future__ import annotations

import re

from research.agents.extractive.labels import label_of, titled, unit_of
from research.agents.extractive.tables import Roles
from research.i18n import text
from research.models import Column, Language, Table

_TITLE_UNIT = re.compile(
    r"[,，]\s*(?:in )?((?:USD|EUR|GBP|CNY|RMB|US dollars|millions?|thousands?|billions?|%|percent"
    r"|[万百千]?亿?元|万|亿)[^,，]*)$|单位\s*[:：]\s*([^\s)）]+)",
    re.IGNORECASE,
)
_NO_MONEY = re.compile(
    r"%|percent|rate|ratio|share|margin|units?|count|number|率|占比|数量|人数", re.IGNORECASE
)

_ALWAYS = {
    "histogram": "distribution",
    "boxes": "boxes",
    "scatter": "scatter",
    "pivot": "pivot",
}
"""Titles of forms that take the rows of all periods together; they have no gaps."""
_OVER_TIME = {"shares": "shares", "change": "change", "top": "ranked_in", "values": "in"}
_BESIDE = re.compile(r"(?<=[\u4e00-\u9fff])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[\u4e00-\u9fff])")
"""Where Chinese stands beside Latin letters."""


def label_and_unit(
    measure: Column | None, table: Table, category: Column | None, roles: Roles
) -> tuple[str, str]:
    """What the figures are of, and their unit where it is known."""
    found = _TITLE_UNIT.search(table.title)
    from_title = next(filter(None, found.groups()), "").strip() if found else ""
    if measure:
        own = unit_of(measure)
        return label_of(measure.name), own or ("" if _NO_MONEY.search(measure.name) else from_title)
    head = re.split(r"\s+by\s+|[,，:：(（]", titled(table))[0]
    if category:
        head = re.sub(f"^[分各按]{re.escape(label_of(category.name))}", "", head)
        head = head.removeprefix(label_of(category.name)) or head
    units = {unit_of(one) for one in roles.period_columns}
    common = next(iter(units)) if len(units) == 1 else ""
    return label_of(head) or table.title, common or from_title


def title_of(
    form: str,
    name: str,
    category: Column | None,
    *,
    other: Column | None,
    second: Column | None,
    over_time: bool,
    language: Language,
) -> str:
    """The title; in forms over time with gaps for the first and the last period."""
    key = _ALWAYS.get(form)
    if key is None and over_time:
        key = _OVER_TIME.get(form, "over_time") if category else "alone"
    key = key or ("ranked" if form == "top" else "by_category")
    formatted = form not in _ALWAYS
    by, across = (_lowered(one, language) for one in (category, second))
    title = text(
        f"extractive.chart.title.{key}",
        language,
        measure=_gapless(name) if formatted else name,
        other=label_of(other.name) if other else "",
        category=_gapless(by) if formatted else by,
        second=across,
        first="{first}",
        last="{last}",
    )
    return _BESIDE.sub(" ", title) if language == "zh" else title


def _lowered(column: Column | None, language: Language) -> str:
    """The name of a column within a title, where it is a common word."""
    label = label_of(column.name) if column else ""
    common = language == "en" and label[1:] == label[1:].lower()
    return label.lower() if common else label


def _gapless(name: str) -> str:
    return name.replace("{", "{{").replace("}", "}}")
