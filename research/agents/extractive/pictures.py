"""What a processing step is to compute and to draw: which table, which columns, in what form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from research.agents.analyst import CodeTask
from research.agents.extractive.captions import label_and_unit, title_of
from research.agents.extractive.forms import read_wish
from research.agents.extractive.glossary import in_both
from research.agents.extractive.labels import Scale, says_rate, scale_of, spaced, titled, with_unit
from research.agents.extractive.matching import (
    Asked,
    category_of,
    measure_of,
    other_of,
    rows_of,
    second_of,
)
from research.agents.extractive.question import Question, read_question
from research.agents.extractive.tables import Roles, carrying, is_total, roles_of
from research.agents.extractive.vectors import Vectors
from research.agents.extractive.words import Bag, fold
from research.models import Column, Language, Table

Form = Literal[
    "trend", "columns", "periods", "change", "shares", "values", "top",
    "histogram", "boxes", "scatter", "pivot",
]  # fmt: skip
ROWWISE = ("pivot", "histogram", "boxes", "scatter")
"""Forms that take the rows of all periods together."""
How = Literal["sum", "mean", "last"]

MOST_SERIES = 8
"""Lines or groups of bars in one chart."""
MOST_BARS = 15
MOST_TOP = 10
"""Where no number is asked for."""
FEW_PERIODS = 4
"""Bars up to so many, a line from more."""
MANY_PARTS = 12
"""Quarters and months beyond which years are shown unless the parts are asked for."""

_LEVEL = re.compile(
    r"employees|headcount|\bstaff\b|population|balance|\bdebt\b|assets|inventory|\bstocks?\b"
    r"|capacity|\bmembers\b|人数|员工|余额|库存|容量|人口|资产",
    re.IGNORECASE,
)
_METRIC = re.compile(
    r"^(metric|indicator|measure|item|variable|kpi|line item|series)$|^(指标|项目|科目)$", re.I
)
_YEAR_AND_PART = re.compile(r"(19|20)\d\d.*([QH][1-4]|\d{1,2}月|季度|半年)|[QH][1-4].*(19|20)\d\d")


@dataclass(frozen=True)
class Picture:
    """What to compute and draw."""

    table: Table
    form: Form
    language: Language
    name: str
    """What the figures are of."""
    scale: Scale
    """Their unit, and what they are divided by to be in it."""
    title: str
    """With gaps for the first and the last period where there are periods."""
    how: How
    """Rows are added up; of rates the average is taken, of levels the last."""
    totalled: bool
    """Whether a total of all series says anything."""
    relative: bool
    """Whether a change is told in percent; of a rate it is told in points."""
    measure: Column | None
    """None where each period has a column of its own."""
    other: Column | None
    """What the measure is related to."""
    period_columns: tuple[Column, ...]
    total_columns: tuple[str, ...]
    """Columns of a wide table that add up others."""
    periods: tuple[Column, ...]
    finer: Column | None
    """A column that divides the periods, whose parts are added up."""
    split: bool
    """Whether the years are to be taken out of names like ``2024-Q1``."""
    over: Column | None
    """Periods over which everything is taken together."""
    step: str
    """Length of a period of dates, where it is asked for."""
    category: Column | None
    second: Column | None
    """What the category is crossed with."""
    rows: tuple[tuple[Column, tuple[str, ...]], ...]
    """The columns and the values by which rows are chosen."""
    names: tuple[str, ...]
    """Every column of names, in which totals may hide."""
    years: tuple[int, int] | None
    most: int
    lowest: bool

    @property
    def label(self) -> str:
        """What the figures are of, with their unit."""
        return with_unit(self.name, self.scale.unit, self.language)


def picture_of(task: CodeTask, vectors: Vectors) -> Picture | None:
    """What the step is to show; None where no table has a column of figures."""
    question = read_question(_words(task), task.language)
    table = (carrying(question, task.tables, vectors) or list(task.tables))[0]
    roles = roles_of(table)
    if not roles.measures and not roles.period_columns:
        return None
    asked = Asked(question, read_wish(question.text), Bag.of(in_both(question.text)))
    known = task.profiles.get(table.id)
    counts = {one.name: one.distinct for one in known.columns} if known else {}
    return _compose(asked, table, roles, counts, vectors)


def _words(task: CodeTask) -> str:
    """The question, and what the user's own words for the step add to it."""
    named_after_table = any(fold(titled(one)) in fold(task.step.title) for one in task.tables)
    return task.question if named_after_table else f"{task.question} {task.step.title}"


