"""What the user writes about a plan changes it, as far as rules can read it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from research.agents.analyst import Brief
from research.agents.extractive import ExtractiveAnalyst
from research.knowledge.library import Library
from research.models import Plan, Step, StepType
from tests.agents.extractive.walking import brief_of, plan_of, research

QUESTION = "How did revenue by region change, and why?"


@pytest.fixture(scope="module")
def brief(analyst: ExtractiveAnalyst, samples: Library) -> Brief:
    return brief_of(analyst, samples, QUESTION)


@pytest.fixture(scope="module")
def plan(analyst: ExtractiveAnalyst, brief: Brief) -> Plan:
    """Regional review, Revenue by region, and figures, with a step the user wrote."""
    first = plan_of(analyst, brief)
    chosen = [
        step
        for step in first.steps
        if step.title in ("Revenue by region", "Regional review") or step.tables
    ]
    own = Step(id="mine", title="Price increases", description="What prices did.")
    steps = (*chosen[:-1], own, chosen[-1])
    numbered = (
        step.model_copy(update={"id": f"s{number}"}) for number, step in enumerate(steps, 1)
    )
    return first.model_copy(update={"steps": tuple(numbered)})


def titles(plan: Plan) -> list[str]:
    """The titles of a plan, figures shortened."""
    return ["figures" if step.type is StepType.PROCESSING else step.title for step in plan.steps]


ALL = ["Revenue by region", "Regional review", "Price increases", "figures"]


@pytest.mark.parametrize(
    ("feedback", "left"),
    [
        ("drop the chart", ["Revenue by region", "Regional review", "Price increases"]),
        ("Please remove the regional review.", ["Revenue by region", "Price increases", "figures"]),
        ("remove step 2", ["Revenue by region", "Price increases", "figures"]),
        ("keep only steps 1 and 4", ["Revenue by region", "figures"]),
        ("without price increases", ["Revenue by region", "Regional review", "figures"]),
        ("Only the regional review", ["Regional review"]),
        ("at most 2 steps", ["Revenue by region", "figures"]),
        ("去掉第2步", ["Revenue by region", "Price increases", "figures"]),
        ("不要图表", ["Revenue by region", "Regional review", "Price increases"]),
        ("最多两个步骤", ["Revenue by region", "figures"]),
    ],
)
def test_steps_are_dropped_as_the_user_says(
    analyst: ExtractiveAnalyst, brief: Brief, plan: Plan, feedback: str, left: list[str]
) -> None:
    assert titles(plan) == ALL
    assert titles(plan_of(analyst, brief, plan, feedback)) == left


@pytest.mark.parametrize(
    ("feedback", "added"),
    [
        ("also look at employee numbers", "Employee numbers"),
        ("Please add a step on the dividend", "Dividend"),
        ("more detail on Greater China", "Greater China"),
        ("What about currency hedging?", "Currency hedging"),
        ("增加2026年展望的步骤", "2026年展望"),
        ("the supply of magnets matters most to me", "The supply of magnets matters most to me"),
    ],
)
def test_a_step_is_added_for_what_else_is_wanted(
    analyst: ExtractiveAnalyst, brief: Brief, plan: Plan, feedback: str, added: str
) -> None:
    revised = plan_of(analyst, brief, plan, feedback)
    assert titles(revised) == [*ALL[:-1], added, "figures"]
    assert added in revised.thought


def test_several_wishes_are_all_heard(analyst: ExtractiveAnalyst, brief: Brief, plan: Plan) -> None:
    revised = plan_of(analyst, brief, plan, "Add the dividend and drop step 1; remove figures")
    assert titles(revised) == ["Regional review", "Price increases", "Dividend"]


def test_steps_edited_by_hand_stay_as_they_are(
    analyst: ExtractiveAnalyst, brief: Brief, plan: Plan
) -> None:
    revised = plan_of(analyst, brief, plan, "also look at employee numbers")
    kept = {step.title: step for step in revised.steps}
    assert kept["Price increases"].description == "What prices did."
    assert kept["Price increases"].queries == ()


@pytest.mark.parametrize("feedback", ["looks good", "Not enough detail", "no changes", "不够详细"])
def test_what_names_nothing_leaves_the_plan_alone_and_says_so(
    analyst: ExtractiveAnalyst, brief: Brief, plan: Plan, feedback: str
) -> None:
    revised = plan_of(analyst, brief, plan, feedback)
    assert titles(revised) == ALL
    assert feedback in revised.thought


def test_a_full_plan_takes_a_wish_into_the_nearest_step(
    analyst: ExtractiveAnalyst, samples: Library, brief: Brief, plan: Plan
) -> None:
    full = replace(brief, max_steps=4)
    revised = plan_of(analyst, full, plan, "add the dividend")
    assert titles(revised) == ALL
    (joined,) = [step for step in revised.steps if "Dividend" in step.queries]
    assert "1.42 US dollars" in research(analyst, samples, QUESTION, joined).text


def test_dependencies_on_a_dropped_step_are_cut(
    analyst: ExtractiveAnalyst, brief: Brief, plan: Plan
) -> None:
    steps = tuple(
        step.model_copy(update={"depends_on": ("s1", "s2") if step.id == "s3" else ()})
        for step in plan.steps
    )
    revised = plan_of(analyst, brief, plan.model_copy(update={"steps": steps}), "drop step 1")
    assert [step.id for step in revised.steps] == ["s1", "s2", "s3"]
    assert revised.steps[1].depends_on == ("s1",)


def test_figures_come_back_when_they_are_asked_for(
    analyst: ExtractiveAnalyst, brief: Brief, plan: Plan
) -> None:
    without = plan_of(analyst, brief, plan, "no charts")
    assert titles(plan_of(analyst, brief, without, "add a chart")) == ALL


def test_the_web_is_left_out_when_the_user_says_so(
    analyst: ExtractiveAnalyst, brief: Brief, plan: Plan
) -> None:
    online = plan.model_copy(
        update={"steps": tuple(step.model_copy(update={"needs_web": True}) for step in plan.steps)}
    )
    revised = plan_of(analyst, replace(brief, web=True), online, "Please don't use the web")
    assert not any(step.needs_web for step in revised.steps)


def test_a_plan_never_ends_up_empty(analyst: ExtractiveAnalyst, brief: Brief, plan: Plan) -> None:
    revised = plan_of(analyst, brief, plan, "drop steps 1, 2, 3 and 4")
    assert len(revised.steps) == 1
