"""From the rows of a sheet, a file or a document to its tables and the words beside them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from research.knowledge.readers import Cell
from research.knowledge.readers.areas import Area, Row, Sheet, areas, is_year
from research.knowledge.readers.columns import is_numeric, shown
from research.knowledge.readers.headers import Anatomy, Merge, anatomy, is_repeated, names
from research.knowledge.readers.units import unit_of_line

NEAR = 4
"""A unit stands at most so many rows above its table."""
PREVIEW_ROWS = 25
PREVIEW_COLUMNS = 30
PREVIEW_CHARS = 80
PREVIEW_ABOVE = 6


@dataclass
class Region:
    """Neighbouring rows that make one table, or a few words beside one."""

    header: tuple[str, ...] | None
    rows: Iterable[Row] = ()
    """Can be gone through more than once."""
    units: tuple[str, ...] = ()
    """By column, from a row of units below the names."""
    unit: str = ""
    """Of all amounts, from a line above."""
    area: Area | None = None
    """Where it stands in its sheet, with its header."""
    header_rows: tuple[int, int] | None = None
    """From 0."""
    stretches: list[tuple[int, int]] = field(default_factory=list)
    """The rows of its data, from 0; the second of each is one past the last."""
    origin: str = ""
    preview: tuple[tuple[str, ...], ...] = ()
    preview_row: int = 1

    @property
    def is_table(self) -> bool:
        """Whether there is anything to compute on."""
        return self.header is not None


def regions(
    rows: Sequence[Row], merges: Collection[Merge] = (), *, more: bool = False
) -> list[Region]:
    """The tables and the words in ``rows``, in the order in which they stand.

    Args:
        rows: All rows, blank ones too.
        merges: The merged cells.
        more: Whether these are only the first rows, so that the last table may go on.
    """
    sheet = Sheet.of(rows)
    found: list[Region] = []
    parts = areas(sheet)
    for part in parts:
        _add(found, sheet, part, merges, more and part.bottom == len(rows))
    for region in found:
        if region.is_table and region.area:
            region.rows = data(sheet, region, merges)
            region.unit = _unit_above(sheet, region)
    return found


def with_header(
    sheet: Sheet, region: Region, header: tuple[int, int], merges: Collection[Merge]
) -> Region:
    """``region`` with its header in other rows (from 0), its data below them."""
    assert region.area is not None
    first, last = header
    end = max(stop for _, stop in region.stretches)
    if not 0 <= first <= last < end - 1 or last >= len(sheet.rows):
        return region
    own, units = names(sheet, first, last, region.area, merges)
    changed = replace(
        region, header=own, units=units, header_rows=header, stretches=[(last + 1, end)]
    )
    changed.rows = data(sheet, changed, merges)
    return changed


def data(sheet: Sheet, region: Region, merges: Collection[Merge]) -> list[Row]:
    """The data rows of a table: without blank rows, repeated headers, and with merged labels."""
    area = region.area
    assert area is not None
    headers = header_texts(sheet, region)
    repeated = _merged_labels(sheet, region, merges)
    rows: list[Row] = []
    for start, stop in region.stretches:
        for at in range(start, min(stop, len(sheet.rows))):
            if not sheet.mask(at, area):
                continue
            cells = sheet.cells(at, area)
            for column, value in repeated.get(at, {}).items():
                if cells[column] is None:
                    cells[column] = value
            if not is_repeated(cells, headers):
                rows.append(cells)
    return rows


def header_texts(sheet: Sheet, region: Region) -> frozenset[tuple[str, ...]]:
    """The rows of a header as they read, to know them again."""
    if region.header_rows is None or region.area is None:
        return frozenset()
    first, last = region.header_rows
    lines = (tuple(map(shown, sheet.cells(row, region.area))) for row in range(first, last + 1))
    return frozenset(line for line in lines if sum(map(bool, line)) > 1)


def previewed(sheet: Sheet, region: Region) -> Region:
    """``region`` with the rows that let a reader see and correct its header."""
    assert region.area is not None
    begin = region.header_rows[0] if region.header_rows else region.stretches[0][0]
    first = max(0, min(begin, region.area.top) - PREVIEW_ABOVE)
    first = max(first, begin - PREVIEW_ROWS // 2)
    area = replace(region.area, right=min(region.area.right, region.area.left + PREVIEW_COLUMNS))
    rows = range(first, min(first + PREVIEW_ROWS, len(sheet.rows)))
    region.preview = tuple(
        tuple(shown(cell)[:PREVIEW_CHARS] for cell in sheet.cells(row, area)) for row in rows
    )
    region.preview_row = first + 1
    return region


def _add(
    found: list[Region], sheet: Sheet, area: Area, merges: Collection[Merge], more: bool
) -> None:
    parts = anatomy(sheet, area, merges, more=more)
    above = _above(found, area)
    if _continues(sheet, area, parts, above, merges):
        assert above is not None
        above.stretches.append((area.top, parts.bottom))
        _words(found, sheet, area, parts.bottom, area.bottom)
        return
    if not _is_table(sheet, area, parts):
        _words(found, sheet, area, area.top, area.bottom)
        return
    _words(found, sheet, area, area.top, parts.top)
    own = replace(area, top=parts.top, bottom=parts.bottom)
    region = Region((), area=own, stretches=[(parts.body, parts.bottom)])
    if parts.has_header:
        region.header_rows = (parts.top, parts.body - 1)
        region.header, region.units = names(sheet, *region.header_rows, area, merges)
    else:
        region.header = tuple(f"column_{index + 1}" for index in range(area.width))
    found.append(region)
    _words(found, sheet, area, parts.bottom, area.bottom)


def _above(found: Sequence[Region], area: Area) -> Region | None:
    """The nearest region over the same columns, if it is a table."""
    for region in reversed(found):
        if region.area and region.area.left < area.right and area.left < region.area.right:
            return region if region.is_table else None
    return None


def _continues(
    sheet: Sheet, area: Area, parts: Anatomy, above: Region | None, merges: Collection[Merge]
) -> bool:
    """Whether an area goes on with the table above it."""
    if above is None or above.area is None:
        return False
    within = above.area.left <= area.left and area.right <= above.area.right
    if not within or area.width * 2 < above.area.width:
        return False
    if not parts.has_header:
        return any(map(is_numeric, sheet.cells(parts.top, above.area)))
    return bool(header_texts(sheet, above)) and all(
        is_repeated(sheet.cells(row, above.area), header_texts(sheet, above))
        for row in range(parts.top, parts.body)
    )


def _is_table(sheet: Sheet, area: Area, parts: Anatomy) -> bool:
    rows = range(parts.body, parts.bottom)
    if area.width == 1:
        cells = [sheet.cell(row, area.left) for row in rows]
        return parts.has_header and len(cells) > 2 and all(map(is_numeric, cells))
    if not parts.has_header:
        return len(rows) > 1 or sum(map(is_numeric, sheet.cells(parts.body, area))) > 1
    labels = [shown(sheet.cell(row, area.left)) for row in range(parts.top, parts.bottom)]
    said = sum(label.endswith((":", "：")) for label in labels)
    return not (area.width == 2 and said * 2 > len(labels))


def _words(found: list[Region], sheet: Sheet, area: Area, start: int, stop: int) -> None:
    if start < stop:
        rows = [sheet.cells(row, area) for row in range(start, stop)]
        found.append(Region(None, rows, area=replace(area, top=start, bottom=stop)))


def _unit_above(sheet: Sheet, region: Region) -> str:
    """The unit given in the corner of the header, or on a line above it."""
    assert region.area is not None
    top = region.area.top
    if region.header_rows and (unit := unit_of_line(shown(sheet.cell(top, region.area.left)))):
        return unit
    for row in range(top - 1, max(-1, top - 1 - NEAR), -1):
        cells = [cell for cell in sheet.rows[row] if cell is not None and cell != ""]
        if any(map(is_numeric, cells)):
            break
        for cell in cells:
            if unit := unit_of_line(shown(cell)):
                return unit
    return ""


def _merged_labels(
    sheet: Sheet, region: Region, merges: Collection[Merge]
) -> dict[int, dict[int, Cell]]:
    """By row and column: what merged cells say of rows below their first one.

    An amount is not repeated, for that would double it.
    """
    area = region.area
    assert area is not None
    result: dict[int, dict[int, Cell]] = {}
    for top, bottom, left, right in _inside(merges, area):
        value = sheet.cell(top, left)
        label = isinstance(value, date) or (isinstance(value, str) and not is_numeric(value))
        if value is None or not (label or (left == area.left and is_year(value))):
            continue
        if right - left > 1 and bottom - top == 1:
            continue
        for row in range(top + 1, bottom):
            result.setdefault(row, {})[left - area.left] = value
    return result


def _inside(merges: Collection[Merge], area: Area) -> Iterator[Merge]:
    for merge in merges:
        if merge[1] - merge[0] > 1 and area.left <= merge[2] < area.right:
            yield merge
