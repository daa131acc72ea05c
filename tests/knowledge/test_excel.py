from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

from openpyxl import Workbook

from tests.knowledge import making
from tests.knowledge.making_tables import (
    Rows,
    book,
    collected,
    endless_rows,
    old_book,
    placed,
    with_sheet,
)


def test_merged_headers_and_labels_are_repeated_and_amounts_are_not(tmp_path: Path) -> None:
    def build(sheet: Any) -> None:
        rows: Rows = [
            ["Group revenue"], ["USD m"],
            ["Segment", "Country", 2024, None, 2025, None], [None, None, "H1", "H2", "H1", "H2"],
            ["Cars", "DE", 1, 2, 3, 4], [None, "FR", 5, 6, 7, None], ["Total", None, 6, 8, 10, 4],
        ]  # fmt: skip
        placed(sheet, rows, top=2, left=2)
        for cells in ("B2:G2", "D4:E4", "F4:G4", "B4:B5", "C4:C5", "B6:B7", "G6:G7"):
            sheet.merge_cells(cells)

    found = collected(tmp_path, "b.xlsx", book(build))
    assert found.names() == [
        "Segment", "Country", "2024 / H1", "2024 / H2", "2025 / H1", "2025 / H2"
    ]  # fmt: skip
    assert found.rows() == [
        ["Cars", "DE", 1, 2, 3, 4], ["Cars", "FR", 5, 6, 7, None], ["Total", None, 6, 8, 10, 4]
    ]  # fmt: skip
    [grid] = found.grids
    assert (grid.title, grid.origin, grid.header) == ("Group revenue", "Data!B4", (4, 5))
    assert (grid.totals, found.units()) == ((3,), ["", "", *["USD m"] * 4])


def test_years_merged_over_their_quarters_are_repeated(tmp_path: Path) -> None:
    def build(sheet: Any) -> None:
        rows: Rows = [["年份", "季度", "收入"], [2024, "Q1", 1], [None, "Q2", 2], [2025, "Q1", 3]]
        placed(sheet, rows)
        sheet.merge_cells("A2:A3")

    found = collected(tmp_path, "收入.xlsx", book(build))
    assert found.rows() == [[2024, "Q1", 1], [2024, "Q2", 2], [2025, "Q1", 3]]


def test_percentages_and_money_are_read_as_they_are_shown(tmp_path: Path) -> None:
    def build(sheet: Any) -> None:
        rows: Rows = [
            ["Name", "Growth", "Price", "Cost", "Day"],
            ["A", 0.125, 10, 5, dt.date(2025, 1, 2)],
        ]
        placed(
            sheet, [*rows, ["B", 0.07, 12.5, 6, dt.date(2025, 1, 3)], ["C", 0, None, None, None]]
        )
        for row in (2, 3):
            sheet.cell(row, 2).number_format = "0.0%"
            sheet.cell(row, 3).number_format = "[$€-407]#,##0.00;[Red]-[$€-407]#,##0.00"
            sheet.cell(row, 4).number_format = '#,##0"万元"'

    found = collected(tmp_path, "b.xlsx", book(build))
    assert found.rows()[:2] == [
        ["A", 12.5, 10, 5, dt.date(2025, 1, 2)], ["B", 7, 12.5, 6, dt.date(2025, 1, 3)]
    ]  # fmt: skip
    assert found.units() == ["", "%", "€", "万元", ""]


def test_an_old_workbook_is_read_like_a_new_one(tmp_path: Path) -> None:
    rows: list[list[Any]] = [
        ["产品", "增长率", "价格", "日期"],
        ["甲", 0.125, 10, dt.date(2025, 1, 2)],
    ]
    rows += [["乙", 0.5, 7, dt.date(2025, 1, 3)]]
    data = old_book(rows, {1: "0.0%", 2: '"$"#,##0', 3: "yyyy-mm-dd"}, hidden="草稿")
    found = collected(tmp_path, "b.xls", data)
    assert found.rows() == [
        ["甲", 12.5, 10, dt.date(2025, 1, 2)], ["乙", 50, 7, dt.date(2025, 1, 3)]
    ]  # fmt: skip
    assert found.units() == ["", "%", "$", ""]
    assert found.warnings == [("readers.hidden_sheets", {"sheets": "草稿"})]


