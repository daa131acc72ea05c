"""The lines of a PDF page, with where they stand and how they are set."""

from __future__ import annotations

import ctypes
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from research.knowledge.readers.cleaning import clean

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

BOLD = re.compile("bold|black|heavy|demi", re.IGNORECASE)
LEADERS = re.compile(r"(?: ?[.·…]){5,} ?")
"""The dots between an entry of a table of contents and its page."""
LINE_END = re.compile("\r\n|\r|\n|\ufffe")
"""PDFium puts U+FFFE for a hyphen at the end of a line, and takes the line break away."""


@dataclass(frozen=True)
class Line:
    """One line as PDFium saw it; lengths in points, the origin is the page's bottom left."""

    text: str
    left: float
    right: float
    top: float
    bottom: float
    size: float
    """Of the letter in the middle, as set on the page: a bullet may be of another size."""
    bold: bool
    hyphen: bool
    """Whether the line ends inside a word."""


def lines_of(page: PdfPage) -> list[Line]:
    """The lines of ``page`` in reading order."""
    textpage = page.get_textpage()
    text = textpage.get_text_range()
    lines = []
    start = 0
    for end in [*LINE_END.finditer(text), None]:
        stop = end.start() if end else len(text)
        content = LEADERS.sub(" ... ", clean(text[start:stop])).strip()
        if content:
            raw = text[start:stop]
            first = start + len(raw) - len(raw.lstrip())
            last = start + len(raw.rstrip()) - 1
            hyphen = end is not None and end[0] == "\ufffe"
            lines.append(_measured(textpage, content, first, last, hyphen))
        start = end.end() if end else stop
    textpage.close()
    return lines


def has_image(page: PdfPage) -> bool:
    """Whether a picture stands on ``page``."""
    from pypdfium2 import raw

    return (
        next(iter(page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3)), None) is not None
    )


def outline_of(document: PdfDocument) -> list[tuple[int, str, int, float | None]]:
    """The outline as (level, title, page index, height on the page or None)."""
    entries = []
    for bookmark in document.get_toc(max_depth=6):
        destination = bookmark.get_dest()
        page = destination.get_index() if destination else None
        title = clean(bookmark.get_title() or "")
        if page is not None and title:
            mode, numbers = destination.get_view()
            # Modes of section 12.3.2 of the PDF standard: 1 is XYZ, 3 and 7 are FitH and FitBH.
            height = {1: numbers[1:2], 3: numbers[:1], 7: numbers[:1]}.get(mode)
            entries.append((bookmark.level, title, page, height[0] if height else None))
    return entries


def _measured(textpage: Any, text: str, first: int, last: int, hyphen: bool) -> Line:
    from pypdfium2 import raw

    index = [
        max(0, raw.FPDFText_GetCharIndexFromTextIndex(textpage, at))
        for at in (first, (first + last) // 2, last)
    ]
    box = textpage.get_charbox(index[0], loose=True)
    end = textpage.get_charbox(index[2], loose=True)
    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(textpage, index[1], matrix)
    scale = math.hypot(matrix.c, matrix.d) or 1.0
    return Line(
        text=text,
        left=box[0],
        right=end[2],
        top=box[3],
        bottom=box[1],
        size=round(raw.FPDFText_GetFontSize(textpage, index[1]) * scale, 1),
        bold=all(_is_bold(textpage, at) for at in index),
        hyphen=hyphen,
    )


def _is_bold(textpage: Any, index: int) -> bool:
    from pypdfium2 import raw

    name = ctypes.create_string_buffer(128)
    flags = ctypes.c_int()
    raw.FPDFText_GetFontInfo(textpage, index, name, len(name), flags)
    return bool(BOLD.search(name.value.decode("utf-8", "replace"))) or (
        raw.FPDFText_GetFontWeight(textpage, index) >= 650
    )
