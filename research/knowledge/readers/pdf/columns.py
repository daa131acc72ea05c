"""The reading order of a PDF page that is set in columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from statistics import median

from research.knowledge.readers.cleaning import CHINESE
from research.knowledge.readers.pdf.lines import Line, Word
from research.knowledge.readers.pdf.rows import FIGURE, NOTHING

FEWEST_LINES = 6
"""A column of text has at least so many."""
GAP = 0.9
"""Words farther apart than this, in heights of the line, may stand in two columns."""
PROSE = 18
"""The usual line of a narrow column has more characters than this; Chinese ones count double."""


def in_columns(lines: Sequence[Line], depth: int = 2) -> list[list[Line]]:
    """The lines of a page in the parts in which they are read, one after another.

    A page of one column is one part, in the order of the file. Where there are two, what reaches
    over both is a part, and so is each column above or below that.
    """
    gutter = _gutter(lines) if depth else None
    if gutter is None:
        return [list(lines)]
    parts: list[list[Line]] = []
    left: list[Line] = []
    right: list[Line] = []
    for line in [*sorted(lines, key=lambda line: -line.bottom), None]:
        sides = _sides(line, gutter) if line else None
        if sides is not None:
            left += sides[0]
            right += sides[1]
            continue
        parts += [part for side in (left, right) for part in in_columns(side, depth - 1) if part]
        left, right = [], []
        if line is not None and parts and parts[-1] and _crosses(parts[-1][-1], gutter):
            parts[-1].append(line)
        elif line is not None:
            parts.append([line])
    return parts


def _gutter(lines: Sequence[Line]) -> float | None:
    """Where a second column of text begins."""
    pieces = [piece for line in lines for piece in _pieces(line)]
    if len(pieces) < 2 * FEWEST_LINES:
        return None
    edges = (min(piece[0].left for piece in pieces), max(piece[-1].right for piece in pieces))
    width = edges[1] - edges[0]
    starts = Counter(
        round(piece[0].left / 2) * 2
        for piece in pieces
        if edges[0] + 0.2 * width < piece[0].left < edges[0] + 0.8 * width
    )
    for start, count in starts.most_common(3):
        if count >= 0.6 * FEWEST_LINES and _divides(pieces, start - 2.0):
            return start - 2.0
    return None


def _divides(pieces: Sequence[tuple[Word, ...]], at: float) -> bool:
    left = [piece for piece in pieces if piece[-1].right <= at]
    right = [piece for piece in pieces if piece[0].left >= at]
    crossing = len(pieces) - len(left) - len(right)
    if min(len(left), len(right)) < FEWEST_LINES or crossing > 0.5 * (len(left) + len(right)):
        return False
    low = max(min(piece[0].bottom for piece in side) for side in (left, right))
    high = min(max(piece[0].top for piece in side) for side in (left, right))
    beside = [[p for p in side if low <= p[0].bottom <= high] for side in (left, right)]
    return all(len(side) >= FEWEST_LINES and _is_prose(side) for side in beside)


def _is_prose(side: Sequence[tuple[Word, ...]]) -> bool:
    lengths = [sum(map(_weight, piece)) for piece in side]
    widths = [piece[-1].right - piece[0].left for piece in side]
    full = sum(width > 0.75 * max(widths) for width in widths)
    return median(lengths) > PROSE and full >= 0.4 * len(side)


def _weight(word: Word) -> int:
    return len(word.text) + sum(CHINESE.match(char) is not None for char in word.text)


def _pieces(line: Line) -> Iterator[tuple[Word, ...]]:
    """The words of ``line``, cut where they stand far apart."""
    start = 0
    for index, (before, word) in enumerate(pairwise(line.words), 1):
        if word.left - before.right > GAP * (word.top - word.bottom):
            yield line.words[start:index]
            start = index
    yield line.words[start:]


def _sides(line: Line, gutter: float) -> tuple[list[Line], list[Line]] | None:
    """What of ``line`` stands left and right of the gutter; None if it reaches over it."""
    if _crosses(line, gutter):
        return None
    left = tuple(word for word in line.words if word.right <= gutter + 1)
    right = tuple(word for word in line.words if word.right > gutter + 1)
    if left and right:
        return [line.part(left)], [line.part(right)]
    return ([line], []) if left else ([], [line])


def _crosses(line: Line, gutter: float) -> bool:
    pieces = list(_pieces(line))
    if any(piece[0].left < gutter < piece[-1].right for piece in pieces):
        return True
    # The row of a table that is as wide as the page: a label, then nothing but amounts.
    right = [piece for piece in pieces if piece[0].left >= gutter]
    return 0 < len(right) < len(pieces) and all(
        FIGURE.fullmatch(word.text) or NOTHING.fullmatch(word.text)
        for piece in right
        for word in piece
    )
