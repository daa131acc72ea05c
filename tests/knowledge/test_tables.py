from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from research.knowledge.library import Library
from research.models import Table
from tests.knowledge import making
from tests.knowledge.making_tables import typed

JANUARY, FEBRUARY = dt.date(2025, 1, 31), dt.date(2025, 2, 28)
CHINESE_CSV = """地区,年份,收入（万元）,增长率
华东,2024,"1,234.5",12.5%
华南,2024,980,-4%
华北,2024,1050,3.1%
"""


def frame_of(library: Library, name: str, data: bytes | str) -> tuple[Table, pd.DataFrame]:
    document = library.add(name, data.encode() if isinstance(data, str) else data)
    [table] = library.tables([document.id])
    return table, pd.read_parquet(table.path)


def types(table: Table) -> dict[str, str]:
    return {column.name: column.type for column in table.columns}


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16", "utf-16-le", "utf-16-be"]
)
def test_a_csv_is_read_in_any_encoding(library: Library, encoding: str) -> None:
    table, frame = frame_of(library, "收入.csv", CHINESE_CSV.encode(encoding))
    assert types(table) == {
        "地区": "text", "年份": "number", "收入（万元）": "number", "增长率": "number"
    }  # fmt: skip
    assert frame["收入（万元）"].tolist() == [1234.5, 980.0, 1050.0]
    assert frame["增长率"].tolist() == [12.5, -4.0, 3.1]
    assert frame["地区"].tolist() == ["华东", "华南", "华北"]
    assert table.name == "table"
    [profile, rows] = library.passages([h.passage.id for h in library.search(["华东 收入"])])
    assert {profile.place.rows, rows.place.rows} == {None, (1, 3)}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_a_delimiter_is_found(library: Library, delimiter: str) -> None:
    rows = [("name", "city", "amount"), ("Ann", "Bern", "1"), ("Bob", "Ulm", "2")]
    text = "\n".join(delimiter.join(row) for row in rows)
    _, frame = frame_of(library, "people.csv", text)
    assert frame.to_dict("list") == {
        "name": ["Ann", "Bob"], "city": ["Bern", "Ulm"], "amount": [1, 2]
    }  # fmt: skip


@pytest.mark.parametrize(
    ("cells", "kind", "values"),
    [
        (["1,234", "56", "7,890,123"], "number", [1234, 56, 7890123]),
        (["1.234,50", "56,00", "7"], "number", [1234.5, 56.0, 7.0]),
        (["1 234", "56", "7"], "number", [1234, 56, 7]),
        (["$1,200", "$35.50", "-$4"], "number", [1200, 35.5, -4]),
        (["(120)", "35", "4"], "number", [-120, 35, 4]),
        (["12.5%", "3%", "n/a"], "number", [12.5, 3.0, None]),
        (["12.5%", "3", "4"], "text", ["12.5%", "3", "4"]),
        (["$5", "€5", "$6"], "text", ["$5", "€5", "$6"]),
        (["2023", "2024", "2025"], "number", [2023, 2024, 2025]),
        (["007", "042", "100"], "text", ["007", "042", "100"]),
        (["1e3", "2.5e-1", "7"], "number", [1000.0, 0.25, 7.0]),
        (["yes", "no", "yes"], "boolean", [True, False, True]),
        (["2025-01-31", "2025-02-28", ""], "date", [JANUARY, FEBRUARY, None]),
        (["2025年1月31日", "2025年2月28日", "-"], "date", [JANUARY, FEBRUARY, None]),
        (["31/01/2025", "28/02/2025", ""], "date", [JANUARY, FEBRUARY, None]),
        (["EMEA", "NA", "APAC"], "text", ["EMEA", "NA", "APAC"]),
        (["01/02/2025", "03/04/2025", ""], "text", ["01/02/2025", "03/04/2025", None]),
        (["12,5", "three", "4"], "text", ["12,5", "three", "4"]),
    ],
)  # fmt: skip
def test_a_column_has_the_type_that_fits_every_cell(
    cells: list[str], kind: str, values: list[Any]
) -> None:
    found = typed(cells)
    assert (found.type, found.values) == (kind, values)


