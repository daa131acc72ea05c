"""The second reader of PDF files, pypdf: for pages and files with which PDFium fails."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from research.knowledge.readers import LimitReachedError
from research.knowledge.readers.cleaning import clean, join_lines
from research.knowledge.readers.pdf.layout import SENTENCE_END

log = logging.getLogger(__name__)

TAIL = b"\ntrailer << /Size 1 >>\nstartxref\n0\n%%EOF\n"
"""The end of a file, for one that was cut off: with it pypdf looks for the objects itself."""


class SecondReader:
    """Reads single pages; it opens the file when the first is asked for."""

    def __init__(self, path: Path, password: str) -> None:
        self._path = path
        self._password = password
        self._pages: Any = None

    def text(self, index: int) -> str:
        """The text of the page with this index; empty where it cannot be had."""
        try:
            if self._pages is None:
                self._pages = _open(self._path, self._password).pages
            return self._pages[index].extract_text() or ""
        except (LimitReachedError, MemoryError):
            raise
        except Exception:  # pypdf raises whatever a damaged file makes go wrong
            if self._pages is None:
                self._pages = ()
            return ""


def repaired(path: Path, password: str, most_pages: int) -> bytes | None:
    """A whole file out of what can be found of a broken one; None where nothing can."""
    if find_spec("pypdf") is None:
        return None
    data = path.read_bytes()
    for tail in (b"", TAIL):
        try:
            return _written(_open(io.BytesIO(data + tail), password).pages, most_pages)
        except (LimitReachedError, MemoryError):
            raise
        except Exception as error:  # as above
            log.debug("pypdf cannot mend the file: %s", error)
    return None


def paragraphs(text: str) -> Iterator[str]:
    """The paragraphs of a page that comes without the places of its lines."""
    lines = [clean(line) for line in text.split("\n")]
    longest = max(map(len, lines), default=0)
    paragraph = ""
    for line in lines:
        if line:
            paragraph = join_lines(paragraph, line) if paragraph else line
        ended = SENTENCE_END.search(line) is not None and len(line) < 0.85 * longest
        if paragraph and (not line or ended):
            yield paragraph
            paragraph = ""
    if paragraph:
        yield paragraph


def _written(pages: Any, most_pages: int) -> bytes | None:
    from pypdf import PdfWriter

    writer = PdfWriter()
    for index in range(min(len(pages), most_pages)):
        try:
            writer.add_page(pages[index])
        except (LimitReachedError, MemoryError):
            raise
        except Exception:
            writer.add_blank_page(595, 842)  # the pages behind it keep their numbers
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue() if len(writer.pages) else None


def _open(file: Path | io.BytesIO, password: str) -> Any:
    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    return PdfReader(file, strict=False, password=password or None)
