"""The report of the extractive analyst: sections of quotes, and key points on top."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from research.agents.analyst import ReportBrief
from research.agents.extractive import ExtractiveAnalyst
from research.models import Finding, Passage, Place, Plan, Source, Step, StepStatus, StepType
from tests.agents.extractive.walking import is_verbatim, quotes_in, silent

FALL = Passage.of(
    "doc",
    "Sales in Norway fell by 4 % in 2025. The fall was caused by the strike in Oslo, which lasted "
    "from March until the middle of June and closed both warehouses.",
    Place(page=3, heading=("Norway",)),
)
RISE = Passage.of(
    "doc",
    "Revenue rose by 9 % to 55 million euros. It was helped by a new contract with the railways.",
    Place(page=4, heading=("Sweden",)),
)


def finding(
    step: str, text: str, *passages: Passage, status: StepStatus = StepStatus.DONE
) -> Finding:
    """A finding that quotes."""
    ids = tuple(passage.id for passage in passages)
    return Finding(step_id=step, status=status, text=text, passage_ids=ids)


@pytest.fixture
def brief() -> ReportBrief:
    steps = (
        Step(id="s1", title="Norway"),
        Step(id="s2", title="All countries"),
        Step(id="s3", title="Denmark"),
        Step(id="s4", title="Broken"),
        Step(id="s5", title="Figures: Sales", type=StepType.PROCESSING),
    )
    fall = f"- {FALL.text} [^{FALL.id}]"
    rise = f"- {RISE.text} [^{RISE.id}]"
    both = f"**Norway**\n\n{fall}\n\n**Sweden**\n\n{rise}"
    figures = "Computed from the table:\n\n- Sales, total: 2024 90 → 2025 95 (+5.6 %) [^calc]"
    findings = (
        finding("s1", fall, FALL),
        finding("s2", both, FALL, RISE),
        finding("s3", "No direct evidence found."),
        finding("s4", "", status=StepStatus.FAILED),
        finding("s5", figures),
    )
    return ReportBrief(
        question="Why did sales by country change?",
        kind="why",
        language="en",
        plan=Plan(title="Why did sales by country change?", steps=steps),
        findings=findings,
        passages={FALL.id: FALL, RISE.id: RISE},
        sources={
            "doc": Source(id="doc", kind="document", title="Report", locator="r.pdf", sha256="0")
        },
    )


def sections(analyst: ExtractiveAnalyst, brief: ReportBrief) -> dict[str, str]:
    """The sections of a report by their titles."""
    outline = asyncio.run(analyst.outline(brief))
    return {
        planned.title: asyncio.run(analyst.write_section(brief, outline, index, silent))
        for index, planned in enumerate(outline.sections)
    }


def test_each_step_that_was_carried_out_has_its_section(
    analyst: ExtractiveAnalyst, brief: ReportBrief
) -> None:
    assert list(sections(analyst, brief)) == [
        "Norway",
        "All countries",
        "Denmark",
        "Figures: Sales",
    ]
    assert asyncio.run(analyst.outline(brief)).title == brief.question


def test_nothing_is_quoted_twice(analyst: ExtractiveAnalyst, brief: ReportBrief) -> None:
    written = sections(analyst, brief)
    assert "strike in Oslo" in written["Norway"]
    assert "strike in Oslo" not in written["All countries"]
    assert "contract with the railways" in written["All countries"]


def test_a_step_that_only_repeats_has_no_section(
    analyst: ExtractiveAnalyst, brief: ReportBrief
) -> None:
    first = brief.findings[0]
    again = first.model_copy(update={"step_id": "s2"})
    repeated = replace(brief, findings=(first, again, *brief.findings[2:]))
    assert "All countries" not in sections(analyst, repeated)


def test_a_step_without_evidence_says_so(analyst: ExtractiveAnalyst, brief: ReportBrief) -> None:
    assert sections(analyst, brief)["Denmark"] == "No direct evidence found."


def test_figures_are_told_as_they_were_computed(
    analyst: ExtractiveAnalyst, brief: ReportBrief
) -> None:
    assert sections(analyst, brief)["Figures: Sales"] == brief.findings[4].text


def test_the_key_points_are_the_headline_and_the_best_sentences(
    analyst: ExtractiveAnalyst, brief: ReportBrief
) -> None:
    points = asyncio.run(analyst.summarise(brief, (), silent)).splitlines()
    assert points[0] == "- Sales, total: 2024 90 → 2025 95 (+5.6 %) [^calc]"
    assert 2 <= len(points) <= 5
    assert any("Sales in Norway fell by 4 % in 2025." in point for point in points)
    for words, passage_id in quotes_in("\n".join(points[1:])):
        assert is_verbatim(words, brief.passages[passage_id])


def test_a_key_point_that_does_not_name_its_subject_is_put_under_its_heading(
    analyst: ExtractiveAnalyst, brief: ReportBrief
) -> None:
    points = asyncio.run(analyst.summarise(brief, (), silent))
    assert f"- **Sweden**: Revenue rose by 9 % to 55 million euros. [^{RISE.id}]" in points


def test_the_name_above_a_heading_is_the_subject_where_the_heading_is_none(
    analyst: ExtractiveAnalyst, brief: ReportBrief
) -> None:
    deep = RISE.model_copy(
        update={"place": Place(heading=("Countries", "New Zealand", "Why revenue rose"))}
    )
    quoting = finding("s1", f"- {deep.text} [^{deep.id}]", deep)
    told = replace(brief, findings=(quoting,), passages={deep.id: deep})
    points = asyncio.run(analyst.summarise(told, (), silent))
    assert points.startswith("- **New Zealand**: Revenue rose by 9 %")


def test_the_headline_is_of_what_the_question_names(
    analyst: ExtractiveAnalyst, brief: ReportBrief
) -> None:
    lines = "Computed from the table:\n\n- Sales, total: 90 [^c]\n- Sales, Norway: 50 [^c]"
    findings = (*brief.findings[:4], finding("s5", lines))
    asked = replace(brief, question="Why did sales in Norway fall?", findings=findings)
    points = asyncio.run(analyst.summarise(asked, (), silent))
    assert points.startswith("- Sales, Norway: 50")


def test_a_report_on_nothing_says_that_nothing_was_found(
    analyst: ExtractiveAnalyst, brief: ReportBrief
) -> None:
    empty = replace(brief, findings=(brief.findings[2],))
    assert asyncio.run(analyst.summarise(empty, (), silent)) == "- No direct evidence found."
    assert sections(analyst, empty) == {"Denmark": "No direct evidence found."}