def test_a_table_without_a_header_gets_numbered_columns(library: Library) -> None:
    table, frame = frame_of(library, "t.csv", "Bern,12.5,3\nUlm,7.5,4\n")
    assert [column.name for column in table.columns] == ["column_1", "column_2", "column_3"]
    assert len(frame) == 2


def test_words_above_and_below_a_table_are_text(library: Library) -> None:
    words = "Revenue by city\nAll figures in CHF\n\n"
    text = f"{words}city,2024,2025\nBern,1,2\nUlm,3,4\nSource: own data\n"
    table, frame = frame_of(library, "t.csv", text)
    assert frame.columns.tolist() == ["city", "2024", "2025"]
    assert table.rows == 2
    texts = [hit.passage.text for hit in library.search(["figures in CHF", "own data"])]
    assert "Revenue by city\nAll figures in CHF" in texts
    assert "Source: own data" in texts


def test_repeated_and_missing_column_names_become_distinct(library: Library) -> None:
    table, _ = frame_of(library, "t.csv", "name,,value,value\na,b,1,2\nc,d,3,4\n")
    assert [column.name for column in table.columns] == ["name", "column_2", "value", "value_2"]


def test_figures_are_found_with_their_rows(library: Library) -> None:
    rows = "\n".join(f"City {n},{n * 10},{n / 4}" for n in range(1, 61))
    library.add("cities.csv", f"city,people,area\n{rows}\n".encode())
    hit = library.search(["How many people live in City 47?"])[0]
    assert hit.passage.place.rows is not None
    first, last = hit.passage.place.rows
    assert first <= 47 <= last
    assert "city: City 47; people: 470; area: 11.75" in hit.passage.text


def test_a_workbook_has_a_table_for_each_block_of_a_sheet(library: Library) -> None:
    data = making.workbook(
        {
            "Sales": [
                ["Sales by branch"],
                [],
                ["Branch", 2024, 2025, "Growth"],
                ["Bern", 1200, 1350.5, 0.125],
                ["Ulm", 980, 1010, 0.031],
                [],
                ["Person", "Start"],
                ["Ann", dt.datetime(2024, 3, 1)],
                ["Bob", dt.datetime(2025, 9, 15)],
            ],
            "说明": [["金额单位为千元。"]],
        },
        formats={"D": "0.0%"},
    )
    document = library.add("branches.xlsx", data)
    assert (document.kind, document.rows, document.tables) == ("xlsx", 4, 2)
    sales, people = library.tables()
    assert (sales.title, sales.name, sales.place.sheet) == (
        "Sales by branch", "sales_by_branch", "Sales"
    )  # fmt: skip
    frame = pd.read_parquet(sales.path)
    assert frame["2025"].tolist() == [1350.5, 1010.0]
    assert frame["Growth"].tolist() == [12.5, 3.1]
    assert types(people) == {"Person": "text", "Start": "date"}
    [hit] = [h for h in library.search(["金额单位"]) if "千元" in h.passage.text]
    assert hit.passage.place.sheet == "说明"


def test_names_of_tables_are_safe_and_unique_in_the_library(library: Library) -> None:
    text = "a,b\nx,1\ny,2\n"
    names = []
    files = {"../../Sales 2025.csv": "", "sales-2025.csv": "z,3\n", "销售.csv": "w,4\n"}
    for name, extra in files.items():
        table, _ = frame_of(library, name, text + extra)
        names.append(table.name)
        assert Path(table.path).is_relative_to(library_home(table))
    assert names == ["sales_2025", "sales_2025_2", "table"]


def library_home(table: Table) -> Path:
    return Path(table.path).parents[2] / "tables"


def test_a_sheet_that_claims_to_be_endless_is_read_at_once(library: Library) -> None:
    document = library.add("far.xlsx", making.far_cell())
    assert document.passages >= 1


def test_of_a_long_table_all_rows_are_computed_on_and_the_first_are_searched(
    tmp_path: Path,
) -> None:
    rows = "\n".join(f"{n},{n % 7}" for n in range(5200))
    reading = making.read(tmp_path, "long.csv", f"number,rest\n{rows}\n".encode())
    assert reading.grids[0].rows == 5200
    assert reading.blocks[-1].rows is not None and reading.blocks[-1].rows[1] == 5000
    [warning] = reading.warnings
    assert (warning.key, warning.params["done"]) == ("knowledge.rows_indexed", 5000)
