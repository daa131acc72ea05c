"""PDF: text by PDFium, page by page, in paragraphs under headings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from research.knowledge.readers import (
    Block,
    LimitReachedError,
    Output,
    PasswordNeededError,
    UnreadableError,
)
from research.knowledge.readers.cleaning import clean
from research.knowledge.readers.path import HeadingPath
from research.knowledge.readers.pdf_headings import Headings, OutlineHeadings, StyleHeadings
from research.knowledge.readers.pdf_layout import Layout
from research.knowledge.readers.pdf_lines import Line, has_image, lines_of, outline_of

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

MOST_PAGES = 2000
SAMPLE = 16
"""Pages on which the layout is measured."""
SCAN_CHARS = 20
"""A page with fewer characters than this and a picture is a scan."""
NO_TITLE = re.compile(
    r"^$|untitled|^microsoft word|\.(docx?|pptx?|xlsx?|indd|tex|dvi|pdf)$", re.IGNORECASE
)


def read(path: Path, output: Output) -> None:
    """Read the PDF file at ``path``."""
    document = _open(path, output.password)
    total = len(document)
    count = min(total, MOST_PAGES)
    output.pages(total)
    title = clean(document.get_metadata_value("Title"))
    if not NO_TITLE.search(title):
        output.title(title)
    sample = {index: lines_of(document[index]) for index in _spread(count)}
    layout = Layout.measure(list(sample.values()))
    body = [layout.body(lines) for _, lines in sorted(sample.items())]
    pages = _Pages(layout, _headings(document, body, layout), output)
    scans: list[int] = []
    for index in range(count):
        lines = sample.pop(index, None) or lines_of(document[index])
        if sum(len(line.text) for line in lines) < SCAN_CHARS and has_image(document[index]):
            scans.append(index + 1)
        pages.send(index, layout.body(lines))
        output.progress(index + 1, count)
    if scans and len(scans) == count:
        raise UnreadableError("knowledge.no_text")
    if scans:
        output.warn("knowledge.scanned_pages", pages=_ranges(scans))
    if count < total:
        raise LimitReachedError("size")


class _Pages:
    """Sends pages as paragraphs under headings, one page after another."""

    def __init__(self, layout: Layout, headings: Headings, output: Output) -> None:
        self._layout = layout
        self._headings = headings
        self._output = output
        self._path = HeadingPath()

    def send(self, index: int, lines: Sequence[Line]) -> None:
        """Send the page with this index."""
        position = 0
        for heading in self._headings.on(index, lines):
            self._send_part(index, lines[position : heading.start])
            self._path.enter(heading.level, heading.title)
            position = heading.stop
        self._send_part(index, lines[position:])

    def _send_part(self, index: int, lines: Sequence[Line]) -> None:
        for text in self._layout.paragraphs(lines):
            self._output.block(Block(text, page=index + 1, heading=self._path.titles))


def _open(path: Path, password: str) -> PdfDocument:
    from pypdfium2 import PdfDocument, PdfiumError, raw

    try:
        return PdfDocument(path, password=password or None)
    except PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise PasswordNeededError from error
        raise UnreadableError("knowledge.damaged") from error


def _spread(count: int) -> list[int]:
    """At most :data:`SAMPLE` page indices, spread over the document."""
    if count <= SAMPLE:
        return list(range(count))
    return sorted({round(at * (count - 1) / (SAMPLE - 1)) for at in range(SAMPLE)})


def _headings(document: PdfDocument, pages: Sequence[Sequence[Line]], layout: Layout) -> Headings:
    outline = outline_of(document)
    if len(outline) >= max(2, len(document) // 20):
        return OutlineHeadings(outline)
    return StyleHeadings(pages, layout.size)


def _ranges(numbers: Sequence[int]) -> str:
    """``[1, 2, 3, 7]`` as ``1-3, 7``."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(f"{p[0]}-{p[-1]}" if len(p) > 1 else str(p[0]) for p in parts)
