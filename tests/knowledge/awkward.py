"""Makes a folder of files that go wrong: each should cost itself at most, and say why."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import Any

from PIL import Image

from tests.knowledge import making, making_formats
from tests.knowledge.conftest import REPORT

CHINESE = "水库的水位在三月下降，四月的降雨使水位回升。\n\n" * 4
JAPANESE = "当社の売上高は前年比12％増の860億円となりました。\n\n" * 4
FRENCH = "Le résumé de l'année a été très négatif à cause de la grêle.\n\n" * 4
ENTITIES = (
    '<!DOCTYPE bomb [<!ENTITY a "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa">'
    + "".join(
        f'<!ENTITY {name} "{f"&{below};" * 20}">'
        for below, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]>"
)
LOOP = b"""%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 100000000>>endobj
3 0 obj<</Type/Pages/Parent 2 0 R/Kids[2 0 R 3 0 R 2 0 R 3 0 R]/Count 100000000>>endobj
trailer<</Root 1 0 R/Size 4>>
"""
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def good_files() -> dict[str, bytes]:
    """Files that are in order, for the same folder."""
    return {
        "good.pdf": REPORT.read_bytes(),
        "good.docx": _document(),
        "good.xlsx": _workbook(),
        "good.csv": b"city,people\nBern,134\nUlm,129\n",
        "good.html": making_formats.PAGE.encode(),
        "good.pptx": _deck(),
        "good.eml": making_formats.mail("The visit is on Monday."),
        "good.epub": making_formats.book({"a.xhtml": "<h1>Rain</h1><p>It rained.</p>"}),
        "good.json": b'[{"city": "Bern", "people": 134}, {"city": "Ulm", "people": 129}]',
        "good.md": b"# Notes\n\nAll is well.",
    }


READ = "read"
ANY = "either"
"""Passages or a sentence: that is for the reader to say."""

AWKWARD: dict[str, tuple[Callable[[], bytes], str]] = {
    # encodings
    "gb18030.txt": (lambda: CHINESE.encode("gb18030"), READ),
    "big5.txt": (lambda: "水庫的水位在三月下降，四月回升。\n\n".encode("big5") * 5, READ),
    "shift-jis.txt": (lambda: JAPANESE.encode("shift-jis"), READ),
    "utf-16.txt": (lambda: CHINESE.encode("utf-16"), READ),
    "utf-16-le without mark.txt": (lambda: CHINESE.encode("utf-16-le"), READ),
    "utf-16-be without mark.csv": (lambda: "城市,人口\n伯尔尼,134\n".encode("utf-16-be"), READ),
    "latin-1.txt": (lambda: FRENCH.encode("latin-1"), READ),
    "utf-8 with bad bytes.txt": (lambda: CHINESE.encode() * 3 + b"\xff\xfe" + b"end", READ),
    "broken before it was saved.txt": (
        lambda: CHINESE.encode().decode("latin-1").encode(), "readers.all_noise",
    ),
    "with NULs.csv": (lambda: b"city,people\nBe\x00rn,134\nUlm,129\n" * 20, READ),
    # named wrongly
    "a pdf.docx": (REPORT.read_bytes, READ),
    "a table.dat": (lambda: "地区;收入\n华东;31\n华南;20\n".encode("gb18030"), READ),
    "a page.xls": (lambda: b"<table><tr><th>a<th>b<tr><td>1<td>2</table>", READ),
    "no ending": (lambda: b"Just words.", READ),
    "\u202e\u6587\u4ef6 \u2028%s {0} 'x' <b>.txt": (lambda: b"A name with odd characters.", READ),
    "long name " * 40 + ".txt": (lambda: b"A very long name.", READ),
    # empty, cut off, damaged
    "empty.pdf": (lambda: b"", "knowledge.empty_file"),
    "nothing but blanks.txt": (lambda: b" \n\t\n" * 100, "knowledge.empty_file"),
    "cut.pdf": (lambda: REPORT.read_bytes()[:30_000], ANY),
    "cut.docx": (lambda: _document()[:-900], "knowledge.damaged"),
    "cut.xlsx": (lambda: _workbook()[:-900], "knowledge.damaged"),
    "cut.epub": (lambda: making_formats.book({"a.xhtml": "x"})[:-90], "knowledge.damaged"),
    "cut.json": (lambda: b'{"rows": [{"a": 1, "b": 2}, {"a": 2, "b": 3}, {"a"', READ),
    "broken lines.jsonl": (lambda: b'{"a": 1}\n{"a": 2}\n{"a\n' * 9, READ),
    "broken xref.pdf": (lambda: REPORT.read_bytes().replace(b"startxref", b"startxxxx"), READ),
    "flipped bytes.docx": (lambda: _flipped(_document()), ANY),
    "flipped bytes.xlsx": (lambda: _flipped(_workbook()), ANY),
    "flipped bytes.pptx": (lambda: _flipped(_deck()), ANY),
    "cut old.xls": (lambda: making_formats.old_workbook([["a", "b"]] * 9)[:3000], ANY),
    "no document inside.docx": (
        lambda: _without(_document(), "word/document.xml"), "knowledge.damaged",
    ),
    "no sheet inside.xlsx": (lambda: _without(_workbook(), "xl/worksheets/sheet1.xml"), ANY),
    "no slide inside.pptx": (lambda: _without(_deck(), "ppt/slides/slide1.xml"), ANY),
    # locked
    "locked.pdf": (lambda: making.encrypted(REPORT.read_bytes()), "knowledge.encrypted"),
    "locked.xlsx": (lambda: making_formats.locked(_workbook()), "knowledge.encrypted"),
    "locked.docx": (lambda: making_formats.locked(_document()), "knowledge.encrypted"),
    # bombs
    "bomb.xlsx": (making.zip_bomb, "knowledge.unpacks_too_large"),
    "many rows.xlsx": (lambda: many_rows(10_000_000), "knowledge.unpacks_too_large"),
    "zips in zips.zip": (lambda: _nested_zips(4), "readers.archive"),
    "many entries.docx": (
        lambda: making_formats.archive({f"{number}": b"" for number in range(25_000)}), ANY,
    ),
    "entities.docx": (lambda: _entities(_document(), "word/document.xml"), "readers.entities"),
    "entities.xlsx": (
        lambda: _entities(_workbook(), "xl/worksheets/sheet1.xml"), "readers.entities",
    ),
    "entities.pptx": (lambda: _entities(_deck(), "ppt/slides/slide1.xml"), "readers.entities"),
    "entities.epub": (
        lambda: making_formats.book({"a.xhtml": f"{ENTITIES}<p>&i;</p>"}), "readers.entities",
    ),
    "entities.html": (
        lambda: b"<html>" + ENTITIES.encode() + b"<body><p>Words.</p><svg>&i;</svg>", READ,
    ),
    "entities.svg": (lambda: b"<?xml version='1.0'?>" + ENTITIES.encode() + b"<svg>&i;</svg>", ANY),
    "picture.png": (lambda: _picture(20_000), ANY),
    "picture.tiff": (lambda: b"II*\x00" + bytes(500), ANY),
    # without end
    "far cell.xlsx": (making.far_cell, READ),
    "endless pages.pdf": (lambda: LOOP, ANY),
    "nested tags.html": (lambda: b"<html><body>" + b"<div>" * 100_000 + b"words", READ),
    "nested tables.html": (lambda: b"<table><tr><td>" * 30_000 + b"words", READ),
    "nested.json": (lambda: b"[" * 100_000 + b"]" * 100_000, "readers.nested_too_deeply"),
    "nested quotes.md": (lambda: b">" * 100_000 + b" words", ANY),
    "nested lists.md": (lambda: "".join(f"{' ' * n}- x\n" for n in range(3000)).encode(), ANY),
    "nested parts.eml": (lambda: _nested_mail(2000), ANY),
    "one line.csv": (lambda: b"city,people\n" + b"x" * 20_000_000, ANY),
    "one cell.csv": (lambda: b'city,people\n"' + b"x,\n" * 3_000_000, ANY),
    "many columns.csv": (lambda: (b"1," * 50_000 + b"\n") * 3, READ),
    "one word.txt": (lambda: b"x" * 500_000, ANY),
    "many attachments.eml": (
        lambda: making_formats.mail("See.", attachments={f"{n}.txt": b"a" for n in range(1000)}),
        READ,
    ),
    "spans.html": (
        lambda: b"<table>" + b"<tr><td colspan=99999 rowspan=99999>x</td></tr>" * 500, ANY,
    ),
    "nested groups.pptx": (lambda: _nested_groups(400), ANY),
    # not readable at all
    "junk.pdf": (lambda: bytes(range(256)) * 50, "knowledge.not_what_it_says"),
    "junk.bin": (lambda: bytes(range(256)) * 50, "knowledge.unknown_format"),
    "old.doc": (lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(9000), "knowledge.damaged"),
    "rich.rtf": (lambda: b"{\\rtf1 words}", "readers.save_as_docx"),
}  # fmt: skip


def many_rows(count: int) -> bytes:
    """A workbook with so many rows on one sheet, which is never held in memory.

    A block of rows is compressed once and repeated: flushed fully, it stands for itself.
    """
    rows = b"<row><c><v>1</v></c></row>" * 10_000
    head = f'<worksheet xmlns="{SHEET}"><sheetData>'.encode()
    tail = b"</sheetData></worksheet>"
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed_head = packer.compress(head) + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(rows) + packer.flush(zlib.Z_FULL_FLUSH)
    repeats = count // 10_000
    packed = packed_head + block * repeats + packer.compress(tail) + packer.flush()
    checksum = zlib.crc32(head)
    for _ in range(repeats):
        checksum = zlib.crc32(rows, checksum)
    size = len(head) + len(rows) * repeats + len(tail)
    return _stored_as_packed(
        _without(_workbook(), "xl/worksheets/sheet1.xml"),
        "xl/worksheets/sheet1.xml", packed, size, zlib.crc32(tail, checksum),
    )  # fmt: skip


def _stored_as_packed(data: bytes, name: str, packed: bytes, size: int, checksum: int) -> bytes:
    """An archive with one more entry, which is packed already."""
    file = io.BytesIO(data)
    with zipfile.ZipFile(file, "a") as archive:
        archive.writestr(zipfile.ZipInfo(name), packed)
        entry = archive.getinfo(name)
        entry.compress_type, entry.file_size, entry.CRC = zipfile.ZIP_DEFLATED, size, checksum
        end = archive.start_dir
        file.seek(entry.header_offset)
        file.write(entry.FileHeader(zip64=False))
        file.seek(end)
    return file.getvalue()


def _document() -> bytes:
    def build(document: Any) -> None:
        document.add_heading("Plant", level=1)
        for number in range(50):
            document.add_paragraph(f"The plant was visited on day {number * 7919 % 365}.")

    return making.word(build)


def _workbook() -> bytes:
    rows = [[f"city {number * 7919 % 1000}", number * 31] for number in range(200)]
    return making.workbook({"Data": [["city", "people"], *rows]})


def _deck() -> bytes:
    def build(deck: Any) -> None:
        for number in range(5):
            slide = deck.slides.add_slide(deck.slide_layouts[1])
            slide.shapes.title.text = f"Slide {number}"
            slide.placeholders[1].text = "Words."

    return making_formats.deck(build)


def _flipped(data: bytes) -> bytes:
    changed = bytearray(data)
    for at in range(300, len(data) - 300, 997):
        changed[at] ^= 0x55
    return bytes(changed)


def _without(data: bytes, name: str) -> bytes:
    return making_formats.repacked(data, lambda entry, old: None if entry == name else old)


def _entities(data: bytes, name: str) -> bytes:
    def change(entry: str, old: bytes) -> bytes:
        if entry != name:
            return old
        _, _, root = old.partition(b"?>") if old.startswith(b"<?xml") else (b"", b"", old)
        return ENTITIES.encode() + root.replace(b"</", b"&i;</", 1)

    return making_formats.repacked(data, change)


def _nested_zips(width: int) -> bytes:
    data = bytes(1_000_000)
    for _ in range(8):
        data = making_formats.archive({f"{number}.zip": data for number in range(width)})
    return data


def _picture(side: int) -> bytes:
    file = io.BytesIO()
    Image.new("1", (side, side)).save(file, "PNG")
    return file.getvalue()


def _nested_mail(depth: int) -> bytes:
    def lines() -> Iterator[str]:
        yield "From: a@example.org\nTo: b@example.org\nSubject: x\nMIME-Version: 1.0"
        for number in range(depth):
            yield f'Content-Type: multipart/mixed; boundary="b{number}"\n\n--b{number}'
        yield "Content-Type: text/plain\n\nThe innermost words."

    return "\n".join(lines()).encode()


def _nested_groups(depth: int) -> bytes:
    opening = (
        b"<p:grpSp><p:nvGrpSpPr><p:cNvPr id='9' name='g'/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>"
        b"<p:grpSpPr/>"
    )

    def change(entry: str, old: bytes) -> bytes:
        if entry != "ppt/slides/slide1.xml":
            return old
        return old.replace(b"</p:spTree>", opening * depth + b"</p:grpSp>" * depth + b"</p:spTree>")

    return making_formats.repacked(_deck(), change)
