from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as parquet
import pytest

from research.knowledge.reading import Reading
from tests.knowledge import making, making_pdf
from tests.knowledge.conftest import REPORT

STATEMENT = r"""
= Consolidated statements of income
#align(center)[(in millions, except per share amounts)]
#table(columns: (1fr, 70pt, 70pt, 70pt), stroke: none, align: (left, right, right, right),
 inset: 3pt,
 [], table.cell(colspan: 3, align: center)[Year ended December 31,],
 [], [2025], [2024], [2023],
 table.hline(),
 [Revenue#super[1]], [\$ #h(20pt) 1,204.1], [\$ #h(20pt) 1,119.7], [\$ #h(20pt) 1,087.2],
 [Cost of goods sold], [(640.2)], [(612.0)], [(601.5)],
 [Gross profit], [563.9], [507.7], [485.7],
 [Operating expenses:], [], [], [],
 [#h(10pt) Selling, general and administrative expenses including the cost of the plants that
  were closed], [286.0], [261.3], [242.1],
 [#h(10pt) Other income, net], [—], [(0.3)], [1.2#super[2]],
 [Earnings per share], [\$ #h(20pt) 3.45], [\$ #h(20pt) 2.98], [\$ #h(20pt) 3.01],
)
Net debt fell by 46.5 million US dollars.
"""

CHINESE = """
= 合并利润表
#align(right)[单位：人民币百万元]
#table(columns: (1fr, 50pt, 80pt, 80pt), align: (left, center, right, right),
 [项目], [附注], [2025年度], [2024年度],
 [一、营业总收入], [五、1], [8,604.32], [7,682.43],
 [税金及附加], [], [45.20], [40.18],
 [二、营业利润（亏损以“－”号填列）], [], [1,023.45], [-98.76],
)
"""

WITH_SPANS = """
#table(columns: (1fr, 60pt, 60pt), align: (left, right, right),
 table.cell(rowspan: 2)[Segment], table.cell(colspan: 2, align: center)[Revenue, million euro],
 [2024], [2025], [Analysers], [1 204,5], [1 310,2], [Services], [310,0], [322,4])
"""

TWO_GROUPS = """
#table(columns: (1fr, auto, auto, auto, auto), stroke: none,
 align: (left, right, right, right, right), inset: 3pt,
 [], table.cell(colspan: 2, align: center)[Group], table.cell(colspan: 2, align: center)[Company],
 [USD'000], [2025], [2024], [2025], [2024],
 [Current assets], [], [], [], [],
 [Goodwill], [4,500], [4,400], [–], [–],
 [Shares], [–], [–], [9,876], [9,800],
 [Total], [4,500], [4,400], [9,876], [9,800])
"""


def rows(reading: Reading, path: Path, number: int = 0) -> list[tuple[object, ...]]:
    """The data rows of a table, as the coder has them."""
    [folder] = path.glob("reading-*/tables")
    table = parquet.read_table(folder / reading.grids[number].file)
    return [tuple(row.values()) for row in table.to_pylist()]


def names(reading: Reading, number: int = 0) -> list[str]:
    return [column.name for column in reading.grids[number].columns]


def test_the_tables_of_the_sample_report_are_read_cell_by_cell(tmp_path: Path) -> None:
    reading = making.read(tmp_path, REPORT.name, REPORT.read_bytes())
    assert [(grid.title, grid.page, grid.rows) for grid in reading.grids] == [
        ("Key figures of the group, 2023 to 2025", 2, 8),
        ("Revenue by region, USD million", 4, 6),
        ("Operating income by region, USD million", 7, 6),
        ("Revenue by line of business, 2025", 7, 3),
    ]
    assert names(reading, 1) == ["Region", "2023", "2024", "2025", "Change 2024", "Change 2025"]
    assert rows(reading, tmp_path, 1) == [
        ("North America", 412.6, 428.9, 455.3, 4.0, 6.2),
        ("EMEA", 318.4, 297.1, 341.8, -6.7, 15.0),
        ("Greater China", 176.2, 189.5, 171.9, 7.5, -9.3),
        ("Rest of Asia Pacific", 121.7, 143.2, 168.4, 17.7, 17.6),
        ("Latin America", 58.3, 61.0, 66.7, 4.6, 9.3),
        ("Group", 1087.2, 1119.7, 1204.1, 3.0, 7.5),
    ]


