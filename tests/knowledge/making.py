"""Makes the files that the tests read, with the libraries that people's programs use."""

from __future__ import annotations

import io
import time
import zipfile
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import typst
from docx import Document
from openpyxl import Workbook
from PIL import Image
from pypdf import PdfReader, PdfWriter

from research.knowledge.documents import IngestJob
from research.knowledge.ingestion import Ingestion
from research.knowledge.reading import Reading, read_file

ENGLISH_PAGE = """#set page(width: 300pt, height: 420pt)
#set text(size: 10pt, lang: "en", hyphenate: true, font: ("Noto Sans", "Noto Sans CJK JP"))
#set heading(bookmarked: BOOKMARKED)
#set par(justify: true)
"""

CHINESE_REPORT = """
= 青岚科技二〇二五年度报告

= 经营概况

公司全年实现营业收入八十六亿元，同比增长百分之十二。增长主要来自储能业务，其收入首次超过二十亿元。

== 分地区收入

华东地区收入为三十一亿元，增长百分之十八，原因是苏州新工厂在三月投产。华南地区收入下降百分之四，因为两家主要客户推迟了订单。

#pagebreak()

= 风险因素

公司百分之六十的隔膜由同一家供应商提供，若供应中断三个月，预计将影响收入约五亿元。

== 汇率风险

美元升值百分之十，将使净利润减少约一点二亿元。
"""


def read(path: Path, name: str, data: bytes, **options: Any) -> Reading:
    """Read ``data`` in the child process, in a new folder below ``path``."""
    folder = path / f"reading-{len(list(path.iterdir()))}"
    (folder / "tables").mkdir(parents=True)
    (folder / "original").write_bytes(data)
    progress = options.pop("progress", lambda _: None)
    return read_file(folder / "original", name, folder / "tables", progress, **options)


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for ``condition``."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"it did not come about within {seconds} s"
        time.sleep(0.005)


def finished(ingestion: Ingestion) -> list[IngestJob]:
    """The jobs, once all of them are done or have failed."""
    until(lambda: all(job.state in ("done", "failed") for job in ingestion.jobs()))
    return ingestion.jobs()


def pdf(body: str, bookmarked: bool = True) -> bytes:
    """A PDF set by Typst, with the Noto fonts of the wheels."""
    fonts: list[Path] = [
        Path(spec.origin).parent
        for name in ("manimgx_fonts", "noto_cjk_sans_otc")
        if (spec := find_spec(name)) and spec.origin
    ]
    source = ENGLISH_PAGE.replace("BOOKMARKED", str(bookmarked).lower()) + body
    compiler = typst.Compiler(font_paths=fonts, ignore_system_fonts=True)
    result = compiler.compile(source.encode(), format="pdf")
    assert isinstance(result, bytes)
    return result


def scan(pages: int = 1) -> bytes:
    """A PDF that holds only pictures."""
    image = Image.effect_noise((200, 280), 60)
    file = io.BytesIO()
    image.save(file, "PDF", save_all=True, append_images=[image] * (pages - 1))
    return file.getvalue()


def joined(*parts: bytes) -> bytes:
    """Several PDFs as one."""
    writer = PdfWriter()
    for part in parts:
        writer.append(PdfReader(io.BytesIO(part)))
    return _written(writer)


def repeated(page: bytes, times: int) -> bytes:
    """A PDF with the first page of ``page`` so many times."""
    writer = PdfWriter()
    first = PdfReader(io.BytesIO(page)).pages[0]
    for _ in range(times):
        writer.add_page(first)
    return _written(writer)


def encrypted(data: bytes, password: str = "secret") -> bytes:
    """``data`` under a password."""
    writer = PdfWriter(clone_from=io.BytesIO(data))
    writer.encrypt(password, algorithm="AES-256")
    return _written(writer)


def word(build: Any) -> bytes:
    """A Word file; ``build`` is given the document."""
    document = Document()
    build(document)
    file = io.BytesIO()
    document.save(file)
    return file.getvalue()


def workbook(
    sheets: Mapping[str, Sequence[Sequence[Any]]], formats: Mapping[str, str] | None = None
) -> bytes:
    """An Excel file; ``formats`` are number formats by column letter."""
    book = Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
        for letter, number_format in (formats or {}).items():
            for cell in sheet[letter]:
                cell.number_format = number_format
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def zip_bomb() -> bytes:
    """A workbook whose sheet unpacks to 210 MB of nothing."""
    file = io.BytesIO(workbook({"Data": [["a", "b"], [1, 2]]}))
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("xl/worksheets/sheet2.xml", b"0" * 210_000_000)
    return file.getvalue()


def far_cell() -> bytes:
    """A workbook whose only cell stands in the last row and column there is."""
    book = Workbook()
    assert book.active is not None
    book.active["XFD1048576"] = 1
    book.active["A1"] = "only"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _written(writer: PdfWriter) -> bytes:
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()
