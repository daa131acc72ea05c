"""HTML to paragraphs, lists and tables under their headings: for web pages, e-books and mails.

The tree is walked without recursion, for a page may nest a hundred thousand tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from research.knowledge.readers import Block, Output
from research.knowledge.readers.cleaning import clean
from research.knowledge.readers.grids import MOST_CELLS, MOST_COLUMNS
from research.knowledge.readers.path import HeadingPath
from research.knowledge.readers.table_in_text import send_rows

TEXT = "-text"
NEVER_SEEN = {
    "script", "style", "noscript", "template", "head", "svg", "math", "iframe", "object", "canvas",
    "select", "button", "input", "textarea", "_comment", "-comment",
}  # fmt: skip
AROUND = {"nav", "footer", "aside", "dialog"}
"""What stands around the text of a web page."""
BANNER = re.compile(
    r"cookie[-_]?(?:banner|bar|box|notice|popup|message|law|policy)|consent|gdpr", re.IGNORECASE
)
HIDDEN = re.compile(r"display:\s*none|visibility:\s*hidden", re.IGNORECASE)
HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
LISTS = {"ul", "ol", "dl"}
BLOCKS = {
    "p", "div", "section", "article", "main", "header", "body", "html", "blockquote", "pre",
    "figure", "figcaption", "address", "table", "tbody", "thead", "tfoot", "tr", "td", "th",
    "caption", "hr", "details", "summary", "form", "fieldset", "center", *AROUND, *LISTS, *HEADINGS,
}  # fmt: skip
LINES = {"li", "dt", "dd"}
SPACE = re.compile(r"\s+")
NESTING = re.compile(
    r"<(/?)(?:div|section|article|main|ul|ol|dl|blockquote|center|fieldset|figure|details)\b[^>]*>",
    re.IGNORECASE,
)
DEEPEST = 2_000
"""Blocks within blocks; the time for parsing grows with the square of it."""
MOST_ACROSS = 200
MOST_DOWN = 2_000
"""Columns and rows that one cell may span."""
MOST_HEADERS = 6


@dataclass(frozen=True)
class Piece:
    """A paragraph, a list or a table, under its headings."""

    heading: tuple[str, ...]
    text: str = ""
    rows: tuple[list[str], ...] = ()
    headers: int = 0
    """Rows of a table that are its header."""
    above: str = ""
    """The text before a table."""

    @property
    def parts(self) -> list[str]:
        """Its lines, or its cells."""
        return [cell for row in self.rows for cell in row] or self.text.split("\n")

    @property
    def chars(self) -> int:
        """How much there is to read."""
        return sum(map(len, self.parts))


def send_markup(html: str, output: Output, headings: HeadingPath | None = None) -> None:
    """Send the text and the tables of ``html``, below ``headings``."""
    send_pieces(Walk(html, headings).pieces, output)


def send_pieces(pieces: Iterable[Piece], output: Output) -> None:
    """Send what was found in markup."""
    for piece in pieces:
        if piece.rows:
            send_rows(piece.rows, piece.above, piece.heading, output, headers=piece.headers)
        else:
            output.block(Block(piece.text, heading=piece.heading))


class Walk:
    """What is found on the way through a tree.

    Args:
        html: A page or a part of one.
        headings: Those above it; its own are entered below them.
        is_page: It is a web page, so what stands around the text is left out.
    """

    def __init__(
        self, html: str, headings: HeadingPath | None = None, is_page: bool = False
    ) -> None:
        from selectolax.lexbor import LexborHTMLParser

        self.pieces: list[Piece] = []
        self.deepest = 0
        """Tags within tags."""
        self._headings = headings or HeadingPath()
        self._base = len(self._headings.titles)
        self._is_page = is_page
        self._parts: list[str] = []
        self._above = ""
        self._lists = 0
        self._verbatim = 0
        tree = LexborHTMLParser(_flat(html))
        title = tree.css_first("title")
        self.title = clean(title.text()) if title else ""
        self._layouts = {_around(inner).mem_id for inner in tree.css("table table")}
        if tree.root is not None:
            self._through(tree.root)
            self._flush()

    def _through(self, root: Any) -> None:
        node, entered, depth = root, self._enter(root), 0
        while True:
            if entered and node.child is not None:
                node, depth = node.child, depth + 1
                self.deepest = max(self.deepest, depth)
            else:
                if entered:
                    self._leave(node)
                while depth and node.next is None:
                    node, depth = node.parent, depth - 1
                    self._leave(node)
                if not depth:
                    return
                node = node.next
            entered = self._enter(node)

    def _enter(self, node: Any) -> bool:
        """Whether to go on below ``node``."""
        tag = node.tag
        if tag == TEXT:
            text = node.text_content or ""
            self._parts.append(text if self._verbatim else SPACE.sub(" ", text))
            return False
        if tag in NEVER_SEEN or self._is_left_out(node):
            return False
        if tag == "br":
            self._parts.append("\n")
        elif tag in LINES:
            self._new_line("- " if tag == "li" else "")
        elif tag == "table" and node.mem_id not in self._layouts:
            self._flush()
            rows, headers = tuple(_rows(node)), _headers(node)
            self.pieces.append(
                Piece(self._headings.titles, rows=rows, headers=headers, above=self._above)
            )
            return False
        elif tag in BLOCKS:
            self._begin(tag)
        return True

    def _begin(self, tag: str) -> None:
        if tag not in HEADINGS and self._lists:
            self._new_line("")
        else:
            self._flush()
        self._lists += tag in LISTS
        self._verbatim += tag == "pre"

    def _leave(self, node: Any) -> None:
        tag = node.tag
        self._lists -= tag in LISTS
        self._verbatim -= tag == "pre"
        if tag in HEADINGS:
            if title := clean(SPACE.sub(" ", "".join(self._parts))):
                self._headings.enter(self._base + HEADINGS[tag], title)
                self._above = title
            self._parts.clear()
        elif tag in BLOCKS and not self._lists:
            self._flush()

    def _new_line(self, mark: str) -> None:
        """Begin a line within a list, unless one has just begun with a mark."""
        if mark or (self._parts and not self._parts[-1].endswith("\n- ")):
            self._parts.append(f"\n{mark}")

    def _flush(self) -> None:
        lines = (clean(line) for line in "".join(self._parts).split("\n"))
        text = "\n".join(line for line in lines if line and line != "-")
        self._parts.clear()
        if text:
            self.pieces.append(Piece(self._headings.titles, text))
            self._above = text

    def _is_left_out(self, node: Any) -> bool:
        if self._is_page and node.tag in AROUND:
            return True
        attributes = node.attributes
        if not attributes:
            return False
        if "hidden" in attributes or HIDDEN.search(attributes.get("style") or ""):
            return True
        named = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
        return self._is_page and node.tag not in ("html", "body") and bool(BANNER.search(named))


def _flat(html: str) -> str:
    """``html``, with its blocks one after another where they are nested beyond all reason."""
    depth = deepest = 0
    for match in NESTING.finditer(html):
        depth = max(depth + (-1 if match[1] else 1), 0)
        deepest = max(deepest, depth)
    return NESTING.sub("<p>", html) if deepest > DEEPEST else html


def _around(inner: Any) -> Any:
    """The table that a table stands in, which serves the layout only."""
    node = inner.parent
    while node.tag != "table":
        node = node.parent
    return node


def _rows(table: Any) -> Iterator[list[str]]:
    """The rows of a table. A cell that spans rows is repeated; across columns it stands once."""
    down: dict[int, tuple[int, str]] = {}
    cells = 0
    for row in table.css("tr"):
        line: list[str] = []
        for cell in row.iter():
            if cell.tag not in ("td", "th"):
                continue
            _fill(line, down)
            text = _cell_text(cell)
            across = _span(cell, "colspan", MOST_ACROSS)
            rows = _span(cell, "rowspan", MOST_DOWN)
            for offset in range(min(across, MOST_COLUMNS - len(line))):
                if rows > 1:
                    down[len(line)] = (rows - 1, "" if offset else text)
                line.append("" if offset else text)
        _fill(line, down)
        cells += len(line)
        if cells > MOST_CELLS:
            return
        yield line


def _headers(table: Any) -> int:
    """How many of the first rows are made of nothing but heads of columns."""
    for number, row in enumerate(table.css("tr")[:MOST_HEADERS]):
        if any(cell.tag == "td" for cell in row.iter()) and row.parent.tag != "thead":
            return number
    return 0


def _fill(line: list[str], down: dict[int, tuple[int, str]]) -> None:
    """Put in the cells that reach down from the rows above."""
    while len(line) in down and len(line) < MOST_COLUMNS:
        left, text = down.pop(len(line))
        if left > 1:
            down[len(line)] = (left - 1, text)
        line.append(text)


def _span(cell: Any, name: str, most: int) -> int:
    written = (cell.attributes.get(name) or "1").strip()
    return min(max(int(written), 1), most) if written.isdecimal() and len(written) < 6 else 1


def _cell_text(cell: Any) -> str:
    parts = []
    for node in cell.traverse(include_text=True):
        if node.tag == TEXT and node.parent.tag not in NEVER_SEEN:
            parts.append(node.text_content or "")
        elif node.tag == "br" or node.tag in BLOCKS or node.tag in LINES:
            parts.append(" ")
    return clean(SPACE.sub(" ", "".join(parts)))