def test_hidden_sheets_are_left_out_and_named(tmp_path: Path) -> None:
    def build(sheet: Any) -> None:
        placed(sheet, [["a", "b"], ["x", 1], ["y", 2]])
        for state in ("hidden", "veryHidden"):
            other = sheet.parent.create_sheet(state)
            other.append(["secret"])
            other.sheet_state = state

    found = collected(tmp_path, "b.xlsx", book(build))
    assert [grid.sheet for grid in found.grids] == ["Data"]
    assert not any("secret" in text for text in found.words)
    assert found.warnings == [("readers.hidden_sheets", {"sheets": "hidden, veryHidden"})]


def test_errors_are_empty_and_formulas_without_a_result_are_told(tmp_path: Path) -> None:
    def build(sheet: Any) -> None:
        placed(sheet, [["Name", "Amount"], ["A", 1], ["B", "#DIV/0!"], ["C", "=B2*2"]])
        sheet["B3"].data_type = "e"

    found = collected(tmp_path, "b.xlsx", book(build))
    assert found.rows() == [["A", 1], ["B", None], ["C", None]]
    assert found.warnings == [("readers.uncomputed", {"table": "Data", "count": 1})]


def test_tables_anywhere_on_a_sheet_are_found(tmp_path: Path) -> None:
    def build(sheet: Any) -> None:
        placed(sheet, [["Region", "Sales"], ["N", 1], ["S", 2], ["W", 3]])
        placed(sheet, [["Person", "Age"], ["Ann", 30], ["Bob", 40], ["Cy", 50]], top=3, left=5)
        placed(sheet, [["Product", "Units"], ["x", 1], ["y", 2]], top=8)

    found = collected(tmp_path, "b.xlsx", book(build))
    assert [grid.origin for grid in found.grids] == ["Data!A1", "Data!A8", "Data!E3"]
    assert found.rows(2) == [["Ann", 30], ["Bob", 40], ["Cy", 50]]


def test_a_stray_cell_far_away_costs_nothing(tmp_path: Path) -> None:
    def build(sheet: Any) -> None:
        placed(sheet, [["a", "b"], *([f"n{n}", n / 2] for n in range(60))])
        sheet["XFD90"] = "stray"
        sheet["B2"].number_format = "0%"
        sheet["B2"] = 0

    reading = making.read(tmp_path, "far.xlsx", book(build))
    assert [grid.rows for grid in reading.grids] == [60]
    assert any("stray" in block.text for block in reading.blocks)


def test_a_sheet_without_end_gives_its_first_rows_and_a_sentence(
    tmp_path: Path, monkeypatch: Any
) -> None:
    monkeypatch.setattr("research.knowledge.readers.xlsx_look.MOST_SCANNED", 20_000)
    for prefix in ("", "x:"):
        found = collected(tmp_path, "b.xlsx", with_sheet(endless_rows(50_000, prefix)))
        assert found.grids[0].rows == 10_000
        assert ("knowledge.rows_read", {"table": "Data", "done": 10_000}) in found.warnings


def test_a_chart_sheet_is_no_table(tmp_path: Path) -> None:
    workbook = Workbook()
    assert workbook.active is not None
    workbook.active.append(["only words"])
    workbook.create_chartsheet("Chart")
    workbook.save(tmp_path / "c.xlsx")
    found = collected(tmp_path, "c.xlsx", (tmp_path / "c.xlsx").read_bytes())
    assert (found.words, found.grids) == (["only words"], [])
