from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest

from tests.knowledge.making_tables import Collected, collected

NORTH, SOUTH = ["North", 1, 2, 3, 4], ["South", 5, 6, 7, 8]


def csv(tmp_path: Path, text: str) -> Collected:
    return collected(tmp_path, "numbers.csv", text)


def test_a_header_below_a_title_and_a_unit_line_is_found(tmp_path: Path) -> None:
    text = 'Revenue by region,,\nin CHF thousand,,\nRegion,2024,2025\nN,"1,200",1300\nS,800,900\n'
    found = csv(tmp_path, text)
    assert found.rows() == [["N", 1200, 1300], ["S", 800, 900]]
    assert (found.grids[0].title, found.grids[0].header) == ("Revenue by region", (3, 3))
    assert found.units() == ["", "CHF thousand", "CHF thousand"]
    assert found.words == ["Revenue by region\nin CHF thousand"]


def test_a_chinese_unit_line_counts_for_amounts_but_not_for_rates(tmp_path: Path) -> None:
    rows = "地区,2024年,同比增长率,员工人数\n华东,1234.5,5.3%,30\n华南,980,3.1%,20\n"
    found = csv(tmp_path, f"营业收入,,\n单位：万元,,\n{rows}")
    assert found.names() == ["地区", "2024年", "同比增长率", "员工人数"]
    assert found.units() == ["", "万元", "%", ""]
    assert found.grids[0].title == "营业收入"


def test_a_chinese_statement_keeps_its_unit_for_its_years(tmp_path: Path) -> None:
    head = (
        "合并利润表,,,\n编制单位：青岚科技,,,单位：元 币种：人民币\n项目,附注,2025年度,2024年度\n"
    )
    body = '营业收入,七、61,"8,612,345,678.90","7,701,234.10"\n营业利润,,-,"(1,201.10)"\n'
    found = collected(tmp_path, "利润表.csv", (head + body).encode("gb18030"))
    assert found.rows() == [
        ["营业收入", "七、61", 8612345678.9, 7701234.1], ["营业利润", None, None, -1201.1]
    ]  # fmt: skip
    assert found.units() == ["", "", "元", "元"]
    assert found.grids[0].title == "合并利润表"


def test_a_line_for_excel_is_no_title(tmp_path: Path) -> None:
    found = csv(tmp_path, "sep=;\na;b\nx;1,5\ny;2,5\n")
    assert (found.words, found.rows()) == ([], [["x", 1.5], ["y", 2.5]])
    assert found.grids[0].origin == "A2"


@pytest.mark.parametrize("label", ["Region,2024,,2025,\n,Q1", ",2024,,2025,\nRegion,Q1"])
def test_a_header_of_two_rows_is_joined(tmp_path: Path, label: str) -> None:
    found = csv(tmp_path, f"{label},Q2,Q1,Q2\nNorth,1,2,3,4\nSouth,5,6,7,8\n")
    assert found.names() == ["Region", "2024 / Q1", "2024 / Q2", "2025 / Q1", "2025 / Q2"]
    assert found.rows() == [NORTH, SOUTH]
    assert found.grids[0].header == (1, 2)


def test_a_row_of_units_gives_units_and_no_names(tmp_path: Path) -> None:
    found = csv(tmp_path, "Region,Revenue,Growth\n,USD m,%\nNorth,1,2\nSouth,5,6\n")
    assert (found.names(), found.units()) == (["Region", "Revenue", "Growth"], ["", "USD m", "%"])
    assert found.rows() == [["North", 1, 2], ["South", 5, 6]]


def test_a_first_row_of_words_is_data_where_the_header_is_complete(tmp_path: Path) -> None:
    found = csv(tmp_path, "name,city,amount\nAnn,Bern,\nBob,Ulm,5\n")
    assert found.rows() == [["Ann", "Bern", None], ["Bob", "Ulm", 5]]


def test_a_repeated_header_is_no_data(tmp_path: Path) -> None:
    found = csv(tmp_path, "Name,Amount\nA,1\n\nName,Amount\nB,2\nName,Amount\nC,3\n")
    assert found.rows() == [["A", 1], ["B", 2], ["C", 3]]
    assert len(found.grids) == 1


def test_years_and_months_may_be_names(tmp_path: Path) -> None:
    assert csv(tmp_path, ",2024,2025\nA,1,2\nB,3,4\n").names() == ["column_1", "2024", "2025"]
    assert csv(tmp_path, "Item,1,2,3\nA,10,20,30\n").names() == ["Item", "1", "2", "3"]
    dates = csv(tmp_path, "Item,2024-03-31,2024-06-30\nA,10,20\n")
    assert dates.names() == ["Item", "2024-03-31", "2024-06-30"]


