"""Dates as people write them; where day and month could be exchanged, a text stays a text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, datetime, time
from functools import lru_cache

ISO = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?Z?)?")
FORMS = (
    "iso", "%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y年%m月%d日", "%d.%m.%Y", "%d.%m.%y",
    "%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%Y", "%d/%m/%y", "%m/%d/%y",
    "%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%b %d %Y", "%d-%b-%Y", "%d-%b-%y",
    "%Y-%m", "%Y/%m", "%Y年%m月", "%b %Y", "%B %Y", "%b-%Y", "%m/%Y",
    "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y/%m/%d %H:%M", "%Y/%m/%d %H:%M:%S",
    "%Y年%m月%d日 %H:%M", "%d.%m.%Y %H:%M", "%d.%m.%Y %H:%M:%S",
    "%d/%m/%Y %H:%M", "%m/%d/%Y %H:%M", "%d/%m/%Y %H:%M:%S", "%m/%d/%Y %H:%M:%S",
)  # fmt: skip
"""Those of a month alone stand for its first day."""
EXCHANGED = {
    form: form.replace("%d", "#").replace("%m", "%d").replace("#", "%m")
    for form in FORMS
    if form.startswith(("%d/%m", "%d-%m"))
}
"""Day first, and what else it may be."""
COMPACT = re.compile(r"(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")
LONGEST = 32


def is_compact(text: str) -> bool:
    """Whether ``text`` is a day as eight digits."""
    return parsed(text, "compact") is not None


class DateJudge:
    """Finds the form in which every cell of a column is a date."""

    def __init__(self) -> None:
        self.alive = True
        self.timed = False
        self._forms: tuple[str, ...] = FORMS
        self._strings = False

    def feed(self, cells: Iterable[object]) -> None:
        """Look at more cells, none of which is missing."""
        for cell in cells:
            if isinstance(cell, date):
                self.timed = self.timed or isinstance(cell, datetime)
            elif isinstance(cell, str) and len(cell) <= LONGEST and cell[:1].isalnum():
                self._strings = True
                self._forms = tuple(form for form in self._forms if parsed(cell, form))
                self.alive = bool(self._forms)
                self.timed = self.timed or ":" in cell
            else:
                self.alive = False
            if not self.alive:
                return

    @property
    def form(self) -> str | None:
        """The form of the cells that are text; None where nobody can tell."""
        if not self.alive:
            return None
        day_first = [form for form in self._forms if EXCHANGED.get(form) in self._forms]
        return None if self._strings and day_first else self._forms[0]


def as_date(cell: object, form: str, timed: bool) -> date | None:
    """A cell as a date, or with the time of day where ``timed``; None where it is none."""
    if isinstance(cell, str):
        cell = parsed(cell.strip(), form)
    if not isinstance(cell, date):
        return None
    if timed:
        return cell if isinstance(cell, datetime) else datetime.combine(cell, time())
    return cell.date() if isinstance(cell, datetime) else cell


@lru_cache(maxsize=200_000)
def parsed(text: str, form: str) -> datetime | None:
    """``text`` read in one of :data:`FORMS`."""
    try:
        if form == "iso":
            return datetime.fromisoformat(text.rstrip("Z")) if ISO.fullmatch(text) else None
        if form == "compact":
            return datetime.strptime(text, "%Y%m%d") if COMPACT.fullmatch(text) else None
        return datetime.strptime(text, form)
    except ValueError:
        return None
