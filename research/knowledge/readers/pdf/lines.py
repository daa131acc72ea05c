"""The lines of a PDF page and their words, with where they stand and how they are set."""

from __future__ import annotations

import ctypes
import math
import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from research.knowledge.readers.cleaning import clean

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument, PdfPage

BOLD = re.compile("bold|black|heavy|demi", re.IGNORECASE)
LEADERS = re.compile(r"(?: ?[.·…]){5,} ?")
"""The dots between an entry of a table of contents and its page."""
WORD = re.compile("[^ \t\u3000]+")
NOTE_MARK = re.compile(r"[^\W_][)\]%.,;:。，；”\"]*\d{1,2}$")
"""A word that may end in the number of a footnote, as "2025" with a small 3 behind it."""
MOST_BOOKMARKS = 5_000
NOTE_START = re.compile(r"\d{1,2}[^\W\d_]")
"""A footnote's first word, as "Restated" behind a small 3."""
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
LINE_END = re.compile("\r\n|\r|\n|\ufffe")
"""PDFium puts U+FFFE for a hyphen at the end of a line, and takes the line break away."""


@dataclass(frozen=True)
class Word:
    """A word of a line; the number of a footnote behind it is left out."""

    text: str
    left: float
    right: float
    top: float
    bottom: float


@dataclass(frozen=True)
class Line:
    """One line as PDFium saw it; lengths in points, the origin is the page's bottom left."""

    text: str
    left: float
    right: float
    top: float
    bottom: float
    size: float
    """Of the word in the middle, as set on the page: a bullet may be of another size."""
    bold: bool
    hyphen: bool
    """Whether the line ends inside a word."""
    words: tuple[Word, ...] = ()

    def part(self, words: tuple[Word, ...]) -> Line:
        """The line with only these of its words."""
        return replace(
            self,
            text=" ".join(word.text for word in words),
            left=words[0].left,
            right=words[-1].right,
            hyphen=self.hyphen and words[-1] == self.words[-1],
            words=words,
        )


@dataclass(frozen=True)
class PageText:
    """What PDFium reads on a page."""

    lines: tuple[Line, ...]
    """In the order of the file."""
    text: str
    """As PDFium gave it."""
    unmapped: float
    """The share of its characters for which the font does not say which they are."""


def page_text(page: PdfPage) -> PageText:
    """Read the text of ``page``."""
    textpage = page.get_textpage()
    text = textpage.get_text_range()
    lines = []
    start = 0
    for end in [*LINE_END.finditer(text), None]:
        stop = end.start() if end else len(text)
        if text[start:stop].strip():
            hyphen = end is not None and end[0] == "\ufffe"
            if line := _measured(textpage, text[start:stop], start, hyphen):
                lines.append(line)
        start = end.end() if end else stop
    found = PageText(tuple(lines), text, _unmapped(textpage))
    textpage.close()
    return found


def outline_of(document: PdfDocument) -> list[tuple[int, str, int, float | None]]:
    """The outline as (level, title, page index, height on the page or None)."""
    entries = []
    for bookmark in islice(document.get_toc(max_depth=6), MOST_BOOKMARKS):
        destination = bookmark.get_dest()
        page = destination.get_index() if destination else None
        title = clean(bookmark.get_title() or "")
        if page is not None and title:
            mode, numbers = destination.get_view()
            # Modes of section 12.3.2 of the PDF standard: 1 is XYZ, 3 and 7 are FitH and FitBH.
            height = {1: numbers[1:2], 3: numbers[:1], 7: numbers[:1]}.get(mode)
            entries.append((bookmark.level, title, page, height[0] if height else None))
    return entries


def _unmapped(textpage: Any) -> float:
    from pypdfium2 import raw

    count = textpage.count_chars()
    sample = range(0, count, max(1, count // 100))
    wrong = sum(raw.FPDFText_HasUnicodeMapError(textpage, index) == 1 for index in sample)
    return wrong / max(1, len(sample))


def _measured(textpage: Any, text: str, start: int, hyphen: bool) -> Line | None:
    """The line whose ``text`` begins at the index ``start`` of the page's text."""
    raised = ""
    words = []
    firsts = []
    last = at = 0
    for match in WORD.finditer(text):
        first, last = (_char(textpage, start + at) for at in (match.start(), match.end() - 1))
        begin, stop = _note_marks(textpage, match[0], first)
        kept = match[0][begin:stop]
        raised += text[at : match.start()] + match[0][:begin].translate(RAISED)
        raised += kept + match[0][stop:].translate(RAISED)
        at = match.end()
        if content := clean(kept):
            left, right = _box(textpage, first), _box(textpage, last)
            firsts.append(first)
            words.append(Word(content, left.left, right.right, left.top, left.bottom))
    content = LEADERS.sub(" ... ", clean(raised)).strip()
    if not content or not words:
        return None
    return Line(
        text=content,
        left=words[0].left,
        right=words[-1].right,
        top=words[0].top,
        bottom=words[0].bottom,
        size=_size(textpage, firsts[len(firsts) // 2]),
        bold=all(_is_bold(textpage, at) for at in {firsts[0], firsts[len(firsts) // 2], last}),
        hyphen=hyphen,
        words=tuple(words),
    )


def _note_marks(textpage: Any, word: str, first: int) -> tuple[int, int]:
    """Where ``word`` begins and ends without the digits of a footnote that stand above the line."""
    begin, stop = 0, len(word)
    if len(word) > 1 and NOTE_MARK.search(word):
        line = _baseline(textpage, first)
        while stop > 1 and word[stop - 1].isdigit() and _low(textpage, first + stop - 1) > line:
            stop -= 1
    elif NOTE_START.match(word):
        line = _baseline(textpage, first + len(word) - 1)
        while word[begin].isdigit() and _low(textpage, first + begin) > line:
            begin += 1
    return begin, stop


def _baseline(textpage: Any, index: int) -> float:
    """A little above the height on which a character stands."""
    from pypdfium2 import raw

    x, y = ctypes.c_double(), ctypes.c_double()
    raw.FPDFText_GetCharOrigin(textpage, index, x, y)
    return y.value + 0.18 * _size(textpage, index)


def _low(textpage: Any, index: int) -> float:
    """The lowest point of a character."""
    return float(textpage.get_charbox(index)[1])


def _char(textpage: Any, index: int) -> int:
    """The index of a character by its index in the page's text."""
    from pypdfium2 import raw

    return max(0, raw.FPDFText_GetCharIndexFromTextIndex(textpage, index))


def _box(textpage: Any, index: int) -> Any:
    from pypdfium2 import raw

    box = raw.FS_RECTF()
    raw.FPDFText_GetLooseCharBox(textpage, index, box)
    return box


def _size(textpage: Any, index: int) -> float:
    """Of a character as it stands on the page, in points."""
    from pypdfium2 import raw

    matrix = raw.FS_MATRIX()
    raw.FPDFText_GetMatrix(textpage, index, matrix)
    scale = math.hypot(matrix.c, matrix.d) or 1.0
    return round(raw.FPDFText_GetFontSize(textpage, index) * scale, 1)


def _is_bold(textpage: Any, index: int) -> bool:
    from pypdfium2 import raw

    name = ctypes.create_string_buffer(128)
    flags = ctypes.c_int()
    raw.FPDFText_GetFontInfo(textpage, index, name, len(name), flags)
    return bool(BOLD.search(name.value.decode("utf-8", "replace"))) or (
        raw.FPDFText_GetFontWeight(textpage, index) >= 650
    )
