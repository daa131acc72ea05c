"""The plan editor: what is in the fields is what is carried out."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from research.models import Plan, StepType
from research.runs.service import RunService
from tests.pages.conftest import OpenPage, waiting_run
from tests.servers.server import Server


@pytest.fixture
def run_id(model: Server, service: RunService) -> str:
    return waiting_run(service)


@pytest.fixture
def page(run_id: str, opened: OpenPage) -> AppTest:
    return opened(run=run_id)


@pytest.fixture
def plan(run_id: str, service: RunService) -> Plan:
    plan = service.view(run_id).plan
    assert plan and len(plan.steps) >= 2
    return plan


def key(run_id: str, step: str, name: str) -> str:
    return f"plan-{run_id}-1-{step}-{name}"


def press(page: AppTest, name: str) -> None:
    page.button(key=name).click().run()
    assert not page.exception


def approved(page: AppTest, service: RunService, run_id: str) -> Plan:
    """The plan as the engine took it."""
    press(page, "plan-approve")
    service.wait(run_id)
    plan = service.view(run_id).plan
    assert plan and service.view(run_id).approved
    return plan


def titles(page: AppTest) -> list[str]:
    return [str(each.value) for each in page.text_input if each.key and each.key.endswith("-title")]


def test_an_untouched_plan_is_carried_out_as_proposed(
    page: AppTest, plan: Plan, service: RunService, run_id: str
) -> None:
    assert titles(page) == [step.title for step in plan.steps]
    assert approved(page, service, run_id) == plan


def test_every_field_is_obeyed(page: AppTest, plan: Plan, service: RunService, run_id: str) -> None:
    first, second = plan.steps[0].id, plan.steps[1].id
    page.text_input(key=key(run_id, first, "title")).set_value("The tides")
    page.text_area(key=key(run_id, first, "description")).set_value("How high they are.")
    page.radio(key=key(run_id, first, "type")).set_value(StepType.PROCESSING)
    page.multiselect(key=key(run_id, second, "depends_on")).set_value([first])
    steps = approved(page, service, run_id).steps
    assert (steps[0].title, steps[0].description) == ("The tides", "How high they are.")
    assert steps[0].type is StepType.PROCESSING
    assert steps[0].queries == ()
    assert steps[1].depends_on == (first,)


def test_what_was_typed_survives_every_other_button(page: AppTest, plan: Plan, run_id: str) -> None:
    page.text_input(key=key(run_id, plan.steps[0].id, "title")).set_value("The tides")
    press(page, "plan-add")
    assert titles(page) == ["The tides", *[step.title for step in plan.steps[1:]], ""]


def test_steps_move(page: AppTest, plan: Plan, service: RunService, run_id: str) -> None:
    press(page, key(run_id, plan.steps[0].id, "down"))
    ids = [step.id for step in approved(page, service, run_id).steps]
    assert ids[:2] == [plan.steps[1].id, plan.steps[0].id]


def test_a_removed_step_is_nobodys_dependency(
    page: AppTest, plan: Plan, service: RunService, run_id: str
) -> None:
    first, second = plan.steps[0].id, plan.steps[1].id
    page.multiselect(key=key(run_id, second, "depends_on")).set_value([first])
    press(page, key(run_id, first, "remove"))
    steps = approved(page, service, run_id).steps
    assert [step.id for step in steps] == [step.id for step in plan.steps[1:]]
    assert steps[0].depends_on == ()


def test_a_step_without_a_title_is_not_approved(
    page: AppTest, service: RunService, run_id: str
) -> None:
    press(page, "plan-add")
    press(page, "plan-approve")
    assert "no title" in page.error[0].value
    assert not service.view(run_id).approved


def test_a_revision_needs_words(page: AppTest, service: RunService, run_id: str) -> None:
    press(page, "plan-revise")
    assert "should be different" in page.error[0].value


def test_a_revision_brings_a_new_plan(
    page: AppTest, service: RunService, run_id: str, model: Server
) -> None:
    page.text_area(key=f"plan-{run_id}-1-feedback").set_value("Look at Brest as well")
    press(page, "plan-revise")
    service.wait(run_id)
    assert service.view(run_id).revision == 2
    assert any("Look at Brest as well" in each.prompt for each in model.model.requests)


def test_a_second_tab_that_comes_too_late_is_told(
    page: AppTest, service: RunService, run_id: str, opened: OpenPage
) -> None:
    other = opened(run=run_id)
    press(page, "plan-approve")
    service.wait(run_id)
    press(other, "plan-approve")
    assert not other.exception
    assert titles(other) == []
