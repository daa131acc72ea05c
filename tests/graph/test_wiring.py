"""The map of the graph, and the lint that guards it."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypedDict

from langgraph.graph import END, START, StateGraph

from research.graph.lint import faults
from research.graph.wiring import NODES, build, compile_graph

ROOT = Path(__file__).resolve().parents[2]


def test_the_research_graph_has_no_faults() -> None:
    assert faults(build(), NODES) == []


def test_the_lint_finds_what_langgraph_lets_pass() -> None:
    class Small(TypedDict, total=False):
        known: int

    def first(state: Small) -> dict[str, Any]:
        return {"known": state["knwon"]}  # type: ignore[typeddict-item]

    def lonely(state: Small) -> dict[str, Any]:
        return {"other": state.get("known")}

    graph = StateGraph(Small)
    graph.add_node("first", first)
    graph.add_node("lonely", lonely)
    graph.add_edge(START, "first")
    graph.add_edge("first", END)
    assert faults(graph, {"first": first, "lonely": lonely}) == [
        "lonely cannot be reached from the start",
        "lonely never leads to the end",
        "first uses the unknown state key 'knwon'",
        "lonely uses the unknown state key 'other'",
    ]


def test_the_picture_in_the_readme_is_drawn_from_the_code() -> None:
    drawn = compile_graph().get_graph().draw_mermaid()
    arrows = [line.strip() for line in drawn.splitlines() if "-->" in line or "-.->" in line]
    readme = (ROOT / "README.md").read_text("utf-8")
    assert [line for line in arrows if line not in readme] == []
