"""Citations: numbered in order of first appearance, and named as a reader names them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from research.i18n import text
from research.models import Language, Passage, Place, Source
from research.report.evidence import Evidence
from research.report.tree import Node, inline_runs, parse


@dataclass(frozen=True)
class Citation:
    """One numbered entry of the list of sources."""

    number: int
    passage: Passage
    source: Source

    @property
    def url(self) -> str | None:
        """Address of a web page; None for a document."""
        return self.source.locator if self.source.kind == "web" else None

    def name(self) -> str:
        """File name of a document, title of a web page, tables of a calculation."""
        return self.source.title or self.source.locator if self.url else self.source.locator

    def where(self, language: Language) -> str:
        """The place in the source, ``page 4`` or ``rows 12–18``; empty where none is known."""
        return text("report.comma", language).join(self._where(language))

    def label(self, language: Language) -> str:
        """Name, place, and for a web page its address and the day it was read."""
        words = [self.name()]
        words += [self.url] if self.url and self.url != words[0] else []
        words += self._where(language)
        if self.url and self.source.retrieved_at:
            day = day_words(self.source.retrieved_at, language)
            words.append(text("report.retrieved", language, day=day))
        return text("report.comma", language).join(words)

    def _where(self, language: Language) -> list[str]:
        calculated = self.source.kind == "calculation"
        words = [text("report.calculation", language)] if calculated else []
        return words + place_words(self.passage.place, language)


@dataclass(frozen=True)
class Numbered:
    """A report's text whose citations carry numbers and all lead somewhere."""

    tree: Sequence[Node]
    entries: tuple[Citation, ...]
    dropped: int
    """Citations and figures that led nowhere and were removed."""


def number_citations(markdown: str, evidence: Evidence, title: str = "") -> Numbered:
    """Number the citations of a report in order of first appearance.

    Citations next to each other become one, sorted and without doubles. Those whose passage or
    source is missing from ``evidence`` are removed, and so are figures whose chart is missing.

    Args:
        markdown: Canonical Markdown.
        evidence: What it stands on.
        title: The report's title; a first heading that repeats it is left out.
    """
    blocks = parse(markdown, title)
    tree = [
        block for block in blocks if block["t"] != "figure" or block["chart"] in evidence.charts
    ]
    numbering = _Numbering(evidence, dropped=len(blocks) - len(tree))
    for inlines in inline_runs(tree):
        numbering.settle(inlines)
    return Numbered(tree, tuple(numbering.entries.values()), numbering.dropped)


def place_words(place: Place, language: Language) -> list[str]:
    """The parts of a place in words, the widest first."""
    words = []
    if place.sheet:
        words.append(text("report.sheet", language, sheet=place.sheet))
    if place.page is not None:
        words.append(text("report.page", language, page=place.page))
    if place.slide is not None:
        words.append(text("report.slide", language, slide=place.slide))
    if place.rows:
        first, last = place.rows
        key = "report.row" if first == last else "report.rows"
        words.append(text(key, language, first=first, last=last))
    if not words and place.heading:
        words.append(text("report.section", language, heading=place.heading[-1]))
    return words


def day_words(moment: float, language: Language) -> str:
    """The day of ``moment`` (Unix seconds) where the program runs."""
    day = datetime.fromtimestamp(moment).astimezone()
    month = text(f"report.month.{day.month}", language)
    return text("report.day", language, day=day.day, month=month, year=day.year)


class _Numbering:
    def __init__(self, evidence: Evidence, dropped: int) -> None:
        self.evidence = evidence
        self.dropped = dropped
        self.entries: dict[str, Citation] = {}

    def settle(self, inlines: list[Node]) -> None:
        """Number the citations of one run of inlines, in place."""
        kept: list[Node] = []
        for part in inlines:
            if "c" in part:
                self.settle(part["c"])
            if part["t"] == "cite":
                self._cite(part["ids"], kept)
            elif part["t"] == "text" and kept and kept[-1]["t"] == "text":
                kept[-1] = {"t": "text", "text": _joined(kept[-1]["text"], part["text"])}
            else:
                kept.append(part)
        _merge_neighbours(kept)
        inlines[:] = kept

    def _cite(self, ids: list[str], kept: list[Node]) -> None:
        numbers = {number for passage_id in ids if (number := self._number(passage_id))}
        self.dropped += len([passage_id for passage_id in ids if not self._number(passage_id)])
        if numbers:
            kept.append({"t": "cite", "numbers": sorted(numbers)})

    def _number(self, passage_id: str) -> int | None:
        if passage_id not in self.entries:
            found = self.evidence.cited(passage_id)
            if not found:
                return None
            self.entries[passage_id] = Citation(len(self.entries) + 1, *found)
        return self.entries[passage_id].number


def _joined(before: str, after: str) -> str:
    """Two texts that a removed citation held apart."""
    closes = after[:1].isspace() or after[:1] in tuple(".,;:!?)。，；：！？）")
    return (before.rstrip(" ") if closes else before) + after


def _merge_neighbours(parts: list[Node]) -> None:
    """Citations with only a space or a comma between them become one."""
    index = 0
    while index + 1 < len(parts):
        here, after = parts[index], parts[index + 1]
        if here["t"] == after["t"] == "cite":
            here["numbers"] = sorted({*here["numbers"], *after["numbers"]})
            del parts[index + 1]
        elif (
            here["t"] == "cite"
            and index + 2 < len(parts)
            and parts[index + 2]["t"] == "cite"
            and after["t"] == "text"
            and not after["text"].strip(" ,;，；、")
        ):
            del parts[index + 1]
        else:
            index += 1
