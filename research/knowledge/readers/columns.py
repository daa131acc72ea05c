"""Columns of a table: what type they have, and their cells as values of that type.

A column is a number only if every cell that holds anything is one, in one notation and one unit;
otherwise it stays text, for a wrong number is worse than none. A percentage keeps the figure that
is written ("12.5%" is 12.5), and codes such as "007" stay text. The cells are looked at piece by
piece, so that a column may be longer than memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from math import isfinite
from typing import Any

from research.knowledge.readers import Cell, ColumnType
from research.knowledge.readers.amounts import SCALES, Amount, Mark, amount_of, is_amount
from research.knowledge.readers.dates import DateJudge, as_date, is_compact
from research.knowledge.readers.plain_amounts import facts_of

MISSING = frozenset({
    "", "-", "--", "---", "–", "—", "——", "…", "...", "n/a", "na", "n.a.", "n/m", "n.m.", "nm",
    "nan", "null", "none", "无", "暂无", "不适用", "未披露", "不详",
    "#n/a", "#div/0!", "#ref!", "#value!", "#name?", "#num!", "#null!",
})  # fmt: skip
YES = frozenset({"true", "yes", "是"})
NO = frozenset({"false", "no", "否"})
LONGEST_MISSING = max(map(len, MISSING))
LARGEST = 2**63
YUAN = {"元": 1, **{f"{scale}元": SCALES[scale] for scale in ("千", "万", "百万", "千万", "亿")}}
"""Units that differ in scale alone: beside each other in a column they are all told in 元."""


@dataclass(frozen=True)
class Decision:
    """The type of a column, and how its cells become values."""

    type: ColumnType
    unit: str = ""
    mark: Mark = "."
    form: str = "iso"
    timed: bool = False
    whole: bool = False
    """Whether all numbers are integers that fit 64 bits."""
    metres: bool = True
    """Whether a bare "m" is a unit and not a million."""
    yuan: bool = False
    """Whether 万元 and 亿元 stand beside each other."""


@dataclass
class Judge:
    """Looks at the cells of a column, piece by piece, and says what it holds."""

    filled: bool = False
    booleans: bool = True
    numbers: bool = True
    compact: bool = True
    dates: DateJudge = field(default_factory=DateJudge)
    marks: set[Mark] = field(default_factory=lambda: {".", ","})
    either: set[str] = field(default_factory=set)
    """Marks that stand where they may mean either."""
    short: bool = False
    long: bool = False
    """Whether integers without marks below, and from, a thousand were seen."""
    units: set[str] = field(default_factory=set)
    bare: bool = False
    """Whether an amount other than zero stood without unit and scale."""
    scales: set[str] = field(default_factory=set)
    unscaled: bool = False
    whole: dict[Mark, bool] = field(default_factory=lambda: {".": True, ",": True})
    distinct: int = 0

    def feed(self, cells: Iterable[Cell]) -> None:
        """Look at more cells, each cleaned."""
        if self.filled and not (self.booleans or self.numbers or self.dates.alive):
            return  # it is text, whatever comes
        distinct = {cell for cell in set(cells) if cell is not None and cell != ""}
        self.filled = self.filled or bool(distinct)
        present = {cell for cell in distinct if not is_missing(cell)}
        self.distinct = max(self.distinct, len(present))
        if not present:
            return
        if self.booleans:
            self.booleans = all(shown(cell).lower() in YES | NO for cell in present)
        if self.numbers:
            self._feed_numbers(present)
        if self.dates.alive:
            self.dates.feed(present)

    def evidence(self) -> Mark | None:
        """What stands before decimals in this column, if its cells leave no doubt."""
        sure = self.filled and self.numbers and len(self.marks) == 1
        return next(iter(self.marks)) if sure else None

    def decide(self, others: Mark | None = None, usual: Mark | None = None) -> Decision:
        """The type that fits every cell.

        Args:
            others: What stands before decimals in the other columns, as far as they agree.
            usual: What stands there in files of this kind, if anything is usual.
        """
        if not self.filled or not (self.booleans or self.numbers or self.dates.alive):
            return Decision("text")
        if self.booleans and self.distinct:
            return Decision("boolean")
        if self.numbers and self.distinct:
            if self.compact and self.distinct > 1:
                return Decision("date", form="compact")
            return self._number(others, usual) or Decision("text")
        form = self.dates.form if self.distinct else None
        return Decision("date", form=form, timed=self.dates.timed) if form else Decision("text")

    def forced(self, wanted: ColumnType, others: Mark | None, usual: Mark | None) -> Decision:
        """The way to the type that the user wants, whether or not every cell can go it."""
        found = self.decide(others, usual)
        if found.type == wanted:
            return found
        mark = others or usual or ("." if "." in self.marks else ",")
        unit = next(iter(self.units)) if len(self.units) == 1 and not self.bare else ""
        form = self.dates.form or ("compact" if self.compact and self.numbers else "any")
        return Decision(wanted, unit=unit, mark=mark, form=form, timed=self.dates.timed)

    def _feed_numbers(self, present: set[Any]) -> None:
        kinds = set(map(type, present))
        if kinds <= {int, float}:
            self.bare = self.bare or any(present)
            self.unscaled = True
            for mark in self.whole:
                self.whole[mark] = self.whole[mark] and all(map(_is_whole, present))
            texts = {shown(cell) for cell in present} if self.compact else set()
            self.compact = self.compact and all(map(is_compact, texts))
        elif kinds != {str} or not self._feed_plain(present):
            for cell in present:
                self._feed_amount(cell)
                if not self.numbers:
                    return

    def _feed_plain(self, present: set[Any]) -> bool:
        """Look at plain amounts all at once; False if there are others."""
        facts = facts_of(present)
        if facts is None:
            return False
        self.marks &= facts.marks
        self.either |= facts.either
        self.whole["."] = self.whole["."] and not facts.pointed
        self.whole[","] = self.whole[","] and not facts.grouped
        self.short = self.short or facts.short
        self.long = self.long or facts.long
        self.units |= {"%"} if facts.percent else set()
        self.bare = self.bare or facts.bare
        self.unscaled = True
        self.compact = self.compact and all(map(is_compact, present))
        self.numbers = bool(self.marks) and _is_one(self.units - {"m"})
        return True

    def _feed_amount(self, cell: Any) -> None:
        if isinstance(cell, bool | date):
            self.numbers = False
            return
        amount = amount_of(cell) if isinstance(cell, str) else Amount(cell, cell)
        if amount is None:
            self.numbers = False
            return
        for mark in (".", ","):
            number = amount.number(mark)
            if number is None:
                self.marks.discard(mark)
            else:
                number *= SCALES.get(amount.scale, 1)
                self.whole[mark] = self.whole[mark] and _is_whole(number)
        if amount.either:
            self.either.add(amount.either)
        elif amount.digits.isdigit():
            self.long = self.long or len(amount.digits) > 3
            self.short = self.short or len(amount.digits) <= 3
        self.compact = self.compact and is_compact(shown(cell))
        zero = not amount.point and not amount.comma
        self.units |= {amount.unit} if amount.unit else set()
        self.scales |= {amount.scale} if amount.scale else set()
        self.bare = self.bare or not (amount.unit or zero)
        self.unscaled = self.unscaled or not (amount.scale or zero or amount.unit == "m")
        self.numbers = bool(self.marks) and _is_one(self.units - {"m"})

    def _number(self, others: Mark | None, usual: Mark | None) -> Decision | None:
        units = set(self.units)
        metres = not (self.scales and "m" in units)
        units -= set() if metres else {"m"}
        yuan = len(units) > 1 and _is_one(units)
        if not _is_one(units) or (units and self.bare) or (self.scales and self.unscaled):
            return None
        mark = self._mark(others, usual)
        if mark is None:
            return None
        unit = "元" if yuan else next(iter(units), "")
        whole = self.whole[mark] and metres and not yuan
        return Decision("number", unit=unit, mark=mark, whole=whole, metres=metres, yuan=yuan)

    def _mark(self, others: Mark | None, usual: Mark | None) -> Mark | None:
        if len(self.marks) == 1:
            return next(iter(self.marks))
        if len(self.either) != 1 or others:
            return None if len(self.either) > 1 else others or "."
        grouped = self.short and not self.long  # 987 beside 1.234: a mark begins a thousand
        if "," in self.either:
            return "." if grouped or usual != "," else None
        return "," if grouped else "." if usual == "." else None


def converter(decision: Decision) -> Callable[[Cell], Any]:
    """What makes values of the cells of a column; None where a cell does not fit."""
    match decision.type:
        case "number":
            return lambda cell: _as_number(cell, decision)
        case "date":
            return lambda cell: _as_date(cell, decision)
        case "boolean":
            return _as_boolean
    return lambda cell: shown(cell) or None


def shown(cell: Cell) -> str:
    """A cell as a reader sees it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return (
            format(cell, ".0f") if cell.is_integer() and abs(cell) < 1e15 else format(cell, ".15g")
        )
    if isinstance(cell, datetime):
        return cell.isoformat(" ")
    return cell.isoformat() if isinstance(cell, date) else str(cell)


