"""The map of the research graph: every node, and every way between them.

::

    START -+-> coordinator -+-> handover -research-> background -> planner -> validate
           +-> rewrite -----+      |                               ^  ^  |       |
                               answered                            |  |  +-again-+
                                   |                               |  |          |
                                  END                              | revise    valid
                                                                   |  |          |
                                                                   |  +----- feedback
                                                                   |             |
                                                                             approved
                                                                                 |
                                  END <- verify <- reporter <------------------ team
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from research.graph.context import Context
from research.graph.nodes.background import background
from research.graph.nodes.coordinator import coordinator
from research.graph.nodes.feedback import after_feedback, feedback
from research.graph.nodes.handover import after_handover, handover
from research.graph.nodes.planner import planner
from research.graph.nodes.reporter import reporter
from research.graph.nodes.rewrite import rewrite
from research.graph.nodes.team import team
from research.graph.nodes.validate import after_validate, validate
from research.graph.nodes.verify import verify
from research.graph.state import State
from research.models import EventKind
from research.runs.ledger import scoped

ResearchGraph: TypeAlias = CompiledStateGraph[State, Context, State, State]
Node = Callable[[State, Context], Awaitable[dict[str, Any]]]

NODES: dict[str, Node] = {
    "coordinator": coordinator,
    "rewrite": rewrite,
    "handover": handover,
    "background": background,
    "planner": planner,
    "validate": validate,
    "feedback": feedback,
    "team": team,
    "reporter": reporter,
    "verify": verify,
}

RECURSION_LIMIT = 120
"""Nodes a run may pass through; the loops through the planner have counts of their own."""


def build() -> StateGraph[State, Context]:
    """The graph, not yet compiled."""
    graph: StateGraph[State, Context] = StateGraph(State, context_schema=Context)
    for name, node in NODES.items():
        graph.add_node(name, _announced(name, node))
    graph.add_edge(START, "coordinator")
    graph.add_edge(START, "rewrite")
    graph.add_edge(["coordinator", "rewrite"], "handover")
    graph.add_conditional_edges(
        "handover", after_handover, {"research": "background", "answered": END}
    )
    graph.add_edge("background", "planner")
    graph.add_edge("planner", "validate")
    graph.add_conditional_edges(
        "validate", after_validate, {"valid": "feedback", "again": "planner"}
    )
    graph.add_conditional_edges(
        "feedback", after_feedback, {"approved": "team", "revise": "planner"}
    )
    graph.add_edge("team", "reporter")
    graph.add_edge("reporter", "verify")
    graph.add_edge("verify", END)
    return graph


def compile_graph(checkpointer: BaseCheckpointSaver[Any] | None = None) -> ResearchGraph:
    """The graph, ready to run."""
    return build().compile(checkpointer=checkpointer)


def _announced(name: str, node: Node) -> Callable[..., Awaitable[dict[str, Any]]]:
    """A node that says when it begins and ends, its calls filed under its name."""

    async def run(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
        journal = runtime.context.journal
        with scoped(node=name):
            started = time.monotonic()
            journal.emit(EventKind.NODE_STARTED)
            update = await node(state, runtime.context)
            journal.emit(EventKind.NODE_FINISHED, seconds=round(time.monotonic() - started, 3))
            return update

    return run
