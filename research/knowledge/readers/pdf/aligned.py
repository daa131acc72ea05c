"""Tables without a grid: labels on the left, amounts that stand below each other on the right.

A run of rows is a table only if its amounts make columns that are disjoint, in several rows, with
a label before most of them. Two columns of prose, contents pages and lists do not.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from research.knowledge.readers.pdf.header import spread
from research.knowledge.readers.pdf.layout import SENTENCE_END
from research.knowledge.readers.pdf.rows import CELL_GAP, Cell, Row, joined

LEADER = re.compile(r"\.{4,}|…{2,}|(?: \.){4,}|·{4,}")
PRECISE = re.compile(r"\d[.,]\d|%|[$€£¥￥]|\(\d")
MOST_HEADER_ROWS = 5
LONGEST_HEADER = 60
FARTHEST = 2.6
"""Rows farther apart than this, in heights of a line, are not of one table."""

Extent = tuple[float, float]


@dataclass
class Run:
    """Rows of one table, the header apart."""

    rows: list[Row] = field(default_factory=list)
    columns: list[Extent] = field(default_factory=list)
    """From where to where the amounts of each column reach."""
    header: list[Row] = field(default_factory=list)


@dataclass(frozen=True)
class Placed:
    """Rows of cells by column; an empty text where a row has none."""

    header: list[list[str]]
    body: list[list[str]]


def runs(rows: Sequence[Row]) -> list[Run]:
    """The tables among ``rows``, which stand below each other."""
    found: list[Run] = []
    at = 0
    while at < len(rows):
        run, stop = _run(rows, at)
        if run is not None and _is_table(run):
            _add_header(run, rows, at, lowest=found[-1].rows[-1].bottom if found else None)
            found.append(run)
            at = stop
        else:
            at += 1
    return found


def placed(run: Run) -> Placed:
    """The rows of ``run`` cell by cell."""
    columns = _all_columns(run)
    body = [_place(row, columns) for row in run.rows]
    header = [spread(row.cells, columns, last=row is run.header[-1]) for row in run.header]
    return Placed(header, _whole_labels(body, run.rows))


def merged(extents: Sequence[Extent], gap: float = 0.0) -> list[Extent]:
    """Extents that overlap as one, from the left."""
    result: list[Extent] = []
    for left, right in sorted(extents):
        if result and left <= result[-1][1] + gap:
            result[-1] = (result[-1][0], max(right, result[-1][1]))
        else:
            result.append((left, right))
    return result


def _run(rows: Sequence[Row], start: int) -> tuple[Run | None, int]:
    """The longest run that begins at ``start``, and one past its last row."""
    if not _has_amounts(rows[start]):
        return None, start
    run = Run([rows[start]], [(cell.left, cell.right) for cell in rows[start].figures])
    stop = start + 1
    for at in range(start + 1, len(rows)):
        row = rows[at]
        if rows[at - 1].bottom - row.top > FARTHEST * row.height or _names_years(row):
            break
        if not _has_amounts(row):
            if not _fits_between(row, run) or at + 1 - stop > 4:
                break
            continue
        columns = merged([*run.columns, *((cell.left, cell.right) for cell in row.figures)])
        between = rows[stop:at]
        # Only where columns became one can amounts of the rows before fall together.
        checked = (row,) if len(columns) == len(run.columns) else (*run.rows, row)
        if any(_doubled(other, columns) for other in checked):
            break
        run.rows += [*between, row]
        run.columns = columns
        stop = at + 1
    # A last label may run on in a row without amounts.
    if stop < len(rows) and _runs_on(rows[stop - 1], rows[stop]) and _fits_between(rows[stop], run):
        run.rows.append(rows[stop])
        stop += 1
    return run, stop


def _has_amounts(row: Row) -> bool:
    figures = row.figures
    return (
        len(row.cells) >= 2
        and any(not cell.is_nothing for cell in figures)
        and (row.cells[-1].is_figure or len(figures) >= 2)
        and not _names_years(row)
        and LEADER.search(" ".join(cell.text for cell in row.cells)) is None
    )


def _names_years(row: Row) -> bool:
    """Whether the row is the header with the years."""
    figures = row.figures
    return len(figures) >= 2 and all(cell.is_year for cell in figures)


def _doubled(row: Row, columns: Sequence[Extent]) -> bool:
    """Whether two amounts of ``row`` fall into one column."""
    places = [_column_at(cell, columns) for cell in row.figures]
    return len(places) != len(set(places))


def _column_at(cell: Cell, columns: Sequence[Extent]) -> int:
    return min(
        range(len(columns)),
        key=lambda index: max(columns[index][0] - cell.middle, cell.middle - columns[index][1], 0),
    )


def _fits_between(row: Row, run: Run) -> bool:
    """Whether a row without amounts can stand in the table: a label, or words in its columns."""
    if len(row.cells) == 1:
        cell = row.cells[0]
        ends = cell.right <= run.columns[0][1] or cell.left >= run.columns[0][0]
        return ends and not (
            len(cell.text) > 30
            and SENTENCE_END.search(cell.text) is not None
            and not cell.text.endswith((":", "："))
        )
    return all(
        sum(cell.left < right and left < cell.right for left, right in run.columns) <= 1
        for cell in row.cells
    )


def _is_table(run: Run) -> bool:
    data = [row for row in run.rows if row.figures]
    labelled = sum(not row.cells[0].is_figure or row.cells[0].is_year for row in data)
    if any(_doubled(row, run.columns) for row in data):
        return False
    if len(data) < 2 or labelled < 0.6 * len(data):
        return False
    filled = [
        sum(any(_column_at(cell, run.columns) == index for cell in row.figures) for row in data)
        for index in range(len(run.columns))
    ]
    if len(run.columns) >= 2:
        wide = sum(len(row.figures) >= 2 for row in data)
        steady = sum(count >= 0.4 * len(data) for count in filled)
        return wide >= max(2, 0.5 * len(data)) and steady >= 2
    precise = sum(PRECISE.search(row.figures[0].text) is not None for row in data)
    return len(data) >= 3 and precise >= 0.6 * len(data)


def _add_header(run: Run, rows: Sequence[Row], start: int, lowest: float | None) -> None:
    """Take the rows above the first amounts into the header."""
    left = min(row.cells[0].left for row in run.rows)
    right = max(row.cells[-1].right for row in run.rows)
    below = run.rows[0]
    for row in reversed(rows[max(0, start - MOST_HEADER_ROWS) : start]):
        apart = row.bottom - below.top > FARTHEST * below.height
        if apart or (lowest is not None and row.top <= lowest + 1 and row.bottom >= lowest):
            break
        if not _heads(row, run, left, right):
            if _is_section(row, run, left) and not run.header:
                run.rows.insert(0, row)
                below = row
                continue
            break
        run.header.insert(0, row)
        below = row
    # A label right above the first row opens a section only below a header.
    if not run.header:
        while run.rows and not run.rows[0].figures:
            del run.rows[0]


def _heads(row: Row, run: Run, left: float, right: float) -> bool:
    """Whether ``row`` names columns."""
    size = row.height
    if row.cells[0].left < left - 2 * size or row.cells[-1].right > right + 2 * size:
        return False
    if any(len(cell.text) > LONGEST_HEADER for cell in row.cells):
        return False
    over = [cell for cell in row.cells if cell.right > run.columns[0][0] - size]
    if not over or (len(row.cells) == 1 and row.cells[0].left < left + size):
        return False
    return not any(SENTENCE_END.search(cell.text) for cell in over if len(cell.text) > 25)


def _is_section(row: Row, run: Run, left: float) -> bool:
    """Whether ``row`` is a label of the rows below it, such as "Current assets:"."""
    cell = row.cells[0]
    return (
        len(row.cells) == 1
        and abs(cell.left - left) < 2 * row.height
        and cell.right < run.columns[0][0]
        and len(cell.text) <= LONGEST_HEADER
    )


def _all_columns(run: Run) -> list[Extent]:
    """The columns of amounts and those of words, from the left."""
    words: list[Extent] = []
    for row in run.rows:
        several = len(row.cells) > 1
        for cell in row.cells:
            if not cell.is_figure and several:
                words += _outside(cell, run.columns)
    gap = CELL_GAP * run.rows[0].height
    texts = merged(words, gap) or [(min(r.cells[0].left for r in run.rows), run.columns[0][0] - 1)]
    return sorted([*run.columns, *texts])


def _outside(cell: Cell, columns: Sequence[Extent]) -> list[Extent]:
    """Where ``cell`` stands beside the columns of amounts."""
    if len(cell.words) == 1 or not any(_overlaps(cell, column) for column in columns):
        alone = not any(_overlaps(cell, column) for column in columns)
        return [(cell.left, cell.right)] if alone else []
    free = [
        word
        for word in cell.words
        if not any(word.left < right and left < word.right for left, right in columns)
    ]
    return merged(
        [(word.left, word.right) for word in free], gap=cell.words[0].top - cell.words[0].bottom
    )


def _overlaps(cell: Cell, column: Extent) -> bool:
    return cell.left < column[1] and column[0] < cell.right


def _place(row: Row, columns: Sequence[Extent]) -> list[str]:
    texts = [""] * len(columns)
    for cell in row.cells:
        over = [index for index, column in enumerate(columns) if _overlaps(cell, column)]
        if len(over) > 1 and len(row.cells) > 1 and len(cell.words) > 1:
            for index in over:
                words = [w for w in cell.words if _column_at(Cell((w,)), columns) == index]
                if words:
                    texts[index] = f"{texts[index]} {joined(words)}".strip()
        else:
            index = over[0] if over else _column_at(cell, columns)
            texts[index] = f"{texts[index]} {cell.text}".strip()
    return texts


def _whole_labels(body: Sequence[list[str]], rows: Sequence[Row]) -> list[list[str]]:
    """Rows whose label runs over two lines as one."""
    whole: list[list[str]] = []
    above: Row | None = None
    for texts, row in zip(body, rows, strict=True):
        one_is_bare = not any(texts[1:]) or (whole and not any(whole[-1][1:]))
        if above is not None and one_is_bare and _runs_on(above, row):
            amounts = texts[1:] if any(texts[1:]) else whole[-1][1:]
            whole[-1] = [f"{whole[-1][0]} {texts[0]}".strip(), *amounts]
        else:
            whole.append(texts)
        above = row
    return whole


def _runs_on(above: Row, row: Row) -> bool:
    """Whether the label of ``above`` goes on in ``row``."""
    first, second = above.cells[0], row.cells[0]
    one_is_bare = len(above.cells) == 1 or len(row.cells) == 1
    return (
        one_is_bare
        and not first.is_figure
        and not second.is_figure
        and above.bottom - row.top < 0.6 * row.height
        and second.text[:1].islower()
        and not first.text.endswith((":", "："))
    )
