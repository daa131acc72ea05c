"""The shapes in which a model answers; their descriptions are part of the schema it is given."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field


class TriageShape(BaseModel):
    """The coordinator's decision."""

    action: Literal["research", "chat", "refuse", "clarify"]
    reply: str = ""


class RewriteShape(BaseModel):
    """The rewriter's answer."""

    query: str
    variants: list[str] = Field(default_factory=list)
    kind: Literal["general", "compare", "why", "how", "trend", "list", "definition"] = "general"


class StepShape(BaseModel):
    """One proposed step."""

    title: str
    description: str
    type: Literal["research", "processing"]
    queries: list[str] = Field(default_factory=list, description="at most 2")
    tables: list[int] = Field(default_factory=list, description="numbers of tables, at most 2")


class DependencyShape(BaseModel):
    """A step that needs what an earlier one finds, by their numbers."""

    step: int
    needs: int


class PlanShape(BaseModel):
    """The planner's proposal."""

    title: str
    thought: str
    has_enough_context: bool
    steps: list[StepShape]
    dependencies: list[DependencyShape] = Field(default_factory=list, description="at most 3")


class SectionShape(BaseModel):
    """One section of an outline."""

    title: str
    points: str
    steps: list[int] = Field(description="numbers of steps")


class OutlineShape(BaseModel):
    """The reporter's outline."""

    title: str
    sections: list[SectionShape]
