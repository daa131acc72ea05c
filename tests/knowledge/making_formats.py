"""Makes decks, books, mails and other files for the tests of their readers."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping, Sequence
from email.message import EmailMessage
from typing import Any

import xlwt
from msoffcrypto.format.ooxml import OOXMLFile
from pptx import Presentation

PAGE = """<!DOCTYPE html><html><head><title>Quarterly note | Example Site</title>
<meta property="article:published_time" content="2025-03-14">
<script>document.write("written by a script")</script></head><body>
<nav><a href="/">Home</a> <a href="/all">All products</a></nav>
<div class="cookie-banner">We use cookies. Accept all?</div>
<article><h1>Quarterly note</h1>
<p>Revenue rose by twelve per cent in the first quarter, because the new plant in the north had
started to deliver two months earlier than anybody had expected.</p>
<h2>By region</h2><ul><li>North: up</li><li>South: down, after a <b>long</b> strike</li></ul>
<p>Revenue in million</p>
<table><thead><tr><th rowspan="2">Region</th><th colspan="2">Revenue</th></tr>
<tr><th>2024</th><th>2025</th></tr></thead>
<tr><td>North</td><td>12</td><td>13</td></tr><tr><td>South</td><td>9</td><td>8</td></tr></table>
<h2>展望</h2><p>公司预计第二季度收入将继续增长，利润率约为百分之八，订单高于去年同期。</p></article>
<footer>Copyright. All rights reserved.</footer></body></html>"""


def deck(build: Callable[[Any], None]) -> bytes:
    """A PowerPoint file; ``build`` is given the presentation."""
    presentation = Presentation()
    build(presentation)
    file = io.BytesIO()
    presentation.save(file)
    return file.getvalue()


def repacked(data: bytes, change: Callable[[str, bytes], bytes | None]) -> bytes:
    """An archive with every entry as ``change`` gives it; None leaves it out."""
    file = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as old,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for entry in old.infolist():
            content = change(entry.filename, old.read(entry))
            if content is not None:
                new.writestr(entry.filename, content)
    return file.getvalue()


def locked(data: bytes, password: str = "secret") -> bytes:
    """An Office file under a password."""
    file = io.BytesIO()
    OOXMLFile(io.BytesIO(data)).encrypt(password, file)
    return file.getvalue()


def old_workbook(rows: Sequence[Sequence[Any]]) -> bytes:
    """An Excel file in the format from before 2007."""
    book = xlwt.Workbook()
    sheet = book.add_sheet("Data")
    for number, row in enumerate(rows):
        for column, value in enumerate(row):
            sheet.write(number, column, value)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def archive(entries: Mapping[str, bytes | str]) -> bytes:
    """A zip archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in entries.items():
            made.writestr(name, content)
    return file.getvalue()


def book(chapters: Mapping[str, str], more: Mapping[str, str] | None = None) -> bytes:
    """An e-book; the chapters by their file names, in reading order."""
    items = "".join(
        f'<item id="c{number}" href="text/{name}" media-type="application/xhtml+xml"/>'
        for number, name in enumerate(chapters)
    )
    spine = "".join(f'<itemref idref="c{number}"/>' for number in range(len(chapters)))
    points = "".join(
        f"<navPoint><navLabel><text>Part {number}</text></navLabel>"
        f'<content src="text/{name}"/></navPoint>'
        for number, name in enumerate(chapters, start=1)
    )
    return archive({
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:'
        'container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
        "OEBPS/book.opf": '<package xmlns="http://www.idpf.org/2007/opf" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The Reservoir</dc:title>'
        f"<dc:date>2024-05-06T00:00:00Z</dc:date></metadata><manifest>{items}"
        '<item id="toc" href="toc.ncx"/></manifest>'
        f'<spine toc="toc">{spine}</spine></package>',
        "OEBPS/toc.ncx": '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>'
        f"{points}</navMap></ncx>",
        **{f"OEBPS/text/{name}": content for name, content in reversed(chapters.items())},
        **(more or {}),
    })  # fmt: skip


def mail(text: str = "", html: str = "", attachments: Mapping[str, bytes] | None = None) -> bytes:
    """A mail from Ada to Bo."""
    message = EmailMessage()
    message["From"] = "Ada Park <ada@example.org>"
    message["To"] = "Bo Lind <bo@example.org>"
    message["Date"] = "Tue, 04 Mar 2025 09:30:00 +0100"
    message["Subject"] = "Visit to the plant 工厂"
    if text:
        message.set_content(text)
    if html and text:
        message.add_alternative(html, subtype="html")
    elif html:
        message.set_content(html, subtype="html")
    for name, data in (attachments or {}).items():
        message.add_attachment(data, "application", "octet-stream", filename=name)
    return message.as_bytes()
