"""The numbers that earlier steps found, as a small table that code can work on.

Only numbers that stand in the passage they are cited for are taken: what is computed on them
leads back to the words it came from.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from research.calculations import FoundNumber
from research.models import Column, Finding, Passage, Source, Table, content_id
from research.report.excerpts import citing_sentences
from research.report.quantities import Figures, Quantity, normalised, quantities

MOST = 200
"""Numbers that one table holds."""
NAMES = ("findings", "earlier_findings")
"""Of the table; the second where a table of the user has the first."""

_YEAR = r"(?:19|20)\d\d"
_PERIOD = re.compile(
    rf"(?:(?:Q[1-4]|H[12]|FY|(?:January|February|March|April|May|June|July|August|September"
    rf"|October|November|December))\s?)?{_YEAR}"
    rf"(?:\s?年(?:第?[一二三四1-4]季度|上半年|下半年|\d{{1,2}}月)?"
    rf"|(?:\s?年?\s?(?:to|until|-|–|—|至|到)\s?{_YEAR}\s?年?))?(?![\d.,]*\d)"
)
_MONEY = {"$": "USD", "US$": "USD", "HK$": "HKD", "€": "EUR", "£": "GBP", "¥": "CNY"}
_BEFORE = re.compile(r"(US\$|HK\$|[$€£¥]|\b[A-Z]{3})\s?$")
_AFTER = re.compile(
    r"\s?(?:(?P<code>USD|EUR|GBP|CNY|RMB|JPY|HKD|CHF)\b"
    r"|(?P<word>(?:(?:US )?dollars?|euros?|pounds|yuan|metric tons|tonnes|tons|kilograms|kg"
    r"|kilometres|kilometers|km|metres|meters|square metres|hectares|litres|liters|barrels|TEU"
    r"|kWh|MWh|GWh|TWh|kW|MW|GW|people|employees|staff|customers|users|households|passengers"
    r"|ships|vehicles|units|stores|hours|days|weeks|months|years)\b"
    r"|美元|欧元|英镑|港元|日元|人民币|元|吨|公斤|千克|公里|平方米|米|公顷|升|桶|千瓦时|兆瓦"
    r"|人次|人|户|家|辆|台|艘|件|个|小时|天|周|个月|年))",
)
_THEN = re.compile(r"[^\d.;。；]{0,20}\b(?:in|for|during|by|as of|at the end of)\s(?:the\s)?$")


def numbers_found(
    findings: Iterable[Finding], passages: Mapping[str, Passage], sources: Mapping[str, Source]
) -> tuple[FoundNumber, ...]:
    """The numbers of the cited sentences of ``findings``, each once, in reading order.

    Args:
        findings: Of the steps that came before.
        passages: What they cite, by id.
        sources: Where the passages stand, by id.
    """
    found: dict[tuple[str, int], FoundNumber] = {}
    for finding in findings:
        for passage_id, cited in citing_sentences(finding.text).items():
            passage = passages.get(passage_id)
            source = sources.get(passage.source_id) if passage else None
            if passage is None or source is None:
                continue
            held = Figures(passage.text)
            for sentence in cited:
                for number in _numbers(sentence):
                    kept = _found(sentence, number, source.title, passage_id)
                    if len(found) < MOST and _is_amount(kept, number) and held.hold(number):
                        found.setdefault((sentence, number.at[0]), kept)
    return tuple(found.values())


def table_of(
    found: tuple[FoundNumber, ...], title: str, taken: Collection[str], folder: Path
) -> Table:
    """The numbers as a Parquet file in ``folder``, and its description.

    Args:
        found: The numbers; at least one.
        title: What a reader knows the table by.
        taken: Names of the other tables of the step.
        folder: An existing folder of the caller's.
    """
    import pyarrow as pa
    from pyarrow import parquet

    name = next(each for each in NAMES if each not in taken)
    path = folder / f"{name}.parquet"
    fields = list(FoundNumber.model_fields)
    columns = {field: [getattr(number, field) for number in found] for field in fields}
    parquet.write_table(pa.table(columns), path)
    return Table(
        id=content_id("findings", *(number.model_dump_json() for number in found)),
        source_id="",
        name=name,
        title=title,
        columns=tuple(
            Column(
                name=field,
                type="number" if field == "value" else "text",
                examples=tuple(dict.fromkeys(str(each)[:60] for each in columns[field]))[:3],
            )
            for field in fields
        ),
        rows=len(found),
        path=str(path),
    )


def _numbers(sentence: str) -> list[Quantity]:
    """The numbers of a sentence that count something: no years, no numbers of a list."""
    text = normalised(sentence)
    periods = [match.span() for match in _PERIOD.finditer(text)]
    return [
        number
        for number in quantities(sentence)
        if not any(start <= number.at[0] < end for start, end in periods)
    ]


def _is_amount(kept: FoundNumber, number: Quantity) -> bool:
    """Whether a number measures something, unlike that of a page or a list."""
    return bool(kept.unit) or number.scaled or re.search(r"\d[.,]\d", number.text) is not None


def _found(sentence: str, number: Quantity, source: str, passage_id: str) -> FoundNumber:
    text = normalised(sentence)
    start, end = number.at
    before, after = _BEFORE.search(text, 0, start), _AFTER.match(text, end)
    value = number.readings[-1 if before else 0].value
    opens = before.start() if before else start
    negative = text[opens - 1 : opens] == "-" and (opens < 2 or text[opens - 2] in " (")
    return FoundNumber(
        value=-value if negative else value,
        unit=_unit(number, before, after),
        written=text[opens : after.end() if after else end].strip(),
        sentence=sentence,
        period=_period(text, number.at),
        source=source,
        passage_id=passage_id,
    )


def _unit(number: Quantity, before: re.Match[str] | None, after: re.Match[str] | None) -> str:
    if number.percent:
        point = re.search(r"point|pp|pts|点|點", number.text, re.IGNORECASE)
        return "percentage points" if point else "%"
    if before:
        return _MONEY.get(before[1], before[1])
    return (after["code"] or after["word"] or "") if after else ""


def _period(text: str, at: tuple[int, int]) -> str:
    """The time a number stands for: the one right behind it, or else the last one before it."""
    periods = list(_PERIOD.finditer(text))
    behind = next((one for one in periods if one.start() >= at[1]), None)
    if behind and (
        _THEN.fullmatch(text, at[1], behind.start())
        or text[at[1] : behind.start()].strip() in ("(", "，", ",")
    ):
        return behind[0]
    ahead = [one for one in periods if one.end() <= at[0]]
    chosen = ahead[-1] if ahead else behind
    return chosen[0].strip() if chosen else ""
