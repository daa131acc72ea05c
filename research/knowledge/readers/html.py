"""Saved web pages: the text without what stands around it, under its headings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path

from research.knowledge.readers import Output
from research.knowledge.readers.cleaning import clean
from research.knowledge.readers.encoding import MARKS, decode
from research.knowledge.readers.markup import Piece, Walk, send_pieces
from research.knowledge.readers.noise import check_noise

DECLARED = re.compile(rb"<(?:meta|\?xml)[^>]+?(?:charset|encoding)\s*=\s*[\"']?([\w:.-]+)", re.I)
MHTML = re.compile(rb"(?:From|MIME-Version|Content-Type|Subject):", re.IGNORECASE)
LONGEST_ARTICLE = 1_000_000
"""Characters; a longer page was exported by a program and has nothing around its text."""
DEEPEST = 200
"""Tags within tags, which no page made for readers reaches."""
ENOUGH = 0.4
"""What is taken for the main text must have this share of all the text there is."""
TELLING = 60
"""So many characters of a line are looked for in the main text."""
INVISIBLE = re.compile(r"[\W_]+")


def read(path: Path, output: Output) -> None:
    """Read the saved web page at ``path``."""
    html = _page(path.read_bytes())
    page = Walk(html, is_page=True)
    check_noise("\n".join(piece.text for piece in page.pieces), output)
    pieces, title = page.pieces, page.title
    if len(html) <= LONGEST_ARTICLE and page.deepest <= DEEPEST:
        article, named, day = _article(html)
        title = named or title
        if day:
            output.date(day)
        main = _main(page.pieces, article)
        if sum(piece.chars for piece in main) >= ENOUGH * sum(piece.chars for piece in pieces):
            pieces = main
    if title:
        output.title(title)
    send_pieces(pieces, output)


def _main(pieces: Sequence[Piece], article: str) -> list[Piece]:
    """The pieces that belong to the main text, complete and in the structure of the page."""
    text = INVISIBLE.sub("", "".join("".join(piece.parts) for piece in Walk(article).pieces))

    def belongs(piece: Piece) -> bool:
        keys = [INVISIBLE.sub("", part)[:TELLING] for part in piece.parts[:50]]
        keys = [key for key in keys if key]
        return 2 * sum(key in text for key in keys) >= len(keys) > 0

    return [piece for piece in pieces if belongs(piece)]


def text_of(data: bytes) -> str:
    """The markup in ``data``, in the encoding that it declares if it declares the right one."""
    declared = DECLARED.search(data[:4096])
    if declared and not data.startswith(tuple(mark for mark, _ in MARKS)):
        name = declared[1].decode("ascii").lower()
        # Pages say GB2312 or Latin-1 and mean what browsers make of it.
        name = {"gb2312": "gb18030", "gbk": "gb18030", "iso-8859-1": "cp1252"}.get(name, name)
        with suppress(LookupError, ValueError):
            return data.decode(name)
    return decode(data)


def _page(data: bytes) -> str:
    """The markup of a page that was saved alone, or with all its parts as one mail (MHTML)."""
    if MHTML.match(data.lstrip()):
        import email
        import email.policy

        for part in email.message_from_bytes(data, policy=email.policy.default).walk():
            if part.get_content_type() == "text/html":
                content = part.get_payload(decode=True)
                return text_of(content) if isinstance(content, bytes) else ""
    return text_of(data)


def _article(html: str) -> tuple[str, str, date | None]:
    """The main text of a page as plain markup, its title and its date."""
    import trafilatura
    from selectolax.lexbor import LexborHTMLParser

    try:
        article = trafilatura.extract(
            html,
            output_format="html",
            with_metadata=True,
            include_comments=False,
            include_formatting=True,
            favor_recall=True,
            date_extraction_params={"extensive_search": False, "original_date": True},
        )
    except (ValueError, TypeError, AttributeError, RecursionError):
        article = None  # it fails on odd markup, which is then read whole
    tree = LexborHTMLParser(article or "")
    said = {
        node.attributes.get("name"): node.attributes.get("content") for node in tree.css("meta")
    }
    return article or "", clean(said.get("title") or ""), _day(said.get("date") or "")


def _day(text: str) -> date | None:
    with suppress(ValueError):
        return date.fromisoformat(text)
    return None
