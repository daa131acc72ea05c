from __future__ import annotations

from pathlib import Path

import pytest

from research.errors import DocumentError
from tests.knowledge import making
from tests.knowledge.making_formats import book

CHAPTERS = {
    "one.xhtml": "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><head>"
    "<title>x</title></head><body><h1>Rain</h1><p>It rained in April.</p>"
    "<h2>March</h2><p>March was dry.</p></body></html>",
    "a two.xhtml": "<html><body><p>没有标题的一章。</p></body></html>",
}


def test_chapters_are_read_in_the_order_of_the_book_under_their_headings(tmp_path: Path) -> None:
    reading = making.read(tmp_path, "book.epub", book(CHAPTERS))
    assert (reading.kind, reading.title, reading.date) == ("epub", "The Reservoir", "2024-05-06")
    assert [(block.heading, block.text) for block in reading.blocks] == [
        (("Rain",), "It rained in April."),
        (("Rain", "March"), "March was dry."),
        (("Part 2",), "没有标题的一章。"),
    ]


def encryption(method: str) -> dict[str, str]:
    return {
        "META-INF/encryption.xml": "<encryption xmlns='urn:oasis:names:tc:opendocument:xmlns:"
        f"container'><EncryptedData><EncryptionMethod Algorithm='{method}'/></EncryptedData>"
        "</encryption>"
    }


def test_a_book_under_copy_protection_is_refused_and_one_with_covered_fonts_is_not(
    tmp_path: Path,
) -> None:
    fonts = book(CHAPTERS, encryption("http://www.idpf.org/2008/embedding"))
    assert making.read(tmp_path, "fonts.epub", fonts).blocks
    with pytest.raises(DocumentError) as caught:
        locked = book(CHAPTERS, encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc"))
        making.read(tmp_path, "locked.epub", locked)
    assert caught.value.key == "readers.protected_book"


def test_a_chapter_that_is_missing_costs_that_chapter_only(tmp_path: Path) -> None:
    data = book({"gone.xhtml": "", **CHAPTERS}).replace(b"gone.xhtml", b"GONE.xhtml")
    assert making.read(tmp_path, "book.epub", data).blocks[0].text == "It rained in April."
