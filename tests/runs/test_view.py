"""The fold: events in, what a screen shows out."""

from __future__ import annotations

from typing import Any

from research.models import Event, EventKind, Plan, RunStatus, Step, StepStatus
from research.runs.view import fold

PLAN = Plan(title="P", steps=(Step(id="s1", title="A"), Step(id="s2", title="B")))


def events(*items: tuple[EventKind, dict[str, Any]], node: str = "team") -> list[Event]:
    return [
        Event(seq=seq, time=float(seq), kind=kind, node=node, payload=payload)
        for seq, (kind, payload) in enumerate(items, 1)
    ]


def approved() -> tuple[EventKind, dict[str, Any]]:
    return EventKind.PLAN_APPROVED, {"plan": PLAN.model_dump(mode="json")}


def test_folding_in_two_parts_shows_the_same_as_at_once() -> None:
    told = events(
        approved(),
        (EventKind.STEP_STARTED, {"step_id": "s1"}),
        (EventKind.TEXT, {"deltas": {"step:s1": "one "}, "restart": []}),
        (EventKind.TEXT, {"deltas": {"step:s1": "two"}, "restart": []}),
    )
    at_once = fold(told)
    parts = fold(told, fold(told[:2]))
    assert at_once == parts
    assert at_once.steps["s1"].text == "one two"


def test_text_that_begins_anew_replaces_what_was_there() -> None:
    view = fold(
        events(
            approved(),
            (EventKind.TEXT, {"deltas": {"step:s1": "broken", "section:0": "x"}, "restart": []}),
            (EventKind.TEXT, {"deltas": {"step:s1": "whole"}, "restart": ["step:s1"]}),
        )
    )
    assert view.steps["s1"].text == "whole"
    assert view.texts == {"section:0": "x"}


def test_what_was_under_way_when_a_run_stops_is_cancelled_and_waits_again_when_it_resumes() -> None:
    call = {"kind": "model", "label": "planner", "step_id": "s1"}
    told = events(
        approved(),
        (EventKind.NODE_STARTED, {}),
        (EventKind.STEP_STARTED, {"step_id": "s1"}),
        (EventKind.CALL_STARTED, call),
        (EventKind.RUN_FINISHED, {"status": "stopped"}),
        (EventKind.RUN_RESUMED, {}),
    )
    stopped = fold(told[:5])
    assert stopped.status is RunStatus.STOPPED
    assert {step.status for step in stopped.steps.values()} == {StepStatus.CANCELLED}
    assert stopped.calls[4].seconds == 1.0
    assert stopped.current_node == ""
    resumed = fold(told)
    assert resumed.active
    assert {step.status for step in resumed.steps.values()} == {StepStatus.WAITING}


def test_usage_adds_up_for_the_run_and_for_the_step() -> None:
    usage = {"calls": 1, "prompt_tokens": 10, "completion_tokens": 5, "cost": 0.5}
    done = {"seconds": 2.0, "usage": usage, "error": None}
    view = fold(
        events(
            approved(),
            (EventKind.CALL_STARTED, {"kind": "model", "label": "r", "step_id": "s2"}),
            (EventKind.CALL_STARTED, {"kind": "model", "label": "r", "step_id": None}),
            (EventKind.CALL_FINISHED, {"call": 2, **done}),
            (EventKind.CALL_FINISHED, {"call": 3, **done}),
        )
    )
    assert view.usage.prompt_tokens == 20
    assert view.steps["s2"].usage.cost == 0.5
    assert view.calls[3].seconds == 2.0


def test_waiting_for_the_user_does_not_count_as_work() -> None:
    waited = fold(
        events(
            (
                EventKind.RUN_STARTED,
                {"question": "q", "mode": "model", "search": "", "language": "en"},
            ),
            (EventKind.RUN_WAITING, {}),
            (EventKind.RUN_RESUMED, {}),
            (EventKind.RUN_FINISHED, {"status": "complete"}),
        )
    )
    assert waited.worked(now=100.0) == 2.0
