"""Word documents: paragraphs and tables under their headings, in the order of the text.

The XML is walked directly, for python-docx passes over content controls and over text that was
inserted with changes tracked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from research.knowledge.readers import Block, Output, UnreadableError
from research.knowledge.readers.archive import check_archive
from research.knowledge.readers.cleaning import clean
from research.knowledge.readers.grids import as_markdown, regions, send_table
from research.knowledge.readers.path import HeadingPath

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
HEADING = re.compile(r"heading (\d)$", re.IGNORECASE)
BREAKS = {f"{W}tab": " ", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
INSIDE = {f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}customXml", f"{W}smartTag"}


def read(path: Path, output: Output) -> None:
    """Read the Word document at ``path``."""
    check_archive(path)
    from docx import Document
    from docx.opc.exceptions import PackageNotFoundError

    try:
        document = Document(str(path))
    except (PackageNotFoundError, KeyError, ValueError) as error:
        raise UnreadableError("knowledge.damaged") from error
    if title := clean(document.core_properties.title or ""):
        output.title(title)
    levels = _levels(document)
    headings = HeadingPath()
    above = ""
    elements = list(_walk(document.element.body))
    for number, element in enumerate(elements):
        if element.tag == f"{W}tbl":
            _send_table(element, above, headings, output)
        elif text := _text(element):
            level = _level(element, levels)
            if level is None:
                output.block(Block(text, heading=headings.titles))
            else:
                headings.enter(level, text.replace("\n", " "))
            above = text
        if number % 200 == 0:
            output.progress(number, len(elements))


def _levels(document: Any) -> dict[str, int]:
    """The heading level of each paragraph style that has one, by the style's id."""
    levels = {}
    for style in document.styles.element.iter(f"{W}style"):
        name = style.find(f"{W}name")
        match = HEADING.match(name.get(f"{W}val", "")) if name is not None else None
        outline = style.find(f"{W}pPr/{W}outlineLvl")
        if match:
            levels[style.get(f"{W}styleId")] = int(match[1]) - 1
        elif outline is not None and int(outline.get(f"{W}val", "9")) < 9:
            levels[style.get(f"{W}styleId")] = int(outline.get(f"{W}val"))
    return levels


def _level(paragraph: Any, levels: dict[str, int]) -> int | None:
    outline = paragraph.find(f"{W}pPr/{W}outlineLvl")
    if outline is not None:
        level = int(outline.get(f"{W}val", "9"))
        return level if level < 9 else None
    style = paragraph.find(f"{W}pPr/{W}pStyle")
    return None if style is None else levels.get(style.get(f"{W}val", ""))


def _walk(parent: Any) -> Iterator[Any]:
    """The paragraphs and tables below ``parent``, but not those inside a table."""
    for child in parent:
        if child.tag in (f"{W}p", f"{W}tbl"):
            yield child
        elif child.tag in INSIDE:
            yield from _walk(child)


def _text(element: Any) -> str:
    """What a reader sees of a paragraph; deleted text has another tag and stays out."""
    parts: list[str] = []
    _collect(element, parts)
    return "\n".join(filter(None, map(clean, "".join(parts).split("\n"))))


def _collect(element: Any, parts: list[str]) -> None:
    for child in element:
        if child.tag == f"{W}t":
            parts.append(child.text or "")
        elif child.tag in BREAKS:
            parts.append(BREAKS[child.tag])
        elif child.tag not in (FALLBACK, f"{W}pPr"):
            _collect(child, parts)
            if child.tag == f"{W}p":  # a text box, or a paragraph of a cell
                parts.append("\n")


def _send_table(table: Any, above: str, headings: HeadingPath, output: Output) -> None:
    rows = [_cells(row) for row in table.iter(f"{W}tr") if _owner(row) is table]
    rows = [row for row in rows if any(row)]
    if not rows:
        return
    title = above if above and len(above) <= 80 else " ".join(headings.titles[-1:])
    tables = [region for region in regions(rows) if region.is_table]
    if tables and len(rows[0]) > 1:
        for region in tables:
            send_table(region, title or "table", output, heading=headings.titles, as_text=False)
        output.block(Block(as_markdown(rows[0], rows[1:]), heading=headings.titles))
    else:  # a table for the layout only
        text = "\n".join(cell for row in rows for cell in row if cell)
        output.block(Block(text, heading=headings.titles))


def _cells(row: Any) -> list[str]:
    """The cells of a row; one that spans columns is followed by empty ones."""
    cells = []
    for cell in row.iter(f"{W}tc"):
        if _owner(cell) is not row:
            continue
        span = cell.find(f"{W}tcPr/{W}gridSpan")
        cells += [
            _text(cell),
            *([""] * (int(span.get(f"{W}val", "1")) - 1 if span is not None else 0)),
        ]
    return cells


def _owner(element: Any) -> Any:
    """The nearest table row or table that holds ``element``."""
    wanted = f"{W}tbl" if element.tag == f"{W}tr" else f"{W}tr"
    return next(element.iterancestors(wanted), None)
