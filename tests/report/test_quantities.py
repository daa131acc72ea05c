from __future__ import annotations

import pytest

from research.report.quantities import Figures, quantities

HELD = [
    ("$412.6 million", "revenue of 412,583,000 dollars"),
    ("$412.6 million", "Revenue (USD million) | 412.6"),
    ("$412.6 million", "Revenue ($m): 412.6"),
    ("4.1亿美元", "revenue of $412.6 million"),
    ("收入412.6亿元", "营业收入（亿元） 412.6"),
    ("5.2万", "增长52,000"),
    ("1,234", "1234"),
    ("12.4%", "12.36 percent"),
    ("12%", "12.4%"),
    ("12%", "Margin, %\n12"),
    ("百分之3", "3%"),
    ("12–18%", "between 12% and 18%"),
    ("$5-10 million", "between 5 million and 10 million"),
    ("about 400 million", "412 million"),
    ("５０万人", "500,000人"),
    ("20m", "20 metres, or 20 m"),
    ("3.2个百分点", "3.2 percentage points"),
    ("-3.1%", "(3.1)%"),
    ("2024", "12 March 2024"),
]
NOT_HELD = [
    ("12%", "12 employees"),
    ("12.4%", "12.5%"),
    ("2023", "in 2024"),
    ("5 regions", "4.8"),
    ("$412.6 million", "412.6 thousand"),
    ("400 million", "412 million"),
    ("10 million", "10"),
    ("1,234", "1235"),
    ("41.3亿", "41.26万"),
]


@pytest.mark.parametrize(("claim", "passage"), HELD)
def test_a_number_is_found_whatever_its_form(claim: str, passage: str) -> None:
    held = Figures(passage)
    assert [number.text for number in quantities(claim) if not held.hold(number)] == []


@pytest.mark.parametrize(("claim", "passage"), NOT_HELD)
def test_another_number_is_not_taken_for_it(claim: str, passage: str) -> None:
    held = Figures(passage)
    assert any(not held.hold(number) for number in quantities(claim))


def test_digits_within_names_are_no_numbers() -> None:
    assert quantities("In Q3 the A320 and CO2 went by v1") == []


def test_numbers_separated_by_commas_are_all_read() -> None:
    assert [number.text for number in quantities("EMEA,412.6,2025")] == ["412.6", "2025"]


def test_the_head_of_a_table_gives_its_scale() -> None:
    (number,) = quantities("31.2")
    assert Figures("31.2 million").hold(number, {1e6})
    assert not Figures("31.2 million").hold(number)
