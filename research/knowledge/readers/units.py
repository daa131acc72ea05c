"""Units: what is written beside an amount, in the name of a column, or on a line above a table."""

from __future__ import annotations

import re

SIGNS = r"(?:US|HK|NT|[ACS])?\$|[€£¥￥₹₩]"
CODES = (
    r"(?:US|HK|NT|[ACS])\$|USD|EUR|GBP|CNY|CNH|RMB|JPY|CHF|HKD|TWD|SGD|AUD|CAD|NZD|INR|KRW|SEK"
    r"|NOK|DKK|PLN|CZK|HUF|BRL|MXN|ZAR|RUB|TRY|THB|IDR|MYR|PHP|VND|AED|SAR|ILS"
)
YUAN = r"(?:人民币|美元|港[元币]|欧元|日元|英镑|新台币)"
SCALES = (
    r"thousands?|millions?|billions?|trillions?|mill?n?|mn|mio|mln|mrd|tsd|bn|tn|trn|000s?|k|m|b"
)
MEASURES = (
    r"%|‰|bps?|pp|ppts?|percent|per cent|people|persons|employees|units|shares|times|days|years"
    r"|hours|kg|g|t|tons?|tonnes|kt|mt|km|m2|m²|m3|m³|sqm|sq m|l|bbl|boe|[kmgt]wh?"
)
CHINESE = (
    rf"{YUAN}?(?:[十百千]?[万亿]|百|千)?(?:元|美元|港[元币]|欧元|日元|英镑)"
    rf"|{YUAN}(?:[十百千]?[万亿]|百|千)|(?:[十百千]?[万亿]|百|千)"
    r"|[万亿千百]?(?:人|股|吨|公斤|千克|件|台|辆|套|户|家|次|天|年|个|名|倍|只|亩|公顷|平方米|立方米"
    r"|千瓦时?|兆瓦时?|度)|百分点|个百分点|元/股|股/元"
)
WORDS = r"dollars?|euros?|pounds?|yuan|renminbi|yen|francs?|us"
UNIT = re.compile(
    rf"(?:in\s+)?(?:(?:{SIGNS}|(?:{CODES})|{WORDS})\s*(?:in\s+)?['’]?(?:{SCALES})?"
    rf"(?:\s+(?:{WORDS}))*"
    rf"|T(?:€|EUR|CHF|USD|GBP)|['’]?(?:{SCALES})\.?(?:\s+of)?(?:\s+(?:{CODES}|{WORDS}|{SIGNS}))*"
    rf"|(?:(?:thousands?|millions?|billions?|'?000s?)\s+(?:of\s+)?)?(?:{MEASURES})|{CHINESE})",
    re.IGNORECASE,
)
MEASURE = re.compile(rf"{MEASURES}|{SCALES}", re.IGNORECASE)
LINE = re.compile(
    r"(?:(?:all\s+)?(?:amounts?|figures?|numbers?|values?)(?:\s+(?:are|shown|stated))?"
    r"|units?|currency|(?:金额|货币|数据)?单位|币种|金额)?\s*[:：]?\s*(?:为|是)?\s*(?P<unit>.+?)"
    r"\s*(?:,?\s*(?:except|unless|excluding)\b.*|[（(，,；;].*|\s(?:币种|currency).*|[.。])?",
    re.IGNORECASE | re.DOTALL,
)
SAID = re.compile(r"(?:金额|货币|数据)?单位|币种|\bunits?\s*:|\bcurrency\s*:", re.IGNORECASE)
BRACKETS = re.compile(r"[(（\[【]([^()（）\[\]【】]{1,40})[)）\]】]")
AFTER = re.compile(
    rf"(?:,|，|\bin)\s+([^,，]{{1,30}})$|(?<=\s)([%‰]|(?:{CODES})\b.*)$|([%‰])$", re.I
)
UNCOUNTED = re.compile(
    r"^(?:\w+ )?(?:year|month|quarter|date|day)s?$|^(?:年[份度]?|季度|月份?)$"
    r"|%|‰|\b(?:no|id|code|rank|ranking|number|count|employees|headcount"
    r"|staff|shares|people|ratio|margin|growth|change|share|rate|yield|percent\w*|units|customers"
    r"|stores|volume)\b|日期|编号|代码|排名|序号|数量|人数|员工|股数|股份|占比|比例|比率|比重"
    r"|[率比]$|[率比][（(]|增长|增幅|涨幅|变动|同比|环比|销量|产量",
    re.IGNORECASE,
)  # fmt: skip


def is_unit(text: str) -> bool:
    """Whether ``text`` is nothing but a unit."""
    return UNIT.fullmatch(_bare(text)) is not None


def unit_of_name(name: str) -> str:
    """The unit in the name of a column, as written: ``USD m`` of ``Revenue (USD m)``."""
    for inner in reversed(BRACKETS.findall(name)):
        if unit := unit_of_line(f"({inner})"):
            return unit
    match = AFTER.search(name)
    said = next(filter(None, match.groups()), "") if match else ""
    return _plain(said) if said and is_unit(said) else ""


def unit_of_line(line: str) -> str:
    """The unit that a line above a table gives, without the words around it; else empty."""
    if len(line) > 120:
        return ""
    for inner in BRACKETS.findall(line) if BRACKETS.sub("", line).strip() else ():
        if unit := unit_of_line(f"({inner})"):
            return unit
    bracketed = BRACKETS.fullmatch(line.strip()) is not None
    line = _bare(line)
    match = LINE.fullmatch(line)
    if match and is_unit(match["unit"]):
        # "Years" and "t" by themselves are more likely names than units.
        alone = match["unit"] == line and not bracketed
        return "" if alone and MEASURE.fullmatch(line) else _plain(match["unit"])
    said = SAID.search(line)
    if said and said.start():
        return unit_of_line(line[said.start() :])
    return ""


def is_unit_line(line: str) -> bool:
    """Whether a line gives a unit and nothing else: no title with a unit in brackets after it."""
    bare = _bare(line)
    match = LINE.fullmatch(bare)
    if match is None or not unit_of_line(line):
        return False
    return bare != line.strip() or is_unit(match["unit"]) or SAID.search(line) is not None


def unit_in_title(title: str) -> str:
    """The unit in the brackets of a title, or after the word for it."""
    if BRACKETS.search(title) or SAID.search(title):
        return unit_of_line(title)
    return ""


def counts(name: str) -> bool:
    """Whether a column of this name may hold amounts in the unit that a table gives for all."""
    return UNCOUNTED.search(name) is None


def _bare(text: str) -> str:
    text = re.sub(r"\s+", " ", text).strip()
    wrapped = BRACKETS.fullmatch(text)
    return wrapped[1].strip() if wrapped else text


def _plain(unit: str) -> str:
    return re.sub(r"^in\s+", "", _bare(unit), flags=re.IGNORECASE).strip()
