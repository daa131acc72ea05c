"""The child process that draws one page: ``python -m research.knowledge.drawing``.

What to draw comes as one JSON object on standard input; the picture goes to standard output, as
PNG. PDFium reads hostile files here, so the child limits itself first, and it says how it ended by
its exit status.
"""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterable, Sequence
from enum import IntEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from research.knowledge.marks import Span, spans_of

if TYPE_CHECKING:
    from PIL.Image import Image
    from pypdfium2 import PdfPage

CPU_SECONDS = 15
MEMORY_BYTES = 1536 * 1024 * 1024
MOST_PIXELS = 10_000_000
PHOTOGRAPH_PIXELS = 80_000_000
"""Of a picture that is made smaller; Pillow refuses what has twice as many."""
MOST_CHARACTERS = 100_000
"""Of a page, among which a passage is looked for."""
MARK = (255, 236, 130)
"""What the paper under a marked line is tinted with."""
MARGIN = 0.12
"""Of a line's height, by which its mark stands out over it."""

Box = tuple[float, float, float, float]
"""Left, bottom, right and top in points; the origin is the page's bottom left."""


class Ending(IntEnum):
    """Exit statuses of the child."""

    DRAWN = 0
    MEMORY = 3
    LOCKED = 4
    NO_PAGE = 5


def main() -> int:
    """Draw what standard input names."""
    order = json.load(sys.stdin)
    # What a library prints must not get into the picture.
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    _limit()
    try:
        draw = _photograph if order["kind"] == "image" else _page
        picture = draw(order)
        if isinstance(picture, Ending):
            return picture
        file = io.BytesIO()
        picture.save(file, "PNG")
    except MemoryError:
        return Ending.MEMORY
    stream.write(file.getvalue())
    stream.close()
    return Ending.DRAWN


def _limit() -> None:
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _page(order: dict[str, Any]) -> Image | Ending:
    from pypdfium2 import PdfDocument, PdfiumError, raw

    try:
        document = PdfDocument(Path(order["path"]))
    except PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            return Ending.LOCKED
        raise
    if not 1 <= order["page"] <= len(document):
        return Ending.NO_PAGE
    document.init_forms()
    page = document[order["page"] - 1]
    width, height = page.get_size()
    scale = order["width"] / width
    scale *= min(1.0, (MOST_PIXELS / (width * height * scale**2)) ** 0.5)
    bitmap = page.render(scale=scale, rev_byteorder=True)
    picture = bitmap.to_pil().convert("RGB")
    if order["text"]:
        to_bitmap = bitmap.get_posconv(page).to_bitmap
        boxes = _lines(_boxes(page, order["text"]))
        corners = [(*to_bitmap(box[0], box[3]), *to_bitmap(box[2], box[1])) for box in boxes]
        picture = _marked(picture, corners)
    return picture


def _photograph(order: dict[str, Any]) -> Image | Ending:
    """A document that is a picture itself; it may have several pages, as faxes do."""
    from PIL import Image, ImageOps, ImageSequence

    Image.MAX_IMAGE_PIXELS = PHOTOGRAPH_PIXELS
    with Image.open(order["path"]) as image:
        for number, frame in enumerate(ImageSequence.Iterator(image), start=1):
            if number == order["page"]:
                upright = ImageOps.exif_transpose(frame).convert("RGB")
                upright.thumbnail((order["width"], MOST_PIXELS // order["width"]))
                return upright
    return Ending.NO_PAGE


def _boxes(page: PdfPage, text: str) -> list[Box]:
    """The boxes of the words of ``text`` that stand on ``page``."""
    from pypdfium2 import raw

    textpage = page.get_textpage()
    count = min(textpage.count_chars(), MOST_CHARACTERS)
    characters = [chr(raw.FPDFText_GetUnicode(textpage, index)) for index in range(count)]
    return [box for span in spans_of(text, characters) for box in _boxes_of(textpage, span)]


def _boxes_of(textpage: Any, span: Span) -> Iterable[Box]:
    first, last = span
    for index in range(textpage.count_rects(first, last - first + 1)):
        yield textpage.get_rect(index)


def _lines(boxes: Sequence[Box]) -> list[Box]:
    """Boxes of words as boxes of lines: neighbours at one height become one."""
    lines: list[Box] = []
    for box in boxes:
        if lines and _follows(lines[-1], box):
            left, bottom, right, top = lines[-1]
            lines[-1] = (
                min(left, box[0]), min(bottom, box[1]), max(right, box[2]), max(top, box[3]),
            )  # fmt: skip
        else:
            lines.append(box)
    edge = [MARGIN * (top - bottom) for _, bottom, _, top in lines]
    return [
        (left - by, bottom - by, right + by, top + by)
        for (left, bottom, right, top), by in zip(lines, edge, strict=True)
    ]


def _follows(line: Box, box: Box) -> bool:
    shared = min(line[3], box[3]) - max(line[1], box[1])
    height = min(line[3] - line[1], box[3] - box[1])
    return shared > height / 2 and -2 * height < box[0] - line[2] < 2 * height


def _marked(picture: Image, corners: Iterable[Box]) -> Image:
    from PIL import Image, ImageChops, ImageDraw

    tint = Image.new("RGB", picture.size, "white")
    draw = ImageDraw.Draw(tint)
    for left, top, right, bottom in corners:
        draw.rectangle(
            (min(left, right), min(top, bottom), max(left, right), max(top, bottom)), fill=MARK
        )
    return ImageChops.multiply(picture, tint)


if __name__ == "__main__":
    sys.exit(main())
