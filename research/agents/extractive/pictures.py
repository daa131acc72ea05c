"""What a processing step is to compute and to draw: which table, which columns, in what form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from research.agents.analyst import CodeTask
from research.agents.extractive.labels import label_of, spaced, titled, unit_of, with_unit
from research.agents.extractive.question import Question, read_question
from research.agents.extractive.tables import Roles, carrying, roles_of
from research.agents.extractive.vectors import Vectors
from research.agents.extractive.words import Bag, fold, terms_of
from research.i18n import text
from research.models import Column, Language, Table

Form = Literal["trend", "periods", "change", "shares", "values", "distribution"]

_SHARE = re.compile(
    r"\b(shares?|proportions?|percentage of|portion|breakdown|composition|mix|divided)\b"
    r"|占比|份额|比重|构成|比例|组成",
    re.IGNORECASE,
)
_CHANGE = re.compile(
    r"\b(fastest|slowest|biggest|largest|strongest) (\w+ )?(gr[eo]w\w*|ris\w+|increas\w+|declin\w+"
    r"|fall|drop|change)|\b(gr[eo]wn?|rose|fell|declined|increased|dropped|changed) (the )?"
    r"(fastest|slowest|most|least)|(增长|下降|变化|上升)(得)?最|增幅|降幅|涨幅",
    re.IGNORECASE,
)
_DISTRIBUTION = re.compile(
    r"\bdistribut(ion|ed)\b|\bspread\b|histogram|outliers?|\bmedian\b|分布|中位数", re.IGNORECASE
)
_FINE = re.compile(r"\b(quarter|month|week|dai|day)\w*|\bQ[1-4]\b|季|月|每周|每日", re.IGNORECASE)
_RATE = re.compile(
    r"%|percent|\bpct\b|\bshare\b|\brate\b|\bratio\b|margin|\bprice\b|average|\bavg\b|\bmean\b"
    r"|\bper\b|\bindex\b|score|yield|率|占比|比例|比重|均|单价|价格|指数|评分",
    re.IGNORECASE,
)
_LEVEL = re.compile(
    r"employees|headcount|\bstaff\b|population|balance|\bdebt\b|assets|inventory|\bstocks?\b"
    r"|capacity|人数|员工|余额|库存|容量|人口|资产",
    re.IGNORECASE,
)
_METRIC = re.compile(
    r"^(metric|indicator|measure|item|variable|kpi|line item|series)$|^(指标|项目|科目)$", re.I
)
_TITLE_UNIT = re.compile(
    r"[,，]\s*(?:in )?((?:USD|EUR|GBP|CNY|RMB|US dollars|millions?|thousands?|billions?|%|percent"
    r"|[万百千]?亿?元|万|亿)[^,，]*)$|单位\s*[:：]\s*([^\s)）]+)",
    re.IGNORECASE,
)
_NAMED = 0.6
"""Share of a value's words that must stand in the question for the question to name it."""


@dataclass(frozen=True)
class Picture:
    """What to compute and draw."""

    table: Table
    form: Form
    language: Language
    label: str
    """What the figures are of, with their unit."""
    title: str
    """With gaps for the first and the last period where there are periods."""
    additive: bool
    """Whether rows may be added up; of rates and prices the average is taken."""
    totalled: bool
    """Whether a total of all series says anything."""
    relative: bool
    """Whether a change is told in percent; of a rate it is told in points."""
    measure: Column | None
    """None where each period has a column of its own."""
    period_columns: tuple[Column, ...]
    periods: tuple[Column, ...]
    finer: Column | None
    """A column that divides the periods, whose parts are added up."""
    category: Column | None
    rows: tuple[Column, tuple[str, ...]] | None
    """The column and the values by which rows are chosen; None keeps all."""
    names: list[str]
    """Every column of names, in which totals may hide."""
    period_label: str
    category_label: str


def picture_of(task: CodeTask, vectors: Vectors) -> Picture | None:
    """What the step is to show; None where no table has a column of figures."""
    question = read_question(_asked(task), task.language)
    table = (carrying(question, task.tables, vectors) or list(task.tables))[0]
    roles = roles_of(table)
    if not roles.measures and not roles.period_columns:
        return None
    return _compose(question, table, roles, vectors)


def _asked(task: CodeTask) -> str:
    """The question, and what the user's own words for the step add to it."""
    named_after_table = any(fold(titled(one)) in fold(task.step.title) for one in task.tables)
    return task.question if named_after_table else f"{task.question} {task.step.title}"


def _compose(question: Question, table: Table, roles: Roles, vectors: Vectors) -> Picture:
    say = question.language
    metric = next((one for one in roles.categories if _METRIC.match(spaced(one.name))), None)
    category, asked_for = _category(question, [one for one in roles.categories if one != metric])
    measure = None if roles.period_columns else _measure(question, roles.measures, vectors)
    rows = _rows(question, metric, category, asked_for, bool(roles.period_columns))
    name, unit = _label(measure, table, category)
    if rows and rows[0] == metric:
        name = rows[1][0]
    elif rows and len(rows[1]) == 1:
        name = f"{name}, {rows[1][0]}" if measure else rows[1][0]
        category = None
    periods, finer = _periods(question, roles)
    wording = f"{name} {unit} {measure.name if measure else ''}"
    rate = _RATE.search(wording) is not None
    additive = not rate and not (finer and _LEVEL.search(wording))
    alike = asked_for or not roles.period_columns
    totalled = not rate and category is not None and rows is None and alike
    count = len(roles.period_columns) or _count(periods)
    periods = periods if count > 1 else ()
    form = _form(question, category, count, rate, totalled)
    return Picture(
        table=table,
        form=form,
        language=say,
        label=with_unit(name, unit, say),
        title=_title(form, name, category, count > 1, say),
        additive=additive,
        totalled=totalled,
        relative=not rate,
        measure=measure,
        period_columns=roles.period_columns,
        periods=periods,
        finer=finer if periods else None,
        category=category,
        rows=rows,
        names=[one.name for one in roles.categories],
        period_label=label_of(periods[0].name) if periods else text("extractive.chart.period", say),
        category_label=label_of(category.name) if category else "",
    )


