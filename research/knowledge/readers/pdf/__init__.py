"""PDF: text and tables by PDFium, page by page; what it garbles is read another way or named."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from research.knowledge.readers import (
    LimitReachedError,
    Output,
    PasswordNeededError,
    UnreadableError,
)
from research.knowledge.readers.cleaning import clean
from research.knowledge.readers.ocr import MOST_PAGES as MOST_PICTURES
from research.knowledge.readers.ocr import SECONDS, engine_installed
from research.knowledge.readers.pdf.dates import property_day, stated_day, stated_version
from research.knowledge.readers.pdf.headings import Headings, OutlineHeadings, StyleHeadings
from research.knowledge.readers.pdf.layout import Layout
from research.knowledge.readers.pdf.lines import Line, PageText, outline_of, page_text
from research.knowledge.readers.pdf.pages import Pages
from research.knowledge.readers.pdf.quality import FEWEST, fault
from research.knowledge.readers.pdf.rulings import Rulings, rulings_of
from research.knowledge.readers.pdf.scans import is_picture, recognised
from research.knowledge.readers.pdf.second import SecondReader, paragraphs, repaired

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

MOST_PAGES = 2000
SAMPLE = 16
"""Pages on which the layout is measured."""
TITLE_PAGES = 2
"""On which a version may stand."""
NO_TITLE = re.compile(
    r"^$|untitled|^microsoft word|\.(docx?|pptx?|xlsx?|indd|tex|dvi|pdf)$", re.IGNORECASE
)
NOTHING = Rulings((), ())

Outcome = Literal["read", "recognised", "blank", "scanned", "garbled", "broken", "left"]
"""What became of a page."""


def read(path: Path, output: Output) -> None:
    """Read the PDF file at ``path``."""
    document, mended = _open(path, output.password)
    total = len(document)
    count = min(total, MOST_PAGES)
    output.pages(total)
    if mended:
        output.warn("readers.pdf_repaired")
    _Reader(document, count, path, output).read()
    if count < total:
        raise LimitReachedError("size")


class _Reader:
    """Reads one document."""

    def __init__(self, document: PdfDocument, count: int, path: Path, output: Output) -> None:
        self._document = document
        self._count = count
        self._output = output
        self._second = SecondReader(path, output.password)
        self._sample = {index: self._text(index) for index in _spread(count)}
        sound = [
            text.lines
            for _, text in sorted(self._sample.items())
            if text and fault(text.text, text.unmapped) is None
        ]
        self._layout = Layout.measure(sound)
        body = [self._layout.body(lines) for lines in sound]
        self._pages = Pages(self._layout, self._headings(body), output)
        self._outcomes: dict[int, Outcome] = {}
        self._front: list[Line] = []

    def read(self) -> None:
        """Send all pages, then what is to be said about them.

        Raises:
            UnreadableError: No page could be read.
        """
        for index in range(self._count):
            self._outcomes[index] = self._read_page(index)
            if index + 1 == min(TITLE_PAGES, self._count):
                self._tell_front()
            self._output.progress(index + 1, self._count)
        self._pages.end()
        self._tell_outcomes()

    def _read_page(self, index: int) -> Outcome:
        text = self._sample.pop(index, None) or self._text(index)
        if text is None:
            return self._read_second(index) or "broken"
        wrong = fault(text.text, text.unmapped)
        page = self._document[index]
        short = sum(len(line.text) for line in text.lines) < FEWEST
        if wrong is None and not (short and is_picture(page)):
            self._send(index, text.lines, rulings_of(page))
            return "read"
        if wrong == "garbled" and self._read_second(index):
            return "read"
        if wrong == "empty" and not is_picture(page):
            return "blank"
        return self._recognise(index, page, text.lines if wrong is None else (), wrong == "garbled")

    def _recognise(
        self, index: int, page: PdfPage, lines: Sequence[Line], garbled: bool
    ) -> Outcome:
        """Read the picture of a page; ``lines`` are what little text it has beside it."""
        done = sum(outcome == "recognised" for outcome in self._outcomes.values())
        if engine_installed() and done < MOST_PICTURES:
            self._output.more_time(SECONDS)
            seen = recognised(page, self._layout.size)
            if sum(len(line.text) for line in seen) > sum(len(line.text) for line in lines):
                self._send(index, seen, NOTHING)
                return "recognised"
        if lines:
            self._send(index, lines, NOTHING)
            return "read"
        if engine_installed() and done >= MOST_PICTURES:
            return "left"
        return "garbled" if garbled else "scanned"

    def _read_second(self, index: int) -> Outcome | None:
        text = self._second.text(index)
        if fault(text) is not None:
            return None
        self._pages.send_text(index, list(paragraphs(text)))
        return "read"

    def _send(self, index: int, lines: Sequence[Line], rulings: Rulings) -> None:
        if index < TITLE_PAGES:
            self._front += lines
        self._pages.send(index, self._layout.body(lines), rulings)

    def _text(self, index: int) -> PageText | None:
        from pypdfium2 import PdfiumError

        try:
            return page_text(self._document[index])
        except PdfiumError:
            return None

    def _headings(self, pages: Sequence[Sequence[Line]]) -> Headings:
        outline = outline_of(self._document)
        if len(outline) >= max(2, self._count // 20):
            return OutlineHeadings(outline)
        return StyleHeadings(pages, self._layout.size)

    def _tell_front(self) -> None:
        """Say what the properties and the first pages tell of the whole document."""
        properties = self._document.get_metadata_dict()
        title = clean(properties.get("Title", ""))
        if NO_TITLE.search(title):
            title = _largest(self._front, self._layout.size)
        if title:
            self._output.title(title)
        texts = [line.text for line in self._front]
        day = stated_day("\n".join(texts)) or property_day(
            properties.get("CreationDate", ""), properties.get("ModDate", "")
        )
        if day is not None:
            self._output.date(day)
        if version := stated_version(texts):
            self._output.version(version)

    def _tell_outcomes(self) -> None:
        by_outcome: dict[Outcome, list[int]] = {}
        for index, outcome in sorted(self._outcomes.items()):
            by_outcome.setdefault(outcome, []).append(index + 1)
        engine = "" if engine_installed() else "_no_engine"
        keys: dict[Outcome, str] = {
            "recognised": "readers.pages_recognised",
            "scanned": f"readers.pages_scanned{engine}",
            "garbled": f"readers.pages_garbled{engine}",
            "broken": "readers.pages_broken",
            "left": "readers.pages_left",
        }
        if not {"read", "recognised"} & by_outcome.keys():
            worst = Counter(o for o in self._outcomes.values() if o != "blank").most_common(1)
            if worst:
                raise UnreadableError(keys[worst[0][0]].replace("pages", "all_pages"))
        for outcome, key in keys.items():
            if outcome in by_outcome:
                self._output.warn(key, pages=_ranges(by_outcome[outcome]))


def _open(path: Path, password: str) -> tuple[PdfDocument, bool]:
    """The document, and whether it had to be mended."""
    from pypdfium2 import PdfDocument, PdfiumError, raw

    try:
        document = PdfDocument(path, password=password or None)
        if len(document):
            return document, False
    except PdfiumError as error:
        if error.err_code in (raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY):
            raise PasswordNeededError from error
    data = repaired(path, password, MOST_PAGES)
    if data is None:
        raise UnreadableError("knowledge.damaged")
    try:
        return PdfDocument(data), True
    except PdfiumError as error:
        raise UnreadableError("knowledge.damaged") from error


def _spread(count: int) -> list[int]:
    """At most :data:`SAMPLE` page indices, spread over the document."""
    if count <= SAMPLE:
        return list(range(count))
    return sorted({round(at * (count - 1) / (SAMPLE - 1)) for at in range(SAMPLE)})


def _largest(lines: Sequence[Line], size: float) -> str:
    """The title on the front page: what is set much larger than running text."""
    largest = max((line.size for line in lines), default=0.0)
    title = [line.text for line in lines if line.size == largest]
    text = " ".join(title)
    return text if largest > 1.4 * size and len(title) <= 3 and 4 <= len(text) <= 150 else ""


def _ranges(numbers: Sequence[int]) -> str:
    """``[1, 2, 3, 7]`` as ``1-3, 7``."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return ", ".join(f"{p[0]}-{p[-1]}" if len(p) > 1 else str(p[0]) for p in parts)
