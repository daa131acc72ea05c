"""Which view of the figures a question wants: a share, a change, the largest few, a correlation."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SHARE = re.compile(
    r"\b(shares?|proportions?|percentage of|portion|breakdown|composition|mix|divided)\b"
    r"|占比|份额|比重|构成|比例|组成",
    re.IGNORECASE,
)
_SPEED = r"(fastest|slowest|biggest|largest|strongest|steepest|sharpest)"
_MOVED = r"(gr[eo]wn?|rose|fell|declined|increased|dropped|changed|decreased|shrank)"
_CHANGE = re.compile(
    rf"\b{_SPEED} (\w+ )?(gr[eo]w\w*|ris\w+|increas\w+|declin\w+|decreas\w+|fall|drop|change)"
    rf"|\b{_MOVED} (by )?(the )?(fastest|slowest|most|least)"
    r"|(增长|下降|变化|上升|减少|下滑)得?(幅度)?最|(增长|下降|上升)(最|较)(快|慢|多|大)"
    r"|增幅|降幅|涨幅|跌幅|增速",
    re.IGNORECASE,
)
_FALL = re.compile(
    r"slowest|\bleast\b|declin|decreas|\bf[ae]ll|\bdrop|shrank|下降|降幅|跌幅|减少|下滑|最慢",
    re.IGNORECASE,
)
_DISTRIBUTION = re.compile(
    r"\bdistribut(ion|ed)\b|\bspread\b|histogram|box ?plot|outliers?|\bmedian\b"
    r"|分布|中位数|直方图|箱线图|离群|离散",
    re.IGNORECASE,
)
_RELATION = re.compile(
    r"\brelat(e|es|ed|ion|ionship)\b|correlat|\bdepends? on\b|\bassociat|\bscatter|\baffects?\b"
    r"|\binfluences?\b|go(es)? together|相关|关系|关联|散点|影响",
    re.IGNORECASE,
)
_BACKWARDS = re.compile(r"\bdepends? on\b|受.*影响|取决于", re.IGNORECASE)
_PIVOT = re.compile(
    r"\bpivot|cross[- ]?tab|\bmatrix\b|heat ?map|\bagainst each other\b|交叉|透视|矩阵|热力图",
    re.IGNORECASE,
)
_FINE = re.compile(r"\b(quarter|month|week|dai|day)\w*|\bQ[1-4]\b|季|月|每周|每日", re.IGNORECASE)
_YEARLY = re.compile(r"\b(year|annual)(ly|s)?\b|按年|每年|年度|各年|历年", re.IGNORECASE)

_HIGH = r"(?:top|largest|biggest|highest|best|greatest|leading|dearest)"
_LOW = r"(?:bottom|smallest|lowest|fewest|worst|cheapest)"
_FIRST = re.compile(
    rf"\b{_HIGH}\b|\bthe most\b(?! recent| of| important| common)"
    r"|前\s*[\d一二两三四五六七八九十]|最(高|大|多|好|贵)|排名|排行|名列前茅",
    re.IGNORECASE,
)
_LAST = re.compile(
    rf"\b{_LOW}\b|\bthe least\b|最(低|小|少|差|便宜)|[后倒]数?\s*[\d一二两三四五六七八九十]",
    re.IGNORECASE,
)
_NUMBER_WORDS = (
    "two 二 两",
    "three 三",
    "four 四",
    "five 五",
    "six 六",
    "seven 七",
    "eight 八",
    "nine 九",
    "ten 十",
)
_NUMBERS = {
    word: number for number, words in enumerate(_NUMBER_WORDS, 2) for word in words.split()
} | {"twelve": 12, "fifteen": 15, "twenty": 20, "十二": 12, "十五": 15, "二十": 20}
_N = rf"(\d{{1,2}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))})"
_COUNT = re.compile(
    rf"\b(?:{_HIGH}|{_LOW})\s+{_N}\b|\b(?:which|what|the)\s+{_N}\b|\b{_N}\s+(?:{_HIGH}|{_LOW})\b"
    rf"|[前后]\s*{_N}|倒数\s*{_N}|最.的?\s*{_N}\s*[个名家种类项大款]|哪\s*{_N}\s*[个名家种类项款]"
    rf"|{_N}\s*[个名家种类项款].{{0,8}}最",
    re.IGNORECASE,
)
MOST_ASKED = 30


@dataclass(frozen=True)
class Wish:
    """What the words of a question ask for, whether or not a table can give it."""

    shares: bool
    change: bool
    distribution: bool
    relation: bool
    backwards: bool
    """Whether what depends is named before what it depends on."""
    pivot: bool
    top: bool
    lowest: bool
    """Whether the smallest come first, or what fell."""
    count: int | None
    """How many are asked for."""
    fine: bool
    """Whether parts of years are asked for."""
    yearly: bool


def read_wish(text: str) -> Wish:
    """What the words of ``text`` ask for."""
    change = _CHANGE.search(text) is not None
    low = _LAST.search(text) is not None
    return Wish(
        shares=_SHARE.search(text) is not None,
        change=change,
        distribution=_DISTRIBUTION.search(text) is not None,
        relation=_RELATION.search(text) is not None,
        backwards=_BACKWARDS.search(text) is not None,
        pivot=_PIVOT.search(text) is not None,
        top=low or _FIRST.search(text) is not None,
        lowest=_FALL.search(text) is not None if change else low,
        count=_count(text),
        fine=_FINE.search(text) is not None,
        yearly=_YEARLY.search(text) is not None,
    )


def _count(text: str) -> int | None:
    found = _COUNT.search(text)
    if not found:
        return None
    word = next(filter(None, found.groups())).lower()
    number = _NUMBERS.get(word) or int(word)
    return min(number, MOST_ASKED) if number else None
