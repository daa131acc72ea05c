"""Pages of a PDF that are pictures: known as such, and read by text recognition."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from research.knowledge.readers.ocr import LONGEST_SIDE, Seen, text_lines
from research.knowledge.readers.pdf.layout import PAGE_NUMBER
from research.knowledge.readers.pdf.lines import Line, Word
from research.knowledge.readers.pdf.rows import Row, rows_of

if TYPE_CHECKING:
    from pypdfium2 import PdfPage

SCALE = 2.0
"""Pixels a point."""
COVERED = 0.3
"""A page of which pictures cover this share, and which has no text, is a scan."""
DRAWN_PATHS = 300
"""A page with so many shapes and no text may have its letters drawn."""


def is_picture(page: PdfPage) -> bool:
    """Whether a page without text shows something that may be text."""
    from pypdfium2 import raw

    width, height = page.get_size()
    covered = 0.0
    paths = 0
    kinds = [raw.FPDF_PAGEOBJ_IMAGE, raw.FPDF_PAGEOBJ_PATH, raw.FPDF_PAGEOBJ_SHADING]
    for item in page.get_objects(filter=kinds, max_depth=4):
        if item.type == raw.FPDF_PAGEOBJ_PATH:
            paths += 1
        elif item.container is not None:
            return True  # where it stands is not known
        else:
            left, bottom, right, top = item.get_bounds()
            covered += (right - left) * (top - bottom)
        if covered > COVERED * width * height or paths > DRAWN_PATHS:
            return True
    return False


def recognised(page: PdfPage, size: float) -> list[Line]:
    """The lines that text recognition finds on ``page``.

    Args:
        page: The page.
        size: Of running text in the document, in points: it is told from the picture only what
            stands out.
    """
    scale = min(SCALE, LONGEST_SIDE / max(page.get_size()))
    picture = page.render(scale=scale).to_pil()
    seen = text_lines(picture)
    if not seen:
        return []
    usual = median(line.bottom - line.top for line in seen)
    words = [word for line in seen for word in _words(line, scale, picture.height)]
    lines = [_line(row, size, usual / scale) for row in rows_of(words)]
    for at in (-1, 0):  # the number of the page
        if lines and PAGE_NUMBER.fullmatch(lines[at].text):
            del lines[at]
    return lines


def _words(line: Seen, scale: float, height: int) -> list[Word]:
    """The words of a line; each gets its share of the width by its length."""
    step = (line.right - line.left) / len(line.text) / scale
    left = line.left / scale
    words = []
    for part in line.text.split(" "):
        right = left + step * len(part)
        top, bottom = ((height - y) / scale for y in (line.top, line.bottom))
        words.append(Word(part, left, right, top, bottom))
        left = right + step
    return words


def _line(row: Row, size: float, usual: float) -> Line:
    height = median(word.top - word.bottom for word in row.words)
    larger = height / usual
    text = " ".join(cell.text for cell in row.cells)
    hyphen = text[-2:-1].isalpha() and text.endswith("-")
    return Line(
        text=text[:-1] if hyphen else text,
        left=row.words[0].left,
        right=row.words[-1].right,
        top=row.top,
        bottom=row.bottom,
        size=round(size * larger, 1) if larger > 1.35 else size,
        bold=False,
        hyphen=hyphen,
        words=tuple(row.words),
    )
