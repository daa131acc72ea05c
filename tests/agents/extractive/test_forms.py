"""The views a question may want: crossed, related, ranked, spread, and told of levels and rates."""

from __future__ import annotations

from statistics import correlation

import pytest

from tests.agents.extractive import awkward
from tests.agents.extractive.showing import Desk


def test_two_categories_are_crossed_and_double_rows_added(desk: Desk) -> None:
    shown = desk.show("收入按地区和产品的交叉表", "销售明细.csv")
    assert shown.kinds == ["bar"] * 3
    assert shown.series() == {
        "家电": [220, 60, 20],
        "服装": [80, 120, None],
        "食品": [60, None, 45],
    }
    assert shown.columns == ("销售地区", "家电", "服装", "食品", "合计")
    assert shown.rows == (
        ("华东", 220, 80, 60, 360),
        ("华南", 60, 120, None, 180),
        ("西北", 20, None, 45, 65),
        ("合计", 300, 200, 105, 605),
    )
    assert shown.axes == ("销售地区", "收入（万元）")
    assert "同一项有多行数据时已加总。" in shown.printed


def test_many_cells_become_a_heat_map(desk: Desk) -> None:
    rows = [
        f"{city},{month},{10 * at + number}"
        for at, city in enumerate(awkward.CITIES[:6], 1)
        for number, month in enumerate(("Food", "Toys", "Books", "Shoes"), 1)
    ]
    file = ("sales-by-city.csv", awkward.lines("City,Department,Sales", *rows))
    shown = desk.show("Show sales by city and department", file)
    assert shown.kinds == ["heatmap"]
    assert shown.axes == ("Department", "City")
    (cells,) = shown.figure["data"]
    assert (cells["x"][0], cells["y"][-1], cells["z"][-1][0]) == ("Shoes", "Frome", 64)
    assert shown.rows[-1][-1] == sum(10 * at + n for at in range(1, 7) for n in range(1, 5))


def test_two_measures_are_correlated(desk: Desk) -> None:
    shown = desk.show("How does price relate to units sold?", "jam-prices.csv")
    dots, line = shown.figure["data"]
    assert (dots["mode"], dots["x"], dots["y"]) == (
        "markers",
        list(awkward.PRICES),
        list(awkward.UNITS),
    )
    assert line["mode"] == "lines"
    assert shown.axes == ("Price (USD)", "Units sold")
    r = round(correlation(awkward.PRICES, awkward.UNITS), 2)
    assert f"correlation r = {r:.2f} (Pearson, n = 8)" in shown.printed[0]
    assert shown.key_figures["Correlation r", ""] == (r, "")
    assert "A correlation does not show that one causes the other." in shown.printed
    assert "Rows without a figure, left out: 1." in shown.printed


def test_what_the_table_does_not_measure_is_not_correlated(desk: Desk) -> None:
    shown = desk.show("How does the weather relate to net profit?", "net-profit.csv")
    assert "scatter" not in shown.kinds


@pytest.mark.parametrize(
    ("question", "cities"),
    [
        ("Which five cities have the most visitors?", awkward.CITIES[:-6:-1]),
        ("What are the top 3 cities by visitors?", awkward.CITIES[:-4:-1]),
        ("Which are the three cities with the fewest visitors?", awkward.CITIES[:3]),
        ("Which cities have the most visitors?", awkward.CITIES[:-11:-1]),
    ],
)
def test_as_many_are_ranked_as_were_asked_for(
    desk: Desk, question: str, cities: tuple[str, ...]
) -> None:
    shown = desk.show(question, "museum-visitors.xlsx")
    assert list(shown.bars()) == [f"City of {name}" for name in cities]
    assert list(shown.bars().values()) == [
        1000 * (awkward.CITIES.index(name) + 1) + 7 for name in cities
    ]
    assert any(line.startswith(f"The {len(cities)} ") for line in shown.printed)
    assert any(line.startswith("Not shown: City of") for line in shown.printed)


