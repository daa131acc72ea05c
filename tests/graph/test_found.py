"""The numbers of earlier findings: value, unit and period, as the sentence has them."""

from __future__ import annotations

import pytest

from research.graph.steps.found import numbers_found
from research.models import Finding, Passage, Source, StepStatus

SOURCE = Source(id="s", kind="document", title="Report", locator="report.pdf", sha256="0")


def found(sentence: str, passage: str = "") -> list[tuple[float, str, str]]:
    held = Passage.of("s", passage or sentence)
    finding = Finding(
        step_id="a", status=StepStatus.DONE, text=f"{sentence} [^{held.id}]", passage_ids=(held.id,)
    )
    numbers = numbers_found([finding], {held.id: held}, {"s": SOURCE})
    assert all(one.passage_id == held.id and one.source == "Report" for one in numbers)
    return [(one.value, one.unit, one.period) for one in numbers]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "Revenue rose from $412.0 million in 2023 to $498.3 million in 2025.",
            [(412e6, "USD", "2023"), (498.3e6, "USD", "2025")],
        ),
        (
            "2023年营收为4,120万元，2025年增至4,983万元，增长20.9%。",
            [(4120e4, "元", "2023年"), (4983e4, "元", "2025年"), (20.9, "%", "2025年")],
        ),
        (
            "From 2023 to 2025 it grew by 20.9 per cent, and 1,204 employees joined.",
            [(20.9, "%", "2023 to 2025"), (1204, "employees", "2023 to 2025")],
        ),
        (
            "The margin moved by -3.2 percentage points to 11.5% (2024).",
            [(-3.2, "percentage points", "2024"), (11.5, "%", "2024")],
        ),
        ("Q3 2025 cost EUR 5m.", [(5e6, "EUR", "Q3 2025")]),
        ("Chapter 3 of the 2024 edition names 12 causes.", []),
    ],
)
def test_numbers_come_with_unit_and_period(
    sentence: str, expected: list[tuple[float, str, str]]
) -> None:
    assert found(sentence) == expected


def test_a_number_that_its_passage_does_not_hold_is_left_out() -> None:
    assert found("It was 7.5 tonnes and 9.5 tonnes.", "They weighed 7.5 tonnes.") == [
        (7.5, "tonnes", "")
    ]
