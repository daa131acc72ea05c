"""Pictures with text in them, such as scans and screenshots: read by text recognition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from research.knowledge.readers import Block, Output, UnreadableError
from research.knowledge.readers.cleaning import join_lines
from research.knowledge.readers.ocr import MOST_PAGES, SECONDS, Seen, engine_installed, text_lines

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 100_000_000
"""Of one picture; a page at 600 dpi has a third of that."""
PARAGRAPH_STEP = 1.9
"""A line farther below the one before than this, in heights of a line, starts a paragraph."""


def read(path: Path, output: Output) -> None:
    """Read the picture at ``path``; each page of a TIFF file is a page."""
    if not engine_installed():
        raise UnreadableError("readers.picture_no_engine")
    from PIL import Image, ImageSequence, UnidentifiedImageError

    # A small file may unpack to gigabytes, so the size is looked at before the pixels.
    Image.MAX_IMAGE_PIXELS = None
    try:
        with Image.open(path) as picture:
            total = getattr(picture, "n_frames", 1) if picture.format == "TIFF" else 1
            output.pages(total)
            found = 0
            for number, frame in enumerate(ImageSequence.Iterator(picture), 1):
                if number > min(total, MOST_PAGES):
                    break
                found += _read_frame(frame, number, output)
                output.progress(number, min(total, MOST_PAGES))
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise UnreadableError("knowledge.damaged") from error
    if not found:
        raise UnreadableError("readers.picture_without_text")
    output.warn("readers.picture_recognised")
    if total > MOST_PAGES:
        output.warn("readers.pages_left", pages=f"{MOST_PAGES + 1}-{total}")


def paragraphs(lines: Sequence[Seen]) -> Iterator[str]:
    """The paragraphs that ``lines`` make, in reading order."""
    rows = _rows(lines)
    if not rows:
        return
    height = median(line.bottom - line.top for line in lines)
    text = _text(rows[0])
    for above, row in pairwise(rows):
        step = min(line.top for line in row) - min(line.top for line in above)
        if step > PARAGRAPH_STEP * height or len(row) > 1 or len(above) > 1:
            yield text
            text = _text(row)
        else:
            text = join_lines(text, _text(row))
    yield text


def _read_frame(frame: Image, number: int, output: Output) -> int:
    """Send one picture; returns how many paragraphs it holds."""
    if frame.width * frame.height > MOST_PIXELS:
        raise UnreadableError("readers.picture_too_large", limit=MOST_PIXELS // 1_000_000)
    output.more_time(SECONDS)
    texts = list(paragraphs(text_lines(upright(frame))))
    for text in texts:
        output.block(Block(text, page=number))
    return len(texts)


def upright(picture: Image) -> Image:
    """The picture as it is meant to be seen: turned as the camera says, and on white."""
    from PIL import Image, ImageOps

    turned = ImageOps.exif_transpose(picture)
    if turned.mode in ("RGBA", "LA", "PA") or "transparency" in turned.info:
        turned = turned.convert("RGBA")
        white = Image.new("RGBA", turned.size, "white")
        return Image.alpha_composite(white, turned)
    return turned


def _rows(lines: Sequence[Seen]) -> list[list[Seen]]:
    """Lines that stand at one height, from the left."""
    rows: list[list[Seen]] = []
    for line in sorted(lines, key=lambda line: line.top + line.bottom):
        middle = (line.top + line.bottom) / 2
        if rows and middle < rows[-1][0].bottom - 0.3 * (rows[-1][0].bottom - rows[-1][0].top):
            rows[-1].append(line)
        else:
            rows.append([line])
    return [sorted(row, key=lambda line: line.left) for row in rows]


def _text(row: Sequence[Seen]) -> str:
    return "  ".join(line.text for line in row)
