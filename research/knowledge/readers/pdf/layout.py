"""From the lines of a PDF page to its paragraphs.

A :class:`Layout` is measured on a sample of pages first: the size of running text, the lines that
stand at the head or foot of page after page, the words that occur. With it each page is set by
itself, so that pages can be handed on as they are read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from research.knowledge.readers.cleaning import join_lines
from research.knowledge.readers.pdf.lines import Line

NUMBER = re.compile(r"[-+−(]?[$€£¥]?\d[\d.,]*\)?%?|[-–—]|n/?a", re.IGNORECASE)
SENTENCE_END = re.compile(r"[.!?:;。！？：；…][\"'”’)）」』]*$")
BULLET = re.compile(
    r"[⁰¹²³⁴-⁹]|([•‣▪◦●■–—*]|\(?\d{1,2}[.)]|\([a-z]\)|[（(][一二三四五六七八九十]+[)）])\s"
)
WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
CONTENTS = re.compile(r" \.\.\. [\divxlc]+$")
PAGE_NUMBER = re.compile(r"[-–—\s]*(\d{1,4}|[ivxlc]+)[-–—\s]*")
DIGITS = re.compile(r"\d+")


@dataclass(frozen=True)
class Layout:
    """How a document is set."""

    size: float
    """Of running text, in points."""
    running: frozenset[tuple[str, int]]
    """The lines at the head and foot of pages."""
    words: frozenset[str]
    """Words that occur, in lower case; tells a hyphen from a line break."""

    @classmethod
    def measure(cls, pages: Sequence[Sequence[Line]]) -> Layout:
        """Measure a sample of pages."""
        sizes: Counter[float] = Counter()
        edges: Counter[tuple[str, int]] = Counter()
        words: set[str] = set()
        for lines in pages:
            by_height = sorted(lines, key=lambda line: line.bottom)
            edges.update({_edge(line) for line in (*by_height[:2], *by_height[-2:])})
            for line in lines:
                sizes[line.size] += len(line.text)
                words.update(word.lower() for word in WORD.findall(line.text))
        enough = max(3, len(pages) * 0.2)
        return cls(
            size=max(sizes, key=lambda size: sizes[size], default=10.0),
            running=frozenset(edge for edge, count in edges.items() if count >= enough),
            words=frozenset(words),
        )

    def body(self, lines: Sequence[Line]) -> list[Line]:
        """The lines of a page without its running head and foot."""
        body = [line for line in lines if _edge(line) not in self.running]
        body = body or list(lines)  # pages that are all alike have no head and foot
        lowest = min(body, key=lambda line: line.bottom, default=None)
        alone = lowest and not any(
            line.bottom < lowest.top + lowest.size for line in body if line is not lowest
        )
        if lowest and alone and len(body) > 1 and PAGE_NUMBER.fullmatch(lowest.text):
            body.remove(lowest)
        return body

    def paragraphs(self, lines: Sequence[Line]) -> Iterator[str]:
        """The text of ``lines`` in paragraphs; the rows of a table keep a line each."""
        if not lines:
            return
        step = _line_step(lines)
        previous, text, table = lines[0], lines[0].text, is_row(lines[0].text)
        for line in lines[1:]:
            row = is_row(line.text) or (table and _is_fragment(line, lines))
            head = row and text == previous.text and _is_head(previous, line)
            if row and (table or head) and previous.bottom - line.bottom < 4 * line.size:
                text += "\n" + line.text
            elif row or table or _starts_paragraph(previous, line, step, lines):
                yield text
                text = line.text
            else:
                text = self._joined(text, previous, line)
            previous, table = line, row
        yield text

    def _joined(self, text: str, previous: Line, line: Line) -> str:
        if not previous.hyphen:
            return join_lines(text, line.text)
        left = text.rsplit(maxsplit=1)[-1]
        right = line.text.split(maxsplit=1)[0]
        whole = WORD.match((left.rpartition("-")[2] + right).lower())
        compound = WORD.match(f"{left}-{right}".lower())
        written_so = compound is not None and compound[0] in self.words
        split_word = whole is not None and whole[0] in self.words
        one_case = right[0].islower() or left[-2:].isupper()
        keep = not one_case or "-" in left + right or (written_so and not split_word)
        return f"{text}{'-' if keep else ''}{line.text}"


def is_row(text: str) -> bool:
    """Whether a line looks like the row of a table or of the contents."""
    if CONTENTS.search(text):
        return True
    numbers = [NUMBER.fullmatch(part) is not None for part in text.split()]
    return sum(numbers) >= 2 and (all(numbers[-2:]) or sum(numbers) * 2 >= len(numbers))


def _edge(line: Line) -> tuple[str, int]:
    """What a line at the head or foot has in common with those of other pages."""
    is_number = PAGE_NUMBER.fullmatch(line.text)
    return "#" if is_number else DIGITS.sub("#", line.text), round(line.bottom / 6)


def _line_step(lines: Sequence[Line]) -> float:
    """The usual distance between two lines of a paragraph, in points."""
    steps = [
        above.bottom - below.bottom
        for above, below in pairwise(lines)
        if 0.5 * below.size < above.bottom - below.bottom < 2.2 * below.size
    ]
    return median(steps) if steps else 14.0


def _is_fragment(line: Line, lines: Sequence[Line]) -> bool:
    """Whether a line among the rows of a table is a piece of a cell."""
    width = max(other.right for other in lines) - min(other.left for other in lines)
    return line.right - line.left < 0.3 * width and not SENTENCE_END.search(line.text)


def _is_head(line: Line, row: Line) -> bool:
    """Whether a line right above the first row of a table is the table's head or caption."""
    near = line.bottom - row.bottom < 3 * row.size
    alike = abs(line.size - row.size) < 2.5
    return near and alike and not SENTENCE_END.search(line.text)


def _starts_paragraph(previous: Line, line: Line, step: float, lines: Sequence[Line]) -> bool:
    down = previous.bottom - line.bottom
    ended = SENTENCE_END.search(previous.text) is not None
    if abs(line.size - previous.size) > 0.6 or line.bold != previous.bold:
        return True
    if BULLET.match(line.text):
        return True
    if down < 0.5 * line.size:  # beside or above: another cell, or the next column
        return ended or down > -3 * line.size
    if down > 1.25 * max(step, line.size):
        return True
    edge = max(other.right for other in lines if abs(other.left - previous.left) < 30)
    short = previous.right < edge - 0.12 * (edge - previous.left)
    indented = line.left - previous.left > 0.8 * line.size
    return ended and (short or indented)
