"""The day and the version that a PDF gives itself, on its first pages or in its properties."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta

MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun",
            "july jul", "august aug", "september sept sep", "october oct", "november nov",
            "december dec",
        ),
        1,
    )
    for name in names.split()
}  # fmt: skip
MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
DAY_FIRST = rf"(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?P<m1>{MONTH})\.?,?\s+(?P<y1>\d{{4}})"
MONTH_FIRST = rf"(?P<m2>{MONTH})\.?\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+(?P<y2>\d{{4}})"
NUMBERS = r"(?P<y3>\d{4})\s?[-/.年]\s?(?P<m3>\d{1,2})\s?[-/.月]\s?(?P<d3>\d{1,2})(?!\d)\s?日?"
COUNT = "[一二三四五六七八九十]"
YEAR = "[二一][〇零○一二三四五六七八九]{3}"
CHINESE_DAY = rf"(?P<y4>{YEAR})年(?P<m4>{COUNT}{{1,2}})月(?P<d4>{COUNT}{{1,3}})日"
DAY = re.compile(
    rf"(?<![0-9A-Za-z/.-])(?:{DAY_FIRST}|{MONTH_FIRST}|{NUMBERS}|{CHINESE_DAY})", re.IGNORECASE
)
PERIOD_END = re.compile(
    r"(?:years?|periods?|months|quarters?|weeks) (?:ended|ending)(?: on)?:?\s*$|截至\s*$|截止\s*$",
    re.IGNORECASE,
)
VERSION = re.compile(
    r"(?:^|[\s(（:：,，-])(?:(?:version|ver\.?|revision|rev\.?|版本号?|修订号?|修订版)\s*[:：]?\s*"
    r"(?P<named>[vV]?\d+(?:\.\d+){0,3}[a-z]?|[A-Z]\b)|(?P<short>[vV]\d+(?:\.\d+){1,3})\b"
    r"|(?P<edition>第[一二三四五六七八九十\d]+版|\d+(?:st|nd|rd|th) edition))",
    re.IGNORECASE,
)
LONGEST_LINE = 90
"""A version stands in a short line; in a sentence it may be that of anything."""
DIGITS = {char: index for index, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "○": 0}
PROPERTY = re.compile(r"D?:?(\d{4})(\d{2})?(\d{2})?")


def stated_day(first_page: str) -> date | None:
    """The day on the title page: the end of the period it reports on, or its only date."""
    days = []
    for match, day in _days(first_page):
        if PERIOD_END.search(first_page[: match.start()].replace("\n", " ")):
            return day
        days.append(day)
    return days[0] if len(set(days)) == 1 else None


def property_day(*properties: str) -> date | None:
    """The first of the PDF properties CreationDate and ModDate that can be true."""
    for text in properties:
        match = PROPERTY.match(text)
        day = _day(match[1], match[2] or "1", match[3] or "1") if match else None
        if day is not None and date(1990, 1, 2) <= day <= date.today() + timedelta(days=1):
            return day
    return None


def stated_version(lines: Sequence[str]) -> str:
    """The version that a short line of the first pages states; empty where none does."""
    for line in lines:
        match = VERSION.search(line) if len(line) <= LONGEST_LINE else None
        if match:
            return (match["named"] or match["short"] or match["edition"]).strip()
    return ""


def _days(text: str) -> Iterator[tuple[re.Match[str], date]]:
    for match in DAY.finditer(text):
        for form in "1234":
            if match["y" + form]:
                year, month, day = (match[part + form] for part in "ymd")
                found = _day(year, month, day)
                if found is not None:
                    yield match, found


def _day(year: str, month: str, day: str) -> date | None:
    try:
        found = date(_number(year), MONTHS.get(month.lower(), 0) or _number(month), _number(day))
    except ValueError:
        return None
    return found if 1900 <= found.year <= date.today().year + 2 else None


def _number(text: str) -> int:
    """A number in digits, or a Chinese one such as 二〇二五, 十二 or 三十一."""
    if text.isdecimal():
        return int(text)
    if "十" not in text:
        return int("".join(str(DIGITS[char]) for char in text if char in DIGITS))
    tens, _, ones = text.partition("十")
    return 10 * DIGITS.get(tens, 1) + DIGITS.get(ones, 0)
