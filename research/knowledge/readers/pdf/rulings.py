"""The straight lines drawn on a PDF page, and the grids that they make."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

THIN = 2.5
"""What is filled and no thicker than this, in points, is a line."""
NEAR = 2.0
"""Lines that are so close, in points, are one."""
SHORTEST = 6.0
MOST_SEGMENTS = 4_000
"""A page with more of them is a drawing."""


@dataclass(frozen=True)
class Rule:
    """A horizontal line at the height ``at``, or a vertical one at that distance from the left."""

    at: float
    start: float
    end: float


@dataclass(frozen=True)
class Rulings:
    """The lines of one page."""

    across: tuple[Rule, ...]
    down: tuple[Rule, ...]


@dataclass(frozen=True)
class Lattice:
    """Lines that cross each other: edges of columns from the left, of rows from the top."""

    lefts: tuple[float, ...]
    tops: tuple[float, ...]
    rulings: Rulings

    def walled(self, column: int, height: float) -> bool:
        """Whether a line stands at the right of ``column`` at this height."""
        return _covered(self.rulings.down, self.lefts[column + 1], height)

    def floored(self, row: int, across: float) -> bool:
        """Whether a line runs below ``row`` at this distance from the left."""
        return _covered(self.rulings.across, self.tops[row + 1], across)


def rulings_of(page: PdfPage) -> Rulings:
    """The lines of ``page``; none of a page that holds a drawing of very many lines."""
    across: list[Rule] = []
    down: list[Rule] = []
    for number, (x0, y0, x1, y1) in enumerate(_segments(page)):
        if number > MOST_SEGMENTS:
            return Rulings((), ())
        if abs(y1 - y0) <= THIN and abs(x1 - x0) >= SHORTEST:
            across.append(Rule((y0 + y1) / 2, min(x0, x1), max(x0, x1)))
        elif abs(x1 - x0) <= THIN and abs(y1 - y0) >= SHORTEST:
            down.append(Rule((x0 + x1) / 2, min(y0, y1), max(y0, y1)))
    return Rulings(_joined(across), _joined(down))


def lattices(rulings: Rulings) -> list[Lattice]:
    """The grids of at least two columns and two rows, from the top."""
    found = []
    rest = {*rulings.across, *rulings.down}
    while rest:
        across, down = _crossing(rest, rulings)
        rest -= {*across, *down}
        lefts, tops = _levels(down), _levels(across)[::-1]
        if len(lefts) >= 3 and len(tops) >= 3:
            found.append(Lattice(tuple(lefts), tuple(tops), Rulings(tuple(across), tuple(down))))
    return sorted(found, key=lambda lattice: -lattice.tops[0])


def _crossing(rest: set[Rule], rulings: Rulings) -> tuple[list[Rule], list[Rule]]:
    """The lines that hang together with one of ``rest``: (across, down)."""
    across: set[Rule] = set()
    down: set[Rule] = set()
    left_across = [rule for rule in rulings.across if rule in rest]
    left_down = [rule for rule in rulings.down if rule in rest]
    first = next(iter(left_across or left_down))
    waiting = [(first, bool(left_across))]
    while waiting:
        rule, is_across = waiting.pop()
        seen, others = (across, left_down) if is_across else (down, left_across)
        if rule in seen:
            continue
        seen.add(rule)
        waiting += [(other, not is_across) for other in others if _cross(rule, other)]
    return list(across), list(down)


def _cross(one: Rule, other: Rule) -> bool:
    return (
        one.start - NEAR <= other.at <= one.end + NEAR
        and other.start - NEAR <= one.at <= other.end + NEAR
    )


def _covered(rules: Sequence[Rule], at: float, point: float) -> bool:
    return any(abs(rule.at - at) <= NEAR and rule.start <= point <= rule.end for rule in rules)


def _levels(rules: Sequence[Rule]) -> list[float]:
    """Where the lines stand, those close to each other as one."""
    levels: list[float] = []
    for at in sorted(rule.at for rule in rules):
        if not levels or at - levels[-1] > NEAR:
            levels.append(at)
    return levels


def _joined(rules: Sequence[Rule]) -> tuple[Rule, ...]:
    """Pieces of one line as one: a line is often drawn cell by cell."""
    joined: list[Rule] = []
    for level in _levels(rules):
        pieces = sorted(
            (rule for rule in rules if 0 <= rule.at - level <= NEAR), key=lambda rule: rule.start
        )
        start, end = pieces[0].start, pieces[0].end
        for piece in pieces[1:]:
            if piece.start > end + NEAR:
                joined.append(Rule(level, start, end))
                start = piece.start
            end = max(end, piece.end) if piece.start <= end + NEAR else piece.end
        joined.append(Rule(level, start, end))
    return tuple(joined)


def _segments(page: PdfPage) -> Iterator[tuple[float, float, float, float]]:
    """The lines of all paths that are drawn, and thin filled boxes: (x0, y0, x1, y1)."""
    from pypdfium2 import raw

    for item in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=4):
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        raw.FPDFPath_GetDrawMode(item, fill, stroke)
        if stroke.value:
            yield from _path(item)
        elif fill.value and item.container is None:
            x0, y0, x1, y1 = item.get_bounds()
            if x1 - x0 <= THIN:
                yield (x0 + x1) / 2, y0, (x0 + x1) / 2, y1
            elif y1 - y0 <= THIN:
                yield x0, (y0 + y1) / 2, x1, (y0 + y1) / 2


def _path(item: Any) -> Iterator[tuple[float, float, float, float]]:
    from pypdfium2 import raw

    matrix = item.get_matrix()
    container = item.container
    while container is not None:
        matrix = matrix.multiply(container.get_matrix())
        container = container.container
    x, y = ctypes.c_float(), ctypes.c_float()
    here = begin = (0.0, 0.0)
    for index in range(min(raw.FPDFPath_CountSegments(item), MOST_SEGMENTS)):
        segment = raw.FPDFPath_GetPathSegment(item, index)
        raw.FPDFPathSegment_GetPoint(segment, x, y)
        point = matrix.on_point(x.value, y.value)
        kind = raw.FPDFPathSegment_GetType(segment)
        if kind == raw.FPDF_SEGMENT_MOVETO:
            begin = point
        elif kind == raw.FPDF_SEGMENT_LINETO:
            yield (*here, *point)
        here = point
        if raw.FPDFPathSegment_GetClose(segment):
            yield (*here, *begin)
            here = begin
