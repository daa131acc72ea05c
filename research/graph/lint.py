"""Faults of a graph that LangGraph lets pass: unreachable nodes, dead ends, unknown state keys."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any, get_type_hints

from langgraph.graph import END, START, StateGraph


def faults(graph: StateGraph[Any, Any], nodes: Mapping[str, Callable[..., Any]]) -> list[str]:
    """What is wrong with a graph, one line a fault; empty when nothing is.

    Args:
        graph: Not yet compiled.
        nodes: The functions behind its nodes, by name.
    """
    edges = set(_edges(graph))
    found = [
        f"{name} cannot be reached from the start"
        for name in sorted(set(graph.nodes) - _reached(edges, START))
    ]
    backwards = {(target, source) for source, target in edges}
    found += [
        f"{name} never leads to the end"
        for name in sorted(set(graph.nodes) - _reached(backwards, END))
    ]
    keys = set(get_type_hints(graph.state_schema))
    for name, node in nodes.items():
        found += [
            f"{name} uses the unknown state key {key!r}" for key in sorted(_keys(node) - keys)
        ]
    return found


def _edges(graph: StateGraph[Any, Any]) -> Iterator[tuple[str, str]]:
    yield from graph.edges
    for sources, target in graph.waiting_edges:
        yield from ((source, target) for source in sources)
    for source, branches in graph.branches.items():
        for branch in branches.values():
            yield from ((source, target) for target in (branch.ends or {}).values())


def _reached(edges: set[tuple[str, str]], start: str) -> set[str]:
    reached, frontier = {start}, [start]
    while frontier:
        here = frontier.pop()
        for source, target in edges:
            if source == here and target not in reached:
                reached.add(target)
                frontier.append(target)
    return reached


def _keys(node: Callable[..., Any]) -> set[str]:
    """The state keys that a node's function reads or returns, as far as they stand in it."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(node)))
    return {key for part in ast.walk(tree) for key in _keys_of(part) if isinstance(key, str)}


def _keys_of(part: ast.AST) -> Iterator[Any]:
    match part:
        case ast.Return(value=ast.Dict(keys=keys)):
            yield from (key.value for key in keys if isinstance(key, ast.Constant))
        case ast.Subscript(value=ast.Name(id="state"), slice=ast.Constant(value=key)):
            yield key
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id="state"), attr="get"),
            args=[ast.Constant(value=key), *_],
        ):
            yield key
