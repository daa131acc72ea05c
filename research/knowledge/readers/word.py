"""Word documents: paragraphs and tables under their headings, in the order of the text.

The XML is walked directly, for python-docx passes over content controls and over text that was
inserted with changes tracked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from research.i18n import language_of
from research.i18n import text as words_for
from research.knowledge.readers import Block, Output, UnreadableError
from research.knowledge.readers.archive import check_archive
from research.knowledge.readers.cleaning import clean
from research.knowledge.readers.office import send_properties
from research.knowledge.readers.path import HeadingPath
from research.knowledge.readers.table_in_text import send_rows
from research.knowledge.readers.word_notes import Notes, margins

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
HEADING = re.compile(r"heading (\d)$", re.IGNORECASE)
BREAKS = {f"{W}tab": " ", f"{W}br": "\n", f"{W}cr": "\n", f"{W}noBreakHyphen": "-"}
INSIDE = {f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}customXml", f"{W}smartTag"}
MAIN_PARTS = (
    "application/vnd.ms-word.document.macroEnabled.main+xml",
    "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
)
"""What is a document, too, though python-docx does not take it for one."""
MOST_ACROSS = 200
"""Columns that one cell may span."""


def read(path: Path, output: Output) -> None:
    """Read the Word document at ``path``."""
    check_archive(path)
    document = _document(path)
    send_properties(document.core_properties, output)
    levels = _levels(document)
    notes = Notes(document, text_of)
    headings = HeadingPath()
    above = ""
    elements = list(_walk(document.element.body))
    for number, element in enumerate(elements):
        if element.tag == f"{W}tbl":
            _send_table(element, above, headings, notes, output)
        elif text := text_of(element, notes):
            level = _level(element, levels)
            if level is None:
                output.block(Block(text, heading=headings.titles))
            else:
                headings.enter(level, text.replace("\n", " "))
            above = text
        if met := notes.take():
            output.block(Block(met, heading=headings.titles))
        if number % 200 == 0:
            output.progress(number, len(elements))
    if around := margins(document, text_of):
        heading = words_for("readers.header_and_footer", language_of(around))
        output.block(Block(around, heading=(heading,)))


def text_of(element: Any, notes: Notes | None = None) -> str:
    """What a reader sees of a paragraph; deleted text has another tag and stays out.

    Args:
        element: The paragraph, or what holds some.
        notes: Are given the references to notes in it.
    """
    parts: list[str] = []
    _collect(element, parts, notes)
    return "\n".join(filter(None, map(clean, "".join(parts).split("\n"))))


def _document(path: Path) -> Any:
    """The document of python-docx, which also takes those with macros and templates this way."""
    from docx.opc.exceptions import OpcError
    from docx.opc.part import PartFactory
    from docx.package import Package
    from docx.parts.document import DocumentPart

    PartFactory.part_type_for |= dict.fromkeys(MAIN_PARTS, DocumentPart)
    try:
        with path.open("rb") as file:
            return Package.open(file).main_document_part.document
    except (OpcError, KeyError, ValueError, AttributeError) as error:
        raise UnreadableError("knowledge.damaged") from error


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


def _collect(element: Any, parts: list[str], notes: Notes | None) -> None:
    for child in element:
        if child.tag == f"{W}t":
            parts.append(child.text or "")
        elif child.tag in BREAKS:
            parts.append(BREAKS[child.tag])
        elif notes is not None and (mark := notes.mark(child)):
            parts.append(mark)
        elif child.tag not in (FALLBACK, f"{W}pPr"):
            _collect(child, parts, notes)
            if child.tag == f"{W}p":  # a text box, or a paragraph of a cell
                parts.append("\n")


def _send_table(
    table: Any, above: str, headings: HeadingPath, notes: Notes, output: Output
) -> None:
    rows: list[list[str]] = []
    headers = 0
    for row in table.iter(f"{W}tr"):
        if _owner(row) is table:
            rows.append(_cells(row, rows[-1] if rows else [], notes))
            is_header = row.find(f"{W}trPr/{W}tblHeader") is not None
            headers += is_header and headers == len(rows) - 1
    send_rows(rows, above, headings.titles, output, headers=headers)


def _cells(row: Any, over: list[str], notes: Notes) -> list[str]:
    """The cells of a row. One that spans rows is repeated; across columns it stands once."""
    before = row.find(f"{W}trPr/{W}gridBefore")
    cells = [""] * _number(before, 0)
    for cell in row.iter(f"{W}tc"):
        if _owner(cell) is not row:
            continue
        merge = cell.find(f"{W}tcPr/{W}vMerge")
        goes_on = merge is not None and merge.get(f"{W}val", "continue") == "continue"
        text = over[len(cells)] if goes_on and len(cells) < len(over) else text_of(cell, notes)
        across = _number(cell.find(f"{W}tcPr/{W}gridSpan"), 1)
        cells += [text, *[""] * (across - 1)]
    return cells


def _number(element: Any, default: int) -> int:
    written = element.get(f"{W}val", "") if element is not None else ""
    return min(int(written), MOST_ACROSS) if written.isdecimal() else default


def _owner(element: Any) -> Any:
    """The nearest table row or table that holds ``element``."""
    wanted = f"{W}tbl" if element.tag == f"{W}tr" else f"{W}tr"
    return next(element.iterancestors(wanted), None)
