"""Makes PDF files and pictures as analysts have them: statements, scans, broken ones."""

from __future__ import annotations

import io
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pypdfium2
import typst
from PIL import Image, ImageDraw, ImageFont
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject

PAGE = """#set page(width: 595pt, height: 842pt, margin: 60pt, footer: none)
#set text(size: 9pt, lang: "en", font: ("Noto Sans", "Noto Sans CJK JP"))
"""


def fonts() -> list[Path]:
    """The folders of the fonts in the wheels."""
    return [
        Path(spec.origin).parent
        for name in ("manimgx_fonts", "noto_cjk_sans_otc")
        if (spec := find_spec(name)) and spec.origin
    ]


def paper(body: str) -> bytes:
    """A PDF of A4 pages set by Typst."""
    compiler = typst.Compiler(font_paths=fonts(), ignore_system_fonts=True)
    result = compiler.compile((PAGE + body).encode(), format="pdf")
    assert isinstance(result, bytes)
    return result


def drawn(*contents: str) -> bytes:
    """A PDF with a page for each content stream; the font is called F1."""
    pages = range(4, 4 + 2 * len(contents), 2)
    kids = " ".join(f"{number} 0 R" for number in pages)
    objects = {
        1: "<< /Type /Catalog /Pages 2 0 R >>",
        2: f"<< /Type /Pages /Count {len(contents)} /Kids [{kids}] >>",
        3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    }
    for number, content in zip(pages, contents, strict=True):
        objects[number] = (
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {number + 1} 0 R >>"
        )
        data = content.encode("latin-1")
        objects[number + 1] = f"<< /Length {len(data)} >> stream\n{content}\nendstream"
    return assembled(objects)


def assembled(objects: dict[int, str]) -> bytes:
    """A PDF file of numbered objects, the first of them the catalogue."""
    file = b"%PDF-1.7\n"
    places = {}
    for number, text in objects.items():
        places[number] = len(file)
        file += f"{number} 0 obj {text} endobj\n".encode("latin-1")
    start = len(file)
    file += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    file += b"".join(f"{places[number]:010} 00000 n \n".encode() for number in sorted(objects))
    file += f"trailer << /Root 1 0 R /Size {len(objects) + 1} >>\n".encode()
    return file + f"startxref\n{start}\n%%EOF\n".encode()


def text_at(x: float, y: float, text: str, size: float = 10) -> str:
    """The operators that show ``text``."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F1 {size} Tf {x} {y} Td ({escaped}) Tj ET\n"


def scanned(data: bytes, pages: Sequence[int] | None = None, scale: float = 2) -> bytes:
    """``data`` with these pages (all by default) turned into pictures, as a scanner does."""
    document = pypdfium2.PdfDocument(data)
    writer = PdfWriter()
    reader = PdfReader(io.BytesIO(data))
    for index in range(len(document)):
        if pages is not None and index not in pages:
            writer.add_page(reader.pages[index])
            continue
        file = io.BytesIO()
        picture = document[index].render(scale=scale).to_pil()
        picture.save(file, "PDF", resolution=72 * scale, quality=90)
        writer.add_page(PdfReader(file).pages[0])
    document.close()
    return written(writer)


def without_names_of_glyphs(data: bytes) -> bytes:
    """``data`` with fonts that do not say which characters their glyphs are."""
    writer = PdfWriter(clone_from=io.BytesIO(data))
    for page in writer.pages:
        for font in page["/Resources"]["/Font"].values():  # type: ignore[index]
            font.get_object().pop("/ToUnicode", None)
    return written(writer)


def with_properties(data: bytes, **properties: str) -> bytes:
    """``data`` with these properties, such as ``CreationDate``."""
    writer = PdfWriter(clone_from=io.BytesIO(data))
    writer.metadata = None
    writer.add_metadata({f"/{name}": value for name, value in properties.items()})
    return written(writer)


def without_title(data: bytes) -> bytes:
    """``data`` without properties."""
    writer = PdfWriter(clone_from=io.BytesIO(data))
    writer.root_object.pop(NameObject("/Metadata"), None)
    writer.metadata = None
    return written(writer)


def picture(lines: Sequence[str], size: tuple[int, int] = (640, 300)) -> Image.Image:
    """A picture with ``lines`` of text in it."""
    image = Image.new("RGB", size, "white")
    [font_file] = [path for folder in fonts() for path in folder.rglob("NotoSansCJK-Regular.ttc")]
    font = ImageFont.truetype(str(font_file), 28)
    pen = ImageDraw.Draw(image)
    for number, line in enumerate(lines):
        pen.text((40, 40 + 46 * number), line, fill="black", font=font)
    return image


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    """An image as a file."""
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def written(writer: PdfWriter) -> bytes:
    """The file that ``writer`` holds."""
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()
