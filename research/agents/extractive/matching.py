"""Which columns and rows of a table a question is about, by the words that they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from research.agents.extractive.forms import Wish
from research.agents.extractive.glossary import in_both
from research.agents.extractive.labels import is_rate, label_of
from research.agents.extractive.question import Question
from research.agents.extractive.tables import Roles
from research.agents.extractive.vectors import Vectors
from research.agents.extractive.words import Bag, fold, terms_of
from research.models import Column

_NAMED = 0.6
"""Share of a value's words that must stand in the question for the question to name it."""
RATE_COST = 1.0
"""What a rate loses against amounts where the question names neither."""


@dataclass(frozen=True)
class Asked:
    """A question as it is matched with the columns of a table."""

    question: Question
    wish: Wish
    bag: Bag
    """Its words, in both languages."""


def measure_of(asked: Asked, measures: Sequence[Column], vectors: Vectors) -> Column:
    """The column of figures that is asked for: by its words, then by likeness."""
    names = [label_of(one.name) for one in measures]
    likeness = vectors.likeness(asked.question.text, names)
    found = [
        share_in(name, asked.bag) + 0.3 * alike for name, alike in zip(names, likeness, strict=True)
    ]
    if not any(share_in(name, asked.bag) > 0 for name in names):
        # No column is named: "sales by product" means the amount, not the discount.
        found = [one - RATE_COST * is_rate(m) for one, m in zip(found, measures, strict=True)]
    best = measures[found.index(max(found))]
    if asked.wish.relation:
        # What is named first stands along the bottom.
        named = [one for one in measures if share_in(label_of(one.name), asked.bag) >= 0.5]
        return min(named, key=lambda one: _position(one, asked)) if len(named) > 1 else best
    return best


def other_of(asked: Asked, measure: Column, measures: Sequence[Column]) -> Column | None:
    """The figures that the measure is related to, where the question names them."""
    rest = [one for one in measures if one != measure]
    named = [one for one in rest if share_in(label_of(one.name), asked.bag) >= 0.5]
    if named:
        return max(named, key=lambda one: share_in(label_of(one.name), asked.bag))
    return (
        rest[0] if len(rest) == 1 and share_in(label_of(measure.name), asked.bag) >= 0.5 else None
    )


def _position(column: Column, asked: Asked) -> int:
    """Where the question, or what is known of its words in the other language, names a column."""
    said = fold(in_both(asked.question.text))
    places = [said.find(term.word) for term in terms_of(label_of(column.name))]
    return min((place for place in places if place >= 0), default=len(said))


def share_in(name: str, asked: Bag) -> float:
    """How much of ``name`` stands in the question."""
    terms = terms_of(name)
    return sum(asked.share(term) for term in terms) / len(terms) if terms else 0.0


def category_of(asked: Asked, columns: Sequence[Column]) -> tuple[Column | None, bool]:
    """The column of names to group by, and whether the question names that column."""
    short = [one for one in columns if max(map(len, one.examples), default=0) <= 40]
    if not short:
        return None, False
    shares = [share_in(label_of(one.name), asked.bag) for one in short]
    if max(shares) >= 0.5:
        return short[shares.index(max(shares))], True
    matches = [len(_values_named(asked.bag, one)) for one in short]
    return short[matches.index(max(matches))], False


def second_of(
    asked: Asked, category: Column | None, roles: Roles, metric: Column | None
) -> Column | None:
    """What the category is crossed with: another column of names that is asked for, or periods."""
    if category is None or metric:
        return None
    rest = [one for one in roles.categories if one != category]
    named = [one for one in rest if share_in(label_of(one.name), asked.bag) >= 0.5]
    if named:
        return named[0]
    if not asked.wish.pivot:
        return None
    return next((one for one in (*rest, *roles.periods) if one.type != "date"), None)


def _values_named(asked: Bag, column: Column) -> tuple[str, ...]:
    shares = [share_in(one, asked) for one in column.examples]
    best = max(shares, default=0.0)
    named = best > _NAMED
    return tuple(
        one for one, share in zip(column.examples, shares, strict=True) if named and share == best
    )


def rows_of(
    asked: Asked, metric: Column | None, category: Column | None, named: bool, roles: Roles
) -> tuple[tuple[Column, tuple[str, ...]], ...]:
    """The rows that the question is about, where it names them."""
    if metric:
        best = max(metric.examples, key=lambda one: share_in(one, asked.bag), default=None)
        return ((metric, (best,)),) if best else ()
    if category is None:
        return ()
    if named:
        others = [one for one in roles.categories if one != category]
        found = [(one, _values_named(asked.bag, one)) for one in others]
        return tuple((one, values) for one, values in found if values and len(values) < 3)
    values = _values_named(asked.bag, category)
    wide = bool(roles.period_columns)
    alone = wide or asked.question.kinds.isdisjoint({"why", "trend", "compare"})
    return ((category, values),) if len(values) >= (1 if alone else 2) else ()
