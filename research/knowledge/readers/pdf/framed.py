"""Tables of words between lines that run across: one above, one below the header, one at the end.

Their columns are told by the white between them, which runs through all rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from research.knowledge.readers.cleaning import join_lines
from research.knowledge.readers.pdf.aligned import merged
from research.knowledge.readers.pdf.lines import Word
from research.knowledge.readers.pdf.rows import CELL_GAP, joined, rows_of
from research.knowledge.readers.pdf.rulings import Rule, Rulings

SHORTEST = 120.0
"""A table is at least so wide, in points."""
MOST_LINES = 40
"""Of one length on a page."""
ALIKE = 3.0
LONGEST_HEADER = 60


@dataclass(frozen=True)
class Frame:
    """Lines of the same length below each other, from the top."""

    left: float
    right: float
    levels: tuple[float, ...]

    def holds(self, word: Word) -> bool:
        """Whether a word stands between the first and the last line."""
        across, height = (word.left + word.right) / 2, (word.top + word.bottom) / 2
        return self.left <= across <= self.right and self.levels[-1] <= height <= self.levels[0]


def framed(rulings: Rulings, words: Sequence[Word]) -> list[tuple[Frame, list[list[str]]]]:
    """The tables of ``words``: where each stands, and its header and rows cell by cell."""
    found = []
    for group in _groups(rulings):
        levels = tuple(rule.at for rule in group[:MOST_LINES])
        start = 0
        while start + 3 <= len(levels):
            for stop in range(len(levels), start + 2, -1):
                frame = Frame(group[0].start, group[0].end, levels[start:stop])
                cells = _cells(frame, [word for word in words if frame.holds(word)])
                if cells is not None:
                    found.append((frame, cells))
                    start = stop - 1
                    break
            start += 1
    return found


def _groups(rulings: Rulings) -> list[list[Rule]]:
    """Lines that begin and end alike, from the top."""
    groups: list[list[Rule]] = []
    for rule in sorted(rulings.across, key=lambda rule: -rule.at):
        if rule.end - rule.start < SHORTEST:
            continue
        for group in groups:
            if abs(group[0].start - rule.start) < ALIKE and abs(group[0].end - rule.end) < ALIKE:
                group.append(rule)
                break
        else:
            groups.append([rule])
    return groups


def _cells(frame: Frame, words: Sequence[Word]) -> list[list[str]] | None:
    """None where the lines frame no table."""
    bands = [
        [word for word in words if low <= (word.top + word.bottom) / 2 < high]
        for high, low in pairwise(frame.levels)
    ]
    if not all(bands):
        return None
    columns = _columns(bands)
    if not 2 <= len(columns) <= 12:
        return None
    parts = bands if len(bands) > 2 else [bands[0], *_rows(bands[1], columns)]
    cells = [[_text(part, column) for column in columns] for part in parts]
    named = all(cells[0][1:]) and all(len(text) <= LONGEST_HEADER for text in cells[0])
    filled = sum(bool(text) for row in cells[1:] for text in row)
    if not named or len(cells) < 3 or filled < 0.7 * (len(cells) - 1) * len(columns):
        return None
    return cells


def _columns(bands: Sequence[Sequence[Word]]) -> list[tuple[float, float]]:
    words = [word for band in bands for word in band]
    gap = CELL_GAP * max(word.top - word.bottom for word in words)
    return merged([(word.left, word.right) for word in words], gap)


def _rows(words: Sequence[Word], columns: Sequence[tuple[float, float]]) -> list[list[Word]]:
    """Rows without a line between them; each begins where its first column does."""
    rows: list[list[Word]] = []
    bottom = 0.0
    for line in rows_of(words):
        apart = bottom - line.top > 0.25 * line.height
        if not rows or (line.words[0].left <= columns[0][1] and apart):
            rows.append(line.words)
        else:
            rows[-1] += line.words
        bottom = line.bottom
    return rows


def _text(words: Sequence[Word], column: tuple[float, float]) -> str:
    text = ""
    for row in rows_of(w for w in words if column[0] <= (w.left + w.right) / 2 <= column[1]):
        line = joined(row.words)
        text = join_lines(text, line) if text else line
    return text
