"""Slide decks: the text of each slide in reading order, its tables, charts and notes.

A slide made of the boxes of its layout is read in their order; boxes that were placed freely are
read as they are seen, from top to bottom and from left to right.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from research.i18n import language_of, text
from research.knowledge.readers import Block, Output, UnreadableError
from research.knowledge.readers.archive import check_archive
from research.knowledge.readers.charts import chart_table
from research.knowledge.readers.cleaning import clean
from research.knowledge.readers.office import send_properties
from research.knowledge.readers.table_in_text import send_rows

A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
FURNITURE = {"dt", "ftr", "sldNum", "hdr"}
"""Boxes for the date, the footer and the number of the slide."""
TITLES = {"title", "ctrTitle"}
LINE = 200_000
"""Boxes whose tops are less apart than this, in EMU (0.55 cm), stand beside each other."""
BROKEN = (KeyError, ValueError, AttributeError, TypeError, NotImplementedError, IndexError)
"""What python-pptx raises on parts it does not know, or does not find."""


def read(path: Path, output: Output) -> None:
    """Read the deck at ``path``."""
    check_archive(path)
    from pptx.exc import PythonPptxError
    from pptx.package import Package

    try:
        with path.open("rb") as file:
            deck = Package.open(file).main_document_part.presentation
        slides = list(deck.slides)
    except (PythonPptxError, *BROKEN) as error:
        raise UnreadableError("knowledge.damaged") from error
    send_properties(deck.core_properties, output)
    output.pages(len(slides))
    hidden: list[int] = []
    pictures: list[int] = []
    for number, slide in enumerate(slides, start=1):
        if slide.element.get("show") in ("0", "false"):
            hidden.append(number)
        elif not _Slide(slide, number, output).send() and any(slide.element.iter(f"{P}pic")):
            pictures.append(number)
        output.progress(number, len(slides))
    if hidden:
        output.warn("readers.hidden_slides", slides=", ".join(map(str, hidden)))
    if pictures:
        output.warn("readers.picture_slides", slides=", ".join(map(str, pictures)))


class _Slide:
    """One slide on its way to the output."""

    def __init__(self, slide: Any, number: int, output: Output) -> None:
        self._slide = slide
        self._number = number
        self._output = output
        self._above = ""
        self._sent = False
        title = next((s for s in slide.shapes if _role(s.element) in TITLES), None)
        words = " ".join(_paragraphs(title.element)) if title is not None else ""
        self._heading = (words,) if words else ()

    def send(self) -> bool:
        """Send all that is on the slide, and say whether there was anything."""
        for shape in _in_order(list(self._slide.shapes)):
            if _role(shape.element) not in TITLES | FURNITURE:
                self._shape(shape)
        # Newer kinds of shapes, which python-pptx passes over, bring a form that older ones know.
        for choice in self._slide.shapes.element.iter(f"{MC}Choice"):
            self._text(_paragraphs(choice))
        if self._heading and not self._sent:
            self._text(self._heading)  # a slide with a title only
        self._notes()
        return self._sent

    def _shape(self, shape: Any) -> None:
        if shape.element.tag == f"{P}grpSp":
            for inner in _in_order(list(shape.shapes)):
                self._shape(inner)
        elif getattr(shape, "has_table", False):
            self._table(shape.table)
        elif getattr(shape, "has_chart", False):
            self._chart(shape)
        elif shape.element.tag == f"{P}graphicFrame":
            self._text(self._diagram(shape.element))
        else:
            self._text(_paragraphs(shape.element))

    def _text(self, paragraphs: Sequence[str], heading: tuple[str, ...] = ()) -> None:
        if words := "\n".join(paragraphs):
            self._output.block(Block(words, slide=self._number, heading=self._heading + heading))
            self._above = words
            self._sent = True

    def _table(self, table: Any) -> None:
        rows: list[list[str]] = []
        for row in table.rows:
            cells: list[str] = []
            for index, cell in enumerate(row.cells):
                merged = cell._tc.get("vMerge") in ("1", "true") and rows
                words = " ".join(_paragraphs(cell._tc))
                cells.append(rows[-1][index] if merged and index < len(rows[-1]) else words)
            rows.append(cells)
        self._rows(rows, self._above)

    def _chart(self, shape: Any) -> None:
        try:
            title, rows = chart_table(shape.chart)
        except BROKEN:  # its data are not in the file, or of a kind that is not known
            self._output.warn("readers.chart_unread", slide=self._number)
            return
        self._rows(rows, title or self._above)

    def _rows(self, rows: Sequence[Sequence[str]], above: str) -> None:
        send_rows(rows, above, self._heading, self._output, slide=self._number)
        self._sent = self._sent or any(map(any, rows))

    def _diagram(self, frame: Any) -> list[str]:
        """The text of a SmartArt graphic, which is kept in a part of its own."""
        relation = next(frame.iter(f"{DIAGRAM}relIds"), None)
        if relation is None:
            return _paragraphs(frame)
        from lxml import etree

        try:
            part = self._slide.part.related_part(relation.get(f"{RELATION}dm"))
            parser = etree.XMLParser(resolve_entities=False, no_network=True)
            return _paragraphs(etree.fromstring(part.blob, parser))
        except (etree.XMLSyntaxError, *BROKEN):
            return []

    def _notes(self) -> None:
        if not self._slide.has_notes_slide:
            return
        try:
            frame = self._slide.notes_slide.notes_text_frame
        except BROKEN:
            return
        words = _paragraphs(frame._txBody) if frame is not None else []
        if words:
            self._text(words, (text("readers.notes", language_of(" ".join(words))),))


def _in_order(shapes: list[Any]) -> list[Any]:
    """Shapes in the order they are read in."""
    content = [shape for shape in shapes if _role(shape.element) not in TITLES | FURNITURE]
    if all(_role(shape.element) for shape in content):
        return content
    placed = [(shape.top or 0, shape.left or 0, shape) for shape in content]
    placed.sort(key=lambda place: place[:2])
    lines: list[list[tuple[int, int, Any]]] = []
    for place in placed:
        if lines and place[0] - lines[-1][0][0] < LINE:
            lines[-1].append(place)
        else:
            lines.append([place])
    return [shape for line in lines for _, _, shape in sorted(line, key=lambda place: place[1])]


def _role(element: Any) -> str:
    """What box of the layout a shape fills: ``title``, ``body``, ...; empty for a free one."""
    box = next(element.iterfind(f"./*/{P}nvPr/{P}ph"), None)
    return "" if box is None else box.get("type", "body")


def _paragraphs(element: Any) -> list[str]:
    """The paragraphs of text anywhere below ``element``."""
    return [words for paragraph in element.iter(f"{A}p") for words in _lines(paragraph)]


def _lines(paragraph: Any) -> Iterator[str]:
    parts = [
        "\n" if node.tag == f"{A}br" else node.text or ""
        for node in paragraph.iter(f"{A}t", f"{A}br")
    ]
    yield from filter(None, map(clean, "".join(parts).replace("\v", "\n").split("\n")))