@pytest.mark.parametrize("question", ["收入前两名的产品类别", "收入最高的两个产品类别是哪些？"])
def test_the_number_is_read_from_chinese(desk: Desk, question: str) -> None:
    assert desk.show(question, "销售明细.csv").bars() == {"家电": 300, "服装": 200}


def test_a_distribution_by_category_is_drawn_as_boxes(desk: Desk) -> None:
    file = ("waits.csv", awkward.lines("Clinic,Wait (min)", "A,5", "A,7", "A,30", "B,2", "B,4"))
    shown = desk.show("How is the wait distributed by clinic?", file)
    assert shown.kinds == ["box", "box"]
    assert shown.series() == {"A": [5, 7, 30], "B": [2, 4]}
    assert shown.printed[0] == "Wait (min), A: median 7, from 5 to 30 (3 values)"
    assert shown.rows[0][0] == "A" and shown.rows[0][4] == 7


def test_levels_are_not_added_up_over_time(desk: Desk) -> None:
    rows = [
        f"{site},{year},Q{quarter},{start + 10 * (year - 2023) + quarter}"
        for site, start in (("Oslo", 100), ("Gdansk", 200))
        for year in (2023, 2024, 2025)
        for quarter in (1, 2, 3, 4)
    ]
    file = ("headcount.csv", awkward.lines("Site,Year,Quarter,Headcount", *rows))
    shown = desk.show("How did headcount by site change?", file)
    assert shown.series() == {"Gdansk": [204, 214, 224], "Oslo": [104, 114, 124]}
    assert shown.printed[0].startswith("Headcount, total: 2023 308 → 2024 328 → 2025 348")
    assert any(line.startswith("The figures are levels") for line in shown.printed)


def orders() -> tuple[str, bytes]:
    """Four orders a month over three years, with an amount and a discount."""
    rows = [
        f"{year}-{month:02d}-{day:02d},{product},{region},{amount},{discount}"
        for year in (2023, 2024, 2025)
        for month in range(1, 13)
        for day, (product, region, amount, discount) in enumerate(
            [("Chair", "North", 10, 5), ("Chair", "South", 20, 5), ("Sofa", "North", 300, 15)], 1
        )
    ]
    return "orders.csv", awkward.lines("Date,Product,Region,Amount (EUR),Discount %", *rows)


def test_amounts_are_meant_where_no_column_is_named(desk: Desk) -> None:
    shown = desk.show("What are sales by product and region?", orders())
    assert shown.series() == {"North": [3600 * 3, 120 * 3], "South": [None, 240 * 3]}
    assert "All periods are taken together: 2023-01-01 to 2025-12-03." in shown.printed


def test_a_rate_that_is_named_is_averaged(desk: Desk) -> None:
    shown = desk.show("What is the average discount by product?", orders())
    assert shown.axes == ("Date", "Discount (%)")
    assert shown.series() == {"Sofa": [15, 15, 15], "Chair": [5, 5, 5]}
    assert shown.printed[-1] == "Each figure is the plain average of its rows."


def test_single_sides_over_many_periods_are_compared_as_lines(desk: Desk) -> None:
    shown = desk.show("Compare North and South by amount by quarter", orders())
    assert shown.kinds == ["scatter", "scatter"]
    assert shown.figure["data"][0]["x"][::11] == ["2023Q1", "2025Q4"]
    assert shown.series() == {"North": [930] * 12, "South": [60] * 12}


def test_nothing_to_draw_is_said_in_a_sentence(desk: Desk) -> None:
    file = ("stock.csv", awkward.lines("Item,Price,Weight", "A,1,n/a", "B,n/a,3", "C,n/a,4"))
    _, result = desk.run("How does price relate to weight?", file)
    assert result.charts == ()
    assert result.stdout.strip() == (
        "No row with a figure fits the question, so there is nothing to draw."
    )
