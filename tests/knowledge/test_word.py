from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from research.knowledge.library import Library
from tests.knowledge import making


def build(document: Any) -> None:
    document.core_properties.title = "Site visit"
    document.add_heading("Plant", level=1)
    document.add_paragraph("The plant was visited in May.")
    document.add_heading("Output", level=2)
    document.add_paragraph("Output by line")
    table = document.add_table(rows=0, cols=3)
    for row in (("Line", "2024", "2025"), ("North", "1,200", "1,350"), ("South", "980", "1,010")):
        cells = table.add_row().cells
        for cell, value in zip(cells, row, strict=True):
            cell.text = value
    document.add_heading("产量说明", level=1)
    document.add_paragraph("南线产量受停电影响。")


def test_paragraphs_and_tables_stand_under_their_headings(tmp_path: Path) -> None:
    reading = making.read(tmp_path, "visit.docx", making.word(build))
    assert (reading.kind, reading.title, reading.pages) == ("docx", "Site visit", None)
    places = [(block.heading, block.text.split("\n")[0]) for block in reading.blocks]
    assert places == [
        (("Plant",), "The plant was visited in May."),
        (("Plant", "Output"), "Output by line"),
        (("Plant", "Output"), "| Line | 2024 | 2025 |"),
        (("产量说明",), "南线产量受停电影响。"),
    ]


def test_a_table_can_be_computed_on(library: Library) -> None:
    document = library.add("visit.docx", making.word(build))
    [table] = library.tables([document.id])
    assert (table.name, table.title, table.rows) == ("output_by_line", "Output by line", 2)
    assert table.place.heading == ("Plant", "Output")
    frame = pd.read_parquet(table.path)
    assert frame["2025"].tolist() == [1350, 1010]


def test_text_in_content_controls_and_tracked_changes_is_read_as_a_reader_sees_it(
    tmp_path: Path,
) -> None:
    def controls(document: Any) -> None:
        document.element.body.insert(
            0,
            parse_xml(
                f"<w:sdt {nsdecls('w')}><w:sdtContent><w:p><w:r><w:t>In a control.</w:t></w:r>"
                "</w:p></w:sdtContent></w:sdt>"
            ),
        )
        document.element.body.insert(
            1,
            parse_xml(
                f"<w:p {nsdecls('w')}><w:r><w:t xml:space='preserve'>It is </w:t></w:r>"
                "<w:del w:id='1' w:author='a'><w:r><w:delText>not </w:delText></w:r></w:del>"
                "<w:ins w:id='2' w:author='a'><w:r><w:t>inserted.</w:t></w:r></w:ins></w:p>"
            ),
        )

    reading = making.read(tmp_path, "a.docx", making.word(controls))
    assert [block.text for block in reading.blocks] == ["In a control.", "It is inserted."]
