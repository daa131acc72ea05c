"""Names of columns and tables in words, and the units that are hidden in them."""

from __future__ import annotations

import re

from research.models import Language, Table

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


def spaced(name: str) -> str:
    """A column's name in words: ``operating_income`` and ``OperatingIncome`` alike."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name.replace("_", " ")).strip()


def titled(table: Table) -> str:
    """The title of ``table``, put in words where it is a file's name."""
    title = table.title
    if re.search(r"[a-z0-9][-_][a-z0-9]", title, re.IGNORECASE) and " " not in title:
        title = re.sub(r"[-_]+", " ", title)
    return title[:1].upper() + title[1:]


def unit_of(name: str) -> str:
    brackets = _BRACKETS.search(name)
    if brackets:
        return brackets[1].strip()
    words = spaced(name).lower().split()
    for length in (2, 1):
        if len(words) > length and " ".join(words[-length:]) in _SUFFIXES:
            return _SUFFIXES[" ".join(words[-length:])]
    return ""


def label_of(name: str) -> str:
    """A column's name as a label: in words, without its unit, with a capital."""
    plain = _BRACKETS.sub(" ", spaced(name)).strip()
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
