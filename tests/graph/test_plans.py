"""Reading plans out of what planners say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from research.errors import PlanError
from research.graph.plans import check_edited, read_plan
from research.models import Plan, Step, StepType


def read(proposal: Any, **options: Any) -> Any:
    text = proposal if isinstance(proposal, str) else json.dumps(proposal)
    defaults: dict[str, Any] = {"language": "en", "max_steps": 5, "web": True, "tables": ["t1"]}
    return read_plan(text, **{**defaults, **options})


def steps(*titles: str, **fields: Any) -> list[dict[str, Any]]:
    return [{"title": title, "description": "", "type": "research", **fields} for title in titles]


def test_steps_are_numbered_and_research_steps_search_the_web_when_there_is_one() -> None:
    plan, problems, notices = read({"title": "P", "steps": steps("A", "B")})
    assert (problems, notices) == ([], [])
    assert [step.id for step in plan.steps] == ["s1", "s2"]
    assert all(step.needs_web for step in plan.steps)
    offline, _, _ = read({"title": "P", "steps": steps("A")}, web=False)
    assert not offline.steps[0].needs_web


@pytest.mark.parametrize(
    "wanted", [["A"], ["s1"], [1], "1", ["a"]], ids=["title", "id", "number", "text", "case"]
)
def test_a_dependency_may_be_named_in_any_plain_way(wanted: Any) -> None:
    second = {"title": "B", "type": "PROCESSING", "depends_on": wanted}
    plan, _, notices = read({"steps": [*steps("A"), second]})
    assert plan.steps[1].depends_on == ("s1",)
    assert plan.steps[1].type is StepType.PROCESSING
    assert notices == []


def test_pairs_of_step_numbers_are_dependencies_too() -> None:
    plan, _, _ = read({"steps": steps("A", "B"), "dependencies": [{"step": 2, "needs": 1}]})
    assert plan.steps[1].depends_on == ("s1",)


def test_a_circle_and_a_dependency_on_nothing_are_cut_and_told() -> None:
    circle = [
        {"title": "A", "depends_on": ["B"]},
        {"title": "B", "depends_on": ["A", "C"]},
    ]
    plan, _, notices = read({"steps": circle})
    assert sum(len(step.depends_on) for step in plan.steps) == 1
    assert [notice.key for notice in notices] == ["plans.dependency_dropped"]


@pytest.mark.parametrize(
    "proposal",
    ["", "I cannot plan this.", '{"steps": []}', '{"title": "x"}', {"steps": steps("", "B")}],
)
def test_what_is_no_plan_is_a_problem_and_never_a_smaller_plan(proposal: Any) -> None:
    plan, problems, _ = read(proposal)
    assert plan is None
    assert problems


def test_too_many_steps_are_a_problem_not_cut_off() -> None:
    plan, problems, _ = read({"steps": steps(*"ABCDEF")}, max_steps=5)
    assert plan is None
    assert "6 steps" in problems[0]


def test_fences_thoughts_and_trailing_commas_do_not_hide_a_plan() -> None:
    said = '<think>{"steps": [no]}</think>```json\n{"steps": [{"title": "A",},],}\n```'
    plan, problems, _ = read(said)
    assert problems == []
    assert plan.steps[0].title == "A"


def test_an_edited_plan_loses_what_points_nowhere_but_no_step() -> None:
    edited = Plan(
        title="P",
        steps=(Step(id="s1", title="A", depends_on=("gone",)), Step(id="s3", title="B")),
    )
    assert [step.depends_on for step in check_edited(edited).steps] == [(), ()]


@pytest.mark.parametrize(
    "edited", [Plan(title="P"), Plan(title="P", steps=(Step(id="s1", title=" "),))]
)
def test_an_edited_plan_that_cannot_be_carried_out_is_refused_with_a_sentence(edited: Plan) -> None:
    with pytest.raises(PlanError) as refused:
        check_edited(edited)
    assert refused.value.sentence("zh") != refused.value.sentence("en")
