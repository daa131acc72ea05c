"""Awkward tables go the whole way: read by the library, coded without a key, run in the sandbox."""

from __future__ import annotations

import pytest

from tests.agents.extractive.showing import Desk


def test_a_header_in_the_third_row_under_a_title_and_a_unit(desk: Desk) -> None:
    shown = desk.show("How did revenue by division change?", "revenue-by-division.xlsx")
    assert shown.kinds == ["scatter"] * 3
    assert shown.axes == ("Year", "Revenue (EUR thousand)")
    assert shown.series() == {
        "Pumps": [1200, 1320, 1500],
        "Valves": [800, 760, 700],
        "Service": [400, 520, 650],
    }
    assert shown.printed[0] == (
        "Revenue (EUR thousand), total: 2023 2,400 → 2024 2,600 → 2025 2,850 (+18.8 %)"
    )
    assert shown.key_figures["Revenue, Service, change", "2023 to 2025"] == (62.5, "%")
    assert shown.key_figures["Revenue, total", "2025"] == (2850, "EUR thousand")
    assert shown.title in shown.alt and "2,850" in shown.alt


def test_one_year_that_is_asked_for_alone(desk: Desk) -> None:
    shown = desk.show("What was revenue by division in 2024?", "revenue-by-division.xlsx")
    assert shown.title == "Revenue by division, 2024"
    assert shown.bars() == {"Pumps": 1320, "Valves": 760, "Service": 520}
    assert "Revenue (EUR thousand), total: 2,600" in shown.printed


def test_a_year_that_the_table_does_not_have_is_named(desk: Desk) -> None:
    shown = desk.show("What was revenue by division in 2019?", "revenue-by-division.xlsx")
    assert "The table has no figures for 2019; what it has is shown." in shown.printed
    assert shown.title == "Revenue by division, 2025"


def test_german_decimals_between_semicolons(desk: Desk) -> None:
    shown = desk.show("How did Umsatz by Filiale change?", "umsatz-filialen.csv")
    assert shown.kinds == ["bar", "bar"]
    assert shown.figure["data"][0]["x"] == ["Kiel", "Hamburg", "Bremen", "Rostock"]
    assert shown.series() == {
        "2024": [12400.0, 1234.5, 987.25, 450.75],
        "2025": [11900.1, 1500.0, 1012.75, 587.15],
    }
    assert shown.axes == ("Filiale", "Umsatz (EUR)")
    total = "Umsatz (EUR), total: 2024 15,072.5 → 2025 15,000.0 (-0.5 %)"
    assert shown.printed[0] == total


def test_chinese_scales_are_brought_to_one(desk: Desk) -> None:
    shown = desk.show("各产品线收入如何变化？", "产品线收入.csv")
    assert shown.series() == {"2023年": [1.2, 0.86, 0.34], "2024年": [1.5, 1.1, 0.4]}
    assert shown.axes == ("产品线", "收入（亿）")
    assert shown.printed[0] == "收入（亿），合计：2023年 2.40 → 2024年 3.00（+25.0 %）"
    assert shown.printed[-2:] == [
        "以下各行是其他行的合计，未重复计入：合计。",
        "原表数值的单位为亿、万，均已换算为亿。",
    ]
    assert shown.alt.startswith("分组柱状图：收入（按产品线），2023年至2024年。")


def test_shares_are_told_in_chinese(desk: Desk) -> None:
    shown = desk.show("各产品线收入占比是多少？", "产品线收入.csv")
    assert shown.title == "各产品线的收入占比，2024年"
    assert shown.axes == ("产品线", "占比（%）")
    bars = shown.bars()
    assert list(bars) == ["智能终端", "云服务", "配件"]
    assert list(bars.values()) == pytest.approx([50, 1.1 / 3 * 100, 0.4 / 3 * 100], abs=1e-5)
    assert shown.key_figures["收入，配件，占比", "2024年"] == (13.3, "%")


