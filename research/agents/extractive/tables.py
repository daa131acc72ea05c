"""What the columns of a table are for, and whether a table carries what was asked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from research.agents.extractive.labels import spaced
from research.agents.extractive.question import Question
from research.agents.extractive.relevance import speaks_of_change
from research.agents.extractive.vectors import Vectors
from research.agents.extractive.words import Bag, has_chinese
from research.knowledge.readers.totals import BARE
from research.models import Column, Table

FLOOR = 0.4
"""Tables that carry what was asked scored 0.43 to 0.69 where it was tried, others up to 0.33."""
_FOREIGN_FLOOR = 0.3
"""Likeness from which a table in the other language is taken where there is none in the right one;
likeness to what was not asked went up to 0.24."""
_LIKENESS, _COVERAGE = 0.5, 0.5
_AS_GOOD = 0.75
_SAME_THINGS = 0.6

_PERIOD_NAME = re.compile(
    r"^((fiscal|calendar|reporting)[ _]?)?(year|yr|quarter|month|date|day|week|period|time)s?$"
    r"|^(年|年份|年度|季度|季|月|月份|日期|时间|期间|周)$",
    re.IGNORECASE,
)
_PERIOD_VALUE = re.compile(
    r"^(FY ?|CY ?)?(19|20)\d\d( ?[/-] ?\d\d)?(年度?)?([ -]?(Q[1-4]|H[12]|[AEF]))?$"
    r"|^(Q[1-4]|H[12])[ '/-]?((19|20)?\d\d)?$|^[A-Z][a-z]{2}[a-z]*[ -](19|20)?\d\d$"
    r"|^(19|20)\d\d[-/.]\d{1,2}([-/.]\d{1,2})?$"
    r"|^((19|20)\d\d年?)?(\d{1,2}月|第?[一二三四1-4]季度?|[上下]半年)$"
)
_IDENTIFIER = re.compile(
    r"^(id|no|nr|code|index|rank|row|zip|postcode|编号|序号|代码|排名)$|[ _](id|no|code)$", re.I
)
_ASIDE = re.compile(
    r"top|bottom|highest|lowest|largest|smallest|biggest|fastest|slowest|best|worst|rank\w*"
    r"|distribut\w*|spread|median|correlat\w*|relat\w*|shares?|proportions?|breakdown|pie|table"
    r"|cross\w*|pivot|chart|months?|monthly|quarter\w*|years?|yearly|annual\w*|days?|daily|weeks?"
    r"|weekly|(19|20)\d\d|\d{1,2}|two|three|four|five|six|seven|eight|nine|ten"
    r"|占比|比例|份额|分布|交叉表?|排名|排行|最[高低大小多少快慢]|相关性?|关系|季度|月份"
    r"|每[年月日季]|年度|前[一二两三四五六七八九十]|图表?|表",
    re.IGNORECASE,
)
"""Words of a question that say how figures are to be shown, and not which."""
_FINENESS = ("year|年", "half|半年", "quarter|季", "month|月", "week|周", "")


@dataclass(frozen=True)
class Roles:
    """What each column of a table is for."""

    periods: tuple[Column, ...]
    """Columns whose values are years, quarters or dates; the coarsest first."""
    period_columns: tuple[Column, ...]
    """Columns of figures that are named after a period each, in time order: a wide table."""
    measures: tuple[Column, ...]
    """Other columns of figures."""
    categories: tuple[Column, ...]
    """Columns of names that group the rows."""


def roles_of(table: Table) -> Roles:
    """Sort the columns of ``table`` by what they are for."""
    named = [one for one in table.columns if one.type == "number" and is_period(one.name)]
    wide = sorted(named, key=lambda one: _in_time(one.name)) if len(named) >= 2 else []
    rest = [one for one in table.columns if one not in wide and not _IDENTIFIER.search(one.name)]
    periods = [one for one in rest if _holds_periods(one)]
    rest = [one for one in rest if one not in periods]
    return Roles(
        periods=tuple(sorted(periods, key=lambda one: _fineness(one.name))),
        period_columns=tuple(wide),
        measures=tuple(one for one in rest if one.type == "number"),
        categories=tuple(one for one in rest if one.type in ("text", "boolean")),
    )


def is_total(name: str) -> bool:
    """Whether ``name`` says that something adds up others."""
    return BARE.fullmatch(name.strip(" :：*")) is not None


def is_period(name: str) -> bool:
    """Whether ``name`` is a year, a quarter, a month or a date."""
    return _PERIOD_VALUE.match(name.strip()) is not None


def carrying(question: Question, tables: Sequence[Table], vectors: Vectors) -> list[Table]:
    """The tables that carry what was asked, the best first."""
    usable = [one for one in tables if _figures(one)]
    scores = {one.id: _score(question, one, vectors) for one in usable}
    fitting = [one for one in usable if scores[one.id] >= FLOOR]
    if not fitting:
        scores = {one.id: _likeness(question, one, vectors) for one in usable}
        foreign = [one for one in usable if has_chinese(_words(one)) != (question.language == "zh")]
        fitting = [one for one in foreign if scores[one.id] >= _FOREIGN_FLOOR]
    alone = [
        one
        for one in fitting
        if not any(
            _is_finer(other, one) and scores[other.id] >= _AS_GOOD * scores[one.id]
            for other in fitting
        )
    ]
    return sorted(alone, key=lambda one: -scores[one.id])


def _is_finer(table: Table, other: Table) -> bool:
    """Whether ``table`` has more rows on the same things: a report prints what a file holds."""
    named = [
        {example for column in roles_of(each).categories for example in column.examples}
        for each in (table, other)
    ]
    shared = len(named[0] & named[1])
    return table.rows > other.rows and shared > 1 and shared >= _SAME_THINGS * len(named[1])


def _score(question: Question, table: Table, vectors: Vectors) -> float:
    roles = roles_of(table)
    over_time = bool(roles.periods or roles.period_columns)
    terms = [one for one in question.terms if not (over_time and speaks_of_change(one))]
    names = Bag.of(f"{table.title} {' '.join(spaced(one.name) for one in table.columns)}")
    values = Bag.of(" ".join(example for one in table.columns for example in one.examples))
    # What the figures are of must be named: a table of regions does not answer every question
    # about a region.
    of = Bag.of(" ".join([table.title, *_subjects(roles)]))
    held = {one: max(names.share(one), values.share(one)) for one in terms}
    shares = [share for one, share in held.items() if share == 1 or not _ASIDE.fullmatch(one.word)]
    if not any(of.share(one) > 0.6 for one in terms) and min(shares, default=0.0) < 1:
        return 0.0
    likeness = _likeness(question, table, vectors)
    return _LIKENESS * likeness + _COVERAGE * sum(shares) / max(1, len(shares))


def _likeness(question: Question, table: Table, vectors: Vectors) -> float:
    return float(vectors.likeness(question.text, [_words(table)])[0])


def _words(table: Table) -> str:
    return f"{table.title}: {', '.join(spaced(one.name) for one in table.columns)}"


def _subjects(roles: Roles) -> list[str]:
    named = [spaced(one.name) for one in roles.measures]
    if roles.period_columns or len(roles.measures) == 1:
        named += [example for one in roles.categories for example in one.examples]
    return named


def _figures(table: Table) -> bool:
    roles = roles_of(table)
    return table.rows > 1 and bool(roles.measures or roles.period_columns)


def _holds_periods(column: Column) -> bool:
    if column.type == "date" or _PERIOD_NAME.match(spaced(column.name)):
        return True
    if column.type == "boolean" or not column.examples:
        return False
    numbers = column.type == "number"
    return all(is_period(one) and (not numbers or len(one) == 4) for one in column.examples)


def _fineness(name: str) -> int:
    return next(rank for rank, words in enumerate(_FINENESS) if re.search(words, name, re.I))


def _in_time(name: str) -> tuple[int, str]:
    year = re.search(r"(19|20)\d\d", name)
    return (int(year.group()) if year else 0, name)
