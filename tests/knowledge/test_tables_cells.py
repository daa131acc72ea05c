from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from research.knowledge.readers.plain_amounts import facts_of, numbers_of
from research.knowledge.readers.units import unit_of_line, unit_of_name
from tests.knowledge.making_tables import collected, typed


@pytest.mark.parametrize(
    ("cells", "kind", "values"),
    [
        (["1.234", "987", "12.345"], "number", [1234, 987, 12345]),
        (["0.125", "1.234"], "number", [0.125, 1.234]),
        (["1.234.567", "1.000"], "number", [1234567, 1000]),
        (["1'234", "500"], "number", [1234, 500]),
        (["1 234,56", "3"], "number", [1234.56, 3.0]),
        (["１，２３４", "（５６）"], "number", [1234, -56]),
        (["1,23,456", "12,345"], "number", [123456, 12345]),
        (["123-", "45"], "number", [-123, 45]),
        (["$ (1,200)", "$ 5"], "number", [-1200, 5]),
        (["−5", "3"], "number", [-5, 3]),
        (["1.2k", "3m", "0"], "number", [1200, 3000000, 0]),
        (["$5m", "$6.5bn"], "number", [5_000_000, 6_500_000_000]),
        (["1.2亿", "3500万"], "number", [120_000_000, 35_000_000]),
        (["1.2k", "300"], "text", ["1.2k", "300"]),
        (["12.5m", "13m"], "number", [12.5, 13]),
        (["1.2万元", "3万元"], "number", [1.2, 3]),
        (["1.2亿元", "8500万元", "40元"], "number", [120_000_000, 85_000_000, 40]),
        (["5%", "0", "3%"], "number", [5, 0, 3]),
        (["1,234*", "56²"], "number", [1234, 56]),
        (["2H", "1H"], "text", ["2H", "1H"]),
        (["12", "n.m.", "—"], "number", [12, None, None]),
        (["2025-03", "2025-04"], "date", [dt.date(2025, 3, 1), dt.date(2025, 4, 1)]),
        (["Mar 2025", "Apr 2025"], "date", [dt.date(2025, 3, 1), dt.date(2025, 4, 1)]),
        (["20250131", "20250228"], "date", [dt.date(2025, 1, 31), dt.date(2025, 2, 28)]),
        (["20250231", "20250228"], "number", [20250231, 20250228]),
        (["45000", "45001"], "number", [45000, 45001]),
        (["Q1 2025", "Q2 2025"], "text", ["Q1 2025", "Q2 2025"]),
        (["Jan-25", "Feb-25"], "text", ["Jan-25", "Feb-25"]),
        (["3-4-2025", "5-4-2025"], "text", ["3-4-2025", "5-4-2025"]),
        ([2.0, 3.0], "number", [2, 3]),
        ([0.5, "n/a"], "number", [0.5, None]),
        ([0.5, "half"], "text", ["0.5", "half"]),
    ],
)  # fmt: skip
def test_cells_are_read_as_people_write_them(cells: list[Any], kind: str, values: Any) -> None:
    found = typed(cells)
    assert (found.type, found.values) == (kind, values)


def test_what_other_columns_say_of_marks_counts(tmp_path: Path) -> None:
    text = "Kunde;Umsatz;Menge;Faktor\nA;1.234,50;1.234;1,234\nB;12,00;2.345;2,345\n"
    found = collected(tmp_path, "umsatz.csv", text)
    assert found.rows() == [["A", 1234.5, 1234, 1.234], ["B", 12.0, 2345, 2.345]]


def test_where_nobody_can_tell_an_amount_stays_text(tmp_path: Path) -> None:
    found = collected(tmp_path, "t.csv", "a;b;c\nx;1,234;1.234\ny;2,345;4.567\n")
    assert found.types() == ["text", "text", "text"]


@pytest.mark.parametrize(
    "cells",
    [
        ["1,234", "5"], ["1,234.5", "(12)"], ["3.1%", "-4%"], ["3.1%", "4"], ["0", "5%"],
        ["1.234", "987"], ["1234", "1.234"], ["-0.5", "12"], ["123,456,789", "0"],
        ["1,234", "2.345"],
    ],
)  # fmt: skip
def test_many_amounts_at_once_come_out_as_one_by_one(cells: list[str]) -> None:
    assert facts_of(cells) is not None
    at_once = typed(cells)
    one_by_one = typed([*cells, "+7%" if "%" in "".join(cells) else "(7) "])
    assert (at_once.type, at_once.values) == (one_by_one.type, one_by_one.values[:-1])


def test_many_amounts_are_written_as_they_are_meant() -> None:
    cells = ["1,234.5", "(12)", "-3%", None, "N/A", "0", "123,456,789"]
    floats = numbers_of(cells, ("n/a",), pa.float64())
    assert floats.to_pylist() == [1234.5, -12, -3, None, None, 0, 123456789]
    assert numbers_of(["1,234", "(5)"], (), pa.int64()).to_pylist() == [1234, -5]
    assert numbers_of(["1", "$2"], (), pa.float64()) is None


@pytest.mark.parametrize(
    ("line", "unit"),
    [
        ("in CHF thousand", "CHF thousand"), ("TEUR", "TEUR"),
        ("(USD millions, except per share data)", "USD millions"),
        ("单位：万元", "万元"), ("金额单位：人民币千元", "人民币千元"), ("Unit: RMB mn", "RMB mn"),
        ("Amounts in thousands of US dollars", "thousands of US dollars"), ("US$'000", "US$'000"),
        ("合并利润表 单位：元 币种：人民币", "元"), ("Revenue (EUR m)", "EUR m"),
        ("Revenue by region", ""), ("2024", ""), ("t", ""), ("Years", ""), ("Born in May", ""),
    ],
)  # fmt: skip
def test_a_line_gives_a_unit_or_none(line: str, unit: str) -> None:
    assert unit_of_line(line) == unit


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("Revenue (USD m)", "USD m"), ("收入（万元）", "万元"), ("Growth %", "%"),
        ("Price, USD", "USD"), ("Weight [kg]", "kg"), ("Revenue (restated)", ""),
        ("Revenue in CHF thousand", "CHF thousand"), ("Q1 (2024)", ""),
        ("每股收益（元/股）", "元/股"),
    ],
)  # fmt: skip
def test_a_name_gives_a_unit_or_none(name: str, unit: str) -> None:
    assert unit_of_name(name) == unit


def test_a_scale_above_and_a_currency_in_the_cells_make_one_unit(tmp_path: Path) -> None:
    text = "Income (in millions)\nItem,2024,2025\nRevenue,$100,$120\nCost,$50,$60\n"
    assert collected(tmp_path, "t.csv", text).units() == ["", "$ millions", "$ millions"]
