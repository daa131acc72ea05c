from __future__ import annotations

import io
import zipfile
from datetime import datetime
from pathlib import Path
from typing import Any

import pandas as pd
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from research.knowledge.library import Library
from tests.knowledge import making, making_formats


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


def notes(data: bytes) -> bytes:
    """A Word file whose second paragraph refers to a footnote and an endnote."""
    texts = {
        kind: f"<w:{kind}s {nsdecls('w')}><w:{kind} w:type='separator' w:id='0'><w:p/></w:{kind}>"
        f"<w:{kind} w:id='2'><w:p><w:r><w:t>Said in the {kind}.</w:t></w:r></w:p></w:{kind}>"
        f"</w:{kind}s>"
        for kind in ("footnote", "endnote")
    }
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

    def change(name: str, content: bytes) -> bytes:
        text = content.decode() if name.endswith((".xml", ".rels")) else ""
        if name == "word/document.xml":
            for kind in texts:
                text = text.replace(
                    f"{kind}-here",
                    f"</w:t></w:r><w:r><w:{kind}Reference w:id='2'/></w:r><w:r><w:t>",
                )
        elif name == "word/_rels/document.xml.rels":
            links = "".join(
                f'<Relationship Id="n{kind}" Type="{relation}/{kind}s" Target="{kind}s.xml"/>'
                for kind in texts
            )
            text = text.replace("</Relationships>", f"{links}</Relationships>")
        return text.encode() if text else content

    data = making_formats.repacked(data, change)
    file = io.BytesIO(data)
    with zipfile.ZipFile(file, "a") as archive:
        for kind, text in texts.items():
            archive.writestr(f"word/{kind}s.xml", text)
    return file.getvalue()


def test_notes_are_marked_in_the_text_and_follow_it(tmp_path: Path) -> None:
    def build(document: Any) -> None:
        document.add_heading("Plant", level=1)
        document.add_paragraph("It runsfootnote-here day and nightendnote-here.")
        document.add_heading("Output", level=1)
        document.add_paragraph("It rises.")

    reading = making.read(tmp_path, "notes.docx", notes(making.word(build)))
    assert [(block.heading, block.text) for block in reading.blocks] == [
        (("Plant",), "It runs[1] day and night[2]."),
        (("Plant",), "[1] Said in the footnote.\n[2] Said in the endnote."),
        (("Output",), "It rises."),
    ]


def test_merged_cells_and_a_header_of_two_rows_make_one_table(library: Library) -> None:
    def build(document: Any) -> None:
        table = document.add_table(rows=5, cols=4)
        cells = [
            ["Region", "City", "Revenue", ""],
            ["", "", "2024", "2025"],
            ["North", "Oslo", "12", "13"],
            ["", "Bergen", "4", "5"],
            ["South", "Rome", "9", "8"],
        ]
        for row, texts in enumerate(cells):
            for column, text in enumerate(texts):
                table.cell(row, column).text = text
        for first, last in (((0, 0), (1, 0)), ((0, 1), (1, 1)), ((0, 2), (0, 3)), ((2, 0), (3, 0))):
            table.cell(*first).merge(table.cell(*last))
        for row in table.rows[:2]:
            row._tr.get_or_add_trPr().append(parse_xml(f"<w:tblHeader {nsdecls('w')}/>"))

    library.add("merged.docx", making.word(build))
    [table] = library.tables()
    frame = pd.read_parquet(table.path)
    assert list(frame) == ["Region", "City", "Revenue 2024", "Revenue 2025"]
    assert frame["Region"].tolist() == ["North", "North", "South"]
    assert frame["Revenue 2025"].tolist() == [13, 5, 8]


def test_what_the_document_says_of_itself_is_kept_and_the_template_s_date_is_not(
    tmp_path: Path,
) -> None:
    def build(document: Any) -> None:
        document.add_paragraph("Words.")
        document.sections[0].footer.paragraphs[0].text = "Page 3"
        document.sections[0].header.paragraphs[
            0
        ].text = "Draft for the board of directors, not to be passed on"

    def dated(document: Any) -> None:
        build(document)
        document.core_properties.author = "Ada"
        document.core_properties.modified = datetime(2025, 3, 4, 10, 0)
        document.core_properties.version = "1.2"

    reading = making.read(tmp_path, "a.docx", making.word(build))
    assert (reading.date, reading.version) == (None, "")
    assert [block.heading for block in reading.blocks] == [(), ("Header and footer",)]
    reading = making.read(tmp_path, "a.docx", making.word(dated))
    assert (reading.date, reading.version) == ("2025-03-04", "1.2")


def test_documents_with_macros_and_templates_are_documents_too(tmp_path: Path) -> None:
    for kind in (b"ms-word.document.macroEnabled.main", b"openxmlformats-officedocument."
                 b"wordprocessingml.template.main"):  # fmt: skip
        data = making_formats.repacked(
            making.word(lambda document: document.add_paragraph("Words.")),
            lambda _, content, kind=kind: content.replace(
                b"openxmlformats-officedocument.wordprocessingml.document.main", kind
            ),
        )
        assert making.read(tmp_path, "a.docm", data).blocks[0].text == "Words."
