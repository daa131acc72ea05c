"""E-books: the chapters in the order of the book, under their headings."""

from __future__ import annotations

import posixpath
import re
import zipfile
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from research.knowledge.readers import Output, UnreadableError
from research.knowledge.readers.archive import BROKEN, check_archive
from research.knowledge.readers.cleaning import clean
from research.knowledge.readers.html import text_of
from research.knowledge.readers.markup import Walk, send_pieces
from research.knowledge.readers.path import HeadingPath

CONTAINER = "META-INF/container.xml"
ENCRYPTION = "META-INF/encryption.xml"
FONTS_ONLY = re.compile(r"ns\.adobe\.com/pdf/enc#RC|idpf\.org/2008/embedding")
"""Ways of encryption that keep fonts from being copied, and leave the text alone."""


def read(path: Path, output: Output) -> None:
    """Read the e-book at ``path``."""
    check_archive(path)
    try:
        with zipfile.ZipFile(path) as archive:
            _read_book(archive, output)
    except BROKEN as error:
        raise UnreadableError("knowledge.damaged") from error


def _read_book(archive: zipfile.ZipFile, output: Output) -> None:
    _check_protection(archive)
    names = set(archive.namelist())
    where = _xml(archive, CONTAINER).find(".//{*}rootfile")
    package = where.get("full-path", "") if where is not None else ""
    book = _xml(archive, package)
    _send_metadata(book, output)
    files = _files(book, package)
    chapters = [files[ref] for ref in _spine(book) if files.get(ref) in names]
    titles = _contents(archive, [file for file in files.values() if file in names])
    for number, chapter in enumerate(chapters, start=1):
        html = text_of(archive.read(chapter))
        headings = HeadingPath()
        walk = Walk(html, headings)
        if walk.pieces and not walk.pieces[0].heading and chapter in titles:
            headings = HeadingPath()
            headings.enter(0, titles[chapter])
            walk = Walk(html, headings)
        send_pieces(walk.pieces, output)
        output.progress(number, len(chapters))


def _check_protection(archive: zipfile.ZipFile) -> None:
    if ENCRYPTION not in archive.namelist():
        return
    methods = _xml(archive, ENCRYPTION).iterfind(".//{*}EncryptionMethod")
    if any(not FONTS_ONLY.search(method.get("Algorithm", "")) for method in methods):
        raise UnreadableError("readers.protected_book")


def _send_metadata(book: Any, output: Output) -> None:
    title = book.find(".//{http://purl.org/dc/elements/1.1/}title")
    if title is not None and clean("".join(title.itertext())):
        output.title(clean("".join(title.itertext())))
    for node in book.iterfind(".//{http://purl.org/dc/elements/1.1/}date"):
        with suppress(ValueError):
            output.date(date.fromisoformat((node.text or "").strip()[:10]))
            return


def _files(book: Any, package: str) -> dict[str, str]:
    """The files of the book by their ids."""
    return {
        item.get("id", ""): _resolved(package, item.get("href", ""))
        for item in book.iterfind(".//{*}manifest/{*}item")
        if item.get("properties") != "nav"
    }


def _spine(book: Any) -> list[str]:
    """The ids of its chapters in reading order, none twice."""
    order = (item.get("idref", "") for item in book.iterfind(".//{*}spine/{*}itemref"))
    return list(dict.fromkeys(order))


def _contents(archive: zipfile.ZipFile, files: list[str]) -> dict[str, str]:
    """The title that the table of contents (NCX) gives each file."""
    titles: dict[str, str] = {}
    for file in files:
        if not file.endswith(".ncx"):
            continue
        for point in _xml(archive, file).iterfind(".//{*}navPoint"):
            label, content = point.find("{*}navLabel/{*}text"), point.find("{*}content")
            if label is not None and content is not None:
                chapter = _resolved(file, content.get("src", ""))
                titles.setdefault(chapter, clean(label.text or "") or chapter)
    return titles


def _resolved(base: str, href: str) -> str:
    return posixpath.normpath(
        posixpath.join(posixpath.dirname(base), unquote(href.partition("#")[0]))
    )


def _xml(archive: zipfile.ZipFile, entry: str) -> Any:
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    try:
        root = etree.fromstring(archive.read(entry), parser)
    except (KeyError, etree.XMLSyntaxError) as error:
        raise UnreadableError("knowledge.damaged") from error
    if root is None:
        raise UnreadableError("knowledge.damaged")
    return root
