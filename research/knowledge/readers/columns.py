"""Columns of a table: what type they have, and their cells as values of that type.

A column is a number only if every cell that holds anything is one, in one notation and one unit;
otherwise it stays text, for a wrong number is worse than none. A percentage keeps the figure that
is written ("12.5%" is 12.5), and codes such as "007" stay text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from research.knowledge.readers import Cell, ColumnType, GridColumn

MISSING = frozenset({
    "", "-", "–", "—", "n/a", "na", "n.a.", "nan", "null", "none", "无", "暂无",
    "#n/a", "#div/0!", "#ref!", "#value!", "#name?", "#num!", "#null!",
})  # fmt: skip
YES = frozenset({"true", "yes", "是"})
NO = frozenset({"false", "no", "否"})
EXAMPLES = 8

UNITS = r"US\$|[$€£¥￥₹₩]|USD|EUR|GBP|CNY|RMB|JPY|CHF|元|万元|亿元|%|‰"
AMOUNT = re.compile(
    rf"(?P<minus>[-−–]|\()?\s*(?P<before>{UNITS})?\s*(?P<sign>[-+−])?"
    rf"(?P<digits>\d[\d.,'’\s]*(?:[eE][-+]?\d+)?)\s*(?P<after>{UNITS})?\)?"
)
ENGLISH = re.compile(
    r"(?:\d+|\d{1,3}(?:,\d{2,3})*,\d{3}|\d{1,3}(?:[ '’]\d{3})+)(?:\.\d+)?(?:[eE][-+]?\d+)?"
)
CONTINENTAL = re.compile(r"(?:\d+|\d{1,3}(?:[. ]\d{3})+)(?:,\d+)?")
GROUPS = re.compile("[, '’]")
CODE = re.compile(r"0\d|\d{16}")
DATES = (
    "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y年%m月%d日", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y",
    "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%d-%b-%Y",
    "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S",
    "%Y/%m/%d %H:%M", "%Y/%m/%d %H:%M:%S",
)  # fmt: skip
AMBIGUOUS = {"%d/%m/%Y", "%m/%d/%Y"}


@dataclass(frozen=True)
class Values:
    """The cells of a column as values of its type; None where a cell holds nothing."""

    type: ColumnType
    values: list[Any]


def typed(cells: Sequence[Cell]) -> Values:
    """Find the type that fits every cell of a column."""
    plain = [None if _is_missing(cell) else cell for cell in cells]
    present = [cell for cell in plain if cell is not None]
    for kind, convert in _converters():
        converted = convert(present) if present else None
        if converted is not None:
            filled = iter(converted)
            return Values(kind, [None if cell is None else next(filled) for cell in plain])
    # Among words "NA" may stand for North America, so only what is blank is missing here.
    return Values("text", [shown(cell) or None for cell in cells])


def described(name: str, cells: Sequence[Cell], values: Values) -> GridColumn:
    """What is told about a column: its type, examples as written, and its range."""
    written: dict[str, None] = {}
    for cell in cells:
        if shown(cell) and not (_is_missing(cell) and values.type != "text"):
            written.setdefault(shown(cell)[:80])
        if len(written) == EXAMPLES:
            break
    present = [value for value in values.values if value is not None]
    ranged = present if values.type in ("number", "date") else []
    return GridColumn(
        name=name,
        type=values.type,
        examples=tuple(written),
        least=shown(min(ranged)) if ranged else "",
        most=shown(max(ranged)) if ranged else "",
    )


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
    return not _is_missing(cell) and _numbers([cell]) is not None


def _converters() -> tuple[tuple[ColumnType, Callable[[Sequence[Cell]], list[Any] | None]], ...]:
    return ("boolean", _booleans), ("number", _numbers), ("date", _dates)


def _is_missing(cell: Cell) -> bool:
    return cell is None or (isinstance(cell, str) and cell.strip().lower() in MISSING)


def _booleans(cells: Sequence[Cell]) -> list[Any] | None:
    words = [shown(cell).strip().lower() for cell in cells]
    return [word in YES for word in words] if all(word in YES | NO for word in words) else None


def _numbers(cells: Sequence[Cell]) -> list[Any] | None:
    if any(isinstance(cell, bool | date) for cell in cells):
        return None
    amounts: list[Any] = []
    for cell in cells:
        amounts.append(cell if isinstance(cell, int | float) else _amount(str(cell)))
        if amounts[-1] is None:
            return None
    units = {amount[1] for amount in amounts if isinstance(amount, tuple)}
    if len(units) > 1:
        return None
    for notation, parse in ((ENGLISH, _english), (CONTINENTAL, _continental)):
        numbers = [_in_notation(amount, notation, parse) for amount in amounts]
        if None not in numbers:
            whole = all(isinstance(number, int) and abs(number) < 2**63 for number in numbers)
            return numbers if whole else [float(number) for number in numbers if number is not None]
    return None


def _amount(text: str) -> tuple[str, str] | None:
    """Digits with their sign, and the unit, of a cell that is an amount."""
    match = AMOUNT.fullmatch(text.strip())
    if match is None or (match["minus"] == "(") != text.strip().endswith(")"):
        return None
    digits = match["digits"].strip()
    if CODE.match(digits):
        return None
    negative = match["minus"] is not None or match["sign"] in ("-", "−")
    return ("-" if negative else "") + digits, match["before"] or match["after"] or ""


def _in_notation(
    amount: Any, notation: re.Pattern[str], parse: Callable[[str], int | float]
) -> int | float | None:
    if not isinstance(amount, tuple):
        return int(amount) if isinstance(amount, float) and amount.is_integer() else amount
    return parse(amount[0]) if notation.fullmatch(amount[0].lstrip("-")) else None


def _english(digits: str) -> int | float:
    bare = digits if digits.isdigit() else GROUPS.sub("", digits)
    return int(bare) if bare.lstrip("-").isdigit() else float(bare)


def _continental(digits: str) -> int | float:
    return _english(re.sub("[. ]", "", digits).replace(",", "."))


def _dates(cells: Sequence[Cell]) -> list[Any] | None:
    if all(isinstance(cell, date) for cell in cells):
        return _alike(cells)
    texts = [shown(cell).strip() for cell in cells]
    distinct = set(texts)
    if not all(text[:1].isalnum() and len(text) <= 30 for text in distinct):
        return None
    fitting = [form for form in DATES if _parse(texts[0], form)]
    fitting = [form for form in fitting if all(_parse(text, form) for text in distinct)]
    if not fitting or set(fitting) >= AMBIGUOUS:  # day or month first: nobody can tell
        return None
    parsed = {text: datetime.strptime(text, fitting[0]) for text in distinct}
    timed = "%H" in fitting[0]
    return [parsed[text] if timed else parsed[text].date() for text in texts]


def _parse(text: str, form: str) -> datetime | None:
    try:
        return datetime.strptime(text, form)
    except ValueError:
        return None


def _alike(dates: Sequence[Any]) -> list[Any]:
    """All with a time of day where any of them has one."""
    if not any(isinstance(value, datetime) for value in dates):
        return list(dates)
    return [
        value if isinstance(value, datetime) else datetime.combine(value, time()) for value in dates
    ]
