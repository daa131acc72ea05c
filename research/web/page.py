"""Reading a web page: what it is called and what it says, without the page around it."""

from __future__ import annotations

import asyncio
import codecs
import hashlib
import re
import unicodedata
from dataclasses import dataclass

from research.errors import WebError
from research.web.guard import Fetched, Guard

MAX_CHARACTERS = 60_000
PARSE_SECONDS = 15.0
TITLE_CHARACTERS = 300

_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w:-]{2,30})", re.IGNORECASE)
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n ?(?:\n ?)+")
_FURNITURE = "script, style, noscript, template, nav, header, footer, aside, form, svg, iframe"
_GUARD = Guard()


@dataclass(frozen=True)
class Page:
    """A page as it was read."""

    url: str
    """Where it was found in the end, after redirects."""
    title: str
    text: str
    """The main text, at most 60,000 characters."""
    fetched_at: float
    """Unix seconds."""
    sha256: str
    """Of the bytes that came."""


async def read_page(url: str, guard: Guard = _GUARD) -> Page:
    """Fetch and read the page at ``url``.

    Args:
        url: Its address.
        guard: The way out.

    Raises:
        ForbiddenAddressError: The address is not a public one.
        WebError: It could not be fetched, or holds no text.
    """
    fetched = await guard.fetch(url)
    host = fetched.url.split("/")[2]
    if fetched.content_type == "application/pdf":
        raise WebError("web.page_pdf", host=host)
    try:
        async with asyncio.timeout(PARSE_SECONDS):
            title, text = await asyncio.to_thread(_read, fetched)
    except TimeoutError:
        raise WebError("web.page_unreadable", host=host) from None
    if not text:
        raise WebError("web.page_unreadable", host=host)
    return Page(
        url=fetched.url,
        title=title,
        text=text,
        fetched_at=fetched.fetched_at,
        sha256=hashlib.sha256(fetched.body).hexdigest(),
    )


def clean(text: str, limit: int = MAX_CHARACTERS) -> str:
    """``text`` without control and invisible characters, lone surrogates and needless space.

    It is put into the composed form (NFC) and no further: the compatibility form would turn 10²
    into 102, and a quotation has to stay what the source says.
    """
    kept = "".join(
        char
        for char in unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n"))
        if char in "\n\t" or unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn")
    )
    return _LINES.sub("\n\n", _SPACES.sub(" ", kept)).strip()[:limit].strip()


def _read(fetched: Fetched) -> tuple[str, str]:
    """Title and main text."""
    markup = _decode(fetched.body, fetched.charset)
    if fetched.content_type not in ("text/html", "application/xhtml+xml"):
        return "", clean(markup)
    title, text = _main_text(markup)
    if not text:
        plain_title, text = _all_text(markup)
        title = title or plain_title
    return clean(title, TITLE_CHARACTERS).replace("\n", " "), clean(text)


def _decode(body: bytes, charset: str | None) -> str:
    """The text, in the encoding that the server, the page or its bytes name."""
    for mark, name in _MARKS.items():
        if body.startswith(mark):
            return body.decode(name, "replace")
    found = _META_CHARSET.search(body[:4096])
    named = found[1].decode("ascii") if found else None
    for encoding in (charset, named, "utf-8"):
        try:
            if encoding:
                # What pages call GB2312 is read by browsers as the larger GB18030.
                return body.decode("gb18030" if encoding.lower() in ("gb2312", "gbk") else encoding)
        except (LookupError, UnicodeDecodeError):
            continue
    import chardet

    guess = chardet.detect(body[:200_000])["encoding"] or "utf-8"
    return body.decode(guess, "replace")


def _main_text(markup: str) -> tuple[str, str]:
    import trafilatura

    try:
        found = trafilatura.bare_extraction(
            markup, include_comments=False, include_tables=True, with_metadata=True
        )
    except Exception:  # it raises whatever its parsers do on pages that are no pages
        return "", ""
    if found is None or isinstance(found, dict):
        return "", ""
    return found.title or "", found.text or ""


def _all_text(markup: str) -> tuple[str, str]:
    """Everything a reader sees, for pages in which no main text is found."""
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(markup)
    title = tree.css_first("title")
    name = title.text() if title else ""
    for node in tree.css(_FURNITURE):
        node.decompose()
    return name, tree.body.text(separator="\n", strip=True) if tree.body else ""