def is_numeric(cell: Cell) -> bool:
    """Whether a cell by itself is an amount."""
    if isinstance(cell, bool | date) or is_missing(cell):
        return False
    return is_amount(cell) if isinstance(cell, str) else cell is not None


def is_missing(cell: Cell) -> bool:
    """Whether a cell holds nothing, or only says so."""
    if not isinstance(cell, str):
        return cell is None
    return len(cell) <= LONGEST_MISSING and cell.strip().lower() in MISSING


def _is_one(units: set[str]) -> bool:
    """Whether amounts in these units can stand in one column."""
    return len(units) < 2 or units <= YUAN.keys()


def _is_whole(number: float) -> bool:
    return abs(number) < LARGEST and number == int(number)


def _as_number(cell: Cell, decision: Decision) -> int | float | None:
    if isinstance(cell, bool | date) or is_missing(cell):
        return None
    number: int | float | None
    if isinstance(cell, str):
        amount = amount_of(cell)
        if amount is None:
            return None
        number = amount.number(decision.mark)
        if number is None:
            return None
        scale = amount.scale or ("" if decision.metres else amount.unit)
        factor = YUAN.get(amount.unit, 1) if decision.yuan else SCALES.get(scale, 1)
        number = number * factor if factor == 1 or number == int(number) else _times(number, factor)
    else:
        number = cell
    if number is None or not isfinite(number):
        return None
    return int(number) if decision.whole else float(number)


def _times(number: float, factor: int) -> float:
    """Without the dust of binary fractions: 1.2 million is 1200000."""
    return float(format(number * factor, ".15g"))


def _as_date(cell: Cell, decision: Decision) -> date | None:
    if decision.form == "compact":
        cell = shown(cell)
    elif decision.form == "any":
        alone = DateJudge()
        if is_missing(cell):
            return None
        alone.feed([cell.strip() if isinstance(cell, str) else cell])
        return as_date(cell, alone.form, decision.timed) if alone.form else None
    return as_date(cell, decision.form, decision.timed)


def _as_boolean(cell: Cell) -> bool | None:
    word = shown(cell).strip().lower()
    return word in YES if word in YES | NO else None