def test_a_table_without_a_header_keeps_its_first_row(tmp_path: Path) -> None:
    found = csv(tmp_path, "Bern,12.5,3\nUlm,7.5,4\n")
    assert found.rows() == [["Bern", 12.5, 3], ["Ulm", 7.5, 4]]
    assert found.grids[0].header is None


def test_tables_side_by_side_are_two(tmp_path: Path) -> None:
    found = csv(tmp_path, "Region,Sales,,Region,Cost\nN,1,,N,5\nS,2,,S,6\nW,3,,,\n")
    assert [grid.origin for grid in found.grids] == ["A1", "D1"]
    assert found.rows(0) == [["N", 1], ["S", 2], ["W", 3]]
    assert found.rows(1) == [["N", 5], ["S", 6]]


def test_a_blank_column_within_a_table_does_not_cut_it(tmp_path: Path) -> None:
    found = csv(tmp_path, "Item,,2023,2024,,Q1\nRevenue,,10,20,,1\nCost,,5,6,,3\n")
    assert found.names() == ["Item", "2023", "2024", "Q1"]
    assert found.rows() == [["Revenue", 10, 20, 1], ["Cost", 5, 6, 3]]


def test_a_remark_beside_a_table_is_no_column(tmp_path: Path) -> None:
    remark = "Restated after the sale of the toys division in May"
    found = csv(tmp_path, f"Item,2023,2024,,{remark}\nRevenue,10,20,,\nCost,5,6,,\nTax,1,1,,\n")
    assert found.names() == ["Item", "2023", "2024"]
    assert remark in found.words


def test_sections_between_blank_rows_stay_one_table(tmp_path: Path) -> None:
    text = "Sheet,2024,2025\nAssets,,\nCash,10,20\nLoans,30,40\n\nDebts,,\nBonds,25,35\nBills,1,2\n"
    found = csv(tmp_path, text)
    labels = [row[0] for row in found.rows()]
    assert labels == ["Assets", "Cash", "Loans", "Debts", "Bonds", "Bills"]


def test_tables_below_each_other_have_their_own_titles(tmp_path: Path) -> None:
    found = csv(tmp_path, "Sales\nRegion,Amount\nN,1\nS,2\n\nStaff\nName,Start\nAnn,2024-03-01\n")
    assert [(grid.title, grid.origin) for grid in found.grids] == [("Sales", "A2"), ("Staff", "A7")]
    assert found.rows(1) == [["Ann", dt.date(2024, 3, 1)]]


def test_properties_above_a_table_are_neither_table_nor_title(tmp_path: Path) -> None:
    text = "Company:,ACME\nCurrency:,USD\n\nItem,2024,2025\nRevenue,1,2\nCost,3,4\n"
    found = csv(tmp_path, text)
    assert [grid.title for grid in found.grids] == ["numbers"]
    assert found.units() == ["", "USD", "USD"]


def test_notes_below_a_table_are_words(tmp_path: Path) -> None:
    found = csv(
        tmp_path, "Item,2024,2025\nSales*,100,120\nCost,50,n.a.\n* restated\nSource: ACME\n"
    )
    assert found.rows() == [["Sales*", 100, 120], ["Cost", 50, None]]
    assert found.words == ["* restated\nSource: ACME"]


@pytest.mark.parametrize(
    ("text", "totals"),
    [
        ("R,P,A\nN,a,1\nN,b,2\nN,小计,3\nS,a,4\nS,b,5\nS,小 计,9\n合计,,12\n", (3, 6, 7)),
        ("R,A\nN,1\nS,2\nTotal 2025:,3\n", (3,)),
        ("Country,2023,2024\nA,10,11\nB,20,22\nC,30,33\nGroup,60,66\n", (4,)),
        ("Item,2024,Change\nCash,10,5%\nLoans,30,2%\nTotal assets,40,3%\n", (3,)),
        ("Key figure,2024,2025\nRevenue,100,120\nTotal assets,500,510\nTotal staff,5,6\n", ()),
        ("Item,2024,2025\nRevenue,100,120\nCost,-60,-70\nTax,-10,-10\nProfit,30,40\n", ()),
        ("Sex,Count\nTotal,3\nTotal,4\nTotal,5\nMale,2\n", ()),
    ],
)
def test_totals_are_told_by_their_names_and_their_sums(
    tmp_path: Path, text: str, totals: tuple[int, ...]
) -> None:
    found = csv(tmp_path, text)
    assert found.grids[0].totals == totals
    assert found.grids[0].rows == text.count("\n") - 1  # they stay in the data