def _compose(
    asked: Asked, table: Table, roles: Roles, counts: dict[str, int], vectors: Vectors
) -> Picture:
    say, wish = asked.question.language, asked.wish
    wide = bool(roles.period_columns)
    metric = next((one for one in roles.categories if _METRIC.match(spaced(one.name))), None)
    category, named = category_of(asked, [one for one in roles.categories if one != metric])
    measure = None if wide else measure_of(asked, roles.measures, vectors)
    other = other_of(asked, measure, roles.measures) if wish.relation and measure else None
    if other and measure and wish.backwards:
        measure, other = other, measure
    rows = rows_of(asked, metric, category, named, roles)
    figures = roles.period_columns or ((measure,) if measure else ())
    name, unit = label_and_unit(measure, table, category, roles)
    scale = scale_of(figures, unit, say)
    chosen = rows[0] if rows else None
    if chosen and chosen[0] == metric:
        name = chosen[1][0]
    elif chosen and len(chosen[1]) == 1:
        name = f"{name}, {chosen[1][0]}" if measure else chosen[1][0]
        category = None if chosen[0] == category else category
    wording = f"{name} {scale.unit} {measure.name if measure else ''}"
    rate = says_rate(wording)
    how: How = "mean" if rate else "last" if _LEVEL.search(wording) else "sum"
    periods, finer, split = _periods(asked, roles, counts)
    count = len(roles.period_columns) or _count(periods, split, counts)
    if (years := asked.question.period) and years[0] < years[1] and not wish.fine:
        count = min(count, years[1] - years[0] + 1)
    second = second_of(asked, category, roles, metric) if measure else None
    alike = named or not wide or bool(table.totals)
    totalled = not rate and category is not None and not rows and alike
    form = _form(
        asked,
        category,
        named=named,
        crossed=second is not None,
        related=other is not None,
        wide=wide,
        periods=count,
        totalled=totalled,
    )
    pooled = form in ROWWISE or (form == "top" and any(one.type == "date" for one in periods))
    over = periods[0] if pooled and periods else None
    if pooled or count < 2:
        periods, finer, split = (), None, False
    over_time = bool(periods) or wide
    return Picture(
        table=table,
        form=form,
        language=say,
        name=name,
        scale=scale,
        title=title_of(
            form, name, category, other=other, second=second, over_time=over_time, language=say
        ),
        how=how,
        totalled=totalled,
        relative=not rate,
        measure=measure,
        other=other,
        period_columns=roles.period_columns,
        total_columns=tuple(one.name for one in roles.measures if wide and is_total(one.name)),
        periods=periods,
        finer=finer,
        split=split,
        over=over,
        step="Y" if wish.yearly and not wish.fine else _step(asked.question.text),
        category=category,
        second=second,
        rows=rows,
        names=tuple(one.name for one in roles.categories),
        years=_years(asked.question, form),
        most=wish.count
        or {"values": MOST_BARS, "top": MOST_TOP, "shares": MOST_BARS}.get(form, MOST_SERIES),
        lowest=wish.lowest and form in ("top", "change", "values"),
    )


def _periods(
    asked: Asked, roles: Roles, counts: dict[str, int]
) -> tuple[tuple[Column, ...], Column | None, bool]:
    """The columns that name a period, one that divides it further, and whether one does both."""
    periods = roles.periods
    if roles.period_columns or not periods:
        return (), None, False
    if periods[0].type == "date":
        return periods[:1], None, False
    fine = asked.wish.fine
    if len(periods) == 1 and any(map(_YEAR_AND_PART.search, periods[0].examples)):
        many = counts.get(periods[0].name, 0) > MANY_PARTS
        return periods, None, not fine and (many or asked.wish.yearly)
    depth = 2 if len(periods) > 1 and fine else 1
    finer = periods[depth] if len(periods) > depth else None
    return periods[:depth], finer if finer and finer.type != "date" else None, False


def _count(periods: Sequence[Column], split: bool, counts: dict[str, int]) -> int:
    """How many periods there are, as far as it is known."""
    if not periods:
        return 0
    if periods[0].type == "date" or len(periods) > 1 or split:
        return FEW_PERIODS + 1
    return counts.get(periods[0].name) or len(periods[0].examples)


def _step(asked: str) -> str:
    """The letter by which pandas knows the length of the periods that are asked for."""
    cues = (("Q", r"quarter|季"), ("M", r"month|月"), ("W", r"week|周"), ("D", r"\bda(y|ily)|每日"))
    return next((letter for letter, cue in cues if re.search(cue, asked, re.IGNORECASE)), "")


def _years(question: Question, form: Form) -> tuple[int, int] | None:
    """The years to show: a range that is asked for, or the one year of a single picture."""
    if question.period is None:
        return None
    alone = question.period[0] == question.period[1]
    return question.period if not alone or form in ("top", "shares", "values", *ROWWISE) else None


def _form(
    asked: Asked,
    category: Column | None,
    *,
    named: bool,
    crossed: bool,
    related: bool,
    wide: bool,
    periods: int,
    totalled: bool,
) -> Form:
    wish, kinds = asked.wish, asked.question.kinds
    years = asked.question.period
    still = kinds.isdisjoint({"trend", "why", "compare"})
    one_year = years is not None and years[0] == years[1] and still and periods > 1
    choices: tuple[tuple[bool, Form], ...] = (
        (related, "scatter"),
        (wish.distribution and category is not None and named and not wide, "boxes"),
        (wish.distribution or (category is None and periods < 2), "histogram"),
        (category is None and periods <= FEW_PERIODS, "columns"),
        (category is None, "trend"),
        (crossed and ("trend" not in kinds or periods < 2), "pivot"),
        (wish.shares and totalled, "shares"),
        (wish.change and periods > 1, "change"),
        (wish.top and "trend" not in kinds, "top"),
        (periods < 2 or one_year, "values"),
        (
            periods == 2 or (asked.question.kind == "compare" and periods <= FEW_PERIODS),
            "periods",
        ),
    )
    return next((form for fits, form in choices if fits), "trend")
