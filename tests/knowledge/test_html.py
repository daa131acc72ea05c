from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pandas as pd
import pytest

from research.knowledge.library import Library
from research.knowledge.reading import Reading
from tests.knowledge import making
from tests.knowledge.making_formats import PAGE


def read(path: Path, html: str | bytes) -> Reading:
    return making.read(path, "page.html", html.encode() if isinstance(html, str) else html)


def test_a_page_is_read_without_what_stands_around_its_text(tmp_path: Path) -> None:
    reading = read(tmp_path, PAGE)
    assert (reading.kind, reading.date) == ("html", "2025-03-14")
    assert reading.title.startswith("Quarterly note")
    blocks = [(block.heading, " ".join(block.text.split())) for block in reading.blocks]
    assert [heading for heading, _ in blocks] == [
        ("Quarterly note",),
        ("Quarterly note", "By region"),
        ("Quarterly note", "By region"),
        ("Quarterly note", "By region"),
        ("Quarterly note", "展望"),
    ]
    assert blocks[1][1] == "- North: up - South: down, after a long strike"
    everything = " ".join(text for _, text in blocks)
    for unwanted in ("cookies", "All products", "Copyright", "script"):
        assert unwanted not in everything


def test_a_table_with_a_header_of_two_rows_can_be_computed_on(library: Library) -> None:
    library.add("page.html", PAGE.encode())
    [table] = library.tables()
    frame = pd.read_parquet(table.path)
    assert list(frame) == ["Region", "Revenue 2024", "Revenue 2025"]
    assert frame["Revenue 2025"].tolist() == [13, 8]
    assert table.title == "Revenue in million"


def test_what_has_no_main_text_is_read_whole(tmp_path: Path) -> None:
    reading = read(
        tmp_path,
        "<body><form><div>Name<br>Ada</div><script>x()</script><div hidden>no</div>"
        "<table><tr><td>Layout<table><tr><th>a</th><th>b</th></tr><tr><td>1</td>"
        "<td rowspan=2>2</td></tr><tr><td>3</td></tr></table></td></tr></table></form>",
    )
    assert [block.text for block in reading.blocks] == [
        "Name\nAda",
        "Layout",
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 2 |",
    ]


@pytest.mark.parametrize(
    ("encoding", "declared"),
    [
        ("gb18030", "gb2312"),
        ("gb18030", ""),
        ("big5", "big5"),
        ("utf-16", ""),
        ("utf-8-sig", ""),
        ("utf-8", "gb2312"),
        ("utf-8", "no-such-encoding"),
    ],
)
def test_the_encoding_is_the_one_that_fits(tmp_path: Path, encoding: str, declared: str) -> None:
    meta = f'<meta charset="{declared}">' if declared else ""
    text = "水库的水位在三月下降，四月的降雨使水位回升。"
    if encoding == "big5":
        text = "水庫的水位在三月下降，四月的降雨使水位回升。"
    reading = read(tmp_path, f"<html><head>{meta}</head><body><p>{text * 3}</p>".encode(encoding))
    assert [block.text for block in reading.blocks] == [text * 3]


def test_a_page_that_was_saved_with_all_its_parts_is_read(tmp_path: Path) -> None:
    message = EmailMessage()
    message["From"] = "<Saved by Blink>"
    message["Snapshot-Content-Location"] = "https://example.org/"
    message["Subject"] = "Quarterly note"
    message["Date"] = "Tue, 04 Mar 2025 09:30:00 +0100"
    message.set_content(PAGE, subtype="html")
    message.add_related(b"\x89PNG", "image", "png")
    reading = making.read(tmp_path, "page.mhtml", message.as_bytes())
    assert reading.kind == "html"
    assert reading.blocks[0].heading == ("Quarterly note",)


def test_tags_nested_without_end_are_read_in_time(tmp_path: Path) -> None:
    for tag in ("div", "b", "table><tr><td"):
        reading = read(tmp_path, f"<html><body>{f'<{tag}>' * 100_000}the deepest words")
        assert [block.text for block in reading.blocks] == ["the deepest words"]