def test_a_table_stands_in_the_text_as_markdown_in_its_place(tmp_path: Path) -> None:
    reading = making.read(tmp_path, REPORT.name, REPORT.read_bytes())
    texts = [block.text for block in reading.blocks if block.page == 4]
    assert texts[1].split("\n")[:5] == [
        "Revenue by region, USD million",
        "",
        "| Region | 2023 | 2024 | 2025 | Change 2024 | Change 2025 |",
        "| --- | --- | --- | --- | --- | --- |",
        "| North America | 412.6 | 428.9 | 455.3 | +4.0% | +6.2% |",
    ]
    assert texts[0].startswith("Group revenue rose")
    assert texts[2].startswith("Three things explain")


def test_a_statement_without_lines_has_its_years_units_and_negative_amounts(
    tmp_path: Path,
) -> None:
    reading = making.read(tmp_path, "a.pdf", making_pdf.paper(STATEMENT))
    [grid] = reading.grids
    assert grid.title.endswith("(in millions, except per share amounts)")
    assert names(reading)[1:] == [f"Year ended December 31, {year}" for year in (2025, 2024, 2023)]
    long = (
        "Selling, general and administrative expenses including the cost of the plants that were "
        "closed"
    )
    assert rows(reading, tmp_path) == [
        ("Revenue", 1204.1, 1119.7, 1087.2),
        ("Cost of goods sold", -640.2, -612.0, -601.5),
        ("Gross profit", 563.9, 507.7, 485.7),
        ("Operating expenses:", None, None, None),
        (long, 286.0, 261.3, 242.1),
        ("Other income, net", None, -0.3, 1.2),
        ("Earnings per share", 3.45, 2.98, 3.01),
    ]
    assert "| Revenue | $ 1,204.1 | $ 1,119.7 | $ 1,087.2 |" in reading.blocks[0].text
    assert reading.blocks[1].text == "Net debt fell by 46.5 million US dollars."


def test_a_chinese_table_with_a_grid_keeps_its_unit(tmp_path: Path) -> None:
    reading = making.read(tmp_path, "年报.pdf", making_pdf.paper(CHINESE))
    [grid] = reading.grids
    assert grid.title == "合并利润表 单位：人民币百万元"
    assert names(reading) == ["项目", "附注", "2025年度", "2024年度"]
    assert rows(reading, tmp_path) == [
        ("一、营业总收入", "五、1", 8604.32, 7682.43),
        ("税金及附加", None, 45.2, 40.18),
        ("二、营业利润（亏损以“－”号填列）", None, 1023.45, -98.76),
    ]


def test_boxes_over_several_columns_and_rows_name_each_of_them(tmp_path: Path) -> None:
    reading = making.read(tmp_path, "a.pdf", making_pdf.paper(WITH_SPANS))
    assert names(reading) == [
        "Segment",
        "Revenue, million euro 2024",
        "Revenue, million euro 2025",
    ]
    assert rows(reading, tmp_path) == [("Analysers", 1204.5, 1310.2), ("Services", 310.0, 322.4)]


def test_a_header_over_two_columns_without_lines_names_both(tmp_path: Path) -> None:
    reading = making.read(tmp_path, "a.pdf", making_pdf.paper(TWO_GROUPS))
    assert names(reading)[1:] == ["Group 2025", "Group 2024", "Company 2025", "Company 2024"]
    assert rows(reading, tmp_path)[1:3] == [
        ("Goodwill", 4500, 4400, None, None),
        ("Shares", None, None, 9876, 9800),
    ]


