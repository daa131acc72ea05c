"""Names of columns and tables in words, and the units that are hidden in them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from research.knowledge.readers.amounts import SCALES, amount_of
from research.models import Column, Language, Table

_BRACKETS = re.compile(r"\s*[(（\[]([^)）\]]+)[)）\]]\s*")
_SUFFIXES = {
    "musd": "USD million",
    "usd m": "USD million",
    "usd mn": "USD million",
    "usd million": "USD million",
    "meur": "EUR million",
    "eur m": "EUR million",
    "kusd": "USD thousand",
    "keur": "EUR thousand",
    "usd": "USD",
    "eur": "EUR",
    "gbp": "GBP",
    "cny": "CNY",
    "rmb": "RMB",
    "pct": "%",
    "percent": "%",
    "kg": "kg",
    "km": "km",
    "kwh": "kWh",
    "mwh": "MWh",
    "gwh": "GWh",
}

_RATE = re.compile(
    r"%|percent|\bpct\b|\bshare\b|\brate\b|\bratio\b|margin|\bprice\b|average|\bavg\b|\bmean\b"
    r"|\bper\b|\bindex\b|score|yield|率|占比|比例|比重|均|单价|价格|指数|评分",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Scale:
    """The unit in which figures are shown."""

    unit: str
    factor: int = 1
    """What the figures are divided by to be in it."""
    written: tuple[str, ...] = ()
    """The scales that the cells were written in: ``亿`` and ``万``."""


def scale_of(columns: Sequence[Column], unit: str, language: Language) -> Scale:
    """The largest scale that the cells of ``columns`` were written in, with their unit.

    The library keeps such figures in full: ``1.2亿`` is 120000000 there.
    """
    amounts = [amount_of(example) for column in columns for example in column.examples]
    written = dict.fromkeys(one.scale for one in amounts if one and one.scale)
    if not written:
        return Scale(unit)
    largest = max(written, key=lambda one: SCALES[one])
    factor = SCALES[largest]
    said = _SCALE_WORDS.get(factor, largest) if largest.isascii() else largest
    whole = f"{said}{unit}" if not said.isascii() else f"{unit} {said}".strip()
    return Scale(whole, factor, tuple(written))


_SCALE_WORDS = {10**3: "thousand", 10**6: "million", 10**9: "billion", 10**12: "trillion"}


def spaced(name: str) -> str:
    """A column's name in words: ``operating_income`` and ``OperatingIncome`` alike."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.replace("_", " ")).strip()


def titled(table: Table) -> str:
    """The title of ``table``, put in words where it is a file's name."""
    title = table.title
    if re.search(r"[a-z0-9][-_][a-z0-9]", title, re.IGNORECASE) and " " not in title:
        title = re.sub(r"[-_]+", " ", title)
    return title[:1].upper() + title[1:]


def unit_of(column: Column) -> str:
    """What the numbers of a column count: as the reader found it, or as its name ends."""
    return column.unit or unit_of_name(column.name)


def unit_of_name(name: str) -> str:
    """The unit in the name of a column."""
    brackets = _BRACKETS.search(name)
    if brackets:
        return brackets[1].strip()
    words = spaced(name).lower().split()
    for length in (2, 1):
        if len(words) > length and " ".join(words[-length:]) in _SUFFIXES:
            return _SUFFIXES[" ".join(words[-length:])]
    return ""


def says_rate(words: str) -> bool:
    """Whether figures called so are rates, prices or shares, which are not added up."""
    return _RATE.search(words) is not None


def is_rate(column: Column) -> bool:
    """Whether the figures of ``column`` are not to be added up."""
    return says_rate(f"{spaced(column.name)} {column.unit}")


def label_of(name: str) -> str:
    """A column's name as a label: in words, without its unit, with a capital."""
    plain = _BRACKETS.sub(" ", spaced(name)).strip()
    plain = plain.removesuffix("%").strip() or plain
    words = plain.split()
    for length in (2, 1):
        if len(words) > length and " ".join(words[-length:]).lower() in _SUFFIXES:
            words = words[:-length]
            break
    plain = " ".join(words)
    return plain[:1].upper() + plain[1:]


def with_unit(name: str, unit: str, language: Language) -> str:
    if not unit:
        return name
    return f"{name}（{unit}）" if language == "zh" else f"{name} ({unit})"
