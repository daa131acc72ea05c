"""Amounts as people write them: marks of thousands and decimals, signs, units, scales.

In a column "1.234" may be a thousand or a little over one. What the other cells say decides; where
nothing does, the cell is no number, for a wrong number is worse than none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

Mark = Literal[".", ","]
"""What stands before the decimals."""

SIGNS = r"(?:US|HK|NT|[ACS])?\$|[€£¥￥₹₩]"
CODES = r"USD|EUR|GBP|CNY|RMB|JPY|CHF|HKD|TWD|SGD|AUD|CAD|INR|KRW|SEK|NOK|DKK|人民币|港元|美元|欧元"
UNITS = (
    rf"{SIGNS}|{CODES}|(?:[百千]?[万亿]|[百千])?元|[万亿]?(?:股|人|吨|家|台|辆)|%|‰|bps?|pp|x|倍"
    r"|百分点|个百分点|kg|km|k?t|[kMGT]Wh?|m²|m³|m"
)
SCALES = {
    "k": 10**3, "K": 10**3, "M": 10**6, "mn": 10**6, "mln": 10**6, "m": 10**6, "million": 10**6,
    "b": 10**9, "bn": 10**9, "B": 10**9, "billion": 10**9, "trn": 10**12, "trillion": 10**12,
    "thousand": 10**3, "千": 10**3, "万": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8,
    "万亿": 10**12,
}  # fmt: skip
AMOUNT = re.compile(
    rf"(?P<sign>[-+])?\s*(?P<before>{UNITS})?\s*(?P<inner>[-+])?\s*"
    r"(?P<digits>[.,]?\d[\d.,'’ \u00a0\u202f]*(?:[eE][-+]?\d+)?)(?P<minus>-)?\s*"
    rf"(?P<scale>{'|'.join(sorted(map(re.escape, SCALES), key=len, reverse=True))})??\s*"
    rf"(?P<after>{UNITS})?\s*(?P<note>[*†‡¹²³⁴⁵⁶⁷⁸⁹]{{1,3}})?"
)
PARENTHESES = re.compile(rf"(?P<before>{SIGNS}|{CODES})?\s*\((?P<inner>.*\d.*)\)\s*(?P<after>%|‰)?")
HEAD = r"(?:[1-9]\d{0,2})"
POINT = re.compile(
    rf"(?:\d+|{HEAD}(?:,\d{{2,3}})*,\d{{3}}|{HEAD}(?:[ '’\u00a0\u202f]\d{{3}})+)?"
    r"(?:\.\d+)?(?:[eE][-+]?\d+)?"
)
COMMA = re.compile(rf"(?:\d+|{HEAD}(?:\.\d{{3}})+|{HEAD}(?:[ '’\u00a0\u202f]\d{{3}})+)?(?:,\d+)?")
EITHER = re.compile(rf"{HEAD}[.,]\d{{3}}")
GROUPS = re.compile("[, '’\u00a0\u202f]")
CODE = re.compile(r"0\d|\d{16}")
FOLDED = str.maketrans("０１２３４５６７８９．，－（）％＋−–＄", "0123456789.,-()%+--$")


@dataclass(frozen=True)
class Amount:
    """A cell that is an amount, and the number it is under each reading of its marks."""

    point: int | float | None
    """With a decimal point, unscaled; None where that cannot be."""
    comma: int | float | None
    unit: str = ""
    scale: str = ""
    either: str = ""
    """The mark that may be a decimal mark as well as one of thousands; else empty."""
    digits: str = ""

    def number(self, mark: Mark) -> int | float | None:
        """Its number where ``mark`` stands before decimals."""
        return self.point if mark == "." else self.comma


@lru_cache(maxsize=100_000)
def amount_of(text: str) -> Amount | None:
    """``text`` as an amount, or None where it is none."""
    text = text.translate(FOLDED).strip()
    negative = False
    unit = ""
    if "(" in text:
        match = PARENTHESES.fullmatch(text)
        if match is None:
            return None
        negative, text = True, match["inner"].strip()
        unit = match["before"] or match["after"] or ""
    match = AMOUNT.fullmatch(text)
    if match is None:
        return None
    digits = match["digits"].strip()
    signs = [sign for sign in (match["sign"], match["inner"], match["minus"]) if sign]
    after, scale = match["after"] or "", match["scale"] or ""
    unit = unit or match["before"] or ""
    if unit and after == "m":  # millions: nobody writes a currency before metres
        after, scale = "", "m"
    if CODE.match(digits) or len(signs) + negative > 1 or (unit and after and after[-1] != "元"):
        return None
    negative = negative or "-" in signs
    either = EITHER.fullmatch(digits)
    point = _number(digits, POINT, ".", negative)
    comma = _number(digits, COMMA, ",", negative)
    if point is None and comma is None:
        return None
    return Amount(
        point,
        comma,
        after or unit,
        scale,
        next(mark for mark in digits if mark in ".,") if either else "",
        digits,
    )


def is_amount(text: str) -> bool:
    """Whether a cell by itself is an amount."""
    return amount_of(text) is not None


def _number(
    digits: str, notation: re.Pattern[str], mark: Mark, negative: bool
) -> int | float | None:
    if notation.fullmatch(digits) is None:
        return None
    if mark == ",":
        digits = digits.replace(".", "").replace(",", ".")
    digits = GROUPS.sub("", digits)
    number = int(digits) if digits.isdigit() else float(digits)
    return -number if negative else number
