"""Where the headings of a PDF page stand: from the outline, or else from how lines are set."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Protocol

from research.knowledge.readers.pdf.layout import SENTENCE_END, is_row
from research.knowledge.readers.pdf.lines import Line

CAPTION = re.compile(
    r"(table|figure|fig\.|chart|exhibit|source|note|图表|表|图|资料来源|注)\s*[\d:：]",
    re.IGNORECASE,
)
LETTER = re.compile(r"[^\W\d_]")
NUMBERING = re.compile(
    r"^(?:[\divxlc]+(?:\.\d+)*[.)]?\s+|第[一二三四五六七八九十百\d]+[章节]\s*)", re.IGNORECASE
)
LONGEST = 120


@dataclass(frozen=True)
class Heading:
    """A heading; ``lines[start:stop]`` of its page are its own, none where it was not found."""

    start: int
    stop: int
    level: int
    title: str


class Headings(Protocol):
    """Finds the headings of one page after another."""

    def on(self, page: int, lines: Sequence[Line]) -> list[Heading]:
        """The headings among the ``lines`` of the page with index ``page``, in order."""


class OutlineHeadings:
    """The headings the document lists in its outline."""

    def __init__(self, outline: Sequence[tuple[int, str, int, float | None]]) -> None:
        self._pages: dict[int, list[tuple[int, str, float | None]]] = defaultdict(list)
        for level, title, page, height in outline:
            self._pages[page].append((level, title, height))

    def on(self, page: int, lines: Sequence[Line]) -> list[Heading]:
        """The headings among the ``lines`` of the page with index ``page``, in order."""
        found: list[Heading] = []
        position = 0
        for level, title, height in self._pages.get(page, []):
            heading = _by_title(lines, position, level, title) or _by_height(
                lines, position, level, title, height
            )
            found.append(heading)
            position = heading.stop
        return found


class StyleHeadings:
    """Lines that are set larger than running text, or bold by themselves."""

    def __init__(self, pages: Sequence[Sequence[Line]], size: float) -> None:
        self._size = size
        seen: Counter[float] = Counter()
        last_page: dict[float, int] = {}
        for number, lines in enumerate(pages):
            large = [line for line in lines if line.size > size * 1.12 and self._may_head(line)]
            for line_size, _ in groupby(large, key=lambda line: line.size):
                seen[line_size] += 1
                last_page[line_size] = number
        sizes = sorted(seen, reverse=True)
        # What is largest of all and stands once, on the first page, is the document's title.
        titled = len(sizes) > 1 and last_page[sizes[0]] == 0 and seen[sizes[0]] == 1
        self._title = sizes[0] if titled else float("inf")
        self._sizes = [each for each in sizes if each < self._title]

    def on(self, page: int, lines: Sequence[Line]) -> list[Heading]:
        """The headings among the ``lines`` of the page with index ``page``, in order."""
        del page
        found: list[Heading] = []
        at = 0
        while at < len(lines):
            stop = self._end(lines, at)
            if stop > at:
                title = " ".join(line.text for line in lines[at:stop])
                found.append(Heading(at, stop, self._level(lines[at]), title))
            at = max(stop, at + 1)
        return found

    def _end(self, lines: Sequence[Line], at: int) -> int:
        """One past the last line of the heading that starts at ``at``; ``at`` if none does."""
        first = lines[at]
        if not self._may_head(first) or not (self._is_large(first) or first.bold):
            return at
        stop = at + 1
        while stop < len(lines) and _goes_on(lines[stop - 1], lines[stop]):
            stop += 1
        whole = sum(len(line.text) for line in lines[at:stop])
        ended = SENTENCE_END.search(lines[stop - 1].text)
        return at if stop - at > 3 or whole > LONGEST or ended else stop

    def _may_head(self, line: Line) -> bool:
        return (
            line.size >= self._size * 0.98
            and len(line.text) <= LONGEST
            and LETTER.search(line.text) is not None
            and CAPTION.match(line.text) is None
            and not is_row(line.text)
        )

    def _is_large(self, line: Line) -> bool:
        return self._size * 1.12 < line.size < self._title

    def _level(self, line: Line) -> int:
        if not self._is_large(line):
            return len(self._sizes)
        return sum(size > line.size + 0.3 for size in self._sizes)


def _goes_on(above: Line, line: Line) -> bool:
    near = abs(above.bottom - line.bottom) < 1.7 * line.size
    return near and above.size == line.size and above.bold == line.bold


def _by_title(lines: Sequence[Line], position: int, level: int, title: str) -> Heading | None:
    wanted = _letters(title)
    for start in range(position, len(lines)):
        text = ""
        for stop in range(start + 1, min(start + 4, len(lines)) + 1):
            text += _letters(lines[stop - 1].text, numbered=stop == start + 1)
            if text == wanted:
                return Heading(start, stop, level, title)
            if not wanted.startswith(text):
                break
    return None


def _by_height(
    lines: Sequence[Line], position: int, level: int, title: str, height: float | None
) -> Heading:
    below = (
        index
        for index in range(position, len(lines))
        if height is None or lines[index].bottom < height
    )
    start = next(below, len(lines))
    return Heading(start, start, level, title)


def _letters(text: str, numbered: bool = True) -> str:
    """Only the letters and digits of a title, without its number."""
    bare = NUMBERING.sub("", text) if numbered else text
    return "".join(char for char in (bare or text).casefold() if char.isalnum())
