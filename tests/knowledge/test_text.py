from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from research.knowledge.library import Library
from tests.knowledge import making

NOTES = """---
author: nobody
---
# Field notes

Intro with **bold**, a [link](https://example.org) and `code`.

## Rain

- March was *dry*
- April was wet

| Month | Rain, mm |
|-------|---------:|
| March |       12 |
| April |      104 |

```python
x = 1
```
"""


def test_markdown_is_read_as_it_is_seen_under_its_headings(tmp_path: Path) -> None:
    reading = making.read(tmp_path, "notes.md", NOTES.encode())
    assert (reading.kind, reading.title) == ("markdown", "Field notes")
    assert [(block.heading[1:], block.text) for block in reading.blocks] == [
        ((), "Intro with bold, a link and code."),
        (("Rain",), "- March was dry\n- April was wet"),
        (("Rain",), "| Month | Rain, mm |\n| --- | --- |\n| March | 12 |\n| April | 104 |"),
        (("Rain",), "x = 1"),
    ]


def test_a_table_in_markdown_can_be_computed_on(library: Library) -> None:
    library.add("notes.md", NOTES.encode())
    [table] = library.tables()
    assert pd.read_parquet(table.path)["Rain, mm"].tolist() == [12, 104]


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16", "utf-16-le", "big5"])
def test_text_is_read_in_any_encoding(tmp_path: Path, encoding: str) -> None:
    text = "水庫的水位在三月下降。\n\n四月的降雨使水位回升，水庫蓄水量達到百分之八十。\n\n" * 4
    reading = making.read(tmp_path, "水庫.txt", text.encode(encoding))
    assert reading.blocks[1].text == "四月的降雨使水位回升，水庫蓄水量達到百分之八十。"


def test_lines_that_a_program_has_broken_are_joined_and_verses_are_not(tmp_path: Path) -> None:
    wrapped = (
        "The water level of the reservoir fell in March, and it rose again\n"
        "in April, when the rain came that everybody had been waiting for\n"
        "since the end of the winter.\n\nRoses are red,\nviolets are blue.\n"
    )
    reading = making.read(tmp_path, "a.txt", wrapped.encode())
    first, second = (block.text for block in reading.blocks)
    assert "rose again in April" in first
    assert second == "Roses are red,\nviolets are blue."


def test_ligatures_and_wide_letters_are_folded_and_superscripts_are_not(tmp_path: Path) -> None:
    reading = making.read(tmp_path, "a.txt", "ﬁrst　２０２５ ⽔位，10 m² co\u00adoperate".encode())
    assert reading.blocks[0].text == "first 2025 水位，10 m² cooperate"


def test_the_content_decides_about_the_format_before_the_name(library: Library) -> None:
    data = making.workbook({"Data": [["city", "people"], ["Bern", 1], ["Ulm", 2]]})
    assert library.add("data.csv", data).kind == "xlsx"
    assert library.add("letter.txt", making.pdf("A letter.")).kind == "pdf"
