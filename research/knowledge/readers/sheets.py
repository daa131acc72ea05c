"""A sheet or a delimited file: its tables with what the user corrected, and the words beside."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import PurePath

from research.knowledge.readers import Block, Output
from research.knowledge.readers.amounts import Mark
from research.knowledge.readers.areas import Area, Row, Sheet
from research.knowledge.readers.cleaning import clean
from research.knowledge.readers.columns import shown
from research.knowledge.readers.grids import as_words, send_table
from research.knowledge.readers.headers import NOTE, Merge
from research.knowledge.readers.layout import Region, previewed, regions, with_header
from research.knowledge.readers.units import is_unit_line

LONGEST_TITLE = 80


def send_rows(
    rows: Sequence[Row],
    name: str,
    output: Output,
    *,
    sheet: str | None = None,
    merges: Collection[Merge] = (),
    usual: Mark | None = None,
) -> None:
    """Send the tables and the words of a sheet.

    Args:
        rows: All of its rows, blank ones too, for they are counted.
        name: What a table is called that has no title.
        output: Where they go.
        sheet: The name of the sheet, if there is one.
        merges: The merged cells.
        usual: What stands before decimals in files of this kind, if anything is usual.
    """
    whole = Sheet.of(rows)
    above = ""
    for region in regions(rows, merges):
        if region.is_table:
            table = correctable(region, whole, output, sheet, merges)
            send_table(table, above or name, output, sheet=sheet, usual=usual)
            above = ""
        else:
            words = as_words(region.rows)
            output.block(Block(words, sheet=sheet, heading=(name,) if sheet else ()))
            above = title_in(region.rows)


def correctable(
    region: Region,
    sheet: Sheet,
    output: Output,
    name: str | None,
    merges: Collection[Merge] = (),
) -> Region:
    """``region`` under its name for corrections, with the header that the user gave it."""
    assert region.area is not None
    region.origin = origin_of(region.area, name)
    said = output.corrections.get(region.origin)
    if said and said.header:
        region = with_header(sheet, region, (said.header[0] - 1, said.header[1] - 1), merges)
    return previewed(sheet, region)


def origin_of(area: Area, sheet: str | None) -> str:
    """The top left cell of a table as spreadsheets name it: ``Sheet1!B3``."""
    letters, number = "", area.left + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    cell = f"{letters}{area.top + 1}"
    return f"{sheet}!{cell}" if sheet else cell


def title_in(rows: Iterable[Row]) -> str:
    """The title among the words above a table; empty where they are remarks or properties."""
    for row in rows:
        first, *others = [text for text in map(shown, row) if text] or [""]
        if first and not is_unit_line(first) and not NOTE.match(first):
            named = len(first) <= LONGEST_TITLE and all(map(is_unit_line, others))
            return clean(first) if named else ""
    return ""


def stem(name: str) -> str:
    """A file's name as a title."""
    return PurePath(name).stem.replace("_", " ").replace("-", " ")
