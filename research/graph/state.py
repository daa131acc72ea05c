"""The state that travels through the graph: plain JSON, small, one reducer where steps merge.

Pages, passages and charts stay in the store; the state holds their ids.
"""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

Json = dict[str, Any]


def merge_findings(old: list[Json], new: list[Json]) -> list[Json]:
    """One finding a step: a later one takes the place of an earlier one."""
    merged = {finding["step_id"]: finding for finding in [*old, *new]}
    return list(merged.values())


class State(TypedDict, total=False):
    """One run between two nodes. Values without a reducer are replaced."""

    question: str
    language: str
    triage: Json
    """``action`` and ``reply`` of the coordinator."""
    rewrite: Json
    """``query``, ``variants`` and ``kind``."""
    web: bool
    """Whether the web is searched: the user lets it, and an engine could be reached."""
    notices: list[Json]
    """What limited the whole run, for the report's honesty line."""
    background: list[Json]
    """``id``, ``score`` and ``similarity`` of each passage found before planning."""
    proposal: str
    """The planner's last answer, as it came."""
    attempts: int
    """Proposals made so far."""
    attempts_before: int
    """Those made before the last valid plan, or before the user asked to try again."""
    problems: list[str]
    """What was wrong with the last proposal."""
    plan: Json
    revision: int
    """Valid plans shown so far."""
    feedback: str
    """What the user wants changed; empty once the planner has done it."""
    approved: bool
    tries: int
    """How often the user has asked to try failed steps again."""
    findings: Annotated[list[Json], merge_findings]
    report: Json
    """Title, sections and summary as the reporter wrote them."""