def _measure(question: Question, measures: Sequence[Column], vectors: Vectors) -> Column:
    """The column of figures that is asked for: by its words, then by likeness."""
    asked = Bag.of(question.text)
    names = [label_of(one.name) for one in measures]
    likeness = vectors.likeness(question.text, names)
    found = [_share(name, asked) + 0.3 * alike for name, alike in zip(names, likeness, strict=True)]
    return measures[found.index(max(found))]


def _share(name: str, asked: Bag) -> float:
    """How much of ``name`` stands in the question."""
    terms = terms_of(name)
    return sum(asked.share(term) for term in terms) / len(terms) if terms else 0.0


def _category(question: Question, columns: Sequence[Column]) -> tuple[Column | None, bool]:
    """The column of names to group by, and whether the question names that column."""
    asked = Bag.of(question.text)
    short = [one for one in columns if max(map(len, one.examples), default=0) <= 40]
    if not short:
        return None, False
    named = [_share(label_of(one.name), asked) >= 0.5 for one in short]
    if any(named):
        return short[named.index(True)], True
    matches = [len(_values_named(asked, one)) for one in short]
    return short[matches.index(max(matches))], False


def _values_named(asked: Bag, column: Column) -> tuple[str, ...]:
    shares = [_share(one, asked) for one in column.examples]
    best = max(shares, default=0.0)
    named = best > _NAMED
    return tuple(
        one for one, share in zip(column.examples, shares, strict=True) if named and share == best
    )


def _rows(
    question: Question,
    metric: Column | None,
    category: Column | None,
    category_asked_for: bool,
    wide: bool,
) -> tuple[Column, tuple[str, ...]] | None:
    """The rows that the question is about, where it names them."""
    asked = Bag.of(question.text)
    if metric:
        best = max(metric.examples, key=lambda one: _share(one, asked), default=None)
        return (metric, (best,)) if best else None
    if category is None or category_asked_for:
        return None
    named = _values_named(asked, category)
    alone = wide or question.kinds.isdisjoint({"why", "trend", "compare"})
    return (category, named) if len(named) >= (1 if alone else 2) else None


def _periods(question: Question, roles: Roles) -> tuple[tuple[Column, ...], Column | None]:
    """The columns that name a period, and the one that divides it further."""
    periods = roles.periods
    if roles.period_columns or not periods:
        return (), None
    if periods[0].type == "date":
        return periods[:1], None
    depth = 2 if len(periods) > 1 and _FINE.search(question.text) else 1
    finer = periods[depth] if len(periods) > depth else None
    return periods[:depth], finer if finer and finer.type != "date" else None


def _count(periods: Sequence[Column]) -> int:
    """How many periods there are, as far as the examples tell."""
    if not periods:
        return 0
    return 3 if periods[0].type == "date" or len(periods) > 1 else len(periods[0].examples)


def _form(
    question: Question, category: Column | None, periods: int, rate: bool, totalled: bool
) -> Form:
    asked = question.text
    if _DISTRIBUTION.search(asked) and not periods:
        return "distribution"
    if category is None:
        return "trend" if periods > 1 else "distribution"
    if _SHARE.search(asked) and totalled:
        return "shares"
    if periods < 2:
        return "values"
    if _CHANGE.search(asked) and not rate:
        return "change"
    return "periods" if periods == 2 or question.kind == "compare" else "trend"


# ---------------------------------------------------------------- labels


def _label(measure: Column | None, table: Table, category: Column | None) -> tuple[str, str]:
    """What the figures are of, and their unit where it is known."""
    title_unit = _TITLE_UNIT.search(table.title)
    from_title = next(filter(None, title_unit.groups()), "").strip() if title_unit else ""
    if measure:
        return label_of(measure.name), unit_of(measure.name) or (
            from_title if _is_money(measure) else ""
        )
    head = re.split(r"\s+by\s+|[,，:：(（]", table.title)[0]
    if category:
        head = re.sub(f"^[分各按]{re.escape(label_of(category.name))}", "", head)
    return label_of(head) or table.title, from_title


def _is_money(measure: Column) -> bool:
    return not _RATE.search(measure.name) and not re.search(
        r"units?|count|number|数量|人数", measure.name
    )


def _title(
    form: Form, name: str, category: Column | None, over_time: bool, language: Language
) -> str:
    """The title, with gaps for the first and the last period that the code fills."""
    of = _gapless(name)
    if form == "distribution":
        return text("extractive.chart.title.distribution", language, measure=name)
    if category is None:
        return text(
            "extractive.chart.title.alone", language, measure=of, first="{first}", last="{last}"
        )
    by = _gapless(label_of(category.name))
    key = "by_category"
    if over_time:
        key = form if form in ("shares", "change") else "over_time"
    return text(
        f"extractive.chart.title.{key}",
        language,
        measure=of,
        category=by if language == "zh" or not by.istitle() else by.lower(),
        first="{first}",
        last="{last}",
    )


def _gapless(name: str) -> str:
    return name.replace("{", "{{").replace("}", "}}")
