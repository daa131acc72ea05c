"""Numbers in running text, English and Chinese, as values that can be compared.

``$412.6 million``, ``4.126亿``, ``412,583,000`` and ``(12.5) per cent`` are read with their
scale, and with the rounding that the digits as written allow.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, replace

_SCALES = {
    "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12,
    "mln": 1e6, "mn": 1e6, "bn": 1e9, "tn": 1e12,
    "千": 1e3, "万": 1e4, "十万": 1e5, "百万": 1e6, "千万": 1e7,
    "亿": 1e8, "十亿": 1e9, "百亿": 1e10, "千亿": 1e11, "万亿": 1e12,
    "萬": 1e4, "億": 1e8,
}  # fmt: skip
_LETTERS = {"k": 1e3, "m": 1e6, "b": 1e9}
"""Letters that may be a scale or a unit (metres): both readings count."""

_SCALE = "|".join(sorted(_SCALES, key=len, reverse=True))
_PERCENT = r"%|‰|per ?cent\b|percentage points?\b|pp\b|pts\b|个百分点|個百分點|百分点"
_NUMBER = re.compile(
    rf"(?P<chinese>百分之)?(?<![A-Za-z\d._])"
    rf"(?P<digits>\d{{1,3}}(?:[,'\u00a0\u202f]\d{{3}})+(?!\d)|\d+)(?P<decimals>\.\d+)?"
    rf"(?:\s?(?P<scale>{_SCALE})s?(?![a-z])|(?P<letter>[kmb])(?![A-Za-z]))?"
    rf"(?:\s?(?P<percent>{_PERCENT}))?",
    re.IGNORECASE,
)
_SCALE_WORD = re.compile(
    rf"(?<![\d\s.,])[\s(（/]*?({_SCALE})s?(?![a-z])|(?:[$€£¥]|\b[A-Z]{{3}}) ?([kmb])\b",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\s?(?:-|–|—|to|and|至|到|~|～|和)\s?[$€£¥]?", re.IGNORECASE)
_ROUGHLY = re.compile(
    r"(?:about|around|roughly|approximately|some|nearly|almost|over|more than|above|under|below"
    r"|less than|close to|up to|~|≈|约|大约|近|将近|逾|超|超过|不到|接近|达到近)"
    r"\s?(?:US|HK|RMB)?[$€£¥]?\s?$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reading:
    """One value that a number may stand for, and how far rounding may have moved it."""

    value: float
    slack: float
    """Half a unit of the last digit written; 0 for a bare whole number, a year or a count."""


@dataclass(frozen=True)
class Quantity:
    """One number of a text."""

    text: str
    """As written, with scale and percent sign."""
    readings: tuple[Reading, ...]
    """More than one where a letter may be a scale or a unit, or in a range."""
    percent: bool
    scaled: bool
    """Whether it says its own scale, so that none is taken from the head of a table."""
    at: tuple[int, int]
    """Where it begins and ends in the :func:`normalised` text."""


def quantities(text: str) -> list[Quantity]:
    """The numbers of ``text`` in order, digits within words and ordinals left out."""
    text = normalised(text)
    found = list(_NUMBER.finditer(text))
    out: list[Quantity] = []
    for index, match in enumerate(found):
        after = found[index + 1] if index + 1 < len(found) else None
        out.append(_quantity(text, match, after))
    return out


def normalised(text: str) -> str:
    """Full-width forms, ligatures and the many minus signs and spaces made plain."""
    return unicodedata.normalize("NFKC", text).replace("−", "-").replace("\u00ad", "")


def scales_named(text: str) -> set[float]:
    """Scales that ``text`` names for numbers without one, as the head of a table does."""
    return {
        _SCALES[match[1].lower()] if match[1] else _LETTERS[match[2].lower()]
        for match in _SCALE_WORD.finditer(normalised(text))
    }


class Figures:
    """The numbers that some text holds, for looking up those of a claim."""

    def __init__(self, text: str) -> None:
        """Read ``text``: the passages of one claim."""
        self.found = quantities(text)
        self.scales = {1.0} | scales_named(text)
        # A column headed "%" gives its percentages as bare numbers.
        self.percent_column = bool(re.search(r"(?<![\d\s])\s*(?:%|per ?cent)", normalised(text)))

    def hold(self, wanted: Quantity, scales: Collection[float] = ()) -> bool:
        """Whether one of the numbers is ``wanted``, within its rounding.

        Args:
            wanted: A number of the claim.
            scales: Those that the head of the claim's own table names.
        """
        if scales and not (wanted.scaled or wanted.percent):
            more = [
                Reading(one.value * scale, one.slack * scale)
                for one in wanted.readings
                for scale in scales
            ]
            wanted = replace(wanted, readings=(*wanted.readings, *more))
        return any(self._same(wanted, number) for number in self.found)

    def _same(self, wanted: Quantity, number: Quantity) -> bool:
        if wanted.percent and not number.percent and not self.percent_column:
            return False
        plain = number.scaled or number.percent or wanted.percent
        return any(
            abs(held.value * scale - goal.value) <= goal.slack + 1e-9 * goal.value
            for held in number.readings
            for scale in ({1.0} if plain else self.scales)
            for goal in wanted.readings
        )


def _quantity(text: str, match: re.Match[str], after: re.Match[str] | None) -> Quantity:
    digits, decimals = re.sub(r"\D", "", match["digits"]), match["decimals"] or ""
    percent = bool(match["percent"] or match["chinese"])
    factors = _factors(match)
    scaled = factors != [1.0]
    if not (scaled or percent) and after and _RANGE.fullmatch(text, match.end(), after.start()):
        # "5 to 10 million": the scale is written once and counts for both.
        factors = list(dict.fromkeys([1.0, *_factors(after)]))
    roughly = _ROUGHLY.search(text, max(0, match.start() - 24), match.start())
    step = 10.0 ** -max(0, len(decimals) - 1)
    if roughly and not decimals:
        step = 10.0 ** (len(digits) - len(digits.rstrip("0")))
    rounded = bool(decimals or percent or roughly)
    number = float(digits + decimals)
    readings = tuple(
        Reading(number * factor, step / 2 * factor if rounded or factor > 1 else 0.0)
        for factor in factors
    )
    return Quantity(match[0].strip(), readings, percent, scaled, match.span())


def _factors(match: re.Match[str]) -> list[float]:
    if match["letter"]:
        return [1.0, _LETTERS[match["letter"].lower()]]
    return [_SCALES[match["scale"].lower()] if match["scale"] else 1.0]
