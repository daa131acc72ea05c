from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image, ImageOps

from research.errors import DocumentError
from research.knowledge.readers.ocr import engine_installed
from tests.knowledge import making, making_pdf
from tests.knowledge.conftest import REPORT
from tests.knowledge.test_pdf_quality import no_engine

__all__ = ["no_engine"]

LINES = ("Revenue rose to 1,204.1 million", "dollars in the year 2025.", "", "经营活动现金流净额")
needs_engine = pytest.mark.skipif(not engine_installed(), reason="no OCR engine is installed")


@needs_engine
@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_the_text_of_a_picture_is_read_in_paragraphs(tmp_path: Path, kind: str) -> None:
    data = making_pdf.saved(making_pdf.picture(LINES), kind)
    reading = making.read(tmp_path, f"a.{kind.lower()}", data)
    assert [block.text for block in reading.blocks] == [
        "Revenue rose to 1,204.1 million dollars in the year 2025.",
        "经营活动现金流净额",
    ]
    assert [warning.key for warning in reading.warnings] == ["readers.picture_recognised"]


@needs_engine
def test_each_picture_of_a_tiff_file_is_a_page(tmp_path: Path) -> None:
    pictures = [making_pdf.picture([f"Page number {n} of the file"], (450, 300)) for n in (1, 2)]
    data = making_pdf.saved(pictures[0], "TIFF", save_all=True, append_images=pictures[1:])
    reading = making.read(tmp_path, "a.tiff", data)
    assert reading.pages == 2
    assert [(block.page, block.text) for block in reading.blocks] == [
        (1, "Page number 1 of the file"),
        (2, "Page number 2 of the file"),
    ]


@needs_engine
def test_text_on_a_transparent_ground_is_seen(tmp_path: Path) -> None:
    ink = ImageOps.invert(making_pdf.picture(["Dark text on nothing"], (400, 300)).convert("L"))
    picture = Image.new("RGBA", ink.size, (0, 0, 0, 0))
    picture.putalpha(ink)
    reading = making.read(tmp_path, "a.png", making_pdf.saved(picture, "PNG"))
    assert [block.text for block in reading.blocks] == ["Dark text on nothing"]


@needs_engine
def test_a_picture_without_text_is_refused(tmp_path: Path) -> None:
    data = making_pdf.saved(making_pdf.picture([], (200, 200)), "PNG")
    with pytest.raises(DocumentError) as caught:
        making.read(tmp_path, "a.png", data)
    assert caught.value.key == "readers.picture_without_text"


@needs_engine
def test_a_picture_that_unpacks_to_gigabytes_is_not_unpacked(tmp_path: Path) -> None:
    with pytest.raises(DocumentError) as caught:
        making.read(tmp_path, "a.png", bomb(60_000))
    assert caught.value.key == "readers.picture_too_large"


@needs_engine
def test_a_scanned_page_is_read_with_its_table_and_said_to_be_recognised(tmp_path: Path) -> None:
    data = making_pdf.scanned(REPORT.read_bytes(), pages=[3])
    reading = making.read(tmp_path, "a.pdf", data)
    [warning] = reading.warnings
    assert (warning.key, warning.params) == ("readers.pages_recognised", {"pages": "4"})
    text = "\n".join(block.text for block in reading.blocks if block.page == 4)
    assert "Exchange rates had little effect on the group as a whole" in text
    assert "| Greater China | 176.2 | 189.5 | 171.9 | +7.5% | -9.3% |" in text
    [grid] = [grid for grid in reading.grids if grid.page == 4]
    assert (grid.title, grid.rows) == ("Revenue by region, USD million", 6)
    assert [column.type for column in grid.columns] == ["text", *["number"] * 5]


@needs_engine
def test_a_garbled_page_is_read_from_its_picture(tmp_path: Path) -> None:
    sentence = "The contract covers the Nordic and Baltic markets."
    data = making_pdf.without_names_of_glyphs(making.pdf(sentence))
    reading = making.read(tmp_path, "a.pdf", data)
    assert [block.text for block in reading.blocks] == [sentence]
    assert [warning.key for warning in reading.warnings] == ["readers.pages_recognised"]


@pytest.mark.usefixtures("no_engine")
def test_without_an_engine_a_picture_says_how_to_get_one(tmp_path: Path) -> None:
    data = making_pdf.saved(making_pdf.picture(LINES), "PNG")
    with pytest.raises(DocumentError) as caught:
        making.read(tmp_path, "a.png", data)
    assert caught.value.key == "readers.picture_no_engine"
    assert "pip install rapidocr onnxruntime" in caught.value.sentence("en")


def bomb(side: int) -> bytes:
    """A PNG file of a few kilobytes that says it is as wide and high as this."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        checksum = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + checksum

    header = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    packed = zlib.compress(bytes(100_000))
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")
    )
