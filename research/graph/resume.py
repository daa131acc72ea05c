"""Where a run goes on: from the start, from the user's word, from a crash, or from a failure."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langgraph.types import Command

from research.graph.wiring import ResearchGraph
from research.models import PlanDecision


class StillWaiting(Exception):  # noqa: N818 - a state of the run, not an error
    """The run waits for the user, who has not spoken yet."""


async def next_input(
    graph: ResearchGraph,
    config: Any,
    question: str,
    decision: Callable[[int], PlanDecision | None],
    *,
    again: bool,
) -> Any:
    """What the graph is to be called with so that a run goes on from where it is.

    Args:
        graph: The compiled graph, with its checkpoints.
        config: Names the run's thread.
        question: Of the run, for its very first call.
        decision: Gives the user's word on a revision of the plan.
        again: The run had ended in failure or with failed steps, and those are to be tried anew.

    Raises:
        StillWaiting: There is nothing to do until the user speaks.
    """
    state = await graph.aget_state(config)
    if not state.values and not state.next:
        return {"question": question}
    if state.interrupts:
        word = decision(state.interrupts[0].value["revision"])
        if word is None:
            raise StillWaiting
        return Command(resume=word.model_dump(mode="json"))
    if again and not state.next:
        tries = state.values.get("tries", 0) + 1
        await graph.aupdate_state(config, {"approved": True, "tries": tries}, as_node="feedback")
    elif again and state.next == ("validate",):
        made = {"attempts_before": state.values["attempts"]}
        await graph.aupdate_state(config, made, as_node="background")
    return None
