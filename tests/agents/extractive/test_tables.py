"""Tables: what their columns are for, and which of them carry what was asked."""

from __future__ import annotations

import pytest

from research.agents.extractive.labels import label_of, titled, unit_of_name
from research.agents.extractive.question import read_question
from research.agents.extractive.tables import carrying, roles_of
from research.agents.extractive.vectors import Vectors
from research.models import Column, Table


def table(title: str, **columns: tuple[str, ...]) -> Table:
    """A table with these examples in its columns; they are figures where they look like it."""
    made = tuple(
        Column(
            name=name,
            type="number" if examples[0].replace(".", "").isdigit() else "text",
            examples=examples,
        )
        for name, examples in columns.items()
    )
    return Table(
        id=title, source_id="doc", name="t", title=title, columns=made, rows=20, path="/none"
    )


REVENUE = table(
    "revenue-by-region",
    region=("EMEA", "North America", "Greater China"),
    year=("2023", "2024", "2025"),
    quarter=("Q1", "Q2"),
    revenue_musd=("95.7",),
    units_sold=("6739",),
)
CHINESE = table(
    "分地区营业收入", **{"地区": ("华东", "西北"), "2022年": ("21.5",), "2024年": ("33.8",)}
)
STAFF = table(
    "Employees by country", Country=("Norway", "Poland"), **{"2023": ("1",), "2024": ("2",)}
)
ALL = [REVENUE, CHINESE, STAFF]


def names(columns: tuple[Column, ...]) -> list[str]:
    return [column.name for column in columns]


def test_a_long_table_has_periods_categories_and_measures() -> None:
    roles = roles_of(REVENUE)
    assert names(roles.periods) == ["year", "quarter"]
    assert names(roles.categories) == ["region"]
    assert names(roles.measures) == ["revenue_musd", "units_sold"]
    assert roles.period_columns == ()


def test_a_wide_table_has_a_column_for_each_period_in_time_order() -> None:
    backwards = table(
        "Key figures", Item=("Revenue",), **{"2025": ("3",), "2023": ("1",), "2024": ("2",)}
    )
    roles = roles_of(backwards)
    assert names(roles.period_columns) == ["2023", "2024", "2025"]
    assert roles.measures == ()


def test_a_column_of_numbers_is_not_taken_for_years_by_their_size_alone() -> None:
    assert names(roles_of(table("Sales", shop=("A",), sales=("19000", "20500"))).measures) == [
        "sales"
    ]


@pytest.mark.parametrize(
    ("question", "fitting"),
    [
        ("How did revenue by region change, and why?", [REVENUE]),
        ("Why did revenue in Greater China fall?", [REVENUE]),
        ("Compare EMEA and North America", [REVENUE]),
        ("How many employees work in Norway?", [STAFF]),
        ("各地区营业收入如何变化？原因是什么？", [CHINESE]),
        ("What is the CEO's favourite colour?", []),
        ("How many employees work on Mars?", []),
        ("What are the risks in Greater China?", []),
        ("Who audits the company?", []),
        ("公司有多少员工？", []),
    ],
)
def test_a_table_is_chosen_for_what_its_figures_are_of(
    vectors: Vectors, question: str, fitting: list[Table]
) -> None:
    assert carrying(read_question(question), ALL, vectors) == fitting


@pytest.mark.parametrize(
    "question",
    ["What is the distribution of visitors?", "Top five sites by visitors", "Visitors by month"],
)
def test_how_figures_are_to_be_shown_is_not_looked_for_in_a_table(
    vectors: Vectors, question: str
) -> None:
    visitors = table("visitors", month=("2024-01", "2024-02"), site=("Park",), visitors=("120",))
    assert carrying(read_question(question), [visitors], vectors) == [visitors]


def test_a_table_in_the_other_language_serves_where_there_is_none_in_the_right_one(
    vectors: Vectors,
) -> None:
    assert carrying(read_question("各地区收入如何变化？"), [REVENUE, STAFF], vectors) == [REVENUE]


@pytest.mark.parametrize(
    ("name", "label", "unit"),
    [
        ("revenue_musd", "Revenue", "USD million"),
        ("Operating income (EUR million)", "Operating income", "EUR million"),
        ("营业收入（万元）", "营业收入", "万元"),
        ("unitsSold", "Units Sold", ""),
        ("share_pct", "Share", "%"),
        ("usd", "Usd", ""),
    ],
)
def test_names_of_columns_become_labels_with_units(name: str, label: str, unit: str) -> None:
    assert (label_of(name), unit_of_name(name)) == (label, unit)


def test_the_name_of_a_file_is_put_in_words() -> None:
    assert titled(REVENUE) == "Revenue by region"
    assert titled(CHINESE) == "分地区营业收入"
