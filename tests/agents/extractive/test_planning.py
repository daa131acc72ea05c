"""Plans follow the headings under which the evidence lies."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from research.agents.extractive import ExtractiveAnalyst
from research.graph.plans import read_plan
from research.knowledge.library import Library
from research.models import Hit, Passage, Place, Plan, Source, StepType
from tests.agents.extractive.walking import brief_of, plan_of, silent, walk

QUESTION = "How did revenue by region change, and why?"


@pytest.fixture(scope="module")
def report(analyst: ExtractiveAnalyst, samples: Library, tmp_path_factory: pytest.TempPathFactory):
    return walk(analyst, samples, QUESTION, tmp_path_factory.mktemp("work"))


def test_the_sample_question_gets_sensible_steps_and_one_calculation(report) -> None:
    titles = [step.title for step in report.plan.steps]
    types = [step.type for step in report.plan.steps]
    assert 3 <= len(titles) <= 5
    assert "Revenue by region" in titles
    assert "Regional review" in titles
    assert types.count(StepType.PROCESSING) == 1
    assert all(step.description and not step.depends_on for step in report.plan.steps)


def test_its_digest_has_the_figures_and_the_reasons_of_every_region(report) -> None:
    for figure in ("455.3", "341.8", "171.9", "168.4", "66.7", "1,204.1"):
        assert figure in report.quoted
    for reason in (
        "List prices were raised by 3.5 percent",
        "212 pharmaceutical sites",
        "Local competitors cut the prices",
        "Our own sales subsidiary in Pune",
        "Producers of lithium in Chile and Argentina",
        "the outage and recovery of the Rostock plant",
    ):
        assert reason in report.quoted


def test_its_digest_says_nothing_beside_the_point(report) -> None:
    for word in ("dividend", "patents", "magnets", "sprinklers", "accidents", "emissions"):
        assert word not in report.quoted


def test_a_plan_can_be_carried_out_as_it_is(analyst: ExtractiveAnalyst, samples: Library) -> None:
    brief = brief_of(analyst, samples, QUESTION)
    plan = plan_of(analyst, brief)
    read, problems, notices = read_plan(
        plan.model_dump_json(),
        language="en",
        max_steps=5,
        web=False,
        tables=[table.id for table in brief.tables],
    )
    assert (problems, notices) == ([], [])
    assert read == plan


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_plan_has_no_more_steps_than_may_be(
    analyst: ExtractiveAnalyst, samples: Library, most: int
) -> None:
    plan = plan_of(analyst, brief_of(analyst, samples, QUESTION, max_steps=most))
    assert 1 <= len(plan.steps) <= most


def test_a_comparison_gets_a_step_for_each_side(
    analyst: ExtractiveAnalyst, samples: Library
) -> None:
    plan = plan_of(
        analyst, brief_of(analyst, samples, "Compare revenue growth in EMEA and Greater China")
    )
    titles = [step.title for step in plan.steps]
    assert {"EMEA: revenue growth", "Greater China: revenue growth"} <= set(titles)
    assert plan.steps[-1].type is StepType.PROCESSING


def test_a_passage_that_compares_gets_a_step_before_the_sides(
    analyst: ExtractiveAnalyst, documents: Library
) -> None:
    plan = plan_of(
        analyst, brief_of(analyst, documents, "Compare the Basic plan and the Office plan")
    )
    assert [step.title for step in plan.steps] == ["Plans and limits", "Basic plan", "Office plan"]


def test_a_chinese_question_gets_a_chinese_plan(
    analyst: ExtractiveAnalyst, documents: Library
) -> None:
    plan = plan_of(analyst, brief_of(analyst, documents, "各地区营业收入如何变化？原因是什么？"))
    assert plan.language == "zh"
    assert plan.steps[0].title == "分地区营业收入"
    assert "摘录" in plan.steps[0].description


def test_what_nothing_answers_gets_one_search_for_the_question_itself(
    analyst: ExtractiveAnalyst, samples: Library
) -> None:
    question = "How many employees work on Mars?"
    plan = plan_of(analyst, brief_of(analyst, samples, question))
    (step,) = plan.steps
    assert step.title == "How many employees work on Mars"
    assert step.queries[0] == question


def test_pages_of_the_web_are_named_by_their_titles_and_searched_for_again(
    analyst: ExtractiveAnalyst, samples: Library
) -> None:
    page = Source(
        id="web",
        kind="web",
        title="Battery price review",
        locator="https://example.org",
        sha256="0",
    )
    text = "Battery prices fell by 40 % between 2022 and 2024. Cheaper lithium explains the fall."
    passage = Passage.of("web", text, Place())
    brief = replace(
        brief_of(analyst, samples, "Why did battery prices fall?"),
        background=(Hit(passage=passage, score=1.0),),
        sources={"web": page},
        web=True,
        tables=(),
    )
    (step,) = plan_of(analyst, brief).steps
    assert step.title == "Battery price review"
    assert step.needs_web


def test_a_proposal_that_was_sent_back_is_made_plainer(
    analyst: ExtractiveAnalyst, samples: Library
) -> None:
    brief = brief_of(analyst, samples, QUESTION)
    left = plan_of(analyst, brief)
    tangled = left.model_copy(
        update={
            "steps": tuple(
                step.model_copy(update={"depends_on": ("s1",) if step.id != "s1" else ()})
                for step in left.steps
            )
        }
    )
    told = replace(brief, previous=tangled, feedback="also the outlook", max_steps=2)
    again = asyncio.run(analyst.plan(told, ("too many steps",), silent))
    plan = Plan.model_validate_json(again)
    assert len(plan.steps) == 2
    assert all(step.depends_on == () for step in plan.steps)


def test_no_step_is_a_generic_frame(report) -> None:
    for step in report.plan.steps:
        assert not any(
            frame in step.title.lower()
            for frame in ("difference", "summary", "conclusion", "analysis")
        )