def test_wide_years_beside_a_column_and_above_a_row_of_totals(desk: Desk) -> None:
    shown = desk.show("How did exports by country change?", "exports.xlsx")
    assert shown.kinds == ["scatter"] * 3
    assert shown.figure["data"][0]["x"] == ["2021", "2022", "2023", "2024"]
    assert shown.series() == {
        "Poland": [20.0, 19.0, 18.0, 17.5],
        "Norway": [10.5, 11.0, 12.5, 14.0],
        "Spain": [5.0, 6.5, 8.0, 9.5],
    }
    assert shown.axes == ("Period", "Exports (USD million)")
    assert shown.printed[-2:] == [
        "Left out because it adds up other columns: Total.",
        "Left out because they add up other rows: Total.",
    ]


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("Which country's exports grew fastest?", ["Spain", "Norway", "Poland"]),
        ("Which two countries' exports declined most?", ["Poland", "Norway"]),
    ],
)
def test_changes_come_in_the_order_that_was_asked_for(
    desk: Desk, question: str, order: list[str]
) -> None:
    bars = desk.show(question, "exports.xlsx").bars()
    assert list(bars) == order
    changes = {"Spain": 90.0, "Norway": 100 / 3, "Poland": -12.5}
    assert bars == pytest.approx({name: changes[name] for name in order}, abs=1e-5)


def test_quarters_in_names_and_a_last_year_not_over(desk: Desk) -> None:
    shown = desk.show("How did orders by channel develop?", "orders-by-channel.csv")
    assert shown.series() == {
        "Store": [
            300 + 310 + 320 + 330,
            340 + 350 + 360 + 370,
            380 + 390 + 400 + 410,
        ],
        "Online": [
            100 + 110 + 120 + 130,
            140 + 150 + 160 + 170,
            180 + 190 + 200 + 210,
        ],
    }
    assert shown.axes == ("Year", "Orders")
    assert "Left out because parts of it are missing: 2025." in shown.printed
    by_quarter = desk.show("How did orders by channel develop by quarter?", "orders-by-channel.csv")
    assert len(by_quarter.figure["data"][0]["x"]) == 14
    assert by_quarter.series()["Store"][-1] == 430


def test_days_before_months_with_figures_missing(desk: Desk) -> None:
    shown = desk.show("How did deliveries by depot develop?", "deliveries.csv")
    assert shown.figure["data"][0]["x"] == ["2025-01", "2025-02", "2025-03", "2025-04"]
    assert shown.series() == {"North": [120, 130, None, 150], "South": [80, None, 95, 125]}
    assert "Rows without a figure, left out: 2." in shown.printed
    assert not any("total" in line for line in shown.printed)


def test_currency_signs_and_negative_amounts_in_parentheses(desk: Desk) -> None:
    shown = desk.show("How did net profit by business unit change?", "net-profit.csv")
    assert shown.series() == {"2024": [2100, 1250.5, -300.25], "2025": [1900, 1400, -120.75]}
    assert shown.axes == ("Business unit", "Net profit ($)")
    assert shown.key_figures["Net profit, Wholesale, change", "2024 to 2025"] == (179.5, "$")
    assert shown.key_figures["Net profit, Retail, change", "2024 to 2025"] == (12.0, "%")


def test_percentages_are_never_added_up(desk: Desk) -> None:
    shown = desk.show("How did the readmission rate by hospital change?", "readmissions.csv")
    assert shown.printed == [
        "Readmission rate (%), Cedar: 2023 15.5 → 2024 13.0 → 2025 12.0 (-3.5)",
        "Readmission rate (%), Alder: 2023 12.5 → 2024 11.0 → 2025 10.5 (-2.0)",
        "Readmission rate (%), Birch: 2023 9.0 → 2024 9.5 → 2025 8.5 (-0.5)",
    ]
    change = shown.key_figures["Readmission rate, Cedar, change", "2023 to 2025"]
    assert change == (-3.5, "percentage points")
    lowest = desk.show("Which hospital has the lowest readmission rate?", "readmissions.csv")
    assert next(iter(lowest.bars().items())) == ("Birch", 8.5)


def test_merged_categories_with_subtotals_between(desk: Desk) -> None:
    shown = desk.show("What are sales by region?", "furniture-sales.xlsx")
    assert shown.bars() == {"North": 120 + 200 + 30, "South": 90 + 60 + 75}
    assert shown.axes == ("Region", "Sales (GBP thousand)")
    assert "Left out because they add up other rows: Subtotal, Grand total." in shown.printed
    assert "Sales (GBP thousand), total: 575" in shown.printed


def test_the_same_question_gets_the_same_code(desk: Desk) -> None:
    question = "How did exports by country change?"
    assert desk.show(question, "exports.xlsx").code == desk.show(question, "exports.xlsx").code