def test_a_table_that_goes_on_on_the_next_page_is_one(tmp_path: Path) -> None:
    for header in ("table.header([Country], [Staff], [Sites])", "[Country], [Staff], [Sites]"):
        body = (
            "#table(columns: (1fr, auto, auto), stroke: none, align: (left, right, right), "
            f"inset: 3pt, {header}, ..for i in range(70) "
            "{ ([Country number #i], [#(1000 + i * 7)], [#(3 + i)]) })\nAfter the table."
        )
        folder = tmp_path / str(len(header))
        folder.mkdir()
        reading = making.read(folder, "a.pdf", making_pdf.paper(body))
        [grid] = reading.grids
        assert (grid.page, grid.rows, reading.pages) == (1, 70, 2)
        assert names(reading) == ["Country", "Staff", "Sites"]
        assert rows(reading, folder) == [
            (f"Country number {i}", 1000 + i * 7, 3 + i) for i in range(70)
        ]
        assert all("| Country | Staff | Sites |" in block.text for block in reading.blocks[:-1])


def test_a_table_of_words_between_lines_keeps_its_cells_apart(tmp_path: Path) -> None:
    body = """
#table(columns: (80pt, 1fr, 1fr), stroke: none, table.hline(),
 [Risk], [What could happen], [What we do], table.hline(),
 [Supply], [Magnets come from two suppliers in one province, and a stoppage would last for three
 months], [A second supplier in Estonia has been approved and delivers from June],
 [Currency], [The dollar may rise], [Half of the exposure is hedged], table.hline())
"""
    reading = making.read(tmp_path, "a.pdf", making_pdf.paper(body))
    assert names(reading) == ["Risk", "What could happen", "What we do"]
    assert rows(reading, tmp_path) == [
        (
            "Supply",
            "Magnets come from two suppliers in one province, and a stoppage would last for three "
            "months",
            "A second supplier in Estonia has been approved and delivers from June",
        ),
        ("Currency", "The dollar may rise", "Half of the exposure is hedged"),
    ]


NO_TABLES = {
    "contents": "#outline()\n" + "".join(f"= Chapter {n}\n#lorem(150)\n" for n in range(1, 9)),
    "columns": "#columns(2)[#lorem(500)]",
    "columns with figures": (
        "#columns(2)["
        + "Sales of 412.6 million in 2024 and 428.9 million in 2025 grew. " * 40
        + "]"
    ),
    "bullets": "".join(
        f"- Item {n} has {n * 7} parts in 2024 and {n * 9} in 2025\n" for n in range(9)
    ),
    "numbered": "".join(f"+ {n * 12} of {n * 31} were sold\n" for n in range(9)),
    "addresses": "12 Long Street \\\n4000 Basel \\\n\n44 Short Street \\\n8000 Zurich",
    "frame": "#rect(width: 100%)[#lorem(60)]\n#rect(width: 100%)[#lorem(60)]",
    "formula": "$ x = (1 + 2 + 3) / 4 $\n$ y = 5 / 6 $\n" + "#lorem(40)",
}


@pytest.mark.parametrize("name", NO_TABLES)
def test_what_only_looks_like_a_table_stays_text(tmp_path: Path, name: str) -> None:
    reading = making.read(tmp_path, "a.pdf", making_pdf.paper(NO_TABLES[name]))
    assert reading.grids == []
    assert not [block.text for block in reading.blocks if "| --- |" in block.text]


def test_a_long_report_takes_a_fraction_of_the_time_that_a_file_may_take(tmp_path: Path) -> None:
    """300 pages, with tables, where 60 seconds of CPU time are the limit."""
    data = making.joined(*[REPORT.read_bytes()] * 30)
    reading = making.read(tmp_path, "long.pdf", data, wall_seconds=30)
    assert (reading.pages_done, len(reading.grids)) == (300, 120)
    assert reading.warnings == []
