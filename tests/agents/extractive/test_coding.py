"""The code of processing steps runs, computes right, and draws what was asked."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from research.agents.analyst import CodeTask
from research.agents.extractive import ExtractiveAnalyst
from research.i18n import language_of
from research.knowledge.library import Library
from research.models import Column, Step, StepType, Table
from tests.agents.extractive.walking import run, silent


@dataclass
class Made:
    """What the code of a step brought about."""

    code: str
    printed: list[str]
    figure: dict[str, Any]
    rows: pd.DataFrame

    @property
    def title(self) -> str:
        return self.figure["layout"]["title"]["text"]


def saved(frame: pd.DataFrame, title: str, folder: Path) -> Table:
    """``frame`` as a table of the library."""

    def kind(name: str) -> str:
        if pd.api.types.is_numeric_dtype(frame[name]):
            return "number"
        return "date" if pd.api.types.is_datetime64_any_dtype(frame[name]) else "text"

    path = folder / "source.parquet"
    frame.to_parquet(path)
    columns = tuple(
        Column(
            name=name,
            type=kind(name),
            examples=tuple(dict.fromkeys(map(str, frame[name].dropna())))[:8],
        )
        for name in frame
    )
    return Table(
        id="t",
        source_id="doc",
        name="t",
        title=title,
        columns=columns,
        rows=len(frame),
        path=str(path),
    )


@pytest.fixture
def make(analyst: ExtractiveAnalyst, tmp_path: Path):
    """Runs the code for a question on a table."""

    def made(
        question: str, table: Table | pd.DataFrame, title: str = "Figures", step: str = ""
    ) -> Made:
        if isinstance(table, pd.DataFrame):
            table = saved(table, title, tmp_path)
        task = CodeTask(
            question=question,
            kind="general",
            language=language_of(question),
            step=Step(id="s1", title=step or f"Figures: {table.title}", type=StepType.PROCESSING),
            tables=(table,),
        )
        code = asyncio.run(analyst.write_code(task, silent))
        work = tmp_path / f"run{len(list(tmp_path.iterdir()))}"
        printed = run(code, (table,), work).splitlines()
        (chart,) = (work / "out").glob("*.json")
        rows = pd.read_csv(chart.with_suffix(".csv"))
        return Made(code, printed, json.loads(chart.read_text("utf-8")), rows)

    return made


@pytest.fixture
def sample(samples: Library) -> Table:
    return samples.tables()[-1]


def test_a_trend_is_drawn_as_lines_and_its_figures_are_right(make, sample: Table) -> None:
    made = make("How did revenue by region change, and why?", sample)
    assert made.printed[0] == (
        "Revenue (USD million), total: 2023 1,087.2 → 2024 1,119.7 → 2025 1,204.1 (+10.8 %)"
    )
    assert (
        "Revenue (USD million), EMEA: 2023 318.4 → 2024 297.1 → 2025 341.8 (+7.3 %)" in made.printed
    )
    assert made.title == "Revenue by region, 2023 to 2025"
    assert {trace["type"] for trace in made.figure["data"]} == {"scatter"}
    assert len(made.figure["data"]) == 5
    assert made.figure["layout"]["yaxis"]["title"]["text"] == "Revenue (USD million)"
    assert made.figure["layout"]["xaxis"]["type"] == "category"
    assert made.printed[1] in made.figure["layout"]["meta"]["alt"]
    assert list(made.rows.columns) == ["Region", "2023", "2024", "2025"]
    assert made.rows.set_index("Region").loc["EMEA"].tolist() == [318.4, 297.1, 341.8]


def test_named_sides_are_compared_in_grouped_bars(make, sample: Table) -> None:
    made = make("Compare units sold in EMEA and North America", sample)
    assert sorted(made.rows["Region"]) == ["EMEA", "North America"]
    assert made.figure["layout"]["barmode"] == "group"
    assert not any("total" in line for line in made.printed)


def test_shares_are_of_the_last_period(make, sample: Table) -> None:
    made = make("What is the share of each region in operating income?", sample)
    assert made.printed[0] == "Operating income (USD million), North America: 43.3 % (83.8 / 193.6)"
    assert made.title.endswith("shares in 2025")
    assert sum(made.figure["data"][0]["x"]) == pytest.approx(100, abs=0.3)


def test_the_fastest_comes_first(make, sample: Table) -> None:
    made = make("Which region grew fastest in revenue?", sample)
    assert made.printed[0].startswith("Revenue (USD million), Rest of Asia Pacific")
    bars = made.figure["data"][0]
    assert (bars["orientation"], bars["y"][-1]) == ("h", "Rest of Asia Pacific")
    assert bars["x"][-1] == pytest.approx((168.4 / 121.7 - 1) * 100)
    assert made.figure["layout"]["xaxis"]["title"]["text"] == "Change in percent"


def test_quarters_are_shown_when_they_are_asked_for(make, sample: Table) -> None:
    made = make("How did revenue change by quarter?", sample)
    assert list(made.rows.columns[1:4]) == ["2023 Q1", "2023 Q2", "2023 Q3"]


def test_a_title_written_by_hand_says_which_figures_are_meant(make, sample: Table) -> None:
    made = make("How did revenue by region change?", sample, step="Units sold by region")
    assert "Units sold" in made.title or "Revenue" in made.title
    own = make("How are we doing by region?", sample, step="Units sold")
    assert own.title.startswith("Units sold")


def test_a_wide_chinese_table_speaks_chinese_and_leaves_out_its_totals(make) -> None:
    frame = pd.DataFrame(
        {
            "地区": ["华东", "华南", "西北", "合计"],
            "2024年": [33.8, 18.6, 19.2, 71.6],
            "2022年": [21.5, 18.5, 24.7, 64.7],
            "2023年": [28.0, 18.5, 22.0, 68.5],
        }
    )
    made = make("各地区营业收入如何变化？", frame, "分地区营业收入（单位：亿元）")
    assert (
        made.printed[0]
        == "营业收入（亿元），合计：2022年 64.7 → 2023年 68.5 → 2024年 71.6（+10.7 %）"
    )
    assert made.title == "营业收入（按地区），2022年至2024年"
    assert set(made.rows["地区"]) == {"华东", "华南", "西北"}
    assert made.figure["layout"]["meta"]["alt"].startswith("折线图：")


def test_rows_that_the_reader_found_to_be_totals_are_left_out(make, tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "region": ["North", "South", "Mainland", "Islands", "All together"],
            "year": ["2024", "2024", "2024", "2024", "2024"],
            "sales": [10.0, 20.0, 30.0, 5.0, 35.0],
        }
    )
    table = saved(frame, "Sales by region", tmp_path).model_copy(update={"totals": (3, 5)})
    made = make("What are sales by region?", table)
    assert set(made.rows.iloc[:, 0]) == {"North", "South", "Islands"}


def test_one_line_of_a_table_of_key_figures_is_picked(make) -> None:
    frame = pd.DataFrame(
        {
            "USD million unless stated": [
                "Revenue",
                "Operating income",
                "Operating margin, percent",
            ],
            "2023": [1087.2, 169.7, 15.6],
            "2024": [1119.7, 166.9, 14.9],
            "2025": [1204.1, 193.6, 16.1],
        }
    )
    made = make("How did the operating margin change?", frame, "Key figures of the group")
    assert made.printed == ["Operating margin, percent: 2023 15.6 → 2024 14.9 → 2025 16.1 (+0.5)"]


def test_a_year_that_is_not_over_is_left_out_and_named(make) -> None:
    dates = pd.date_range("2021-01-01", "2024-04-30", freq="MS")
    frame = pd.DataFrame({"date": dates, "amount": 10.0})
    made = make("How did the amount develop?", frame, "Sales")
    assert made.printed == [
        "Amount: 2021 120 → 2022 120 → 2023 120 (+0.0 %)",
        "Left out because parts of it are missing: 2024.",
        "Where several rows belong to one figure, they are added up.",
    ]


def test_rates_are_averaged_and_their_change_told_in_points(make) -> None:
    frame = pd.DataFrame(
        {
            "City": ["A", "A", "B", "B"] * 2,
            "Year": [2023] * 4 + [2024] * 4,
            "Satisfaction rate (%)": [80, 82, 70, None, 85, 85, 75, 77],
        }
    )
    made = make("How did the satisfaction rate change by city?", frame, "Survey")
    assert made.printed == [
        "Satisfaction rate (%), A: 2023 81 → 2024 85 (+4)",
        "Satisfaction rate (%), B: 2023 70 → 2024 76 (+6)",
        "Rows without a figure, left out: 1.",
        "Each figure is the plain average of its rows.",
    ]


def test_a_missing_figure_is_not_taken_for_nothing(make) -> None:
    frame = pd.DataFrame(
        {"Region": ["N", "S"] * 2, "Year": [2023, 2023, 2024, 2024], "Sales": [5.0, 7.0, None, 8.0]}
    )
    made = make("How did sales by region change?", frame)
    assert "Sales, N: 2023 5" in made.printed
    assert not any("total" in line for line in made.printed)


def test_a_table_of_metrics_is_read_by_the_metric_asked_for(make) -> None:
    frame = pd.DataFrame(
        {
            "Country": ["France", "Italy"] * 4,
            "Indicator": ["GDP", "GDP", "Population", "Population"] * 2,
            "Year": [2020] * 4 + [2021] * 4,
            "Value": [1.0, 2.0, 60, 59, 1.5, 2.1, 61, 58],
        }
    )
    made = make("How did GDP develop by country?", frame, "World data")
    assert made.title == "GDP by country, 2020 to 2021"
    assert made.rows.set_index("Country").loc["Italy"].tolist() == [2.0, 2.1]


def test_only_the_largest_of_many_are_shown_and_that_is_said(make) -> None:
    frame = pd.DataFrame({"Shop": [f"Shop {n}" for n in range(20)], "Sales": range(20)})
    made = make("What are the sales of each shop?", frame)
    assert made.figure["data"][0]["y"][::-1] == [f"Shop {n}" for n in range(19, 4, -1)]
    assert made.printed[-2:] == [
        "The 15 largest of 20 are shown.",
        "Not shown: Shop 4, Shop 3, Shop 2, Shop 1, Shop 0.",
    ]
    assert len(made.rows) == 20


def test_figures_without_a_name_are_shown_by_their_distribution(make) -> None:
    made = make("How are the sizes distributed?", pd.DataFrame({"Size": [1.0, 2.0, 3.0, 10.0]}))
    assert made.figure["data"][0]["type"] == "histogram"
    assert "Size, median: 2.5" in made.printed or "Size, median: 2" in made.printed


def test_odd_names_do_no_harm(make) -> None:
    frame = pd.DataFrame({"Product {x} '\"$y": ["A", "B"], "Price $ (EUR)": [1.25, 2.5]})
    made = make("What is the price of each product?", frame, 'Prices "new"')
    assert "product {x} '\"$y" in made.title
    assert len(made.printed) == 2 or made.printed[-1].startswith("Each figure")


def test_after_an_error_plainer_code_is_written(
    analyst: ExtractiveAnalyst, sample: Table, tmp_path: Path
) -> None:
    task = CodeTask(
        question="How did revenue change?",
        kind="trend",
        language="en",
        step=Step(id="s1", title="Figures", type=StepType.PROCESSING),
        tables=(sample,),
        previous_code="boom",
        error="KeyError: 'period'",
    )
    code = asyncio.run(analyst.write_code(task, silent))
    assert "revenue_musd: 13.5 - 123.4" in run(code, (sample,), tmp_path / "work")


def test_what_was_printed_is_quoted_as_a_list(analyst: ExtractiveAnalyst, sample: Table) -> None:
    task = CodeTask(
        question="?",
        kind="trend",
        language="en",
        step=Step(id="s1", title="Figures", type=StepType.PROCESSING),
        tables=(sample,),
    )
    explained = asyncio.run(analyst.explain_result(task, "A: 1 → 2\n\nB: 3 * 4\n", silent))
    assert explained == "Computed from the table:\n\n- A: 1 → 2\n- B: 3 \\* 4"
    nothing = asyncio.run(analyst.explain_result(task, "\n", silent))
    assert nothing == "The calculation gave no figures."
